package client

import "replog/internal/kafka"

// This file is what enable.auto.commit covers. The Java client looks inside of poll(), when all that it has handed out is
// done; the others have a timer, and notes of their own on what may be committed (rd_kafka_offset_store, kgo's dirty
// offsets, Sarama's MarkOffset).

// commitsBeside reports whether the client's own thread makes the auto-commits, whatever its application is at.
func (c *Consumer) commitsBeside() bool {
	return c.config.Covers != kafka.CoversPolled || c.config.CommitsBesidePoll
}

// covered is what an auto-commit commits now.
func (c *Consumer) covered() []kafka.PartitionOffset {
	if c.config.Covers == kafka.CoversPolled {
		return c.consumed()
	}
	var offsets []kafka.PartitionOffset
	for _, id := range c.group.owned {
		if p := c.position(id); p != nil && p.stored.Offset != kafka.NoOffset {
			offsets = append(offsets, p.stored)
		}
	}
	return offsets
}

// storePolled notes what the polls before this one have handed out.
func (c *Consumer) storePolled() {
	if c.config.Covers != kafka.CoversEarlierPolls {
		return
	}
	for i := range c.positions {
		if p := &c.positions[i]; p.state == standing && p.read != kafka.NoEpoch {
			p.stored = kafka.PartitionOffset{Partition: p.partition, Offset: p.offset, LeaderEpoch: p.read}
		}
	}
}

// storeHanded notes what the application gets.
func (c *Consumer) storeHanded(handed []piece) {
	if c.config.Covers != kafka.CoversHandedOut {
		return
	}
	for i := range handed {
		c.store(&handed[i], handed[i].Len())
	}
}

// storeDone notes what the application has done.
func (c *Consumer) storeDone(p *piece, n int) {
	if c.config.Covers == kafka.CoversDone {
		c.store(p, n)
	}
}

func (c *Consumer) store(handed *piece, n int) {
	if p := c.position(handed.partition); p != nil && p.state != unassigned {
		p.stored = handed.end(n)
	}
}

// end is the offset to commit behind the first n records of a piece.
func (p *piece) end(n int) kafka.PartitionOffset {
	return kafka.PartitionOffset{Partition: p.partition, Offset: p.offset + kafka.Offset(n), LeaderEpoch: p.epoch}
}
