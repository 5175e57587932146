package client

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
)

// TestFailedWork: the application goes back to the record that failed, which succeeds the second time; or it forgets to,
// and commits past what it has not done.
func TestFailedWork(t *testing.T) {
	for _, skips := range []bool{false, true} {
		config := usualMember()
		config.Commit, config.Work, config.SkipsFailed, config.MaxPollRecords = kafka.CommitAfterPoll, 100, skips, 4
		d := driveMember(t, config)
		d.c.spec.Fails = []kafka.RecordID{2}
		d.start(0)
		d.fetched(0, 0, 6)
		d.until(300)
		d.wantDeeds("p0:0 p0:1")
		if skips {
			d.wantTold(event.PositionFound, "p0@0")
			d.until(500)
			d.wantDeeds("p0:0 p0:1 p0:4 p0:5")
			if d.offset(0) != 6 {
				t.Errorf("commits %d", d.offset(0))
			}
			continue
		}
		d.wantTold(event.PositionFound, "p0@0 p0@2")
		d.fetched(0, 2, 4)
		d.until(700)
		d.wantDeeds("p0:0 p0:1 p0:2 p0:3 p0:4 p0:5")
	}
}
