package scenario

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"replog/internal/kafka"
)

// field says which field of a configuration a Kafka setting fills. The field's type decides how the value is read.
type field[T any] struct {
	setting string
	of      func(*T) any
}

// clusterConfig is what the config block of the brokers fills: the topics' part of it is a default for every topic.
type clusterConfig struct {
	broker     *kafka.BrokerConfig
	controller *kafka.ControllerConfig
	topic      *kafka.TopicConfig
	group      *kafka.GroupConfig
	offsets    *offsetsTopic

	transaction *kafka.TransactionConfig
	states      *transactionsTopic
}

var brokerFields = []field[clusterConfig]{
	{"broker.heartbeat.interval.ms", func(c *clusterConfig) any { return &c.broker.HeartbeatTicks }},
	{"broker.session.timeout.ms", func(c *clusterConfig) any { return &c.controller.SessionTimeout }},
	{"replica.lag.time.max.ms", func(c *clusterConfig) any { return &c.broker.ReplicaLagTimeTicks }},
	{"replica.fetch.wait.max.ms", func(c *clusterConfig) any { return &c.broker.ReplicaFetchWait }},
	{"replica.socket.timeout.ms", func(c *clusterConfig) any { return &c.broker.ReplicaSocketTimeout }},
	{"replica.fetch.backoff.ms", func(c *clusterConfig) any { return &c.broker.ReplicaFetchBackoff }},
	{"replica.fetch.max.bytes", func(c *clusterConfig) any { return &c.broker.ReplicaFetchMaxBytes }},
	{"replica.high.watermark.checkpoint.interval.ms", func(c *clusterConfig) any { return &c.broker.CheckpointTicks }},
	{"log.dir.failure.timeout.ms", func(c *clusterConfig) any { return &c.broker.LogDirFailureTimeout }},
	{"min.insync.replicas", func(c *clusterConfig) any { return &c.topic.MinInSyncReplicas }},
	{"unclean.leader.election.enable", func(c *clusterConfig) any { return &c.topic.UncleanElection }},
	{"unclean.leader.election.interval.ms", func(c *clusterConfig) any { return &c.controller.UncleanTicks }},
	{"auto.leader.rebalance.enable", func(c *clusterConfig) any { return &c.controller.Rebalance }},
	{"leader.imbalance.check.interval.seconds", func(c *clusterConfig) any { return &c.controller.RebalanceTicks }},
	{"log.segment.bytes", func(c *clusterConfig) any { return &c.topic.Log.SegmentBytes }},
	{"log.roll.ms", func(c *clusterConfig) any { return &c.topic.Log.SegmentTicks }},
	{"log.retention.ms", func(c *clusterConfig) any { return &c.topic.Log.RetentionTicks }},
	{"log.retention.bytes", func(c *clusterConfig) any { return &c.topic.Log.RetentionBytes }},
	{"log.retention.check.interval.ms", func(c *clusterConfig) any { return &c.broker.RetentionCheckTicks }},
	{"log.cleanup.policy", func(c *clusterConfig) any { return &c.topic.Log }},
	{"log.cleaner.min.cleanable.ratio", func(c *clusterConfig) any { return &c.topic.Log.MinDirtyRatio }},
	{"log.cleaner.delete.retention.ms", func(c *clusterConfig) any { return &c.topic.Log.DeleteRetention }},
	{"log.cleaner.backoff.ms", func(c *clusterConfig) any { return &c.broker.CleanerBackoff }},
	{"log.initial.task.delay.ms", func(c *clusterConfig) any { return &c.broker.InitialTaskDelay }},
}

var topicFields = []field[kafka.TopicConfig]{
	{"min.insync.replicas", func(t *kafka.TopicConfig) any { return &t.MinInSyncReplicas }},
	{"unclean.leader.election.enable", func(t *kafka.TopicConfig) any { return &t.UncleanElection }},
	{"segment.bytes", func(t *kafka.TopicConfig) any { return &t.Log.SegmentBytes }},
	{"segment.ms", func(t *kafka.TopicConfig) any { return &t.Log.SegmentTicks }},
	{"segment.index.bytes", func(t *kafka.TopicConfig) any { return &t.Log.SegmentIndexBytes }},
	{"index.interval.bytes", func(t *kafka.TopicConfig) any { return &t.Log.IndexIntervalBytes }},
	{"retention.ms", func(t *kafka.TopicConfig) any { return &t.Log.RetentionTicks }},
	{"retention.bytes", func(t *kafka.TopicConfig) any { return &t.Log.RetentionBytes }},
	{"message.timestamp.type", func(t *kafka.TopicConfig) any { return &t.Log.AppendTime }},
	{"cleanup.policy", func(t *kafka.TopicConfig) any { return &t.Log }},
	{"min.cleanable.dirty.ratio", func(t *kafka.TopicConfig) any { return &t.Log.MinDirtyRatio }},
	{"min.compaction.lag.ms", func(t *kafka.TopicConfig) any { return &t.Log.MinCompactionLag }},
	{"max.compaction.lag.ms", func(t *kafka.TopicConfig) any { return &t.Log.MaxCompactionLag }},
	{"delete.retention.ms", func(t *kafka.TopicConfig) any { return &t.Log.DeleteRetention }},
}

var producerFields = []field[kafka.ProducerConfig]{
	{"acks", func(p *kafka.ProducerConfig) any { return &p.Acks }},
	{"enable.idempotence", func(p *kafka.ProducerConfig) any { return &p.EnableIdempotence }},
	{"retries", func(p *kafka.ProducerConfig) any { return &p.Retries }},
	{"retry.backoff.ms", func(p *kafka.ProducerConfig) any { return &p.RetryBackoff }},
	{"request.timeout.ms", func(p *kafka.ProducerConfig) any { return &p.RequestTimeout }},
	{"socket.timeout.ms", func(p *kafka.ProducerConfig) any { return &p.AnswerTimeout }},
	{"retry.backoff.max.ms", func(p *kafka.ProducerConfig) any { return &p.RetryBackoffMax }},
	{"reconnect.backoff.ms", func(p *kafka.ProducerConfig) any { return &p.ReconnectBackoff }},
	{"reconnect.backoff.max.ms", func(p *kafka.ProducerConfig) any { return &p.ReconnectBackoffMax }},
	{"delivery.timeout.ms", func(p *kafka.ProducerConfig) any { return &p.DeliveryTimeout }},
	{"max.in.flight.requests.per.connection", func(p *kafka.ProducerConfig) any { return &p.MaxInFlight }},
	{"linger.ms", func(p *kafka.ProducerConfig) any { return &p.LingerTicks }},
	{"batch.size", func(p *kafka.ProducerConfig) any { return &p.BatchBytes }},
	{"batch.num.messages", func(p *kafka.ProducerConfig) any { return &p.BatchRecords }},
	{"metadata.max.age.ms", func(p *kafka.ProducerConfig) any { return &p.MetadataMaxAge }},
	{"topic.metadata.refresh.interval.ms", func(p *kafka.ProducerConfig) any { return &p.MetadataMaxAge }},
	{"compression.type", func(p *kafka.ProducerConfig) any { return &p.Compresses }},
	{"queue.buffering.max.messages", func(p *kafka.ProducerConfig) any { return &p.QueueMessages }},
	{"buffer.memory", func(p *kafka.ProducerConfig) any { return &p.BufferBytes }},
	{"max.block.ms", func(p *kafka.ProducerConfig) any { return &p.MaxBlock }},
	{"partitioner.adaptive.partitioning.enable", func(p *kafka.ProducerConfig) any { return &p.Adaptive }},
	{"partitioner.class", func(p *kafka.ProducerConfig) any { return &p.RoundRobin }},
	{"partitioner", func(p *kafka.ProducerConfig) any { return &p.Partitioner }},
	{"sticky.partitioning.linger.ms", func(p *kafka.ProducerConfig) any { return &p.StickyTicks }},
	{"transaction.timeout.ms", func(p *kafka.ProducerConfig) any { return &p.TransactionTimeout }},
}

var readerFields = []field[kafka.ReaderConfig]{
	{"fetch.max.wait.ms", func(r *kafka.ReaderConfig) any { return &r.FetchWait }},
	{"request.timeout.ms", func(r *kafka.ReaderConfig) any { return &r.AnswerTimeout }},
	{"socket.timeout.ms", func(r *kafka.ReaderConfig) any { return &r.AnswerTimeout }},
	{"retry.backoff.ms", func(r *kafka.ReaderConfig) any { return &r.RetryBackoff }},
	{"isolation.level", func(r *kafka.ReaderConfig) any { return &r.Isolation }},
}

// given are the settings that an author wrote, and where.
type given map[string]*node

// setDefaults fills a configuration with the defaults of a client, or of the brokers.
func setDefaults[T any](c *compiler, scope kafka.Scope, client kafka.Client, fields []field[T], into *T) {
	for _, f := range fields {
		if s := findSetting(f.setting, scope); s.KnownTo(client) {
			c.setDefault(s, s.DefaultFor(client), f.of(into))
		}
	}
}

// setGiven fills in what a config block says, and returns it by the settings' main names.
func setGiven[T any](c *compiler, n *node, scope kafka.Scope, client kafka.Client, fields []field[T], into *T) given {
	found := given{}
	if n == nil || n.null || !c.is(n, mapping, "config") {
		return found
	}
	for _, e := range n.entries {
		s := c.recognise(e.key, scope, client)
		if s == nil {
			continue
		}
		if first := found[s.Name]; first != nil {
			c.report(e.key, fmt.Sprintf("the other stands in line %d", first.line), "%s is set twice, under two names", s.Name)
			continue
		}
		at := slices.IndexFunc(fields, func(f field[T]) bool { return f.setting == s.Name })
		if s.Unit == kafka.Words {
			found[s.Name] = e.value
			c.setWords(e.value, s, e.key.text, fields[at].of(into).(*[]string))
			continue
		}
		value, ok := c.scalar(e.value, e.key.text)
		if !ok {
			continue
		}
		found[s.Name] = value
		c.setTo(value, s, e.key.text, fields[at].of(into))
	}
	return found
}

// findSetting is a setting that the catalogue must have.
func findSetting(name string, scope kafka.Scope) *kafka.Setting {
	all := kafka.Settings()
	for i := range all {
		if all[i].Name == name && all[i].Scope&scope != 0 {
			return &all[i]
		}
	}
	panic("scenario: the catalogue has no setting " + name)
}

// recognise finds the setting of a name, or reports what is wrong with it.
func (c *compiler) recognise(key *node, scope kafka.Scope, client kafka.Client) *kafka.Setting {
	var known []string
	elsewhere := ""
	all := kafka.Settings()
	for i := range all {
		s := &all[i]
		switch {
		case s.Scope&scope == 0:
			if s.Name == key.text {
				elsewhere = key.text + " is a setting of " + scopeName(s.Scope)
			}
		case !s.KnownTo(client):
			if s.Name == key.text {
				elsewhere = fmt.Sprintf("%s is a setting of %s, and this is %s", key.text, s.Only[0], client)
			}
		default:
			names := s.NamesFor(client)
			if slices.Contains(names, key.text) {
				return s
			}
			if slices.Contains(s.Librdkafka, key.text) {
				elsewhere = fmt.Sprintf("%s is librdkafka's name of %s", key.text, s.Name)
			}
			known = append(known, names...)
		}
	}
	if elsewhere != "" {
		c.report(key, elsewhere, "%s can not be set here", quoted(key.text))
	} else {
		c.report(key, DidYouMean(key.text, known), "unknown setting %s", quoted(key.text))
	}
	return nil
}

func scopeName(s kafka.Scope) string {
	switch {
	case s&kafka.TopicSetting != 0:
		return "a topic"
	case s&(kafka.BrokerSetting|kafka.ControllerSetting) != 0:
		return "the brokers"
	case s&kafka.ProducerSetting != 0:
		return "a producer"
	case s&kafka.ReaderSetting != 0:
		return "a reader"
	}
	return "a consumer"
}

// setDefault stores a default. Kafka did not choose it with this scenario's tick in mind, so it is rounded up, and noted.
func (c *compiler) setDefault(s *kafka.Setting, text string, into any) {
	switch {
	case text == kafka.NoValue:
		return
	case s.Unit == kafka.Words:
		*into.(*[]string) = strings.Split(text, ",")
		return
	case text == kafka.NoLimit && s.Unit != kafka.Choice:
		*into.(*kafka.Tick) = kafka.Never
		return
	}
	v, problem := parseSetting(s, text)
	if problem != "" {
		panic("scenario: the default of " + s.Name + " " + problem)
	}
	if s.Unit.Millis() == 0 {
		store(into, v)
		return
	}
	v *= s.Unit.Millis()
	ticks := c.clock.roundUp(v * millisecond)
	*into.(*kafka.Tick) = ticks
	if rounded := int64(ticks) * c.clock.tickMicros; rounded != v*millisecond {
		c.note(fmt.Sprintf("%s: the default of %d ms is rounded up to %s, a whole number of ticks", s.Name, v,
			formatSpan(rounded)))
	}
}

// setTo stores what an author wrote.
func (c *compiler) setTo(n *node, s *kafka.Setting, name string, into any) {
	text := n.text
	if reset, ok := into.(*resetField); ok {
		text = c.setDuration(n, reset)
	}
	v, problem := parseSetting(s, text)
	switch {
	case problem != "" && s.Unit == kafka.Choice:
		c.report(n, DidYouMean(n.text, s.Choices), "%s %s", name, problem)
	case problem != "" && s.Unit == kafka.Millis && strings.HasSuffix(n.text, "s"):
		c.report(n, "Kafka's settings in ms are plain numbers", "%s %s", name, problem)
	case problem != "":
		c.report(n, "", "%s %s", name, problem)
	case s.Unit == kafka.Millis && v < 0:
		*into.(*kafka.Tick) = -1 // no limit
	case s.Unit.Millis() > 0:
		target := into.(*kafka.Tick)
		*target = c.ticks(n, name, v*s.Unit.Millis()*millisecond, *target)
	default:
		if word, ok := into.(*string); ok {
			*word = text
			return
		}
		store(into, v)
	}
}

// parseSetting reads the text of a value: a number, 1 for true, or the place of a word among the choices.
func parseSetting(s *kafka.Setting, text string) (v int64, problem string) {
	switch s.Unit {
	case kafka.Boolean:
		if text != "true" && text != "false" {
			return 0, "takes true or false, not " + quoted(text)
		}
		if text == "true" {
			v = 1
		}
		return v, ""
	case kafka.Choice:
		at := slices.Index(s.Choices, text)
		if at < 0 {
			return 0, "can not be " + quoted(text)
		}
		return int64(at), ""
	case kafka.Ratio:
		v, ok := parseRatio(text)
		if !ok {
			return 0, fmt.Sprintf("takes %s, not %s", s.Unit, quoted(text))
		}
		return v, ""
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Sprintf("takes %s, not %s", s.Unit, quoted(text))
	}
	most := int64(math.MaxInt32)
	if s.Max > 0 {
		most = s.Max
	}
	if v < s.Min || v > most {
		return 0, fmt.Sprintf("must be from %d to %d, not %d", s.Min, most, v)
	}
	return v, ""
}

// parseRatio reads a share from 0 to 1 as millionths.
func parseRatio(text string) (millionths int64, ok bool) {
	whole, decimals, _ := strings.Cut(text, ".")
	if len(decimals) > 6 {
		return 0, false
	}
	v, err := strconv.ParseUint(whole+decimals+strings.Repeat("0", 6-len(decimals)), 10, 32)
	return int64(v), err == nil && whole != "" && v <= 1_000_000
}

// store puts the value of a setting into a field.
func store(into any, v int64) {
	switch into := into.(type) {
	case *int32:
		*into = int32(v)
	case *int64:
		*into = v
	case *bool:
		*into = v != 0
	case *kafka.Acks:
		*into = [...]kafka.Acks{kafka.AcksAll, kafka.AcksAll, kafka.AcksOne, kafka.AcksNone}[v]
	case *kafka.LogConfig:
		into.SetCleanupPolicy(int(v))
	case *kafka.Partitioner:
		*into = kafka.Partitioner(v)
	case *kafka.IsolationLevel:
		*into = kafka.IsolationLevel(v)
	case *kafka.GroupProtocol:
		*into = kafka.GroupProtocol(v)
	case *storeField:
		if *into.covers = kafka.CoversDone; v != 0 {
			*into.covers = kafka.CoversHandedOut
		}
	case *resetField:
		*into.reset = kafka.OffsetReset(v)
	default:
		panic(fmt.Sprintf("scenario: no setting can fill a %T", into))
	}
}

// note tells the reader of a plan what was decided on the way to it; once, however often it came up.
func (c *compiler) note(sentence string) {
	if !slices.Contains(c.plan.Notes, sentence) {
		c.plan.Notes = append(c.plan.Notes, sentence)
	}
}
