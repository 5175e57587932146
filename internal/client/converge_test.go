package client

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

func driveConverging(t *testing.T, change func(*kafka.ConsumerConfig)) *member {
	config := usualMember()
	config.Protocol = kafka.ConsumerProtocol
	if change != nil {
		change(&config)
	}
	return driveMember(t, config)
}

// beat answers the open heartbeat with a member epoch, and with an assignment where there is one.
func (d *member) beat(epoch int32, assigned bool, partitions ...kafka.PartitionID) {
	d.t.Helper()
	d.answer(kafka.KindConsumerGroupHeartbeatRequest, &kafka.ConsumerGroupHeartbeatResponse{
		MemberEpoch: epoch, HeartbeatInterval: 5000, Assigned: assigned, Assignment: partitions,
	})
}

func (d *member) beatFails(code kafka.ErrorCode) {
	d.t.Helper()
	d.answer(kafka.KindConsumerGroupHeartbeatRequest, &kafka.ConsumerGroupHeartbeatResponse{Error: code})
}

func (d *member) nextBeat() *kafka.ConsumerGroupHeartbeatRequest {
	d.t.Helper()
	return openCall[*kafka.ConsumerGroupHeartbeatRequest](d)
}

func TestMemberConverges(t *testing.T) {
	d := driveConverging(t, nil)
	join := d.nextBeat()
	if join.MemberID != "packing-0-1" || join.MemberEpoch != 0 || !join.Subscribes || !join.Reported || len(join.Owned) != 0 {
		t.Errorf("joins with %+v", join)
	}
	d.beat(1, true, 0, 1)
	d.wantTold(event.PartitionAssigned, "p0@0 p1@0")
	if ack := d.nextBeat(); !ack.Reported || len(ack.Owned) != 2 || ack.Subscribes {
		t.Errorf("acknowledges with %+v", ack)
	}
	d.beat(1, false)
	d.positions()
	d.until(4999)
	d.wantOpen("Fetch")
	d.until(5000)
	if beat := d.nextBeat(); beat.Reported || beat.MemberEpoch != 1 {
		t.Errorf("a heartbeat without news: %+v", beat)
	}
	d.beat(1, true, 0)
	d.wantTold(event.PartitionRevoked, "p1@0")
	if ack := d.nextBeat(); len(ack.Owned) != 1 || ack.Owned[0] != 0 {
		t.Errorf("acknowledges with %+v", ack)
	}
}

func TestConvergingMemberCommitsBeforeItLetsGo(t *testing.T) {
	d := driveConverging(t, func(c *kafka.ConsumerConfig) { c.AutoCommit = true; c.Work = 1000 })
	d.beat(1, true, 0, 1)
	d.beat(1, false)
	d.positions()
	d.until(4000)
	d.fetched(1, 0, 3) // in work until 7000
	d.until(5000)
	d.beat(1, true, 0)
	d.until(6999)
	d.wantTold(event.PartitionRevoked, "") // only poll() knows what may be committed
	d.until(7000)
	if d.offset(1) != 3 {
		t.Fatalf("commits %d", d.offset(1))
	}
	d.fetched(1, 3, 1) // dropped: it is about to be revoked
	d.committed(kafka.None)
	d.wantTold(event.PartitionRevoked, "p1@0")
	if ack := d.nextBeat(); len(ack.Owned) != 1 {
		t.Errorf("acknowledges with %+v", ack)
	}
	d.wantDeeds("p1:0 p1:1 p1:2")
}

func TestFencedMemberDropsEverythingAndJoinsAgain(t *testing.T) {
	for _, code := range []kafka.ErrorCode{kafka.FencedMemberEpoch, kafka.UnknownMemberID} {
		d := driveConverging(t, nil)
		d.beat(3, true, 0)
		d.beatFails(code)
		d.wantTold(event.PartitionLost, "p0@0")
		if join := d.nextBeat(); join.MemberEpoch != 0 || !join.Subscribes || join.MemberID != "packing-0-1" {
			t.Errorf("after %v joins with %+v", code, join)
		}
	}
}

// TestApplicationWithAListenerKeepsItsPlaceUntilItPolls: neither a new target, nor the end of the membership, takes a partition
// away in the middle of the work on it.
func TestApplicationWithAListenerKeepsItsPlaceUntilItPolls(t *testing.T) {
	for name, happens := range map[string]func(d *member){
		"a new target":          func(d *member) { d.beat(2, true) },
		"a member that is none": func(d *member) { d.beatFails(kafka.UnknownMemberID) },
	} {
		d := driveConverging(t, func(c *kafka.ConsumerConfig) { c.CallsBack, c.Work = true, 9000 })
		d.beat(1, true, 0)
		d.beat(1, false)
		d.positions()
		d.fetched(0, 0, 1)
		d.until(5000)
		happens(d)
		d.until(8999)
		d.wantTold(event.PartitionRevoked, "")
		d.wantTold(event.PartitionLost, "")
		d.until(9000)
		if len(d.c.group.owned) > 0 {
			t.Errorf("%s: it owns %v", name, d.c.group.owned)
		}
	}
}

func TestHeartbeatAfterAPassingErrorTellsEverything(t *testing.T) {
	d := driveConverging(t, nil)
	d.beat(3, true, 0)
	d.beat(3, false)
	d.until(5000)
	d.beatFails(kafka.CoordinatorLoadInProgress)
	d.until(5100)
	if beat := d.nextBeat(); !beat.Subscribes || len(beat.Owned) != 1 || beat.MemberEpoch != 3 {
		t.Errorf("%+v", beat)
	}
}

func TestConvergingMemberThatDoesNotPollLeaves(t *testing.T) {
	for _, c := range []struct {
		instance string
		epoch    int32
	}{{"", -1}, {"packing-a", -2}} {
		d := driveConverging(t, func(config *kafka.ConsumerConfig) {
			config.MaxPollInterval, config.Work, config.InstanceID = 2000, 3000, c.instance
		})
		d.beat(1, true, 0)
		d.beat(1, false)
		d.positions()
		d.fetched(0, 0, 1)
		d.until(2000)
		d.wantTold(event.PartitionLost, "p0@0")
		if leave := d.nextBeat(); leave.MemberEpoch != c.epoch {
			t.Errorf("leaves with %+v", leave)
		}
		d.beat(c.epoch, false)
		d.until(2999)
		d.wantOpen("Fetch")
		d.until(3000)
		if join := d.nextBeat(); join.MemberEpoch != 0 {
			t.Errorf("joins with %+v", join)
		}
	}
}

func TestConvergingMemberCloses(t *testing.T) {
	d := driveConverging(t, nil)
	d.beat(1, true, 0)
	d.beat(1, false)
	d.positions()
	d.give(node.Input{Kind: node.Shutdown})
	if leave := d.nextBeat(); leave.MemberEpoch != -1 {
		t.Errorf("leaves with %+v", leave)
	}
	d.beat(-1, false)
	if !d.exited {
		t.Error("it does not end")
	}
}

func TestInstanceIDInUseEndsAConsumer(t *testing.T) {
	d := driveConverging(t, func(c *kafka.ConsumerConfig) { c.InstanceID = "packing-a" })
	d.beatFails(kafka.UnreleasedInstanceID)
	if d.count(event.ConsumerFailed) != 1 {
		t.Error("it goes on")
	}
	d.until(60000)
	d.wantOpen("")
}

func TestCommitWithAnOldEpochIsTriedWithTheNewOne(t *testing.T) {
	d := driveConverging(t, func(c *kafka.ConsumerConfig) { c.AutoCommit, c.AutoCommitTicks = true, 60000 })
	d.beat(1, true, 0, 1)
	d.beat(1, false)
	d.positions()
	d.fetched(0, 0, 1)
	d.until(5000)
	d.beat(1, true, 0)
	d.until(5001)
	d.wantOpen("Fetch OffsetCommit")
	d.until(10000)
	d.beat(2, false)
	d.committed(kafka.StaleMemberEpoch)
	d.until(10100)
	if commit := openCall[*kafka.OffsetCommitRequest](d); commit.Generation != 2 {
		t.Errorf("%+v", commit)
	}
	d.committed(kafka.None)
	d.wantTold(event.PartitionRevoked, "p1@0")
}

func TestAssignmentThatIsKnownIsNotTakenAgain(t *testing.T) {
	d := driveConverging(t, nil)
	d.beat(1, true)
	d.beat(1, true)
	d.until(5000)
	d.beat(2, true, 0)
	d.beat(2, true, 0)
	if n := d.count(event.GroupJoined); n != 2 {
		t.Errorf("taken over %d times", n)
	}
}

func TestApplicationHearsOfAnOldEpoch(t *testing.T) {
	d := driveConverging(t, func(c *kafka.ConsumerConfig) { c.Commit = kafka.CommitAfterPoll })
	d.beat(1, true, 0)
	d.beat(1, false)
	d.positions()
	d.fetched(0, 0, 1)
	d.committed(kafka.StaleMemberEpoch)
	d.wantTold(event.OffsetCommitFailed, "p0@1")
	d.fetched(0, 1, 1) // and goes on
	d.wantDeeds("p0:0 p0:1")
}
