package client

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// blocked is a record that its application could not hand over yet: the producer's memory is full.
type blocked struct {
	kafka.Record
	partition kafka.PartitionID
	since     kafka.Tick // when its call began; calls come one after the other
}

// hold counts records in that nobody has been told of, and release counts them out.
func (p *Producer) hold(records int, bytes int64) {
	p.held += int32(records)
	p.heldBytes += bytes
}

func (p *Producer) release(records int, bytes int64) { p.hold(-records, -bytes) }

// fits reports whether there is room for one more record.
func (p *Producer) fits(size int32) bool {
	c := p.config
	return (c.QueueMessages == 0 || p.held < c.QueueMessages) && (c.BufferBytes == 0 || p.heldBytes+int64(size) <= c.BufferBytes)
}

// turnAway is what happens to a record for which there is no room: the Java client's send() blocks for max.block.ms,
// librdkafka's produce() fails at once. An application that hands over again what fails tries until there is room
// (BufferPool.allocate, rd_kafka_msg_new0).
func (p *Producer) turnAway(in *node.Input, id kafka.PartitionID, out *node.Out) {
	b := blocked{Record: in.Record, partition: id, since: in.Now}
	if p.config.MaxBlock == 0 && !p.config.Resends {
		p.refuse(&b, kafka.QueueFull, out)
		return
	}
	if p.blocked = append(p.blocked, b); len(p.blocked) == 1 {
		out.EmitIDs(event.Event{Kind: event.SendBlocked, Node: p.id, Partition: id}, []kafka.RecordID{b.ID})
		p.watchBlocked(out)
	}
}

// refuse tells the application that the producer never took the record.
func (p *Producer) refuse(b *blocked, code kafka.ErrorCode, out *node.Out) {
	sent := p.handOver(&b.Record, b.partition, out)
	out.EmitIDs(event.Event{
		Kind: event.RecordsFailed, Node: p.id, Partition: b.partition, Error: code, About: sent,
	}, []kafka.RecordID{b.ID})
}

// watchBlocked arms the timer that ends the call of the application that has waited longest.
func (p *Producer) watchBlocked(out *node.Out) {
	if p.config.MaxBlock == 0 || p.config.MaxBlock == kafka.Never || len(p.blocked) == 0 {
		return
	}
	out.Timer(p.blocked[0].since+p.config.MaxBlock, node.Timer{Kind: timerBlock})
}

// endBlock fails the call that has waited for max.block.ms; the next one begins.
func (p *Producer) endBlock(now kafka.Tick, out *node.Out) {
	if len(p.blocked) == 0 || p.config.MaxBlock == 0 || now-p.blocked[0].since < p.config.MaxBlock {
		return
	}
	p.refuse(&p.blocked[0], kafka.MessageTimedOut, out)
	p.nextCall(now)
	p.watchBlocked(out)
}

// nextCall lets the application make the call behind the one that has ended.
func (p *Producer) nextCall(now kafka.Tick) {
	p.blocked = append(p.blocked[:0], p.blocked[1:]...)
	if len(p.blocked) > 0 {
		p.blocked[0].since = max(now, p.blocked[0].since)
	}
}

// unblock takes what fits by now, in the order of the calls. delivery.timeout.ms counts from here.
func (p *Producer) unblock(now kafka.Tick, out *node.Out) {
	took := false
	for len(p.blocked) > 0 && p.fits(p.blocked[0].Size) {
		b := p.blocked[0]
		b.Timestamp = now
		out.BecauseOfInput()
		p.accept(&b.Record, b.partition, now, out)
		p.nextCall(now)
		took = true
	}
	if took {
		p.watchBlocked(out)
	}
}
