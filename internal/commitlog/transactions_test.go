package commitlog

import (
	"encoding/json"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"replog/internal/kafka"
	"replog/internal/testdata"
)

type transactionVector struct {
	vectorID
	Kind  string
	Steps []transactionStep

	Index                         [][4]int64
	FetchOffset, UpperBoundOffset kafka.Offset
	Expect                        struct {
		ProducerIDs    []kafka.ProducerID
		SearchComplete bool
	}
}

type transactionStep struct {
	Op      string
	Records int
	Txn     bool
	PID     kafka.ProducerID
	At      kafka.Offset
	Type    string
	Offset  kafka.Offset
	To      kafka.Offset

	FirstUnstable      *json.RawMessage
	FirstUndecided     *json.RawMessage
	LastStableOffset   *kafka.Offset
	LogEndOffset       *kafka.Offset
	AbortedIndex       [][4]int64
	ActiveProducers    *int
	ReadCommittedFetch *struct {
		Offset           kafka.Offset
		Records          int
		LastStableOffset kafka.Offset
		Aborted          [][2]int64
	}
}

// TestTransactionVectors runs the cases about the log; those of the coordinator belong to coordinator/txn.
func TestTransactionVectors(t *testing.T) {
	for _, c := range testdata.Vectors[transactionVector](t, "txn.json") {
		t.Run(c.ID, func(t *testing.T) {
			t.Log(c.Desc)
			switch c.Kind {
			case "lso":
				r := stableReplica{}
				for i, step := range c.Steps {
					r.run(t, i, step)
				}
			case "abortedIndexSearch":
				searchIndex(t, &c)
			case "coordinator":
				t.Skip("of the coordinator")
			default:
				t.Fatalf("unknown kind %q", c.Kind)
			}
		})
	}
}

func searchIndex(t *testing.T, c *transactionVector) {
	var s ProducerStates
	for _, a := range c.Index {
		s.index = append(s.index, AbortedTransaction{
			kafka.ProducerID(a[0]), kafka.Offset(a[1]), kafka.Offset(a[2]), kafka.Offset(a[3]),
		})
	}
	aborted, complete := s.AbortedWithin(c.FetchOffset, c.UpperBoundOffset)
	var ids []kafka.ProducerID
	for _, a := range aborted {
		ids = append(ids, a.ProducerID)
	}
	if !slices.Equal(ids, c.Expect.ProducerIDs) || complete != c.Expect.SearchComplete {
		t.Errorf("%v, complete %v; expected %+v", ids, complete, c.Expect)
	}
}

// stableReplica is a log with its producer state and its high watermark.
type stableReplica struct {
	log       *Log
	producers ProducerStates
	hw        kafka.Offset
	sequences map[kafka.ProducerID]int32
}

// put appends a batch, at an offset of its own where one is given: plain records fill the room before it.
func (r *stableReplica) put(b kafka.Batch, at kafka.Offset) {
	switch {
	case r.log == nil:
		r.log, r.sequences = New(at), map[kafka.ProducerID]int32{}
	case at > r.log.EndOffset():
		r.log.AppendAsLeader(records(int(at-r.log.EndOffset())), 0)
	}
	b = r.log.AppendAsLeader(b, 0)
	r.producers.Update(&b)
}

func (r *stableReplica) run(t *testing.T, i int, step transactionStep) {
	t.Helper()
	switch step.Op {
	case "append":
		b := records(step.Records)
		if step.Txn {
			b = idempotent(step.PID, 0, r.sequences[step.PID], step.Records)
			b.Attributes = kafka.Transactional
		}
		r.put(b, step.At)
		r.sequences[step.PID] += int32(step.Records)
	case "marker":
		r.put(kafka.NewMarker(step.PID, 0, 0, step.Type == "COMMIT", 0), step.At)
	case "highWatermark":
		r.hw = step.Offset
		r.producers.HighWatermarkMoved(r.hw)
	case "logStart":
		r.log.AdvanceStartOffset(step.Offset)
	case "truncate":
		r.log.TruncateTo(step.To)
		r.producers.Rebuild(r.log)
		r.hw = min(r.hw, r.log.EndOffset())
		r.producers.HighWatermarkMoved(r.hw)
	case "expect", "expectAfterTruncate":
		r.expect(t, i, step)
	default:
		t.Fatalf("step %d: unknown op %q", i, step.Op)
	}
}

func (r *stableReplica) expect(t *testing.T, i int, step transactionStep) {
	t.Helper()
	start := r.log.StartOffset()
	offset := func(what string, got kafka.Offset, want *json.RawMessage) {
		if want == nil {
			return
		}
		text, _ := json.Marshal(got)
		if got == kafka.NoOffset {
			text = []byte("null")
		}
		if string(text) != string(*want) {
			t.Errorf("step %d: %s %s, expected %s", i, what, text, *want)
		}
	}
	offset("first unstable offset", r.producers.FirstUnstable(start), step.FirstUnstable)
	offset("first undecided offset", r.producers.FirstUndecided(), step.FirstUndecided)
	if want := step.LastStableOffset; want != nil && r.producers.LastStableOffset(r.hw, start) != *want {
		t.Errorf("step %d: last stable offset %d, expected %d", i, r.producers.LastStableOffset(r.hw, start), *want)
	}
	if want := step.LogEndOffset; want != nil && r.log.EndOffset() != *want {
		t.Errorf("step %d: log end offset %d, expected %d", i, r.log.EndOffset(), *want)
	}
	if want := step.ActiveProducers; want != nil && len(r.producers.Producers()) != *want {
		t.Errorf("step %d: %d producers, expected %d", i, len(r.producers.Producers()), *want)
	}
	if step.AbortedIndex != nil {
		var index [][4]int64
		for _, a := range r.producers.Index() {
			index = append(index, [4]int64{int64(a.Producer), int64(a.FirstOffset), int64(a.MarkerOffset), int64(a.LastStableOffset)})
		}
		if !slices.Equal(index, step.AbortedIndex) {
			t.Errorf("step %d: index %v, expected %v", i, index, step.AbortedIndex)
		}
	}
	if want := step.ReadCommittedFetch; want != nil {
		n := 0
		for _, b := range r.log.Read(want.Offset, want.LastStableOffset, 1<<20) {
			n += b.Len()
		}
		aborted, _ := r.producers.AbortedWithin(want.Offset, want.LastStableOffset)
		if n != want.Records || len(aborted) != len(want.Aborted) || int64(aborted[0].FirstOffset) != want.Aborted[0][1] ||
			int64(aborted[0].ProducerID) != want.Aborted[0][0] {
			t.Errorf("step %d: %d records, aborted %v, expected %+v", i, n, aborted, want)
		}
	}
}

// TestALateBatchIsNotGuarded: what ends the question about a producer's first batch also refuses the batch (KIP-890).
func TestALateBatchIsNotGuarded(t *testing.T) {
	var s ProducerStates
	first := idempotent(1, 0, 0, 1)
	first.Attributes = kafka.Transactional
	if s.Guarded(&first, 0) {
		t.Error("a batch about which nobody was asked is taken")
	}
	guard := s.Guard(&first, 2)
	if guard == 0 || s.Guard(&first, 2) != guard || !s.Guarded(&first, guard) {
		t.Error("the question has no number of its own")
	}
	clone := s.Clone()
	marker := kafka.NewMarker(1, 1, 0, false, 0)
	s.Update(&marker)
	if s.Guarded(&first, guard) {
		t.Error("the transaction was aborted meanwhile, and the batch is taken all the same")
	}
	clone.Update(&first)
	next := idempotent(1, 0, 1, 1)
	next.Attributes = kafka.Transactional
	if clone.Guard(&next, 2) != 0 || !clone.Guarded(&next, 0) {
		t.Error("the second batch of a transaction is asked about")
	}
	late := idempotent(2, 0, 5, 1)
	late.Attributes = kafka.Transactional
	if s.Guard(&late, 2); s.Check(&late).Error != kafka.OutOfOrderSequenceNumber {
		t.Error("in transaction version 2 an unknown producer begins at 0")
	}
}

// TestWhatIsKnownOfTransactionsFollowsFromTheLog: a replica that copies, restarts, or truncates and copies again knows what its
// leader knows; and the last stable offset is what a naive look at the log says.
func TestWhatIsKnownOfTransactionsFollowsFromTheLog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		leader, follower := stableReplica{}, stableReplica{}
		leader.put(records(1), 0)
		follower.put(records(1), 0)
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			drawStep(t, &leader)
			switch rapid.IntRange(0, 5).Draw(t, "follower") {
			case 0:
				follower.log.TruncateTo(kafka.Offset(rapid.IntRange(0, int(follower.log.EndOffset())).Draw(t, "to")))
				follower.producers.Rebuild(follower.log)
			case 1:
				follower.log.Roll(follower.log.EndOffset())
				follower.producers.TakeSnapshot(follower.log.EndOffset())
			case 2:
				follower.producers.Rebuild(follower.log)
			}
			for follower.log.EndOffset() < leader.log.EndOffset() {
				batches := leader.log.Read(follower.log.EndOffset(), leader.log.EndOffset(), 1<<20)
				follower.log.AppendAsFollower(batches)
				for i := range batches {
					follower.producers.Update(&batches[i])
				}
			}
			end := leader.log.EndOffset()
			hw := kafka.Offset(rapid.IntRange(int(leader.hw), int(end)).Draw(t, "hw"))
			leader.hw = hw
			leader.producers.HighWatermarkMoved(hw)
			follower.producers.HighWatermarkMoved(hw)
			want := stableByLook(leader.log, hw)
			if got := leader.producers.LastStableOffset(hw, 0); got != want {
				t.Fatalf("last stable offset %d, expected %d", got, want)
			}
			// A snapshot does not keep what is decided and not replicated: Kafka takes it for replicated then.
			exact := len(follower.producers.snapshots) == 0
			if got := follower.producers.LastStableOffset(hw, 0); got < want || exact && got != want {
				t.Fatalf("the follower's last stable offset is %d, expected %d", got, want)
			}
			if follower.producers.FirstUndecided() != leader.producers.FirstUndecided() {
				t.Fatalf("undecided from %d, on the leader from %d", follower.producers.FirstUndecided(), leader.producers.FirstUndecided())
			}
			if !slices.Equal(leader.producers.Index(), follower.producers.Index()) {
				t.Fatalf("index %v, the leader's is %v", follower.producers.Index(), leader.producers.Index())
			}
		}
	})
}

func drawStep(t *rapid.T, r *stableReplica) {
	id := kafka.ProducerID(rapid.IntRange(1, 3).Draw(t, "producer"))
	n := rapid.IntRange(1, 3).Draw(t, "records")
	switch rapid.IntRange(0, 4).Draw(t, "what") {
	case 0:
		r.put(records(n), 0)
	case 1:
		r.put(kafka.NewMarker(id, 0, 0, rapid.Bool().Draw(t, "commit"), 0), 0)
	default:
		b := idempotent(id, 0, 0, n)
		b.Attributes = kafka.Transactional
		r.put(b, 0)
	}
}

// stableByLook is the last stable offset as it is defined: the high watermark, or the first offset of a transaction that has no
// marker below it.
func stableByLook(l *Log, hw kafka.Offset) kafka.Offset {
	open := map[kafka.ProducerID]kafka.Offset{}
	for b := range l.All() {
		switch _, is := open[b.ProducerID]; {
		case b.IsControl() && b.BaseOffset < hw:
			delete(open, b.ProducerID)
		case b.IsTransactional() && !b.IsControl() && !is && b.BaseOffset < hw:
			open[b.ProducerID] = b.BaseOffset
		}
	}
	for _, first := range open {
		hw = min(hw, first)
	}
	return hw
}
