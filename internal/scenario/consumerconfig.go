package scenario

import (
	"fmt"
	"math"
	"slices"

	"replog/internal/kafka"
)

// consumerFields are those of a reader, and a group's.
var consumerFields = slices.Concat(asConsumer(readerFields), []field[kafka.ConsumerConfig]{
	{"group.protocol", func(m *kafka.ConsumerConfig) any { return &m.Protocol }},
	{"partition.assignment.strategy", func(m *kafka.ConsumerConfig) any { return &m.Assignors }},
	{"group.remote.assignor", func(m *kafka.ConsumerConfig) any { return &m.RemoteAssignor }},
	{"session.timeout.ms", func(m *kafka.ConsumerConfig) any { return &m.SessionTimeout }},
	{"heartbeat.interval.ms", func(m *kafka.ConsumerConfig) any { return &m.HeartbeatInterval }},
	{"max.poll.interval.ms", func(m *kafka.ConsumerConfig) any { return &m.MaxPollInterval }},
	{"rebalance.timeout.ms", func(m *kafka.ConsumerConfig) any { return &m.RebalanceTimeout }},
	{"max.poll.records", func(m *kafka.ConsumerConfig) any { return &m.MaxPollRecords }},
	{"enable.auto.commit", func(m *kafka.ConsumerConfig) any { return &m.AutoCommit }},
	{"enable.auto.offset.store", func(m *kafka.ConsumerConfig) any { return &storeField{&m.Covers} }},
	{"auto.commit.interval.ms", func(m *kafka.ConsumerConfig) any { return &m.AutoCommitTicks }},
	{"auto.offset.reset", func(m *kafka.ConsumerConfig) any { return &resetField{&m.Reset, &m.ResetTicks} }},
	{"metadata.max.age.ms", func(m *kafka.ConsumerConfig) any { return &m.MetadataMaxAge }},
	{"topic.metadata.refresh.interval.ms", func(m *kafka.ConsumerConfig) any { return &m.MetadataMaxAge }},
	{"default.api.timeout.ms", func(m *kafka.ConsumerConfig) any { return &m.APITimeout }},
})

func asConsumer(fields []field[kafka.ReaderConfig]) []field[kafka.ConsumerConfig] {
	var all []field[kafka.ConsumerConfig]
	for _, f := range fields {
		all = append(all, field[kafka.ConsumerConfig]{f.setting, func(m *kafka.ConsumerConfig) any { return f.of(&m.ReaderConfig) }})
	}
	return all
}

// consumerConfig is the client's defaults, what the author set over them, what the application does, and what follows.
func (c *compiler) consumerConfig(b block) kafka.ConsumerConfig {
	library := c.clientOf(b)
	config := kafka.ConsumerConfig{MaxPollInterval: kafka.Never, MaxPollRecords: 1}
	switch library {
	case kafka.FranzGo:
		config.MaxPollRecords = math.MaxInt32 // kgo.PollFetches returns all that was fetched
		config.Covers = kafka.CoversEarlierPolls
	case kafka.Sarama:
		config.Covers = kafka.CoversDone
	}
	setDefaults(c, kafka.ConsumerSetting, library, consumerFields, &config)
	set := setGiven(c, b.get("config"), kafka.ConsumerSetting, library, consumerFields, &config)
	config.RebalancesBeside = library.Traits().RebalancesBeside
	config.PositionsUnchecked = library.Traits().PositionsUnchecked
	config.ReadsOnBeforeRevoke = library.Traits().ReadsOnBeforeRevoke
	config.AsksToAssign = library.Traits().AsksToAssign
	config.MetadataRetry = c.metadataRetry(library.Traits(), config.RetryBackoff)
	config.Work, config.RejoinTicks = b.span("work", 0), b.span("restarts.after", 0)
	c.readCommits(b, &config, set)
	c.readHandOff(b, &config)
	config.Rules = c.plan.Broker.Rules
	config.CommitsBesidePoll = config.Rules.CommitsBesidePoll && config.Protocol == kafka.ConsumerProtocol && library.IsJava()
	if library.IsJava() || library.IsLibrdkafka() {
		config.RebalanceTimeout = config.MaxPollInterval
	}
	if !library.IsJava() {
		config.APITimeout = config.AnswerTimeout
	}
	c.checkProtocol(&config, set, library)
	c.checkTimes(&config, set, library)
	c.checkAssignors(&config, set, library)
	return config
}

// readCommits reads when the application itself commits. One that does so has switched enable.auto.commit off, unless
// the author says otherwise.
func (c *compiler) readCommits(b block, config *kafka.ConsumerConfig, set given) {
	words := []string{"never", "after-record", "after-poll", "before-work"}
	if habit := b.choice("commit", words...); habit != "" {
		config.Commit = kafka.CommitHabit(slices.Index(words, habit))
		config.AutoCommit = config.AutoCommit && set["enable.auto.commit"] != nil
	}
	config.CommitsOnRevoke = b.boolean("commit.on.revoke", false)
	if config.CommitsOnRevoke {
		callsBack(config)
	}
	config.AsyncCommit = b.choice("commit.mode", "sync", "async") == "async"
	if n := b.get("commit.mode"); n != nil && config.Commit == kafka.CommitNever {
		c.report(n, "commit: after-record, after-poll or before-work", "commit.mode says how the application commits, and it does not")
	}
}

// callsBack gives the application a listener, which the client calls inside of poll().
func callsBack(config *kafka.ConsumerConfig) { config.CallsBack, config.RebalancesBeside = true, false }

// readHandOff reads whether a thread of its own does the work, and what becomes of the work when something ends it.
func (c *compiler) readHandOff(b block, config *kafka.ConsumerConfig) {
	config.HandOff = b.boolean("hand.off", false)
	config.DropsRevoked = b.choice("on.revoke", "finish", "drop") == "drop"
	if n := b.get("on.revoke"); n != nil && !config.HandOff {
		c.report(n, "hand.off: true", "without hand.off all work is done when a partition is taken away")
	}
	config.BreaksOff = b.choice("on.shutdown", "finish", "break-off") == "break-off"
}

// storeField is what enable.auto.offset.store fills.
type storeField struct{ covers *kafka.CommitCover }

// checkProtocol refuses what a client refuses to set beside its group.protocol
// (ConsumerConfig.checkUnsupportedConfigsPostProcess).
func (c *compiler) checkProtocol(config *kafka.ConsumerConfig, set given, library kafka.Client) {
	refused, other := []string{"partition.assignment.strategy", "session.timeout.ms", "heartbeat.interval.ms"}, "classic"
	if config.Protocol == kafka.ClassicProtocol {
		refused, other = []string{"group.remote.assignor"}, "consumer"
	}
	for _, name := range refused {
		if n := set[name]; n != nil {
			c.report(n, "it is for group.protocol: "+other, "%s conflicts with group.protocol=%s: %s does not start so", name,
				[...]string{"classic", "consumer"}[config.Protocol], library)
		}
	}
}

// checkTimes refuses what the clients refuse of a session (Heartbeat of the Java client, rd_kafka_conf_finalize).
func (c *compiler) checkTimes(config *kafka.ConsumerConfig, set given, library kafka.Client) {
	first := func(names ...string) *node {
		for _, name := range names {
			if set[name] != nil {
				return set[name]
			}
		}
		return nil
	}
	classic := config.Protocol == kafka.ClassicProtocol
	session := first("heartbeat.interval.ms", "session.timeout.ms")
	if classic && session != nil && config.HeartbeatInterval >= config.SessionTimeout {
		c.report(session, "a third of session.timeout.ms is usual", "heartbeat.interval.ms must be less than session.timeout.ms: "+
			"%s does not start so", library)
	}
	poll := first("max.poll.interval.ms", "session.timeout.ms")
	if library.IsLibrdkafka() && poll != nil && config.MaxPollInterval < config.SessionTimeout {
		c.report(poll, "", "max.poll.interval.ms must be at least session.timeout.ms: %s does not start so", library)
	}
	if n := set["auto.offset.reset"]; n != nil && config.Reset == kafka.ResetByDuration && library != kafka.Java40 {
		c.report(n, "earliest, latest or none", "by_duration is Java's since 4.0: %s does not start so", library)
	}
}

// checkAssignors refuses a list of eager and cooperative assignors where the client does (rd_kafka_assignors_init).
func (c *compiler) checkAssignors(config *kafka.ConsumerConfig, set given, library kafka.Client) {
	n := set["partition.assignment.strategy"]
	const cooperative = "cooperative-sticky"
	if n != nil && library.IsLibrdkafka() && len(config.Assignors) > 1 && slices.Contains(config.Assignors, cooperative) {
		c.report(n, cooperative+" alone", "%s stands beside eager assignors: %s does not start so", cooperative, library)
	}
}

// noteSession tells of a session.timeout.ms that the coordinator will refuse.
func (c *compiler) noteSession(name string, config *kafka.ConsumerConfig) {
	group := &c.plan.Group
	if config.Protocol != kafka.ClassicProtocol {
		return
	}
	if config.SessionTimeout < group.MinSessionTimeout || config.SessionTimeout > group.MaxSessionTimeout {
		c.note(fmt.Sprintf("%s: its session.timeout.ms is not between group.min.session.timeout.ms and "+
			"group.max.session.timeout.ms: the coordinator refuses it (INVALID_SESSION_TIMEOUT)", name))
	}
}
