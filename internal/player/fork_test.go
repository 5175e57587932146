package player

import (
	"slices"
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/scenario"
)

// TestForks does every deed at some places of some scenarios: up to there both runs are the same.
func TestForks(t *testing.T) {
	for _, one := range []struct {
		name, variant string
		tenth         int
	}{
		{"healthy", "one reader", 3},
		{"broker-2-dies", "as it was", 3},
		{"broker-returns", "acks=1", 2},
		{"broker-returns", "one left", 2},
		{"half-time", "in time", 3},
		{"keys-and-order", "same key", 5},
		{"acks-table", "acks=all", 4},
		{"tombstone", "seen", 3},
		{"packing-group", "three members", 3},
	} {
		p := New(tapeOf(t, one.name, one.variant))
		p.Tenth(one.tenth)
		for i, d := range p.Deeds() {
			fork := tryFork(t, p, d)
			if i == 0 && fork != nil {
				sameAgain(t, fork)
			}
		}
	}
}

func tryFork(t *testing.T, p *Player, d Deed) *Tape {
	t.Helper()
	where := p.Tape.Names.Scenario + ", " + p.Tape.Names.Variant + ", " + d.Label
	f, err := p.Fork(d)
	if err != nil {
		t.Errorf("%s: %v", where, err)
		return nil
	}
	fork, err := Record(f, p.Tape.Names.Variant, nil, nil)
	if err != nil {
		t.Errorf("%s: %v", where, err)
		return nil
	}
	if same := event.Same(&p.Tape.Log, &fork.Log); same < p.At() {
		t.Errorf("%s: the runs part at event %d, before the fork at %d", where, same, p.At())
	}
	return fork
}

// sameAgain: what is saved of a fork runs to the same outcome.
func sameAgain(t *testing.T, fork *Tape) {
	t.Helper()
	saved, err := scenario.Load("saved.yaml", []byte(fork.File.Source()))
	if err != nil {
		t.Error(err)
		return
	}
	again, err := Record(saved, fork.Names.Variant, nil, nil)
	if err != nil || event.Same(&fork.Log, &again.Log) != fork.Len() || !slices.Equal(fork.Outcome.StoredTwice, again.Outcome.StoredTwice) {
		t.Errorf("%s: what was saved runs otherwise (%v)", fork.Names.Scenario, err)
	}
}

// TestForkText: the file keeps its comments and its other entries; what no longer holds is gone.
func TestForkText(t *testing.T) {
	p := New(tapeOf(t, "broker-2-dies", "idempotent"))
	p.ToTick(32_000)
	f, err := p.Fork(p.Deeds()[0])
	if err != nil {
		t.Fatal(err)
	}
	text := f.Source()
	for _, want := range []string{
		"# what if: broker 1 dies, at 12:40:02.001 (from broker-2-dies, idempotent)",
		"# kept from the ZooKeeper days",
		"say: broker 2's disk controller fails for good, and the broker with it\n  - {at: \"12:40:02.001\", crash: broker 1",
		"idempotent:\n    note:",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the fork lacks %q", want)
		}
	}
	for _, gone := range []string{"\nexpect:", "\nask:", "murmur2 keys:", "retries off:"} {
		if strings.Contains(text, gone) {
			t.Errorf("the fork still has %q", gone)
		}
	}
}

// TestForkOfFork: a fork can be forked.
func TestForkOfFork(t *testing.T) {
	p := New(tapeOf(t, "broker-2-dies", "as it was"))
	p.ToTick(10_000)
	for _, label := range []string{"broker 1 dies", "broker 1 comes back"} {
		at := slices.IndexFunc(p.Deeds(), func(d Deed) bool { return d.Label == label })
		if at < 0 {
			t.Fatalf("%s can not be done", label)
		}
		f, err := p.Fork(p.Deeds()[at])
		if err != nil {
			t.Fatal(err)
		}
		fork, err := Record(f, "as it was", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		place := p.At()
		p.Swap(fork)
		if p.At() != place {
			t.Errorf("%s: the place moved from %d to %d", label, place, p.At())
		}
		p.ToTick(p.Now() + 1000)
	}
}

// TestSwapKeepsThePlace: by event while both runs are the same, by time where they are not.
func TestSwapKeepsThePlace(t *testing.T) {
	one, other := tapeOf(t, "broker-2-dies", "as it was"), tapeOf(t, "broker-2-dies", "idempotent")
	p := New(one)
	p.To(event.Same(&one.Log, &other.Log) - 1)
	at := p.At()
	if p.Swap(other); p.At() != at {
		t.Errorf("the place moved from event %d to %d", at, p.At())
	}
	p.ToTick(40_000)
	if p.Swap(one); p.Now() != 40_000 {
		t.Errorf("the place moved to %d", p.Now())
	}
}

// TestTraceCannotFork: a trace says what happened, not how it came about.
func TestTraceCannotFork(t *testing.T) {
	tape := tapeOf(t, "healthy", "one reader")
	p := New(NewTape(tape.Recording, tape.Outcome))
	if p.Deeds() != nil {
		t.Error("a trace has deeds")
	}
	if _, err := p.Fork(Deed{Label: "anything"}); err == nil {
		t.Error("a trace can be forked")
	}
}
