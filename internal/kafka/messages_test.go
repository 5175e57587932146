package kafka

import (
	"fmt"
	"strings"
	"testing"
)

// bodies lists a message of every kind, in the order of the kinds; those that concern partitions concern partition 3.
func bodies() []Body {
	return []Body{
		&ProduceRequest{Batches: []PartitionBatch{{Partition: 3}}},
		&ProduceResponse{Results: []ProduceResult{{Partition: 3}}},
		&FetchRequest{Partitions: []FetchPartition{{Partition: 3}}},
		&FetchResponse{Partitions: []FetchedPartition{{Partition: 3}}},
		&MetadataRequest{}, &MetadataResponse{},
		&InitProducerIDRequest{}, &InitProducerIDResponse{},
		&BrokerRegistrationRequest{}, &BrokerRegistrationResponse{},
		&BrokerHeartbeatRequest{}, &BrokerHeartbeatResponse{},
		&AlterPartitionRequest{Partition: 3}, &AlterPartitionResponse{Partition: 3},
		&MetadataFetchRequest{}, &MetadataFetchResponse{},
		&StreamAppend{Partition: 3}, &StreamAck{Partition: 3},
		&FindCoordinatorRequest{}, &FindCoordinatorResponse{},
		&JoinGroupRequest{}, &JoinGroupResponse{}, &SyncGroupRequest{}, &SyncGroupResponse{},
		&HeartbeatRequest{}, &HeartbeatResponse{}, &LeaveGroupRequest{}, &LeaveGroupResponse{},
		&ConsumerGroupHeartbeatRequest{}, &ConsumerGroupHeartbeatResponse{},
		&OffsetCommitRequest{Offsets: []PartitionOffset{{Partition: 3}}}, &OffsetCommitResponse{Results: []PartitionOffset{{Partition: 3}}},
		&OffsetFetchRequest{Partitions: []PartitionID{3}}, &OffsetFetchResponse{Offsets: []PartitionOffset{{Partition: 3}}},
		&ListOffsetsRequest{Partitions: []ListedOffset{{Partition: 3}}}, &ListOffsetsResponse{Partitions: []ListedOffset{{Partition: 3}}},
		&OffsetForLeaderEpochRequest{Partitions: []EpochQuestion{{Partition: 3}}}, &OffsetForLeaderEpochResponse{Ends: []EpochAnswer{{Partition: 3}}},
		&AddPartitionsToTxnRequest{Partitions: []PartitionID{3}}, &AddPartitionsToTxnResponse{Results: []PartitionError{{Partition: 3}}},
		&AddOffsetsToTxnRequest{}, &AddOffsetsToTxnResponse{},
		&TxnOffsetCommitRequest{Offsets: []PartitionOffset{{Partition: 3}}}, &TxnOffsetCommitResponse{Results: []PartitionOffset{{Partition: 3}}},
		&EndTxnRequest{}, &EndTxnResponse{},
		&WriteTxnMarkersRequest{Markers: []TxnMarker{{Partitions: []PartitionID{3}}}},
		&WriteTxnMarkersResponse{Results: [][]PartitionError{{{Partition: 3}}}},
	}
}

func TestEachKindOfMessageHasABodyAndAName(t *testing.T) {
	list := bodies()
	if len(list) != int(messageKinds)-1 {
		t.Fatalf("%d bodies for %d kinds", len(list), messageKinds-1)
	}
	for i, body := range list {
		kind := MessageKind(i + 1)
		name := strings.TrimPrefix(fmt.Sprintf("%T", body), "*kafka.")
		if body.Kind() != kind || !strings.EqualFold(kind.String(), name) {
			t.Errorf("%s has the kind %d and the name %q", name, body.Kind(), body.Kind())
		}
		if got, ok := ParseMessageKind(kind.String()); !ok || got != kind {
			t.Errorf("ParseMessageKind(%q) = %d, %t", kind, got, ok)
		}
	}
	if _, ok := ParseMessageKind("FetchRequests"); ok {
		t.Error("a message that does not exist is known")
	}
	if got := messageKinds.String(); got != "unknown message" {
		t.Errorf("a kind out of range is %q", got)
	}
}

func TestMessagesConcernTheirPartitions(t *testing.T) {
	about := map[MessageKind]bool{
		KindProduceRequest: true, KindProduceResponse: true, KindFetchRequest: true, KindFetchResponse: true,
		KindAlterPartitionRequest: true, KindAlterPartitionResponse: true, KindStreamAppend: true, KindStreamAck: true,
		KindOffsetCommitRequest: true, KindOffsetCommitResponse: true, KindOffsetFetchRequest: true, KindOffsetFetchResponse: true,
		KindListOffsetsRequest: true, KindListOffsetsResponse: true, KindOffsetForLeaderEpochRequest: true,
		KindOffsetForLeaderEpochResponse: true, KindAddPartitionsToTxnRequest: true, KindAddPartitionsToTxnResponse: true,
		KindTxnOffsetCommitRequest: true, KindTxnOffsetCommitResponse: true, KindWriteTxnMarkersRequest: true,
		KindWriteTxnMarkersResponse: true,
	}
	for _, body := range bodies() {
		if body.Concerns(3) != about[body.Kind()] || body.Concerns(4) {
			t.Errorf("%s concerns partition 3: %t, partition 4: %t", body.Kind(), body.Concerns(3), body.Concerns(4))
		}
	}
}

func TestErrorsAreFoundByKafkasNames(t *testing.T) {
	for _, row := range errorNames {
		if got, ok := ParseErrorCode(row.code.String()); !ok || got != row.code || row.code.String() != row.name {
			t.Errorf("%d is %q, which is %d", row.code, row.code, got)
		}
		if row.code.Retriable() != row.retriable {
			t.Errorf("%s: retriable %t", row.name, !row.retriable)
		}
	}
	if code, ok := ParseErrorCode("NO_SUCH_ERROR"); ok || code != UnknownServerError || ErrorCode(999).String() != "UNKNOWN_SERVER_ERROR" {
		t.Error("an error that does not exist is known")
	}
}
