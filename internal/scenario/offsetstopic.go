package scenario

import (
	"fmt"
	"slices"

	"replog/internal/kafka"
	"replog/internal/plan"
)

const (
	offsetsTopicName = "__consumer_offsets"
	// offsetsSegmentBytes is the default of offsets.topic.segment.bytes: 100 MiB, so that it is soon compacted.
	offsetsSegmentBytes = 100 << 20
)

// offsetsTopic is what the brokers' settings say of __consumer_offsets.
type offsetsTopic struct{ partitions, factor int32 }

// consumerGroup is a group on its way into the plan.
type consumerGroup struct {
	hosted kafka.NodeID // the broker that the author wants to coordinate it; NoNode for any
	said   *node        // where
}

// groupFields are the brokers' settings of groups; a scenario without groups does without their defaults.
var groupFields = []field[clusterConfig]{
	{"group.initial.rebalance.delay.ms", func(c *clusterConfig) any { return &c.group.InitialRebalanceDelay }},
	{"group.min.session.timeout.ms", func(c *clusterConfig) any { return &c.group.MinSessionTimeout }},
	{"group.max.session.timeout.ms", func(c *clusterConfig) any { return &c.group.MaxSessionTimeout }},
	{"group.consumer.session.timeout.ms", func(c *clusterConfig) any { return &c.group.ConsumerSession }},
	{"group.consumer.heartbeat.interval.ms", func(c *clusterConfig) any { return &c.group.ConsumerHeartbeat }},
	{"group.consumer.assignors", func(c *clusterConfig) any { return &c.group.ConsumerAssignors }},
	{"offsets.retention.minutes", func(c *clusterConfig) any { return &c.group.OffsetsRetention }},
	{"offsets.retention.check.interval.ms", func(c *clusterConfig) any { return &c.group.OffsetsRetentionCheck }},
	{"offsets.commit.timeout.ms", func(c *clusterConfig) any { return &c.group.CommitTimeout }},
	{"offsets.topic.num.partitions", func(c *clusterConfig) any { return &c.offsets.partitions }},
	{"offsets.topic.replication.factor", func(c *clusterConfig) any { return &c.offsets.factor }},
}

// addOffsetsTopic puts those partitions of __consumer_offsets into the cluster that a group falls into, behind all others,
// and gives each group its coordinator.
func (c *compiler) addOffsetsTopic() {
	if len(c.names.Groups) == 0 {
		return
	}
	c.plan.Group.NewMemberJoin = c.clock.roundUp(5 * 60_000 * millisecond)
	var numbers []int
	for _, group := range c.names.Groups {
		numbers = append(numbers, kafka.CoordinatorPartition(group, int(max(1, c.offsets.partitions))))
	}
	used := slices.Clone(numbers)
	slices.Sort(used)
	used = slices.Compact(used)
	first := kafka.PartitionID(len(c.plan.Partitions))
	for _, number := range used {
		c.plan.Partitions = append(c.plan.Partitions, plan.Partition{
			Replicas: c.offsetsReplicas(number, numbers), Topic: kafka.TopicID(len(c.names.Topics)), Config: c.offsetsConfig(),
		})
	}
	for _, number := range numbers {
		home := first + kafka.PartitionID(slices.Index(used, number))
		c.plan.Groups = append(c.plan.Groups, plan.Group{Coordinator: home})
		c.names.GroupHomes = append(c.names.GroupHomes, home)
	}
	c.names.Topics = append(c.names.Topics,
		kafka.TopicName{Name: offsetsTopicName, Partitions: len(used), Numbers: used, Internal: true})
}

// offsetsReplicas are the replicas of a partition of __consumer_offsets: dealt out in turn, from the broker on that an
// author wants to be the coordinator.
func (c *compiler) offsetsReplicas(number int, numbers []int) []kafka.NodeID {
	brokers := len(c.plan.Brokers)
	first, said := number%brokers, (*node)(nil)
	for g, of := range numbers {
		switch at := int(c.groups[g].hosted) - 1; {
		case of != number || c.groups[g].hosted == kafka.NoNode:
		case said != nil && at != first:
			c.report(c.groups[g].said, "one broker coordinates all groups of a partition",
				"the group shares %s-%d with another, whose coordinator is %s", offsetsTopicName, number, said.text)
		default:
			first, said = at, c.groups[g].said
		}
	}
	var replicas []kafka.NodeID
	for i := range min(int(c.offsets.factor), brokers) {
		replicas = append(replicas, c.plan.Brokers[(first+i)%brokers].ID)
	}
	return replicas
}

// offsetsConfig is the configuration of __consumer_offsets (GroupCoordinator.groupMetadataTopicConfigs).
func (c *compiler) offsetsConfig() kafka.TopicConfig {
	config := c.topicDefaults
	config.Log.Delete, config.Log.Compact, config.Log.SegmentBytes = false, true, offsetsSegmentBytes
	return config
}

// checkOffsetsTopic refuses a replication factor that the brokers can not give, as they do.
func (c *compiler) checkOffsetsTopic(set given) {
	n := set["offsets.topic.replication.factor"]
	if brokers := len(c.plan.Brokers); n != nil && int(c.offsets.factor) > brokers {
		c.report(n, fmt.Sprintf("at most %d", brokers), "offsets.topic.replication.factor=%d: there are %d brokers, so %s could "+
			"not be made", c.offsets.factor, brokers, offsetsTopicName)
	}
}
