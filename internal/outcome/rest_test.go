package outcome

import (
	"slices"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
)

func TestStuckSaysWhoAndOnWhat(t *testing.T) {
	const leader, follower kafka.NodeID = 1, 2
	both := int64(kafka.SetOf(leader, follower))
	alone := int64(kafka.SetOf(leader))
	ids := []kafka.RecordID{0}
	begin := []event.Event{
		{Kind: event.LeaderElected, Peer: leader, Value: both},
		{Kind: event.BatchAppended, Node: leader, Count: 1},
		{Kind: event.ReplicaAppended, Node: follower, Count: 1},
	}
	more := event.Event{Kind: event.BatchAppended, Node: leader, Offset: 1, Count: 1}
	acked := event.Event{Kind: event.RecordsAcknowledged}
	crashed := event.Event{Kind: event.BrokerCrashed, Node: follower, At: 7000}
	shrunk := event.Event{Kind: event.ISRChanged, Value: alone}
	for _, c := range []struct {
		name   string
		events []event.Event
		want   []string
	}{
		{"at rest", nil, nil},
		{"under way", []event.Event{more}, nil}, // nobody was told that it is stored
		{"acks=1", []event.Event{more, acked}, []string{"broker 2 is in the ISR, but lacks what was acknowledged (orders-0)"}},
		{"behind", []event.Event{shrunk, more}, []string{"broker 2 is not in the ISR: it is behind its leader (orders-0)"}},
		{"left out", []event.Event{shrunk}, []string{"broker 2 has everything, but is not in the ISR (orders-0)"}},
		{"fenced", []event.Event{{Kind: event.BrokerFenced, Peer: follower}, shrunk}, []string{"broker 2 is up, but fenced (orders-0)"}},
		{"down", []event.Event{crashed, shrunk}, []string{"broker 2 is down since 7000 ms (orders-0)"}},
		{"not noticed yet", []event.Event{crashed}, []string{"broker 2 is down since 7000 ms, and still in the ISR (orders-0)"}},
		{"back", []event.Event{crashed, shrunk, {Kind: event.BrokerRestarted, Node: follower}, {Kind: event.ISRChanged, Value: both}}, nil},
		{"no leader", []event.Event{shrunk, {Kind: event.BrokerCrashed, Node: leader, At: 8000}, {Kind: event.PartitionOffline, Value: alone}}, []string{
			"nobody leads: no member of the ISR 1 is there (orders-0)",
			"broker 1 is down since 8000 ms, and still in the ISR (orders-0)",
		}},
	} {
		f := NewFold(&kafka.Names{TickMicros: 1000, StartMicros: -1,
			Nodes:  []kafka.NodeName{{ID: leader, Name: "broker 1"}, {ID: follower, Name: "broker 2"}},
			Topics: []kafka.TopicName{{Name: "orders", Partitions: 1}}}, Settings{})
		for _, e := range append(slices.Clone(begin), c.events...) {
			records := ids
			if e.Offset > 0 || e.Kind == event.RecordsAcknowledged {
				records = []kafka.RecordID{1}
			}
			f.Apply(&e, records)
		}
		if got := f.Outcome().Stuck; !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
