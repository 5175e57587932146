package client

import (
	"cmp"
	"slices"

	"replog/internal/kafka"
	"replog/internal/node"
)

// stuck is the partition to which a topic's records go at present whose keys decide nothing.
type stuck struct {
	topic kafka.PartitionID // the topic's first partition
	at    int32             // index into the topic's partitions
	since kafka.Tick
	bytes int64
}

// choose is the index of a record's partition in its topic: by its key, or the partition that was drawn lately.
func (p *Producer) choose(in *node.Input) int32 {
	count := int32(len(in.Topic))
	if p.config.RoundRobin {
		return p.nextInTurn(in)
	}
	if p.config.Sticky == kafka.StickyNever || !p.table.Random(in.Record.Key) {
		return p.table.Choose(in.Record.Key, count, in.Draw)
	}
	for i := range p.stuck {
		if s := &p.stuck[i]; s.topic == in.Topic[0] {
			if p.isOver(s, in) {
				*s = stuck{topic: s.topic, at: p.draw(in), since: in.Now}
			}
			s.bytes += int64(in.Record.Size)
			return s.at
		}
	}
	p.stuck = append(p.stuck, stuck{topic: in.Topic[0], at: p.draw(in), since: in.Now, bytes: int64(in.Record.Size)})
	return p.stuck[len(p.stuck)-1].at
}

// nextInTurn goes round the partitions that have a leader, or all where none has (RoundRobinPartitioner).
func (p *Producer) nextInTurn(in *node.Input) int32 {
	at := slices.IndexFunc(p.stuck, func(s stuck) bool { return s.topic == in.Topic[0] })
	if at < 0 {
		at = len(p.stuck)
		p.stuck = append(p.stuck, stuck{topic: in.Topic[0]})
	}
	turn := p.stuck[at].at
	p.stuck[at].at++
	var available []int32
	for i, id := range in.Topic {
		if p.leaders[id].Leader != kafka.NoNode {
			available = append(available, int32(i))
		}
	}
	if len(available) == 0 {
		return turn % int32(len(in.Topic))
	}
	return available[turn%int32(len(available))]
}

// isOver reports whether another partition is drawn for this record (rd_kafka_topic_partition_available and
// rktp sticky linger; StickyPartitionCache.nextPartition, BuiltInPartitioner.updatePartitionInfo).
func (p *Producer) isOver(s *stuck, in *node.Input) bool {
	switch p.config.Sticky {
	case kafka.StickyForTime:
		return in.Now-s.since >= p.config.StickyTicks
	case kafka.StickyForBytes:
		return s.bytes >= int64(cmp.Or(p.config.StickyBytes, p.config.BatchBytes))
	}
	q := &p.queues[in.Topic[s.at]]
	return q.length() == 0 || q.full(p.config.BatchRecords, int64(p.config.BatchBytes))
}

// draw picks a partition by chance, and takes the next one that has a leader where it has none.
func (p *Producer) draw(in *node.Input) int32 {
	count := int32(len(in.Topic))
	if at, ok := p.drawByLoad(in); ok {
		return at
	}
	drawn := int32(in.Draw % uint64(count))
	for i := range count {
		at := (drawn + i) % count
		if p.leaders[in.Topic[at]].Leader != kafka.NoNode {
			return at
		}
	}
	return drawn
}

// drawByLoad weighs the partitions that have a leader by how few batches wait for them: with 0, 3 and 1 waiting they weigh 4,
// 1 and 3. It leaves the draw to chance alone where that says nothing (BuiltInPartitioner.updatePartitionLoadStats).
func (p *Producer) drawByLoad(in *node.Input) (at int32, ok bool) {
	if !p.config.Adaptive || p.config.Sticky != kafka.StickyForBytes || len(in.Topic) < 2 {
		return 0, false
	}
	most, least, total := uint64(0), ^uint64(0), uint64(0)
	without := false
	for _, id := range in.Topic {
		if p.leaders[id].Leader == kafka.NoNode {
			without = true
			continue
		}
		n := p.queues[id].batches(int64(p.config.BatchBytes))
		most, least = max(most, n), min(least, n)
	}
	if least > most || least == most && !without { // nobody leads anything, or all are alike
		return 0, false
	}
	weight := func(id kafka.PartitionID) uint64 {
		if p.leaders[id].Leader == kafka.NoNode {
			return 0
		}
		return most + 1 - p.queues[id].batches(int64(p.config.BatchBytes))
	}
	for _, id := range in.Topic {
		total += weight(id)
	}
	drawn := in.Draw % total
	for i, id := range in.Topic {
		w := weight(id)
		if drawn < w {
			return int32(i), true
		}
		drawn -= w
	}
	return 0, false
}

// batches is how many batches wait in the queue.
func (q *queue) batches(size int64) uint64 {
	return uint64(len(q.retries)) + uint64((q.bytes+size-1)/max(1, size))
}
