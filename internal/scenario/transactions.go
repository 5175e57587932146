package scenario

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"replog/internal/kafka"
	"replog/internal/plan"
)

const transactionsTopicName = "__transaction_state"

// transactionsTopic is what the brokers' settings say of __transaction_state.
type transactionsTopic struct{ partitions, factor, minISR int32 }

// transactionFields are the brokers' settings of transactions; a scenario without transactions does without their defaults.
var transactionFields = []field[clusterConfig]{
	{"transaction.max.timeout.ms", func(c *clusterConfig) any { return &c.transaction.MaxTimeout }},
	{"transaction.abort.timed.out.transaction.cleanup.interval.ms", func(c *clusterConfig) any { return &c.transaction.AbortCheck }},
	{"transaction.state.log.num.partitions", func(c *clusterConfig) any { return &c.states.partitions }},
	{"transaction.state.log.replication.factor", func(c *clusterConfig) any { return &c.states.factor }},
	{"transaction.state.log.min.isr", func(c *clusterConfig) any { return &c.states.minISR }},
}

// hasTransactions reports whether some producer of the file has a block transactions.
func hasTransactions(producers *node) bool {
	if producers == nil || producers.kind != mapping {
		return false
	}
	return slices.ContainsFunc(producers.entries, func(e entry) bool {
		return e.value.kind == mapping && e.value.get("transactions") != nil
	})
}

// settleTransactions sets what does not depend on the author.
func (c *compiler) settleTransactions() {
	t := &c.plan.Transaction
	t.Rules = c.plan.Broker.Rules
	t.MarkerRetry, t.MarkerTimeout = c.clock.roundUp(100*millisecond), c.clock.roundUp(30_000*millisecond)
}

// readTransactions is what an application does with a transactional producer; all workers of a block are alike, but each has a
// transactional.id of its own.
func (c *compiler) readTransactions(b block, config *kafka.ProducerConfig) plan.Transactions {
	n := b.get("transactions")
	if n == nil {
		return plan.Transactions{}
	}
	if c.plan.Lesson {
		c.report(n, "", "a lesson has no transactions")
	}
	t := c.open(n, transactionsShape)
	if !config.EnableIdempotence {
		c.report(n, "enable.idempotence: true, and acks, retries and "+inFlightSetting+" at their defaults",
			"transactions need an idempotent producer: the client does not start so")
	}
	config.AddPartitionsRetry = c.clock.roundUp(20 * millisecond)
	spec := plan.Transactions{
		Timeout: config.TransactionTimeout, Records: int32(t.integer("records", 0, 1, math.MaxInt32)),
		Every: t.span("every", kafka.Never), Abort: c.transactionNumbers(t, "abort"), Hang: c.transactionNumbers(t, "hang"),
	}
	if spec.Records == 0 && spec.Every == kafka.Never {
		c.report(n, "records: 5", "the application must end its transactions: records or every says when")
	}
	return spec
}

// transactionNumbers is a list of transactions by their numbers, from 1.
func (c *compiler) transactionNumbers(b block, name string) []int32 {
	n := b.get(name)
	if n == nil {
		return nil
	}
	var list []int32
	for _, item := range oneOrMore(n) {
		if value, ok := c.scalar(item, name); ok {
			list = append(list, int32(c.number(value, name, 1, 1, math.MaxInt32)))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// transactionalIDOf enters the transactional.id of a producer: the name of the producer, or what the author says; producers that
// say the same share it.
func (c *compiler) transactionalIDOf(b block, worker string, workers int) kafka.TransactionalID {
	return c.enterTransactionalID(c.open(b.get("transactions"), transactionsShape), worker, workers)
}

// enterTransactionalID enters the transactional.id of a block with the keys id and coordinator.
func (c *compiler) enterTransactionalID(t block, worker string, workers int) kafka.TransactionalID {
	name := worker
	if n, ok := c.scalar(t.get("id"), "id"); ok {
		if name = n.text; workers > 1 {
			c.report(n, "leave id out: each worker then has its name", "%d workers can not have one transactional.id", workers)
		}
	}
	at := slices.IndexFunc(c.transactionals, func(t tenant) bool { return t.name == name })
	if at < 0 {
		at = len(c.transactionals)
		c.transactionals = append(c.transactionals, tenant{name: name, hosted: kafka.NoNode})
		c.names.TransactionalIDs = append(c.names.TransactionalIDs, name)
	}
	if n, ok := c.scalar(t.get("coordinator"), "coordinator"); ok {
		id := &c.transactionals[at]
		broker := slices.IndexFunc(c.plan.Brokers, func(b plan.Broker) bool { return brokerName(b.ID) == n.text })
		if broker < 0 {
			c.report(n, c.brokersHint(), "there is no %s", quoted(n.text))
		} else {
			id.hosted, id.said = c.plan.Brokers[broker].ID, n
		}
	}
	return kafka.TransactionalID(at + 1)
}

// addTransactionsTopic puts those partitions of __transaction_state into the cluster that a transactional.id falls into, behind
// all others, and gives each id its coordinator.
func (c *compiler) addTransactionsTopic() {
	if len(c.transactionals) == 0 {
		return
	}
	config := c.compactedConfig() // TransactionStateManager.transactionTopicConfigs
	config.MinInSyncReplicas, config.UncleanElection = c.states.minISR, false
	homes := c.addInternalTopic(&internalTopic{
		name: transactionsTopicName, partitions: int(c.states.partitions), factor: int(c.states.factor), tenants: "id",
		config: config,
	}, c.transactionals)
	for _, home := range homes {
		c.plan.Transactionals = append(c.plan.Transactionals, plan.Transactional{Coordinator: home})
	}
}

// checkTransactionTimeout notes a timeout that the coordinator will refuse.
func (c *compiler) checkTransactionTimeout(name string, t *plan.Transactions) {
	if most := c.plan.Transaction.MaxTimeout; t.ID != kafka.NoTransactionalID && t.Timeout > most {
		c.note(fmt.Sprintf("%s: its transaction.timeout.ms is more than transaction.max.timeout.ms=%s: the coordinator refuses it "+
			"(INVALID_TRANSACTION_TIMEOUT)", name, strconv.FormatInt(int64(most)*c.clock.tickMicros/millisecond, 10)))
	}
}
