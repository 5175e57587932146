package run

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
)

// TestTransactionsAreAtomic runs random transactions under random faults: a transaction is committed in all of its partitions or
// in none, what its producer was told to be committed is, readers with read_committed get all of that and nothing else, and when
// the faults are over nothing stays open. In transaction version 1 a late end of the transaction before may commit another one
// too early (C17): the test must find that too. Any other failure prints the scenario that replays it.
func TestTransactionsAreAtomic(t *testing.T) {
	runs := 300
	if testing.Short() {
		runs = 100
	}
	late := 0
	for seed := range runs {
		text := randomTransactions(rand.New(rand.NewPCG(uint64(seed), 9)), seed)
		r := replay(t, text)
		wrong := tornTransaction(r)
		switch {
		case wrong == "":
		case r.Plan.TransactionVersion() < 2 && len(r.Violations) > 0 && r.Violations[0].Promise == "AtomicTransaction":
			late++
		default:
			t.Errorf("seed %d: %s\n%s", seed, wrong, text)
			return
		}
	}
	if late == 0 && !testing.Short() {
		t.Error("no run of transaction version 1 met the late end of the transaction before: it must be found")
	}
}

// randomTransactions writes a scenario with two producers with transactions, one without, and a few faults.
func randomTransactions(rng *rand.Rand, seed int) string {
	pick := func(words ...string) string { return words[rng.IntN(len(words))] }
	var b strings.Builder
	fmt.Fprintf(&b, "title: random %d\nseed: %d\nend: 90s\nlatency: {min: 1ms, max: %sms}\n", seed, seed, pick("1", "4", "20"))
	if pick("1", "2") == "1" {
		fmt.Fprintf(&b, "rules: {transaction.version.1: true}\n")
	}
	fmt.Fprintf(&b, "brokers: {count: 3, config: {broker.session.timeout.ms: 2000, broker.heartbeat.interval.ms: 400}}\n")
	fmt.Fprintf(&b, "topics:\n  totals: {partitions: 3, replication.factor: 3, config: {min.insync.replicas: 2}}\nproducers:\n")
	for _, name := range []string{"a", "b"} {
		fmt.Fprintf(&b, "  %s: {resends: %s, transactions: {id: %s, records: %s, abort: [2], coordinator: broker %s}, config: {linger.ms: %s, "+
			"request.timeout.ms: 700, delivery.timeout.ms: %s, transaction.timeout.ms: 10000}}\n", name, pick("true", "false"), name,
			pick("1", "3", "5"), "1", pick("0", "5"), pick("800", "3000"))
	}
	fmt.Fprintf(&b, "  plain: {}\nreaders:\n  committed: {topic: totals, config: {isolation.level: read_committed}}\n  all: {topic: totals}\n")
	fmt.Fprintf(&b, "loads:\n  - {producer: a, topic: totals, start: 1s, every: %sms, count: 30, key: k-$(order)}\n", pick("10", "60"))
	fmt.Fprintf(&b, "  - {producer: b, topic: totals, start: 1s, every: %sms, count: 30, key: k-$(order), first: 101}\n", pick("10", "60"))
	fmt.Fprintf(&b, "  - {producer: plain, topic: totals, start: 1s, every: 100ms, count: 20, key: k-$(order), first: 201}\ntimeline:\n")
	for range 1 + rng.IntN(4) {
		fmt.Fprintf(&b, "  - {at: %dms, %s}\n", 900+rng.IntN(2500), randomTransactionFault(rng))
	}
	if broker := 1 + rng.IntN(5); broker <= 3 {
		at := 1000 + rng.IntN(2000)
		fmt.Fprintf(&b, "  - {at: %dms, crash: broker %d}\n  - {at: %dms, restart: broker %d}\n", at, broker, at+4000, broker)
	}
	if rng.IntN(3) == 0 {
		fmt.Fprintf(&b, "  - {at: %dms, restart: a}\n", 1000+rng.IntN(2000))
	}
	return b.String()
}

func randomTransactionFault(rng *rand.Rand) string {
	message := []string{
		"ProduceRequest", "ProduceResponse", "EndTxnRequest", "EndTxnResponse", "WriteTxnMarkersRequest", "WriteTxnMarkersResponse",
		"AddPartitionsToTxnRequest", "AddPartitionsToTxnResponse", "InitProducerIdRequest", "InitProducerIdResponse",
		"FindCoordinatorResponse",
	}[rng.IntN(11)]
	count, span := 1+rng.IntN(3), 100+rng.IntN(3000)
	switch rng.IntN(3) {
	case 0:
		return fmt.Sprintf("reset: {message: %s, count: %d}", message, count)
	case 1:
		return fmt.Sprintf("delay: {message: %s, by: %dms, count: %d}", message, span, count)
	}
	return fmt.Sprintf("hold: {message: %s, count: %d}, for: %dms", message, count, span)
}

// deal is one transaction as its application knows it.
type deal struct {
	records []kafka.RecordID
	told    bool // it heard of the commit
}

// tornTransaction says what is wrong with the transactions of a run, or "".
func tornTransaction(r *Result) string {
	if len(r.Violations) > 0 {
		return r.Violations[0].Promise + ": " + r.Violations[0].Sentence
	}
	o := r.Outcome.Transactions
	if len(o.Open) > 0 || len(o.Hidden) > 0 {
		return fmt.Sprint("at the end open: ", o.Open, ", hidden: ", o.Hidden)
	}
	committed, shown := map[kafka.RecordID]int{}, map[kafka.RecordID]int{}
	for p := range r.Plan.Partitions {
		for _, id := range r.Outcome.FinalLog(kafka.PartitionID(p)) {
			if id != kafka.NoRecord {
				committed[id]++
			}
		}
	}
	for _, id := range o.Aborted {
		committed[id] -= o.AbortedCopies(id)
	}
	for _, d := range dealsOf(r.Log, r.Plan.Names, shown) {
		n := 0
		for _, id := range d.records {
			if committed[id] > 0 {
				n++
			}
		}
		if n != 0 && n != len(d.records) || d.told && n == 0 {
			return fmt.Sprintf("of the transaction %v (told of its commit: %v) %d records are committed", d.records, d.told, n)
		}
	}
	for id, n := range committed {
		if shown[id] != n {
			return fmt.Sprintf("record %d is committed %d times and shown %d times", id, n, shown[id])
		}
	}
	return ""
}

// dealsOf lists the transactions, and counts what the reader with read_committed was shown. A record that its application sends
// again belongs to its last transaction.
func dealsOf(log *event.Log, names *kafka.Names, shown map[kafka.RecordID]int) []*deal {
	current, all := map[kafka.NodeID]*deal{}, []*deal{}
	for _, e := range log.All() {
		switch e.Kind {
		case event.TransactionBegun:
			current[e.Node] = &deal{}
			all = append(all, current[e.Node])
		case event.RecordsSent:
			if d := current[e.Node]; d != nil {
				ids := log.Records(e)
				for _, other := range all {
					other.records = slices.DeleteFunc(other.records, func(id kafka.RecordID) bool { return slices.Contains(ids, id) })
				}
				d.records = append(d.records, ids...)
			}
		case event.TransactionEnded:
			current[e.Node].told = e.Prev == 1
		case event.RecordsRead:
			if names.ReadsCommitted(e.Node) {
				for _, id := range log.Records(e) {
					shown[id]++
				}
			}
		}
	}
	return all
}
