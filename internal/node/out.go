package node

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// EffectKind names what a node asks for.
type EffectKind uint8

const (
	// SendRequest sends Body to Peer on Channel; a connection is opened when there is none.
	SendRequest EffectKind = iota
	// SendReply answers the request behind Reply. Without a Body it only frees the connection for the next request
	// (acks=0).
	SendReply
	// SetTimer brings Timer back at the tick At.
	SetTimer
	// SetArrival is SetTimer among the messages of that tick: for a request whose way was computed, not sent.
	SetArrival
	// Connect opens a connection to Peer on Channel and brings Connected or Reset. A request opens one by itself when
	// there is none; a producer connects first, so that it knows which requests left.
	Connect
	// CloseConnection closes the node's own connection to Peer on Channel.
	CloseConnection
	// Announce hands Body to every client after the application actions of this tick (plan.Plan.Lesson only).
	Announce
	// Exit ends the node's process once this step is carried out.
	Exit
	// Await has a fetch at Peer, of which it is computed when it would come back, come back for real.
	Await
	// Perform has the application's effect outside of Kafka happen, for the records of Deed.
	Perform
	// Tell hands Body, which are Words, to the other half of a processor.
	Tell
	// Halt ends it at once, as a crash does.
	Halt
)

// Deed is what an application does with records of one partition outside of Kafka.
type Deed struct {
	Records   kafka.Records
	Offset    kafka.Offset // of the first of them
	Partition kafka.PartitionID
}

// Effect is one thing that a node asks for.
type Effect struct {
	Body    kafka.Body
	Deed    *Deed      // Perform
	At      kafka.Tick // SetTimer; with StreamChannel the span on the wire
	Reply   Reply
	Cause   event.Seq
	Corr    uint32
	Timer   Timer
	Peer    kafka.NodeID
	Kind    EffectKind
	Channel Channel
}

// Out collects the effects and the events of one step.
type Out struct {
	Effects []Effect
	Step    event.Step

	now     kafka.Tick
	next    event.Seq
	input   event.Seq // the event that brought the input
	cause   event.Seq // the latest event of the step: what is sent now comes from it
	tracing bool
}

// Begin empties the Out for the next input. With tracing off no events are kept.
func (o *Out) Begin(now kafka.Tick, cause, next event.Seq, tracing bool) {
	o.Effects = o.Effects[:0]
	o.Step.Events = o.Step.Events[:0]
	o.Step.IDs = o.Step.IDs[:0]
	o.now, o.input, o.cause, o.next, o.tracing = now, cause, cause, next, tracing
}

// Next is the sequence number that the next event will get.
func (o *Out) Next() event.Seq { return o.next }

// Now is the tick of the step.
func (o *Out) Now() kafka.Tick { return o.now }

// Tracing reports whether events are kept, so that work that only describes can be left out.
func (o *Out) Tracing() bool { return o.tracing }

// Cause is the event that the next effect will name as its cause.
func (o *Out) Cause() event.Seq { return o.cause }

// Because makes what follows in this step name another event as its cause: the one that a waiting request left behind.
func (o *Out) Because(cause event.Seq) {
	if cause != 0 {
		o.cause = cause
	}
}

// BecauseExactly is Because for a cause that may be none.
func (o *Out) BecauseExactly(cause event.Seq) { o.cause = cause }

// Brought makes an event the one that brought the input, within a step.
func (o *Out) Brought(cause event.Seq) { o.input, o.cause = cause, cause }

// BecauseOfInput makes what follows name the input's own cause again.
func (o *Out) BecauseOfInput() { o.cause = o.input }

// Emit records an event and returns its number, 0 with tracing off.
func (o *Out) Emit(e event.Event) event.Seq {
	if !o.tracing {
		return 0
	}
	e.Seq, e.At = o.next, o.now
	if e.Cause == 0 {
		e.Cause = o.cause
	}
	o.cause = e.Seq
	o.next++
	o.Step.Events = append(o.Step.Events, e)
	return e.Seq
}

// EmitRecords records an event that names records.
func (o *Out) EmitRecords(e event.Event, records kafka.Records) event.Seq {
	if !o.tracing {
		return 0
	}
	return o.EmitIDs(e, records.IDs())
}

// EmitIDs records an event that names records by id.
func (o *Out) EmitIDs(e event.Event, ids []kafka.RecordID) event.Seq {
	if !o.tracing {
		return 0
	}
	e.Records, e.Count = uint32(len(o.Step.IDs)), int32(len(ids))
	o.Step.IDs = append(o.Step.IDs, ids...)
	return o.Emit(e)
}

// Request sends a request; the response will carry the same corr.
func (o *Out) Request(peer kafka.NodeID, channel Channel, corr uint32, body kafka.Body) {
	o.Effects = append(o.Effects, Effect{
		Kind: SendRequest, Peer: peer, Channel: channel, Corr: corr, Body: body, Cause: o.cause,
	})
}

// Stream sends a message that needs no answer; it arrives lag later.
func (o *Out) Stream(peer kafka.NodeID, lag kafka.Tick, body kafka.Body) {
	o.Effects = append(o.Effects, Effect{
		Kind: SendRequest, Peer: peer, Channel: StreamChannel, At: lag, Body: body, Cause: o.cause,
	})
}

// Answer answers a request. A nil body only frees the connection for its next request.
func (o *Out) Answer(to Reply, body kafka.Body) {
	o.Effects = append(o.Effects, Effect{Kind: SendReply, Reply: to, Body: body, Cause: o.cause})
}

// Timer asks for the timer back at the tick at.
func (o *Out) Timer(at kafka.Tick, timer Timer) {
	o.Effects = append(o.Effects, Effect{Kind: SetTimer, At: at, Timer: timer, Cause: o.cause})
}

// Arrival asks for the timer back at the tick at, among the messages that arrive then.
func (o *Out) Arrival(at kafka.Tick, timer Timer) {
	o.Effects = append(o.Effects, Effect{Kind: SetArrival, At: at, Timer: timer, Cause: o.cause})
}

// Close closes the node's connection to peer; requests on it are answered by a Reset.
func (o *Out) Close(peer kafka.NodeID, channel Channel) {
	o.Effects = append(o.Effects, Effect{Kind: CloseConnection, Peer: peer, Channel: channel, Cause: o.cause})
}

// Connect opens a connection to peer.
func (o *Out) Connect(peer kafka.NodeID, channel Channel) {
	o.Effects = append(o.Effects, Effect{Kind: Connect, Peer: peer, Channel: channel, Cause: o.cause})
}

// Announce hands the cluster's leaders to every client, without being asked.
func (o *Out) Announce(body *kafka.MetadataResponse) {
	o.Effects = append(o.Effects, Effect{Kind: Announce, Body: body, Cause: o.cause})
}

// Halt ends the process at once: it can not go on.
func (o *Out) Halt() { o.Effects = append(o.Effects, Effect{Kind: Halt, Cause: o.cause}) }

// Await has the node's fetch at peer come back for real, where that was only computed.
func (o *Out) Await(peer kafka.NodeID) {
	o.Effects = append(o.Effects, Effect{Kind: Await, Peer: peer, Cause: o.cause})
}

// Exit ends the process in good order.
func (o *Out) Exit() { o.Effects = append(o.Effects, Effect{Kind: Exit, Cause: o.cause}) }

// Perform has an effect outside of Kafka happen; its event names the cause as what it is about.
func (o *Out) Perform(deed *Deed) {
	o.Effects = append(o.Effects, Effect{Kind: Perform, Deed: deed, Cause: o.cause})
}
