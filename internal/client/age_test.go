package client

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// driveSmall is a member of a group whose topic has one partition, and will have another.
func driveSmall(t *testing.T, config kafka.ConsumerConfig) *member {
	config.MetadataMaxAge = 300_000
	config.HeartbeatInterval, config.SessionTimeout, config.MaxPollInterval = 10_000_000, 30_000_000, kafka.Never
	d := newMember(t, config)
	d.plan.Partitions[1].Added = true
	d.small = true
	d.launch()
	return d
}

// lead brings the consumer into a generation as its only member, up to where it has assigned.
func (d *member) lead(generation int32, skip bool) {
	d.t.Helper()
	if openCall[*kafka.JoinGroupRequest](d).MemberID == "" {
		d.answer(kafka.KindJoinGroupRequest, &kafka.JoinGroupResponse{MemberID: "a", Error: kafka.MemberIDRequired})
	}
	d.answer(kafka.KindJoinGroupRequest, &kafka.JoinGroupResponse{
		MemberID: "a", Leader: "a", Protocol: "range", Generation: generation, SkipAssignment: skip,
		Members: []kafka.JoinedMember{{ID: "a", Subscription: kafka.Protocol{Topics: []kafka.TopicID{0}}}},
	})
}

// assigned takes the leader's assignment as the coordinator's answer, and returns how many partitions it has.
func (d *member) assigned() int {
	d.t.Helper()
	all := openCall[*kafka.SyncGroupRequest](d).Assignments
	if len(all) != 1 {
		d.t.Fatalf("assigns %+v", all)
	}
	d.answer(kafka.KindSyncGroupRequest, &kafka.SyncGroupResponse{Partitions: all[0].Partitions})
	d.positions()
	return len(all[0].Partitions)
}

func TestLeaderNoticesNewPartitionsWhenItsMetadataIsOld(t *testing.T) {
	d := driveSmall(t, usualMember())
	d.lead(1, false)
	if n := d.assigned(); n != 1 {
		t.Fatalf("assigns %d partitions of one", n)
	}
	d.small = false
	d.until(299_999)
	d.wantOpen("Fetch")
	d.until(300_000)
	d.wantOpen("Fetch JoinGroup")
	if d.count(event.PartitionsNoticed) != 1 {
		t.Error("it does not say why it joins")
	}
	d.lead(2, false)
	if n := d.assigned(); n != 2 {
		t.Errorf("assigns %d partitions of two", n)
	}
	d.until(900_000)
	d.wantOpen("Fetch")
}

func TestFollowerLeavesNewPartitionsToTheLeader(t *testing.T) {
	d := driveSmall(t, usualMember())
	d.start(0)
	d.small = false
	d.until(900_000)
	d.wantOpen("Fetch")
	if d.count(event.PartitionsNoticed) != 0 {
		t.Error("somebody who does not assign notices new partitions")
	}
}

// TestStaticLeaderTakesWhatThereIsForWhatItAssigned: nobody has orders-1, and nobody looks for it.
func TestStaticLeaderTakesWhatThereIsForWhatItAssigned(t *testing.T) {
	config := usualMember()
	config.InstanceID = "one"
	d := driveSmall(t, config)
	d.small = false
	d.until(300_000)
	d.lead(1, true)
	if all := openCall[*kafka.SyncGroupRequest](d).Assignments; len(all) != 0 {
		t.Fatalf("assigns %+v", all)
	}
	d.answer(kafka.KindSyncGroupRequest, &kafka.SyncGroupResponse{Partitions: []kafka.PartitionID{0}})
	d.positions()
	d.until(900_000)
	d.wantOpen("Fetch")
}

func TestLeaderWaitsForMetadataThatIsOnItsWay(t *testing.T) {
	for _, asks := range []bool{false, true} { // librdkafka asks each time
		config := usualMember()
		config.AsksToAssign = asks
		d := driveSmall(t, config)
		d.answer(kafka.KindJoinGroupRequest, &kafka.JoinGroupResponse{MemberID: "a", Error: kafka.MemberIDRequired})
		d.mute, d.small = true, false
		if !asks {
			d.until(300_000)
		}
		before := d.c.Clone()
		d.lead(1, false)
		d.wantOpen("Metadata")
		if hashOf(d.now, before) == hashOf(d.now, d.c) {
			t.Error("that it waits is no part of its state")
		}
		d.answer(kafka.KindMetadataRequest, d.leaders())
		if n := d.assigned(); n != 2 {
			t.Errorf("assigns %d partitions of two", n)
		}
	}
}

func TestLeaderThatLostItsCoordinatorMeanwhileJoinsAgain(t *testing.T) {
	config := usualMember()
	config.AsksToAssign = true
	d := driveSmall(t, config)
	d.answer(kafka.KindJoinGroupRequest, &kafka.JoinGroupResponse{MemberID: "a", Error: kafka.MemberIDRequired})
	d.mute = true
	d.lead(1, false)
	d.give(node.Input{Kind: node.Reset, From: 1, Channel: node.GroupChannel})
	d.answer(kafka.KindMetadataRequest, d.leaders())
	d.mute = false
	d.answerControl()
	d.until(d.now + 100)
	d.wantOpen("JoinGroup")
}

func hashOf(now kafka.Tick, n node.Node) uint64 {
	h := node.Hash{Now: now}
	n.Fingerprint(&h)
	return h.Sum()
}
