package player

import (
	"slices"
	"strings"
	"testing"

	"replog/internal/event"
)

// TestQuestionsAreFound: the run stops before each answer, and the proof comes behind it.
func TestQuestionsAreFound(t *testing.T) {
	for _, variant := range []string{"as it was", "idempotent", "session 9 s"} {
		tape := tapeOf(t, "broker-2-dies", variant)
		if len(tape.Questions) != 3 {
			t.Fatalf("%s asks %d questions, want 3", variant, len(tape.Questions))
		}
		for _, q := range tape.Questions {
			if q.Stop >= q.Proof || q.Proof > tape.Len() {
				t.Errorf("%s: asked at %d, proved at %d", variant, q.Stop, q.Proof)
			}
		}
	}
	for _, name := range scenarioNames(t) {
		f := loadFile(t, name)
		for _, v := range f.Variants() {
			if asks, found := f.Asks(v), tapeOf(t, name, v).Questions; len(asks) != len(found) {
				t.Errorf("%s, %s asks %d questions, and %d have a proof", name, v, len(asks), len(found))
			}
		}
	}
}

// TestQuiz goes through a run with good and bad answers.
func TestQuiz(t *testing.T) {
	tape := tapeOf(t, "broker-2-dies", "as it was")
	q := NewQuiz(tape)
	one, two, three := tape.Questions[0], tape.Questions[1], tape.Questions[2]
	stop := func(from, to, wantAt, wantQuestion int, wantSolved bool) {
		t.Helper()
		at, question, solved := q.Stop(from, to)
		if at != wantAt || question != wantQuestion || solved != wantSolved {
			t.Fatalf("from %d to %d: stops at %d for question %d (%v), want %d %d %v",
				from, to, at, question, solved, wantAt, wantQuestion, wantSolved)
		}
	}
	stop(0, one.Stop-1, one.Stop-1, -1, false)
	stop(0, tape.Len(), one.Stop, 0, false)
	q.Pick(0, 2)
	stop(one.Stop, tape.Len(), two.Stop, 1, false)
	q.Skip(1)
	if open := q.Open(two.Stop); open != 1 {
		t.Errorf("question %d stands at %d", open, two.Stop)
	}
	stop(two.Stop-1, two.Stop+1, two.Stop+1, -1, false)
	stop(two.Stop, tape.Len(), one.Proof, 0, true)
	q.Solve(0)
	stop(one.Proof, tape.Len(), three.Stop, 2, false)
	q.Pick(2, 0)
	stop(three.Stop, tape.Len(), three.Proof, 2, true)
	q.Solve(2)
	stop(three.Stop, tape.Len(), tape.Len(), -1, false)
	if right, of := q.Score(); right != 1 || of != 2 {
		t.Errorf("%d of %d right, want 1 of 2", right, of)
	}
}

// TestPassedQuestionsAreNotAsked: who comes in late has seen the answers.
func TestPassedQuestionsAreNotAsked(t *testing.T) {
	tape := tapeOf(t, "broker-2-dies", "as it was")
	q := NewQuiz(tape)
	q.Pass(tape.Questions[1].Stop)
	if at, question, _ := q.Stop(0, tape.Len()); question != 2 || at != tape.Questions[2].Stop {
		t.Errorf("question %d is asked at %d", question, at)
	}
}

// TestDeck: the second run stands where the first one stands.
func TestDeck(t *testing.T) {
	d := NewDeck(tapeOf(t, "broker-2-dies", "as it was"))
	d.Compare(tapeOf(t, "broker-2-dies", "idempotent"))
	if d.Parted.First == 0 || d.Parted.Second == 0 || !strings.Contains(d.Parted.Text, "idempotent: 12:40:06") {
		t.Errorf("they part at %+v", d.Parted)
	}
	for _, move := range []func(){d.ToEnd, func() { d.To(d.Parted.First) }, func() { d.Tenth(3) }, d.PreviousEvent} {
		move()
		d.Follow()
		if d.Second.Now() != d.Now() || d.Second.Tape.TickAt(d.Second.At()) > d.Now() {
			t.Errorf("the first is at %d, the second at %d", d.Now(), d.Second.Now())
		}
	}
	lines := Difference(d.Tape, d.Second.Tape)
	if !slices.Contains(lines, "stored twice: 13 records (8778 to 8849) | none") {
		t.Errorf("in the end: %q", lines)
	}
	if same := Part(d.Tape, d.Tape); same.First != 0 {
		t.Errorf("a run parts from itself at %+v", same)
	}
}

// TestDeckInTheMiddleOfATick: the second run shows nothing of the tick that has not happened in the first one.
func TestDeckInTheMiddleOfATick(t *testing.T) {
	a, b := tapeOf(t, "broker-2-dies", "as it was"), tapeOf(t, "broker-2-dies", "idempotent")
	d := NewDeck(a)
	d.Compare(b)
	whole := 0
	for n := d.same + 1; n < a.Len(); n += 7 {
		d.To(n)
		d.Follow()
		now, at := d.Now(), d.Second.At()
		begin := b.Find(now - 1)
		if n == a.Find(now) {
			if at != b.Find(now) {
				t.Fatalf("at the end of tick %d the second is at %d, not %d", now, at, b.Find(now))
			}
			continue
		}
		if at < begin || at > b.Find(now) {
			t.Fatalf("in tick %d the second is at %d", now, at)
		}
		shown := n - a.Find(now-1)
		for i := begin; i < at; i++ {
			if b.Log.At(i).Kind != event.ProducerIDAssigned {
				shown--
			}
		}
		if shown < 0 {
			t.Fatalf("in tick %d, at %d, the second shows more than the first", now, n)
		}
		if shown == 0 {
			whole++
		}
	}
	if whole == 0 {
		t.Error("the second is never where the first is")
	}
}
