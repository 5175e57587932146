package client

import (
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// TestTimersCommitWhatTheyCover: six records of a second each, in polls of three; an auto-commit is due after five seconds.
func TestTimersCommitWhatTheyCover(t *testing.T) {
	tests := []struct {
		covers kafka.CommitCover
		at     kafka.Tick // when the first commit comes, while the application works
		want   kafka.Offset
	}{
		{kafka.CoversHandedOut, 5000, 6},
		{kafka.CoversDone, 5000, 4}, // the fifth is done at this very instant, after the look
		{kafka.CoversEarlierPolls, 5000, 3},
	}
	for _, test := range tests {
		config := usualMember()
		config.AutoCommit, config.Work, config.MaxPollRecords, config.Covers = true, 1000, 3, test.covers
		config.HeartbeatInterval = kafka.Never
		d := driveMember(t, config)
		d.start(0)
		d.fetched(0, 0, 6)
		d.until(test.at - 1)
		d.wantOpen("Fetch")
		d.until(test.at)
		if got := d.offset(0); got != test.want {
			t.Errorf("cover %d: commits %d, want %d", test.covers, got, test.want)
		}
		d.wantDeeds("p0:0 p0:1 p0:2 p0:3 p0:4")
	}
}

// TestHandedOffWorkOutlivesItsPartition: poll() goes on beside the work, so the member rebalances at once; the work on
// what it had goes on, and its commit comes from a member of the new generation.
func TestHandedOffWorkOutlivesItsPartition(t *testing.T) {
	for _, drops := range []bool{false, true} {
		config := usualMember()
		config.HandOff, config.DropsRevoked, config.Commit, config.Work = true, drops, kafka.CommitAfterPoll, 1000
		config.HeartbeatInterval = 1500
		d := driveMember(t, config)
		d.start(0, 1)
		d.fetched(0, 0, 3)
		d.until(1500)
		d.wantDeeds("p0:0")
		d.heartbeat(kafka.RebalanceInProgress)
		d.joinAs(2, 1)
		d.wantTold(event.PartitionRevoked, "p0@0 p1@0")
		d.until(4000)
		if drops {
			d.wantDeeds("p0:0 p0:1") // the second was under way
			for _, a := range d.asked {
				if _, is := a.body.(*kafka.OffsetCommitRequest); is {
					t.Error("it commits a partition that it has not got")
				}
			}
			continue
		}
		d.wantDeeds("p0:0 p0:1 p0:2")
		commit := openCall[*kafka.OffsetCommitRequest](d)
		if d.offset(0) != 3 || commit.Generation != 2 {
			t.Errorf("commits %d in generation %d", d.offset(0), commit.Generation)
		}
	}
}

// TestHandedOffWorkIsBounded: with max.poll.records waiting, poll() hands out nothing more.
func TestHandedOffWorkIsBounded(t *testing.T) {
	config := usualMember()
	config.HandOff, config.Work, config.MaxPollRecords = true, 1000, 2
	d := driveMember(t, config)
	d.start(0)
	d.fetched(0, 0, 6)
	d.wantTold(event.RecordsRead, "p0@0")
	d.until(1000)
	d.wantTold(event.RecordsRead, "p0@0 p0@2")
	d.give(node.Input{Kind: node.Shutdown})
	d.until(3999)
	if d.exited || d.count(event.RecordsRead) > 2 {
		t.Error("a close waits for the work, and begins nothing new")
	}
	d.until(4000)
	d.wantDeeds("p0:0 p0:1 p0:2 p0:3")
	if d.count(event.PartitionRevoked) != 1 {
		t.Error("and then it leaves")
	}
}

// TestCloseInTheMiddleOfAPoll: the application breaks off, and auto-commit covers all that the poll has handed out.
func TestCloseInTheMiddleOfAPoll(t *testing.T) {
	config := usualMember()
	config.AutoCommit, config.BreaksOff, config.Work = true, true, 1000
	d := driveMember(t, config)
	d.start(0)
	d.fetched(0, 0, 10)
	d.until(2500)
	d.give(node.Input{Kind: node.Shutdown})
	d.until(3000)
	d.wantDeeds("p0:0 p0:1 p0:2")
	if d.offset(0) != 10 {
		t.Errorf("commits %d", d.offset(0))
	}
}

// TestCommitInTheCallback: an eager member commits before it joins again; a cooperative one when it knows what goes, as a
// member of the new generation.
func TestCommitInTheCallback(t *testing.T) {
	config := usualMember()
	config.CommitsOnRevoke = true
	d := driveMember(t, config)
	d.start(0, 1)
	d.fetched(0, 0, 3)
	d.until(3000)
	d.heartbeat(kafka.RebalanceInProgress)
	if got := d.offset(0); got != 3 || d.open() != "Fetch OffsetCommit" {
		t.Fatalf("eager: commits %d, open %q", got, d.open())
	}
	d.committed(kafka.None)
	d.wantOpen("Fetch JoinGroup")

	config.Assignors = []string{"cooperative-sticky"}
	d = driveMember(t, config)
	d.start(0, 1)
	d.fetched(0, 0, 3)
	d.until(3000)
	d.heartbeat(kafka.RebalanceInProgress)
	d.joinAs(2, 1)
	commit := openCall[*kafka.OffsetCommitRequest](d)
	if len(commit.Offsets) != 1 || d.offset(0) != 3 || commit.Generation != 2 {
		t.Errorf("cooperative: commits %v in generation %d", commit.Offsets, commit.Generation)
	}
	if kinds := d.open(); !strings.HasSuffix(kinds, "OffsetCommit JoinGroup") {
		t.Errorf("cooperative: open %q", kinds)
	}
}
