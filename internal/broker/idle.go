package broker

import (
	"replog/internal/fetch"
	"replog/internal/kafka"
	"replog/internal/node"
)

// This file keeps idle fetches from costing anything. A long poll with nothing to tell comes back empty after its wait,
// and the same request is sent again: parked for the wait, two latencies on the way, and so on. Nobody else can see that,
// so it is not sent; the session is Idle from its deadline on, and where its request would be is computed when there is
// news for it. Where both come in one tick, the poll counts as the earlier. kafka.BrokerConfig.IdlePolling sends every
// poll for real; a test holds the two against each other.

// watchQuiet arms the timer for the end of the quiet time.
func (b *Broker) watchQuiet(out *node.Out) {
	if b.quietUntil > 0 && b.quietUntil != kafka.Never {
		out.Timer(b.quietUntil, node.Timer{Kind: timerQuietEnds})
	}
}

// mayIdle reports whether a poll whose wait is over would be answered with nothing, now and until something is appended:
// the other side knows the high watermark, which can not move without an append, and a follower's fetches change no ISR. A
// reader with read_committed may hear of a high watermark and yet get nothing.
func (b *Broker) mayIdle(s *fetch.Session, now kafka.Tick) bool {
	if now >= b.quietUntil || s.Awaited || s.Isolation == kafka.ReadCommitted && len(b.plan.Transactionals) > 0 ||
		b.config.Rules.LagByTimeAlone || b.config.Rules.ReadToLogEnd { // an empty fetch counts, or an append answers a reader
		return false
	}
	for i := range s.Positions {
		position := &s.Positions[i]
		p := b.parts[position.Partition]
		if p == nil || !p.agrees(position) || position.SentHighWatermark != p.hw || position.SentLogStart != p.log.StartOffset() {
			return false
		}
		if s.Follower && (p.hw != p.log.EndOffset() || !p.isr.Has(s.From) || p.proposed != 0) {
			return false
		}
	}
	return true
}

// way is how long it takes from an empty answer to the next request.
func (b *Broker) way() kafka.Tick { return 2 * b.plan.Latency.Min }

// round is how long an idle poll takes from one arrival to the next.
func (b *Broker) round(s *fetch.Session) kafka.Tick { return max(1, s.MaxWait+b.way()) }

// rouse ends the idleness of a session: it works out where the poll is now. It is parked, which rouse reports, or its
// next request is on the way, and will arrive when it would have.
func (b *Broker) rouse(s *fetch.Session, out *node.Out) bool {
	now := out.Now()
	since, round := now-s.Deadline, b.round(s)
	begun := s.Deadline + since/round*round // when the latest empty answer left
	if since%round == 0 && since > 0 {
		begun -= round // the wait ends at the end of this tick, behind the messages
	}
	arrived := begun + b.way()
	s.Idle = false
	parked := now >= arrived && !(now == s.Deadline && b.way() == 0)
	if parked {
		s.Deadline = arrived + s.MaxWait
		b.watchFetch(s, out)
		b.caughtUp(s, arrived)
		return true
	}
	b.caughtUp(s, arrived-round)
	s.Parked, s.Arriving = false, true
	cause := out.Cause()
	out.BecauseExactly(s.Cause)
	out.Arrival(arrived, node.Timer{Kind: timerFetchArrives, Arg: int32(s.From)})
	out.BecauseExactly(cause)
	return false
}

// caughtUp notes the latest of the fetches that were not sent: the follower had everything then.
func (b *Broker) caughtUp(s *fetch.Session, at kafka.Tick) {
	for i := range s.Positions {
		p := b.parts[s.Positions[i].Partition]
		if f := p.follower(s.From); f != nil && s.Follower && p.leading {
			f.lastCaughtUp, f.lastFetch = max(f.lastCaughtUp, at), max(f.lastFetch, at)
		}
	}
}

// rouseAll lets every idle poll go round for real, after something that an empty answer would carry, or that only a real
// request can meet.
func (b *Broker) rouseAll(out *node.Out) {
	for i := range b.sessions {
		if b.sessions[i].Idle {
			b.rouse(&b.sessions[i], out)
		}
	}
}

// awaitFetch lets an idle poll go round for real because its sender waits for it, to ask for other partitions.
func (b *Broker) awaitFetch(from kafka.NodeID, out *node.Out) {
	for i := range b.sessions {
		if s := &b.sessions[i]; s.From == from {
			s.Awaited = true
			if s.Idle {
				b.rouse(s, out)
			}
		}
	}
}

// arriveFetch serves the request that rouse found on its way.
func (b *Broker) arriveFetch(from kafka.NodeID, now kafka.Tick, out *node.Out) {
	if s := b.session(from); s.Arriving {
		s.Arriving = false
		b.serveFetch(s, now, out)
	}
}
