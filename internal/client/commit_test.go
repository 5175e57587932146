package client

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

func TestAutoCommitCoversEarlierPollsOnly(t *testing.T) {
	config := usualMember()
	config.AutoCommit, config.Work = true, 1000
	d := driveMember(t, config)
	d.start(0)
	d.fetched(0, 0, 6) // worked on until 6000
	d.until(5999)
	if kinds := d.open(); kinds != "Fetch Heartbeat" {
		t.Fatalf("open %q: auto-commit acts inside of poll() only", kinds)
	}
	d.fetched(0, 6, 1)
	d.until(6000)
	if d.offset(0) != 6 {
		t.Errorf("commits %d: the record of this poll is not done", d.offset(0))
	}
}

func TestAutoCommitWhileThereIsNothingToRead(t *testing.T) {
	config := usualMember()
	config.AutoCommit, config.HeartbeatInterval = true, kafka.Never
	d := driveMember(t, config)
	d.start(0)
	d.fetched(0, 0, 2)
	d.until(4999)
	d.wantOpen("Fetch")
	d.until(5000)
	d.committed(kafka.None)
	d.wantTold(event.OffsetCommitted, "p0@2")
	d.until(12000)
	d.wantOpen("Fetch") // nothing has moved
	d.fetched(0, 2, 1)
	d.until(14999)
	d.wantOpen("Fetch")
	d.until(15000) // on the grid of the interval
	if d.offset(0) != 3 {
		t.Errorf("commits %d", d.offset(0))
	}
}

func TestAutoCommitIsTriedAgainSoonAfterAPassingError(t *testing.T) {
	config := usualMember()
	config.AutoCommit, config.HeartbeatInterval = true, kafka.Never
	d := driveMember(t, config)
	d.start(0)
	d.fetched(0, 0, 2)
	d.until(5000)
	d.committed(kafka.CoordinatorLoadInProgress)
	d.wantTold(event.OffsetCommitFailed, "") // it is not over yet
	d.until(5100)
	d.committed(kafka.None)
	d.wantTold(event.OffsetCommitted, "p0@2")
}

func TestCommitAfterEachRecordHoldsUpTheNext(t *testing.T) {
	config := usualMember()
	config.Commit = kafka.CommitAfterRecord
	d := driveMember(t, config)
	d.start(0)
	d.fetched(0, 0, 2)
	d.wantDeeds("p0:0")
	if d.offset(0) != 1 {
		t.Errorf("commits %d", d.offset(0))
	}
	d.committed(kafka.None)
	d.wantDeeds("p0:0 p0:1")
	d.committed(kafka.None)
	d.wantTold(event.OffsetCommitted, "p0@1 p0@2")
}

func TestAsyncCommitHoldsUpNothing(t *testing.T) {
	config := usualMember()
	config.Commit, config.AsyncCommit = kafka.CommitAfterRecord, true
	d := driveMember(t, config)
	d.start(0)
	d.fetched(0, 0, 3)
	d.wantDeeds("p0:0 p0:1 p0:2")
	d.wantOpen("Fetch OffsetCommit OffsetCommit OffsetCommit")
	d.committed(kafka.NotCoordinator) // and is not tried again
	if n := d.count(event.OffsetCommitFailed); n != 3 {
		t.Errorf("%d failed commits: the connection is closed under the others", n)
	}
}

func TestCommitBeforeWorkIsAtMostOnce(t *testing.T) {
	config := usualMember()
	config.Commit, config.Work = kafka.CommitBeforeWork, 100
	d := driveMember(t, config)
	d.start(0)
	d.fetched(0, 0, 3)
	d.until(500)
	d.wantDeeds("")
	if d.offset(0) != 3 {
		t.Errorf("commits %d", d.offset(0))
	}
	d.committed(kafka.None)
	d.until(600)
	d.wantDeeds("p0:0")
}

func TestSyncCommitIsTriedUntilItsTimeIsOver(t *testing.T) {
	config := usualMember()
	config.Commit, config.APITimeout, config.HeartbeatInterval = kafka.CommitAfterPoll, 1000, kafka.Never
	d := driveMember(t, config)
	d.start(0)
	d.fetched(0, 0, 1)
	tries := 0
	for d.now < 1000 {
		d.committed(kafka.CoordinatorLoadInProgress)
		d.until(d.now + 100)
		tries++
	}
	if tries != 10 {
		t.Errorf("%d tries", tries)
	}
	d.wantTold(event.OffsetCommitFailed, "p0@1")
	d.fetched(0, 1, 1) // the application goes on
	d.wantDeeds("p0:0 p0:1")
}

func TestSyncCommitAfterTheRemovalFails(t *testing.T) {
	config := usualMember()
	config.Commit = kafka.CommitAfterPoll
	d := driveMember(t, config)
	d.start(0)
	d.fetched(0, 0, 1)
	d.committed(kafka.IllegalGeneration)
	d.wantTold(event.OffsetCommitFailed, "p0@1")
	d.wantTold(event.PartitionLost, "p0@0")
	if join := openCall[*kafka.JoinGroupRequest](d); join.MemberID != "packing-0-1" {
		t.Errorf("joins as %q: an old generation does not cost the member id", join.MemberID)
	}
}

func TestZombieCommitsLate(t *testing.T) {
	config := usualMember()
	config.Commit, config.Work = kafka.CommitAfterPoll, 100
	d := driveMember(t, config)
	d.start(0)
	d.fetched(0, 0, 1)
	d.now = 60000 // it was stopped in the middle of the work
	d.until(60000)
	d.wantDeeds("p0:0")
	if d.offset(0) != 1 {
		t.Fatalf("commits %d", d.offset(0))
	}
	d.committed(kafka.UnknownMemberID)
	d.wantTold(event.PartitionLost, "p0@0")
}

func TestStalledApplicationKeepsItsSession(t *testing.T) {
	config := usualMember()
	config.Work = 1000
	d := driveMember(t, config)
	d.start(0)
	d.fetched(0, 0, 2)
	d.until(500)
	d.give(node.Input{Kind: node.Stall, Until: 4000})
	d.until(3000)
	d.heartbeat(kafka.None)
	d.until(4499)
	d.wantDeeds("")
	d.until(4500)
	d.wantDeeds("p0:0")
	d.until(5500)
	d.wantDeeds("p0:0 p0:1")
	d.give(node.Input{Kind: node.Stall, Until: 8000}) // in poll()
	d.fetched(0, 2, 1)
	d.until(7999)
	if d.count(event.RecordsRead) != 1 {
		t.Error("it polls while it stands still")
	}
	d.until(9000)
	d.wantDeeds("p0:0 p0:1 p0:2")
}

func TestMaxPollRecords(t *testing.T) {
	config := usualMember()
	config.MaxPollRecords, config.Work = 2, 100
	d := driveMember(t, config)
	d.start(0)
	d.fetched(0, 0, 5)
	d.wantTold(event.RecordsRead, "p0@0")
	d.wantOpen("") // records wait: their broker is not asked for more
	d.until(400)
	d.wantTold(event.RecordsRead, "p0@0 p0@2 p0@4")
	if got := openCall[*kafka.FetchRequest](d).Partitions; len(got) != 1 || got[0].FetchOffset != 5 {
		t.Errorf("fetches on from %+v", got)
	}
}

func TestTransactionMarkersAreNotHandedOut(t *testing.T) {
	d := driveMember(t, usualMember())
	d.start(0)
	batches := append(stored(0, 2), append(stored(2, 1), stored(3, 1)...)...)
	batches[1].Attributes = kafka.Control
	d.answer(kafka.KindFetchRequest, &kafka.FetchResponse{Partitions: []kafka.FetchedPartition{{
		Batches: batches,
	}}})
	d.wantDeeds("p0:0 p0:1 p0:3")
	d.wantTold(event.RecordsRead, "p0@0 p0@3")
}

func TestClientThatRebalancesBesideItsApplication(t *testing.T) {
	config := usualMember()
	config.AutoCommit, config.Work, config.MaxPollRecords = true, 10000, 1
	config.RebalancesBeside, config.Covers = true, kafka.CoversHandedOut
	d := driveMember(t, config)
	d.start(0)
	d.fetched(0, 0, 3)
	d.until(3000)
	d.heartbeat(kafka.RebalanceInProgress)
	if d.offset(0) != 1 {
		t.Errorf("commits %d", d.offset(0))
	}
	d.committed(kafka.None)
	d.wantTold(event.PartitionRevoked, "p0@0")
	d.wantOpen("JoinGroup")
	d.until(10000)
	d.wantDeeds("p0:0") // and what waited to be handed out is dropped
}

func TestCommitBeforeARebalanceIsTriedAgainWithTheLatest(t *testing.T) {
	config := usualMember()
	config.AutoCommit, config.Assignors = true, []string{"cooperative-sticky"}
	d := driveMember(t, config)
	d.start(0)
	d.fetched(0, 0, 2)
	d.until(3000)
	d.heartbeat(kafka.RebalanceInProgress)
	d.fetched(0, 2, 3) // a cooperative member reads on
	d.committed(kafka.CoordinatorLoadInProgress)
	d.wantOpen("Fetch")
	d.until(3100)
	if d.offset(0) != 5 {
		t.Errorf("commits %d", d.offset(0))
	}
	d.committed(kafka.None)
	d.wantOpen("Fetch JoinGroup")
}

func TestCleanedBatchIsHandedOutWithItsGaps(t *testing.T) {
	config := usualMember()
	config.MaxPollRecords = 3
	d := driveMember(t, config)
	d.start(0)
	whole := stored(0, 10)
	d.answer(kafka.KindFetchRequest, &kafka.FetchResponse{Partitions: []kafka.FetchedPartition{{
		Batches: []kafka.Batch{whole[0].Clean([]int{1, 4, 5, 7}, kafka.Never)},
	}}})
	d.until(0)
	d.wantDeeds("p0:1 p0:4 p0:5 p0:7")
	d.wantTold(event.RecordsRead, "p0@1 p0@4 p0@7")
	if got := openCall[*kafka.FetchRequest](d).Partitions; len(got) != 1 || got[0].FetchOffset != 10 {
		t.Errorf("fetches on from %+v", got)
	}
}
