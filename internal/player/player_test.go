package player

import (
	"fmt"
	"hash/fnv"
	"testing"

	"pgregory.net/rapid"

	"replog/internal/kafka"
	"replog/internal/until"
	"replog/internal/view"
)

// mark is what a picture says, in short: two pictures with the same mark show the same.
func mark(c *view.Cluster) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, c.Seq(), c.Tick(), c.Ended(), c.Brokers(), c.Faults(), c.Producers())
	for p := range kafka.PartitionID(c.Partitions()) {
		fmt.Fprint(h, c.Partition(p), c.Replicas(p))
		for _, r := range c.Replicas(p) {
			fmt.Fprint(h, c.LogOf(p, r.Broker), c.RecordAt(p, r.Broker, r.LogEnd-1))
		}
		for _, reader := range c.Readers() {
			fmt.Fprint(h, c.Position(reader, p))
		}
	}
	for _, p := range c.Producers() {
		for _, f := range c.InFlight(p.ID) {
			fmt.Fprint(h, f.Sent, f.Records, f.Stored)
		}
	}
	for _, reader := range c.Readers() {
		fmt.Fprint(h, c.Recent(reader, 5))
	}
	return h.Sum64()
}

func (p *Player) mark() [3]uint64 {
	return [3]uint64{mark(p.Picture()), mark(p.Before()), uint64(p.Now())}
}

// TestBackIsForwardReversed walks through every scenario by event and by tick, forward and back, and passes the same
// pictures.
func TestBackIsForwardReversed(t *testing.T) {
	for _, name := range scenarioNames(t) {
		tape := tapeOf(t, name, loadFile(t, name).Variants()[0])
		step := 1 + tape.Len()/400 // of a long run every so many events, and all steps of the way back
		t.Run(name, func(t *testing.T) {
			p := New(tape)
			p.place(1, Event)
			var way [][3]uint64
			for {
				way = append(way, p.mark())
				if p.AtEnd() {
					break
				}
				for range step {
					p.NextEvent()
				}
			}
			if rest := (tape.Len() - 1) % step; rest > 0 {
				p.place(tape.Len()-rest, Event) // the last steps were fewer
				way = way[:len(way)-1]
			}
			for i := len(way) - 1; i >= 0; i-- {
				if p.mark() != way[i] {
					t.Fatalf("event %d looks different on the way back", p.At())
				}
				for range step {
					p.PreviousEvent()
				}
			}
		})
	}
}

// TestTicksBackAndForth does the same by ticks.
func TestTicksBackAndForth(t *testing.T) {
	tape := tapeOf(t, "healthy", "one reader")
	p := New(tape)
	var way [][3]uint64
	for way = append(way, p.mark()); !p.AtEnd(); way = append(way, p.mark()) {
		p.NextTick()
	}
	for i := len(way) - 1; i >= 0; i-- {
		if p.mark() != way[i] {
			t.Fatalf("event %d looks different on the way back", p.At())
		}
		p.PreviousTick()
	}
}

// TestJumpIsWalk: whatever moves lead to a place, it looks as if one had gone there at once.
func TestJumpIsWalk(t *testing.T) {
	tape := tapeOf(t, "broker-2-dies", "as it was")
	p := New(tape)
	moves := map[string]func(t *rapid.T){
		"next event":     func(*rapid.T) { p.NextEvent() },
		"previous event": func(*rapid.T) { p.PreviousEvent() },
		"next tick":      func(*rapid.T) { p.NextTick() },
		"previous tick":  func(*rapid.T) { p.PreviousTick() },
		"next mark":      func(*rapid.T) { p.NextMark() },
		"previous mark":  func(*rapid.T) { p.PreviousMark() },
		"play":           func(t *rapid.T) { p.Advance(rapid.Int64Range(0, 3_000_000).Draw(t, "micros")) },
		"tenth":          func(t *rapid.T) { p.Tenth(rapid.IntRange(0, 9).Draw(t, "tenth")) },
		"to":             func(t *rapid.T) { p.To(rapid.IntRange(0, tape.Len()).Draw(t, "event")) },
		"tick":           func(t *rapid.T) { p.ToTick(kafka.Tick(rapid.IntRange(0, int(tape.End)).Draw(t, "tick"))) },
	}
	moves[""] = func(t *rapid.T) {
		if rapid.IntRange(0, 3).Draw(t, "look") > 0 {
			return // looking costs most
		}
		jump := New(tape)
		jump.place(p.At(), p.Unit())
		if mark(jump.Picture()) != mark(p.Picture()) || mark(jump.Before()) != mark(p.Before()) {
			t.Fatalf("event %d (%v) looks different when one jumps there", p.At(), p.Unit())
		}
		if next := p.At(); p.Now() < tape.TickAt(next) || next < tape.Len() && p.Now() >= tape.TickAt(next+1) && p.Now() > tape.TickAt(next) {
			t.Fatalf("the clock says %d at event %d", p.Now(), next)
		}
	}
	rapid.Check(t, func(t *rapid.T) { t.Repeat(moves) })
}

// TestPlayingReachesTheEnd lets the clock run at several speeds.
func TestPlayingReachesTheEnd(t *testing.T) {
	tape := tapeOf(t, "healthy", "one reader")
	for speed := Speed(-2); speed <= 6; speed += 4 {
		p := New(tape)
		frames := 0
		for p.Now() < tape.End {
			p.Advance(speed.Of(33_000))
			if frames++; frames > 100_000 {
				t.Fatal("it never ends")
			}
		}
		if !p.AtEnd() {
			t.Errorf("at speed %v the end shows event %d of %d", speed, p.At(), tape.Len())
		}
	}
}

func TestSpeedsAsWritten(t *testing.T) {
	s := Speed(0)
	if s.String() != "1x" || s.Slower().Slower().String() != "1/4x" || s.Faster().Faster().Faster().String() != "8x" {
		t.Errorf("%v %v %v", s, s.Slower().Slower(), s.Faster().Faster().Faster())
	}
}

// TestMarks: the story's places are marked, in order, and no run is flooded with marks.
func TestMarks(t *testing.T) {
	const most = 64 // where the cleaner passes every minute, for hours
	for _, name := range scenarioNames(t) {
		for _, v := range loadFile(t, name).Variants() {
			tape := tapeOf(t, name, v)
			if len(tape.Marks) > most {
				t.Errorf("%s, %s has %d marks", name, v, len(tape.Marks))
			}
			last := 0
			for _, m := range tape.Marks {
				if m.Event < last || m.Event > tape.Len() || m.Label == "" || m.Letter == 0 {
					t.Errorf("%s, %s: mark %+v", name, v, m)
				}
				last = m.Event
			}
		}
	}
	letters := ""
	for _, m := range tapeOf(t, "broker-2-dies", "as it was").Marks {
		letters += string(m.Letter)
	}
	if want := "mBsssssXX?R?FEIE2?2222"; letters != want {
		t.Errorf("the marks of the 12:40 failure are %s, want %s", letters, want)
	}
}

// TestLossIsMarked: the election that loses acknowledged orders says so.
func TestLossIsMarked(t *testing.T) {
	for _, m := range tapeOf(t, "acks-1-loses", "acks=1").Marks {
		if m.Letter == '!' {
			return
		}
	}
	t.Error("no mark tells of the loss")
}

// TestFindGoesOn: what happens more than once is found again and again, then from the beginning.
func TestFindGoesOn(t *testing.T) {
	p := New(tapeOf(t, "broker-2-dies", "as it was"))
	m, err := until.Parse("LeaderElected", p.Tape.Names)
	if err != nil {
		t.Fatal(err)
	}
	all := m.All(&p.Tape.Log)
	p.To(0)
	for i, want := range append(all, all[0]) {
		n, err := p.Find(m)
		if n != want || (err != nil) != (i == len(all)) {
			t.Fatalf("the %d. time is at %d (%v), want %d", i+1, n, err, want)
		}
		p.To(n)
	}
	if never, _ := until.Parse("LogTruncated", p.Tape.Names); true {
		if n, err := p.Find(never); err == nil || n != p.At() {
			t.Errorf("what never happens is found at %d", n)
		}
	}
}

func BenchmarkStepBack(b *testing.B) {
	p := New(tapeOf(b, "broker-2-dies", "as it was"))
	p.ToEnd()
	for b.Loop() {
		if p.PreviousEvent(); p.At() < 10 {
			p.ToEnd()
		}
		p.Picture()
		p.Before()
	}
}
