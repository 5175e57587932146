package network

import (
	"math/rand/v2"
	"testing"

	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

// wire is a network with one connection, from client 64 to broker 1, latency 2.
type wire struct {
	t      *testing.T
	n      Network
	c      *Conn
	chance rand.PCG
}

func newWire(t *testing.T, kind kafka.Wire) *wire {
	w := &wire{t: t, n: New(&plan.Plan{Wire: kind, Latency: plan.Latency{Min: 2, Max: 2}}, 64, 2)}
	w.c = w.n.Open(64, 1, node.DataChannel)
	return w
}

func (w *wire) send(now kafka.Tick, corr uint32, toServer bool) Fate {
	var body kafka.Body = &kafka.ProduceResponse{Results: []kafka.ProduceResult{{}}}
	if toServer {
		body = &kafka.ProduceRequest{}
	}
	return w.n.Send(w.c, &Message{Body: body, Corr: corr, Conn: w.c.ID, ToServer: toServer}, now, -1, &w.chance)
}

func (w *wire) want(got Fate, verdict Verdict, at kafka.Tick) {
	w.t.Helper()
	if got.Verdict != verdict || verdict != Held && verdict != Dropped && got.At != at {
		w.t.Errorf("fate %+v, want verdict %d at %d", got, verdict, at)
	}
}

func anyMessage() plan.Match { return plan.Match{Partition: kafka.NoPartition} }

// TestConnectionKeepsItsOrder: what was sent later never arrives earlier, in either direction.
func TestConnectionKeepsItsOrder(t *testing.T) {
	w := newWire(t, kafka.SerialWire)
	w.n.Begin(0, &plan.Fault{Kind: plan.Delay, Delay: 50, Count: 1, Match: anyMessage()})
	w.want(w.send(10, 1, true), Delayed, 62)
	w.want(w.send(11, 2, true), Delivered, 62)
	w.want(w.send(12, 3, false), Delivered, 14) // the other direction is its own
	w.want(w.send(70, 4, true), Delivered, 72)
}

// TestHoldKeepsMessagesInside, in order, until its end, unless another fault still holds them.
func TestHoldKeepsMessagesInside(t *testing.T) {
	w := newWire(t, kafka.SerialWire)
	w.n.Begin(0, &plan.Fault{Kind: plan.Hold, Count: 1, Match: anyMessage()})
	w.want(w.send(10, 1, true), Held, 0)
	w.want(w.send(11, 2, true), Held, 0) // it can not overtake
	w.n.Begin(1, &plan.Fault{Kind: plan.Hold, Match: plan.Match{Kind: kafka.KindProduceResponse, Partition: kafka.NoPartition}})
	w.want(w.send(12, 3, false), Held, 0)
	released := w.n.End(0)
	if len(released) != 2 || released[0].Corr != 1 || released[1].Corr != 2 {
		t.Errorf("released %+v", released)
	}
	if released = w.n.End(1); len(released) != 1 || released[0].Corr != 3 {
		t.Errorf("released %+v", released)
	}
}

func TestDropAndDuplicateCount(t *testing.T) {
	w := newWire(t, kafka.SerialWire)
	w.n.Begin(0, &plan.Fault{Kind: plan.Drop, Count: 2, Match: anyMessage()})
	w.want(w.send(10, 1, true), Dropped, 0)
	w.want(w.send(11, 2, false), Dropped, 0)
	w.want(w.send(12, 3, true), Delivered, 14)
	w.n.End(0)
	w.n.Begin(1, &plan.Fault{Kind: plan.Duplicate, Match: plan.Match{From: []kafka.NodeID{1}, Partition: kafka.NoPartition}})
	w.want(w.send(20, 4, true), Delivered, 22)
	w.want(w.send(20, 5, false), Doubled, 22)
	w.n.End(1)
	w.want(w.send(21, 6, false), Delivered, 23)
}

// TestSerialWireTakesOneRequestAtATime: the next one waits in the socket until the first is answered.
func TestSerialWireTakesOneRequestAtATime(t *testing.T) {
	w := newWire(t, kafka.SerialWire)
	first, second := &Message{Corr: 1}, &Message{Corr: 2}
	if !w.n.Admit(w.c, first) || w.n.Admit(w.c, second) {
		t.Fatal("the first request is taken, the second waits")
	}
	if !w.n.Answered(w.c) {
		t.Fatal("the second request waits in the socket")
	}
	if m, ok := w.c.Take(); !ok || m.Corr != 2 {
		t.Fatalf("took %+v", m)
	}
	if w.n.Answered(w.c) {
		t.Error("nothing waits any more")
	}
	if !w.n.Admit(w.c, first) {
		t.Error("the connection is free again")
	}

	p := newWire(t, kafka.PipelinedWire)
	if !p.n.Admit(p.c, first) || !p.n.Admit(p.c, second) {
		t.Error("a pipelined wire takes both")
	}
}

// TestDeathEndsConnections of the dead node and no others.
func TestDeathEndsConnections(t *testing.T) {
	w := newWire(t, kafka.SerialWire)
	other := w.n.Open(64, 2, node.DataChannel).ID
	w.c = w.n.Find(64, 1, node.DataChannel)
	if ended := w.n.Kill(1); len(ended) != 1 || !w.n.Conn(ended[0]).Dead || w.n.Conn(other).Dead {
		t.Errorf("ended %v", ended)
	}
	if w.n.Find(64, 2, node.DataChannel) == nil {
		t.Error("the other connection is gone")
	}
}
