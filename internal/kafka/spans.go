package kafka

import (
	"slices"
	"sort"
)

// Span is the offsets from From up to, not including, To.
type Span struct{ From, To Offset }

// Spans is a set of offsets: spans in rising order that do not touch each other. Clone it; a plain copy would share what
// Add and Remove change.
type Spans []Span

// Clone is an independent copy.
func (s Spans) Clone() Spans { return slices.Clone(s) }

// after is the index of the first span that ends behind the offset.
func (s Spans) after(o Offset) int {
	if n := len(s); n == 0 || s[n-1].To <= o {
		return n // nearly all that is added comes behind the rest
	}
	return sort.Search(len(s), func(i int) bool { return s[i].To > o })
}

// Add puts the offsets from from up to to into the set.
func (s *Spans) Add(from, to Offset) {
	if from >= to {
		return
	}
	first := s.after(from - 1)
	next := first
	for next < len(*s) && (*s)[next].From <= to {
		from, to = min(from, (*s)[next].From), max(to, (*s)[next].To)
		next++
	}
	*s = slices.Replace(*s, first, next, Span{from, to})
}

// Truncate takes out everything from the offset on.
func (s *Spans) Truncate(end Offset) {
	n := s.after(end)
	if n < len(*s) && (*s)[n].From < end {
		(*s)[n].To = end
		n++
	}
	*s = (*s)[:n]
}

// Has reports whether the offset is in the set.
func (s Spans) Has(o Offset) bool {
	i := s.after(o)
	return i < len(s) && s[i].From <= o
}

// Behind is the first offset from o on that is not in the set.
func (s Spans) Behind(o Offset) Offset {
	if i := s.after(o); i < len(s) && s[i].From <= o {
		return s[i].To
	}
	return o
}

// Before is the first offset from o on, below limit, that is in the set, or limit.
func (s Spans) Before(o, limit Offset) Offset {
	if i := s.after(o); i < len(s) {
		return min(max(o, s[i].From), limit)
	}
	return limit
}

// Within yields the parts of the set that lie between two offsets.
func (s Spans) Within(from, to Offset, yield func(Span) bool) {
	for i := s.after(from); i < len(s) && s[i].From < to; i++ {
		if !yield(Span{max(from, s[i].From), min(to, s[i].To)}) {
			return
		}
	}
}

// Count is the number of offsets of the set between two offsets.
func (s Spans) Count(from, to Offset) Offset {
	var sum Offset
	s.Within(from, to, func(part Span) bool {
		sum += part.To - part.From
		return true
	})
	return sum
}
