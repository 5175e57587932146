package kafka

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGroupsAreNamed(t *testing.T) {
	names := testNames()
	names.Topics = append(names.Topics, TopicName{Name: "__consumer_offsets", Partitions: 2, Numbers: []int{3, 17}, Internal: true})
	names.Nodes = append(names.Nodes, NodeName{ID: 66, Name: "packing-1", Consumes: "packing", Subscribes: []TopicID{1}, Effect: "is on a slip"})
	names.Groups, names.GroupHomes = []string{"billing", "packing"}, []PartitionID{8, 9}
	if got := names.Partition(9); got != "__consumer_offsets-17" || !names.Internal(9) || names.Internal(7) {
		t.Errorf("partition 9 is %s, internal %t", got, names.Internal(9))
	}
	g, ok := names.FindGroup("packing")
	if g != 1 || !ok || names.ConsumerGroup(g) != "packing" || names.GroupHome(g) != 9 || names.GroupHome(2) != NoPartition {
		t.Errorf("group %d (%t), %s, at %d and %d", g, ok, names.ConsumerGroup(g), names.GroupHome(g), names.GroupHome(2))
	}
	if diff := cmp.Diff([]PartitionID{6, 7}, names.Subscribed(1)); diff != "" || names.Subscribed(0) != nil {
		t.Errorf("%s, and billing subscribes to %v", diff, names.Subscribed(0))
	}
	if names.Effect(66) != "is on a slip" || names.Effect(64) != "is done" {
		t.Errorf("effects %q and %q", names.Effect(66), names.Effect(64))
	}
}
