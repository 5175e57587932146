package commitlog

import (
	"maps"
	"testing"

	"replog/internal/kafka"
	"replog/internal/testdata"
)

type producerVector struct {
	vectorID
	Level string
	Steps []producerStep
}

type producerStep struct {
	Op                string
	PID               kafka.ProducerID
	Epoch             int16
	FirstSeq, LastSeq int32
	Origin            string
	FirstOffset       kafka.Offset
	Offset            kafka.Offset // of deleteRecordsBefore and marker
	Expect            any

	Txn              bool
	Type             string // of a marker
	CoordinatorEpoch kafka.Epoch
	TxnVersion       uint8
	LowestSeq        int32
}

// notModelled lists the cases that the producer state cannot express yet, with the reason.
var notModelled = map[string]string{
	"ps-14": "producer.id.expiration.ms", "ps-15": "producer.id.expiration.ms", "ps-39": "producer.id.expiration.ms",
	"ps-31": "compaction that leaves empty batches",
}

func TestProducerStateVectors(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range testdata.Vectors[producerVector](t, "producer_state.json") {
		seen[c.ID] = true
		t.Run(c.ID, func(t *testing.T) {
			t.Log(c.Desc)
			if reason := notModelled[c.ID]; reason != "" {
				t.Skip(reason)
			}
			p := replica{log: New(0), validateOnly: c.Level == "validate"}
			for i, step := range c.Steps {
				p.run(t, i, step)
			}
		})
	}
	for id := range notModelled {
		if !seen[id] {
			t.Errorf("%s is listed as not modelled, and there is no such case", id)
		}
	}
}

// replica is a log and its producer state as a broker uses the two.
type replica struct {
	log       *Log
	producers ProducerStates
	// validateOnly: the case looks below the search for duplicates and says itself where a batch goes.
	validateOnly bool
}

func (r *replica) run(t *testing.T, i int, step producerStep) {
	t.Helper()
	switch step.Op {
	case "append":
		r.append(t, i, step)
	case "marker":
		r.marker(t, i, step)
	case "verification":
		b := idempotent(step.PID, step.Epoch, step.LowestSeq, 1)
		b.Attributes = kafka.Transactional
		r.producers.Guard(&b, 0)
	case "assert":
		r.assert(t, i, step)
	case "assertKnown":
		if known := r.producers.Producer(step.PID) != nil; known != step.Expect {
			t.Errorf("step %d: known %v, expected %v", i, known, step.Expect)
		}
	case "assertLeo":
		if end := r.log.EndOffset(); float64(end) != step.Expect {
			t.Errorf("step %d: log end offset %d, expected %v", i, end, step.Expect)
		}
	case "forget":
		r.producers.Rebuild(New(0))
	case "snapshotReload":
		r.producers.ReloadFromSnapshot()
	case "deleteRecordsBefore":
		r.log.AdvanceStartOffset(step.Offset)
	default:
		t.Fatalf("step %d: unknown op %q", i, step.Op)
	}
}

func (r *replica) append(t *testing.T, i int, step producerStep) {
	t.Helper()
	expect := step.Expect.(map[string]any)
	b := records(int((step.LastSeq-step.FirstSeq)&0x7fffffff) + 1)
	if step.Txn {
		b.Attributes = kafka.Transactional
	}
	b.ProducerID, b.ProducerEpoch, b.BaseSequence = step.PID, step.Epoch, step.FirstSeq
	if b.LastSequence() != step.LastSeq {
		t.Fatalf("step %d: last sequence %d, expected %d", i, b.LastSequence(), step.LastSeq)
	}
	verdict := Verdict{}
	switch step.Origin {
	case "client":
		verdict = r.check(&b)
	case "coordinator":
		verdict.Error = r.producers.CheckEpoch(&b)
	}
	result := "accept"
	switch {
	case verdict.Error != kafka.None:
		result = "error"
		if verdict.Error.String() != expect["error"] {
			t.Errorf("step %d: %v, expected %v", i, verdict.Error, expect["error"])
		}
		if start, ok := expect["logStartOffset"]; ok && float64(r.log.StartOffset()) != start {
			t.Errorf("step %d: log start offset %d, expected %v", i, r.log.StartOffset(), start)
		}
	case verdict.Duplicate:
		result = "duplicate"
		b.BaseOffset = verdict.BaseOffset
	default:
		r.store(&b, step)
	}
	if result != expect["result"] {
		t.Errorf("step %d: %s, expected %v", i, result, expect["result"])
	}
	if first, ok := expect["firstOffset"]; ok && (float64(b.BaseOffset) != first || float64(b.LastOffset()) != expect["lastOffset"]) {
		t.Errorf("step %d: offsets %d to %d, expected %v to %v", i, b.BaseOffset, b.LastOffset(), first, expect["lastOffset"])
	}
}

func (r *replica) check(b *kafka.Batch) Verdict {
	if !r.validateOnly {
		return r.producers.Check(b)
	}
	if p := r.producers.Producer(b.ProducerID); p != nil {
		return Verdict{Error: p.validate(b)}
	}
	return Verdict{Error: r.producers.checkFirst(b)}
}

func (r *replica) marker(t *testing.T, i int, step producerStep) {
	t.Helper()
	expect := step.Expect.(map[string]any)
	b := kafka.NewMarker(step.PID, step.Epoch, step.CoordinatorEpoch, step.Type == "COMMIT", 0)
	if code := r.producers.CheckMarker(&b, step.TxnVersion); code != kafka.None {
		if expect["result"] != "error" || code.String() != expect["error"] {
			t.Errorf("step %d: %v, expected %v", i, code, expect)
		}
		return
	}
	if expect["result"] != "accept" {
		t.Errorf("step %d: accepted, expected %v", i, expect)
	}
	first, aborted := kafka.NoOffset, len(r.producers.Index())
	if p := r.producers.Producer(step.PID); p != nil {
		first = p.OpenTransaction()
	}
	if b.BaseOffset = step.Offset; !r.validateOnly {
		b = r.log.AppendAsLeader(b, 0)
	}
	r.producers.Update(&b)
	if done, ok := expect["completed"].(map[string]any); ok {
		got := map[string]any{
			"firstOffset": float64(first), "lastOffset": float64(b.BaseOffset), "aborted": len(r.producers.Index()) > aborted,
		}
		if !maps.Equal(got, done) {
			t.Errorf("step %d: completed %v, expected %v", i, got, done)
		}
	}
}

func (r *replica) store(b *kafka.Batch, step producerStep) {
	switch {
	case r.validateOnly:
		b.BaseOffset = step.FirstOffset
	case step.Origin == "client":
		*b = r.log.AppendAsLeader(*b, 0)
	default:
		b.BaseOffset, b.LeaderEpoch = r.log.EndOffset(), 0
		r.log.AppendAsFollower([]kafka.Batch{*b})
	}
	r.producers.Update(b)
}

func (r *replica) assert(t *testing.T, i int, step producerStep) {
	t.Helper()
	p := r.producers.Producer(step.PID)
	if p == nil {
		t.Fatalf("step %d: producer %d is not known", i, step.PID)
	}
	first, last := ProducerBatch{-1, -1, -1, -1}, ProducerBatch{-1, -1, -1, -1}
	if batches := p.Batches(); len(batches) > 0 {
		first, last = batches[0], batches[len(batches)-1]
	}
	got := map[string]any{
		"epoch": float64(p.Epoch), "txnFirstOffset": nil, "coordinatorEpoch": float64(p.CoordinatorEpoch()),
		"firstSeq": float64(first.FirstSequence), "lastSeq": float64(last.LastSequence),
		"firstDataOffset": float64(first.BaseOffset), "lastDataOffset": float64(last.LastOffset),
	}
	if open := p.OpenTransaction(); open != kafka.NoOffset {
		got["txnFirstOffset"] = float64(open)
	}
	for key, want := range step.Expect.(map[string]any) {
		if got[key] != want {
			t.Errorf("step %d: %s is %v, expected %v", i, key, got[key], want)
		}
	}
}

// idempotent is a batch of n records with a sequence.
func idempotent(id kafka.ProducerID, epoch int16, sequence int32, n int) kafka.Batch {
	b := records(n)
	b.ProducerID, b.ProducerEpoch, b.BaseSequence = id, epoch, sequence
	return b
}

func TestUnknownProducerMayStartAnywhere(t *testing.T) {
	var s ProducerStates
	b := idempotent(23, 1, 3, 2)
	if v := s.Check(&b); v.Error != kafka.None || v.Duplicate {
		t.Errorf("%+v, expected an append (KIP-360)", v)
	}
}

func TestRebuildKnowsWhatTheLogHolds(t *testing.T) {
	l, s := New(0), ProducerStates{}
	for sequence := range int32(3) {
		b := l.AppendAsLeader(idempotent(7, 0, sequence, 1), 0)
		s.Update(&b)
	}
	l.TruncateTo(2)
	s.Rebuild(l)
	retry, again := idempotent(7, 0, 1, 1), idempotent(7, 0, 2, 1)
	if v := s.Check(&retry); !v.Duplicate || v.BaseOffset != 1 {
		t.Errorf("what is left is not recognised: %+v", v)
	}
	if v := s.Check(&again); v.Duplicate || v.Error != kafka.None {
		t.Errorf("what was truncated must be appended again: %+v", v)
	}
}

func TestProducerStatesAreOrderedAndClonesApart(t *testing.T) {
	var s ProducerStates
	for _, id := range []kafka.ProducerID{5, 1, 9, 3} {
		b := idempotent(id, 0, 0, 1)
		s.Update(&b)
	}
	c := s.Clone()
	b := idempotent(4, 0, 0, 1)
	s.Update(&b)
	b = idempotent(9, 1, 0, 1)
	c.Update(&b)
	for _, want := range []struct {
		states ProducerStates
		ids    []kafka.ProducerID
		epoch  int16
	}{{s, []kafka.ProducerID{1, 3, 4, 5, 9}, 0}, {c, []kafka.ProducerID{1, 3, 5, 9}, 1}} {
		for i, id := range want.ids {
			if want.states.Producers()[i].ID != id {
				t.Errorf("producer %d of %v is %d", i, want.ids, want.states.Producers()[i].ID)
			}
		}
		if epoch := want.states.Producer(9).Epoch; epoch != want.epoch {
			t.Errorf("epoch %d, expected %d", epoch, want.epoch)
		}
	}
}

// rolling is a log that begins a segment with every third batch, and its producer state.
func rolling(t *testing.T, batches int32) replica {
	t.Helper()
	r := replica{log: New(0)}
	for sequence := range batches {
		if sequence > 0 && sequence%3 == 0 {
			r.log.Roll(r.log.EndOffset())
			r.producers.TakeSnapshot(r.log.EndOffset())
		}
		b := r.log.AppendAsLeader(idempotent(7, 0, sequence, 1), 0)
		r.producers.Update(&b)
	}
	return r
}

func TestRestartReplaysBehindTheLastSnapshot(t *testing.T) {
	r := rolling(t, 8) // segments 0-2, 3-5, 6-7
	r.producers.Rebuild(r.log)
	for sequence, known := range map[int32]bool{3: false, 4: false, 5: true, 6: true, 7: true} {
		retry := idempotent(7, 0, sequence, 1)
		if v := r.producers.Check(&retry); v.Duplicate != known {
			t.Errorf("a retry of sequence %d is recognised: %v, expected %v: the snapshot holds the last batch only", sequence, v.Duplicate, known)
		}
	}
}

func TestTruncationGoesBackToAnEarlierSnapshot(t *testing.T) {
	r := rolling(t, 8)
	r.log.TruncateTo(4)
	r.producers.Rebuild(r.log)
	for sequence, known := range map[int32]bool{1: false, 2: true, 3: true} {
		retry := idempotent(7, 0, sequence, 1)
		if v := r.producers.Check(&retry); v.Duplicate != known {
			t.Errorf("a retry of sequence %d is recognised: %v, expected %v", sequence, v.Duplicate, known)
		}
	}
	next := idempotent(7, 0, 4, 1)
	if v := r.producers.Check(&next); v.Duplicate || v.Error != kafka.None {
		t.Errorf("the sequence behind the cut is %+v, expected an append", v)
	}
}

func TestRetentionForgetsNoProducer(t *testing.T) {
	r := rolling(t, 8)
	r.log.Configure(&kafka.LogConfig{Delete: true, RetentionTicks: 10, RetentionBytes: -1, SegmentBytes: 1 << 30,
		SegmentTicks: 1 << 30, SegmentIndexBytes: 1 << 20})
	if gone := r.log.DeleteOldSegments(8, 1000); len(gone) != 3 {
		t.Fatalf("%d segments deleted, expected 3", len(gone))
	}
	r.producers.TakeSnapshot(r.log.EndOffset())
	r.producers.DeleteSnapshots(r.log.Segments()[0].BaseOffset)
	for range 2 {
		retry := idempotent(7, 0, 7, 1)
		if v := r.producers.Check(&retry); !v.Duplicate || v.BaseOffset != 7 {
			t.Errorf("%+v, expected the duplicate of offset 7 (KAFKA-7190)", v)
		}
		r.producers.Rebuild(r.log)
	}
}
