package scenario

import (
	"slices"

	"replog/internal/kafka"
	"replog/internal/plan"
)

// tenant is what has a coordinator: a consumer group or a transactional.id.
type tenant struct {
	name   string
	hosted kafka.NodeID // the broker that the author wants to coordinate it; NoNode for any
	said   *node        // where
}

// internalTopic is a topic that Kafka makes for itself, in which tenants find their coordinators.
type internalTopic struct {
	name       string
	partitions int // how many it has, of which only those are simulated that a tenant falls into
	factor     int // replication factor
	tenants    string
	config     kafka.TopicConfig
}

// addInternalTopic puts those partitions of an internal topic into the cluster that a tenant falls into, behind all others,
// and returns the one of each tenant.
func (c *compiler) addInternalTopic(t *internalTopic, tenants []tenant) []kafka.PartitionID {
	var numbers []int
	for i := range tenants {
		numbers = append(numbers, kafka.CoordinatorPartition(tenants[i].name, max(1, t.partitions)))
	}
	used := slices.Clone(numbers)
	slices.Sort(used)
	used = slices.Compact(used)
	first := kafka.PartitionID(len(c.plan.Partitions))
	for _, number := range used {
		c.plan.Partitions = append(c.plan.Partitions, plan.Partition{
			Replicas: c.internalReplicas(t, number, numbers, tenants), Topic: kafka.TopicID(len(c.names.Topics)), Config: t.config,
		})
	}
	homes := make([]kafka.PartitionID, len(tenants))
	for i, number := range numbers {
		homes[i] = first + kafka.PartitionID(slices.Index(used, number))
	}
	c.names.Topics = append(c.names.Topics,
		kafka.TopicName{Name: t.name, Partitions: len(used), Numbers: used, Internal: true})
	return homes
}

// internalReplicas are the replicas of a partition of an internal topic: dealt out in turn, from the broker on that an
// author wants to be the coordinator.
func (c *compiler) internalReplicas(t *internalTopic, number int, numbers []int, tenants []tenant) []kafka.NodeID {
	brokers := len(c.plan.Brokers)
	first, said := number%brokers, (*node)(nil)
	for i, of := range numbers {
		switch at := int(tenants[i].hosted) - 1; {
		case of != number || tenants[i].hosted == kafka.NoNode:
		case said != nil && at != first:
			c.report(tenants[i].said, "one broker coordinates all "+t.tenants+"s of a partition",
				"the %s shares %s-%d with another, whose coordinator is %s", t.tenants, t.name, number, said.text)
		default:
			first, said = at, tenants[i].said
		}
	}
	var replicas []kafka.NodeID
	for i := range min(t.factor, brokers) {
		replicas = append(replicas, c.plan.Brokers[(first+i)%brokers].ID)
	}
	return replicas
}

// compactedConfig is the configuration of an internal topic: its records count until a later one has their key.
func (c *compiler) compactedConfig() kafka.TopicConfig {
	config := c.topicDefaults
	config.Log.Delete, config.Log.Compact, config.Log.SegmentBytes = false, true, internalSegmentBytes
	return config
}
