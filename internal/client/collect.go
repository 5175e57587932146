package client

import (
	"slices"

	"replog/internal/event"
	"replog/internal/fetch"
	"replog/internal/kafka"
	"replog/internal/node"
)

// fetched is what an answer to a fetch brought of one partition, as far as poll() has not handed it out (CompletedFetch).
type fetched struct {
	batches   [][]kafka.Batch
	next      kafka.Offset // of the next record to hand out
	cause     event.Seq    // what brought it
	partition kafka.PartitionID
	broker    kafka.NodeID
	aborted   fetch.Aborted // as far as the batches before the first
	judged    bool          // the first batch is, too: and it was aborted or not
	dropped   bool
	whole     bool // the first batch is handed out from its beginning
}

// piece is consecutive records of one partition that poll() has handed out.
type piece struct {
	kafka.Records
	offset    kafka.Offset
	cause     event.Seq // the RecordsRead that told of them
	partition kafka.PartitionID
	epoch     kafka.Epoch // the leader epoch of their batch
}

// buffered reports whether records of a partition wait to be handed out.
func (c *Consumer) buffered(partition kafka.PartitionID) bool {
	for i := range c.buffer {
		if c.buffer[i].partition == partition {
			return true
		}
	}
	return false
}

// dropFetched drops what was fetched of a partition and not handed out. The position stays, so that it is fetched again.
func (c *Consumer) dropFetched(partition kafka.PartitionID) {
	c.buffer = slices.DeleteFunc(c.buffer, func(f fetched) bool { return f.partition == partition })
}

// passOver moves a position behind what was fetched of its partition.
func (c *Consumer) passOver(p *position, out *node.Out) {
	before := p.offset
	for i := range c.buffer {
		f := &c.buffer[i]
		if last := len(f.batches) - 1; f.partition == p.partition && last >= 0 && f.next == p.offset {
			b := &f.batches[last][len(f.batches[last])-1]
			p.offset, p.read = b.NextOffset(), b.LeaderEpoch
		}
	}
	if p.offset > before {
		out.Emit(event.Event{
			Kind: event.FetchedPassedOver, Node: c.id, Partition: p.partition, Offset: p.offset, Prev: int64(before),
		})
	}
}

// fetchAll asks each broker for more from which nothing waits to be handed out (AbstractFetch.prepareFetchRequests).
func (c *Consumer) fetchAll(out *node.Out) {
	cause := out.Cause()
	for i := range c.sessions {
		s := &c.sessions[i]
		waits := false
		for j := range c.buffer {
			waits = waits || c.buffer[j].broker == s.Source
		}
		if !waits {
			c.fetch(s, c.config.FetchWait, c.config.AnswerTimeout, out)
		}
		out.BecauseExactly(cause)
	}
}

// handleFetched keeps what came for poll(). What belongs to the member no longer, or to a position that was moved, is
// dropped.
func (c *Consumer) handleFetched(in *node.Input, answer *kafka.FetchResponse, out *node.Out) {
	s := c.session(in.From)
	if !s.Answered(in.Corr) {
		return
	}
	for i := range answer.Partitions {
		got := &answer.Partitions[i]
		p := c.position(got.Partition)
		asked, current := s.Asked(got.Partition)
		if p == nil || !current || p.state != standing || asked.FetchOffset != p.offset {
			continue
		}
		out.BecauseOfInput()
		switch {
		case got.Error == kafka.OffsetOutOfRange:
			c.reset(p, p.offset, got.Error, out)
		case got.Error != kafka.None:
			c.forgetLeader(s, p)
			c.wantMetadata(out)
		case len(got.Batches) > 0:
			c.keep(s, p, got, out)
		}
	}
}

func (c *Consumer) keep(s *session, p *position, got *kafka.FetchedPartition, out *node.Out) {
	f := fetched{
		partition: p.partition, broker: s.Source, next: p.offset, cause: out.Cause(), aborted: fetch.NewAborted(got.Stable),
		whole: c.config.Rules.WholeBatchesHandedOut,
	}
	for batches := range got.Pieces {
		f.batches = append(f.batches, batches)
	}
	c.buffer = append(c.buffer, f)
}

// collect takes up to max.poll.records out of the buffer, in the order in which they came, and moves the positions behind
// them (FetchCollector.collectFetch).
func (c *Consumer) collect(out *node.Out) []piece {
	if len(c.buffer) == 0 {
		return nil
	}
	room := int(c.config.MaxPollRecords)
	var handed []piece
	done := 0
	for done < len(c.buffer) && room > 0 {
		f := &c.buffer[done]
		p := c.position(f.partition)
		if p.state != standing || f.next != p.offset {
			done++ // somebody moved the position
			continue
		}
		if f.whole {
			p.offset, f.whole = min(p.offset, f.batches[0][0].BaseOffset), false
		}
		from := len(handed)
		handed = c.take(f, p, handed, room, out)
		for i := from; i < len(handed); i++ {
			room -= handed[i].Len()
		}
		c.tellRead(f, handed[from:], out)
		if f.next = p.offset; len(f.batches) > 0 {
			break
		}
		done++
		c.endBuffered(done, p)
	}
	c.buffer = append([]fetched(nil), c.buffer[done:]...)
	return handed
}

// endBuffered lets a partition be fetched again whose records were handed out.
func (c *Consumer) endBuffered(done int, p *position) {
	for i := done; i < len(c.buffer); i++ {
		if c.buffer[i].partition == p.partition {
			return
		}
	}
	if s := c.session(p.leader); s != nil {
		s.Set(p.fetchPosition())
	}
}

// take adds up to room records from the position on to what is handed out. It passes over transaction markers and what was
// aborted.
func (c *Consumer) take(f *fetched, p *position, handed []piece, room int, out *node.Out) []piece {
	for room > 0 && len(f.batches) > 0 {
		b := &f.batches[0][0]
		if !f.judged {
			f.judged, f.dropped = true, f.aborted.Drops(b)
		}
		from := len(handed)
		switch {
		case b.IsControl(): // no application sees a transaction marker
		case f.dropped:
			c.tellPassed(f, p, b, out)
		default:
			handed = takeBatch(b, p, handed, room)
		}
		for ; from < len(handed); from++ {
			room -= handed[from].Len()
		}
		if b.IndexFrom(p.offset) < b.Len() && !b.IsControl() {
			break
		}
		// The end of a batch counts, also when the cleaner removed the records there.
		p.offset, p.read = max(p.offset, b.NextOffset()), b.LeaderEpoch
		f.judged = false
		if f.batches[0] = f.batches[0][1:]; len(f.batches[0]) == 0 {
			f.batches = f.batches[1:]
		}
	}
	return handed
}

// tellPassed tells of the records of a batch that the application does not get, as its transaction was aborted.
func (c *Consumer) tellPassed(f *fetched, p *position, b *kafka.Batch, out *node.Out) {
	out.BecauseExactly(f.cause)
	c.tellDropped(f.broker, p.partition, b, p.offset, out)
	p.offset, p.read = b.NextOffset(), b.LeaderEpoch
}

// takeBatch hands out up to room records of a batch, a piece for each stretch of consecutive offsets.
func takeBatch(b *kafka.Batch, p *position, handed []piece, room int) []piece {
	b.Stretches(b.IndexFrom(p.offset), func(from, to int) bool {
		n := min(to-from, room)
		handed = append(handed, piece{
			Records: b.Part(from, n), offset: b.OffsetOf(from), partition: p.partition, epoch: b.LeaderEpoch,
		})
		p.offset, p.read = b.OffsetOf(from)+kafka.Offset(n), b.LeaderEpoch
		room -= n
		return room > 0
	})
	return handed
}

// tellRead tells of what is handed out, an event for each run of consecutive offsets.
func (c *Consumer) tellRead(f *fetched, pieces []piece, out *node.Out) {
	for from := 0; from < len(pieces); {
		to, next := from, pieces[from].offset
		var ids []kafka.RecordID
		for to < len(pieces) && pieces[to].offset == next {
			ids = append(ids, pieces[to].IDs()...)
			next += kafka.Offset(pieces[to].Len())
			to++
		}
		out.BecauseExactly(f.cause)
		seq := out.EmitIDs(event.Event{
			Kind: event.RecordsRead, Node: c.id, Peer: f.broker, Partition: f.partition, Offset: pieces[from].offset,
		}, ids)
		for i := from; i < to; i++ {
			pieces[i].cause = seq
		}
		from = to
	}
}
