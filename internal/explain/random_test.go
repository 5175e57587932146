package explain_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"replog/internal/explain"
	"replog/internal/kafka"
	"replog/internal/outcome"
	"replog/internal/view/history"
)

// Whatever happens, a story can be told, and it ends with the copies that the outcome counts.
func TestStoriesAgreeWithTheOutcome(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := history.Draw(rapid.IntRange(1, 60).Draw(t, "steps"), func(label string, n int) int {
			return rapid.IntRange(0, n-1).Draw(t, label)
		})
		f := outcome.NewFold(names, outcome.Settings{})
		r.Steps(f)
		o := f.Outcome()
		for id := range kafka.RecordID(r.Sent) {
			told := explain.Record(&r.Log, names, id)
			byOffset := map[outcome.Copy]bool{}
			for _, c := range told.Copies {
				byOffset[c] = true
			}
			want := map[outcome.Copy]bool{}
			for _, c := range o.Copies(id) {
				want[c] = true
			}
			if diff := cmp.Diff(want, byOffset); diff != "" {
				t.Fatal("record", id, diff)
			}
		}
		if lines := explain.Run(&r.Log, names, o); len(lines) == 0 {
			t.Fatal("the run has no story")
		}
	})
}
