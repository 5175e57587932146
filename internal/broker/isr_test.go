package broker

import (
	"testing"

	"replog/internal/kafka"
)

func (n *bench) wantProposal(want ...kafka.NodeID) {
	n.t.Helper()
	if n.p.proposed != kafka.SetOf(want...) {
		n.t.Errorf("proposed is the ISR %v, want %v", n.p.proposed.Members(), want)
	}
}

// leadThree has broker 1 lead with all in sync and 10 records that only it has.
func leadThree(t *testing.T) *bench {
	n := newBench(t, 1, 1, 2, 3)
	n.lead(1, 5, 1, 1, 2, 3)
	n.follow(2, 0)
	n.follow(3, 0)
	n.produce(10, kafka.AcksOne, 30000)
	return n
}

// TestStuckFollowerLeavesBetweenOnceAndOneAndAHalf: replica.lag.time.max.ms is 30 s and looked at every 15 s. A follower
// that is stuck since just before a look goes at the third one after it, others sooner.
func TestStuckFollowerLeavesBetweenOnceAndOneAndAHalf(t *testing.T) {
	for _, stuckAt := range []kafka.Tick{0, 1, 7500, 14999} {
		n := newBench(t, 1, 1, 2)
		n.lead(1, 5, 1, 1, 2)
		n.now = stuckAt
		n.follow(2, 0)
		n.produce(1, kafka.AcksOne, 30000)
		left := kafka.Tick(0)
		for look := kafka.Tick(15000); left == 0; look += 15000 {
			n.now = look
			n.look()
			if n.p.proposed != 0 {
				left = look
			}
		}
		if span := left - stuckAt; span <= 30000 || span > 45000 {
			t.Errorf("stuck at %d: left after %d ms", stuckAt, span)
		}
	}
}

func TestOneProposalIsInFlight(t *testing.T) {
	n := leadThree(t)
	n.follow(2, 10)
	n.now = 30001
	n.look()
	n.wantProposal(1, 2)
	n.produce(1, kafka.AcksOne, 30000)
	n.now += 29999
	n.look()
	n.wantProposal(1, 2)
	if n.asked != 1 {
		t.Errorf("asked %d times", n.asked)
	}
	n.now++
	n.look() // the request or its answer is lost
	if n.asked != 2 {
		t.Errorf("asked %d times after the time for an answer", n.asked)
	}
}

// TestJoinerHoldsBackAtOnce: the maximal ISR counts before the controller has answered, and after a refusal only as far
// as Kafka says.
func TestJoinerHoldsBackAtOnce(t *testing.T) {
	n := newBench(t, 1, 1, 2)
	n.lead(1, 5, 1, 1)
	n.produce(4, kafka.AcksOne, 30000)
	n.wantEnd(4, 4)
	n.follow(2, 4)
	n.wantProposal(1, 2)
	n.produce(2, kafka.AcksOne, 30000)
	n.wantEnd(6, 4)

	n.refused(kafka.NotController)
	n.wantProposal(1, 2)
	n.pass(n.b.config.AlterPartitionRetry, timerAlterPartition)
	if n.asked != 2 {
		t.Errorf("asked %d times after a passing error", n.asked)
	}
	n.metadata(kafka.MetadataRecord{Kind: kafka.FenceBroker, Broker: 2})
	n.refused(kafka.IneligibleReplica)
	n.wantProposal()
	n.wantEnd(6, 4) // nothing looks at it until something moves
	n.produce(1, kafka.AcksOne, 30000)
	n.wantEnd(7, 7)
}

// TestAnswerToAnOlderProposalIsIgnored: metadata ended the first proposal; its answer must not end the second.
func TestAnswerToAnOlderProposalIsIgnored(t *testing.T) {
	n := leadThree(t)
	n.follow(2, 10)
	n.now = 30001
	n.look()
	n.wantProposal(1, 2)
	first := n.proposal
	n.lead(1, 5, 2, 1, 2)
	n.follow(3, 10)
	n.wantProposal(1, 2, 3)
	n.proposal = first
	n.committed(2)
	n.refused(kafka.InvalidUpdateVersion)
	n.wantProposal(1, 2, 3)
	if !n.p.requested {
		t.Error("the second proposal was given up")
	}
}

// TestWhoMayNotJoin: fenced, of another broker epoch, below the high watermark, below the start of the leader epoch.
func TestWhoMayNotJoin(t *testing.T) {
	n := newBench(t, 1, 1, 2, 3)
	n.lead(1, 5, 1, 1, 3)
	n.produce(4, kafka.AcksOne, 30000)
	n.follow(3, 4)
	n.wantEnd(4, 4)
	n.follow(2, 3)
	n.wantProposal()
	n.metadata(kafka.MetadataRecord{Kind: kafka.FenceBroker, Broker: 2})
	n.follow(2, 4)
	n.wantProposal()
	n.metadata(kafka.MetadataRecord{Kind: kafka.RegisterBroker, Broker: 2, BrokerEpoch: 77},
		kafka.MetadataRecord{Kind: kafka.UnfenceBroker, Broker: 2, BrokerEpoch: 77})
	n.follow(2, 4) // with the broker epoch from before
	n.wantProposal()
	n.request(2, &kafka.FetchRequest{
		Partitions: []kafka.FetchPartition{{FetchOffset: 4, CurrentLeaderEpoch: 5, LastFetchedEpoch: 5}}, Full: true, Replica: 2, BrokerEpoch: 77,
	})
	n.wantProposal(1, 2, 3)
}
