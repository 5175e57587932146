package scenario

import "replog/internal/kafka"

// Rule is one row of the table of rules: a behaviour that a scenario can switch to what older versions of Kafka did, or
// to what none ever did.
type Rule struct {
	Name string // the key in the block rules
	// Doc says what happens while it is true.
	Doc string
	// Protects says what Kafka's own rule keeps, which is lost while this is true.
	Protects string
	Source   string // KIP or issue, and since which version Kafka has its rule
	Shown    string // the scenario that shows it
	of       func(*kafka.Rules) *bool
}

// In says in which of the preset versions the rule is switched.
func (r *Rule) In() []string {
	var in []string
	for i := range versions {
		set := versions[i].rules
		if *r.of(&set) {
			in = append(in, versions[i].name)
		}
	}
	return in
}

// Rules lists what the block rules can switch.
func Rules() []Rule { return rules }

var rules = []Rule{
	{
		Name: "high.watermark.below.min.isr", Doc: "the high watermark advances while the ISR is below min.insync.replicas",
		Protects: "what readers were shown: it is on min.insync.replicas disks", Source: "3.7, KAFKA-15583", Shown: "min-isr",
		of: func(r *kafka.Rules) *bool { return &r.HighWatermarkBelowMinISR },
	},
	{
		Name: "truncate.to.high.watermark", Doc: "a new follower cuts its log to its own high watermark, which is a round behind",
		Protects: "committed records that a follower holds and does not know to be committed", Source: "0.11, KIP-101",
		Shown: "c01-truncate-to-high-watermark",
		of:    func(r *kafka.Rules) *bool { return &r.TruncateToHighWatermark },
	},
	{
		Name: "diverging.epoch.ignored", Doc: "a follower cuts its log to an end offset, without asking of which epoch it is",
		Protects: "equal logs after two changes of leader in quick succession", Source: "2.0, KIP-279",
		Shown: "c02-epoch-that-the-leader-never-had",
		of:    func(r *kafka.Rules) *bool { return &r.DivergingEpochIgnored },
	},
	{
		Name: "fetch.without.leader.epoch", Doc: "a fetch does not say in which leader epoch it is made, so nothing fences it",
		Protects: "the high watermark from followers that are still in an older leader epoch", Source: "2.1, KIP-320",
		Shown: "c03-fetch-without-epoch",
		of:    func(r *kafka.Rules) *bool { return &r.FetchWithoutLeaderEpoch },
	},
	{
		Name: "join.below.epoch.start", Doc: "a follower joins the ISR at the leader's high watermark, also below the start of its epoch",
		Protects: "the ISR from members that miss what an earlier leader committed", Source: "2.1, KAFKA-7128",
		Shown: "c06-join-below-epoch-start",
		of:    func(r *kafka.Rules) *bool { return &r.JoinBelowEpochStart },
	},
	{
		Name: "committed.isr.only", Doc: "the high watermark does not wait for whom the leader has proposed for the ISR",
		Protects: "every ISR that the controller may have committed already", Source: "2.7, KIP-497",
		Shown: "c07-no-maximal-isr",
		of:    func(r *kafka.Rules) *bool { return &r.CommittedISROnly },
	},
	{
		Name: "partition.epoch.ignored", Doc: "the controller takes an ISR that was proposed from an older state of the partition",
		Protects: "the ISR from a member that the controller has taken out meanwhile", Source: "2.7, KIP-497",
		Shown: "c13-partition-epoch",
		of:    func(r *kafka.Rules) *bool { return &r.PartitionEpochIgnored },
	},
	{
		Name: "broker.epochs.ignored", Doc: "a broker joins the ISR whichever of its incarnations has caught up",
		Protects: "the ISR from a broker that has lost data in a restart since it caught up", Source: "3.5, KIP-903",
		Shown: "c08-broker-epoch",
		of:    func(r *kafka.Rules) *bool { return &r.BrokerEpochsIgnored },
	},
	{
		Name: "leader.epoch.bump.on.shrink", Doc: "a new leader epoch begins when the ISR shrinks",
		Protects: "producers and consumers from a refresh of their metadata", Source: "3.6, KAFKA-15021",
		of: func(r *kafka.Rules) *bool { return &r.LeaderEpochBumpOnShrink },
	},
	{
		Name: "eligible.leader.replicas", Doc: "replicas that left the ISR below min.insync.replicas may still lead, before one that has lost data",
		Protects: "committed records when the last member of the ISR loses data", Source: "4.1 for new clusters, KIP-966",
		Shown: "last-replica-standing",
		of:    func(r *kafka.Rules) *bool { return &r.EligibleLeaderReplicas },
	},
	{
		Name: "transaction.version.1", Doc: "a producer keeps its epoch from transaction to transaction, and enters partitions itself",
		Protects: "each transaction from the late records and the late end of the one before", Source: "4.0, KIP-890 part 2",
		Shown: "c17-late-end-of-the-last-transaction",
		of:    func(r *kafka.Rules) *bool { return &r.TransactionVersion1 },
	},
	{
		Name: "transactions.unverified", Doc: "a leader takes a transactional record without asking the coordinator whether its transaction goes on",
		Protects: "read_committed readers from a transaction that nobody will end", Source: "3.6, KIP-890 part 1",
		Shown: "hanging-transaction",
		of:    func(r *kafka.Rules) *bool { return &r.TransactionsUnverified },
	},
	{
		Name: "offsets.expire.from.commit", Doc: "a committed offset expires offsets.retention.minutes after its commit, also in a group that is alive",
		Protects: "the place of a group that has members and nothing new to commit", Source: "2.1, KIP-211",
		Shown: "c14-bookmarks-of-a-quiet-group",
		of:    func(r *kafka.Rules) *bool { return &r.OffsetsExpireFromCommit },
	},
}

// versions are the presets: what each version of Kafka did otherwise. Those between behave as the one before them.
var versions = []struct {
	name  string
	rules kafka.Rules
}{
	{"2.8", kafka.Rules{
		HighWatermarkBelowMinISR: true, BrokerEpochsIgnored: true, TransactionVersion1: true, TransactionsUnverified: true,
	}},
	{"3.5", kafka.Rules{
		HighWatermarkBelowMinISR: true, LeaderEpochBumpOnShrink: true, TransactionVersion1: true, TransactionsUnverified: true,
	}},
	{"3.7", kafka.Rules{TransactionVersion1: true}},
	{"4.0", kafka.Rules{}},
	{"4.1", kafka.Rules{EligibleLeaderReplicas: true}},
	{"4.2", kafka.Rules{EligibleLeaderReplicas: true}},
}

// Versions lists the versions that a scenario may name.
func Versions() []string {
	names := make([]string, len(versions))
	for i := range versions {
		names[i] = versions[i].name
	}
	return names
}

// rulesShape has a key for each rule.
var rulesShape = func() *shape {
	s := &shape{name: "rules"}
	for _, r := range rules {
		s.keys = append(s.keys, key{name: r.Name, form: booleanForm, doc: r.Doc + " (Kafka's own rule: " + r.Source + ")"})
	}
	return s
}()

// readRules reads the version and then the single rules.
func (c *compiler) readRules(file block) {
	into := &c.plan.Broker.Rules
	version := file.choice("version", Versions()...)
	for _, v := range versions {
		if v.name == version {
			*into = v.rules
		}
	}
	// The lesson counts acknowledgements as Kafka did before 3.7.
	into.HighWatermarkBelowMinISR = into.HighWatermarkBelowMinISR || c.plan.Lesson
	n := file.get("rules")
	if n == nil {
		return
	}
	b := c.open(n, rulesShape)
	for _, rule := range rules {
		on := rule.of(into)
		*on = b.boolean(rule.Name, *on)
	}
}
