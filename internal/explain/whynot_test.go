package explain_test

import (
	"slices"
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/explain"
	"replog/internal/kafka"
	"replog/internal/run"
	"replog/internal/scenario"
	"replog/internal/until"
	"replog/scenarios"
)

// recorded is a run of a scenario that replog carries.
func recorded(t *testing.T, name, variant string) *run.Recording {
	t.Helper()
	data, err := scenarios.FS.ReadFile(name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	f, err := scenario.Load(name+".yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	p, err := f.Plan(variant, nil)
	if err != nil {
		t.Fatal(err)
	}
	recording := run.NewRecording(p.Names)
	if _, err := run.Do(p, run.Options{Sink: recording, Unchecked: true}); err != nil {
		t.Fatal(err)
	}
	return recording
}

// momentOf is a moment of a run; a leader asks for two replicas in sync.
func momentOf(t *testing.T, name, variant, when string) *explain.Moment {
	t.Helper()
	recording := recorded(t, name, variant)
	moment, err := until.Parse(when, recording.At(0).Names())
	if err != nil {
		t.Fatal(err)
	}
	n, ok := moment.Next(&recording.Log, 0)
	if !ok {
		t.Fatalf("%s does not come", when)
	}
	return &explain.Moment{Picture: recording.At(n), Log: &recording.Log, MinISR: func(kafka.PartitionID) int { return 2 }}
}

// TestWhyNot asks at several moments, and reads the first condition that fails.
func TestWhyNot(t *testing.T) {
	order := func(number string) func(*explain.Moment) kafka.RecordID {
		return func(m *explain.Moment) kafka.RecordID { return m.Picture.Names().FindRecords(number)[0] }
	}
	notAcked := func(number string) func(*explain.Moment) explain.WhyNot {
		return func(m *explain.Moment) explain.WhyNot { return m.NotAcknowledged(order(number)(m)) }
	}
	notShown := func(number string) func(*explain.Moment) explain.WhyNot {
		return func(m *explain.Moment) explain.WhyNot {
			nodes := m.Picture.Names().Nodes
			kitchen := slices.IndexFunc(nodes, func(n kafka.NodeName) bool { return n.Name == "kitchen" })
			return m.NotShown(nodes[kitchen].ID, order(number)(m))
		}
	}
	node := func(m *explain.Moment, name string) kafka.NodeID {
		for _, n := range m.Picture.Names().Nodes {
			if n.Name == name {
				return n.ID
			}
		}
		t.Fatalf("no %s", name)
		return kafka.NoNode
	}
	notShownBy := func(reader, number string) func(*explain.Moment) explain.WhyNot {
		return func(m *explain.Moment) explain.WhyNot { return m.NotShown(node(m, reader), order(number)(m)) }
	}
	fenced := func(producer string) func(*explain.Moment) explain.WhyNot {
		return func(m *explain.Moment) explain.WhyNot {
			answer, was := m.Fenced(node(m, producer))
			if _, reader := m.Fenced(node(m, "dashboard")); !was || reader {
				t.Errorf("%s: fenced %v", producer, was)
			}
			return answer
		}
	}
	hw := func(p kafka.PartitionID) func(*explain.Moment) explain.WhyNot {
		return func(m *explain.Moment) explain.WhyNot { return m.HighWatermark(p) }
	}
	for _, test := range []struct {
		name, variant, when string
		ask                 func(*explain.Moment) explain.WhyNot
		title, fails        string // fails is empty where nothing is in the way
	}{
		{"broker-2-dies", "as it was", "12:39:40", hw(2), "Why is the high watermark of orders-2 still 40,0", ""},
		{"broker-2-dies", "as it was", "12:40:05", hw(2), "", "broker 2, its leader, is dead"},
		{"broker-2-dies", "as it was", "12:40:05", hw(0), "", "Broker 2 is dead, but still in the ISR"},
		{"broker-2-dies", "as it was", "12:39:58", notAcked("8812"), "Why is order 8812 not acknowledged?", "the answer is stuck inside broker 2"},
		{"broker-2-dies", "as it was", "12:39:57.906", notAcked("8812"), "", "the high watermark of orders-2"},
		{"broker-2-dies", "as it was", "12:39:40", notAcked("8812"), "", "the application has not handed it over yet"},
		{"broker-2-dies", "as it was", "12:40:10", notAcked("8812"), "", "the leader of orders-2, is dead"},
		{"broker-2-dies", "as it was", "end", notAcked("8812"), "", ""},
		{"broker-2-dies", "as it was", "broker 3 leads p2", hw(2), "", "broker 3 is elected, and has not heard of that yet"},
		{"open-transaction-blocks-readers", "ten seconds", "15s", func(m *explain.Moment) explain.WhyNot { return m.LastStable(0) },
			"Why does the last stable offset of orders-0 stand at 5?", "the transaction of data-team is open since 10016 ms"},
		{"open-transaction-blocks-readers", "ten seconds", "end", func(m *explain.Moment) explain.WhyNot { return m.LastStable(0) }, "", ""},
		{"broker-2-dies", "as it was", "12:40:10", notAcked("8840"), "", "is dead"},
		{"broker-2-dies", "as it was", "12:40:10", notShown("8857"), "kitchen", "the high watermark is"},
		{"broker-2-dies", "as it was", "12:40:10", notShown("8812"), "", ""},
		{"broker-2-dies", "as it was", "12:40:10", notShown("9400"), "", "no leader has it"},
		{"broker-2-dies", "as it was", "12:40:10", func(m *explain.Moment) explain.WhyNot { return m.NoLeader(2) },
			"Why has orders-2 no leader?", "the controller does not know yet"},
		{"broker-2-dies", "as it was", "12:40:30", func(m *explain.Moment) explain.WhyNot { return m.NoLeader(2) }, "", ""},
		{"broker-2-dies", "as it was", "12:40:30", func(m *explain.Moment) explain.WhyNot { return m.NotInISR(2, 2) },
			"Why is broker 2 not in the ISR of orders-2?", "broker 2 is dead"},
		{"broker-2-dies", "as it was", "12:40:30", func(m *explain.Moment) explain.WhyNot { return m.NotInISR(2, 1) }, "", ""},
		{"museum/elect-outside-isr", "elected outside", "45s", func(m *explain.Moment) explain.WhyNot { return m.NotInISR(0, 1) },
			"", "it leads without being in it"},
		{"hanging-transaction", "before 3.6", "40s", notShownBy("packing screen", "901"), "packing screen", "the last stable offset of orders-0 is 1"},
		{"aborted-read", "version 2", "6s", notShownBy("dashboard", "5"), "", "its transaction was aborted"},
		{"zombie-fenced", "one id", "end", fenced("data-team"), "Why was data-team fenced?", "data-team-again got the id since, with epoch 2"},
		{"broker-returns", "one left", "12:00:29", hw(0), "", "fewer than min.insync.replicas=2"},
		{"broker-returns", "none left", "12:00:39", func(m *explain.Moment) explain.WhyNot { return m.NoLeader(0) }, "", "in the ISR, and dead"},
	} {
		m := momentOf(t, test.name, test.variant, test.when)
		answer := test.ask(m)
		where := test.name + ", " + test.when + ": " + answer.Title
		if !strings.Contains(answer.Title, test.title) || len(answer.Lines) < 2 {
			t.Errorf("%s: want %q", where, test.title)
		}
		switch {
		case answer.Fails < 0 && test.fails != "":
			t.Errorf("%s: nothing fails, want %q: %+v", where, test.fails, answer.Lines)
		case answer.Fails >= 0 && (test.fails == "" || !strings.Contains(answer.Lines[answer.Fails].Text, test.fails)):
			t.Errorf("%s: %s, want %q", where, answer.Lines[answer.Fails].Text, test.fails)
		}
		for _, l := range answer.Lines {
			if l.Seq > event.Seq(m.Picture.Seq()) {
				t.Errorf("%s rests on an event that has not happened: %+v", where, l)
			}
		}
	}
}

// TestUnheardIsStored: of an order that is stored and not acknowledged the answer tells, in the order of time, where it is and where the
// answer went.
func TestUnheardIsStored(t *testing.T) {
	for when, want := range map[string]string{
		"12:40:00": "Broker 2 has stored it at 40,117; it is in the log of broker 1, broker 2 and broker 3.\nBroker 2 has answered.\nThe answer got stuck inside broker 2, and is lost with it",
		"12:40:10": "and is lost with it: its producer can not know that the order is stored.\nHere it fails: broker 2, the leader of orders-2, is dead",
	} {
		m := momentOf(t, "broker-2-dies", "as it was", when)
		answer, text, before := m.NotAcknowledged(m.Picture.Names().FindRecords("8812")[0]), "", event.Seq(0)
		for _, line := range answer.Lines {
			text += line.Text + "\n"
			if line.Seq != 0 && line.Seq < before {
				t.Errorf("%s: %q stands behind what came later", when, line.Text)
			}
			before = max(before, line.Seq)
		}
		if !strings.Contains(text, want) || !strings.HasPrefix(answer.Lines[answer.Fails].Text, "Here it fails") {
			t.Errorf("%s: want %q in\n%s", when, want, text)
		}
	}
}
