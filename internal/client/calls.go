package client

import (
	"slices"

	"replog/internal/kafka"
	"replog/internal/node"
)

// call is a request of a consumer, other than Fetch and Metadata, that has no answer yet.
type call struct {
	body       kafka.Body
	deadline   kafka.Tick // request.timeout.ms
	corr       uint32
	generation int32 // in which it was sent
	to         kafka.NodeID
	channel    node.Channel
}

// call sends a request and returns its number.
func (c *Consumer) call(to kafka.NodeID, channel node.Channel, body kafka.Body, out *node.Out) uint32 {
	c.corr++
	limit := c.config.AnswerTimeout
	if join, ok := body.(*kafka.JoinGroupRequest); ok && limit > 0 {
		// It is answered when the others have joined (AbstractCoordinator.JOIN_GROUP_TIMEOUT_LAPSE).
		limit = max(limit, c.later(c.ticks(5000), join.RebalanceTimeout))
	}
	c.calls = append(c.calls, call{
		body: body, corr: c.corr, to: to, channel: channel, generation: c.group.generation, deadline: c.later(out.Now(), limit),
	})
	out.Request(to, channel, c.corr, body)
	return c.corr
}

// later is a point in time after a span that may be endless.
func (c *Consumer) later(now, span kafka.Tick) kafka.Tick {
	if span <= 0 || span >= kafka.Never-now {
		return kafka.Never
	}
	return now + span
}

// inCall reports whether a request of a kind is under way.
func (c *Consumer) inCall(kind kafka.MessageKind) bool {
	return slices.ContainsFunc(c.calls, func(open call) bool { return open.body.Kind() == kind })
}

// answered takes the request off the list that a response answers; ok is false for a second copy of an answer, and for one
// that was given up.
func (c *Consumer) answered(in *node.Input) (answered call, ok bool) {
	for i := range c.calls {
		if open := &c.calls[i]; open.corr == in.Corr && open.channel == in.Channel && open.to == in.From {
			answered = *open
			c.calls = slices.Delete(c.calls, i, i+1)
			return answered, true
		}
	}
	return call{}, false
}

func (c *Consumer) handleResponse(in *node.Input, out *node.Out) {
	switch body := in.Body.(type) {
	case *kafka.FetchResponse:
		c.handleFetched(in, body, out)
		return
	case *kafka.MetadataResponse:
		c.handleMetadata(body, out)
		return
	}
	open, ok := c.answered(in)
	if !ok {
		return
	}
	switch body := in.Body.(type) {
	case *kafka.FindCoordinatorResponse:
		c.coordinatorFound(body, out)
	case *kafka.JoinGroupResponse:
		c.joined(body, &open, out)
	case *kafka.SyncGroupResponse:
		c.synced(body, &open, out)
	case *kafka.HeartbeatResponse:
		c.heartbeatAnswered(body.Error, &open, out)
	case *kafka.LeaveGroupResponse:
		c.app.left = true
	case *kafka.ConsumerGroupHeartbeatResponse:
		c.heartbeatHeard(body, &open, out)
	case *kafka.OffsetCommitResponse:
		c.commitAnswered(body.Results, &open, out)
	case *kafka.OffsetFetchResponse:
		c.offsetsFetched(body.Offsets, body.Error, &open, out)
	case *kafka.ListOffsetsResponse:
		c.offsetsListed(&open, body.Partitions, out)
	case *kafka.OffsetForLeaderEpochResponse:
		c.epochsAnswered(&open, body.Ends, out)
	}
}

// unanswered is what becomes of a request whose connection is gone.
func (c *Consumer) unanswered(open *call, out *node.Out) {
	const code = kafka.NetworkException
	retry := out.Now() + c.config.RetryBackoff
	switch body := open.body.(type) {
	case *kafka.FindCoordinatorRequest:
	case *kafka.JoinGroupRequest:
		c.joined(&kafka.JoinGroupResponse{Error: code}, open, out)
	case *kafka.SyncGroupRequest:
		c.synced(&kafka.SyncGroupResponse{Error: code}, open, out)
	case *kafka.HeartbeatRequest:
		c.heartbeatAnswered(code, open, out)
	case *kafka.LeaveGroupRequest:
		c.app.left = true
	case *kafka.ConsumerGroupHeartbeatRequest:
		c.heartbeatHeard(&kafka.ConsumerGroupHeartbeatResponse{Error: code}, open, out)
	case *kafka.OffsetCommitRequest:
		c.commitAnswered(withError(body.Offsets, code), open, out)
	case *kafka.OffsetFetchRequest:
		c.offsetsFetched(nil, code, open, out)
	case *kafka.ListOffsetsRequest:
		for i := range body.Partitions {
			c.askAgain(body.Partitions[i].Partition, retry)
		}
	case *kafka.OffsetForLeaderEpochRequest:
		for i := range body.Partitions {
			c.askAgain(body.Partitions[i].Partition, retry)
		}
	}
}

// dropCalls gives up all requests on one connection.
func (c *Consumer) dropCalls(channel node.Channel, to kafka.NodeID, out *node.Out) {
	var lost []call
	c.calls = slices.DeleteFunc(c.calls, func(open call) bool {
		if open.channel != channel || open.to != to {
			return false
		}
		lost = append(lost, open)
		return true
	})
	for i := range lost {
		c.unanswered(&lost[i], out)
	}
}

// expireCalls closes each connection on which a request has had no answer for request.timeout.ms (NetworkClient).
func (c *Consumer) expireCalls(out *node.Out) {
	now := out.Now()
	for {
		at := slices.IndexFunc(c.calls, func(open call) bool { return open.deadline <= now })
		if at < 0 {
			break
		}
		c.hangUp(c.calls[at].channel, c.calls[at].to, out)
	}
	for i := range c.sessions {
		if s := &c.sessions[i]; s.InFlight && s.deadline <= now {
			c.hangUp(node.DataChannel, s.Source, out)
		}
	}
	if c.metadata.inFlight && c.metadata.deadline <= now {
		c.hangUp(node.ControlChannel, c.metadata.brokers[c.metadata.next], out)
	}
}

func (c *Consumer) hangUp(channel node.Channel, to kafka.NodeID, out *node.Out) {
	out.Close(to, channel)
	c.connectionLost(channel, to, false, out)
}

// connectionLost gives up what was on a connection, and goes on from there.
func (c *Consumer) connectionLost(channel node.Channel, broker kafka.NodeID, refused bool, out *node.Out) {
	switch channel {
	case node.ControlChannel:
		c.controlLost(broker, out)
	case node.GroupChannel:
		if c.group.coordinator == broker {
			c.group.coordinator = kafka.NoNode
			if refused { // the one who named it does not know yet that it is away
				c.group.findAt = out.Now() + c.config.RetryBackoff
			}
		}
		c.dropCalls(channel, broker, out)
	case node.DataChannel:
		if s := c.session(broker); !s.blocked {
			c.lose(s, c.config.RetryBackoff, timerConsumerFetch, out)
		}
		c.dropCalls(channel, broker, out)
		if !refused {
			c.wantMetadata(out)
		}
		c.askLater(out)
	}
}

// controlLost asks the next broker what this one left open, at once as long as there is one that was not tried.
func (c *Consumer) controlLost(broker kafka.NodeID, out *node.Out) {
	asked := c.metadata.inFlight
	c.dropCalls(node.ControlChannel, broker, out)
	more := c.metadata.lost()
	if !more {
		c.group.findAt = out.Now() + c.config.RetryBackoff
		c.metadata.wanted = c.metadata.wanted || asked
		c.metadata.later(out.Now()+c.config.MetadataRetry, timerConsumerMetadata, out)
	} else if asked {
		c.askMetadata(out)
	}
}
