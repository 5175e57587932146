package check

import (
	"math/rand/v2"
	"testing"

	"replog/internal/kafka"
)

func TestSpansAreASetOfOffsets(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var s spans
		var want [60]bool
		for range 12 {
			from := rng.IntN(50)
			to := from + 1 + rng.IntN(9)
			s.add(kafka.Offset(from), kafka.Offset(to))
			for o := from; o < to; o++ {
				want[o] = true
			}
			for o := range want {
				if s.has(kafka.Offset(o)) != want[o] {
					t.Fatalf("%v has %d: %t", s, o, !want[o])
				}
			}
			for i := 1; i < len(s); i++ {
				if s[i-1].to >= s[i].from {
					t.Fatalf("%v touch", s)
				}
			}
		}
	}
}
