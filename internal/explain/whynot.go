package explain

import (
	"fmt"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/view"
)

// WhyNot answers why something does not happen at a moment: the rule, its inputs with their values, and the first
// condition that fails.
type WhyNot struct {
	Title string
	Lines []Line
	// Fails is the index of the line with the first condition that fails, or -1 where nothing is in the way.
	Fails int
}

// Moment is what a why not looks at: the picture, and the events that led to it. MinISR is min.insync.replicas of a
// partition, 0 where nobody knows.
type Moment struct {
	Picture *view.Cluster
	Log     *event.Log
	MinISR  func(kafka.PartitionID) int
	Disk    func(kafka.PartitionID) *Disk // nil, or gives nil, where nobody knows
}

// doubt writes the answer.
type doubt struct {
	*Moment
	names *kafka.Names
	WhyNot
}

func (m *Moment) doubt(format string, args ...any) *doubt {
	return &doubt{Moment: m, names: m.Picture.Names(), WhyNot: WhyNot{Title: fmt.Sprintf(format, args...), Fails: -1}}
}

// rule says what would have to hold.
func (d *doubt) rule(k event.Kind) {
	d.Lines = append(d.Lines, Line{Text: "The rule: " + k.Spec().Rule, Source: k.Spec().Source})
}

// input is a value that the rule looks at, with the event that made it so.
func (d *doubt) input(seq event.Seq, format string, args ...any) {
	l := Line{Text: fmt.Sprintf(format, args...)}
	if e := d.Log.Get(seq); e != nil {
		l.Seq, l.At, l.Rule, l.Source = seq, e.At, e.Kind.Spec().Rule, e.Kind.Spec().Source
	}
	d.Lines = append(d.Lines, l)
}

// fails is a condition that does not hold. The first is what stands in the way.
func (d *doubt) fails(seq event.Seq, format string, args ...any) {
	if d.Fails < 0 {
		d.Fails = len(d.Lines)
		format = "Here it fails: " + format
	}
	d.input(seq, format, args...)
}

// nothing closes an answer in which no condition fails.
func (d *doubt) nothing(format string, args ...any) WhyNot {
	if d.Fails < 0 {
		d.Lines = append(d.Lines, Line{Text: fmt.Sprintf(format, args...)})
	}
	return d.WhyNot
}

// latest is the last event up to now that fits; 0 when there was none.
func (d *doubt) latest(fits func(*event.Event) bool) event.Seq {
	for _, e := range d.Log.Backward(min(int(d.Picture.Seq()), d.Log.Len())) {
		if fits(e) {
			return e.Seq
		}
	}
	return 0
}

func (d *doubt) lastOf(kind event.Kind, p kafka.PartitionID) event.Seq {
	return d.latest(func(e *event.Event) bool { return e.Kind == kind && e.Partition == p })
}

// broker is one broker as it is now.
func (d *doubt) broker(id kafka.NodeID) view.Broker {
	for _, b := range d.Picture.Brokers() {
		if b.ID == id {
			return b
		}
	}
	return view.Broker{ID: id, Up: true}
}

// death is the crash of a broker that is down; 0 when it was down from the start.
func (d *doubt) death(id kafka.NodeID) event.Seq {
	return d.latest(func(e *event.Event) bool { return e.Kind == event.BrokerCrashed && e.Node == id })
}

// HighWatermark answers why the high watermark of a partition stands where it stands.
func (m *Moment) HighWatermark(p kafka.PartitionID) WhyNot {
	part := m.Picture.Partition(p)
	leader, _ := m.Picture.Replica(p, part.Last)
	d := m.doubt("Why is the high watermark of %s still %s?", m.Picture.Names().Partition(p), number(leader.HighWater))
	d.rule(event.HighWatermarkAdvanced)
	if d.withoutLeader(p, part) {
		return d.WhyNot
	}
	d.input(d.lastOf(event.BatchAppended, p), "Its leader is %s, whose log ends at %s.", d.names.Node(part.Leader), number(leader.LogEnd))
	d.inputISR(p, part)
	if least := d.minISR(p); part.ISR.Len() < least {
		d.fails(d.lastOf(event.ISRChanged, p), "the ISR has %s, fewer than min.insync.replicas=%d: then the high watermark stands still (KAFKA-15583).",
			count(part.ISR.Len(), "member"), least)
	}
	if d.newLeader(p, part) {
		return d.WhyNot
	}
	d.members(p, part, leader)
	return d.nothing("Nothing is in the way: every member has what the leader has.")
}

// withoutLeader reports a partition that nobody leads, or whose leader is dead and not replaced.
func (d *doubt) withoutLeader(p kafka.PartitionID, part view.Partition) bool {
	if part.Leader == kafka.NoNode {
		d.fails(d.lastOf(event.PartitionOffline, p), "%s has no leader at all.", d.names.Partition(p))
		return true
	}
	if !d.broker(part.Leader).Up {
		d.fails(d.death(part.Leader), "%s, its leader, is dead, and the controller has not made another one yet.", d.names.Node(part.Leader))
		return true
	}
	return false
}

// newLeader reports a leader that has not taken office yet.
func (d *doubt) newLeader(p kafka.PartitionID, part view.Partition) bool {
	elected, began := d.lastOf(event.LeaderElected, p), d.latest(func(e *event.Event) bool {
		return e.Kind == event.BecameLeader && e.Partition == p && e.Node == part.Leader && e.Epoch == part.Epoch
	})
	if elected == 0 || began != 0 {
		return false
	}
	d.fails(elected, "%s is elected, and has not heard of that yet. It knows of no log end but its own then: each member of the ISR has to fetch in leader epoch %d first.",
		d.names.Node(part.Leader), part.Epoch)
	return true
}

func (d *doubt) inputISR(p kafka.PartitionID, part view.Partition) {
	text := "The ISR is " + event.SetText(part.ISR)
	if part.Proposed != 0 {
		text += fmt.Sprintf("; the leader has asked for %s, and until the controller answers both count", event.SetText(part.Proposed))
	}
	d.input(d.latest(func(e *event.Event) bool {
		return e.Partition == p && (e.Kind == event.ISRChanged || e.Kind == event.LeaderElected || e.Kind == event.ISRChangeProposed)
	}), "%s.", text)
}

func (d *doubt) minISR(p kafka.PartitionID) int {
	if d.MinISR == nil {
		return 0
	}
	return d.MinISR(p)
}

// members goes through those whose log ends count, and says of each how far the leader knows it to be.
func (d *doubt) members(p kafka.PartitionID, part view.Partition, leader view.ReplicaView) {
	counted := part.ISR | part.Proposed
	for _, id := range counted.Members() {
		if id == part.Leader {
			continue
		}
		r, _ := d.Picture.Replica(p, id)
		seq := d.latest(func(e *event.Event) bool {
			return e.Kind == event.FollowerOffsetLearned && e.Partition == p && e.Peer == id
		})
		known := "has not heard of it in this leader epoch"
		if r.KnownEnd != kafka.NoOffset {
			known = "knows of it up to " + number(r.KnownEnd)
		}
		name := capital(d.names.Node(id))
		switch {
		case r.KnownEnd >= leader.LogEnd:
			d.input(seq, "%s has everything: its log ends at %s, and the leader knows.", name, number(r.LogEnd))
		case !d.broker(id).Up:
			d.fails(d.death(id), "%s is dead, but still in the ISR: the leader %s. It counts until the controller fences it.", name, known)
		case r.LogEnd > r.KnownEnd:
			d.fails(seq, "%s holds up to %s, but the leader %s; it learns the rest from the next fetch.", name, number(r.LogEnd), known)
		default:
			d.fails(seq, "%s holds only up to %s, and the leader %s.", name, number(r.LogEnd), known)
		}
	}
}

// NoLeader answers why a partition has no leader that answers.
func (m *Moment) NoLeader(p kafka.PartitionID) WhyNot {
	part := m.Picture.Partition(p)
	d := m.doubt("Why has %s no leader?", m.Picture.Names().Partition(p))
	d.rule(event.LeaderElected)
	d.inputISR(p, part)
	if part.Leader != kafka.NoNode && d.broker(part.Leader).Up {
		return d.nothing("It has one: %s leads in leader epoch %d.", d.names.Node(part.Leader), part.Epoch)
	}
	if part.Leader != kafka.NoNode {
		d.input(d.death(part.Leader), "%s, the leader, is dead.", capital(d.names.Node(part.Leader)))
		if !d.broker(part.Leader).Fenced {
			d.fails(d.latest(func(e *event.Event) bool { return e.Kind == event.BrokerCrashed && e.Node == part.Leader }),
				"the controller does not know yet: it fences a broker when its last heartbeat is longer ago than broker.session.timeout.ms.")
		}
		return d.nothing("The controller is about to elect another one.")
	}
	for _, id := range part.ISR.Members() {
		switch b := d.broker(id); {
		case !b.Up:
			d.fails(d.death(id), "%s is in the ISR, and dead.", d.names.Node(id))
		case b.Fenced:
			d.fails(0, "%s is in the ISR and runs, but is still fenced.", d.names.Node(id))
		}
	}
	d.input(0, "Others may have the log too, but only a member of the ISR has everything that was acknowledged (unclean.leader.election.enable=false).")
	return d.WhyNot
}

// NotInISR answers why a replica is not in the ISR.
func (m *Moment) NotInISR(p kafka.PartitionID, id kafka.NodeID) WhyNot {
	part := m.Picture.Partition(p)
	names := m.Picture.Names()
	d := m.doubt("Why is %s not in the ISR of %s?", names.Node(id), names.Partition(p))
	d.rule(event.ISRChangeProposed)
	d.inputISR(p, part)
	if part.ISR.Has(id) {
		return d.nothing("It is.")
	}
	r, _ := m.Picture.Replica(p, id)
	leader, _ := m.Picture.Replica(p, part.Leader)
	switch b := d.broker(id); {
	case !b.Up:
		d.fails(d.death(id), "%s is dead.", names.Node(id))
	case b.Fenced:
		d.fails(d.latest(func(e *event.Event) bool { return e.Kind == event.BrokerFenced && e.Peer == id }),
			"%s is fenced: the controller lets it serve only when it has applied the metadata up to its own registration.", names.Node(id))
	case part.Leader == kafka.NoNode:
		d.fails(d.lastOf(event.PartitionOffline, p), "there is no leader who could take it in.")
	case part.Leader == id:
		d.fails(d.lastOf(event.LeaderElected, p), "it leads without being in it, which Kafka's rules do not let happen; a leader asks only for others.")
	case r.LogEnd < leader.HighWater:
		d.fails(d.lastOf(event.ReplicaAppended, p), "its log ends at %s, below the high watermark %s.", number(r.LogEnd), number(leader.HighWater))
	case r.KnownEnd < leader.HighWater:
		d.fails(0, "it has caught up to %s, but the leader does not know yet; its next fetch will tell.", number(r.LogEnd))
	case part.Proposed.Has(id):
		d.fails(d.lastOf(event.ISRChangeProposed, p), "the leader has asked for it, and waits for the controller's answer.")
	}
	return d.nothing("Nothing is in the way: the leader is about to ask for it.")
}
