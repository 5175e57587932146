package explain

import (
	"cmp"
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/view"
)

// NotAcknowledged answers why the application has not heard that a record is stored.
func (m *Moment) NotAcknowledged(id kafka.RecordID) WhyNot {
	d := m.doubt("Why is order %s not acknowledged?", m.Picture.Names().Record(id))
	d.rule(event.ProduceAnswered)
	marks := m.Picture.Marks(id)
	if marks.Has(view.Acked) {
		return d.nothing("It is: the application was told that it is stored.")
	}
	sent := d.about(id, event.RecordsSent)
	if sent == 0 {
		d.fails(0, "the application has not handed it over yet.")
		return d.WhyNot
	}
	p := d.Log.Get(sent).Partition
	d.input(sent, "The application handed it over; it belongs in %s.", d.names.Partition(p))
	if marks.Has(view.Failed) {
		d.fails(d.about(id, event.RecordsFailed), "its producer has given it up and told the application so.")
		return d.WhyNot
	}
	flight, flying := d.flightOf(id, d.Log.Get(sent).Node)
	if !flying || flight.Stored == kafka.NoOffset || !d.broker(flight.Peer).Up {
		d.unheard(id, p)
	}
	if !flying {
		d.waiting(id, p)
		d.sortByTime()
		return d.WhyNot
	}
	d.input(flight.Sent, "It was sent to %s (attempt %d).", d.names.Node(flight.Peer), flight.Attempt)
	d.answerOf(id, p, &flight)
	d.sortByTime()
	return d.nothing("Nothing is in the way: the answer is on its way.")
}

// unheard tells of a copy that a leader has stored, and of the answer that has not reached the producer.
func (d *doubt) unheard(id kafka.RecordID, p kafka.PartitionID) {
	stored := d.Log.Get(d.about(id, event.BatchAppended))
	if stored == nil {
		return
	}
	for _, c := range d.Picture.CopiesOf(id) {
		if c.Partition == p && stored.Offset <= c.Offset && c.Offset < stored.End() {
			d.input(stored.Seq, "%s has stored it at %s; it is in the log of %s.", capital(d.names.Node(stored.Node)), number(c.Offset),
				brokers(c.Holders, d.names))
		}
	}
	answered := d.latest(func(e *event.Event) bool { return e.Kind == event.ProduceAnswered && e.About == stored.Seq })
	if answered == 0 {
		return
	}
	d.input(answered, "%s has answered.", capital(d.names.Node(stored.Node)))
	held := d.latest(func(e *event.Event) bool { return e.Kind == event.MessageHeld && e.About == answered })
	switch broker := d.names.Node(stored.Node); {
	case held != 0 && d.broker(stored.Node).Up:
		d.input(held, "The answer is stuck inside %s.", broker)
	case held != 0:
		d.input(held, "The answer got stuck inside %s, and is lost with it: its producer can not know that the order is stored.", broker)
	}
}

// sortByTime puts the lines that rest on an event in the order of their events; the others stay where they are.
func (d *doubt) sortByTime() {
	var at, order []int
	for i := range d.Lines {
		if d.Lines[i].Seq != 0 {
			at, order = append(at, i), append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.Lines[a].Seq, d.Lines[b].Seq) })
	lines := slices.Clone(d.Lines)
	for i, from := range order {
		lines[at[i]] = d.Lines[from]
	}
	if fails := slices.Index(order, d.Fails); fails >= 0 {
		d.Fails = at[fails]
	}
	d.Lines = lines
}

// about is the last event of a kind that names a record; 0 when there was none.
func (d *doubt) about(id kafka.RecordID, kind event.Kind) event.Seq {
	return d.latest(func(e *event.Event) bool { return e.Kind == kind && slices.Contains(d.Log.Records(e), id) })
}

func (d *doubt) flightOf(id kafka.RecordID, producer kafka.NodeID) (view.Flight, bool) {
	for _, f := range d.Picture.InFlight(producer) {
		if slices.Contains(f.Records, id) {
			return f, true
		}
	}
	return view.Flight{}, false
}

// waiting is for a record that waits in its producer.
func (d *doubt) waiting(id kafka.RecordID, p kafka.PartitionID) {
	if again := d.about(id, event.ProduceRetryScheduled); again != 0 {
		d.input(again, "It was sent and not answered; it waits in its producer to be sent again.")
	}
	part := d.Picture.Partition(p)
	switch {
	case part.Leader == kafka.NoNode:
		d.fails(d.lastOf(event.PartitionOffline, p), "%s has no leader to send it to.", d.names.Partition(p))
	case !d.broker(part.Leader).Up:
		d.fails(d.death(part.Leader), "%s, the leader of %s, is dead, and there is no other yet.", d.names.Node(part.Leader), d.names.Partition(p))
	default:
		d.fails(0, "it waits in its producer: for linger.ms, for its turn, for retry.backoff.ms, or for word of the new leader.")
	}
}

// answerOf follows a request that is on its way, and its answer.
func (d *doubt) answerOf(id kafka.RecordID, p kafka.PartitionID, flight *view.Flight) {
	if !d.broker(flight.Peer).Up {
		d.fails(d.death(flight.Peer), "%s is dead: it will answer nothing any more.", d.names.Node(flight.Peer))
		return
	}
	if flight.Stored == kafka.NoOffset {
		d.fails(flight.Sent, "%s has not taken the request yet: it is on the wire, or waits behind another on its connection.", d.names.Node(flight.Peer))
		return
	}
	stored := max(d.about(id, event.BatchAppended), d.about(id, event.DuplicateRecognised))
	d.input(stored, "%s has stored it at %s.", capital(d.names.Node(flight.Peer)), number(flight.Stored))
	answered := d.latest(func(e *event.Event) bool { return e.Kind == event.ProduceAnswered && e.About == stored })
	if answered != 0 {
		held := d.latest(func(e *event.Event) bool { return e.Kind == event.MessageHeld && e.About == answered })
		if held != 0 {
			d.fails(held, "the answer is stuck inside %s.", d.names.Node(flight.Peer))
			return
		}
		d.input(answered, "%s has answered.", capital(d.names.Node(flight.Peer)))
		return
	}
	leader, _ := d.Picture.Replica(p, flight.Peer)
	if leader.HighWater <= flight.Stored {
		d.fails(d.lastOf(event.HighWatermarkAdvanced, p), "the high watermark of %s is %s; with acks=all it must pass %s first.",
			d.names.Partition(p), number(leader.HighWater), number(flight.Stored))
		d.members(p, d.Picture.Partition(p), leader)
		return
	}
	d.fails(0, "its answer waits behind another one on the same connection.")
}

// NotShown answers why a reader has not shown a record.
func (m *Moment) NotShown(reader kafka.NodeID, id kafka.RecordID) WhyNot {
	names := m.Picture.Names()
	d := m.doubt("Why does %s not show order %s?", names.Node(reader), names.Record(id))
	d.rule(event.RecordsRead)
	for _, s := range m.Picture.ShowingsOf(id) {
		if s.Reader == reader {
			return d.nothing("It does: it has shown it at %s, from offset %s of %s.", names.Clock(s.At), number(s.Offset), names.Partition(s.Partition))
		}
	}
	at, stored := d.placeOf(id)
	if !stored {
		d.fails(d.about(id, event.RecordsSent), "no leader has it in its log.")
		return d.WhyNot
	}
	part := m.Picture.Partition(at.Partition)
	d.input(d.about(id, event.BatchAppended), "It is at %s of %s.", number(at.Offset), names.Partition(at.Partition))
	if d.withoutLeader(at.Partition, part) {
		return d.WhyNot
	}
	leader, _ := m.Picture.Replica(at.Partition, part.Leader)
	if leader.HighWater <= at.Offset {
		d.fails(d.lastOf(event.HighWatermarkAdvanced, at.Partition), "the high watermark is %s: it is not on every in-sync replica, as far as the leader knows.",
			number(leader.HighWater))
		d.members(at.Partition, part, leader)
		return d.WhyNot
	}
	if names.ReadsCommitted(reader) {
		d.undecided(at, part.Leader)
	}
	if position := m.Picture.Position(reader, at.Partition); position <= at.Offset {
		d.fails(0, "the reader stands at %s and has not fetched it yet.", offsetText(position))
	}
	return d.nothing("Nothing is in the way.")
}

func offsetText(o kafka.Offset) string {
	if o == kafka.NoOffset {
		return "the beginning"
	}
	return number(o)
}

// placeOf is where the leader holds a record.
func (d *doubt) placeOf(id kafka.RecordID) (view.Place, bool) {
	for _, c := range d.Picture.CopiesOf(id) {
		if c.Holders.Has(d.Picture.Partition(c.Partition).Last) {
			return c.Place, true
		}
	}
	return view.Place{}, false
}
