package assign

import (
	"cmp"
	"slices"

	"replog/internal/kafka"
)

// hashOrder lists the members in the order in which a Java HashMap has them. No rule of Kafka's says which of several
// members keeps the partition more that only some may have: it is the one that AbstractStickyAssignor comes to first,
// and it keeps them in a HashMap. So m1 comes before m2, but consumer2 before consumer1.
func (d *deal) hashOrder() []int {
	buckets := 16
	for len(d.members)*4 > buckets*3 {
		buckets *= 2
	}
	order := ascending(len(d.members))
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(bucket(d.members[a].ID, buckets), bucket(d.members[b].ID, buckets))
	})
	return order
}

// Bucket is where a HashMap of a few entries has a string. Kafka breaks ties by it without meaning to.
func Bucket(s string) uint32 { return bucket(s, 16) }

// bucket is where HashMap puts a string: its hash, with the upper half folded into the lower.
func bucket(s string, buckets int) uint32 {
	hash := uint32(kafka.JavaHash(s))
	return (hash ^ hash>>16) & uint32(buckets-1)
}
