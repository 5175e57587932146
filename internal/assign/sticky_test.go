package assign

import (
	"slices"
	"testing"

	"replog/internal/kafka"
)

// TestAPartitionThatMovedComesHomeFirst: c has four, so one of u goes to b; then c has to give the two of t to a and d
// and ends with less than b. What comes back from b is the partition that c gave, not another one of u.
func TestAPartitionThatMovedComesHomeFirst(t *testing.T) {
	topics := []Topic{
		{Name: "t", Partitions: []kafka.PartitionID{0, 1}},
		{Name: "u", Partitions: []kafka.PartitionID{2, 3, 4, 5}},
	}
	members := []Member{
		{ID: "a", Topics: []string{"t"}},
		{ID: "b", Topics: []string{"t", "u"}},
		{ID: "c", Topics: []string{"t", "u"}, Owned: []kafka.PartitionID{0, 1, 3, 4}},
		{ID: "d", Topics: []string{"t"}},
	}
	want := Assignment{{0}, {2, 5}, {3, 4}, {1}}
	if got := Sticky.Assign(members, topics); !equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestHashOrderIsThatOfAGrownMap: thirteen members no longer fit into the sixteen buckets that a HashMap starts with.
func TestHashOrderIsThatOfAGrownMap(t *testing.T) {
	d := newDeal(bigGroup(13, 0, 0, true).members, byID, nil, byName)
	want := []int{10, 0, 11, 1, 12, 2, 7, 8, 9, 3, 4, 5, 6}
	if got := d.hashOrder(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
