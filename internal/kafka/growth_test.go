package kafka

import (
	"testing"

	"pgregory.net/rapid"
)

// naiveGrowth is a Growth that is a list.
type naiveGrowth []Moment

func (g *naiveGrowth) add(o Offset, at Tick) {
	for n := len(*g); n > 0 && (*g)[n-1].Offset >= o; n-- {
		*g = (*g)[:n-1]
	}
	*g = append(*g, Moment{o, at})
}

func (g naiveGrowth) first(is func(Moment) bool) (Moment, bool) {
	for _, m := range g {
		if is(m) {
			return m, true
		}
	}
	return Moment{}, false
}

func (g naiveGrowth) upTo(o Offset) (found Moment, any bool) {
	for _, m := range g {
		if m.Offset <= o {
			found, any = m, true
		}
	}
	return found, any
}

// TestGrowthIsAListOfMoments: also where what was reached is taken back, and where moments lie further apart than a piece
// can hold.
func TestGrowthIsAListOfMoments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var packed Growth
		var naive naiveGrowth
		var o Offset
		var at Tick
		for range rapid.IntRange(0, 3*growthPieceLen).Draw(t, "moments") {
			switch rapid.IntRange(0, 40).Draw(t, "step") {
			case 0:
				o = max(0, o-Offset(rapid.IntRange(0, 2*growthPieceLen).Draw(t, "back")))
			case 1:
				o += 1 << 32
			case 2:
				at += 1 << 32
			default:
				o, at = o+2, at+Tick(rapid.IntRange(0, 3).Draw(t, "ticks"))
			}
			packed.Add(o, at)
			naive.add(o, at)
		}
		asked := Offset(rapid.Int64Range(-1, int64(o)+3).Draw(t, "offset"))
		tick := Tick(rapid.Int64Range(0, int64(at)+1).Draw(t, "tick"))
		agree := func(question string, want Moment, is bool) func(Moment, bool) {
			return func(got Moment, found bool) {
				if got != want || found != is {
					t.Fatalf("%s: %v %t, want %v %t (offset %d, tick %d)", question, got, found, want, is, asked, tick)
				}
			}
		}
		last, any := naive.upTo(asked)
		agree("up to", last, any)(packed.UpTo(asked))
		beyond, any := naive.first(func(m Moment) bool { return m.Offset > asked })
		agree("beyond", beyond, any)(packed.Beyond(asked))
		from, any := naive.first(func(m Moment) bool { return m.At >= tick })
		agree("from", from, any)(packed.From(tick))
	})
}
