package run

import (
	"math/rand/v2"
	"slices"
	"testing"

	"replog/internal/event"
	"replog/internal/scenario"
	"replog/internal/sim"
)

// TestGroupsCloneGoesTheSameWay cuts runs with random groups at many places: a clone gives the events of the whole run, has
// the same fingerprint, and so has a run that nobody listens to.
func TestGroupsCloneGoesTheSameWay(t *testing.T) {
	for seed := range 6 {
		text := randomGroup(rand.New(rand.NewPCG(uint64(seed), 8)), seed)
		file, err := scenario.Load("random.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		p, err := file.Plan(file.Variants()[0], nil)
		if err != nil {
			t.Fatal(err)
		}
		whole, head := &event.Log{}, &event.Log{}
		if err := sim.New(p, whole).Run(); err != nil {
			t.Fatal(err)
		}
		c, silent := sim.New(p, head), sim.New(p, nil)
		for step := 0; c.Step(); step++ {
			silent.Step()
			if step%1999 != 0 {
				continue
			}
			tail := copyOf(head)
			d := c.Clone(tail)
			if c.Fingerprint() != d.Fingerprint() || c.Fingerprint() != silent.Fingerprint() {
				t.Fatalf("seed %d, step %d: a clone or the sink changed the fingerprint\n%s", seed, step, text)
			}
			if err := d.Run(); err != nil {
				t.Fatal(err)
			}
			sameLog(t, whole, tail)
		}
	}
}

func copyOf(log *event.Log) *event.Log {
	c := &event.Log{}
	for _, e := range log.All() {
		c.Append(e, log.Records(e))
	}
	return c
}

func sameLog(t *testing.T, a, b *event.Log) {
	t.Helper()
	for i := range min(a.Len(), b.Len()) {
		x, y := *a.At(i), *b.At(i)
		same := slices.Equal(a.Records(&x), b.Records(&y))
		x.Records, y.Records = 0, 0
		if !same || x != y {
			t.Fatalf("event %d differs: %+v and %+v", i, x, y)
		}
	}
	if a.Len() != b.Len() {
		t.Fatalf("%d events and %d events", a.Len(), b.Len())
	}
}
