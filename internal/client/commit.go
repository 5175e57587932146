package client

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// commitReason says who wants a commit, and with it how hard it is tried.
type commitReason uint8

const (
	// commitInterval is enable.auto.commit, every auto.commit.interval.ms: tried once.
	commitInterval commitReason = iota
	// commitAsync is the application's commitAsync(): tried once.
	commitAsync
	// commitSync is the application's commitSync(), which waits.
	commitSync
	// commitRebalance and commitClose are enable.auto.commit before the member lets go of partitions.
	commitRebalance
	commitClose
)

// once reports whether a commit is given up after the first error; the others are tried until their time is over.
func (r commitReason) once() bool { return r <= commitAsync }

// commit is one that is being tried: its request is in flight, or waits for the coordinator or for retry.backoff.ms.
type commit struct {
	offsets  []kafka.PartitionOffset
	deadline kafka.Tick
	retryAt  kafka.Tick
	corr     uint32 // of its request, 0 while none is in flight
	reason   commitReason
}

// consumed is where the member stands in all its partitions: behind everything that polls have handed out so far.
func (c *Consumer) consumed() []kafka.PartitionOffset {
	var offsets []kafka.PartitionOffset
	for _, id := range c.group.owned {
		if p := c.position(id); p != nil && p.offset != kafka.NoOffset {
			offsets = append(offsets, kafka.PartitionOffset{Partition: id, Offset: p.offset, LeaderEpoch: p.read})
		}
	}
	return offsets
}

// hasMoved reports whether some position is not the one that is committed.
func (c *Consumer) hasMoved() bool {
	for _, id := range c.group.owned {
		p := c.position(id)
		if p == nil {
			continue
		}
		at := p.offset
		if c.config.Covers != kafka.CoversPolled {
			at = p.stored.Offset
		}
		if at != kafka.NoOffset && at != p.committed {
			return true
		}
	}
	return false
}

// autoCommit commits what earlier polls have handed out, when auto.commit.interval.ms have passed
// (maybeAutoCommitOffsetsAsync). The client does so also when nothing has moved; that is left out here.
func (c *Consumer) autoCommit(out *node.Out) {
	now, g := out.Now(), &c.group
	if !c.config.AutoCommit || now < g.nextCommit || c.mayCommit() != kafka.None {
		return
	}
	every := max(1, c.config.AutoCommitTicks)
	if !c.hasMoved() {
		g.nextCommit += ((now-g.nextCommit)/every + 1) * every
		return
	}
	g.nextCommit = now + every
	c.startCommit(c.covered(), commitInterval, out)
}

// commitBeforeRevoke is the commit before a rebalance takes partitions away: that of enable.auto.commit, or the
// application's, in its callback, where the partitions to go are known.
func (c *Consumer) commitBeforeRevoke(known bool, out *node.Out) {
	switch {
	case c.config.AutoCommit:
		c.startCommit(c.covered(), commitRebalance, out)
	case c.config.CommitsOnRevoke && known:
		c.startCommit(c.consumed(), commitRebalance, out)
	}
}

// commitRevoked is the application's commit, in its callback, of what a cooperative rebalance takes from it. Its request
// is on its way before the next JoinGroup, so nothing has to wait for the answer.
func (c *Consumer) commitRevoked(out *node.Out) {
	if c.config.CommitsOnRevoke {
		revoked := slices.DeleteFunc(c.consumed(), func(o kafka.PartitionOffset) bool {
			return slices.Contains(c.group.assignment, o.Partition)
		})
		c.startCommit(revoked, commitAsync, out)
	}
}

// startCommit begins to try a commit. Without an offset there is nothing to do.
func (c *Consumer) startCommit(offsets []kafka.PartitionOffset, reason commitReason, out *node.Out) {
	if len(offsets) == 0 {
		return
	}
	limit := c.config.APITimeout
	switch reason {
	case commitRebalance:
		limit = c.config.RebalanceTimeout
	case commitClose:
		limit = c.ticks(closeMillis)
	}
	c.commits = append(c.commits, commit{offsets: offsets, reason: reason, deadline: c.later(out.Now(), limit)})
	c.tryCommits(out)
}

// committing reports whether a commit for a reason is still being tried.
func (c *Consumer) committing(reason commitReason) bool {
	return slices.ContainsFunc(c.commits, func(open commit) bool { return open.reason == reason })
}

// tryCommits sends the commits that may be sent, and ends those whose time is over.
func (c *Consumer) tryCommits(out *node.Out) {
	now := out.Now()
	for i := 0; i < len(c.commits); i++ {
		open := &c.commits[i]
		code := kafka.None
		switch {
		case now >= open.deadline:
			code = kafka.RequestTimedOut
		case open.corr != 0 || now < open.retryAt:
			continue
		default:
			code = c.mayCommit()
		}
		if code != kafka.None {
			c.endCommit(i, withError(open.offsets, code), c.group.coordinator, out)
			i--
			continue
		}
		if c.findCoordinator(out); c.group.coordinator != kafka.NoNode {
			open.corr = c.sendCommit(open.offsets, out)
		}
	}
}

// mayCommit is the error that the client itself answers a commit with: one that is in no group cannot commit, and one
// that joins must first have its new generation (ConsumerCoordinator.sendOffsetCommitRequest).
func (c *Consumer) mayCommit() kafka.ErrorCode {
	g := &c.group
	if c.config.Protocol == kafka.ConsumerProtocol {
		if g.generation <= 0 {
			return kafka.UnknownMemberID
		}
		return kafka.None
	}
	switch g.state {
	case stable:
		return kafka.None
	case unjoined:
		return kafka.UnknownMemberID
	}
	return kafka.RebalanceInProgress
}

func (c *Consumer) sendCommit(offsets []kafka.PartitionOffset, out *node.Out) uint32 {
	return c.call(c.group.coordinator, node.GroupChannel, &kafka.OffsetCommitRequest{
		MemberID: c.group.member, InstanceID: c.config.InstanceID, Generation: c.group.generation,
		Group: c.spec.Group, Offsets: offsets,
	}, out)
}

func withError(offsets []kafka.PartitionOffset, code kafka.ErrorCode) []kafka.PartitionOffset {
	answered := slices.Clone(offsets)
	for i := range answered {
		answered[i].Error = code
	}
	return answered
}

// commitAnswered takes the answer to a commit: done, to be tried again, or failed.
func (c *Consumer) commitAnswered(results []kafka.PartitionOffset, open *call, out *node.Out) {
	code := worst(results)
	c.heedCommitError(code, open, out)
	at := slices.IndexFunc(c.commits, func(tried commit) bool { return tried.corr == open.corr })
	if at < 0 {
		return
	}
	tried := &c.commits[at]
	if c.retriesCommit(tried.reason, code) {
		tried.corr, tried.retryAt = 0, out.Now()+max(1, c.config.RetryBackoff)
		if latest := c.covered(); tried.reason == commitRebalance && c.config.AutoCommit && len(latest) > 0 {
			tried.offsets = latest
		}
		return
	}
	if tried.reason == commitInterval && code.Retriable() { // nobody is told: it is soon tried again
		c.group.nextCommit = min(c.group.nextCommit, out.Now()+max(1, c.config.RetryBackoff))
		c.commits = slices.Delete(c.commits, at, at+1)
		return
	}
	c.endCommit(at, withOffsets(results, tried.offsets), open.to, out)
}

// withOffsets gives results the offsets that they are about.
func withOffsets(results, offsets []kafka.PartitionOffset) []kafka.PartitionOffset {
	ended := slices.Clone(offsets)
	for i := range ended {
		ended[i].Error = results[i].Error
	}
	return ended
}

// worst is the first error among results.
func worst(results []kafka.PartitionOffset) kafka.ErrorCode {
	for i := range results {
		if results[i].Error != kafka.None {
			return results[i].Error
		}
	}
	return kafka.None
}

// retriesCommit reports whether a commit that is waited for is tried again after an error. Before a rebalance a KIP-848
// member whose epoch has changed meanwhile tries with the new one; the application is told
// (CommitRequestManager.isStaleEpochErrorAndValidEpochAvailable).
func (c *Consumer) retriesCommit(reason commitReason, code kafka.ErrorCode) bool {
	if code == kafka.StaleMemberEpoch {
		return reason == commitRebalance && c.group.generation > joiningEpoch
	}
	return !reason.once() && code.Retriable()
}

// heedCommitError draws from the error of a commit what it says about the membership (OffsetCommitResponseHandler).
func (c *Consumer) heedCommitError(code kafka.ErrorCode, open *call, out *node.Out) {
	if code == kafka.RequestTimedOut {
		c.loseCoordinator(out)
		return
	}
	if c.deniesCoordinator(code, out) || c.config.Protocol == kafka.ConsumerProtocol {
		return
	}
	switch code {
	case kafka.RebalanceInProgress:
		if c.group.state == stable {
			c.group.rejoin = true
		}
	case kafka.UnknownMemberID, kafka.IllegalGeneration, kafka.FencedInstanceID:
		c.removed(code, open, out)
	}
}

// endCommit tells what came of a commit, and lets go on who waited for it.
func (c *Consumer) endCommit(at int, results []kafka.PartitionOffset, coordinator kafka.NodeID, out *node.Out) {
	reason := c.commits[at].reason
	c.commits = slices.Delete(c.commits, at, at+1)
	cause := out.Cause()
	for i := range results {
		r := &results[i]
		e := event.Event{
			Kind: event.OffsetCommitted, Node: c.id, Peer: coordinator, Partition: r.Partition, Offset: r.Offset, Value: int64(c.spec.Group),
		}
		if r.Error != kafka.None {
			e.Kind, e.Error = event.OffsetCommitFailed, r.Error
		} else if p := c.position(r.Partition); p != nil && p.state != unassigned {
			p.committed = r.Offset
		}
		out.BecauseExactly(cause)
		out.Emit(e)
	}
	if reason == commitSync && c.app.state == committing {
		c.app.state = working
	}
}
