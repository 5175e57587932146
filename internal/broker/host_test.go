package broker

import (
	"testing"

	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

// newHost is a bench whose partition is that of a transactional id: its broker leads it, and one follower has still to copy
// what is written.
func newHost(t *testing.T) *bench {
	n := newBench(t, 1, 1, 2)
	n.plan.Broker.LogDirs, n.plan.Broker.MetadataLogDir = 2, 2
	n.plan.Transactionals = []plan.Transactional{{Coordinator: 0}}
	n.plan.Transaction = kafka.TransactionConfig{MaxTimeout: 900_000, AbortCheck: 10_000}
	n.p.dir = 1
	n.lead(1, 0, 0, 1, 2)
	return n
}

// initProducer asks for a producer id with a time-out.
func (n *bench) initProducer(timeout kafka.Tick) kafka.ConnID { return n.initProducerOf(1, timeout) }

func (n *bench) initProducerOf(id kafka.TransactionalID, timeout kafka.Tick) kafka.ConnID {
	return n.request(kafka.FirstClientID, &kafka.InitProducerIDRequest{
		TransactionID: id, ProducerID: kafka.NoProducerID, Timeout: timeout,
	})
}

// initialised is the error of the answer, "pending" while there is none.
func (n *bench) initialised(conn kafka.ConnID) string {
	r, ok := n.answer(conn).(*kafka.InitProducerIDResponse)
	if !ok {
		return "pending"
	}
	return r.Error.String()
}

func TestCoordinatorAnswersWhenItsRecordIsCommitted(t *testing.T) {
	n := newHost(t)
	conn := n.initProducer(60_000)
	if got := n.initialised(conn); got != "pending" {
		t.Fatalf("before the follower has the record: %s", got)
	}
	n.follow(2, 1)
	if got := n.initialised(conn); got != "NONE" {
		t.Errorf("when the follower has it: %s", got)
	}
}

func TestCoordinatorGivesUpWhatIsNotCommitted(t *testing.T) {
	n := newHost(t)
	conn := n.initProducer(5000)
	n.pass(4999, timerCoordinator)
	if got := n.initialised(conn); got != "pending" {
		t.Fatalf("before the time is over: %s", got)
	}
	n.pass(1, timerCoordinator)
	if got := n.initialised(conn); got != "COORDINATOR_NOT_AVAILABLE" {
		t.Errorf("after it: %s", got)
	}
}

// TestFailedLogDirTakesItsCoordinator: who waits, and who asks from then on, hears that the coordinator is not here.
func TestFailedLogDirTakesItsCoordinator(t *testing.T) {
	n := newHost(t)
	waits := n.initProducer(60_000)
	n.give(node.Input{Kind: node.DiskFailure, LogDir: 1})
	if got := n.initialised(waits); got != "NOT_COORDINATOR" {
		t.Errorf("who waits hears %s", got)
	}
	if got := n.initialised(n.initProducer(60_000)); got != "NOT_COORDINATOR" {
		t.Errorf("who asks hears %s", got)
	}
}

// TestNextLeaderReplaysTheCoordinator: who leads again knows what its log says, also above the high watermark.
func TestNextLeaderReplaysTheCoordinator(t *testing.T) {
	n := newHost(t)
	n.initProducer(60_000)
	n.lead(2, 1, 1, 1, 2)
	if n.b.Transactions(0) != nil {
		t.Fatal("a follower hosts no coordinator")
	}
	n.lead(1, 2, 2, 1, 2)
	if _, known := n.b.Transactions(0).State(1); !known {
		t.Error("the record in the log is not known")
	}
}

// TestCoordinatorHasOneTimerThatCounts: it arms one only for what is due earlier than what it waits for, and one that was overtaken arms
// no further one.
func TestCoordinatorHasOneTimerThatCounts(t *testing.T) {
	n := newHost(t)
	n.plan.Transactionals = make([]plan.Transactional, 3)
	for i, step := range []struct {
		timeout kafka.Tick
		armed   int
	}{{5000, 1}, {600_000, 1}, {60_000, 1}} {
		n.initProducerOf(kafka.TransactionalID(i+1), step.timeout)
		if got := n.armed(timerCoordinator); got != step.armed {
			t.Errorf("a record that is given up after %d ms: %d timers, want %d", step.timeout, got, step.armed)
		}
	}
	n = newHost(t)
	n.plan.Transactionals = make([]plan.Transactional, 3)
	for i, timeout := range []kafka.Tick{600_000, 60_000, 5000} { // each earlier than the one before
		n.initProducerOf(kafka.TransactionalID(i+1), timeout)
	}
	n.pass(5000, timerCoordinator)   // and one for what comes at 60 s, where one is set already
	n.pass(55_000, timerCoordinator) // both come, and only the first counts
	if got := n.armed(timerCoordinator); got != 2 {
		t.Errorf("%d timers wait for what comes at 600 s, want the old one and one that counts", got)
	}
}
