package scenario

import (
	"fmt"
	"slices"

	"replog/internal/kafka"
	"replog/internal/plan"
)

// effects are what the application of a consumer may do with a record outside of Kafka, and how one says that it is done.
var effects = []struct{ word, done string }{
	plan.NoEffect: {"none", ""},
	plan.Show:     {"show", "is shown"},
	plan.Print:    {"print", "is printed on a slip"},
	plan.Insert:   {"insert", "is inserted into a table"},
	plan.HandOn:   {"hand-on", kafka.HandedOn},
}

func (c *compiler) readConsumers(n *node) {
	if n == nil || !c.is(n, mapping, "consumers") {
		return
	}
	if c.plan.Lesson {
		c.report(n, "readers:", "a lesson has no consumer groups")
	}
	for _, e := range n.entries {
		c.readConsumer(e.key, c.open(e.value, consumerShape))
	}
}

// readConsumer reads the members of a group that are alike.
func (c *compiler) readConsumer(key *node, b block) {
	topics := c.consumerTopics(b)
	members := c.memberCount(b)
	config := c.consumerConfig(b)
	c.noteSession(key.text, &config)
	effect, done := c.readEffect(b)
	c.readFeeding(b, &config, &effect, &done, members)
	config.SkipsFailed = b.choice("on.failure", "rewind", "skip") == "skip"
	starts := c.readJoins(b.get("joins"), members)
	group := c.readGroup(key, b)
	static, instance := b.boolean("static", false), c.readInstance(b, members)
	c.noteFailures(b, &config, members)
	for i, id := range c.addClient(key, members, consumers) {
		name := &c.names.Nodes[len(c.names.Nodes)-members+i]
		name.CommitsEarly = commitsEarly(&config)
		name.Consumes, name.Subscribes, name.Effect = c.names.Groups[group], topics, done
		c.readsCommitted(id, config.Isolation)
		one := plan.Consumer{ID: id, Group: group, Topics: topics, Config: config, Starts: starts[i], Effect: effect}
		if one.Config.InstanceID = instance; static {
			one.Config.InstanceID = name.Name
		}
		c.plan.Consumers = append(c.plan.Consumers, one)
	}
}

// commitsEarly reports whether a consumer may commit what it was handed before the work on it is done.
func commitsEarly(config *kafka.ConsumerConfig) bool {
	byPosition := config.AutoCommit && config.Covers != kafka.CoversDone || config.CommitsOnRevoke
	return config.SkipsFailed || config.Commit == kafka.CommitBeforeWork || byPosition && (config.HandOff || config.BreaksOff) ||
		config.AutoCommit && config.Covers == kafka.CoversHandedOut
}

// readInstance is the group.instance.id of a member that does not go by its name.
func (c *compiler) readInstance(b block, members int) string {
	n, ok := c.scalar(b.get("instance.id"), "instance.id")
	switch {
	case !ok:
		return ""
	case b.get("static") != nil:
		c.report(n, "keep one of the two", "static says already which group.instance.id the members have")
	case members > 1:
		c.report(n, "static: true, for one each", "%d members can not have one group.instance.id", members)
	}
	return n.text
}

// consumerTopics is what the members subscribe to.
func (c *compiler) consumerTopics(b block) []kafka.TopicID {
	one, several := b.get("topic"), b.get("topics")
	switch {
	case one != nil && several != nil:
		c.report(several, "keep topic or topics", "a consumer subscribes by one of the two")
	case one == nil && several == nil:
		c.report(b.node, "topic: orders", "a consumer needs a topic")
	case one == nil:
		one = several
	}
	if one == nil {
		return nil
	}
	var ids []kafka.TopicID
	for _, item := range oneOrMore(one) {
		name, ok := c.scalar(item, "topic")
		if !ok {
			continue
		}
		at := slices.IndexFunc(c.topics, func(t topic) bool { return t.name == name.text })
		switch {
		case c.topicOf(name) == nil:
		case slices.Contains(ids, kafka.TopicID(at)):
			c.report(item, "", "%s stands twice", quoted(name.text))
		default:
			ids = append(ids, kafka.TopicID(at))
		}
	}
	slices.Sort(ids)
	return ids
}

// memberCount is the number of members, or else the number of times at which they join.
func (c *compiler) memberCount(b block) int {
	fallback := 1
	if n := b.get("joins"); n != nil && n.kind == sequence {
		fallback = max(1, len(n.items))
	}
	return int(b.integer("members", int64(fallback), 1, maxClients))
}

// readJoins is when the process of each member starts.
func (c *compiler) readJoins(n *node, members int) []kafka.Tick {
	starts := make([]kafka.Tick, members)
	if n == nil {
		return starts
	}
	items := oneOrMore(n)
	if n.kind == sequence && len(items) != members {
		c.report(n, "one time for each member", "joins has %d times for %d members", len(items), members)
		return starts
	}
	for i := range starts {
		starts[i] = c.readJoin(items[min(i, len(items)-1)])
	}
	return starts
}

func (c *compiler) readJoin(n *node) kafka.Tick {
	if n.kind == scalar && n.text == "never" {
		return kafka.Never
	}
	at := c.instant(n, "joins", 0)
	if at > c.plan.End {
		c.report(n, "never, for one that only the timeline starts", "this is after the end of the run")
	}
	return at
}

// readEffect reads what the application does with a record outside of Kafka, and how one says that it is done.
func (c *compiler) readEffect(b block) (effect plan.Effect, done string) {
	words := make([]string, len(effects))
	for i := range effects {
		words[i] = effects[i].word
	}
	if word := b.choice("effect", words...); word != "" {
		effect.Kind = plan.EffectKind(slices.Index(words, word))
	}
	effect.Unique = b.boolean("unique.key", false)
	if n := b.get("unique.key"); n != nil && effect.Unique && effect.Kind != plan.Insert {
		c.report(n, "effect: insert", "only a table has a unique key")
	}
	return effect, effects[effect.Kind].done
}

// readGroup is the group of the members: named by group, or like the block.
func (c *compiler) readGroup(key *node, b block) kafka.GroupID {
	id := key
	if n, ok := c.scalar(b.get("group"), "group"); ok {
		id = n
	}
	const longestGroup = 249
	if id.text == "" || len(id.text) > longestGroup {
		c.report(id, fmt.Sprintf("from 1 to %d characters", longestGroup), "%s can not be a group.id", quoted(id.text))
	}
	group := slices.Index(c.names.Groups, id.text)
	if group < 0 {
		group = len(c.names.Groups)
		c.names.Groups = append(c.names.Groups, id.text)
		c.groups = append(c.groups, consumerGroup{hosted: kafka.NoNode})
	}
	c.readCoordinator(b.get("coordinator"), &c.groups[group])
	return kafka.GroupID(group)
}

// readCoordinator reads on which broker the group's partition of __consumer_offsets shall have its first replica.
func (c *compiler) readCoordinator(n *node, g *consumerGroup) {
	n, ok := c.scalar(n, "coordinator")
	if !ok {
		return
	}
	at := slices.IndexFunc(c.plan.Brokers, func(b plan.Broker) bool { return brokerName(b.ID) == n.text })
	if at < 0 {
		c.report(n, c.brokersHint(), "there is no %s", quoted(n.text))
		return
	}
	if g.hosted != kafka.NoNode && g.hosted != c.plan.Brokers[at].ID {
		c.report(n, "", "the group's coordinator is %s already", brokerName(g.hosted))
	}
	g.hosted, g.said = c.plan.Brokers[at].ID, n
}
