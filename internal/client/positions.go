package client

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// positionState is what has to happen before a partition is fetched (SubscriptionState.FetchState).
type positionState uint8

const (
	standing   positionState = iota // nothing: it is fetched from the position
	unassigned                      // it belongs to somebody else
	unknown                         // the coordinator has to say what is committed (INITIALIZING)
	resetting                       // auto.offset.reset decides, by an offset that the leader has to say (AWAIT_RESET)
	yielding                        // it is about to be revoked
	validating                      // the leader has to say that its log has the position still (AWAIT_VALIDATION)
)

// held is what a member of a group remembers of a partition, beside where it stands.
type held struct {
	retryAt   kafka.Tick            // not to ask earlier
	committed kafka.Offset          // what is committed, as far as the member heard
	stored    kafka.PartitionOffset // up to where an auto-commit by a timer may go; NoOffset before anything was handed out
	lost      kafka.Offset          // while resetting: the position that the log did not have, or NoOffset
	read      kafka.Epoch           // of the record before the position; NoEpoch while it is unknown
	checked   kafka.Epoch           // the leader epoch in which the position was found valid
	state     positionState
	asked     bool
}

func newHeld(state positionState) held {
	return held{
		state: state, read: kafka.NoEpoch, checked: kafka.NoEpoch, committed: kafka.NoOffset,
		stored: kafka.PartitionOffset{Offset: kafka.NoOffset, LeaderEpoch: kafka.NoEpoch},
	}
}

// findPositions asks for whatever the member needs to know before it can fetch (updateFetchPositions).
func (c *Consumer) findPositions(out *node.Out) {
	waits := false
	for i := range c.positions {
		p := &c.positions[i]
		if p.state == standing && p.leader != kafka.NoNode && p.epoch > p.checked {
			c.checkEpoch(p, out)
		}
		waits = waits || p.waits()
	}
	if waits {
		c.askCommitted(out)
		for i := range c.sessions {
			if s := &c.sessions[i]; !s.blocked {
				c.askOffsets(s.Source, out)
				c.askEpochs(s.Source, out)
			}
		}
	}
	c.askLater(out)
}

// waits reports whether somebody has to say something before the partition is fetched.
func (p *position) waits() bool {
	return p.state == unknown || p.state == resetting || p.state == validating
}

// checkEpoch has a position validated that was found under an earlier leader epoch (KIP-320). One that no record was read
// for needs none.
func (c *Consumer) checkEpoch(p *position, out *node.Out) {
	if p.read == kafka.NoEpoch || c.config.PositionsUnchecked {
		p.checked = p.epoch
		return
	}
	p.state, p.asked, p.retryAt = validating, false, 0
	c.session(p.leader).Remove(p.partition)
	if c.config.Rules.DiscardedCountsAsRead {
		c.passOver(p, out)
	}
	c.dropFetched(p.partition)
}

// stand fetches a partition from its position on.
func (c *Consumer) stand(p *position) {
	p.state, p.asked = standing, false
	if s := c.session(p.leader); s != nil {
		s.Set(p.fetchPosition())
	}
}

// askAgain lets a question be asked once more, after a while.
func (c *Consumer) askAgain(partition kafka.PartitionID, at kafka.Tick) {
	if p := c.position(partition); p != nil && (p.state == resetting || p.state == validating) {
		p.asked, p.retryAt = false, at
	}
}

// may reports whether the question that a partition waits for can be asked now.
func (p *position) may(state positionState, leader kafka.NodeID, now kafka.Tick) bool {
	return p.state == state && p.leader == leader && !p.asked && now >= p.retryAt
}

// askCommitted asks for the committed offsets of new partitions.
func (c *Consumer) askCommitted(out *node.Out) {
	if c.inCall(kafka.KindOffsetFetchRequest) || c.group.coordinator == kafka.NoNode {
		return
	}
	request := &kafka.OffsetFetchRequest{Group: c.spec.Group, RequireStable: true, MemberEpoch: -1}
	for i := range c.positions {
		if p := &c.positions[i]; p.state == unknown && out.Now() >= p.retryAt {
			request.Partitions = append(request.Partitions, p.partition)
		}
	}
	if len(request.Partitions) == 0 {
		return
	}
	if c.config.Protocol == kafka.ConsumerProtocol {
		request.MemberID, request.MemberEpoch = c.group.member, c.group.generation
	}
	c.call(c.group.coordinator, node.GroupChannel, request, out)
}

func (c *Consumer) offsetsFetched(offsets []kafka.PartitionOffset, code kafka.ErrorCode, open *call, out *node.Out) {
	if code != kafka.None {
		for _, id := range open.body.(*kafka.OffsetFetchRequest).Partitions {
			if p := c.position(id); p.state == unknown {
				p.retryAt = out.Now() + max(1, c.config.RetryBackoff)
			}
		}
		c.deniesCoordinator(code, out)
		return
	}
	cause := out.Cause()
	for i := range offsets {
		out.BecauseExactly(cause)
		c.committedFound(&offsets[i], out)
	}
}

func (c *Consumer) committedFound(found *kafka.PartitionOffset, out *node.Out) {
	p := c.position(found.Partition)
	switch {
	case p == nil || p.state != unknown:
	case found.Error != kafka.None: // UNSTABLE_OFFSET_COMMIT: a transaction is about to commit another one (KIP-447)
		p.retryAt = out.Now() + max(1, c.config.RetryBackoff)
	case found.Offset == kafka.NoOffset:
		c.reset(p, kafka.NoOffset, kafka.NoStoredOffset, out)
	default:
		p.offset, p.committed, p.read = found.Offset, found.Offset, found.LeaderEpoch
		c.tellPosition(p, event.FoundCommitted, out)
		c.stand(p) // and is validated, where the epoch is known
	}
}

func (c *Consumer) tellPosition(p *position, found int64, out *node.Out) {
	out.Emit(event.Event{Kind: event.PositionFound, Node: c.id, Partition: p.partition, Offset: p.offset, Value: found})
}

// reset has auto.offset.reset decide where to go on; without one the error ends the consumer.
func (c *Consumer) reset(p *position, lost kafka.Offset, code kafka.ErrorCode, out *node.Out) {
	if s := c.session(p.leader); s != nil {
		s.Remove(p.partition)
	}
	p.state, p.lost, p.asked, p.retryAt, p.read = resetting, lost, false, 0, kafka.NoEpoch
	p.offset = kafka.NoOffset
	if c.config.Reset == kafka.ResetNone {
		p.state = unassigned
		c.fail(code, out)
	}
}

// resetTimestamp is what a leader is asked for.
func (c *Consumer) resetTimestamp(now kafka.Tick) kafka.Tick {
	switch c.config.Reset {
	case kafka.ResetEarliest:
		return kafka.EarliestTimestamp
	case kafka.ResetByDuration:
		return max(0, now-c.config.ResetTicks)
	}
	return kafka.LatestTimestamp
}

// askOffsets asks a leader for the offsets that auto.offset.reset is about.
func (c *Consumer) askOffsets(leader kafka.NodeID, out *node.Out) {
	request := &kafka.ListOffsetsRequest{ReadCommitted: c.isolation == kafka.ReadCommitted}
	for i := range c.positions {
		if p := &c.positions[i]; p.may(resetting, leader, out.Now()) {
			p.asked = true
			request.Partitions = append(request.Partitions, kafka.ListedOffset{
				Partition: p.partition, Timestamp: c.resetTimestamp(out.Now()), Offset: kafka.NoOffset, LeaderEpoch: p.epoch,
			})
		}
	}
	if len(request.Partitions) > 0 {
		c.call(leader, node.DataChannel, request, out)
	}
}

func (c *Consumer) offsetsListed(open *call, listed []kafka.ListedOffset, out *node.Out) {
	asked := open.body.(*kafka.ListOffsetsRequest).Partitions
	cause := out.Cause()
	for i := range listed {
		p := c.position(listed[i].Partition)
		if p.state != resetting || !p.asked || p.leader != open.to {
			continue
		}
		out.BecauseExactly(cause)
		switch {
		case listed[i].Error != kafka.None:
			c.askAgain(p.partition, out.Now()+max(1, c.config.RetryBackoff))
			c.wantMetadata(out)
		case listed[i].Offset == kafka.NoOffset: // nothing is as new as that yet (OffsetFetcher: setNextAllowedRetry)
			c.askAgain(p.partition, c.later(out.Now(), c.config.AnswerTimeout))
		default:
			c.resetTo(p, &listed[i], asked[i].Timestamp, open.to, out)
		}
	}
}

func (c *Consumer) resetTo(p *position, found *kafka.ListedOffset, timestamp kafka.Tick, leader kafka.NodeID, out *node.Out) {
	p.offset, p.read, p.checked = found.Offset, found.LeaderEpoch, p.epoch
	if p.lost != kafka.NoOffset {
		out.Emit(event.Event{
			Kind: event.OffsetReset, Node: c.id, Peer: leader, Partition: p.partition, Offset: p.offset, Prev: int64(p.lost),
		})
	} else {
		how := int64(event.FoundByDuration)
		switch timestamp {
		case kafka.EarliestTimestamp:
			how = event.FoundEarliest
		case kafka.LatestTimestamp:
			how = event.FoundLatest
		}
		c.tellPosition(p, how, out)
	}
	c.stand(p)
}

// askEpochs asks a leader where the epochs end in which the positions were read (KIP-320).
func (c *Consumer) askEpochs(leader kafka.NodeID, out *node.Out) {
	request := &kafka.OffsetForLeaderEpochRequest{}
	for i := range c.positions {
		if p := &c.positions[i]; p.may(validating, leader, out.Now()) {
			p.asked = true
			request.Partitions = append(request.Partitions, kafka.EpochQuestion{
				Partition: p.partition, CurrentLeaderEpoch: p.epoch, LeaderEpoch: p.read,
			})
		}
	}
	if len(request.Partitions) > 0 {
		c.call(leader, node.DataChannel, request, out)
	}
}

func (c *Consumer) epochsAnswered(open *call, ends []kafka.EpochAnswer, out *node.Out) {
	asked := open.body.(*kafka.OffsetForLeaderEpochRequest).Partitions
	cause := out.Cause()
	for i := range ends {
		p := c.position(ends[i].Partition)
		if p.state != validating || !p.asked || p.epoch != asked[i].CurrentLeaderEpoch || p.read != asked[i].LeaderEpoch {
			continue
		}
		out.BecauseExactly(cause)
		if ends[i].Error != kafka.None {
			c.askAgain(p.partition, out.Now()+max(1, c.config.RetryBackoff))
			c.wantMetadata(out)
			continue
		}
		c.validated(p, &ends[i], open.to, out)
	}
}

// validated takes where the epoch of the last record that was read ends with the leader: an end before the position says
// that the log was truncated, and that what was read there is gone (maybeCompleteValidation).
func (c *Consumer) validated(p *position, end *kafka.EpochAnswer, leader kafka.NodeID, out *node.Out) {
	p.checked = p.epoch
	diverges := end.EndOffset == kafka.NoOffset || end.LeaderEpoch == kafka.NoEpoch
	if !diverges && end.EndOffset >= p.offset {
		c.stand(p)
		return
	}
	before := p.offset
	if diverges {
		c.reset(p, before, kafka.LogTruncation, out)
		return
	}
	out.Emit(event.Event{
		Kind: event.PositionTruncated, Node: c.id, Peer: leader, Partition: p.partition, Offset: end.EndOffset,
		Prev: int64(before), Epoch: end.LeaderEpoch,
	})
	if c.config.Reset == kafka.ResetNone {
		p.state = unassigned
		c.fail(kafka.LogTruncation, out)
		return
	}
	p.offset, p.read = end.EndOffset, end.LeaderEpoch
	c.stand(p)
}
