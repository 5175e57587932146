package coordinator

import (
	"testing"

	"replog/internal/kafka"
)

// errorOf is the error of an answer to a group request.
func errorOf(body kafka.Body) kafka.ErrorCode {
	switch r := body.(type) {
	case *kafka.JoinGroupResponse:
		return r.Error
	case *kafka.SyncGroupResponse:
		return r.Error
	case *kafka.HeartbeatResponse:
		return r.Error
	case *kafka.LeaveGroupResponse:
		return r.Error
	case *kafka.ConsumerGroupHeartbeatResponse:
		return r.Error
	case *kafka.OffsetCommitResponse:
		return r.Results[0].Error
	case *kafka.OffsetFetchResponse:
		return r.Error
	}
	return kafka.UnknownServerError
}

func TestRefusalsSpeakTheWordsOfACoordinator(t *testing.T) {
	commit := &kafka.OffsetCommitRequest{Offsets: []kafka.PartitionOffset{{Partition: 1, Offset: 2}}}
	for _, request := range []kafka.Body{
		&kafka.JoinGroupRequest{}, &kafka.SyncGroupRequest{}, &kafka.HeartbeatRequest{}, &kafka.LeaveGroupRequest{},
		&kafka.ConsumerGroupHeartbeatRequest{}, commit, &kafka.OffsetFetchRequest{},
	} {
		for reason, want := range map[kafka.ErrorCode]kafka.ErrorCode{
			kafka.NotLeaderOrFollower:       kafka.NotCoordinator,
			kafka.KafkaStorageError:         kafka.NotCoordinator,
			kafka.NotEnoughReplicas:         kafka.CoordinatorNotAvailable,
			kafka.RequestTimedOut:           kafka.CoordinatorNotAvailable,
			kafka.CoordinatorLoadInProgress: kafka.CoordinatorLoadInProgress,
		} {
			_, heartbeat := request.(*kafka.HeartbeatRequest)
			_, fetch := request.(*kafka.OffsetFetchRequest)
			switch {
			case heartbeat && reason == kafka.CoordinatorLoadInProgress:
				want = kafka.None
			case fetch && want == kafka.CoordinatorNotAvailable:
				want = kafka.NotCoordinator
			}
			if got := errorOf(Refuse(request, reason)); got != want {
				t.Errorf("%T with %v is answered %v, not %v", request, reason, got, want)
			}
		}
	}
	if Refuse(&kafka.FetchRequest{}, kafka.NotLeaderOrFollower) != nil {
		t.Error("a Fetch is no request of a group")
	}
}
