package kafka

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestBrokerSetIsASetOfBrokers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.Map(rapid.Int16Range(1, int16(MaxBrokerID)), func(i int16) NodeID { return NodeID(i) })
		ids := rapid.SliceOf(id).Draw(t, "ids")
		out := id.Draw(t, "out")
		set := SetOf(ids...)
		slices.Sort(ids)
		ids = slices.Compact(ids)
		if set.Len() != len(ids) || !slices.Equal(set.Members(), ids) {
			t.Fatalf("members %v of a set of %v", set.Members(), ids)
		}
		if set.Has(out) != slices.Contains(ids, out) || !set.With(out).Has(out) || set.Without(out).Has(out) {
			t.Fatalf("%d in, with and without %v", out, ids)
		}
		if got := set.With(out).Without(out); got != set.Without(out) {
			t.Fatalf("with and then without %d: %v", out, got.Members())
		}
	})
}

func TestBrokerSetHasOnlyBrokers(t *testing.T) {
	full := ^BrokerSet(0)
	for _, id := range []NodeID{NoNode, ControllerID, FirstClientID, FirstClientID + 1} {
		if full.Has(id) {
			t.Errorf("a set of brokers has node %d", id)
		}
	}
	if got := SetOf(1, MaxBrokerID).Next(MaxBrokerID); got != NoNode {
		t.Errorf("behind the last broker comes %d", got)
	}
	if got := BrokerSet(0).Next(0); got != NoNode {
		t.Errorf("the first of an empty set is %d", got)
	}
}

func TestNodeIDsTellWhatTheyAre(t *testing.T) {
	for id, want := range map[NodeID][2]bool{
		NoNode: {false, false}, ControllerID: {false, false}, 1: {true, false}, MaxBrokerID: {true, false}, FirstClientID: {false, true},
	} {
		if got := [2]bool{id.IsBroker(), id.IsClient()}; got != want {
			t.Errorf("node %d is a broker, a client: %v, want %v", id, got, want)
		}
	}
}
