package scenario

import (
	"slices"

	"replog/internal/kafka"
	"replog/internal/plan"
)

// This file makes consumers into processors: a key feeds gives each member a producer of its own, and says what comes of the records.

// feeding is the block feeds of some members, on its way into the plan.
type feeding struct {
	block     block
	exactly   bool
	isolation bool // the author says himself with which isolation.level the members read
	first     int  // index of the first of them in plan.Consumers
	members   int
}

// feedsExactly reports whether some consumer of the file is a processor with transactions.
func feedsExactly(consumers *node) bool {
	if consumers == nil || consumers.kind != mapping {
		return false
	}
	return slices.ContainsFunc(consumers.entries, func(e entry) bool {
		if e.value.kind != mapping {
			return false
		}
		feeds := e.value.get("feeds")
		if feeds == nil || feeds.kind != mapping {
			return false
		}
		exactly := feeds.get("exactly.once")
		return exactly != nil && exactly.text == "true"
	})
}

// readFeeding notes that members are processors, and how they commit then.
func (c *compiler) readFeeding(b block, config *kafka.ConsumerConfig, effect *plan.Effect, done *string, members int) {
	n := b.get("feeds")
	if n == nil {
		if effect.Kind == plan.HandOn {
			c.report(b.get("effect"), "add feeds", "there is nobody to hand it on to")
		}
		return
	}
	for _, name := range []string{"commit", "commit.mode", "commit.on.revoke", "hand.off"} {
		if other := b.get(name); other != nil {
			c.report(other, "leave it out", "a processor commits what it has read when the results are stored: %s has no meaning", name)
		}
	}
	f := feeding{block: c.open(n, feedsShape), first: len(c.plan.Consumers), members: members}
	f.exactly = f.block.boolean("exactly.once", false)
	config.Commit, config.AutoCommit = kafka.CommitAfterPoll, false
	callsBack(config) // else a partition may go in the middle of a transaction, which then commits no offset for what it has of it
	if given := b.get("config"); given == nil || given.kind != mapping || given.get("isolation.level") == nil {
		if f.exactly {
			config.Isolation = kafka.ReadCommitted
		}
	}
	if effect.Kind == plan.NoEffect {
		effect.Kind, *done = plan.HandOn, effects[plan.HandOn].done
	}
	c.feedings = append(c.feedings, f)
}

// addFeeds gives every member of a processor its producer, once all other clients have their ids.
func (c *compiler) addFeeds() {
	for i := range c.feedings {
		f := &c.feedings[i]
		config := c.producerConfig(f.block)
		if f.exactly && !config.EnableIdempotence {
			c.report(f.block.node, "enable.idempotence: true", "transactions need an idempotent producer: the client does not start so")
		}
		config.AddPartitionsRetry = c.clock.roundUp(20 * millisecond)
		for at := f.first; at < min(f.first+f.members, len(c.plan.Consumers)); at++ {
			c.addFeed(f, &c.plan.Consumers[at], &config)
		}
	}
	for i := range c.plan.Readers {
		c.readsCommitted(c.plan.Readers[i].ID, c.plan.Readers[i].Config.Isolation)
	}
	for i := range c.plan.Consumers {
		c.readsCommitted(c.plan.Consumers[i].ID, c.plan.Consumers[i].Config.Isolation)
	}
}

func (c *compiler) addFeed(f *feeding, consumer *plan.Consumer, config *kafka.ProducerConfig) {
	name := c.names.Node(consumer.ID) + ".producer"
	key := &node{kind: scalar, text: name, line: f.block.node.line, column: f.block.node.column}
	for _, id := range c.addClient(key, 1, consumers) {
		one := plan.Producer{ID: id, Config: *config, Fed: consumer.ID}
		if f.exactly {
			one.Transactions = plan.Transactions{Fed: true, Every: kafka.Never, Timeout: config.TransactionTimeout}
			one.Transactions.ID = c.enterTransactionalID(f.block, c.names.Node(consumer.ID), f.members)
			c.checkTransactionTimeout(name, &one.Transactions)
		}
		c.plan.Producers = append(c.plan.Producers, one)
		for i := range c.names.Nodes {
			if n := &c.names.Nodes[i]; n.ID == consumer.ID {
				n.Producer, n.Exactly, n.Unfenced = id, f.exactly, !f.block.boolean("fenced", true)
			}
		}
		consumer.Feeds = &plan.Feeds{
			Topic: c.loadTopic(f.block), Producer: id, Size: int32(f.block.integer("size", 100, 1, 1<<30)), Exactly: f.exactly,
			Fenced: f.block.boolean("fenced", true),
		}
	}
}

// addResults numbers what comes of the records: a processor that reads what another one makes comes after it.
func (c *compiler) addResults() {
	topicOf := make([]kafka.TopicID, len(c.names.Loads))
	for i := range c.names.Loads {
		topicOf[i] = c.topicOfLoad(&c.names.Loads[i])
	}
	var waiting []*feeding
	for i := range c.feedings {
		if f := &c.feedings[i]; c.fedTopic(f) >= 0 {
			waiting = append(waiting, f)
		}
	}
	for len(waiting) > 0 {
		next := slices.IndexFunc(waiting, func(f *feeding) bool { return c.feederOf(f, waiting) == nil })
		if next < 0 {
			c.reportCircle(waiting)
			return
		}
		topicOf = c.numberResults(waiting[next], topicOf)
		waiting = slices.Delete(waiting, next, next+1)
	}
}

// fedTopic is where the results of a processor go, -1 where that is a mistake that has been reported.
func (c *compiler) fedTopic(f *feeding) kafka.TopicID {
	if f.first >= len(c.plan.Consumers) {
		return -1
	}
	feeds := c.plan.Consumers[f.first].Feeds
	if feeds == nil || len(feeds.Topic) == 0 {
		return -1
	}
	return c.plan.Partitions[feeds.Topic[0]].Topic
}

// feederOf is the one of some processors whose results another one reads, nil if there is none.
func (c *compiler) feederOf(f *feeding, among []*feeding) *feeding {
	for _, other := range among {
		if slices.Contains(c.plan.Consumers[f.first].Topics, c.fedTopic(other)) {
			return other
		}
	}
	return nil
}

// reportCircle reports a processor that is fed with what it makes. Each of these has a feeder among them: from feeder to feeder one
// comes to those that go in a circle.
func (c *compiler) reportCircle(waiting []*feeding) {
	f := waiting[0]
	for range waiting {
		f = c.feederOf(f, waiting)
	}
	c.report(f.block.get("topic"), "another topic", "what %s makes would come back to it, without end", c.names.Node(c.plan.Consumers[f.first].ID))
}

// numberResults numbers what comes of the records that a processor reads, one of each, in a range of its own for the members of a
// block together. TopicOf has the topic of each range of records.
func (c *compiler) numberResults(f *feeding, topicOf []kafka.TopicID) []kafka.TopicID {
	feeds := c.plan.Consumers[f.first].Feeds
	var results []plan.Results
	first, count := kafka.RecordID(c.names.RecordCount()), 0
	for i := range topicOf {
		if slices.Contains(c.plan.Consumers[f.first].Topics, topicOf[i]) {
			load := &c.names.Loads[i]
			n := load.Orders * max(1, len(load.Steps))
			results = append(results, plan.Results{From: load.First, To: first + kafka.RecordID(count), Count: n})
			count += n
		}
	}
	number := f.block.integer("first", c.nextNumber(), 0, maxNumber)
	c.checkNumbers(f.block, count, number)
	if total := int64(first) + int64(count); total > maxRecords {
		c.report(f.block.node, "set a smaller count", "there are %d records; a run takes at most %d", total, maxRecords)
		return topicOf
	}
	if to := feeds.Topic[0]; c.plan.Partitions[to].Config.Log.Compact {
		c.report(f.block.get("topic"), "a topic without compaction", "a processor can not feed a compacted topic here")
	}
	c.names.Loads = append(c.names.Loads, kafka.RecordRange{First: first, Orders: count, FirstNumber: number, Size: feeds.Size})
	for at := f.first; at < min(f.first+f.members, len(c.plan.Consumers)); at++ {
		c.plan.Consumers[at].Feeds.Results = results
	}
	return append(topicOf, c.fedTopic(f))
}

// topicOfLoad is the topic that the records of a load go to; -1 for none.
func (c *compiler) topicOfLoad(r *kafka.RecordRange) kafka.TopicID {
	for i := range c.plan.Loads {
		if l := &c.plan.Loads[i]; l.First == r.First && len(l.Topic) > 0 {
			return c.plan.Partitions[l.Topic[0]].Topic
		}
	}
	return -1
}

var feedsShape = &shape{"feeds", []key{
	{name: "topic", form: nameForm, required: true, doc: "where the results go: one of each record, with its key"},
	{name: "exactly.once", form: booleanForm, doc: "a transaction holds the results of a poll and the offsets behind what they were made of; " +
		"else the offsets are committed when the results are acknowledged: at least once (false)"},
	{name: "id", form: nameForm, doc: "the transactional.id (the name of the member)"},
	{name: "coordinator", form: nameForm, doc: "the broker that coordinates its transactions at first"},
	{name: "fenced", form: booleanForm, doc: "with the offsets the producer sends which member it is, and of which generation (KIP-447), so " +
		"that a member without its partitions can not commit (true)"},
	{name: "first", form: integerForm, doc: "the number of the first result (behind all orders)"},
	{name: "size", form: integerForm, doc: "bytes of a result (100)"},
	{name: "client", form: nameForm, doc: "whose defaults and habits the producer has (java-4.0)"},
	{name: "config", form: configForm, scope: kafka.ProducerSetting, doc: "settings of the producer"},
}}
