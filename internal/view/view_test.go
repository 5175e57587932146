package view_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/view"
	"replog/internal/view/history"
)

const (
	producer = kafka.FirstClientID
	screen   = kafka.FirstClientID + 1
)

var names = &kafka.Names{
	TickMicros: 1000, StartMicros: -1,
	Nodes: []kafka.NodeName{{ID: 1, Name: "broker 1"}, {ID: 2, Name: "broker 2"}, {ID: 3, Name: "broker 3"}},
	Loads: []kafka.RecordRange{{First: 0, Orders: 100, FirstNumber: 1}},
}

func picture(h *history.History) *view.Cluster {
	c := view.New(names)
	apply(c, h, 0)
	return c
}

func apply(c *view.Cluster, h *history.History, from int) {
	for i := from; i < h.Log.Len(); i++ {
		e := h.Log.At(i)
		c.Apply(e, h.Log.Records(e))
	}
}

func TestStartedClusterIsUpAndLed(t *testing.T) {
	c := picture(history.New(2, 40, 1, 2))
	for _, b := range c.Brokers() {
		if !b.Up || b.Fenced {
			t.Errorf("broker %d: %+v, want it up and unfenced", b.ID, b)
		}
	}
	want := view.Partition{Leader: 1, Last: 1, Epoch: 1, ISR: kafka.SetOf(1, 2)}
	if got := c.Partition(1); got != want {
		t.Errorf("partition %+v, want %+v", got, want)
	}
	r, _ := c.Replica(1, 2)
	if r.Role != view.Follower || r.LogStart != 40 || r.LogEnd != 40 || r.HighWater != 40 {
		t.Errorf("replica %+v", r)
	}
}

func TestDeadFromStartIsFencedCrashedIsNot(t *testing.T) {
	h := history.New(1, 0, 1, 2)
	h.Add(event.Event{Kind: event.BrokerCrashed, Node: 3, Cause: 1})
	began := h.Add(event.Event{Kind: event.FaultBegan, Value: 0})
	h.Add(event.Event{Kind: event.BrokerCrashed, Node: 2, Cause: began})
	c := picture(h)
	want := []view.Broker{{ID: 1, Up: true}, {ID: 2}, {ID: 3, Fenced: true}}
	if diff := cmp.Diff(want, c.Brokers()); diff != "" {
		t.Error(diff)
	}
	if len(c.Faults()) != 0 {
		t.Errorf("a crash lasts no time, yet %v act", c.Faults())
	}
	if r, _ := c.Replica(0, 2); r.Role != view.NoRole {
		t.Errorf("a dead broker is %v", r.Role)
	}
}

// TestRequestIsOverAtOnce: whoever is asked to stop stops, and the asking is over.
func TestRequestIsOverAtOnce(t *testing.T) {
	h := history.New(1, 0, 1, 2)
	h.Add(event.Event{Kind: event.FaultBegan, Value: 0})
	h.Add(event.Event{Kind: event.FaultBegan, Value: 1})
	asked := *names
	asked.Requests = []int64{1}
	c := view.New(&asked)
	apply(c, h, 0)
	if f := c.Faults(); len(f) != 1 || f[0].Entry != 0 {
		t.Errorf("%v act", f)
	}
}

func TestHoldActsUntilItEnds(t *testing.T) {
	h := history.New(1, 0, 1, 2)
	began := h.Add(event.Event{Kind: event.FaultBegan, Value: 3})
	held := h.Add(event.Event{Kind: event.MessageHeld, Node: 2, Peer: producer, Cause: began, About: began})
	c := picture(h)
	if diff := cmp.Diff([]view.Fault{{Entry: 3, Began: began}}, c.Faults()); diff != "" || c.Brokers()[1].Held != 1 {
		t.Errorf("%s, %d held", diff, c.Brokers()[1].Held)
	}
	seen := h.Log.Len()
	ended := h.Add(event.Event{Kind: event.FaultEnded, Value: 3, About: began})
	h.Add(event.Event{Kind: event.MessageReleased, Node: 2, Peer: producer, Cause: ended, About: held})
	apply(c, h, seen)
	if len(c.Faults()) != 0 || c.Brokers()[1].Held != 0 {
		t.Errorf("%v act, %d held", c.Faults(), c.Brokers()[1].Held)
	}
}

func TestProducerQueuesFliesAndTriesAgain(t *testing.T) {
	h := history.New(1, 0, 1)
	sent := h.Send(producer, 0, 0, 1, 2)
	first := h.Produce(sent, 0, producer, 0, 0, 1)
	c := picture(h)
	if _, fresh := c.Queued(producer, 0); !cmp.Equal(fresh, []kafka.RecordID{2}) {
		t.Errorf("%v wait, want record 2", fresh)
	}
	h.Append(first)
	apply(c, h, h.Log.Len()-1)
	if flights := c.InFlight(producer); len(flights) != 1 || flights[0].Stored != 0 || flights[0].Attempt != 1 {
		t.Errorf("in flight: %+v", flights)
	}

	seen := h.Log.Len()
	h.Add(event.Event{Kind: event.ProduceRetryScheduled, About: first, Node: producer, Peer: 1}, 0, 1)
	apply(c, h, seen)
	again, fresh := c.Queued(producer, 0)
	if !cmp.Equal(again, []kafka.RecordID{0, 1}) || !cmp.Equal(fresh, []kafka.RecordID{2}) || c.Producers()[0].Waiting != 3 {
		t.Errorf("to send again %v, fresh %v, waiting %d", again, fresh, c.Producers()[0].Waiting)
	}

	seen = h.Log.Len()
	second := h.Produce(first, first, producer, 0, 0, 1, 2)
	h.Acknowledge(h.Append(second), second, 2)
	apply(c, h, seen)
	if p := c.Producers()[0]; p.Waiting != 0 || p.Acked != 3 || len(c.InFlight(producer)) != 0 {
		t.Errorf("at the end %+v, in flight %v", p, c.InFlight(producer))
	}
	if m := c.Marks(0); m != view.Sent|view.Stored|view.StoredAgain|view.Retried|view.Acked {
		t.Errorf("record 0 has the marks %b", m)
	}
	if m := c.Marks(2); m.Has(view.StoredAgain) {
		t.Errorf("record 2 has the marks %b", m)
	}
}

func TestRecordThatFailsWhileItWaitsLeavesTheQueue(t *testing.T) {
	h := history.New(1, 0, 1)
	sent := h.Send(producer, 0, 0, 1, 2)
	h.Fail(sent, producer, 0, kafka.RequestTimedOut, 1)
	c := picture(h)
	if _, fresh := c.Queued(producer, 0); !cmp.Equal(fresh, []kafka.RecordID{0, 2}) {
		t.Errorf("%v wait, want 0 and 2", fresh)
	}
}

func TestReplicasShareWhatAnEpochWrote(t *testing.T) {
	h := history.New(1, 100, 1, 2)
	a := h.Append(h.Produce(h.Send(producer, 0, 0), 0, producer, 0, 0))
	h.Follow(a, 2, 0)
	h.Append(h.Produce(h.Send(producer, 0, 1), 0, producer, 0, 1))
	h.Elect(a, 0, 2, kafka.SetOf(1, 2))
	h.Append(h.Produce(h.Send(producer, 0, 2), 0, producer, 0, 2))
	c := picture(h)
	if one, two := c.RecordAt(0, 1, 101), c.RecordAt(0, 2, 101); one != 1 || two != 2 {
		t.Errorf("offset 101 holds %d and %d, want 1 and 2", one, two)
	}
	seen := h.Log.Len()
	h.Follow(a, 1, 0)
	apply(c, h, seen)
	want := []view.Run{{Epoch: 1, From: 100, To: 101}, {Epoch: 2, From: 101, To: 102}}
	if diff := cmp.Diff(want, c.LogOf(0, 1)); diff != "" {
		t.Error(diff)
	}
	lost := []view.Copy{{Place: view.Place{Partition: 0, Epoch: 1, Offset: 101}}}
	if diff := cmp.Diff(lost, c.CopiesOf(1)); diff != "" {
		t.Error("the record that was cut:", diff)
	}
	kept := []view.Copy{{Place: view.Place{Partition: 0, Epoch: 1, Offset: 100}, Holders: kafka.SetOf(1, 2)}}
	if diff := cmp.Diff(kept, c.CopiesOf(0)); diff != "" {
		t.Error("the record that was kept:", diff)
	}
}

func TestReaderShowsWhatTheEpochWrote(t *testing.T) {
	h := history.New(1, 0, 1, 2)
	a := h.Append(h.Produce(h.Send(producer, 0, 7), 0, producer, 0, 7))
	h.Follow(a, 2, 0)
	h.Elect(a, 0, 2, kafka.SetOf(2))
	h.Append(h.Produce(h.Send(producer, 0, 8, 7), 0, producer, 0, 8, 7))
	h.Now = 9
	h.Read(a, screen, 2, 0, 0, 3)
	c := picture(h)
	want := []view.Shown{{screen, 9, 0, 0, 7}, {screen, 9, 0, 1, 8}, {screen, 9, 0, 2, 7}}
	if diff := cmp.Diff(want, c.Recent(screen, 10)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want[1:], c.Recent(screen, 2)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]view.Shown{want[0], want[2]}, c.ShowingsOf(7)); diff != "" {
		t.Error(diff)
	}
	if got := c.Position(screen, 0); got != 3 {
		t.Errorf("the reader stands at %d, want 3", got)
	}
}

func TestOfflinePartitionRemembersItsLastLeader(t *testing.T) {
	h := history.New(1, 0, 1)
	h.Offline(0, 0)
	want := view.Partition{Leader: kafka.NoNode, Last: 1, Epoch: 2, ISR: kafka.SetOf(1)}
	if got := picture(h).Partition(0); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestProposedISRStandsUntilTheControllerAnswers(t *testing.T) {
	h := history.New(1, 0, 1, 2)
	h.Add(event.Event{Kind: event.ISRChangeProposed, Node: 1, Epoch: 1, Value: int64(kafka.SetOf(1)), Prev: int64(kafka.SetOf(1, 2))})
	c := picture(h)
	if got := c.Partition(0).Proposed; got != kafka.SetOf(1) {
		t.Errorf("proposed %b", got)
	}
	h.Add(event.Event{Kind: event.ISRChanged, Epoch: 1, Value: int64(kafka.SetOf(1)), Prev: int64(kafka.SetOf(1, 2))})
	apply(c, h, h.Log.Len()-1)
	if got := c.Partition(0); got.Proposed != 0 || got.ISR != kafka.SetOf(1) {
		t.Errorf("after the answer %+v", got)
	}
}
