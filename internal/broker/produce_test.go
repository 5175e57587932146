package broker

import (
	"testing"

	"replog/internal/kafka"
	"replog/internal/node"
)

func (n *bench) wantProduced(conn kafka.ConnID, want string) {
	n.t.Helper()
	if code, _ := n.produced(conn); code != want {
		n.t.Errorf("the produce request got %s, want %s", code, want)
	}
}

func (n *bench) wantEnd(leo, hw kafka.Offset) {
	n.t.Helper()
	if n.p.log.EndOffset() != leo || n.p.hw != hw {
		n.t.Errorf("log end offset %d, high watermark %d; want %d and %d", n.p.log.EndOffset(), n.p.hw, leo, hw)
	}
}

// TestProduceAnswers goes through the ways in which a produce request ends, with what is in the log then.
func TestProduceAnswers(t *testing.T) {
	t.Run("acks=1 at the append", func(t *testing.T) {
		n := newBench(t, 2, 1, 2, 3)
		n.lead(1, 0, 0, 1, 2, 3)
		n.wantProduced(n.produce(2, kafka.AcksOne, 30000), "NONE")
		n.wantEnd(2, 0)
	})
	t.Run("acks=all when the whole ISR has it", func(t *testing.T) {
		n := newBench(t, 2, 1, 2, 3)
		n.lead(1, 0, 0, 1, 2, 3)
		sent := n.produce(2, kafka.AcksAll, 30000)
		n.follow(2, 2)
		n.wantProduced(sent, "pending")
		n.follow(3, 2)
		n.wantProduced(sent, "NONE")
		n.wantEnd(2, 2)
	})
	t.Run("NOT_ENOUGH_REPLICAS: nothing is written", func(t *testing.T) {
		n := newBench(t, 2, 1, 2, 3)
		n.lead(1, 0, 0, 1)
		n.wantProduced(n.produce(2, kafka.AcksAll, 30000), "NOT_ENOUGH_REPLICAS")
		n.wantEnd(0, 0)
	})
	t.Run("NOT_ENOUGH_REPLICAS_AFTER_APPEND under the rules before 3.7", func(t *testing.T) {
		n := newBench(t, 2, 1, 2)
		n.plan.Broker.Rules.HighWatermarkBelowMinISR = true
		n.lead(1, 0, 0, 1, 2)
		sent := n.produce(2, kafka.AcksAll, 30000)
		n.metadata(kafka.MetadataRecord{Kind: kafka.FenceBroker, Broker: 2})
		n.lead(1, 0, 1, 1)
		n.wantProduced(sent, "NOT_ENOUGH_REPLICAS_AFTER_APPEND")
		n.wantEnd(2, 2)
	})
	t.Run("REQUEST_TIMED_OUT: it is in the log", func(t *testing.T) {
		n := newBench(t, 2, 1, 2, 3)
		n.lead(1, 0, 0, 1, 2, 3)
		sent := n.produce(2, kafka.AcksAll, 500)
		n.pass(499, timerProduceExpired)
		n.wantProduced(sent, "pending")
		n.pass(1, timerProduceExpired)
		n.wantProduced(sent, "REQUEST_TIMED_OUT")
		n.wantEnd(2, 0)
	})
	t.Run("NOT_LEADER_OR_FOLLOWER when leadership goes: it is in this log", func(t *testing.T) {
		n := newBench(t, 2, 1, 2, 3)
		n.lead(1, 0, 0, 1, 2, 3)
		sent := n.produce(2, kafka.AcksAll, 30000)
		n.lead(2, 1, 1, 2, 3)
		n.wantProduced(sent, "NOT_LEADER_OR_FOLLOWER")
		n.wantEnd(2, 0)
		n.wantProduced(n.produce(1, kafka.AcksOne, 30000), "NOT_LEADER_OR_FOLLOWER")
		n.wantEnd(2, 0)
	})
}

// TestProducerBelowMinISRWaits: acks=1 is taken below min.insync.replicas, but readers do not see it (KAFKA-15583).
func TestWritesBelowMinISRStayInvisible(t *testing.T) {
	n := newBench(t, 2, 1, 2)
	n.lead(1, 0, 0, 1)
	n.wantProduced(n.produce(3, kafka.AcksOne, 30000), "NONE")
	n.wantEnd(3, 0)
	n.follow(2, 3)
	n.wantEnd(3, 0) // asked for, not committed
	n.committed(1)
	n.wantEnd(3, 3)
}

// TestHighWatermarkComesFromTheCheckpoint: after a restart it is what the last periodic checkpoint wrote.
func TestHighWatermarkComesFromTheCheckpoint(t *testing.T) {
	n := newBench(t, 1, 1, 2)
	n.lead(1, 0, 0, 1, 2)
	n.produce(2, kafka.AcksOne, 30000)
	n.now = 4000
	n.follow(2, 2)
	n.now = 5001 // the checkpoint of 5000 has written 2
	n.produce(2, kafka.AcksOne, 30000)
	n.follow(2, 4)
	n.wantEnd(4, 4)
	n.now = 9999
	n.give(node.Input{Kind: node.Crash})
	n.now = 20000
	n.give(node.Input{Kind: node.Restart})
	n.wantEnd(4, 2)
}
