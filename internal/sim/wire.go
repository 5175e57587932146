package sim

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/network"
	"replog/internal/node"
	"replog/internal/plan"
)

// breakConnection ends a connection between two that both live on; each hears of it one latency later.
func (c *Cluster) breakConnection(conn *network.Conn, cause event.Seq) {
	if conn.Dead {
		return
	}
	c.net.Break(conn)
	at := c.queue.now + c.net.OneWay()
	c.queue.push(at, classMessage, &item{kind: itemReset, conn: conn.ID, cause: cause})
	c.queue.push(at, classMessage, &item{kind: itemDisconnected, conn: conn.ID, cause: cause})
}

// silence makes the connections of a fault carry nothing more.
func (c *Cluster) silence(f *plan.Fault, cause event.Seq) {
	for _, id := range c.net.Silence(&f.Match) {
		conn := c.net.Conn(id)
		c.out.Because(cause)
		c.out.Emit(event.Event{Kind: event.ConnectionSilenced, Node: conn.Client, Peer: conn.Server})
	}
}

// rewriteAnswer puts an error in the place of the results of a produce response that a fault concerns.
func (c *Cluster) rewriteAnswer(conn *network.Conn, m *network.Message) {
	answer, produced := m.Body.(*kafka.ProduceResponse)
	if !produced {
		return
	}
	code, hit := c.net.Rewrites(conn, m)
	if !hit {
		return
	}
	rewritten := &kafka.ProduceResponse{}
	for i := range answer.Results {
		result := answer.Results[i]
		result.Error, result.BaseOffset = code, kafka.NoOffset
		rewritten.Results = append(rewritten.Results, result)
		c.out.Because(m.Cause)
		m.Cause = c.tellRewritten(conn, result.Partition, code, m.Cause)
	}
	m.Body = rewritten
}

func (c *Cluster) tellRewritten(conn *network.Conn, p kafka.PartitionID, code kafka.ErrorCode, cause event.Seq) event.Seq {
	told := c.out.Emit(event.Event{
		Kind: event.AnswerRewritten, Node: conn.Server, Peer: conn.Client, Partition: p, Error: code, Cause: cause,
	})
	if told == 0 {
		return cause
	}
	return told
}

// refuse answers a produce request with an error in the broker's place, where a fault says so; nothing is written.
func (c *Cluster) refuse(conn *network.Conn, m *network.Message) bool {
	request, produce := m.Body.(*kafka.ProduceRequest)
	if !produce {
		return false
	}
	code, hit := c.net.Rewrites(conn, m)
	if !hit {
		return false
	}
	c.begin(m.Cause)
	answer := &kafka.ProduceResponse{}
	for i := range request.Batches {
		b := &request.Batches[i]
		answer.Results = append(answer.Results, kafka.ProduceResult{Partition: b.Partition, Error: code, BaseOffset: kafka.NoOffset})
		c.out.BecauseOfInput()
		c.tellRewritten(conn, b.Partition, code, m.Cause)
		c.out.EmitRecords(event.Event{
			Kind: event.ProduceRefused, Node: conn.Server, Peer: conn.Client, Partition: b.Partition, Error: code,
		}, b.Records)
	}
	reply := node.Effect{Kind: node.SendReply, Reply: node.Reply{Conn: m.Conn, Corr: m.Corr}, Body: answer, Cause: c.out.Cause()}
	if request.Acks == kafka.AcksNone {
		reply.Body = nil
	}
	c.sendReply(&reply)
	c.flush()
	return true
}
