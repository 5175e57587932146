package effect

import (
	"testing"

	"replog/internal/kafka"
	"replog/internal/plan"
)

func TestATableTakesARecordOnce(t *testing.T) {
	w := New(&plan.Plan{Groups: make([]plan.Group, 2)})
	for _, id := range []kafka.RecordID{0, 63, 64, 1000} {
		if !w.Insert(1, id) {
			t.Errorf("the first row for record %d is refused", id)
		}
		if w.Insert(1, id) {
			t.Errorf("a second row for record %d is taken", id)
		}
	}
	if !w.Insert(0, 63) {
		t.Error("groups share a table")
	}
}

func TestACloneIsAWorldOfItsOwn(t *testing.T) {
	w := New(&plan.Plan{Groups: make([]plan.Group, 1)})
	w.Insert(0, 5)
	c := w.Clone()
	if c.Insert(0, 5) {
		t.Error("the clone has forgotten a row")
	}
	c.Insert(0, 6)
	if !w.Insert(0, 6) {
		t.Error("the clone's row stands in the original")
	}
}
