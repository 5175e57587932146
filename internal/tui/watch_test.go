package tui

import "testing"

// TestMetricsStayOpenWhileOneMoves: at the death of the only in-sync replica UnderReplicatedPartitions goes down.
func TestMetricsStayOpenWhileOneMoves(t *testing.T) {
	h := open(t, "unclean-election", "wait")
	h.press("s")
	h.shows("what an operator sees at 12:00:00.000", "nothing has gone wrong yet")
	h.press("G")
	h.shows("what an operator sees at 12:02:00.000", "broker 1 starts again", "OfflinePartitionsCount 1 0 -1")
	h.shows("12:00:30.000 broker 1, alone in the ISR, dies: UnderReplicatedPartitions 1 -> 0 (-1)")
	h.press("g")
	h.shows("nothing has gone wrong yet")
	h.press("s")
	if len(h.dialogs) > 0 {
		t.Error("s does not close what s opened")
	}
}
