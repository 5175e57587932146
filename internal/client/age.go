package client

import (
	"replog/internal/kafka"
	"replog/internal/node"
)

// This file is for topics that grow: a producer knows only the partitions that metadata has told it of, and asks again every
// metadata.max.age.ms. In all other runs nothing depends on that, and it does not ask.

// known are the partitions of a topic that the producer knows of.
func (p *Producer) known(topic []kafka.PartitionID) []kafka.PartitionID {
	n := len(topic)
	for n > 1 && p.added[topic[n-1]] && p.leaders[topic[n-1]].Epoch == kafka.NoEpoch {
		n--
	}
	return topic[:n]
}

// watchAge arms the timer for the age of the metadata.
func (p *Producer) watchAge(since kafka.Tick, out *node.Out) {
	if p.added != nil && p.config.MetadataMaxAge > 0 {
		out.Timer(since+p.config.MetadataMaxAge, node.Timer{Kind: timerAge})
	}
}

// refresh asks for metadata that has become too old (Metadata.timeToNextUpdate).
func (p *Producer) refresh(now kafka.Tick, out *node.Out) {
	since := p.metadata.fresh
	if now-since >= p.config.MetadataMaxAge {
		p.askMetadata(now, out)
		since = now
	}
	p.watchAge(since, out)
}
