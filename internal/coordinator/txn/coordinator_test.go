package txn

import (
	"slices"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// TestATransactionGoesItsWay: what a producer does from its first request to the end of its transaction, and what others learn.
func TestATransactionGoesItsWay(t *testing.T) {
	for _, version := range []uint8{0, 2} {
		b := newBench(t, version)
		p := b.initProducer(alice)
		if p.Error != kafka.None || p.ProducerID != 1000 || p.Epoch != 0 {
			t.Fatalf("%+v", p)
		}
		b.now = 5
		if code := b.add(1000, 0, 3, 1); code != kafka.None {
			t.Fatal(code)
		}
		if v, _ := b.State(totals); v.State != kafka.TransactionOngoing || !slices.Equal(v.Partitions, []kafka.PartitionID{1, 3}) || v.Started != 5 {
			t.Errorf("%+v", v)
		}
		if code := answer[*kafka.AddOffsetsToTxnResponse](b, b.send(alice, &kafka.AddOffsetsToTxnRequest{
			TransactionID: totals, ProducerID: 1000, Group: 0,
		})).Error; code != kafka.None {
			t.Error(code)
		}
		ended := b.end(1000, 0, true)
		want := kafka.EndTxnResponse{ProducerID: 1000, ProducerEpoch: int16(version / 2)}
		if *ended != want || b.state() != kafka.TransactionPrepareCommit {
			t.Errorf("version %d: %+v in %v", version, ended, b.state())
		}
		if code := b.add(1000, want.ProducerEpoch, 1); code != kafka.ConcurrentTransactions {
			t.Errorf("the next transaction does not wait for the markers: %v", code)
		}
		var partitions []kafka.PartitionID
		for _, m := range b.markers {
			partitions = append(partitions, m.Partition)
			if !m.Commit || m.ProducerEpoch != want.ProducerEpoch {
				t.Errorf("marker %+v", m)
			}
		}
		if !slices.Equal(partitions, []kafka.PartitionID{1, 3, 40}) {
			t.Errorf("markers for %v", partitions)
		}
		b.mark(kafka.None)
		if b.state() != kafka.TransactionCompleteCommit || b.add(1000, want.ProducerEpoch, 1) != kafka.None {
			t.Errorf("version %d: %v", version, b.state())
		}
		kinds := b.kinds()
		for _, k := range []event.Kind{
			event.TransactionsLoaded, event.ProducerInitialised, event.TransactionPartitionAdded, event.TransactionPrepared,
			event.TransactionCompleted,
		} {
			if !slices.Contains(kinds, k) {
				t.Errorf("no %v among %v", k, kinds)
			}
		}
	}
}

// TestASecondProducerFencesTheFirst: with the transaction of the first open it is aborted, under an epoch that nobody gets.
func TestASecondProducerFencesTheFirst(t *testing.T) {
	for _, version := range []uint8{0, 2} {
		b := newBench(t, version)
		b.initProducer(alice)
		b.add(1000, 0, 1)
		again := b.send(mallet, &kafka.InitProducerIDRequest{TransactionID: totals, Timeout: second})
		if code := answer[*kafka.InitProducerIDResponse](b, again).Error; code != kafka.ConcurrentTransactions || len(b.markers) != 1 ||
			b.markers[0].Commit || b.markers[0].ProducerEpoch != 1 {
			t.Fatalf("%v, markers %+v", code, b.markers)
		}
		if p := b.initProducer(mallet); p.Error != kafka.None || p.Epoch != 2 {
			t.Errorf("%+v, expected the epoch after the one of the abort", p)
		}
		b.events = nil
		if code := b.add(1000, 0, 1); code != kafka.ProducerFenced || !slices.Contains(b.kinds(), event.ProducerFenced) {
			t.Errorf("the first producer writes on: %v", code)
		}
		if code := b.end(1000, 0, true).Error; code != kafka.ProducerFenced {
			t.Errorf("the first producer commits: %v", code)
		}
	}
}

// TestNothingCountsBeforeItIsCommitted: while a record is on its way everybody waits, and when it can not be written it never was.
func TestNothingCountsBeforeItIsCommitted(t *testing.T) {
	b := newBench(t, 0)
	b.initProducer(alice)
	b.add(1000, 0, 1)
	b.held = true
	corr := b.send(alice, &kafka.EndTxnRequest{TransactionID: totals, ProducerID: 1000, Commit: true})
	if len(b.markers) > 0 || b.answers[corr] != nil || b.state() != kafka.TransactionOngoing {
		t.Fatal("the decision counts before it is committed")
	}
	for _, body := range []kafka.Body{
		&kafka.InitProducerIDRequest{TransactionID: totals},
		&kafka.AddPartitionsToTxnRequest{TransactionID: totals, ProducerID: 1000, Partitions: []kafka.PartitionID{2}},
		&kafka.EndTxnRequest{TransactionID: totals, ProducerID: 1000},
	} {
		if got := errorOf(b.answers[b.send(alice, body)]); got != kafka.ConcurrentTransactions {
			t.Errorf("%s: %v", body.Kind(), got)
		}
	}
	b.fail(kafka.NotEnoughReplicas)
	if code := answer[*kafka.EndTxnResponse](b, corr).Error; code != kafka.CoordinatorNotAvailable {
		t.Errorf("%v", code)
	}
	again := b.send(alice, &kafka.EndTxnRequest{TransactionID: totals, ProducerID: 1000})
	b.commit()
	if code := answer[*kafka.EndTxnResponse](b, again).Error; code != kafka.None || b.state() != kafka.TransactionPrepareAbort {
		t.Errorf("the producer may not change its mind after a decision that was never written: %v", code)
	}
}

func errorOf(body kafka.Body) kafka.ErrorCode {
	switch r := body.(type) {
	case *kafka.InitProducerIDResponse:
		return r.Error
	case *kafka.AddPartitionsToTxnResponse:
		return r.Results[0].Error
	case *kafka.AddOffsetsToTxnResponse:
		return r.Error
	case *kafka.EndTxnResponse:
		return r.Error
	}
	return kafka.UnknownServerError
}

// TestAFenceThatFailedRaisesTheEpochOnce: the epoch that could not be written is not left out.
func TestAFenceThatFailedRaisesTheEpochOnce(t *testing.T) {
	b := newBench(t, 0)
	b.initProducer(alice)
	b.add(1000, 0, 1)
	b.held = true
	for range 3 {
		corr := b.send(mallet, &kafka.InitProducerIDRequest{TransactionID: totals})
		b.fail(kafka.NotEnoughReplicas)
		if code := answer[*kafka.InitProducerIDResponse](b, corr).Error; code != kafka.CoordinatorNotAvailable {
			t.Fatal(code)
		}
	}
	b.held = false
	if p := b.initProducer(mallet); p.Epoch != 2 {
		t.Errorf("epoch %d after three fences that failed and one that did not, expected 2", p.Epoch)
	}
}

// TestATimeOutIsFoundAtALook: the looks are every 10 s; a transaction that is just as old as allowed stays.
func TestATimeOutIsFoundAtALook(t *testing.T) {
	b := newBench(t, 0)
	answer[*kafka.InitProducerIDResponse](b, b.send(alice, &kafka.InitProducerIDRequest{TransactionID: totals, Timeout: 10 * second}))
	b.now = 10 * second
	b.add(1000, 0, 1)
	if b.to(20 * second); b.state() != kafka.TransactionOngoing {
		t.Error("aborted at its time-out, which has not passed")
	}
	if b.to(30*second - 1); b.state() != kafka.TransactionOngoing {
		t.Error("aborted between two looks")
	}
	if b.to(30 * second); b.state() != kafka.TransactionPrepareAbort || !slices.Contains(b.kinds(), event.TransactionTimedOut) {
		t.Errorf("%v after the look", b.state())
	}
	if code := b.end(1000, 0, true).Error; code != kafka.ProducerFenced {
		t.Errorf("a producer commits what was aborted: %v", code)
	}
	if b.mark(kafka.None); b.Deadline() != kafka.Never {
		t.Errorf("something is due at %d although nothing is open", b.Deadline())
	}
}

// TestMarkersAreSentUntilTheyStand: a passing error lets a marker come again, a fenced one is given up.
func TestMarkersAreSentUntilTheyStand(t *testing.T) {
	b := newBench(t, 0)
	b.initProducer(alice)
	b.add(1000, 0, 1, 2)
	b.end(1000, 0, false)
	b.mark(kafka.NotLeaderOrFollower)
	if b.to(b.now + 99); len(b.markers) > 0 {
		t.Error("sent again at once")
	}
	if b.to(b.now + 1); len(b.markers) != 2 {
		t.Fatalf("%d markers are sent again", len(b.markers))
	}
	stale := b.markers[0]
	b.mark(kafka.None)
	if b.state() != kafka.TransactionCompleteAbort {
		t.Fatal(b.state())
	}
	b.step(func(w *Write) { b.Marked(&stale, kafka.NotLeaderOrFollower, b.now, &b.out, w) })
	if b.Deadline() != kafka.Never {
		t.Error("a late answer has a marker sent again")
	}
	b.add(1000, 0, 1)
	b.end(1000, 0, false)
	b.mark(kafka.TransactionCoordinatorFenced)
	if b.to(b.now + second); len(b.markers) > 0 || b.state() != kafka.TransactionPrepareAbort {
		t.Error("a coordinator that was replaced goes on")
	}
}

// TestTheEndIsWrittenAgainUntilItStands: the markers stand, so the record must come.
func TestTheEndIsWrittenAgainUntilItStands(t *testing.T) {
	b := newBench(t, 2)
	b.initProducer(alice)
	b.add(1000, 0, 1)
	b.end(1000, 0, true)
	b.held = true
	b.mark(kafka.None)
	b.fail(kafka.NotEnoughReplicas)
	if b.state() != kafka.TransactionPrepareCommit {
		t.Fatal(b.state())
	}
	b.held = false
	if b.to(b.now + 100); b.state() != kafka.TransactionCompleteCommit {
		t.Errorf("%v, expected that the end is written", b.state())
	}
}

// TestTheNextCoordinatorCarriesOut: whoever reads the log has the markers of every decision written, and no others.
func TestTheNextCoordinatorCarriesOut(t *testing.T) {
	b := newBench(t, 2)
	b.initProducer(alice)
	b.add(1000, 0, 1, 2)
	b.end(1000, 0, true)
	next := New(testSetting(2))
	for i := range b.log {
		next.Apply(&b.log[i])
	}
	var w Write
	b.out.Begin(9, 0, 1, true)
	next.Loaded(9, &b.out, &w)
	if len(w.Markers) != 2 || !w.Markers[0].Commit || w.Markers[0].ProducerEpoch != 1 {
		t.Errorf("markers %+v", w.Markers)
	}
	b.mark(kafka.None)
	next = New(testSetting(2))
	for i := range b.log {
		next.Apply(&b.log[i])
	}
	w = Write{}
	if next.Loaded(9, &b.out, &w); len(w.Markers) > 0 {
		t.Errorf("markers %+v of a transaction that is complete", w.Markers)
	}
}

// TestEpochsRunOut: before an epoch would not fit any more the producer gets another id, in both versions.
func TestEpochsRunOut(t *testing.T) {
	last := kafka.TransactionValue{ProducerID: 7, Epoch: kafka.LastProducerEpoch, LastEpoch: kafka.NoProducerEpoch, Timeout: second}
	if p := withState(t, 0, last).initProducer(alice); p.ProducerID != 2000 || p.Epoch != 0 {
		t.Errorf("%+v", p)
	}
	last.State, last.Partitions = kafka.TransactionOngoing, []kafka.PartitionID{1}
	b := withState(t, 2, last)
	if e := b.end(7, kafka.LastProducerEpoch, true); e.ProducerID != 2000 || e.ProducerEpoch != 0 || e.Error != kafka.None {
		t.Errorf("%+v", e)
	}
	if m := b.markers[0]; m.ProducerID != 7 || m.ProducerEpoch != kafka.LastProducerEpoch+1 {
		t.Errorf("marker %+v", m)
	}
	b.mark(kafka.None)
	if e := b.end(7, kafka.LastProducerEpoch, true); e.ProducerID != 2000 || e.Error != kafka.None {
		t.Errorf("a retry over the change of the id: %+v", e)
	}
	if code := b.add(2000, 0, 1); code != kafka.None {
		t.Error(code)
	}
}

// TestAProducerGoesOnAfterAnError: it keeps its id, and a retry gets the answer of the first try (KIP-360).
func TestAProducerGoesOnAfterAnError(t *testing.T) {
	b := newBench(t, 0)
	b.initProducer(alice)
	goOn := func(epoch int16) *kafka.InitProducerIDResponse {
		return answer[*kafka.InitProducerIDResponse](b, b.send(alice, &kafka.InitProducerIDRequest{
			TransactionID: totals, ProducerID: 1000, ProducerEpoch: epoch, Continues: true,
		}))
	}
	if p := goOn(0); p.Epoch != 1 || p.Error != kafka.None {
		t.Errorf("%+v", p)
	}
	if p := goOn(0); p.Epoch != 1 || p.Error != kafka.None {
		t.Errorf("a retry: %+v", p)
	}
	b.initProducer(mallet)
	if p := goOn(1); p.Error != kafka.ProducerFenced {
		t.Errorf("after another producer: %+v", p)
	}
}

// TestWhatALeaderHears: whether a partition belongs to the open transaction.
func TestWhatALeaderHears(t *testing.T) {
	b := newBench(t, 0)
	b.initProducer(alice)
	b.add(1000, 0, 1)
	ask := func(epoch int16) []kafka.PartitionError {
		return answer[*kafka.AddPartitionsToTxnResponse](b, b.send(3, &kafka.AddPartitionsToTxnRequest{
			TransactionID: totals, ProducerID: 1000, ProducerEpoch: epoch, Partitions: []kafka.PartitionID{1, 2}, VerifyOnly: true,
		})).Results
	}
	if got := ask(0); got[0].Error != kafka.None || got[1].Error != kafka.TransactionAbortable {
		t.Errorf("%+v", got)
	}
	if got := ask(5); got[0].Error != kafka.ProducerFenced {
		t.Errorf("%+v", got)
	}
	if b.end(1000, 0, false); ask(0)[0].Error != kafka.ConcurrentTransactions {
		t.Errorf("%+v", ask(0))
	}
	if b.mark(kafka.None); ask(0)[0].Error != kafka.TransactionAbortable {
		t.Errorf("%+v after the end", ask(0))
	}
}

func TestATimeOutThatIsTooLongIsRefused(t *testing.T) {
	b := newBench(t, 0)
	corr := b.send(alice, &kafka.InitProducerIDRequest{TransactionID: totals, Timeout: 901 * second})
	if p := answer[*kafka.InitProducerIDResponse](b, corr); p.Error != kafka.InvalidTransactionTimeout {
		t.Errorf("%+v", p)
	}
}

func TestWhoResignsTellsThoseWhoWait(t *testing.T) {
	b := newBench(t, 0)
	b.held = true
	corr := b.send(alice, &kafka.InitProducerIDRequest{TransactionID: totals})
	b.step(func(*Write) { b.Resign(&b.out) })
	if p := answer[*kafka.InitProducerIDResponse](b, corr); p.Error != kafka.NotCoordinator {
		t.Errorf("%+v", p)
	}
	for _, body := range []kafka.Body{
		&kafka.InitProducerIDRequest{}, &kafka.AddPartitionsToTxnRequest{Partitions: []kafka.PartitionID{1}},
		&kafka.AddOffsetsToTxnRequest{}, &kafka.EndTxnRequest{},
	} {
		if got := errorOf(Refuse(body, kafka.KafkaStorageError)); got != kafka.NotCoordinator {
			t.Errorf("%s: %v", body.Kind(), got)
		}
	}
	if Refuse(&kafka.MetadataRequest{}, kafka.NotCoordinator) != nil {
		t.Error("a request that is none of the coordinator's is refused")
	}
}

// TestACloneGoesItsOwnWay: with a fingerprint that tells the two apart as soon as they differ.
func TestACloneGoesItsOwnWay(t *testing.T) {
	b := newBench(t, 0)
	b.initProducer(alice)
	sum := func(c *Transactions) uint64 {
		var h node.Hash
		c.Fingerprint(&h)
		return h.Sum()
	}
	original := b.Transactions
	clone := original.Clone()
	if sum(clone) != sum(original) {
		t.Error("a clone has another fingerprint")
	}
	if b.add(1000, 0, 1); sum(clone) == sum(original) {
		t.Error("a step of the original reached the clone, or the fingerprint does not see it")
	}
}
