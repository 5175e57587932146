package check

import "replog/internal/kafka"

// A replica is one broker's copy of a partition.
type replica struct {
	node kafka.NodeID
	log  replicaLog
	// highWatermark is what the broker last said that its high watermark is.
	highWatermark kafka.Offset
	// agreed is how far the log equals the committed log.
	agreed kafka.Offset
	// cleanedTo is the furthest point up to which this log was cleaned, here or where it was copied from.
	cleanedTo kafka.Offset
	// leads says that the broker believes to lead, in epoch; it may be the only one to believe so.
	leads bool
	epoch kafka.Epoch
	// offline: its log directory has failed, and the log is gone.
	offline bool
	// advanced is the high watermark that it set itself as leader, in the epoch advancedIn.
	advanced   kafka.Offset
	advancedIn kafka.Epoch
	// heard is how far the leader of the epoch heardIn has heard it to follow.
	heard   kafka.Offset
	heardIn kafka.Epoch
}

// A term is one leader's time in office.
type term struct {
	epoch  kafka.Epoch
	leader kafka.NodeID
}

// A partition is what the events told about one partition.
type partition struct {
	id       kafka.PartitionID
	replicas []replica // by first appearance
	branches []*branch // in order of their first append
	terms    []term    // in order of election
	written  []term    // by the controller, with the epochs in which nobody leads
	// committed is the ghost log of the specifications: what lay below any replica's high watermark first. Its end is
	// their true_hw. A clean run never takes anything out of it.
	committed replicaLog

	parts []*part // of transactions, in order of their first append

	// The controller's truth.
	leader kafka.NodeID
	epoch  kafka.Epoch
	isr    kafka.BrokerSet

	members kafka.BrokerSet // brokers with a replica, as of their first LogLoaded
	// strayReads: a reader was once shown something else than the committed log, so later reads are compared with it.
	strayReads bool
	// uncleanEpoch is the leader epoch of the last unclean election: what older epochs hold may be gone. Every record
	// is of that epoch or later when there was none.
	uncleanEpoch kafka.Epoch
	everEligible bool            // the run knows eligible leader replicas
	elr          kafka.BrokerSet // eligible leader replicas
	unclean      bool            // the next election is one outside of the ISR
	jumps        kafka.Spans     // what some reader left out, or begins behind
	readEnd      kafka.Offset    // behind the highest offset that was ever read
	grewAt       kafka.Tick      // when committed last grew
	// broken remembers the promises that do not hold now, so that each break is reported once and not at every step.
	broken [promiseCount]bool
	ailing bool // anything is broken

	// What the current step did; see Checker.finishStep.
	touched  bool
	moved    bool // the leader, its log or an acknowledgement changed in a way that may have lost something
	tookOver bool // a broker began to lead
}

func newPartition(id kafka.PartitionID) *partition {
	return &partition{id: id, leader: kafka.NoNode, epoch: kafka.NoEpoch, uncleanEpoch: kafka.NoEpoch}
}

// replica finds the broker's copy; nil when it never opened one.
func (p *partition) replica(node kafka.NodeID) *replica {
	for i := range p.replicas {
		if p.replicas[i].node == node {
			return &p.replicas[i]
		}
	}
	return nil
}

// leading is the replica of the controller's leader, or nil.
func (p *partition) leading() *replica {
	if p.leader == kafka.NoNode {
		return nil
	}
	return p.replica(p.leader)
}

// raise notes a replica's high watermark and lets the committed log grow to it.
func (p *partition) raise(r *replica, hw kafka.Offset) {
	r.highWatermark = hw
	for o, limit := p.committed.end, min(hw, r.log.end); o < limit; {
		from := r.log.at(o)
		if from == nil {
			return
		}
		to := min(from.to, limit)
		p.committed.append(from.branch, o, to)
		o = to
	}
}

// align compares the replica with the committed log from where it stopped the last time, and returns how far they agree.
func (p *partition) align(r *replica) kafka.Offset {
	if limit := min(r.log.end, p.committed.end); r.agreed < limit {
		r.agreed = agreement(&r.log, &p.committed, r.agreed, limit)
	}
	return r.agreed
}

// cut truncates a replica's log.
func (p *partition) cut(r *replica, end kafka.Offset) {
	r.log.truncate(end)
	r.agreed = min(r.agreed, end)
	r.highWatermark = min(r.highWatermark, end)
	p.moved = p.moved || r.node == p.leader
}

// termOf is who leads in the epoch, as far as it is known.
func (p *partition) termOf(epoch kafka.Epoch) (kafka.NodeID, bool) {
	for i := len(p.terms) - 1; i >= 0; i-- {
		if p.terms[i].epoch == epoch {
			return p.terms[i].leader, true
		}
	}
	return kafka.NoNode, false
}

// openBranch is the branch that the writer goes on with at the offset, or nil when it begins a new one.
func (p *partition) openBranch(writer kafka.NodeID, epoch kafka.Epoch, at kafka.Offset) *branch {
	for i := len(p.branches) - 1; i >= 0; i-- {
		if b := p.branches[i]; b.epoch == epoch && b.writer == writer && b.end() == at {
			return b
		}
		if p.branches[i].epoch < epoch {
			break
		}
	}
	return nil
}

func (p *partition) newBranch(writer kafka.NodeID, epoch kafka.Epoch, from kafka.Offset) *branch {
	b := &branch{writer: writer, epoch: epoch, from: from}
	p.branches = append(p.branches, b)
	return b
}

// source is the branch that a copy of the offset comes from: what the peer holds there, or else what anybody appended
// there in that epoch (the peer may have gone on since it sent the copy).
func (p *partition) source(peer kafka.NodeID, epoch kafka.Epoch, o kafka.Offset) *branch {
	if from := p.replica(peer); from != nil {
		if r := from.log.at(o); r != nil && r.epoch == epoch {
			return r.branch
		}
	}
	for i := len(p.branches) - 1; i >= 0; i-- {
		if b := p.branches[i]; b.epoch == epoch && b.from <= o && o < b.end() {
			return b
		}
	}
	return nil
}

// locate finds where the records stand from the offset on: the branch, and how many of them it holds side by side. The
// committed log is the first place to look, then the peer's, then everything that was ever appended.
func (p *partition) locate(peer kafka.NodeID, o kafka.Offset, ids []kafka.RecordID) (*branch, int) {
	if r := p.committed.at(o); r != nil {
		if n := r.matching(o, ids); n > 0 {
			return r.branch, min(n, int(r.to-o))
		}
	}
	if from := p.replica(peer); from != nil {
		if r := from.log.at(o); r != nil {
			if n := r.matching(o, ids); n > 0 {
				return r.branch, min(n, int(r.to-o))
			}
		}
	}
	for i := len(p.branches) - 1; i >= 0; i-- {
		if n := p.branches[i].matching(o, ids); n > 0 {
			return p.branches[i], n
		}
	}
	return nil, 0
}
