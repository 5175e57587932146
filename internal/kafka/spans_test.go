package kafka

import (
	"testing"

	"pgregory.net/rapid"
)

func TestSpansAreASetOfOffsets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s Spans
		want := map[Offset]bool{}
		offset := rapid.Int64Range(0, 30)
		for range rapid.IntRange(1, 12).Draw(t, "changes") {
			from, to := Offset(offset.Draw(t, "from")), Offset(offset.Draw(t, "to"))
			if rapid.IntRange(0, 4).Draw(t, "truncate") == 0 {
				s.Truncate(from)
				for o := from; o <= 30; o++ {
					delete(want, o)
				}
				continue
			}
			s.Add(from, to)
			for o := from; o < to; o++ {
				want[o] = true
			}
		}
		for o := Offset(0); o <= 31; o++ {
			behind, before := o, o
			for want[behind] {
				behind++
			}
			for before < 31 && !want[before] {
				before++
			}
			if s.Has(o) != want[o] || s.Behind(o) != behind || s.Before(o, 31) != before {
				t.Fatalf("%v at %d: has %t, behind %d, before %d, expected %t, %d, %d", s, o, s.Has(o), s.Behind(o),
					s.Before(o, 31), want[o], behind, before)
			}
		}
		if n := s.Count(0, 31); n != Offset(len(want)) {
			t.Fatalf("%v counts %d, expected %d", s, n, len(want))
		}
		for i := 1; i < len(s); i++ {
			if s[i-1].To >= s[i].From {
				t.Fatalf("%v: two spans touch", s)
			}
		}
	})
}
