// Package model says how the simulated Kafka differs from the real one, and which version of the model a program holds.
// If something is not on the list, it behaves as Kafka does.
package model

// Version counts the changes of the model that may change what a scenario comes to. A golden outcome and a trace carry
// it, so that a change of the model is told from a change of the scenario.
const Version = 5

// Difference is one simplification.
type Difference struct {
	Area string // what part of Kafka
	Text string // one sentence
}

// Differences lists every simplification, ordered by area.
func Differences() []Difference { return differences }

var differences = []Difference{
	{"Time", "Time is whole ticks; every step inside a broker takes no time, only the network and the configured waits do."},
	{"Time", "Within a tick faults come first, then messages, timers and applications, each in the order of scheduling."},
	{"Network", "A connection has no bandwidth: latency does not depend on the size of a message."},
	{"Network", "Only producers wait for a connection to open (one round trip); followers, readers and consumers send their first request with it."},
	{"Network", "A process that crashes resets its connections, and what it had sent but not delivered is lost; the other side learns of it one latency later, as if its host had sent the reset."},
	{"Network", "A cut link keeps what each side sends and delivers it when the cut is over, as TCP does for some minutes; of a broker's own requests only fetches have a time-out (replica.socket.timeout.ms; for the metadata log the heartbeats notice that it stands still)."},
	{"Network", "wire: pipelined lets a broker work on several requests of one connection at once; Kafka takes one at a time."},
	{"Client", "Metadata requests travel on a connection of their own, so they never wait behind a stalled produce request."},
	{"Client", "A client asks for metadata when something fails and then at a fixed interval; the periodic refresh (metadata.max.age.ms) is made only by producers and members of groups, and only in a run in which a topic gets more partitions. Readers find new partitions within a retry."},
	{"Client", "The Java client's adaptive choice of a partition (KIP-794) goes by the batches that wait at that moment, not as of the sender's last round; partitioner.availability.timeout.ms is left out."},
	{"Client", "Compression has no codec: a ratio and a time for each batch, for the whole run. Followers and readers pay nothing for it."},
	{"Client", "buffer.memory is filled by the records' own bytes; the Java client takes at least batch.size for each batch that is open."},
	{"Client", "RoundRobinPartitioner does not skip a partition at each new batch, as it does before 4.0 (KAFKA-9965)."},
	{"Client", "Backoffs grow as the client's do, but have no jitter: clients that fail together try again together."},
	{"Client", "delivery.timeout.ms in librdkafka is looked at each full second of the run, in franz-go every five (measured: up to a second, five seconds late); what librdkafka measures beyond that (up to 11 s) is left out."},
	{"Client", "A direction of a link that loses everything does not keep a new connection from being opened."},
	{"Client", "A producer raises its epoch by itself and at once (librdkafka first waits for what is in flight); epochs do not run out."},
	{"Client", "The Java client, too, renumbers a batch that was overtaken under an unknown producer id (KAFKA-15591), where it really repeats it until delivery.timeout.ms."},
	{"Client", "With acks=0 an error does not close the connection."},
	{"Client", "A consumer of librdkafka, franz-go or Sarama is the Java consumer with their settings and with what their auto-commit covers; librdkafka and franz-go also join and let go of partitions while the application works, unless it commits in the callback."},
	{"Client", "A consumer tries again every retry.backoff.ms; in the Java client the waits grow up to retry.backoff.max.ms (KIP-580), and librdkafka waits fetch.error.backoff.ms (500) after a fetch."},
	{"Client", "An auto-commit in which no position has moved is left out; the Java client sends it every auto.commit.interval.ms."},
	{"Client", "Readers are in memory: no group, no committed offsets; they start at the log start and go on from their own position."},
	{"Client", "A reader does not check its position against the leader epoch after a change of leader (KIP-320)."},
	{"Broker", "Producer ids come from a block that each broker has for itself, not from the controller."},
	{"Broker", "Readers and consumers fetch from leaders only, whatever their rack (KIP-392 is left out); a partition keeps the replicas that it was made with: there is no reassignment."},
	{"Broker", "A follower has one fetcher for each leader (num.replica.fetchers=1) and one fetch session with it."},
	{"Broker", "A follower that asks past the leader's log gets the leader's log start and end with the error, instead of a ListOffsets round."},
	{"Broker", "A log directory that fails is noticed at once; Kafka notices with the next read or write. A restart finds a new disk in its place, and its replicas begin empty at their old log start."},
	{"Broker", "DeleteRecords is answered when the leader has done it; Kafka waits for the followers' log start offsets."},
	{"Broker", "A pass of the log cleaner takes no time, and every log that is dirty enough is cleaned at the same look; merged segments are bounded by their bytes alone, not by their indexes."},
	{"Broker", "A follower begins a segment before the batch that no longer fits; Kafka's looks at all that a fetch answer brought."},
	{"Broker", "A deleted segment frees its disk at once; Kafka frees it file.delete.delay.ms later."},
	{"Broker", "All clocks agree, so no record is dated in the future; a batch larger than segment.bytes gets a segment of its own, where Kafka refuses it."},
	{"Broker", "A crash stops the process and keeps the page cache: every appended record is in the log after the restart. A power loss takes the records that the scenario says, and is not worked out from flush settings."},
	{"Broker", "A pause stops the process between two inputs; when it is over it takes what waited in one tick, timers and messages in the order in which they came, not by thread."},
	{"Controller", "One controller stands for the KRaft quorum; its log needs no votes. While it is paused nobody is active and requests to it wait; the one that takes over has the same log and is there at once."},
	{"Controller", "Heartbeats leave at fixed intervals; in Kafka the interval counts from the answer before."},
	{"Controller", "All stale brokers are fenced in one look; Kafka fences one a run and runs again at once."},
	{"Groups", "A member id ends in a number that the coordinator counts up for the group, where Kafka's ends in a UUID; when its leader leaves, the member with the smallest id leads, where Kafka takes any."},
	{"Groups", "A group with members of one protocol refuses those of the other (a classic one with INCONSISTENT_GROUP_PROTOCOL, one of KIP-848 with GROUP_ID_NOT_FOUND); Kafka 4.0 can move a group to the other protocol while it has members (group.consumer.migration.policy)."},
	{"Groups", "OffsetFetch always waits until what is written is committed, as the Java consumer asks for it (require_stable); without that Kafka answers at once, with what is committed."},
	{"Groups", "No topic comes or goes during a run, and no partition goes, so no group rebalances for that."},
	{"Groups", "Of a classic group only the leader looks for new partitions; in librdkafka each member does and joins again, but the group rebalances only when the leader does."},
	{"Groups", "A static member whose return is not stored in time (offsets.commit.timeout.ms) keeps its new member id, where Kafka goes back to the old one."},
	{"Groups", "A static member that returns before its earlier life has asked for its part of the assignment does so in its stead; Kafka goes on waiting for the earlier life, and rebalances when the rebalance timeout is over."},
	{"Transactions", "A producer of any library has the transactions of the Java client (TransactionManager), and talks to its coordinator over a connection of its own; in the Java client batches and such requests to one broker share a connection."},
	{"Transactions", "An application that aborts waits for the answers to what it has sent first (flush); KafkaProducer.abortTransaction drops what has not left. After an error it is dropped here too."},
	{"Transactions", "A processor (feeds) makes one record of each that it reads, keeps no state of its own, and ends its transaction after each poll; Kafka Streams does so every commit.interval.ms."},
	{"Transactions", "A processor that has to abort goes back to the committed offsets of its group; one whose producer is fenced closes its consumer, and starts anew only with restarts.after."},
	{"Transactions", "Neither transactional ids nor producer ids expire (transactional.id.expiration.ms, producer.id.expiration.ms)."},
	{"Transactions", "In transaction version 2 a fenced transaction raises the epoch once (since 4.1, KAFKA-19367) and a marker must be above the epoch of the records (since 4.2, KAFKA-19999), from 4.0 on."},
	{"Transactions", "A marker that met a passing error is sent again after 100 ms; Kafka's coordinator sends it again at once."},
	{"Transactions", "A leader hands CONCURRENT_TRANSACTIONS to the producer at once, where Kafka 4.0 first asks the coordinator again for up to 100 ms; and it waits for the coordinator's answer as long as the connection stands."},
	{"Transactions", "A leader asks the coordinator about each produce request at once; Kafka's has one such request under way to a broker, and answers NETWORK_EXCEPTION to the earlier of two questions of one transactional id that wait."},
	{"Transactions", "With transaction version 1 a batch outside of its transaction is refused with INVALID_TXN_STATE, as before 3.8; since then a client that knows it hears TRANSACTION_ABORTABLE. All clients have the cluster's transaction version."},
	{"Transactions", "A coordinator has read its partition as soon as its broker leads it; Kafka's takes its time, and answers COORDINATOR_LOAD_IN_PROGRESS until then."},
	{"Transactions", "A record of an internal topic and a transaction marker count as 100 bytes."},
	{"Scenario", "A timeline entry that sets producer settings acts at once on a running producer; in real life the application makes a new producer."},
	{"Lesson", "lesson: true is the lesson's simple world: records stream to followers, deaths are noticed and taken over at once, clients learn of it by themselves and retry once; there are no client defaults, time-outs or conflicts."},
	{"Lesson", "In a lesson an order that was refused waits for the takeover before it is sent again, since nothing else changes the ISR for the better."},
	{"Lesson", "In a lesson a leader recognises any batch of an idempotent producer, not just the last five."},
	{"Lesson", "In a lesson the log's tail above the high watermark counts as just appended when a new leader begins."},
}
