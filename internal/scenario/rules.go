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
		Name: "ineligible.followers.count", Doc: "a follower that is caught up by time holds the high watermark back, also when it may not join the ISR",
		Protects: "acknowledgements from waiting for a broker that is on its way out", Source: "3.6, KAFKA-15021",
		Shown: "r08-on-its-way-out",
		of:    func(r *kafka.Rules) *bool { return &r.IneligibleFollowersCount },
	},
	{
		Name: "lag.by.time.alone", Doc: "a follower that has everything leaves the ISR when it has not fetched for replica.lag.time.max.ms",
		Protects: "the ISRs of idle partitions", Source: "2.1, KAFKA-7152", Shown: "r21-idle-partitions-flap",
		of: func(r *kafka.Rules) *bool { return &r.LagByTimeAlone },
	},
	{
		Name: "in.flight.per.connection", Doc: "a producer with one request in flight counts the connection alone, not the partition",
		Protects: "the order of a partition whose leader changes", Source: "Java 0.10, KAFKA-3197; librdkafka 0.11.4",
		Shown: "p03-one-in-flight",
		of:    func(r *kafka.Rules) *bool { return &r.InFlightPerConnection },
	},
	{
		Name: "producer.state.with.records", Doc: "a leader forgets a producer with its last record, and refuses one that it does not know",
		Protects: "idempotent producers that seldom write", Source: "2.4, KAFKA-7190; 2.5, KIP-360",
		Shown: "p08-quiet-producer",
		of:    func(r *kafka.Rules) *bool { return &r.ProducerStateWithRecords },
	},
	{
		Name: "late.fetch.answer.taken", Doc: "a follower appends a fetch answer that it asked for as a follower of somebody else",
		Protects: "logs from what an earlier leader sent", Source: "0.11, KIP-101",
		Shown: "c12-late-fetch-answer",
		of:    func(r *kafka.Rules) *bool { return &r.LateFetchAnswerTaken },
	},
	{
		Name: "fetch.offset.ignored", Doc: "a follower appends a fetch answer also where its log ends before it, and leaves a gap",
		Protects: "logs from holes where a record should be", Source: "0.8, KAFKA-50",
		Shown: "fetch-offset-ignored",
		of:    func(r *kafka.Rules) *bool { return &r.FetchOffsetIgnored },
	},
	{
		Name: "read.to.log.end", Doc: "readers are shown what the leader has, up to its log end offset",
		Protects: "readers from what may still be taken back: what they were shown is on every in-sync disk", Source: "0.8, KAFKA-50",
		Shown: "read-to-log-end",
		of:    func(r *kafka.Rules) *bool { return &r.ReadToLogEnd },
	},
	{
		Name: "same.leader.not.realigned", Doc: "a follower does not ask again where its log and its leader's part when the same leader begins a new epoch",
		Protects: "logs of followers whose leader has lost records in between", Source: "0.11, KIP-101",
		Shown: "c18-same-leader-new-epoch",
		of:    func(r *kafka.Rules) *bool { return &r.SameLeaderNotRealigned },
	},
	{
		Name: "metadata.offset.ignored", Doc: "a broker applies an answer with records of the metadata log, wherever they stand in it",
		Protects: "what a broker knows of the cluster from an answer that comes twice, or late", Source: "2.8, KIP-595",
		Shown: "metadata-applied-twice",
		of:    func(r *kafka.Rules) *bool { return &r.MetadataOffsetIgnored },
	},
	{
		Name: "elect.outside.isr", Doc: "the controller takes any active replica for a new leader, as if it were in the ISR",
		Protects: "everything that was committed, from a leader that lacks some of it", Source: "0.8, KAFKA-50",
		Shown: "elect-outside-isr",
		of:    func(r *kafka.Rules) *bool { return &r.ElectOutsideISR },
	},
	{
		Name: "fenced.may.join.isr", Doc: "a broker that is fenced or shutting down joins the ISR when it has caught up",
		Protects: "the ISR from a member that the controller has taken out already, and will not take out when it dies", Source: "3.3, KIP-841",
		Shown: "fenced-may-join-isr",
		of:    func(r *kafka.Rules) *bool { return &r.FencedMayJoinISR },
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
		Shown: "isr-shrinks",
		of:    func(r *kafka.Rules) *bool { return &r.LeaderEpochBumpOnShrink },
	},
	{
		Name: "eligible.leader.replicas", Doc: "replicas that left the ISR below min.insync.replicas may still lead, before one that has lost data",
		Protects: "committed records when the last member of the ISR loses data", Source: "4.1 for new clusters, KIP-966",
		Shown: "last-replica-standing",
		of:    func(r *kafka.Rules) *bool { return &r.EligibleLeaderReplicas },
	},
	{
		Name: "tombstones.age.with.segment", Doc: "a tombstone is as old as the last write of its segment, which every merge with younger segments renews",
		Protects: "the disk, and whoever asked to be forgotten, from tombstones that never go", Source: "3.1, KIP-534",
		Shown: "s06-tombstones-that-never-leave",
		of:    func(r *kafka.Rules) *bool { return &r.TombstonesAgeWithSegment },
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
	{
		Name: "retention.beyond.high.watermark", Doc: "retention deletes segments that are old or too many, committed or not",
		Protects: "records that the followers do not have yet", Source: "1.0, KAFKA-5634",
		Shown: "retention-beyond-high-watermark",
		of:    func(r *kafka.Rules) *bool { return &r.RetentionBeyondHighWatermark },
	},
	{
		Name: "compaction.beyond.high.watermark", Doc: "the cleaner takes all closed segments, committed or not",
		Protects: "the last committed value of a key from a newer one that a change of leader takes back", Source: "3.1, KAFKA-13194",
		Shown: "compaction-beyond-high-watermark",
		of:    func(r *kafka.Rules) *bool { return &r.CompactionBeyondHighWatermark },
	},
	{
		Name: "open.transactions.shown", Doc: "a reader with read_committed is not kept before the first open transaction",
		Protects: "readers with read_committed from records that may still be aborted", Source: "0.11, KIP-98",
		Shown: "no-last-stable-offset",
		of:    func(r *kafka.Rules) *bool { return &r.OpenTransactionsShown },
	},
	{
		Name: "producer.epoch.kept", Doc: "every process that takes over a transactional.id gets the epoch of the one before",
		Protects: "a transactional.id from the process that is taken for dead, and is not", Source: "0.11, KIP-98",
		Shown: "two-processes-one-epoch",
		of:    func(r *kafka.Rules) *bool { return &r.ProducerEpochKept },
	},
	{
		Name: "transaction.offsets.unfenced", Doc: "a producer commits offsets of a group in its transaction, whether or not its consumer is a member still",
		Protects: "exactly once from a former owner of a partition", Source: "2.5, KIP-447",
		Shown: "former-owner-commits",
		of:    func(r *kafka.Rules) *bool { return &r.TransactionOffsetsUnfenced },
	},
	{
		Name: "generation.kept", Doc: "a rebalance of a classic group does not begin a new generation",
		Protects: "a group from members that have missed a rebalance", Source: "0.9",
		Shown: "generation-kept",
		of:    func(r *kafka.Rules) *bool { return &r.GenerationKept },
	},
	{
		Name: "static.leader.untold", Doc: "a static member that led its group does not hear, when it comes back, that it still does",
		Protects: "partitions that are added later, which only the leader of a classic group notices", Source: "3.2, KIP-814",
		Shown: "static-leader-untold",
		of:    func(r *kafka.Rules) *bool { return &r.StaticLeaderUntold },
	},
	{
		Name: "assigned.before.revoked", Doc: "the coordinator of a KIP-848 group gives a partition away before its owner has let go of it",
		Protects: "partitions from two owners at once", Source: "4.0, KIP-848",
		Shown: "assigned-before-revoked",
		of:    func(r *kafka.Rules) *bool { return &r.AssignedBeforeRevoked },
	},
	{
		Name: "commits.unreplicated", Doc: "a commit of offsets is answered before it is replicated, as with offsets.commit.required.acks=1",
		Protects: "committed offsets from the death of the coordinator", Source: "4.0, which has no offsets.commit.required.acks; its default was all",
		Shown: "commit-lost-with-its-coordinator",
		of:    func(r *kafka.Rules) *bool { return &r.CommitsUnreplicated },
	},
	{
		Name: "commits.beside.poll", Doc: "the thread of a KIP-848 consumer commits what a poll has handed out, whether or not it is done",
		Protects: "records that are in work when their consumer dies", Source: "Java 4.0, KAFKA-18641",
		Shown: "committed-while-in-work",
		of:    func(r *kafka.Rules) *bool { return &r.CommitsBesidePoll },
	},
	{
		Name: "whole.batches.handed.out", Doc: "a member hands out a fetched batch from its beginning, also where it has read a part of it",
		Protects: "applications from what they were handed before, in the batch in which they stopped", Source: "the client; ruby-kafka 0.7.1",
		Shown: "whole-batches",
		of:    func(r *kafka.Rules) *bool { return &r.WholeBatchesHandedOut },
	},
	{
		Name: "discarded.counts.as.read", Doc: "a member that drops what it has fetched goes on behind it, as if it had handed it out",
		Protects: "records that were fetched and not handed out from a change of leader", Source: "the client; kafka-python 2.1.2",
		Shown: "dropped-and-passed-over",
		of:    func(r *kafka.Rules) *bool { return &r.DiscardedCountsAsRead },
	},
}

// versions are the presets: what each version of Kafka did otherwise. Those between behave as the one before them.
var versions = []struct {
	name  string
	rules kafka.Rules
}{
	{"2.8", kafka.Rules{
		HighWatermarkBelowMinISR: true, IneligibleFollowersCount: true, BrokerEpochsIgnored: true, TombstonesAgeWithSegment: true,
		FencedMayJoinISR: true, TransactionVersion1: true, TransactionsUnverified: true,
	}},
	{"3.5", kafka.Rules{
		HighWatermarkBelowMinISR: true, IneligibleFollowersCount: true, LeaderEpochBumpOnShrink: true, TransactionVersion1: true,
		TransactionsUnverified: true,
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
