package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"replog/internal/kafka"
	"replog/internal/plan"
)

const (
	// maxPartitions bounds the partitions of a cluster.
	maxPartitions = 5000
	// maxOffset leaves every log room to grow.
	maxOffset = 1 << 50
)

// topic is one topic of the scenario: partitions first, first+1, ... of the cluster.
type topic struct {
	name       string
	partitions []kafka.PartitionID // with those that the timeline adds
	first      int                 // how many there are at the start
	exist      int                 // how many there are, as far as the timeline was read
}

func (c *compiler) readBrokers(file block) {
	b := block{c, &node{kind: mapping}, brokersShape}
	if n := file.get("brokers"); n != nil {
		b = c.open(n, brokersShape)
	}
	// Where the count is missing or wrong, which is reported, no broker of the rest of the file shall be.
	count := b.integer("count", int64(kafka.MaxBrokerID), 1, int64(kafka.MaxBrokerID))
	dead := b.integer("dead", 0, 0, count-1)
	c.names.Nodes = append(c.names.Nodes, kafka.NodeName{ID: kafka.ControllerID, Name: "the controller"})
	for id := kafka.NodeID(1); id <= kafka.NodeID(count); id++ {
		c.plan.Brokers = append(c.plan.Brokers, plan.Broker{ID: id, DeadFromStart: int64(id) > count-dead})
		c.names.Nodes = append(c.names.Nodes, kafka.NodeName{ID: id, Name: brokerName(id), Group: "brokers"})
	}
	topicDefaults := kafka.TopicConfig{}
	setDefaults(c, kafka.TopicSetting, kafka.Java40, topicFields, &topicDefaults)
	cluster := clusterConfig{&c.plan.Broker, &c.plan.Controller, &topicDefaults, &c.plan.Group, &c.offsets, &c.plan.Transaction, &c.states}
	scope := kafka.BrokerSetting | kafka.ControllerSetting
	setDefaults(c, scope, kafka.Java40, brokerFields, &cluster)
	if file.get("consumers") != nil {
		setDefaults(c, scope, kafka.Java40, groupFields, &cluster)
	}
	if hasTransactions(file.get("producers")) || feedsExactly(file.get("consumers")) {
		setDefaults(c, scope, kafka.Java40, transactionFields, &cluster)
		c.settleTransactions()
	}
	set := setGiven(c, b.get("config"), scope, kafka.Java40, slices.Concat(brokerFields, groupFields, transactionFields), &cluster)
	c.checkOffsetsTopic(set)
	c.topicDefaults = topicDefaults
	c.plan.Broker.LogDirs = int32(b.integer("log.dirs", 1, 1, kafka.MaxLogDirs))
	c.plan.Broker.MetadataLogDir = int32(b.integer("metadata.log.dir", 1, 0, int64(c.plan.Broker.LogDirs)))
	c.plan.Broker.HeartbeatPhase = b.span("heartbeat.phase", 0)
	c.plan.Broker.ShutdownBeat = c.clock.roundUp(50 * millisecond)
	c.plan.Broker.AlterPartitionRetry = c.clock.roundUp(50 * millisecond)
	c.plan.Controller.SessionCheck = (c.plan.Controller.SessionTimeout + 7) / 8
}

func brokerName(id kafka.NodeID) string { return "broker " + strconv.Itoa(int(id)) }

func (c *compiler) readTopics(n *node) {
	if n == nil || !c.is(n, mapping, "topics") {
		return
	}
	for _, e := range n.entries {
		if !isTopicName(e.key.text) {
			c.report(e.key, "letters, digits, . _ and -, at most 249 of them", "%s can not be the name of a topic",
				quoted(e.key.text))
			continue
		}
		if e.key.text == offsetsTopicName || e.key.text == transactionsTopicName {
			c.report(e.key, "consumers: or transactions: makes it", "%s is a topic of Kafka's own", e.key.text)
			continue
		}
		c.readTopic(e.key.text, c.open(e.value, topicShape))
	}
}

// isTopicName is Kafka's rule (Topic.validate).
func isTopicName(name string) bool {
	const longest = 249
	return name != "" && name != "." && name != ".." && len(name) <= longest && strings.Trim(name, letters+digits+"._-") == ""
}

func (c *compiler) readTopic(name string, b block) {
	exist := c.partitionCount(b)
	count := max(exist, c.partitionsLater(name))
	if len(c.plan.Partitions)+count > maxPartitions {
		c.report(b.node, "", "the cluster has more than %d partitions", maxPartitions)
		count = 0
	}
	config := c.topicDefaults
	setGiven(c, b.get("config"), kafka.TopicSetting, kafka.Java40, topicFields, &config)
	replicas := c.readReplicas(b, exist, count)
	t := topic{name: name, first: exist, exist: exist}
	for i := range count {
		t.partitions = append(t.partitions, kafka.PartitionID(len(c.plan.Partitions)))
		c.plan.Partitions = append(c.plan.Partitions,
			plan.Partition{Replicas: replicas[i], Topic: kafka.TopicID(len(c.topics)), Config: config, Added: i >= exist})
	}
	c.readOffsets(b.get("offsets"), t)
	c.topics = append(c.topics, t)
	c.names.Topics = append(c.names.Topics, kafka.TopicName{Name: name, Partitions: count})
}

// partitionCount is the number of partitions, or else the number of replica lists.
func (c *compiler) partitionCount(b block) int {
	fallback := 1
	if n := b.get("replicas"); n != nil {
		fallback = len(n.items)
	}
	return int(b.integer("partitions", int64(fallback), 1, maxPartitions))
}

// readReplicas is the replicas of each partition: as listed, or dealt out to the brokers in turn. The list is of those that
// exist from the start.
func (c *compiler) readReplicas(b block, exist, count int) [][]kafka.NodeID {
	brokers := len(c.plan.Brokers)
	factor := int(b.integer("replication.factor", 1, 1, int64(brokers)))
	dealt := make([][]kafka.NodeID, count)
	for p := range dealt {
		for i := range factor {
			dealt[p] = append(dealt[p], c.plan.Brokers[(p+i)%brokers].ID)
		}
	}
	n := b.get("replicas")
	if n == nil || !c.is(n, sequence, "replicas") {
		return dealt
	}
	if other := b.get("replication.factor"); other != nil {
		c.report(other, "keep one of the two", "replicas says how many replicas there are")
	}
	if len(n.items) != exist {
		c.report(n, "one list of brokers for each partition", "replicas has %d lists for %d partitions", len(n.items), exist)
		return dealt
	}
	for p, item := range n.items {
		if c.is(item, sequence, "the replicas of a partition") {
			dealt[p] = c.readReplicaList(item, dealt[p])
		}
	}
	for p := exist; p < count; p++ { // as many replicas as the topic has (ReplicationControlManager.createPartitions)
		dealt[p] = nil
		for i := range len(dealt[0]) {
			dealt[p] = append(dealt[p], c.plan.Brokers[(p+i)%brokers].ID)
		}
	}
	return dealt
}

func (c *compiler) readReplicaList(n *node, fallback []kafka.NodeID) []kafka.NodeID {
	var list []kafka.NodeID
	for _, item := range n.items {
		text, ok := c.scalar(item, "a replica")
		if !ok {
			continue
		}
		id := kafka.NodeID(c.number(text, "the broker of a replica", 0, 1, int64(len(c.plan.Brokers))))
		if slices.Contains(list, id) {
			c.report(item, "", "broker %d stands twice among the replicas of a partition", id)
			continue
		}
		if id > 0 {
			list = append(list, id)
		}
	}
	if len(list) == 0 {
		if len(n.items) == 0 {
			c.report(n, "", "a partition needs a replica")
		}
		return fallback
	}
	return list
}

func (c *compiler) readOffsets(n *node, t topic) {
	if n == nil || !c.is(n, mapping, "offsets") {
		return
	}
	for _, e := range n.entries {
		p, err := strconv.Atoi(e.key.text)
		if err != nil || p < 0 || p >= len(t.partitions) {
			c.report(e.key, fmt.Sprintf("its partitions are 0 to %d", len(t.partitions)-1), "topic %s has no partition %s", t.name,
				quoted(e.key.text))
			continue
		}
		if offset, ok := c.scalar(e.value, "an offset"); ok {
			at := &c.plan.Partitions[t.partitions[p]]
			at.StartOffset = kafka.Offset(c.number(offset, "an offset", 0, 0, maxOffset))
		}
	}
}

func (c *compiler) topicNames() []string {
	names := make([]string, len(c.topics))
	for i := range c.topics {
		names[i] = c.topics[i].name
	}
	return names
}

func (c *compiler) topicNamed(name string) *topic {
	for i := range c.topics {
		if c.topics[i].name == name {
			return &c.topics[i]
		}
	}
	return nil
}

// topicOf finds a topic by its name; it is nil, and reported, where there is none.
func (c *compiler) topicOf(n *node) *topic {
	if t := c.topicNamed(n.text); t != nil {
		return t
	}
	c.report(n, DidYouMean(n.text, c.topicNames()), "there is no topic %s", quoted(n.text))
	return nil
}

// partition finds a partition by its name, such as orders-2.
func (c *compiler) partition(n *node) kafka.PartitionID {
	number := n.text[strings.LastIndexByte(n.text, '-')+1:]
	var known []string
	for _, t := range c.topics {
		p, err := strconv.Atoi(number)
		if err != nil || p < 0 || p >= len(t.partitions) {
			p = 0
		}
		if name := fmt.Sprintf("%s-%d", t.name, p); name == n.text {
			return t.partitions[p]
		}
		known = append(known, fmt.Sprintf("%s-%d", t.name, p))
	}
	for p := range c.plan.Partitions {
		if id := kafka.PartitionID(p); c.names.Internal(id) && c.names.Partition(id) == n.text {
			return id
		}
	}
	hint := DidYouMean(n.text, known)
	if t := c.topicNamed(strings.TrimSuffix(n.text, "-"+number)); t != nil {
		hint = fmt.Sprintf("its partitions are %s-0 to %s-%d", t.name, t.name, len(t.partitions)-1)
	}
	c.report(n, hint, "there is no partition %s", quoted(n.text))
	return kafka.NoPartition
}
