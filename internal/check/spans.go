package check

import (
	"slices"

	"replog/internal/kafka"
)

// spans is a set of offsets: stretches in ascending order that do not touch.
type spans []span

// span is the offsets from from up to, not including, to.
type span struct{ from, to kafka.Offset }

// at is the index of the first stretch that ends at the offset or behind it.
func (s spans) at(o kafka.Offset) int {
	i, _ := slices.BinarySearchFunc(s, o, func(x span, o kafka.Offset) int {
		if x.to < o {
			return -1
		}
		return 1
	})
	return i
}

// has reports whether the offset is in the set.
func (s spans) has(o kafka.Offset) bool {
	i := s.at(o + 1)
	return i < len(s) && s[i].from <= o
}

// add puts a stretch into the set.
func (s *spans) add(from, to kafka.Offset) {
	i := s.at(from)
	j := i
	for ; j < len(*s) && (*s)[j].from <= to; j++ {
		from, to = min(from, (*s)[j].from), max(to, (*s)[j].to)
	}
	*s = slices.Replace(*s, i, j, span{from, to})
}
