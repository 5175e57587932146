package client

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

func TestMemberJoinsAndReads(t *testing.T) {
	d := driveMember(t, usualMember())
	d.joinAs(1, 0, 1)
	d.wantOpen("OffsetFetch")
	d.positions()
	d.wantOpen("Fetch")
	d.wantTold(event.PartitionAssigned, "p0@0 p1@0")
	d.wantTold(event.PositionFound, "p0@0 p1@0")
	d.fetched(0, 0, 3)
	d.wantTold(event.RecordsRead, "p0@0")
	d.wantDeeds("p0:0 p0:1 p0:2")
	if got := openCall[*kafka.FetchRequest](d).Partitions; len(got) != 1 || got[0].FetchOffset != 3 {
		t.Errorf("fetches on from %+v", got)
	}
}

func TestLeaderAssigns(t *testing.T) {
	d := driveMember(t, usualMember())
	topics := []kafka.TopicID{0}
	d.answer(kafka.KindJoinGroupRequest, &kafka.JoinGroupResponse{MemberID: "b", Error: kafka.MemberIDRequired})
	d.answer(kafka.KindJoinGroupRequest, &kafka.JoinGroupResponse{
		MemberID: "b", Leader: "b", Protocol: "range", Generation: 1,
		Members: []kafka.JoinedMember{{ID: "b", Subscription: kafka.Protocol{Topics: topics}}, {ID: "a", Subscription: kafka.Protocol{Topics: topics}}},
	})
	got := openCall[*kafka.SyncGroupRequest](d).Assignments
	if len(got) != 2 || got[0].MemberID != "b" || got[0].Partitions[0] != 1 || got[1].Partitions[0] != 0 {
		t.Errorf("assigned %+v", got)
	}
}

func TestEagerMemberRevokesEverythingBeforeItJoins(t *testing.T) {
	config := usualMember()
	config.AutoCommit = true
	d := driveMember(t, config)
	d.start(0, 1)
	d.fetched(0, 0, 3)
	d.until(3000)
	d.heartbeat(kafka.RebalanceInProgress)
	d.wantOpen("Fetch OffsetCommit")
	if d.offset(0) != 3 {
		t.Errorf("commits %d before the rebalance", d.offset(0))
	}
	d.fetched(0, 3, 2)
	d.wantDeeds("p0:0 p0:1 p0:2") // nothing more is handed out
	d.wantTold(event.PartitionRevoked, "")
	d.committed(kafka.None)
	d.wantTold(event.PartitionRevoked, "p0@0 p1@0")
	d.wantTold(event.OffsetCommitted, "p0@3 p1@0")
	d.wantOpen("JoinGroup")
	d.joinAs(2, 0)
	d.answer(kafka.KindOffsetFetchRequest, &kafka.OffsetFetchResponse{Offsets: []kafka.PartitionOffset{{Partition: 0, Offset: 3, LeaderEpoch: 0}}})
	d.answer(kafka.KindOffsetForLeaderEpochRequest, &kafka.OffsetForLeaderEpochResponse{Ends: []kafka.EpochAnswer{{Partition: 0, EndOffset: 5}}})
	if got := openCall[*kafka.FetchRequest](d).Partitions; len(got) != 1 || got[0].FetchOffset != 3 {
		t.Errorf("fetches on from %+v", got)
	}
}

func TestCooperativeMemberKeepsWhatItOwnsAndJoinsTwice(t *testing.T) {
	config := usualMember()
	config.Assignors = []string{"cooperative-sticky"}
	d := driveMember(t, config)
	d.start(0, 1)
	d.until(3000)
	d.heartbeat(kafka.RebalanceInProgress)
	d.wantOpen("Fetch JoinGroup")
	if owned := openCall[*kafka.JoinGroupRequest](d).Protocols[0].Owned; len(owned) != 2 {
		t.Errorf("joins with %v", owned)
	}
	d.fetched(1, 0, 2) // it works on while it waits
	d.wantDeeds("p1:0 p1:1")
	d.joinAs(2, 0)
	d.wantTold(event.PartitionRevoked, "p1@0")
	d.wantOpen("Fetch JoinGroup")
	join := openCall[*kafka.JoinGroupRequest](d)
	if p := join.Protocols[0]; len(p.Owned) != 1 || p.Generation != 2 {
		t.Errorf("joins again with %+v", p)
	}
	d.joinAs(3, 0)
	if d.count(event.PartitionAssigned) != 2 {
		t.Error("what it keeps is assigned again")
	}
}

func TestMemberThatWasRemovedLosesEverything(t *testing.T) {
	config := usualMember()
	config.AutoCommit = true
	d := driveMember(t, config)
	d.start(0)
	d.fetched(0, 0, 2)
	d.until(3000)
	d.heartbeat(kafka.UnknownMemberID)
	d.wantTold(event.PartitionLost, "p0@0")
	d.wantOpen("Fetch JoinGroup") // and commits nothing
	if id := openCall[*kafka.JoinGroupRequest](d).MemberID; id != "" {
		t.Errorf("joins as %q", id)
	}
	d.fetched(0, 2, 1)
	d.wantDeeds("p0:0 p0:1")
}

func TestMemberLooksForItsCoordinatorAgain(t *testing.T) {
	d := driveMember(t, usualMember())
	d.start(0)
	d.until(3000)
	d.mute = true
	d.heartbeat(kafka.NotCoordinator)
	d.wantOpen("Fetch FindCoordinator")
	d.answer(kafka.KindFindCoordinatorRequest, &kafka.FindCoordinatorResponse{Node: kafka.NoNode, Error: kafka.CoordinatorNotAvailable})
	d.until(3099)
	d.wantOpen("Fetch")
	d.until(3100)
	d.answer(kafka.KindFindCoordinatorRequest, &kafka.FindCoordinatorResponse{Node: 2})
	if hb := d.asked[len(d.asked)-1]; hb.to != 2 || hb.body.Kind() != kafka.KindHeartbeatRequest {
		t.Errorf("asks %v of broker %d", hb.body.Kind(), hb.to)
	}
	d.asked = d.asked[:1]
	d.give(node.Input{Kind: node.Reset, Channel: node.GroupChannel, From: 2})
	d.wantOpen("Fetch FindCoordinator")
}

func TestSilentCoordinatorIsGivenUpAfterTheSessionTimeout(t *testing.T) {
	config := usualMember()
	config.SessionTimeout, config.AnswerTimeout = 10000, 60000
	d := driveMember(t, config)
	d.start(0)
	d.until(9999)
	if len(d.closed) != 0 {
		t.Fatal("given up too early")
	}
	d.until(10000)
	if len(d.closed) != 1 || d.closed[0] != node.GroupChannel {
		t.Errorf("closed %v", d.closed)
	}
}

func TestMemberThatDoesNotPollLeaves(t *testing.T) {
	config := usualMember()
	config.MaxPollInterval, config.Work, config.Commit = 10000, 4000, kafka.CommitAfterPoll
	d := driveMember(t, config)
	d.start(0)
	d.fetched(0, 0, 3)
	for d.now < 9999 {
		d.until(d.now + 1)
		for range d.asked {
			if d.asked[len(d.asked)-1].body.Kind() == kafka.KindHeartbeatRequest {
				d.heartbeat(kafka.None)
			}
		}
	}
	if d.count(event.PollIntervalExceeded) != 0 {
		t.Fatal("left too early")
	}
	d.until(10000)
	openCall[*kafka.LeaveGroupRequest](d)
	d.wantTold(event.PartitionLost, "") // only poll() finds out
	d.until(12000)
	d.wantDeeds("p0:0 p0:1 p0:2") // it goes on working
	d.wantTold(event.OffsetCommitFailed, "p0@3")
	d.wantTold(event.PartitionLost, "p0@0")
	openCall[*kafka.JoinGroupRequest](d)
}

func TestStaticMemberThatDoesNotPollOnlyFallsSilent(t *testing.T) {
	config := usualMember()
	config.MaxPollInterval, config.Work, config.InstanceID = 10000, 40000, "packing-a"
	d := driveMember(t, config)
	d.answer(kafka.KindJoinGroupRequest, &kafka.JoinGroupResponse{MemberID: "packing-a-1", Generation: 1, Protocol: "range"})
	d.answer(kafka.KindSyncGroupRequest, &kafka.SyncGroupResponse{Partitions: []kafka.PartitionID{0}})
	d.positions()
	d.fetched(0, 0, 1)
	d.until(9000)
	d.until(30000)
	if d.count(event.PollIntervalExceeded) != 1 {
		t.Error("not noticed")
	}
	for _, a := range d.asked {
		if a.body.Kind() == kafka.KindLeaveGroupRequest {
			t.Error("a static member says good-bye")
		}
	}
	beats := 0
	for _, a := range d.asked {
		if a.body.Kind() == kafka.KindHeartbeatRequest {
			beats++
		}
	}
	if beats != 3 {
		t.Errorf("%d heartbeats, want those at 3000, 6000 and 9000", beats)
	}
}

func TestFencedStaticMemberEnds(t *testing.T) {
	config := usualMember()
	config.InstanceID, config.RejoinTicks = "packing-a", 1000
	d := driveMember(t, config)
	d.joinAs(1, 0)
	d.positions()
	d.until(3000)
	d.heartbeat(kafka.FencedInstanceID)
	d.wantTold(event.ConsumerFailed, "p0@0")
	d.wantOpen("")
	if d.exited {
		t.Error("its process is still there")
	}
	d.until(4000)
	d.wantOpen("JoinGroup")
	if d.count(event.ConsumerStarted) != 1 {
		t.Error("nobody hears that it starts anew")
	}
}

func TestCloseCommitsAndLeaves(t *testing.T) {
	config := usualMember()
	config.AutoCommit = true
	d := driveMember(t, config)
	d.start(0)
	d.fetched(0, 0, 2)
	d.give(node.Input{Kind: node.Shutdown})
	if d.offset(0) != 2 || d.exited {
		t.Fatalf("commits %d", d.offset(0))
	}
	d.committed(kafka.None)
	d.wantTold(event.PartitionRevoked, "p0@0")
	d.answer(kafka.KindLeaveGroupRequest, &kafka.LeaveGroupResponse{})
	if !d.exited {
		t.Error("it does not end")
	}
}

func TestStaticMemberClosesWithoutLeaving(t *testing.T) {
	config := usualMember()
	config.InstanceID = "packing-a"
	d := driveMember(t, config)
	d.joinAs(1, 0)
	d.positions()
	d.give(node.Input{Kind: node.Shutdown})
	if !d.exited {
		t.Errorf("it waits for %s", d.open())
	}
}

func TestConsumerBeginsAnewAfterACrash(t *testing.T) {
	d := driveMember(t, usualMember())
	d.start(0)
	d.fetched(0, 0, 2)
	d.asked = nil
	d.give(node.Input{Kind: node.Crash})
	d.until(5000)
	d.wantOpen("")
	d.give(node.Input{Kind: node.Restart})
	if join := openCall[*kafka.JoinGroupRequest](d); join.MemberID != "" || join.Protocols[0].Generation != -1 {
		t.Errorf("joins with %+v", join)
	}
}

func TestLeftGroupIgnoresTheAnswerToAnOldJoin(t *testing.T) {
	config := usualMember()
	config.Assignors = []string{"cooperative-sticky"}
	config.Commit, config.AsyncCommit = kafka.CommitAfterPoll, true
	d := driveMember(t, config)
	d.start(0)
	d.fetched(0, 0, 1)
	d.until(3000)
	d.heartbeat(kafka.RebalanceInProgress)
	d.committed(kafka.UnknownMemberID) // while its JoinGroup is on its way
	d.wantTold(event.PartitionLost, "p0@0")
	d.wantOpen("Fetch JoinGroup JoinGroup")
	d.answer(kafka.KindJoinGroupRequest, &kafka.JoinGroupResponse{MemberID: "old", Generation: 2, Protocol: "cooperative-sticky"})
	d.wantOpen("Fetch JoinGroup")
}

func TestNewSettingsOfARunningConsumer(t *testing.T) {
	d := driveMember(t, usualMember())
	d.start(0)
	after := *d.plan
	after.Consumers = append([]plan.Consumer(nil), d.plan.Consumers...)
	after.Consumers[0].Config.Protocol, after.Consumers[0].Config.HeartbeatInterval = kafka.ConsumerProtocol, 1000
	d.give(node.Input{Kind: node.Reconfigure, Plan: &after})
	d.until(4000)
	d.wantOpen("Fetch Heartbeat Heartbeat") // at 3000, as it was to be, and then every second
	d.asked = nil
	d.give(node.Input{Kind: node.Crash})
	d.give(node.Input{Kind: node.Restart})
	d.wantOpen("ConsumerGroupHeartbeat")
}
