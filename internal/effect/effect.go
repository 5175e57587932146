// Package effect is the world outside of Kafka: the screens, printers and database tables in which the work of an
// application shows. What happens there is not undone by reading a record again, and no commit covers it. Only a table
// with a unique key can tell that it has seen a record before.
package effect

import (
	"slices"

	"replog/internal/kafka"
	"replog/internal/plan"
)

// World is all that the applications of a run have done outside of Kafka, as far as it decides what they can do next: the
// rows of the tables with a unique key. The members of a group share a table.
type World struct {
	tables []table // indexed by kafka.GroupID
}

// table is the set of records of which a table has a row, a bit each.
type table []uint64

// New is a world in which nothing has happened.
func New(p *plan.Plan) World { return World{tables: make([]table, len(p.Groups))} }

// Insert adds a row for a record and reports whether there was none.
func (w *World) Insert(g kafka.GroupID, id kafka.RecordID) bool {
	t := &w.tables[g]
	word, bit := int(id)/64, uint64(1)<<(uint(id)%64)
	for len(*t) <= word {
		*t = append(*t, 0)
	}
	isNew := (*t)[word]&bit == 0
	(*t)[word] |= bit
	return isNew
}

// Clone is a world of its own.
func (w *World) Clone() World {
	c := World{tables: slices.Clone(w.tables)}
	for i := range c.tables {
		c.tables[i] = slices.Clone(c.tables[i])
	}
	return c
}

// Words yields the rows of every table as numbers, for a fingerprint.
func (w *World) Words(yield func(uint64) bool) {
	for _, t := range w.tables {
		for _, word := range t {
			if !yield(word) {
				return
			}
		}
	}
}
