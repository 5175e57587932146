// Package internal is replog: a simulator of a partitioned, replicated log that behaves as Apache Kafka does.
//
// # Five sentences
//
// A scenario becomes a cluster. A cluster takes one input at a time. A node answers an input with effects. Effects become
// events. Everything a person sees is a fold of events.
//
//	scenarios/x.yaml -> scenario.Load -> plan.Plan -> sim.Cluster
//	                                                     | next input, in (tick, class, order of scheduling)
//	                                        node.Handle(input, *Out)  -> requests, answers, timers, events
//	                                                     | event.Step, the events of one input
//	                                                     v event.Sink
//	     view (what is on screen) · outcome (what became of each record) · check (promises) · explain (why) · trace
//
// # The packages
//
// Each imports only those above it; arch holds the table to it.
//
//	kafka         the vocabulary: ids, ticks, records, batches, requests, responses, errors, settings; no behaviour
//	event         the catalogue of what can happen: one row a kind, with its sentence and the rule behind it
//	plan          a checked scenario in core units: what a run needs to know, and nothing to parse
//	node          what a node is: an input in, effects out
//	commitlog     one replica's log: batches, leader-epoch cache, producer state, truncation, retention, compaction
//	fetch         the two ends of a fetch session
//	assign        partition assignors, of clients and of the coordinator; pure
//	coordinator   consumer groups: members, generations, epochs, targets, committed offsets; hosted by a broker
//	              coordinator/txn coordinates transactions: a decision, and the markers that carry it out
//	network       connections and the fate of each message
//	broker        leads, follows, serves: produce, fetch, ISR, high watermark; hosts the coordinators
//	controller    the metadata log: who is alive, who leads what, which ISR is committed
//	effect        the world outside of Kafka, in which the work of an application shows
//	client        the producer, the consumer and the reader; client/partition chooses partitions
//	sim           the cluster: tick, order, chance, faults; Step, Clone, Fingerprint
//	model         how the model differs from Kafka, and its version
//
//	view          the picture after n events; view/history writes histories for tests
//	until         moments as a person names them
//	scenario      YAML to a plan, with errors that point at the line
//	outcome       what became of each record
//	metrics       what an operator saw: the metrics of Kafka, computed from the picture
//	explain       the chain of causes, in sentences
//	check         the promises, after each step
//	trace         events to and from JSON lines
//	run           drives a plan, keeps the recording
//	explore       a plan run again and again with other faults: how many brokers a partition can lose, what a death at each
//	              moment does to a count
//	player        the playhead: position, marks, questions, forks
//	screen        a grid of cells and the drawing of panes into it
//	tui           the only importer of bubbletea
//	tui/early     keeps bubbletea from asking the terminal before main begins
//	tui/paint     writes its frames to the terminal, and nothing while nothing changes
//	report        text, JSON, JUnit, goldens
//	cli           the commands
//	testdata      the cases from Kafka's own tests, and the answer key, for the tests of the others
//	arch          tests that hold all this to its rules
//
// # Reading order
//
// To learn how Kafka works: kafka, then commitlog/log.go, broker/produce.go, broker/fetch.go, broker/follow.go,
// broker/highwatermark.go, broker/isr.go, controller/partitions.go, client/send.go and client/answer.go, then sim/take.go.
// Consumer groups: broker/host.go for what a coordinator is, coordinator/doc.go, and on from there; then client/consumer.go.
// Transactions: coordinator/txn/doc.go, and client/transaction.go.
//
// # Cuts that one might expect elsewhere, and why
//
//   - plan stands between scenario and sim: the simulator then knows no YAML, and a test writes a cluster as plain data.
//   - fetch is shared by brokers that follow and readers: both speak the same sessions, and neither may import the other.
//   - A fold names a record's content by (partition, leader epoch, offset): the leader of an epoch gives out each offset
//     once. So a replica in view, outcome and check is a list of runs of epochs, and replication copies nothing there.
//   - check shares no code with view or outcome, so that a mistake in one can not hide in the other.
//   - Record ids are dense numbers, and kafka.Names turns them into order numbers: every per-record fact is then an array.
//   - A fork ("what if") is the same scenario with one more entry in its timeline, run again from the start: the part
//     before is identical by construction, and the fork can be saved as a scenario file.
package internal
