package sim

import (
	"slices"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/plan"
)

// troubled is a plan in which a broker dies, comes back and joins the ISRs again, and answers are held, lost, late and
// doubled on the way.
func troubled() *plan.Plan {
	p := small(3, 400)
	for i := range 20 {
		p.Names.Keys = append(p.Names.Keys, "kitchen-"+string(rune('a'+i)))
		p.Loads[0].Keys = append(p.Loads[0].Keys, kafka.KeyID(i+3))
	}
	p.Latency.Max = 4
	p.Producers[0].Config.LingerTicks = 7
	p.Producers[0].Config.RequestTimeout, p.Producers[0].Config.AnswerTimeout = 400, 400
	p.Controller = kafka.ControllerConfig{SessionTimeout: 900, SessionCheck: 112}
	p.Broker.HeartbeatTicks = 200
	p.Broker.ReplicaLagTimeTicks = 1000
	fault := func(at kafka.Tick, f plan.Fault) {
		f.At, f.Match.Partition = at, kafka.NoPartition
		if f.Until == 0 {
			f.Until = kafka.Never
		}
		p.Faults = append(p.Faults, f)
		p.Names.Faults = append(p.Names.Faults, "a fault")
	}
	answers := plan.Match{Kind: kafka.KindProduceResponse}
	fault(300, plan.Fault{Kind: plan.Hold, Until: 500, Match: plan.Match{Kind: kafka.KindProduceResponse, From: []kafka.NodeID{2}}})
	fault(600, plan.Fault{Kind: plan.Drop, Count: 2, Match: answers})
	fault(900, plan.Fault{Kind: plan.Delay, Delay: 30, Count: 5, Match: plan.Match{Kind: kafka.KindFetchResponse}})
	fault(1100, plan.Fault{Kind: plan.Duplicate, Count: 3, Match: plan.Match{Kind: kafka.KindProduceRequest}})
	fault(1300, plan.Fault{Kind: plan.Crash, Node: 2})
	fault(2600, plan.Fault{Kind: plan.Restart, Node: 2})
	fault(3300, plan.Fault{Kind: plan.Crash, Node: 1})
	fault(5000, plan.Fault{Kind: plan.Pause, Until: 6500, Node: 3})
	p.End = 8000
	return p
}

func record(p *plan.Plan) *event.Log {
	var log event.Log
	if err := New(p, &log).Run(); err != nil {
		panic(err)
	}
	return &log
}

func sameEvents(t *testing.T, a, b *event.Log) {
	t.Helper()
	for i := range min(a.Len(), b.Len()) {
		x, y := *a.At(i), *b.At(i)
		if !slices.Equal(a.Records(&x), b.Records(&y)) {
			t.Fatalf("event %d names other records", i)
		}
		x.Records, y.Records = 0, 0
		if x != y {
			t.Fatalf("event %d differs: %+v and %+v", i, x, y)
		}
	}
	if a.Len() != b.Len() {
		t.Fatalf("%d events and %d events", a.Len(), b.Len())
	}
}

func TestSamePlanSameEvents(t *testing.T) { sameEvents(t, record(troubled()), record(troubled())) }

func TestTroubledRunHasEveryTrouble(t *testing.T) {
	seen := map[event.Kind]bool{}
	log := record(troubled())
	for i := range log.Len() {
		seen[log.At(i).Kind] = true
	}
	for _, k := range []event.Kind{
		event.MessageHeld, event.MessageReleased, event.MessageDropped, event.MessageDelayed, event.MessageDuplicated,
		event.ProduceRequestTimedOut, event.BrokerFenced, event.BrokerUnfenced, event.BrokerRestarted, event.ISRChanged,
		event.ISRChangeProposed, event.ConnectionReset, event.LeaderElected,
	} {
		if !seen[k] {
			t.Errorf("no %v", k)
		}
	}
}

// TestCloneGoesTheSameWay cuts a run at many places; original and clone then give the events of the whole run.
func TestCloneGoesTheSameWay(t *testing.T) {
	p := troubled()
	whole := record(p)
	var head event.Log
	c := New(p, &head)
	for step := 0; c.Step(); step++ {
		if step%977 != 0 {
			continue
		}
		var tail event.Log
		for _, e := range head.All() {
			tail.Append(e, head.Records(e))
		}
		d := c.Clone(&tail)
		if c.Fingerprint() != d.Fingerprint() {
			t.Fatalf("step %d: a clone has another fingerprint", step)
		}
		if err := d.Run(); err != nil {
			t.Fatal(err)
		}
		sameEvents(t, whole, &tail)
	}
	c.Finish()
	sameEvents(t, whole, &head)
}

// TestSinkChangesNothing steps two clusters side by side, one of them without a sink.
func TestSinkChangesNothing(t *testing.T) {
	p := troubled()
	var log event.Log
	loud, silent := New(p, &log), New(p, nil)
	for step := 0; ; step++ {
		more := loud.Step()
		if silent.Step() != more {
			t.Fatalf("step %d: one run is over, the other is not", step)
		}
		if !more {
			return
		}
		if step%50 == 0 && loud.Fingerprint() != silent.Fingerprint() {
			t.Fatalf("step %d: the sink changed the fingerprint", step)
		}
	}
}

// TestFingerprintSeesEveryStep: no two neighbouring states of a run look alike, unless nothing but a void input passed.
func TestFingerprintSeesEveryStep(t *testing.T) {
	c := New(troubled(), nil)
	seen := map[uint64]int{}
	steps := 0
	for c.Step() {
		steps++
		seen[c.Fingerprint()]++
	}
	if distinct := len(seen); distinct*100 < steps*95 {
		t.Errorf("%d steps, but only %d fingerprints", steps, distinct)
	}
}

// TestCommutingInputsOneFingerprint swaps two messages of a tick that go to different nodes on different connections.
func TestCommutingInputsOneFingerprint(t *testing.T) {
	p := troubled()
	p.Latency.Max = p.Latency.Min // a draw of chance would depend on the order
	c := New(p, nil)
	swaps := 0
	for c.Step() {
		f := &c.queue.wheel[uint(c.queue.now)%wheelSize][classMessage]
		if len(f.items)-f.head < 2 {
			continue
		}
		a, b := &f.items[f.head], &f.items[f.head+1]
		if a.kind != itemDeliver || b.kind != itemDeliver || a.node == b.node || a.conn == b.conn {
			continue
		}
		d := c.Clone(nil)
		g := &d.queue.wheel[uint(d.queue.now)%wheelSize][classMessage]
		g.items[g.head], g.items[g.head+1] = g.items[g.head+1], g.items[g.head]
		e := c.Clone(nil)
		for range 2 {
			d.Step()
			e.Step()
		}
		if d.Fingerprint() != e.Fingerprint() {
			t.Fatalf("tick %d: %v to %d and %v to %d do not commute", c.Now(), a.body.Kind(), a.node, b.body.Kind(), b.node)
		}
		swaps++
	}
	if swaps < 100 {
		t.Fatalf("only %d pairs were swapped", swaps)
	}
}
