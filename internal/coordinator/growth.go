package coordinator

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// noticePartitions raises the group epoch when the topics that the group subscribes to have other partitions than those
// its epoch goes by: an operator has added some, perhaps while another broker was the coordinator
// (GroupMetadataManager.hasMetadataExpired and what follows).
func (s *step) noticePartitions(g *group) {
	hash, partitions := s.metadataOf(g)
	if hash == g.consumer.metadataHash {
		return
	}
	s.emit(g, event.Event{Kind: event.PartitionsNoticed, Count: int32(partitions)})
	s.raiseEpoch(g, s.setting.Host)
}

// metadataOf sums up how many partitions the topics have that members of the group subscribe to, and counts them.
func (c *Groups) metadataOf(g *group) (hash int64, partitions int) {
	const prime = 1099511628211
	for i := range c.setting.Topics {
		if n := len(c.setting.Topics[i].Partitions); n > 0 && g.subscribes(kafka.TopicID(i)) {
			hash = (hash*prime+int64(i)+1)*prime + int64(n)
			partitions += n
		}
	}
	return hash, partitions
}
