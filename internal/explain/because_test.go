package explain_test

import (
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/explain"
	"replog/internal/kafka"
	"replog/internal/view/history"
)

// TestTimersBlameTheSilence: what a timer brings is because of what silenced the one that it waited for.
func TestTimersBlameTheSilence(t *testing.T) {
	for _, test := range []struct {
		name, variant string
		kind          event.Kind
		chain         string // the kinds of its causes, with what the root says
	}{
		{"slip-printed-twice", "auto-commit", event.MemberExpired, "ConsumerCrashed < FaultBegan: the process of packing-0 dies"},
		{"rebalance", "eager", event.PollIntervalExceeded, "FaultBegan: the application of packing-2 hangs"},
		{"broker-2-dies", "as it was", event.BrokerFenced, "BrokerCrashed < FaultBegan: broker 2's disk controller fails for good"},
		{"open-transaction-blocks-readers", "ten seconds", event.TransactionTimedOut, "TransactionHung < "},
		{"offsets-expired", "latest", event.OffsetExpired, "MemberLeft < "},
		{"isr-shrinks", "lag 10 s", event.ISRChangeProposed, "FaultBegan: broker 3 gets every answer 15 s late"},
	} {
		r := recorded(t, test.name, test.variant)
		names, told := r.At(0).Names(), ""
		for _, e := range r.Log.All() {
			if e.Kind != test.kind {
				continue
			}
			var kinds []string
			chain := explain.Chain(&r.Log, names, e.Seq)
			for _, seq := range chain[1:] {
				kinds = append(kinds, r.Log.Get(seq).Kind.String())
			}
			root := r.Log.Get(chain[len(chain)-1])
			told = strings.Join(kinds, " < ") + ": " + event.Sentence(root, r.Log.Records(root), names)
			break
		}
		if !strings.HasPrefix(told, test.chain) {
			t.Errorf("%s: %v is because of %q, want %q", test.name, test.kind, told, test.chain)
		}
	}
}

// TestOnlyWhatStillSilencesIsToBlame: a death that the member came back from in time is not, nor a fault that was over, nor one that
// concerns others.
func TestOnlyWhatStillSilencesIsToBlame(t *testing.T) {
	paused := *names
	paused.Silent = []kafka.Silence{
		{Fault: 0, From: []kafka.NodeID{worker}},
		{Fault: 1, From: []kafka.NodeID{worker}, Application: true},
		{Fault: 2, From: []kafka.NodeID{2}, To: []kafka.NodeID{worker}, Message: kafka.KindHeartbeatResponse},
		{Fault: 3, From: []kafka.NodeID{2}, Message: kafka.KindProduceResponse},
	}
	fault := func(n int64) event.Event { return event.Event{Kind: event.FaultBegan, Value: n} }
	over := event.Event{Kind: event.FaultEnded}
	dies, starts := event.Event{Kind: event.ConsumerCrashed, Node: worker}, event.Event{Kind: event.ConsumerStarted, Node: worker}
	expired := func(heard int64) event.Event {
		return event.Event{Kind: event.MemberExpired, Node: 2, Peer: worker, Prev: heard}
	}
	for name, test := range map[string]struct {
		events []event.Event // one a tick, from tick 1 on; the last is to be explained
		blamed int           // which of them, from 1; 0 for none
	}{
		"dead":                              {[]event.Event{dies, expired(0)}, 1},
		"back under another id":             {[]event.Event{dies, starts, expired(0)}, 1},
		"back, and heard since":             {[]event.Event{dies, starts, expired(3)}, 0},
		"another dies":                      {[]event.Event{{Kind: event.ConsumerCrashed, Node: screen}, expired(0)}, 0},
		"paused":                            {[]event.Event{fault(0), expired(0)}, 1},
		"paused, and heard since":           {[]event.Event{fault(0), over, expired(3)}, 0},
		"its application hangs":             {[]event.Event{fault(1), expired(0)}, 0},
		"the application does not poll":     {[]event.Event{fault(1), {Kind: event.PollIntervalExceeded, Node: worker}}, 1},
		"it gets no answers":                {[]event.Event{fault(2), expired(0)}, 1},
		"the answers to something else":     {[]event.Event{fault(3), expired(0)}, 0},
		"a death weighs more than a fault":  {[]event.Event{dies, fault(0), expired(0)}, 1},
		"the last fault that still acts":    {[]event.Event{fault(0), fault(2), expired(0)}, 2},
		"the expiry of offsets, by the one": {[]event.Event{{Kind: event.MemberJoined, Peer: worker}, {Kind: event.MemberLeft, Peer: worker}, {Kind: event.OffsetExpired}}, 2},
		"of a group with members, by the commit": {[]event.Event{{Kind: event.OffsetCommitWritten}, {Kind: event.MemberJoined, Peer: worker},
			{Kind: event.MemberJoined, Peer: screen}, {Kind: event.MemberLeft, Peer: worker}, {Kind: event.OffsetExpired}}, 1},
	} {
		h := history.New(1, 0, 2)
		var seqs []event.Seq
		for i := range test.events {
			h.Now = kafka.Tick(i + 1)
			seqs = append(seqs, h.Add(test.events[i]))
		}
		want := event.Seq(0)
		if test.blamed > 0 {
			want = seqs[test.blamed-1]
		}
		if got := explain.Because(&h.Log, &paused, h.Log.Get(seqs[len(seqs)-1])); got != want {
			t.Errorf("%s: blamed is event %d, want %d", name, got, want)
		}
	}
}
