package check_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"replog/internal/check"
	"replog/internal/event"
	"replog/internal/kafka"
)

var all = kafka.SetOf(1, 2, 3)

// failover is a run in which everything goes wrong that may, and nothing that must not: broker 1 dies with a tail that
// nobody copied, broker 2 takes over, the producer writes its records again, broker 1 comes back, cuts its tail and
// catches up.
func failover(sink event.Sink) *history {
	h := committed(sink)
	h.acked(careful, 1, 0, 10)
	h.reads(1, 0, 10)
	h.appends(1, 0, 1, 11, 12)
	h.copies(2, 1, 0, 1, 1, 1)
	h.copies(3, 1, 0, 1, 1, 1)
	h.advances(1, 0, 2)
	h.acked(careful, 1, 1, 11)
	h.crashes(1)
	h.elect(2, 1, kafka.SetOf(2, 3), all)
	h.leads(2, 1, 2, 1)
	h.follows(3, 2, 1)
	h.appends(2, 1, 2, 12, 13)
	h.copies(3, 2, 1, 2, 2, 1)
	h.advances(2, 1, 4)
	h.acked(careful, 2, 2, 12, 13)
	h.reads(2, 1, 11, 12, 13)
	h.restarts(1, 3, 1)
	h.follows(1, 2, 1)
	h.cuts(1, 3, 2)
	h.copies(1, 2, 1, 2, 2, 4)
	h.unfences(1)
	h.isr(all, kafka.SetOf(2, 3))
	h.ends()
	return h
}

func TestCleanFailoverBreaksNoPromise(t *testing.T) {
	c := judge(func(sink event.Sink) { failover(sink) })
	if diff := cmp.Diff([]check.Violation(nil), c.Violations()); diff != "" {
		t.Error(diff)
	}
	if got := c.Tradeoffs(); got != nil {
		t.Errorf("trade-offs of a clean run: %v", got)
	}
}

// A counterexample is a history that breaks a promise.
type counterexample struct {
	promise string
	story   string
	play    func(sink event.Sink)
	says    string // part of the violation's sentence
}

// broken holds counterexamples for each promise. A check that was never seen to fail is no check.
var broken = slices.Concat(brokenReplication, brokenISR, brokenTransactions, brokenGroups)

// brokenReplication holds those for the promises about logs, leaders and reads.
var brokenReplication = []counterexample{
	{"LogMatching", "a late answer of an old leader is appended after a truncation (C12)", func(sink event.Sink) {
		h := opened(sink)
		h.appends(1, 0, 0, 10)
		h.elect(2, 1, all, all)
		h.leads(2, 1, 0, 0)
		h.appends(2, 1, 0, 11)
		h.copies(3, 1, 0, 0, 1, 0) // the old epoch's record
		h.copies(1, 2, 1, 0, 1, 0)
		h.advances(2, 1, 1)
		h.learns(3, 1)
	}, "broker 3, which holds 10 of leader epoch 0 there; committed was 11 of leader epoch 1"},

	{"LogMatching", "two leaders of one epoch write different records at one offset", func(sink event.Sink) {
		h := opened(sink)
		h.appends(1, 0, 0, 10)
		h.appends(2, 0, 0, 11)
		h.advances(1, 0, 1)
		h.learns(2, 1)
	}, "committed was 10"},

	{"LeaderCandidateCompleteness", "a follower joins the ISR without what was committed (C6)", func(sink event.Sink) {
		h := committed(sink)
		h.isr(kafka.SetOf(1, 2), all)
		h.cuts(3, 1, 0)
		h.isr(all, kafka.SetOf(1, 2))
	}, "broker 3 may be elected to lead orders-0, but its log ends at 0; committed was up to 1"},

	{"LeaderCandidateCompleteness", "the last member of the ISR comes back without its tail, and is unfenced", func(sink event.Sink) {
		h := committed(sink)
		h.isr(kafka.SetOf(1), all)
		h.crashes(1)
		h.offline(1, kafka.SetOf(1))
		h.cuts(1, 1, 0)
		h.restarts(1, 0, 0)
		h.unfences(1)
	}, "broker 1 may be elected"},

	{"LeaderCandidateCompleteness", "an eligible leader replica lacks what was committed (C11)", func(sink event.Sink) {
		h := committed(sink)
		h.isr(kafka.SetOf(1, 3), all)
		h.eligible(kafka.SetOf(2))
		h.appends(1, 0, 1, 11)
		h.copies(3, 1, 0, 1, 1, 1)
		h.advances(1, 0, 2)
	}, "broker 2 may be elected"},

	{"ReplicationQuorumSuperset", "the leader commits with fewer than the controller counts (C7)", func(sink event.Sink) {
		h := committed(sink)
		h.isr(kafka.SetOf(1, 2), all)
		h.appends(1, 0, 1, 11)
		h.copies(2, 1, 0, 1, 1, 1)
		h.advances(1, 0, 2)
		h.isr(all, kafka.SetOf(1, 2))
	}, "broker 1 committed orders-0 up to 2 in leader epoch 0 without having heard so far of broker 3, which may be elected: the ISR is 1,2,3"},

	{"ReplicationQuorumSuperset", "the leader heard of a follower in an older epoch only", func(sink event.Sink) {
		h := committed(sink)
		h.elect(2, 1, all, all)
		h.leads(2, 1, 1, 1)
		h.appends(2, 1, 1, 11)
		h.copies(1, 2, 1, 1, 1, 1)
		h.advances(2, 1, 2)
	}, "without having heard so far of broker 3"},

	{"MetadataLogMatching", "a broker follows whom the controller did not elect", func(sink event.Sink) {
		h := opened(sink)
		h.elect(2, 1, all, all)
		h.follows(3, 1, 1)
	}, "broker 3 believes that broker 1 leads orders-0 in leader epoch 1, which stands nowhere in the controller's log"},

	{"MetadataLogMatching", "a broker leads in an epoch that the controller has not begun", func(sink event.Sink) {
		h := opened(sink)
		h.leads(1, 1, 0, 0)
	}, "broker 1 believes that broker 1 leads orders-0 in leader epoch 1"},

	{"MetadataLogMatching", "a broker takes records of the metadata log for later ones", func(sink event.Sink) {
		h := opened(sink)
		h.happens(event.Event{Kind: event.MetadataMisplaced, Node: 2, Offset: 4, Prev: 6, Count: 2})
	}, "broker 2 has, from offset 6 on of its copy of the metadata log, what the controller wrote from 4 on"},

	{"MetadataLogMatching", "a broker has a leader while the controller has none", func(sink event.Sink) {
		h := opened(sink)
		h.offline(1, all)
		h.follows(2, 3, 1)
	}, "broker 2 believes that broker 3 leads"},

	{"LogStartBelowHighWatermark", "retention takes records that were never committed", func(sink event.Sink) {
		h := committed(sink)
		h.appends(1, 0, 1, 11)
		h.expires(1, 0, 2)
	}, "begins at 2 from now on; it began at 0, and its high watermark is 1"},

	{"StrongIsr", "the leader does not wait for a follower that is in the ISR (C5)", func(sink event.Sink) {
		h := opened(sink)
		h.appends(1, 0, 0, 10)
		h.copies(2, 1, 0, 0, 1, 0)
		h.advances(1, 0, 1)
	}, "broker 1 shows orders-0 up to 1, but broker 3 of the ISR holds nothing at 0, not 10"},

	{"StrongIsr", "a member of the ISR truncates to its own high watermark (C1)", func(sink event.Sink) {
		h := committed(sink)
		h.appends(1, 0, 1, 11)
		h.copies(2, 1, 0, 1, 1, 1)
		h.copies(3, 1, 0, 1, 1, 1)
		h.advances(1, 0, 2)
		h.cuts(2, 2, 1)
	}, "broker 2 of the ISR holds nothing at 1, not 11"},

	{"StrongIsr", "a member that crashed counts with its disk", func(sink event.Sink) {
		h := opened(sink)
		h.crashes(3)
		h.appends(1, 0, 0, 10)
		h.copies(2, 1, 0, 0, 1, 0)
		h.advances(1, 0, 1)
	}, "broker 3 of the ISR"},

	{"LeaderCompleteness", "an empty follower joins the ISR and is elected (C6)", func(sink event.Sink) {
		h := opened(sink)
		h.isr(kafka.SetOf(1, 2), all)
		h.appends(1, 0, 0, 10)
		h.copies(2, 1, 0, 0, 1, 0)
		h.advances(1, 0, 1)
		h.isr(all, kafka.SetOf(1, 2))
		h.elect(3, 1, all, all)
		h.leads(3, 1, 0, 0)
	}, "broker 3 leads orders-0 in leader epoch 1, but holds nothing at offset 0, where 10 of leader epoch 0 was committed"},

	{"LeaderCompleteness", "the new leader has another record at a committed offset", func(sink event.Sink) {
		h := committed(sink)
		h.cuts(2, 1, 0)
		h.appends(2, 1, 0, 11)
		h.elect(2, 2, all, all)
		h.leads(2, 2, 1, 0)
	}, "holds 11 of leader epoch 1 at offset 0"},

	{"LeaderCompleteness", "acks=all was answered before the high watermark passed", func(sink event.Sink) {
		h := opened(sink)
		h.appends(1, 0, 0, 10)
		h.acked(careful, 1, 0, 10)
		h.crashes(1)
		h.elect(2, 1, kafka.SetOf(2, 3), all)
		h.leads(2, 1, 0, 0)
	}, "without 10, which was acknowledged with acks=all"},

	{"MonotonicHighWatermark", "a leader takes its high watermark back", func(sink event.Sink) {
		h := committed(sink)
		h.advances(1, 0, 0)
	}, "falls from 1 to 0 on broker 1 within leader epoch 0"},

	{"MonotonicHighWatermark", "a clean election takes a committed offset back", func(sink event.Sink) {
		h := committed(sink)
		h.cuts(2, 1, 0)
		h.elect(2, 1, all, all)
		h.leads(2, 1, 0, 0)
	}, "committed up to 1, but its new leader broker 2 has only 0 offsets"},

	{"SingleLeaderPerEpoch", "the controller gives one epoch to two brokers", func(sink event.Sink) {
		h := opened(sink)
		h.elect(2, 0, all, all)
	}, "broker 2 leads orders-0 in leader epoch 0, which is that of broker 1"},

	{"SingleLeaderPerEpoch", "a broker takes office in another's epoch", func(sink event.Sink) {
		h := opened(sink)
		h.leads(2, 0, 0, 0)
	}, "broker 2 leads"},

	{"SingleLeaderPerEpoch", "a broker writes in another's epoch", func(sink event.Sink) {
		h := opened(sink)
		h.appends(2, 0, 0, 10)
	}, "broker 2 leads"},

	{"ConsistentRead", "a reader saw what the next leader does not have", func(sink event.Sink) {
		h := committed(sink)
		h.reads(1, 0, 10)
		h.cuts(2, 1, 0)
		h.appends(2, 1, 0, 11)
		h.elect(2, 2, all, all)
		h.leads(2, 2, 1, 0)
	}, "10 was read at offset 0 of orders-0; its leader broker 2 now holds 11 of leader epoch 1 there"},

	{"ConsistentRead", "two readers see two records at one offset", func(sink event.Sink) {
		h := opened(sink)
		h.appends(1, 0, 0, 10)
		h.reads(1, 0, 10) // not committed
		h.elect(2, 1, all, all)
		h.leads(2, 1, 0, 0)
		h.appends(2, 1, 0, 11)
		h.copies(3, 2, 1, 0, 1, 0)
		h.cuts(1, 1, 0)
		h.copies(1, 2, 1, 0, 1, 0)
		h.advances(2, 1, 1)
		h.reads(2, 0, 11)
	}, "is shown 11 at offset 0 of orders-0; before, 10 was read there"},

	{"CommittedRead", "a reader is shown what lies above the high watermark", func(sink event.Sink) {
		h := committed(sink)
		h.appends(1, 0, 1, 11)
		h.reads(1, 0, 10, 11)
	}, "is shown 11 at offset 1 of orders-0, which was not committed there"},

	{"CommittedRead", "a reader is shown what nobody stored", func(sink event.Sink) {
		h := committed(sink)
		h.reads(1, 0, 99)
	}, "is shown 99 at offset 0 of orders-0, where nobody ever stored it"},

	{"NoAcknowledgedRecordLost", "acks=all was answered before a follower had the record", func(sink event.Sink) {
		h := opened(sink)
		h.appends(1, 0, 0, 10)
		h.acked(careful, 1, 0, 10)
		h.crashes(1)
		h.elect(2, 1, kafka.SetOf(2, 3), all)
	}, "10 was acknowledged with acks=all at offset 0 of orders-0 (leader epoch 0) and is gone: the leader broker 2"},

	{"NoAcknowledgedRecordLost", "the leader cuts off an acknowledged record", func(sink event.Sink) {
		h := committed(sink)
		h.acked(careful, 1, 0, 10)
		h.cuts(1, 1, 0)
	}, "10 was acknowledged"},

	{"NoAcknowledgedRecordLost", "no disk holds it while there is no leader", func(sink event.Sink) {
		h := opened(sink)
		h.appends(1, 0, 0, 10)
		h.acked(careful, 1, 0, 10)
		h.offline(1, kafka.SetOf(1))
		h.cuts(1, 1, 0)
		h.ends()
	}, "there is no leader, and no disk holds it"},

	{"NoAcknowledgedRecordLost", "an offset is acknowledged that holds something else", func(sink event.Sink) {
		h := committed(sink)
		h.acked(careful, 1, 0, 11)
	}, "11 is acknowledged at offset 0 of orders-0, where nobody ever stored it"},

	{"LatestValueKept", "the cleaner removes the last value of a key", func(sink event.Sink) {
		h := fiveKeyed(sink)
		h.cleans(event.RecordsCompacted, 5, 0, 1, 3)
	}, "broker 1 has removed 13 at offset 3 of orders-0, the last value of the key b below offset 5"},

	{"CompactionBelowHighWatermark", "the cleaner removes what is not committed", func(sink event.Sink) {
		h := committed(sink)
		h.appends(1, 0, 1, 11, 12)
		h.cleans(event.RecordsCompacted, 2, 1)
	}, "broker 1 cleans the offsets 1 to 1 of orders-0, but its high watermark is 1"},

	{"SequentialOffsets", "a follower copies a gap where nothing was committed", func(sink event.Sink) {
		h := committed(sink)
		h.happens(event.Event{Kind: event.GapCopied, Node: 2, Peer: 1, Offset: 1, Count: 3})
	}, "broker 2 copies a gap at offset 1 of orders-0, where no cleaner has been"},

	{"SequentialOffsets", "a follower leaves out what was committed", func(sink event.Sink) {
		h := opened(sink)
		h.appends(1, 0, 0, 10)
		h.copies(2, 1, 0, 0, 1, 0)
		h.advances(1, 0, 1)
		h.happens(event.Event{Kind: event.GapCopied, Node: 3, Peer: 1, Count: 1})
	}, "broker 3 copies a gap at offset 0 of orders-0, where no cleaner has been"},

	{"SequentialOffsets", "a leader leaves a gap", func(sink event.Sink) {
		h := committed(sink)
		h.appends(1, 0, 2, 11)
	}, "broker 1 appends at offset 2 of orders-0, but its log ends at 1"},

	{"SequentialOffsets", "a follower copies an offset twice", func(sink event.Sink) {
		h := committed(sink)
		h.copies(2, 1, 0, 0, 1, 1)
	}, "broker 2 appends at offset 0"},

	{"SequentialOffsets", "a follower copies what nobody appended", func(sink event.Sink) {
		h := committed(sink)
		h.copies(2, 1, 0, 1, 1, 1)
	}, "nobody appended there"},

	{"SequentialOffsets", "a log is cut at another end than it has", func(sink event.Sink) {
		h := committed(sink)
		h.cuts(2, 5, 0)
	}, "but it ends at 1"},

	{"SequentialOffsets", "a log is shorter after a restart", func(sink event.Sink) {
		h := committed(sink)
		h.crashes(3)
		h.restarts(3, 0, 0)
	}, "broker 3 opens its log of orders-0 with end 0, but its disk holds it up to 1"},

	{"SequentialOffsets", "a leader's epoch begins elsewhere than at its end", func(sink event.Sink) {
		h := committed(sink)
		h.elect(2, 1, all, all)
		h.leads(2, 1, 7, 1)
	}, "begins leader epoch 1 of orders-0 at offset 7, but its log ends at 1"},

	{"SequentialOffsets", "a high watermark lies beyond the log", func(sink event.Sink) {
		h := committed(sink)
		h.learns(2, 9)
	}, "the high watermark of orders-0 is 9 on broker 2, whose log ends at 1"},
}

func TestBrokenHistoriesBreakTheirPromise(t *testing.T) {
	for _, test := range broken {
		t.Run(test.promise+"/"+test.story, func(t *testing.T) {
			c := judge(test.play)
			sentences := ""
			for _, v := range c.Violations() {
				if v.Promise == test.promise {
					sentences += v.Sentence + "\n"
				}
				if v.At == 0 || v.Seq == 0 || v.Partition != orders && v.Partition != kafka.NoPartition {
					t.Errorf("a violation must name its event and its partition: %+v", v)
				}
			}
			if c.Count(test.promise) == 0 || !strings.Contains(sentences, test.says) {
				t.Errorf("want a violation that says %q, got:\n%s", test.says, sentences)
			}
		})
	}
}

func TestEveryPromiseIsSeenToFail(t *testing.T) {
	for _, p := range check.Promises() {
		if !slices.ContainsFunc(broken, func(b counterexample) bool { return b.promise == p.Name }) {
			t.Errorf("no broken history for %s", p.Name)
		}
		if p.Statement == "" || p.Source == "" || p.Guard == "" {
			t.Errorf("%s: a field of its row is empty", p.Name)
		}
		if got, ok := check.Find(p.Name); !ok || got != p {
			t.Errorf("Find(%q) = %v, %t", p.Name, got, ok)
		}
	}
	if _, ok := check.Find("NoSuchPromise"); ok {
		t.Error("Find knows a promise that does not exist")
	}
}

func TestBreakIsReportedOnceUntilItHolds(t *testing.T) {
	c := judge(func(sink event.Sink) {
		h := opened(sink)
		h.isr(kafka.SetOf(2, 3), all)
		h.isr(kafka.SetOf(2), kafka.SetOf(2, 3)) // still broken
		h.isr(kafka.SetOf(1, 2), kafka.SetOf(2)) // holds
		h.isr(kafka.SetOf(2), kafka.SetOf(1, 2)) // broken anew
	})
	if got := c.Count("LeaderInIsr"); got != 2 {
		t.Errorf("LeaderInIsr was broken %d times, want 2", got)
	}
}

func TestViolationsAreBoundedAndCounted(t *testing.T) {
	c := check.New(names(), check.Settings{Keep: 3})
	h := committed(c)
	for i := range 50 {
		h.readsBy(screen+kafka.NodeID(i), 1, 0, 99)
	}
	if len(c.Violations()) != 3 || c.Count("CommittedRead") != 50 {
		t.Errorf("kept %d, counted %d; want 3 and 50", len(c.Violations()), c.Count("CommittedRead"))
	}
}

func TestOnlySelectsPromises(t *testing.T) {
	c := check.New(names(), check.Settings{Only: []string{"LeaderInIsr"}})
	h := opened(c)
	h.advances(1, 0, 5)
	h.isr(kafka.SetOf(2), all)
	if got := c.Violations(); len(got) != 1 || got[0].Promise != "LeaderInIsr" {
		t.Errorf("violations %v, want one of LeaderInIsr", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("a promise that does not exist must panic")
		}
	}()
	check.New(names(), check.Settings{Only: []string{"LeaderInIRS"}})
}

func TestStepIsCheckedWhenItIsWhole(t *testing.T) {
	c := judge(func(sink event.Sink) {
		h := opened(sink)
		h.add(event.Event{Kind: event.ISRChanged, Peer: 1, Value: int64(kafka.SetOf(2, 3))})
		h.add(event.Event{Kind: event.LeaderElected, Peer: 2, Epoch: 1, Value: int64(kafka.SetOf(2, 3)), Prev: int64(all)})
		h.add(event.Event{Kind: event.BatchAppended, Node: 1, Offset: 0}, 10)
		h.add(event.Event{Kind: event.HighWatermarkAdvanced, Node: 1, Offset: 1})
		h.add(event.Event{Kind: event.ReplicaAppended, Node: 2, Peer: 1, Count: 1, Value: 1})
		h.add(event.Event{Kind: event.ReplicaAppended, Node: 3, Peer: 1, Count: 1, Value: 1})
		h.flush()
	})
	if got := c.Count("StrongIsr"); got != 0 {
		t.Errorf("StrongIsr broke inside a step: %v", c.Violations())
	}
}
