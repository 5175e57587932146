package txn

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// second is a span of ticks of a millisecond.
const second kafka.Tick = 1000

const (
	totals kafka.TransactionalID = 1
	alice  kafka.NodeID          = 64
	mallet kafka.NodeID          = 65
)

func testSetting(version uint8) *Setting {
	return &Setting{
		Config: &kafka.TransactionConfig{MaxTimeout: 900 * second, AbortCheck: 10 * second, MarkerRetry: 100},
		Groups: []kafka.PartitionID{40}, Partition: 50, Epoch: 3, Host: 2, Version: version,
	}
}

// bench is a coordinator with a log that is committed when the test says so, and markers that are written when it says so.
type bench struct {
	*Transactions
	t       testing.TB
	now     kafka.Tick
	out     node.Out
	log     []kafka.CoordinatorRecord
	done    int // records of the log that are committed
	markers []Marker
	answers map[uint32]kafka.Body
	events  []event.Event
	corr    uint32
	nextID  kafka.ProducerID
	held    bool // records are not committed at once
}

func newBench(t testing.TB, version uint8) *bench {
	b := &bench{Transactions: New(testSetting(version)), t: t, answers: map[uint32]kafka.Body{}, nextID: 1000}
	b.step(func(w *Write) { b.Loaded(b.now, &b.out, w) })
	return b
}

// withState is a coordinator that has read one record.
func withState(t testing.TB, version uint8, v kafka.TransactionValue) *bench {
	b := &bench{Transactions: New(testSetting(version)), t: t, answers: map[uint32]kafka.Body{}, nextID: 2000}
	v.Version, v.NextProducer, v.PreviousProducer = version, kafka.NoProducerID, kafka.NoProducerID
	b.Apply(&kafka.CoordinatorRecord{Key: kafka.CoordinatorKey{Kind: kafka.TransactionKey, ID: totals}, Value: &v})
	b.step(func(w *Write) { b.Loaded(b.now, &b.out, w) })
	return b
}

func (b *bench) step(do func(*Write)) {
	w := Write{FreshID: b.nextID}
	b.out.Begin(b.now, 0, 1, true)
	do(&w)
	if w.Used {
		b.nextID++
	}
	b.events = append(b.events, b.out.Step.Events...)
	for _, e := range b.out.Effects {
		if before, twice := b.answers[e.Reply.Corr]; twice {
			b.t.Fatalf("request %d is answered with %+v and then %+v", e.Reply.Corr, before, e.Body)
		}
		b.answers[e.Reply.Corr] = e.Body
	}
	b.log = append(b.log, w.Records...)
	b.markers = append(b.markers, w.Markers...)
	if !b.held {
		b.commit()
	}
}

// commit has all that was written committed.
func (b *bench) commit() {
	for b.done < len(b.log) {
		id := b.log[b.done].Key.ID
		b.done++
		b.step(func(w *Write) { b.Committed(id, kafka.None, b.now, &b.out, w) })
	}
}

// fail has what was written last not committed, and gone from the log.
func (b *bench) fail(code kafka.ErrorCode) {
	for b.done < len(b.log) {
		last := len(b.log) - 1
		id := b.log[last].Key.ID
		b.log = b.log[:last]
		b.step(func(w *Write) { b.Committed(id, code, b.now, &b.out, w) })
	}
}

// mark has the leaders write every marker that was sent.
func (b *bench) mark(code kafka.ErrorCode) {
	markers := b.markers
	b.markers = nil
	for i := range markers {
		b.step(func(w *Write) { b.Marked(&markers[i], code, b.now, &b.out, w) })
	}
}

func (b *bench) send(from kafka.NodeID, body kafka.Body) uint32 {
	b.corr++
	corr := b.corr
	in := node.Input{Kind: node.Request, Body: body, Now: b.now, From: from, Reply: node.Reply{Conn: kafka.ConnID(from), Corr: corr}}
	b.step(func(w *Write) { b.Handle(&in, &b.out, w) })
	return corr
}

// to lets time pass, and whatever falls due.
func (b *bench) to(at kafka.Tick) {
	for b.Deadline() <= at {
		b.now = max(b.now, b.Deadline())
		b.step(func(w *Write) { b.Expire(b.now, &b.out, w) })
	}
	b.now = at
}

func answer[B kafka.Body](b *bench, corr uint32) B {
	b.t.Helper()
	body, ok := b.answers[corr]
	if !ok {
		b.t.Fatalf("request %d is not answered", corr)
	}
	return body.(B)
}

// initProducer asks for a producer id until it gets one, with the markers of what it fenced written meanwhile.
func (b *bench) initProducer(from kafka.NodeID) *kafka.InitProducerIDResponse {
	b.t.Helper()
	for range 3 {
		got := answer[*kafka.InitProducerIDResponse](b, b.send(from, &kafka.InitProducerIDRequest{TransactionID: totals, Timeout: 60 * second}))
		if got.Error != kafka.ConcurrentTransactions {
			return got
		}
		b.mark(kafka.None)
	}
	b.t.Fatal("no producer id")
	return nil
}

func (b *bench) add(id kafka.ProducerID, epoch int16, partitions ...kafka.PartitionID) kafka.ErrorCode {
	b.t.Helper()
	return answer[*kafka.AddPartitionsToTxnResponse](b, b.send(alice, &kafka.AddPartitionsToTxnRequest{
		TransactionID: totals, ProducerID: id, ProducerEpoch: epoch, Partitions: partitions,
	})).Results[0].Error
}

func (b *bench) end(id kafka.ProducerID, epoch int16, commit bool) *kafka.EndTxnResponse {
	b.t.Helper()
	return answer[*kafka.EndTxnResponse](b, b.send(alice, &kafka.EndTxnRequest{
		TransactionID: totals, ProducerID: id, ProducerEpoch: epoch, Commit: commit,
	}))
}

func (b *bench) state() kafka.TransactionState {
	v, _ := b.State(totals)
	return v.State
}

// kinds lists the kinds of the events since the last call.
func (b *bench) kinds() []event.Kind {
	var kinds []event.Kind
	for i := range b.events {
		kinds = append(kinds, b.events[i].Kind)
	}
	b.events = nil
	return kinds
}
