package client

import (
	"replog/internal/event"
	"replog/internal/fetch"
	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

const (
	timerReaderMetadata uint8 = iota
	timerReaderFetch          // arg: the broker to fetch from again
	timerReaderTimeout        // arg: the broker whose answer is due
)

// Reader is an in-memory reader, such as a screen: it reads every record of its partitions from the log start on, in
// the order of each partition, and keeps its position to itself.
type Reader struct {
	fetcher
	config *kafka.ReaderConfig
}

// NewReader builds a reader that stands at the log start of each partition.
func NewReader(p *plan.Plan, spec *plan.Reader) *Reader {
	r := &Reader{fetcher: newFetcher(p, spec.ID, spec.Partitions), config: &spec.Config}
	r.isolation = spec.Config.Isolation
	return r
}

// Handle implements node.Node.
func (r *Reader) Handle(in *node.Input, out *node.Out) {
	switch in.Kind {
	case node.Response:
		switch body := in.Body.(type) {
		case *kafka.FetchResponse:
			r.handleFetched(in, body, out)
		case *kafka.MetadataResponse:
			r.handleMetadata(in.Now, body, out)
		}
	case node.TimerFired:
		r.handleTimer(in, out)
	case node.Reset:
		r.handleReset(in, out)
	case node.Metadata:
		r.handleMetadata(in.Now, in.Body.(*kafka.MetadataResponse), out)
	case node.Start:
		r.metadata.ask(out)
	case node.Reconfigure:
		for i := range in.Plan.Readers {
			if in.Plan.Readers[i].ID == r.id {
				r.config = &in.Plan.Readers[i].Config
			}
		}
	}
}

func (r *Reader) handleTimer(in *node.Input, out *node.Out) {
	switch in.Timer.Kind {
	case timerReaderMetadata:
		// Whatever is on its way at this instant: a fetch to a broker that is away must not keep the question back.
		r.metadata.timer = 0
		r.metadata.ask(out)
	case timerReaderTimeout:
		r.checkTimeout(r.session(kafka.NodeID(in.Timer.Arg)), in.Now, out)
	case timerReaderFetch:
		s := r.session(kafka.NodeID(in.Timer.Arg))
		s.blocked = false
		r.fetchNext(s, out)
	}
}

// lacksLeader reports whether some partition has no leader that can be reached.
func (r *Reader) lacksLeader() bool {
	for i := range r.positions {
		if s := r.session(r.positions[i].leader); s == nil || s.blocked || s.Full && !s.InFlight {
			return true
		}
	}
	return false
}

// handleMetadata reads each partition from its leader, as far as this is news.
func (r *Reader) handleMetadata(now kafka.Tick, answer *kafka.MetadataResponse, out *node.Out) {
	r.metadata.answered()
	r.metadata.fresh = now
	for _, fresh := range answer.Partitions {
		if p := r.position(fresh.Partition); p != nil && fresh.Epoch > p.epoch {
			if s := r.learn(p, fresh, out); s != nil {
				s.Set(p.fetchPosition())
			}
		}
	}
	for i := range r.sessions {
		r.sessions[i].blocked = false
		r.fetchNext(&r.sessions[i], out)
	}
	r.askLater(now, out)
}

func (r *Reader) fetchNext(s *session, out *node.Out) {
	if r.fetch(s, r.config.FetchWait, r.config.AnswerTimeout, out) {
		r.watch(s, out)
	}
}

// watch arms the timer that gives up a fetch without an answer.
func (r *Reader) watch(s *session, out *node.Out) {
	if !s.watched && s.deadline != kafka.Never {
		s.watched = true
		out.Timer(s.deadline, node.Timer{Kind: timerReaderTimeout, Arg: int32(s.Source)})
	}
}

// checkTimeout closes a connection whose fetch has had no answer for request.timeout.ms, and fetches anew.
func (r *Reader) checkTimeout(s *session, now kafka.Tick, out *node.Out) {
	s.watched = false
	switch {
	case !s.InFlight:
	case s.deadline > now:
		r.watch(s, out)
	default:
		out.Close(s.Source, node.DataChannel)
		r.lose(s, r.config.RetryBackoff, timerReaderFetch, out)
		r.wantMetadata(now, out)
	}
}

// handleFetched shows what came, in order, and asks for more.
func (r *Reader) handleFetched(in *node.Input, answer *kafka.FetchResponse, out *node.Out) {
	s := r.session(in.From)
	if !s.Answered(in.Corr) {
		return
	}
	for i := range answer.Partitions {
		out.BecauseOfInput()
		r.takeFetched(s, &answer.Partitions[i], out)
	}
	r.fetchNext(s, out)
	r.askLater(in.Now, out)
}

func (r *Reader) takeFetched(s *session, got *kafka.FetchedPartition, out *node.Out) {
	p := r.position(got.Partition)
	if p.leader != s.Source {
		return
	}
	switch {
	case got.Error == kafka.OffsetOutOfRange:
		r.reset(p, s.Source, got, out)
	case got.Error != kafka.None:
		r.forgetLeader(s, p)
		r.wantMetadata(out.Now(), out)
		return
	default:
		aborted := fetch.NewAborted(got.Stable)
		for batches := range got.Pieces {
			for i := range batches {
				r.show(p, s.Source, &batches[i], aborted.Drops(&batches[i]), out)
			}
		}
	}
	if next := p.fetchPosition(); len(got.Batches) > 0 || got.Error != kafka.None {
		s.Set(next)
	}
}

// show puts a batch on the screen, from the position on; not a transaction marker, nor what was aborted.
func (r *Reader) show(p *position, broker kafka.NodeID, b *kafka.Batch, dropped bool, out *node.Out) {
	if p.offset >= b.NextOffset() {
		return
	}
	switch {
	case b.IsControl():
	case dropped:
		r.tellDropped(broker, p.partition, b, p.offset, out)
	default:
		b.Stretches(b.IndexFrom(p.offset), func(from, to int) bool {
			out.EmitIDs(event.Event{
				Kind: event.RecordsRead, Node: r.id, Peer: broker, Partition: p.partition, Offset: b.OffsetOf(from),
			}, b.IDs()[from:to])
			return true
		})
	}
	p.offset = b.NextOffset()
}

// reset moves a position that the log does not have: to the log start below it, to the end above it.
func (r *Reader) reset(p *position, broker kafka.NodeID, got *kafka.FetchedPartition, out *node.Out) {
	before := p.offset
	if p.offset = got.HighWatermark; before < got.LogStartOffset {
		p.offset = got.LogStartOffset
	}
	out.Emit(event.Event{
		Kind: event.OffsetReset, Node: r.id, Peer: broker, Partition: p.partition, Offset: p.offset, Prev: int64(before),
	})
}

func (r *Reader) handleReset(in *node.Input, out *node.Out) {
	if in.Channel == node.ControlChannel {
		if r.metadata.lost() {
			r.metadata.ask(out)
		} else {
			r.askLater(in.Now, out)
		}
		return
	}
	r.lose(r.session(in.From), r.config.RetryBackoff, timerReaderFetch, out)
	if !in.Refused { // else the broker is away, as the metadata asked for before will tell
		r.wantMetadata(in.Now, out)
	}
	r.askLater(in.Now, out)
}

// wantMetadata asks for metadata now, but not sooner than retry.backoff.ms after the last answer: a broker that knows no
// better yet would be asked again and again (Metadata.timeToAllowUpdate).
func (r *Reader) wantMetadata(now kafka.Tick, out *node.Out) {
	if earliest := r.metadata.fresh + r.config.RetryBackoff; r.metadata.fresh > 0 && now < earliest {
		r.metadata.later(earliest, timerReaderMetadata, out)
		return
	}
	r.metadata.ask(out)
}

// askLater asks for metadata again after a while, as long as some leader is missing.
func (r *Reader) askLater(now kafka.Tick, out *node.Out) {
	if r.lacksLeader() {
		r.metadata.later(now+r.config.MetadataRetry, timerReaderMetadata, out)
	}
}
