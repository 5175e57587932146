package run

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/plan"
	"replog/internal/sim"
)

// TestEventsKeepTheirSpec: an event sets just the fields that its row in the catalogue declares, its cause lies before
// it, what the controller decides of a partition has one, and every kind occurs in some scenario.
func TestEventsKeepTheirSpec(t *testing.T) {
	t.Parallel()
	seen := map[event.Kind]bool{}
	everyVariant(t, func(t *testing.T, p *plan.Plan) {
		var log event.Log
		if err := sim.New(p, &log).Run(); err != nil {
			t.Fatal(err)
		}
		for _, e := range log.All() {
			seen[e.Kind] = true
			if extra := undeclared(e); extra != "" {
				t.Errorf("%v sets %s, which its row does not declare: %+v", e.Kind, extra, e)
			}
			if e.Node == kafka.ControllerID && e.Cause == 0 && e.At > 0 && e.Kind.Spec().Fields&event.Partition != 0 {
				t.Errorf("nothing made the controller decide this: %+v", e)
			}
			if e.Cause >= e.Seq || e.About >= e.Seq {
				t.Errorf("event %d names the cause %d and is about %d", e.Seq, e.Cause, e.About)
			}
			if t.Failed() {
				return
			}
		}
	})
	for _, k := range event.Kinds() {
		if !seen[k] {
			t.Errorf("no scenario shows %v", k)
		}
	}
}

// undeclared names a field that is set without being declared. Zero may be a value, so only the other way is seen.
func undeclared(e *event.Event) string {
	set := map[string]struct {
		field event.Fields
		set   bool
	}{
		"About":         {event.About, e.About != 0},
		"Node":          {event.Node, e.Node != 0},
		"Peer":          {event.Peer, e.Peer != 0},
		"Partition":     {event.Partition, e.Partition != 0},
		"Epoch":         {event.Epoch, e.Epoch != 0},
		"Offset":        {event.Offset, e.Offset != 0},
		"Prev":          {event.Prev, e.Prev != 0},
		"Value":         {event.Value, e.Value != 0},
		"Producer":      {event.Producer, e.Producer != 0 || e.ProducerEpoch != 0},
		"Sequence":      {event.Sequence, e.Sequence != 0},
		"Count":         {event.Count | event.Records, e.Count != 0},
		"Error":         {event.Error, e.Error != 0},
		"Message":       {event.Message, e.Message != 0},
		"Records (ids)": {event.Records, e.Records != 0},
	}
	for name, s := range set {
		if s.set && e.Kind.Spec().Fields&s.field == 0 {
			return name
		}
	}
	return ""
}
