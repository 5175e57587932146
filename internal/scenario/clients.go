package scenario

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"replog/internal/kafka"
	"replog/internal/plan"
)

// maxClients bounds the producers, readers and consumers of a scenario.
const maxClients = 1000

// sort is what a client is: the name by which a scenario means all of them.
type sort string

const (
	producers sort = "producers"
	readers   sort = "readers"
	consumers sort = "consumers"
)

// client is a producer with its workers, a reader, or members of a consumer group.
type client struct {
	name string
	ids  []kafka.NodeID
	sort sort
}

func (c *compiler) readProducers(n *node) {
	if n == nil || !c.is(n, mapping, "producers") {
		return
	}
	for _, e := range n.entries {
		b := c.open(e.value, producerShape)
		workers := int(b.integer("workers", 1, 1, maxClients))
		config := c.producerConfig(b)
		config.Resends = b.boolean("resends", false)
		transactions := c.readTransactions(b, &config)
		ratio := c.compression(b, &config)
		for _, id := range c.addClient(e.key, workers, producers) {
			one := plan.Producer{ID: id, Config: config, Transactions: transactions}
			if b.get("transactions") != nil {
				one.Transactions.ID = c.transactionalIDOf(b, c.names.Node(id), workers)
			}
			c.checkTransactionTimeout(c.names.Node(id), &one.Transactions)
			c.plan.Producers = append(c.plan.Producers, one)
			c.ratios[id] = ratio
		}
	}
}

// compression reads how much of its records a producer's compression leaves, in percent, and what a batch costs. The Java
// client fills batch.size with what it expects to be left, librdkafka with what it was given (ProducerBatch.tryAppend,
// rd_kafka_msgset_writer).
func (c *compiler) compression(b block, config *kafka.ProducerConfig) int64 {
	ratio, cost := b.integer("compression.ratio", 100, 1, 100), b.span("compression.cost", 0)
	if !config.Compresses {
		return 100
	}
	config.CompressTicks = cost
	if c.clientOf(b).IsLibrdkafka() {
		config.BatchBytes = int32(max(1, int64(config.BatchBytes)*ratio/100))
	}
	return ratio
}

func (c *compiler) readReaders(n *node) {
	if n == nil || !c.is(n, mapping, "readers") {
		return
	}
	for _, e := range n.entries {
		b := c.open(e.value, readerShape)
		partitions := c.readerPartitions(b)
		config := c.readerConfig(b)
		for _, id := range c.addClient(e.key, 1, readers) {
			c.readsCommitted(id, config.Isolation)
			c.plan.Readers = append(c.plan.Readers, plan.Reader{ID: id, Partitions: partitions, Config: config})
		}
	}
}

// readsCommitted notes the isolation.level of a client beside its name, where there are transactions.
func (c *compiler) readsCommitted(id kafka.NodeID, level kafka.IsolationLevel) {
	for i := range c.names.Nodes {
		if n := &c.names.Nodes[i]; n.ID == id {
			n.ReadsCommitted = level == kafka.ReadCommitted && len(c.transactionals) > 0
		}
	}
}

// addClient gives node ids and names to the workers of a client: the client's own name when there is only one.
func (c *compiler) addClient(key *node, workers int, sort sort) []kafka.NodeID {
	name := key.text
	if !isClientName(name) {
		c.report(key, "letters, digits, spaces, _ - and ., and not the name of a broker or of a group of nodes",
			"%s can not be the name of a client", quoted(name))
		return nil
	}
	first := kafka.FirstClientID + kafka.NodeID(len(c.plan.Producers)+len(c.plan.Readers)+len(c.plan.Consumers))
	if int(first-kafka.FirstClientID)+workers > maxClients {
		c.report(key, "", "the scenario has more than %d producers, readers and consumers", maxClients)
		return nil
	}
	one := client{name: name, sort: sort}
	c.call(key, name)
	for i := range workers {
		worker := kafka.NodeName{ID: first + kafka.NodeID(i), Name: name}
		if workers > 1 {
			worker.Name, worker.Group = fmt.Sprintf("%s-%d", name, i), name
			c.call(key, worker.Name)
		}
		one.ids = append(one.ids, worker.ID)
		c.names.Nodes = append(c.names.Nodes, worker)
	}
	c.clients = append(c.clients, one)
	return one.ids
}

// call gives a name to a client or to one of its workers: nobody else may have it.
func (c *compiler) call(key *node, name string) {
	if c.called[name] {
		c.report(key, "", "%s is the name of another client", quoted(name))
	}
	c.called[name] = true
}

func isClientName(name string) bool {
	const longest = 60
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" _-.", r) {
			return false
		}
	}
	switch name {
	case "brokers", "clients", "producers", "readers", "consumers", "controller":
		return false
	}
	return name != "" && strings.TrimSpace(name) == name && len(name) <= longest && !strings.HasPrefix(name, "broker ")
}

func (c *compiler) clientOf(b block) kafka.Client {
	n, ok := c.scalar(b.get("client"), "client")
	if !ok {
		return kafka.Java40
	}
	library, ok := kafka.ParseClient(n.text)
	if !ok {
		c.report(n, DidYouMean(n.text, kafka.ClientNames()), "there is no client %s", quoted(n.text))
	}
	return library
}

// producerConfig is the client's defaults, what the author set over them, and what follows from both.
func (c *compiler) producerConfig(b block) kafka.ProducerConfig {
	library := c.clientOf(b)
	traits := library.Traits()
	if c.plan.Lesson {
		config := lessonProducer()
		setGiven(c, b.get("config"), kafka.ProducerSetting, library, producerFields, &config)
		return config
	}
	config := kafka.ProducerConfig{
		ClientHabits:   traits.ClientHabits,
		Partitioner:    traits.Partitioner,
		ExpiryLook:     max(1, c.clock.roundUp(traits.ExpiryLookMillis*millisecond)),
		MetadataMinAge: c.clock.roundUp(traits.MetadataMinAgeMillis * millisecond),
		QueueMessages:  traits.BufferedRecords,
	}
	if config.QueueMessages > 0 {
		config.MaxBlock = kafka.Never
	}
	setDefaults(c, kafka.ProducerSetting, library, producerFields, &config)
	set := setGiven(c, b.get("config"), kafka.ProducerSetting, library, producerFields, &config)
	c.settleIdempotence(&config, set, library)
	c.settleTimeouts(&config, set, library)
	config.MutesPartition = config.MaxInFlight == 1 && !c.plan.Broker.Rules.InFlightPerConnection
	config.MetadataRetry = c.metadataRetry(traits, config.RetryBackoff)
	return config
}

// lessonProducer is the lesson's producer before its settings: one record a batch, sent at once, and sent once more when
// a new leader takes over.
func lessonProducer() kafka.ProducerConfig {
	return kafka.ProducerConfig{
		Acks: kafka.AcksAll, Retries: math.MaxInt32, MaxInFlight: math.MaxInt32, BatchBytes: math.MaxInt32, BatchRecords: 1,
		RequestTimeout: kafka.Never, AnswerTimeout: kafka.Never, DeliveryTimeout: kafka.Never, ExpiryLook: 1,
		MetadataRetry: kafka.Never, RetryAtTakeover: true,
	}
}

func (c *compiler) metadataRetry(traits kafka.ClientTraits, backoff kafka.Tick) kafka.Tick {
	if traits.MetadataRetryMillis == 0 {
		return max(1, backoff)
	}
	return c.clock.roundUp(traits.MetadataRetryMillis * millisecond)
}

const inFlightSetting = "max.in.flight.requests.per.connection"

// settleIdempotence applies the client's rule for settings that idempotence does not bear. A default gives way to what
// the author wrote; two things that the author wrote are an error.
func (c *compiler) settleIdempotence(config *kafka.ProducerConfig, set given, library kafka.Client) {
	if !config.EnableIdempotence {
		return
	}
	terms := library.Traits().Idempotence
	if set["acks"] == nil && !terms.ByHand {
		config.Acks = kafka.AcksAll
	}
	if set[inFlightSetting] == nil && !terms.ByHand {
		config.MaxInFlight = min(config.MaxInFlight, terms.MostInFlight)
	}
	conflict := idempotenceConflict(config, &terms)
	written := set[conflict]
	// From 4.0 the Java client no longer bears a wrong number of requests in flight.
	yields := terms.Yields && !(library == kafka.Java40 && conflict == inFlightSetting)
	switch {
	case conflict == "":
		config.MaxInFlight = max(config.MaxInFlight, terms.InFlight)
	case written == nil:
		c.report(set["enable.idempotence"], "set acks: all and "+inFlightSetting+": 1 as well",
			"enable.idempotence=true conflicts with the default of %s: %s does not start so", conflict, library)
	case set["enable.idempotence"] == nil && yields:
		config.EnableIdempotence = false
		c.note(fmt.Sprintf("enable.idempotence is off: %s quietly drops its default because of %s=%s", library, conflict,
			written.text))
	default:
		c.report(written, "set enable.idempotence: false, or leave "+conflict+" at its default",
			"%s=%s conflicts with enable.idempotence=true: %s does not start so", conflict, clip(written.text, 20), library)
	}
}

// settleTimeouts works out how long the client waits for an answer, and applies the Java client's rule that a delivery
// must last at least one request (KafkaProducer.configureDeliveryTimeout).
func (c *compiler) settleTimeouts(config *kafka.ProducerConfig, set given, library kafka.Client) {
	switch {
	case !library.IsLibrdkafka():
		config.AnswerTimeout = config.RequestTimeout + c.clock.roundUp(library.Traits().AnswerTimeoutMillis*millisecond)
	case set["request.timeout.ms"] != nil && set["socket.timeout.ms"] == nil:
		c.note("request.timeout.ms is for the broker alone: librdkafka itself waits socket.timeout.ms for an answer")
	}
	least := config.LingerTicks + config.RequestTimeout
	if !library.IsJava() || config.DeliveryTimeout >= least {
		return
	}
	written := set["delivery.timeout.ms"]
	if written == nil {
		config.DeliveryTimeout = least
		c.note(fmt.Sprintf("delivery.timeout.ms is raised to linger.ms + request.timeout.ms, as %s does", library))
		return
	}
	c.report(written, "at least linger.ms + request.timeout.ms", "delivery.timeout.ms=%s conflicts with linger.ms and "+
		"request.timeout.ms: %s does not start so", clip(written.text, 20), library)
}

// idempotenceConflict names the setting that a client's idempotence does not bear, or "".
func idempotenceConflict(config *kafka.ProducerConfig, terms *kafka.IdempotenceTerms) string {
	switch {
	case config.Acks != kafka.AcksAll:
		return "acks"
	case config.Retries == 0 && !terms.WithoutRetries:
		return "retries"
	case config.MaxInFlight > terms.MostInFlight:
		return inFlightSetting
	}
	return ""
}

func (c *compiler) readerConfig(b block) kafka.ReaderConfig {
	library := c.clientOf(b)
	var config kafka.ReaderConfig
	setDefaults(c, kafka.ReaderSetting, library, readerFields, &config)
	setGiven(c, b.get("config"), kafka.ReaderSetting, library, readerFields, &config)
	config.MetadataRetry = c.metadataRetry(library.Traits(), config.RetryBackoff)
	return config
}

// readerPartitions is what a reader reads: a whole topic, or single partitions.
func (c *compiler) readerPartitions(b block) []kafka.PartitionID {
	whole, single := b.get("topic"), b.get("partitions")
	switch {
	case whole != nil && single != nil:
		c.report(single, "keep topic or partitions", "a reader reads a topic or single partitions, not both")
	case whole == nil && single == nil:
		c.report(b.node, "topic: orders", "a reader needs a topic or partitions")
	case single != nil:
		return c.partitionList(single)
	}
	if name, ok := c.scalar(whole, "topic"); ok {
		if t := c.topicOf(name); t != nil {
			return t.partitions
		}
	}
	return nil
}

func (c *compiler) partitionList(n *node) []kafka.PartitionID {
	var list []kafka.PartitionID
	for _, item := range oneOrMore(n) {
		name, ok := c.scalar(item, "a partition")
		if !ok {
			continue
		}
		p := c.partition(name)
		if slices.Contains(list, p) {
			c.report(item, "", "%s stands twice", quoted(name.text))
			continue
		}
		list = append(list, p)
	}
	return list
}

// oneOrMore is the items of a list, or a single value as a list of one.
func oneOrMore(n *node) []*node {
	if n.kind == sequence {
		return n.items
	}
	return []*node{n}
}

// producer finds the workers of a producer by its name; it is nil, and reported, where there is none.
func (c *compiler) producer(n *node) []kafka.NodeID {
	var known []string
	for _, one := range c.clients {
		if one.sort != producers {
			continue
		}
		if one.name == n.text {
			return one.ids
		}
		known = append(known, one.name)
	}
	c.report(n, DidYouMean(n.text, known), "there is no producer %s", quoted(n.text))
	return nil
}

// nodes are the participants that a list of names means; nil stands for all.
func (c *compiler) nodes(n *node, what string) []kafka.NodeID {
	if n == nil {
		return nil
	}
	var all []kafka.NodeID
	for _, item := range oneOrMore(n) {
		name, ok := c.scalar(item, what)
		if !ok {
			continue
		}
		ids := c.participants(name.text)
		if len(ids) == 0 {
			c.report(name, DidYouMean(name.text, c.participantNames()), "%s: there is nobody called %s", what, quoted(name.text))
		}
		all = append(all, ids...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// participants are the nodes of a name: of one node, of the workers of a producer, or of everybody of a sort.
func (c *compiler) participants(name string) []kafka.NodeID {
	var ids []kafka.NodeID
	switch name {
	case "controller":
		return []kafka.NodeID{kafka.ControllerID}
	case "brokers":
		for _, b := range c.plan.Brokers {
			ids = append(ids, b.ID)
		}
		return ids
	}
	for _, one := range c.clients {
		if name == "clients" || name == string(one.sort) || name == one.name {
			ids = append(ids, one.ids...)
		}
	}
	if ids != nil {
		return ids
	}
	for _, n := range c.names.Nodes {
		if n.Name == name {
			return []kafka.NodeID{n.ID}
		}
	}
	return nil
}

func (c *compiler) participantNames() []string {
	names := []string{"brokers", "clients", "producers", "readers", "consumers", "controller"}
	for _, b := range c.plan.Brokers {
		names = append(names, brokerName(b.ID))
	}
	for _, one := range c.clients {
		names = append(names, one.name)
	}
	return names
}
