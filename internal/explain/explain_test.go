package explain_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"replog/internal/event"
	"replog/internal/explain"
	"replog/internal/kafka"
	"replog/internal/outcome"
	"replog/internal/view/history"
)

var update = flag.Bool("update", false, "accept what the stories say now")

const (
	worker = kafka.FirstClientID
	screen = kafka.FirstClientID + 1
)

var names = &kafka.Names{
	TickMicros: 1000, StartMicros: 45_597_900_000, // 12:39:57.900
	Nodes: []kafka.NodeName{
		{ID: worker, Name: "order-service-11", Group: "order-service"}, {ID: screen, Name: "packing screen"},
	},
	Topics: []kafka.TopicName{{Name: "orders", Partitions: 1}},
	Keys:   []string{"kitchen-41"},
	Loads:  []kafka.RecordRange{{First: 0, Orders: 100, FirstNumber: 8812}},
	Faults: []string{"the failing disk controller holds back broker 2's answers", "broker 2 fails for good"},
}

// story is a history of order 8812 in a partition that broker 2 leads and that starts at offset 40,117.
type story struct{ *history.History }

func begin() *story { return &story{history.New(1, 40117, 2, 1, 3)} }

func (s *story) after(ticks kafka.Tick) *story {
	s.Now += ticks
	return s
}

// produced hands order 8812 over, and the producer sends it.
func (s *story) produced() event.Seq {
	sent := s.Add(event.Event{Kind: event.RecordsSent, Node: worker, Value: 0}, 0)
	return s.after(5).Produce(sent, 0, worker, 0, 0)
}

// stored appends what was sent and copies it to the followers; it returns the append and the high watermark's move.
func (s *story) stored(produce event.Seq, followers ...kafka.NodeID) (appended, passed event.Seq) {
	appended = s.after(1).Append(produce)
	s.after(1)
	for _, f := range followers {
		s.Follow(appended, f, 0)
	}
	e := s.Log.Get(appended)
	passed = s.after(1).Add(event.Event{
		Kind: event.HighWatermarkAdvanced, Cause: appended, Node: e.Node, Epoch: e.Epoch, Offset: e.End(), Prev: int64(e.Offset),
	})
	return appended, passed
}

func (s *story) answered(cause, appended event.Seq) event.Seq {
	e := s.Log.Get(appended)
	return s.Add(event.Event{
		Kind: event.ProduceAnswered, Cause: cause, About: appended, Node: e.Node, Peer: worker, Offset: e.Offset,
	})
}

// brokerTwoDies crashes the leader and lets the controller notice and elect broker 3.
func (s *story) brokerTwoDies() (died, elected event.Seq) {
	fault := s.after(2091).Add(event.Event{Kind: event.FaultBegan, Value: 1})
	died = s.Add(event.Event{Kind: event.BrokerCrashed, Cause: fault, Node: 2})
	s.after(19_700)
	fenced := s.Add(event.Event{Kind: event.BrokerFenced, Cause: fault, Peer: 2, Value: 1701})
	return died, s.Elect(fenced, 0, 3, kafka.SetOf(1, 3))
}

func (s *story) retryScheduled(cause, produce event.Seq, code kafka.ErrorCode) event.Seq {
	return s.Add(event.Event{
		Kind: event.ProduceRetryScheduled, Cause: cause, About: produce, Node: worker, Peer: 2, Error: code,
	}, 0)
}

// unheard is the story up to the death of broker 2: stored, copied, shown, and the answer held back.
func unheard() (s *story, produce, retry event.Seq) {
	s = begin()
	s.Add(event.Event{Kind: event.FaultBegan, Value: 0})
	produce = s.produced()
	appended, passed := s.stored(produce, 1, 3)
	answer := s.answered(passed, appended)
	s.Add(event.Event{
		Kind: event.MessageHeld, Cause: answer, About: answer, Node: 2, Peer: worker, Message: kafka.KindProduceResponse,
	})
	s.after(1).Read(passed, screen, 2, 0, 40117, 1)
	died, elected := s.brokerTwoDies()
	retry = s.retryScheduled(died, produce, kafka.NetworkException)
	s.after(29).Add(event.Event{Kind: event.LeaderLearned, Cause: elected, Node: worker, Peer: 3, Epoch: 2})
	return s, produce, retry
}

var stories = []struct {
	name  string
	write func() *story
}{
	{"stored-twice", func() *story {
		s, produce, retry := unheard()
		s.Send(worker, 0, 1, 2)
		again := s.Produce(retry, produce, worker, 0, 0, 1, 2)
		appended, passed := s.stored(again, 1)
		s.Acknowledge(s.answered(passed, appended), again, 40118)
		s.after(250).Read(passed, screen, 3, 0, 40118, 3)
		return s
	}},
	{"recognised", func() *story {
		s, produce, retry := unheard()
		sent := *s.Log.Get(produce)
		again := s.Add(event.Event{
			Kind: event.ProduceSent, Cause: retry, About: produce, Node: worker, Peer: 3, Value: 2, Producer: 7, Sequence: 41,
		}, 0)
		recognised := s.Add(event.Event{
			Kind: event.DuplicateRecognised, Cause: again, Node: 3, Peer: sent.Node, Epoch: 2, Offset: 40117, Producer: 7, Sequence: 41,
		}, 0)
		s.Acknowledge(s.answered(recognised, recognised), again, 40117)
		return s
	}},
	{"failed-but-stored", func() *story {
		s := begin()
		produce := s.produced()
		s.stored(produce, 1, 3)
		died, _ := s.brokerTwoDies()
		s.Fail(died, worker, 0, kafka.NetworkException, 0)
		return s
	}},
	{"acknowledged-and-lost", func() *story {
		s := begin()
		produce := s.produced()
		appended := s.after(1).Append(produce)
		s.Acknowledge(s.answered(appended, appended), produce, 40117)
		_, elected := s.brokerTwoDies()
		s.after(1000).Add(event.Event{Kind: event.BrokerRestarted, Node: 2})
		s.Append(s.Produce(s.Send(worker, 0, 1), 0, worker, 0, 1))
		s.Follow(elected, 2, 0)
		return s
	}},
	{"lost-with-one-in-sync", func() *story {
		s := begin()
		s.Add(event.Event{Kind: event.ISRChanged, Epoch: 1, Value: int64(kafka.SetOf(2)), Prev: int64(kafka.SetOf(1, 2, 3))})
		produce := s.produced()
		appended, passed := s.stored(produce)
		s.Acknowledge(s.answered(passed, appended), produce, 40117)
		s.brokerTwoDies()
		return s
	}},
	{"waits-for-a-dead-follower", func() *story {
		s := begin()
		s.Add(event.Event{Kind: event.BrokerCrashed, Node: 1, Cause: s.Add(event.Event{Kind: event.FaultBegan, Value: 0})})
		produce := s.produced()
		s.Follow(s.after(1).Append(produce), 3, 0)
		fenced := s.after(9000).Add(event.Event{Kind: event.BrokerFenced, Peer: 1, Value: 0})
		changed := s.Add(event.Event{
			Kind: event.ISRChanged, Cause: fenced, Epoch: 1, Value: int64(kafka.SetOf(2, 3)), Prev: int64(kafka.SetOf(1, 2, 3)),
		})
		passed := s.Add(event.Event{Kind: event.HighWatermarkAdvanced, Cause: changed, Node: 2, Epoch: 1, Offset: 40118, Prev: 40117})
		s.Acknowledge(passed, produce, 40117)
		return s
	}},
	{"refused-and-never-stored", func() *story {
		s := begin()
		produce := s.produced()
		refused := s.Add(event.Event{Kind: event.ProduceRefused, Cause: produce, Node: 2, Peer: worker, Error: kafka.NotEnoughReplicas}, 0)
		retry := s.retryScheduled(refused, produce, kafka.NotEnoughReplicas)
		s.Fail(retry, worker, 0, kafka.RequestTimedOut, 0)
		return s
	}},
	{"offline", func() *story {
		s := begin()
		fault := s.Add(event.Event{Kind: event.FaultBegan, Value: 1})
		died := s.Add(event.Event{Kind: event.BrokerCrashed, Cause: fault, Node: 2})
		s.Offline(died, 0)
		s.after(10).Add(event.Event{Kind: event.RecordsSent, Node: worker, Value: int64(kafka.NoKey)}, 0)
		return s
	}},
	{"lost-request", func() *story {
		s := begin()
		produce := s.produced()
		s.Add(event.Event{Kind: event.MessageDropped, Cause: produce, Node: worker, Peer: 2, Message: kafka.KindProduceRequest})
		out := s.after(2000).Add(event.Event{Kind: event.ProduceRequestTimedOut, Cause: produce, About: produce, Node: worker, Peer: 2, Count: 1})
		retry := s.retryScheduled(out, produce, kafka.RequestTimedOut)
		again := s.after(100).Produce(retry, produce, worker, 0, 0)
		appended, passed := s.stored(again, 1, 3)
		s.Acknowledge(s.answered(passed, appended), again, 40117)
		return s
	}},
	{"arrives-twice", func() *story {
		s := begin()
		produce := s.produced()
		twice := s.Add(event.Event{Kind: event.MessageDuplicated, Cause: produce, Node: worker, Peer: 2, Message: kafka.KindProduceRequest})
		appended, passed := s.stored(produce, 1, 3)
		s.Add(event.Event{
			Kind: event.BatchAppended, Cause: twice, Node: 2, Peer: worker, Epoch: 1, Offset: 40118, Sequence: kafka.NoSequence,
		}, 0)
		s.Acknowledge(s.answered(passed, appended), produce, 40117)
		return s
	}},
	{"answered-with-an-error-though-stored", func() *story {
		s := begin()
		produce := s.produced()
		appended := s.after(1).Append(produce)
		answer := s.after(30_000).Add(event.Event{
			Kind: event.ProduceAnswered, Cause: appended, About: appended, Node: 2, Peer: worker, Error: kafka.NotEnoughReplicasAfterAppend,
		})
		retry := s.retryScheduled(answer, produce, kafka.NotEnoughReplicasAfterAppend)
		appended, passed := s.stored(s.Produce(retry, produce, worker, 0, 0), 1, 3)
		s.answered(passed, appended)
		return s
	}},
	{"acks-0-silently-gone", func() *story {
		s := begin()
		produce := s.produced()
		s.Add(event.Event{Kind: event.RecordsUntracked, Cause: produce, Node: worker}, 0)
		return s
	}},
	{"healthy", func() *story {
		s := begin()
		produce := s.produced()
		appended, passed := s.stored(produce, 1, 3)
		s.after(1).Acknowledge(s.answered(passed, appended), produce, 40117)
		s.Read(passed, screen, 2, 0, 40117, 1)
		s.brokerTwoDies()
		return s
	}},
}

// The golden beside each story is what a person reads of order 8812, and of the whole run.
func TestStories(t *testing.T) {
	for _, st := range stories {
		t.Run(st.name, func(t *testing.T) {
			s := st.write()
			told := explain.Record(&s.Log, names, 0)
			f := outcome.NewFold(names, outcome.Settings{})
			s.Steps(f)
			text := explain.Text(told.Lines, names) + told.Verdict + "\n\n" + explain.Text(explain.Run(&s.Log, names, f.Outcome()), names)
			golden(t, st.name, text)
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (- golden, + now; accept with -update):\n%s", path, diff)
	}
}

func TestChainLeadsBackToTheRoot(t *testing.T) {
	s, _, retry := unheard()
	var kinds []string
	for _, seq := range explain.Chain(&s.Log, names, retry) {
		kinds = append(kinds, s.Log.Get(seq).Kind.String())
	}
	if got := strings.Join(kinds, " < "); got != "ProduceRetryScheduled < BrokerCrashed < FaultBegan" {
		t.Error(got)
	}
	if chain := explain.Chain(&s.Log, names, 100_000); chain != nil {
		t.Errorf("an event that does not exist has the causes %v", chain)
	}
}

func TestEventHasItsRule(t *testing.T) {
	s, produce, _ := unheard()
	line := explain.Event(&s.Log, names, produce)
	want := event.ProduceSent.Spec()
	if line.Rule != want.Rule || line.Source != want.Source || line.Text != "order-service-11 sends 8812 of orders-0 to broker 2, attempt 1." {
		t.Errorf("%+v", line)
	}
	if line := explain.Event(&s.Log, names, 0); line != (explain.Line{}) {
		t.Errorf("event 0 is %+v", line)
	}
}

func TestUnknownRecordWasNeverHandedOver(t *testing.T) {
	s := begin()
	told := explain.Record(&s.Log, names, 5)
	if len(told.Lines) != 0 || told.Verdict != "Order 8817 was never handed over in this run." {
		t.Errorf("%+v", told)
	}
}

func TestEndlessRetriesAreBounded(t *testing.T) {
	s := begin()
	before := s.produced()
	for range 1000 {
		retry := s.retryScheduled(before, before, kafka.NotLeaderOrFollower)
		before = s.after(100).Produce(retry, before, worker, 0, 0)
	}
	told := explain.Record(&s.Log, names, 0)
	if len(told.Lines) > 40 {
		t.Errorf("the story has %d lines", len(told.Lines))
	}
	if last := told.Lines[len(told.Lines)-1].Text; !strings.Contains(last, "attempt 1001") {
		t.Errorf("the end is missing: %s", last)
	}
}
