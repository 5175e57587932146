package run

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/explain"
	"replog/internal/kafka"
	"replog/internal/scenario"
)

// TestIdempotentProducerKeepsItsPromise runs random settings and faults: within one session an idempotent producer stores
// nothing twice, reorders no partition and loses nothing that it acknowledged, but for two known holes: a leader that does
// not know a producer id takes any first sequence, and a batch that is sent again under a raised epoch is not recognised.
// Only the records that went through a hole are excused. The test must find both. Any other failure prints the scenario that replays it.
func TestIdempotentProducerKeepsItsPromise(t *testing.T) {
	runs := 400
	if testing.Short() {
		runs = 200
	}
	var firstSequence, raisedEpoch int
	for seed := range runs {
		text := randomScenario(rand.New(rand.NewPCG(uint64(seed), 6)), seed)
		r := replay(t, text)
		first, raised := holes(r.Log)
		excused := maps.Clone(first)
		maps.Copy(excused, raised)
		if wrong := brokenPromises(r, excused); wrong != "" {
			t.Errorf("seed %d: %s\n%s", seed, wrong, text)
			return
		}
		maps.DeleteFunc(raised, func(id kafka.RecordID, _ bool) bool { return first[id] }) // it went through that hole before
		if brokenPromises(r, raised) != "" {
			firstSequence++
		}
		if brokenPromises(r, first) != "" {
			raisedEpoch++
		}
	}
	if firstSequence == 0 || raisedEpoch == 0 {
		t.Errorf("the known holes were met %d times (first sequence) and %d times (raised epoch): both must be found",
			firstSequence, raisedEpoch)
	}
}

// randomScenario writes a scenario with one idempotent producer and a few faults.
func randomScenario(rng *rand.Rand, seed int) string {
	pick := func(words ...string) string { return words[rng.IntN(len(words))] }
	client := pick("librdkafka", "librdkafka-2.0", "java-2.8", "java-3.2", "java-4.0", "franz-go")
	config := []string{"enable.idempotence: true", "acks: all", "linger.ms: " + pick("0", "5")}
	if inFlight := pick("1", "2", "5"); client != "franz-go" { // which does not let one choose
		config = append(config, "max.in.flight.requests.per.connection: "+inFlight)
	}
	if strings.HasPrefix(client, "librdkafka") {
		config = append(config, "socket.timeout.ms: "+pick("700", "3000"), "delivery.timeout.ms: "+pick("2000", "300000", "300000"))
	} else {
		config = append(config, "request.timeout.ms: "+pick("700", "3000"), "delivery.timeout.ms: "+pick("3100", "120000", "120000"))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "title: random %d\nseed: %d\nend: 60s\nlatency: {min: 1ms, max: %sms}\n", seed, seed, pick("1", "4", "20"))
	fmt.Fprintf(&b, "brokers: {count: 3, config: {broker.session.timeout.ms: 2000, broker.heartbeat.interval.ms: 400}}\n")
	fmt.Fprintf(&b, "topics:\n  orders: {partitions: %s, replication.factor: 3, config: {min.insync.replicas: 2}}\n", pick("1", "3"))
	fmt.Fprintf(&b, "producers:\n  shop: {client: %s, config: {%s}}\n", client, strings.Join(config, ", "))
	fmt.Fprintf(&b, "loads:\n  - {producer: shop, topic: orders, start: 1s, every: %sms, count: 60, key: k-$(order mod 7)}\ntimeline:\n",
		pick("1", "10", "60"))
	for range 1 + rng.IntN(3) {
		fmt.Fprintf(&b, "  - {at: %dms, %s}\n", 900+rng.IntN(2500), randomFault(rng))
	}
	if broker := 1 + rng.IntN(6); broker <= 3 {
		at := 1000 + rng.IntN(2000)
		fmt.Fprintf(&b, "  - {at: %dms, crash: broker %d}\n  - {at: %dms, restart: broker %d}\n", at, broker, at+8000, broker)
	}
	return b.String()
}

func randomFault(rng *rand.Rand) string {
	count := 1 + rng.IntN(3)
	span := 100 + rng.IntN(3000)
	return []string{
		fmt.Sprintf("reset: {message: ProduceResponse, count: %d}", count),
		fmt.Sprintf("reset: {message: ProduceRequest, count: %d}", count),
		fmt.Sprintf("drop: {message: ProduceResponse}, for: %dms", span),
		fmt.Sprintf("drop: {message: ProduceRequest}, for: %dms", span),
		fmt.Sprintf("hold: {message: ProduceResponse, from: broker 1}, for: %dms", span),
		fmt.Sprintf("delay: {message: ProduceResponse, by: %dms, count: %d}", span, count),
		"silence: {from: shop}",
		fmt.Sprintf("rewrite: {error: NOT_ENOUGH_REPLICAS, count: %d}", count),
		fmt.Sprintf("rewrite: {error: NOT_LEADER_OR_FOLLOWER, count: %d}", count),
		fmt.Sprintf("rewrite: {error: NOT_ENOUGH_REPLICAS_AFTER_APPEND, stored: true, count: %d}", count),
		fmt.Sprintf("rewrite: {error: REQUEST_TIMED_OUT, stored: true, count: %d}", count),
	}[rng.IntN(11)]
}

func replay(t *testing.T, text string) *Result {
	t.Helper()
	file, err := scenario.Load("random.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	p, err := file.Plan(file.Variants()[0], nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	r, err := Do(p, Options{Record: true})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return r
}

// brokenPromises says what an idempotent producer has broken with records that are not excused, or "".
func brokenPromises(r *Result, excused map[kafka.RecordID]bool) string {
	rest := func(ids []kafka.RecordID) []kafka.RecordID {
		return slices.DeleteFunc(slices.Clone(ids), func(id kafka.RecordID) bool { return excused[id] })
	}
	if twice := rest(r.Outcome.StoredTwice); len(twice) > 0 {
		return fmt.Sprint("stored twice: records ", twice)
	}
	if lost := rest(r.Outcome.AckedThenLost); len(lost) > 0 {
		return fmt.Sprint("acknowledged and not stored: records ", lost)
	}
	for p := range r.Plan.Partitions {
		if log := rest(r.Outcome.FinalLog(kafka.PartitionID(p))); !slices.IsSorted(log) {
			return fmt.Sprintf("partition %d is out of order: %v", p, log)
		}
	}
	for i := range r.Violations {
		if v := &r.Violations[i]; v.Record == kafka.NoRecord || !excused[v.Record] {
			return v.Sentence
		}
	}
	return ""
}

// holes lists the records that went through one of the known holes. A leader that knew nothing of their producer id took a
// later sequence first; or they were sent under one producer epoch, and again under the next.
func holes(log *event.Log) (firstSequence, raisedEpoch map[kafka.RecordID]bool) {
	type session struct {
		partition kafka.PartitionID
		producer  kafka.ProducerID
		epoch     int16
	}
	firstSequence, raisedEpoch = map[kafka.RecordID]bool{}, map[kafka.RecordID]bool{}
	known := map[session]bool{}
	sent := map[session]map[int32][]kafka.RecordID{} // by base sequence
	epochs := map[kafka.RecordID]int16{}
	for _, e := range log.All() {
		s := session{e.Partition, e.Producer, e.ProducerEpoch}
		switch e.Kind {
		case event.ProduceSent:
			if sent[s] == nil {
				sent[s] = map[int32][]kafka.RecordID{}
			}
			sent[s][e.Sequence] = log.Records(e)
			for _, id := range log.Records(e) {
				if before, again := epochs[id]; again && before != e.ProducerEpoch {
					raisedEpoch[id] = true
				}
				epochs[id] = e.ProducerEpoch
			}
		case event.BatchAppended:
			for sequence, ids := range sent[s] {
				if !known[s] && sequence < e.Sequence {
					for _, id := range ids {
						firstSequence[id] = true
					}
				}
			}
			known[s] = true
		}
	}
	return firstSequence, raisedEpoch
}

// TestTruthBesideBelief: what is told of an order says what its producer takes for true, and what is.
func TestTruthBesideBelief(t *testing.T) {
	for _, c := range []struct{ scenario, variant, order, line, verdict string }{
		{"raised-epoch", "in a transaction", "3", "it takes it that no attempt has stored it (one has, at offset 4)",
			"and acknowledged: its application had been told of a failure, and handed it over again. The copy at offset 4 was aborted"},
		{"real/delivery-timeout-2s", "franz-go, stored, idempotent", "3", "It knows them from the batches in its log.",
			"is stored once, at offset 2"},
		{"real/close-before-append", "librdkafka 2.11", "3", "cannot know whether the order was stored (it was not)", "on attempt 2"},
		{"real/close-after-append", "librdkafka 2.11", "3", "cannot know whether the order was stored (it was, at offset 2)", "twice"},
	} {
		r := runWith(t, c.scenario, c.variant)
		story := explain.Record(r.Log, r.Plan.Names, r.Plan.Names.FindRecords(c.order)[0])
		if text := explain.Text(story.Lines, r.Plan.Names); !strings.Contains(text, c.line) || !strings.Contains(story.Verdict, c.verdict) {
			t.Errorf("%s, %s: no %q in\n%s%s", c.scenario, c.variant, c.line, text, story.Verdict)
		}
	}
}
