package scenario

import "replog/internal/kafka"

// form says how the value of a key is written.
type form uint8

const (
	textForm     form = iota // words for a person
	nameForm                 // the name of something in the scenario, or one of some words
	nodesForm                // who takes part: "broker 2", "brokers", a producer's name ..., or a list of those
	integerForm              // 3
	booleanForm              // true
	spanForm                 // 50ms
	instantForm              // 12:40:00, or a span since the start
	joinsForm                // an instant, never, or a list of those
	keyForm                  // the key of a record, with $(expressions) over order
	orderForm                // true, or $(an expression over order)
	latencyForm              // 1ms, or {min: 1ms, max: 4ms}
	replicasForm             // [[1, 2, 3], [2, 3, 1]]
	idsForm                  // 13, or [8812, 8820]
	blockForm                // a mapping with the keys of `of`
	namedForm                // a mapping from names that the author gives to blocks `of`
	listForm                 // a list of blocks `of`
	configForm               // a mapping of Kafka's settings of `scope`
	paramsForm               // a mapping from names to single values
	offsetsForm              // a mapping from partition numbers to offsets
	setForm                  // a mapping from paths to values
)

// key is one key that a block of a scenario file may have.
type key struct {
	name     string
	form     form
	doc      string
	of       *shape
	scope    kafka.Scope
	required bool
	// told: for people and for the tool around the run; it decides nothing in a run, so overrides can not reach it.
	told bool
}

// shape is the keys of one kind of block, in the order in which a reader should meet them.
type shape struct {
	name string // what the block is, for messages: "a topic"
	keys []key
}

func (s *shape) find(name string) *key {
	for i := range s.keys {
		if s.keys[i].name == name {
			return &s.keys[i]
		}
	}
	return nil
}

func (s *shape) names() []string {
	names := make([]string, len(s.keys))
	for i := range s.keys {
		names[i] = s.keys[i].name
	}
	return names
}

// fileShape is a scenario file as a whole. Everything that a file may say is in this table and those below it.
var fileShape = &shape{"a scenario", []key{
	{name: "title", form: textForm, told: true, required: true, doc: "one line for the list of scenarios"},
	{name: "order", form: integerForm, told: true, doc: "place in the list"},
	{name: "story", form: textForm, told: true, doc: "what happens, for the class"},
	{name: "tell", form: nameForm, told: true, doc: "the order whose story a run tells, as 8812"},
	{name: "remember", form: textForm, told: true, doc: "one sentence that the run has just proved"},
	{name: "notes", form: textForm, told: true, doc: "for the instructor"},
	{name: "params", form: paramsForm, doc: "values that $(expressions) elsewhere may use"},
	{name: "lesson", form: booleanForm, doc: "the lesson's simple world: replication by stream, a pipelined wire, no latency, " +
		"a death noticed at once, one retry at the takeover, no client defaults"},
	{name: "start", form: instantForm, doc: "time of day at which the run begins; without it times count from 0"},
	{name: "tick", form: spanForm, doc: "length of a tick; every span of the file must be a whole number of them (1ms)"},
	{name: "end", form: instantForm, required: true, doc: "when the run ends"},
	{name: "seed", form: integerForm, doc: "seed of all chance (1)"},
	{name: "wire", form: nameForm, doc: "serial: a broker takes one request at a time from a connection, as Kafka does; pipelined"},
	{name: "replication", form: nameForm, doc: "fetch: followers pull, as Kafka's do; stream: the lesson's"},
	{name: "stream.lag", form: spanForm, doc: "replication: stream: when a follower has a record, and again until the leader knows"},
	{name: "takeover", form: spanForm, doc: "lesson: from the leader's death to the new leader (0ms)"},
	{name: "follower.exit", form: spanForm, doc: "lesson: from a follower's death to its leaving the ISR (0ms)"},
	{name: "latency", form: latencyForm, of: latencyShape, doc: "one way of a message (1ms; lesson 0ms)"},
	{name: "version", form: nameForm, doc: "the version of Kafka whose rules hold: 2.8, 3.5, 3.7, 4.0, 4.1 or 4.2 (4.0)"},
	{name: "rules", form: blockForm, of: rulesShape, doc: "what older versions of Kafka did otherwise"},
	{name: "brokers", form: blockForm, of: brokersShape, required: true, doc: "the cluster"},
	{name: "topics", form: namedForm, of: topicShape, required: true, doc: "the topics, by name"},
	{name: "producers", form: namedForm, of: producerShape, doc: "who writes, by name"},
	{name: "readers", form: namedForm, of: readerShape, doc: "who reads without a group, by name"},
	{name: "consumers", form: namedForm, of: consumerShape, doc: "the members of consumer groups, by name"},
	{name: "loads", form: listForm, of: loadShape, doc: "what the applications send"},
	{name: "survive", form: blockForm, of: surviveShape, doc: "how many brokers the partition can lose for good, found by running " +
		"every set of losses, with and without followers that lag; the timeline has an entry lose-N (a crash) for each replica N, and " +
		"lag-N for each but the first, all switched off by when: false"},
	{name: "sweep", form: listForm, of: sweepShape, doc: "faults that are tried at every moment at which something happens, a run each: at " +
		"how many what a reader counts is right, too high or too low"},
	{name: "working", form: listForm, of: workingShape, doc: "what one reckons, to stand beside what the run measures"},
	{name: "timeline", form: listForm, of: faultShape, doc: "what goes wrong, and when"},
	{name: "ask", form: listForm, of: askShape, told: true, doc: "questions to the class"},
	{name: "variants", form: namedForm, of: variantShape, told: true, doc: "the same story with some values changed, by name"},
	{name: "expect", form: blockForm, of: expectShape, told: true, doc: "what must come out of every variant"},
}}

var latencyShape = &shape{"latency", []key{
	{name: "min", form: spanForm, required: true, doc: "the shortest"},
	{name: "max", form: spanForm, required: true, doc: "the longest; each message draws its own"},
}}

var brokersShape = &shape{"brokers", []key{
	{name: "count", form: integerForm, required: true, doc: "how many brokers; their ids are 1, 2, ..."},
	{name: "dead", form: integerForm, doc: "how many of them, the highest ids first, are down from the start (0)"},
	{name: "log.dirs", form: integerForm, doc: "how many log directories each has, a disk each; its replicas are dealt to them in turn (1)"},
	{name: "metadata.log.dir", form: integerForm, doc: "which of them also holds the metadata log, so that the broker can not live " +
		"without it; 0: a disk of its own (1)"},
	{name: "heartbeat.phase", form: spanForm, doc: "when the brokers send their first heartbeat (0ms)"},
	{name: "config", form: configForm, scope: kafka.BrokerSetting | kafka.ControllerSetting, doc: "settings of every broker"},
}}

var topicShape = &shape{"a topic", []key{
	{name: "partitions", form: integerForm, doc: "how many partitions (1)"},
	{name: "replication.factor", form: integerForm, doc: "how many replicas each, dealt out in turn (1)"},
	{name: "replicas", form: replicasForm, doc: "the brokers of each partition; the first live one leads"},
	{name: "offsets", form: offsetsForm, doc: "offset at which a partition begins, by number (0)"},
	{name: "config", form: configForm, scope: kafka.TopicSetting, doc: "settings of the topic"},
}}

var producerShape = &shape{"a producer", []key{
	{name: "client", form: nameForm, doc: "whose defaults and habits it has (java-4.0)"},
	{name: "workers", form: integerForm, doc: "how many processes, each with a producer and connections of its own (1)"},
	{name: "compression.ratio", form: integerForm, doc: "with compression.type: how much of a record is left, in percent (100)"},
	{name: "compression.cost", form: spanForm, doc: "with compression.type: how long it takes to compress a batch (0ms)"},
	{name: "resends", form: booleanForm, doc: "its application hands over again every record that was reported failed, and after " +
		"a restart every one of which it has no report (false)"},
	{name: "transactions", form: blockForm, of: transactionsShape, doc: "its application sends in transactions"},
	{name: "config", form: configForm, scope: kafka.ProducerSetting, doc: "settings of the producer"},
}}

var transactionsShape = &shape{"transactions", []key{
	{name: "id", form: nameForm, doc: "the transactional.id (the name of the producer); producers may share one, and the one that begins " +
		"later fences the other. A producer calls initTransactions() with its first record"},
	{name: "records", form: integerForm, doc: "the application ends a transaction after so many records"},
	{name: "every", form: spanForm, doc: "or when so much time has passed since it began it"},
	{name: "abort", form: idsForm, doc: "the transactions that it aborts, by their numbers from 1; it commits the others"},
	{name: "hang", form: idsForm, doc: "the transactions that it neither commits nor aborts, as it hangs from then on"},
	{name: "coordinator", form: nameForm, doc: "the broker that coordinates them at first"},
}}

var readerShape = &shape{"a reader", []key{
	{name: "topic", form: nameForm, doc: "the topic of which it reads every partition"},
	{name: "partitions", form: nodesForm, doc: "or single partitions, as orders-2"},
	{name: "client", form: nameForm, doc: "whose defaults and habits it has (java-4.0)"},
	{name: "config", form: configForm, scope: kafka.ReaderSetting, doc: "settings of the reader"},
}}

var consumerShape = &shape{"a consumer", []key{
	{name: "group", form: nameForm, doc: "its group.id (the name of the block); blocks may share a group"},
	{name: "topic", form: nameForm, doc: "the topic that it subscribes to"},
	{name: "topics", form: nameForm, doc: "or the list of topics"},
	{name: "members", form: integerForm, doc: "how many processes, each a member of the group: packing-0, packing-1, ... (1)"},
	{name: "client", form: nameForm, doc: "whose defaults and habits it has (java-4.0)"},
	{name: "static", form: booleanForm, doc: "each member has its name as group.instance.id (false)"},
	{name: "instance.id", form: nameForm, doc: "or the group.instance.id of the only member"},
	{name: "joins", form: joinsForm, doc: "when the processes start (0ms); a list has a time for each member; never: only the timeline starts them"},
	{name: "coordinator", form: nameForm, doc: "the broker with the first replica of the group's partition of __consumer_offsets (by its number)"},
	{name: "work", form: spanForm, doc: "how long the application works on a record; it does not call poll() meanwhile (0ms)"},
	{name: "commit", form: nameForm, doc: "when the application itself commits: after-record, after-poll, before-work or never; with this " +
		"key enable.auto.commit is off unless the config says otherwise (enable.auto.commit decides)"},
	{name: "commit.mode", form: nameForm, doc: "sync: it waits for the answer; async (sync)"},
	{name: "commit.on.revoke", form: booleanForm, doc: "it also commits in the callback before a partition is taken from it (false)"},
	{name: "hand.off", form: booleanForm, doc: "a thread of its own does the work, while poll() goes on and up to max.poll.records wait (false)"},
	{name: "on.revoke", form: nameForm, doc: "hand.off: what it does with the work on a partition that was taken away: finish it and commit, or " +
		"drop (finish)"},
	{name: "on.shutdown", form: nameForm, doc: "what it does, asked to close, with what a poll has handed out: finish it, or break-off (finish)"},
	{name: "fails", form: idsForm, doc: "orders the work on which fails the first time (none)"},
	{name: "on.failure", form: nameForm, doc: "what it does then: rewind, to the first order that is not done, or skip all that the poll has " +
		"handed out (rewind)"},
	{name: "effect", form: nameForm, doc: "what it does with a record outside of Kafka: show, print, insert or none (none)"},
	{name: "unique.key", form: booleanForm, doc: "effect: insert: the table refuses a second row for the same record (false)"},
	{name: "feeds", form: blockForm, of: feedsShape, doc: "it is a processor: it makes a record of each and sends it on with a producer of " +
		"its own, NAME.producer, which is one process with it"},
	{name: "restarts.after", form: spanForm, doc: "how long after an error that ended the consumer its process starts anew (it does not)"},
	{name: "config", form: configForm, scope: kafka.ConsumerSetting, doc: "settings of the consumer"},
}}

var loadShape = &shape{"a load", []key{
	{name: "name", form: nameForm, doc: "a name for paths, as in --set loads.NAME.count=20"},
	{name: "producer", form: nameForm, required: true, doc: "who sends: order n goes through worker n mod workers"},
	{name: "topic", form: nameForm, required: true, doc: "where to"},
	{name: "start", form: instantForm, doc: "when the first order is sent (0ms)"},
	{name: "every", form: spanForm, doc: "from one order to the next (0ms)"},
	{name: "burst", form: integerForm, doc: "how many orders are sent at the same instant (1)"},
	{name: "count", form: integerForm, required: true, doc: "how many orders"},
	{name: "repeat", form: integerForm, doc: "how many times the whole load is sent, as once a day (1)"},
	{name: "repeat.every", form: spanForm, doc: "from one time to the next (24h)"},
	{name: "first", form: integerForm, doc: "number of the first order (the next free one)"},
	{name: "key", form: keyForm, doc: "the key of an order's records, as kitchen-$(order mod 100), or none (none)"},
	{name: "size", form: integerForm, doc: "bytes of a record (100)"},
	{name: "tombstone", form: orderForm, doc: "whether a record has no value, which on a compacted topic deletes its key: true, or " +
		"$(order mod 5 == 0) (false)"},
	{name: "steps", form: listForm, of: stepShape, doc: "one record of an order for each step (one record)"},
}}

var stepShape = &shape{"a step", []key{
	{name: "name", form: nameForm, required: true, doc: "what happened to the order, as placed or paid"},
	{name: "after", form: spanForm, doc: "how long after the order (0ms)"},
	{name: "producer", form: nameForm, doc: "who sends it, where that is another producer"},
	{name: "key", form: keyForm, doc: "its key, where that is another key"},
	{name: "tombstone", form: orderForm, doc: "whether it has no value, as for the load"},
}}

var faultShape = &shape{"an entry of the timeline", []key{
	{name: "name", form: nameForm, doc: "a name for paths, as in --set timeline.NAME.at=12:40:01"},
	{name: "at", form: instantForm, required: true, doc: "when"},
	{name: "when", form: booleanForm, doc: "false leaves the entry out (true)"},
	{name: "crash", form: nameForm, doc: "the broker or consumer whose process stops, or the group all of whose members do; what it has " +
		"not sent yet is lost"},
	{name: "restart", form: nameForm, doc: "the broker that comes back with the log it had, or the consumer; or the producer that starts " +
		"anew at once"},
	{name: "start", form: nameForm, doc: "the consumer with joins: never that starts"},
	{name: "shutdown", form: nameForm, doc: "the broker that is asked to stop (SIGTERM): controlled shutdown; or the consumer that is closed"},
	{name: "pause", form: nameForm, doc: "the broker, consumer or reader that stands still, as in a long garbage collection, until `until` or " +
		"`for` is over: its connections stand, and what comes for it waits; or controller: nobody is active until another one takes over"},
	{name: "stall", form: nameForm, doc: "the consumer whose application works on, without a poll(), until `until` or `for` is over; its " +
		"heartbeats go on"},
	{name: "power.loss", form: blockForm, of: powerShape, doc: "a broker stops, and what had not reached its disk is gone"},
	{name: "disk.failure", form: blockForm, of: diskShape, doc: "a log directory of a broker fails, and the replicas on it are gone; a " +
		"restart of the broker finds a new, empty disk"},
	{name: "add.partitions", form: blockForm, of: growShape, doc: "a topic gets more partitions (kafka-topics.sh --alter); their replicas are dealt " +
		"to the brokers in turn"},
	{name: "hold", form: blockForm, of: matchShape, doc: "messages stay inside their sender, whose connection stays busy"},
	{name: "delay", form: blockForm, of: matchShape, doc: "messages take longer on the wire, by `by`"},
	{name: "drop", form: blockForm, of: matchShape, doc: "messages are lost on the wire"},
	{name: "duplicate", form: blockForm, of: matchShape, doc: "messages arrive twice"},
	{name: "reset", form: blockForm, of: matchShape, doc: "the connection breaks under a message, which is lost: before the " +
		"append under a ProduceRequest, after it under a ProduceResponse"},
	{name: "rewrite", form: blockForm, of: rewriteShape, doc: "a broker answers produce requests with an error"},
	{name: "silence", form: blockForm, of: silenceShape, doc: "connections that stand carry nothing more; new ones work"},
	{name: "cut", form: blockForm, of: cutShape, doc: "no packet gets through between two parties; TCP sends them again, so what " +
		"was sent meanwhile arrives when the cut is over"},
	{name: "elect", form: blockForm, of: electShape, doc: "what an operator does with kafka-leader-election"},
	{name: "delete.records", form: blockForm, of: deleteRecordsShape, doc: "what an operator does with kafka-delete-records"},
	{name: "set", form: setForm, doc: "settings that are different from then on, by their paths, as producers.shop.config.acks: 1"},
	{name: "until", form: instantForm, doc: "when it ends (never)"},
	{name: "for", form: spanForm, doc: "or how long it lasts"},
	{name: "say", form: textForm, doc: "what it is, in a sentence"},
}}

var matchShape = &shape{"a fault of messages", []key{
	{name: "message", form: nameForm, doc: "the kind of message, as ProduceResponse (any)"},
	{name: "from", form: nodesForm, doc: "the senders (any)"},
	{name: "to", form: nodesForm, doc: "the receivers (any)"},
	{name: "partition", form: nameForm, doc: "only messages about this partition, as orders-2 (any)"},
	{name: "count", form: integerForm, doc: "only so many messages (all)"},
	{name: "by", form: spanForm, doc: "delay: how much longer they take"},
}}

var rewriteShape = &shape{"a rewritten answer", []key{
	{name: "error", form: nameForm, required: true, doc: "the error that the producer gets, as NOT_ENOUGH_REPLICAS"},
	{name: "stored", form: booleanForm, doc: "whether the broker had stored the batches all the same (false)"},
	{name: "message", form: nameForm, doc: "ProduceResponse, the only answer that can be rewritten"},
	{name: "from", form: nodesForm, doc: "the brokers that answer (any)"},
	{name: "to", form: nodesForm, doc: "the producers (any)"},
	{name: "partition", form: nameForm, doc: "only requests with a batch of this partition, as orders-2 (any)"},
	{name: "count", form: integerForm, doc: "only so many answers (all)"},
}}

var silenceShape = &shape{"a silence", []key{
	{name: "from", form: nodesForm, doc: "who opened the connections (anyone)"},
	{name: "to", form: nodesForm, doc: "to whom (anyone)"},
}}

var powerShape = &shape{"a power loss", []key{
	{name: "broker", form: nameForm, required: true, doc: "the broker"},
	{name: "unflushed", form: integerForm, doc: "how many records at the end of each of its logs had not reached the disk; whole batches go (0)"},
}}

var diskShape = &shape{"a disk failure", []key{
	{name: "broker", form: nameForm, required: true, doc: "the broker"},
	{name: "dir", form: integerForm, doc: "the number of the log directory (1)"},
}}

var growShape = &shape{"more partitions", []key{
	{name: "topic", form: nameForm, required: true, doc: "the topic"},
	{name: "count", form: integerForm, required: true, doc: "how many partitions it has from then on"},
}}

var cutShape = &shape{"a cut", []key{
	{name: "between", form: nodesForm, required: true, doc: "the two parties, as [broker 2, controller] or [broker 1, brokers]"},
}}

var electShape = &shape{"an election", []key{
	{name: "type", form: nameForm, required: true, doc: "preferred: the first replica leads again, if it is in the ISR; unclean: " +
		"any live replica, where there is no leader"},
	{name: "topic", form: nameForm, doc: "only the partitions of this topic (all)"},
	{name: "partition", form: nameForm, doc: "only this partition, as orders-2"},
}}

var deleteRecordsShape = &shape{"delete.records", []key{
	{name: "partition", form: nameForm, required: true, doc: "of which partition, as orders-2"},
	{name: "before", form: integerForm, doc: "the first offset that stays; -1 deletes all that is committed (-1)"},
}}

var surviveShape = &shape{"survive", []key{
	{name: "every", form: spanForm, required: true, doc: "from one loss to the next, where brokers are lost one after the other"},
}}

var sweepShape = &shape{"a sweep", []key{
	{name: "entries", form: nodesForm, required: true, doc: "the names of timeline entries that stop and start processes: the first is moved " +
		"to each moment, the others keep their distance to it. Only a sweep's own entries act in it"},
	{name: "from", form: instantForm, required: true, doc: "the first moment; the next are the ticks behind those in which something happens"},
	{name: "to", form: instantForm, required: true, doc: "the last moment"},
	{name: "counts", form: nameForm, required: true, doc: "the reader; right is what it shows when the fault does not come at all"},
}}

var workingShape = &shape{"a line of the working", []key{
	{name: "say", form: textForm, required: true, doc: "what it is, as events a day"},
	{name: "text", form: textForm, doc: "how one reckons it, as 40,000 orders x 6 events"},
	{name: "value", form: integerForm, doc: "what that comes to"},
	{name: "unit", form: nameForm, doc: "bytes, or share (a plain number)"},
	{name: "of", form: integerForm, doc: "unit: share: what the value is a share of"},
	{name: "measured", form: nameForm, doc: "the fact of the outcome to hold beside it, as bytes.one_copy_records"},
}}

var askShape = &shape{"a question", []key{
	{name: "at", form: instantForm, doc: "when the run stops for it"},
	{name: "before", form: nameForm, doc: "or what it stops before, as `order 8812 is stored twice`; of a list the first to come"},
	{name: "question", form: textForm, required: true, doc: "the question"},
	{name: "choices", form: listForm, of: choiceShape, required: true, doc: "two to four answers to choose from"},
	{name: "answer", form: nameForm, required: true, doc: "the right one: a, b, c or d"},
	{name: "proof", form: nameForm, required: true, doc: "what happens in the run that proves it, or a list of which the first to come does"},
	{name: "variants", form: nameForm, doc: "the variant, or the list of variants, that asks (all)"},
}}

var choiceShape = &shape{"a choice", []key{
	{name: "text", form: textForm, required: true, doc: "the answer"},
	{name: "why", form: textForm, required: true, doc: "a word on why it is right, or not"},
}}

var variantShape = &shape{"a variant", []key{
	{name: "note", form: textForm, doc: "what is different, in one line"},
	{name: "set", form: setForm, doc: "the values that are different, by their paths, as producers.shop.config.acks: 1"},
	{name: "expect", form: blockForm, of: expectShape, doc: "what must come out of this variant, instead of or besides the common"},
}}

var expectShape = &shape{"expect", []key{
	{name: "sent", form: idsForm, doc: "records that the applications sent"},
	{name: "acked", form: idsForm, doc: "records that were acknowledged"},
	{name: "acked_then_lost", form: idsForm, doc: "records that were acknowledged and then lost"},
	{name: "stored_twice", form: idsForm, doc: "records that are stored more than once"},
	{name: "never_stored", form: idsForm, doc: "records that are in no log"},
	{name: "failed_but_stored", form: idsForm, doc: "records that were reported failed and are stored"},
	{name: "stored_unacked", form: idsForm, doc: "records that are stored and were not acknowledged"},
	{name: "silent", form: idsForm, doc: "acks=0: records that are in no log, though nobody was told of a failure"},
	{name: "unknown", form: idsForm, doc: "records of which the producer never learned"},
	{name: "refused", form: idsForm, doc: "records that a broker refused"},
	{name: "shown_early", form: idsForm, doc: "records that a reader showed before an earlier step of the same order"},
	{name: "reordered", form: idsForm, doc: "records that stand in their partition behind later ones of their producer (of loads " +
		"without steps)"},
	{name: "keys_split", form: integerForm, doc: "how many keys have records in more than one partition"},
	{name: "partitions_used", form: integerForm, doc: "how many partitions have a record"},
	{name: "requests", form: integerForm, doc: "how many produce requests the producers sent"},
	{name: "retries", form: integerForm, doc: "how many times a record went over the wire again"},
	{name: "duplicates_recognised", form: integerForm, doc: "how many retries a leader recognised"},
	{name: "ack_latency_ms.min", form: integerForm, doc: "shortest time to acknowledge a first attempt, or null"},
	{name: "ack_latency_ms.p50", form: integerForm, doc: "its median"},
	{name: "ack_latency_ms.p99", form: integerForm, doc: "what 99 of 100 took at most"},
	{name: "ack_latency_ms.max", form: integerForm, doc: "longest time to acknowledge a first attempt"},
	{name: "retry_latency_ms.min", form: integerForm, doc: "the same of records that needed a retry"},
	{name: "retry_latency_ms.p50", form: integerForm, doc: "its median"},
	{name: "retry_latency_ms.p99", form: integerForm, doc: "what 99 of 100 took at most"},
	{name: "retry_latency_ms.max", form: integerForm, doc: "the longest"},
	{name: "expired", form: integerForm, doc: "how many records retention deleted"},
	{name: "skipped", form: idsForm, doc: "records that were gone before a reader came to them"},
	{name: "effects_twice", form: idsForm, doc: "records with which a group did something twice outside of Kafka"},
	{name: "effects_by_two", form: idsForm, doc: "those of them with which two members did it"},
	{name: "effects_refused", form: idsForm, doc: "records that a unique key refused the second time"},
	{name: "reread", form: idsForm, doc: "records that a group read again from the same offset"},
	{name: "passed_over", form: idsForm, doc: "records that a group committed past or jumped over, and never did"},
	{name: "read_then_cut", form: idsForm, doc: "records that a group read, and that were cut off from the log afterwards"},
	{name: "unread", form: idsForm, doc: "records that a group has yet to do when the run ends"},
	{name: "rebalances", form: integerForm, doc: "how often a group began to rebalance, its first time included"},
	{name: "members_fenced", form: integerForm, doc: "how many requests were refused because their sender was no member any more"},
	{name: "commits_refused", form: integerForm, doc: "how many commits a coordinator refused, a partition each"},
	{name: "commits_failed", form: integerForm, doc: "how many commits failed for their member, a partition each"},
	{name: "moved", form: integerForm, doc: "how often a partition went to another member"},
	{name: "standstills", form: integerForm, doc: "how often no member had some partition that one had before"},
	{name: "standstill_ms", form: integerForm, doc: "the longest time for which no member had some partition"},
	{name: "lag.committed", form: integerForm, doc: "records at the end that are readable and not committed, as kafka-consumer-groups counts"},
	{name: "lag.position", form: integerForm, doc: "records at the end that no member has read, as records-lag counts"},
	{name: "aborted", form: idsForm, doc: "records that are in the log at the end and whose transaction was aborted"},
	{name: "open", form: idsForm, doc: "records whose transaction is neither committed nor aborted at the end"},
	{name: "hidden", form: idsForm, doc: "records that readers with read_committed can not see at the end, behind an open transaction"},
	{name: "shown_aborted", form: idsForm, doc: "records that a reader showed and that were aborted"},
	{name: "producers_fenced", form: integerForm, doc: "how many producers were refused because of their producer epoch"},
	{name: "compaction.records", form: integerForm, doc: "how many records were written to compacted topics"},
	{name: "compaction.removed", form: integerForm, doc: "how many of them the cleaner removed from the leaders' logs"},
	{name: "compaction.left", form: integerForm, doc: "how many are left"},
	{name: "compaction.old_versions", form: integerForm, doc: "how many are left although a newer record has the same key"},
	{name: "compaction.tombstones", form: integerForm, doc: "how many tombstones are left"},
	{name: "compaction.shown", form: integerForm, doc: "how many of their records the readers were shown, each time counted"},
	{name: "compaction.stale", form: integerForm, doc: "how many deleted keys the readers still believe in"},
	{name: "bytes.one_copy_records", form: integerForm, doc: "bytes of records on the leaders' disks at the end"},
	{name: "bytes.one_copy_headers", form: integerForm, doc: "bytes of batch headers there"},
	{name: "bytes.all_copies_records", form: integerForm, doc: "bytes of records on all disks"},
	{name: "bytes.all_copies_headers", form: integerForm, doc: "bytes of batch headers on all disks"},
	{name: "bytes.disks_at_most", form: integerForm, doc: "most bytes that all disks together held at any time"},
	{name: "rates.most_in_a_day", form: integerForm, doc: "most records sent in a day"},
	{name: "rates.most_in_a_second", form: integerForm, doc: "records sent a second, in the busiest hour"},
	{name: "rates.busiest_broker", form: integerForm, doc: "bytes of records a second that the busiest broker stored in its busiest hour"},
	{name: "survive.accepts_writes", form: integerForm, doc: "brokers that may be lost, and acks=all is still acknowledged"},
	{name: "survive.data_safe", form: integerForm, doc: "brokers that may be lost, and a live replica has what was acknowledged"},
	{name: "survive.data_safe_in_sync", form: integerForm, doc: "the same, if all replicas were in the ISR at the first loss"},
	{name: "sweep.moments", form: integerForm, doc: "moments at which the faults of all sweeps were tried"},
	{name: "sweep.right", form: integerForm, doc: "moments at which the reader counted what it should"},
	{name: "sweep.too_high", form: integerForm, doc: "moments at which it counted some record more often"},
	{name: "sweep.too_low", form: integerForm, doc: "moments at which it counted some record less often"},
	{name: "metrics.UnderReplicatedPartitions", form: integerForm, doc: "the most that an operator saw"},
	{name: "metrics.OfflinePartitionsCount", form: integerForm, doc: "the most that an operator saw"},
	{name: "metrics.UncleanLeaderElections", form: integerForm, doc: "how many leaders from outside of the ISR"},
	{name: "metrics.IsrShrinks", form: integerForm, doc: "how many ISRs a leader made smaller"},
	{name: "metrics.IsrExpands", form: integerForm, doc: "how many ISRs a leader made larger"},
	{name: "violates", form: nameForm, doc: "the promise, or the list of promises, that must break"},
}}
