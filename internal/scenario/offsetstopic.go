package scenario

import (
	"fmt"

	"replog/internal/kafka"
	"replog/internal/plan"
)

const (
	offsetsTopicName = "__consumer_offsets"
	// internalSegmentBytes is the default of offsets.topic.segment.bytes and transaction.state.log.segment.bytes: 100 MiB, so
	// that they are soon compacted.
	internalSegmentBytes = 100 << 20
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
	c.plan.Group.Rules = c.plan.Broker.Rules
	c.plan.Group.NewMemberJoin = c.clock.roundUp(5 * 60_000 * millisecond)
	tenants := make([]tenant, len(c.groups))
	for i := range c.groups {
		tenants[i] = tenant{c.names.Groups[i], c.groups[i].hosted, c.groups[i].said}
	}
	homes := c.addInternalTopic(&internalTopic{
		name: offsetsTopicName, partitions: int(c.offsets.partitions), factor: int(c.offsets.factor), tenants: "group",
		config: c.compactedConfig(), // GroupCoordinator.groupMetadataTopicConfigs
	}, tenants)
	for _, home := range homes {
		c.plan.Groups = append(c.plan.Groups, plan.Group{Coordinator: home})
		c.names.GroupHomes = append(c.names.GroupHomes, home)
	}
}

// checkOffsetsTopic refuses a replication factor that the brokers can not give, as they do.
func (c *compiler) checkOffsetsTopic(set given) {
	n := set["offsets.topic.replication.factor"]
	if brokers := len(c.plan.Brokers); n != nil && int(c.offsets.factor) > brokers {
		c.report(n, fmt.Sprintf("at most %d", brokers), "offsets.topic.replication.factor=%d: there are %d brokers, so %s could "+
			"not be made", c.offsets.factor, brokers, offsetsTopicName)
	}
}
