package assign

import (
	"fmt"
	"testing"

	"replog/internal/kafka"
)

// BenchmarkAssign deals ten topics of a hundred partitions out to a hundred members, of which one has just joined.
func BenchmarkAssign(b *testing.B) {
	for _, alike := range []bool{true, false} {
		for _, assignor := range everyAssignor {
			b.Run(fmt.Sprintf("%s/alike=%v", assignor, alike), func(b *testing.B) {
				g := bigGroup(100, 10, 100, alike)
				last := len(g.members) - 1
				before := group{g.members[:last], g.topics}
				before.take(assignor.Assign(before.members, before.topics))
				b.ReportAllocs()
				for b.Loop() {
					assignor.Assign(g.members, g.topics)
				}
			})
		}
	}
}

func bigGroup(members, topics, partitions int, alike bool) group {
	var g group
	for i := range topics {
		t := Topic{Name: fmt.Sprintf("topic-%02d", i)}
		for p := range partitions {
			t.Partitions = append(t.Partitions, kafka.PartitionID(i*partitions+p))
		}
		g.topics = append(g.topics, t)
	}
	for i := range members {
		m := Member{ID: fmt.Sprintf("member-%03d", i)}
		for j, t := range g.topics {
			if alike || (i+j)%3 > 0 {
				m.Topics = append(m.Topics, t.Name)
			}
		}
		g.members = append(g.members, m)
	}
	return g
}
