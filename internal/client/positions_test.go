package client

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// offsetFetched answers the question for the committed offset of partition 0.
func (d *member) offsetFetched(offset kafka.Offset, epoch kafka.Epoch, code kafka.ErrorCode) {
	d.t.Helper()
	d.answer(kafka.KindOffsetFetchRequest, &kafka.OffsetFetchResponse{
		Offsets: []kafka.PartitionOffset{{Offset: offset, LeaderEpoch: epoch, Error: code}},
	})
}

func (d *member) listed(offset kafka.Offset, code kafka.ErrorCode) {
	d.t.Helper()
	d.answer(kafka.KindListOffsetsRequest, &kafka.ListOffsetsResponse{
		Partitions: []kafka.ListedOffset{{Offset: offset, LeaderEpoch: kafka.NoEpoch, Error: code}},
	})
}

func (d *member) epochEnds(end kafka.Offset, epoch kafka.Epoch) {
	d.t.Helper()
	d.answer(kafka.KindOffsetForLeaderEpochRequest, &kafka.OffsetForLeaderEpochResponse{
		Ends: []kafka.EpochAnswer{{EndOffset: end, LeaderEpoch: epoch}},
	})
}

func TestCommittedOffsetIsValidatedFirst(t *testing.T) {
	d := driveMember(t, usualMember())
	d.joinAs(1, 0)
	d.offsetFetched(7, 0, kafka.None)
	d.wantTold(event.PositionFound, "p0@7")
	d.wantOpen("OffsetForLeaderEpoch")
	d.epochEnds(9, 0)
	if got := openCall[*kafka.FetchRequest](d).Partitions; got[0].FetchOffset != 7 {
		t.Errorf("fetches from %+v", got)
	}
}

func TestPassingErrorsOfOffsetFetch(t *testing.T) {
	d := driveMember(t, usualMember())
	d.joinAs(1, 0)
	d.offsetFetched(0, 0, kafka.UnstableOffsetCommit)
	d.wantOpen("")
	d.until(100)
	d.answer(kafka.KindOffsetFetchRequest, &kafka.OffsetFetchResponse{Error: kafka.CoordinatorLoadInProgress})
	d.until(200)
	d.offsetFetched(7, kafka.NoEpoch, kafka.None)
	d.wantOpen("Fetch")
}

func TestWhereAConsumerBeginsWithoutACommit(t *testing.T) {
	for _, c := range []struct {
		reset kafka.OffsetReset
		asks  kafka.Tick
		found int64
	}{
		{kafka.ResetEarliest, kafka.EarliestTimestamp, event.FoundEarliest},
		{kafka.ResetLatest, kafka.LatestTimestamp, event.FoundLatest},
		{kafka.ResetByDuration, 4000, event.FoundByDuration},
	} {
		config := usualMember()
		config.Reset, config.ResetTicks = c.reset, 1000
		d := driveMember(t, config)
		d.joinAs(1, 0)
		d.now = 5000
		d.offsetFetched(kafka.NoOffset, kafka.NoEpoch, kafka.None)
		if got := openCall[*kafka.ListOffsetsRequest](d).Partitions[0].Timestamp; got != c.asks {
			t.Errorf("asks for %d, want %d", got, c.asks)
		}
		d.listed(3, kafka.OffsetNotAvailable)
		d.until(5100)
		d.listed(3, kafka.None)
		e := d.log.At(d.log.Len() - 1)
		if e.Kind != event.PositionFound || e.Offset != 3 || e.Value != c.found {
			t.Errorf("found %+v", e)
		}
	}
}

func TestNothingIsAsNewAsTheDuration(t *testing.T) {
	config := usualMember()
	config.Reset, config.ResetTicks, config.HeartbeatInterval = kafka.ResetByDuration, 1000, kafka.Never
	config.SessionTimeout = 100000
	d := driveMember(t, config)
	d.joinAs(1, 0)
	d.offsetFetched(kafka.NoOffset, kafka.NoEpoch, kafka.None)
	d.listed(kafka.NoOffset, kafka.None)
	d.until(29999)
	d.wantOpen("")
	d.until(30000)
	d.listed(3, kafka.None)
	d.wantTold(event.PositionFound, "p0@3")
}

func TestNowhereToBegin(t *testing.T) {
	config := usualMember()
	config.Reset = kafka.ResetNone
	d := driveMember(t, config)
	d.joinAs(1, 0)
	d.offsetFetched(kafka.NoOffset, kafka.NoEpoch, kafka.None)
	if e := d.log.At(d.log.Len() - 2); e.Kind != event.ConsumerFailed || e.Error != kafka.NoStoredOffset {
		t.Errorf("%+v", e)
	}
	d.wantOpen("LeaveGroup")
}

func TestOutOfRangeResets(t *testing.T) {
	d := driveMember(t, usualMember())
	d.start(0)
	d.fetched(0, 0, 5)
	d.answer(kafka.KindFetchRequest, &kafka.FetchResponse{Partitions: []kafka.FetchedPartition{{Error: kafka.OffsetOutOfRange}}})
	d.listed(8, kafka.None)
	d.wantTold(event.OffsetReset, "p0@8")
	if e := d.log.At(d.log.Len() - 1); e.Prev != 5 {
		t.Errorf("%+v", e)
	}
}

// newLeader tells of broker 2 as the leader in epoch 1.
func (d *member) newLeader() {
	d.epoch = 1
	d.give(node.Input{Kind: node.Metadata, Body: &kafka.MetadataResponse{
		Partitions: []kafka.PartitionLeader{{Partition: 0, Leader: 2, Epoch: 1}, {Partition: 1, Leader: 2, Epoch: 1}},
	}})
}

func TestTruncationIsNoticedAfterAChangeOfLeader(t *testing.T) {
	d := driveMember(t, usualMember())
	d.start(0)
	d.fetched(0, 0, 5)
	d.newLeader()
	d.wantOpen("Fetch OffsetForLeaderEpoch")
	d.epochEnds(3, 0)
	d.wantTold(event.PositionTruncated, "p0@3")
	last := d.asked[len(d.asked)-1]
	if got := last.body.(*kafka.FetchRequest).Partitions; last.to != 2 || got[0].FetchOffset != 3 {
		t.Errorf("fetches from %+v of broker %d", got, last.to)
	}
}

func TestTruncationEndsAConsumerWithoutAResetPolicy(t *testing.T) {
	config := usualMember()
	config.Reset = kafka.ResetNone
	d := driveMember(t, config)
	d.joinAs(1, 0)
	d.offsetFetched(0, kafka.NoEpoch, kafka.None)
	d.fetched(0, 0, 5)
	d.newLeader()
	d.epochEnds(3, 0)
	d.wantTold(event.PositionTruncated, "p0@3")
	if d.count(event.ConsumerFailed) != 1 {
		t.Error("it goes on")
	}
}

func TestAnswerOfAFormerLeaderCountsNoMore(t *testing.T) {
	d := driveMember(t, usualMember())
	d.joinAs(1, 0)
	d.offsetFetched(kafka.NoOffset, kafka.NoEpoch, kafka.None)
	d.newLeader()
	d.wantOpen("ListOffsets ListOffsets")
	d.listed(9, kafka.None) // by broker 1
	d.wantTold(event.PositionFound, "")
	d.listed(3, kafka.None)
	d.wantTold(event.PositionFound, "p0@3")
}

func TestPositionsAreAskedForAgainAfterAReset(t *testing.T) {
	d := driveMember(t, usualMember())
	d.joinAs(1, 0)
	d.offsetFetched(kafka.NoOffset, kafka.NoEpoch, kafka.None)
	d.asked = nil
	d.give(node.Input{Kind: node.Reset, Channel: node.DataChannel, From: 1})
	d.until(100)
	d.listed(3, kafka.None)
	d.wantOpen("Fetch")
}

func TestConsumerThatFailedEndsItsProcess(t *testing.T) {
	config := usualMember()
	config.Reset = kafka.ResetNone
	d := driveMember(t, config)
	d.joinAs(1, 0)
	d.offsetFetched(kafka.NoOffset, kafka.NoEpoch, kafka.None)
	d.answer(kafka.KindLeaveGroupRequest, &kafka.LeaveGroupResponse{})
	if !d.exited {
		t.Error("it stays")
	}
}
