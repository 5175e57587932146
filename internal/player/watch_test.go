package player

import (
	"testing"

	"replog/internal/metrics"
	"replog/internal/run"
)

// TestWatchIsWhatTheRunMeasured: the few events that a watch folds come, at the end, to what all events of the run came to.
func TestWatchIsWhatTheRunMeasured(t *testing.T) {
	for _, name := range []string{"zombie-leader", "disk-failure", "rolling-restart", "unclean-election"} {
		f := loadFile(t, name)
		for _, variant := range f.Variants() {
			tape, err := Record(f, variant, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			all := run.NewMetrics(tape.Plan)
			result, err := run.Do(tape.Plan, run.Options{Sink: all})
			if err != nil {
				t.Fatal(err)
			}
			sight := NewWatch(tape).At(tape.Len())
			for i, got := range sight.Metrics {
				if want := result.Metrics.Readings()[i]; got.Name != metrics.Names()[i] || got.Now != want {
					t.Errorf("%s, %s: %s is %d, want %d", name, variant, got.Name, got.Now, want)
				}
				if want := result.Metrics.Around[len(result.Metrics.Around)-1].Was[i]; got.Was != want {
					t.Errorf("%s, %s: %s was %d, want %d", name, variant, got.Name, got.Was, want)
				}
			}
		}
	}
}
