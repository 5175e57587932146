package scenario_test

import (
	"strings"
	"testing"

	"replog/internal/scenario"
)

const forked = `title: a scenario   # a remark
end: 10s
brokers: {count: 3}
topics:
  orders: {partitions: 1, replication.factor: 3}
readers:
  report: {topic: orders}
sweep:
  - {entries: [first, back], from: 1s, to: 3s, counts: report}
timeline:
  # what goes wrong
  - name: first
    at: 2s
    crash: broker 1
  - {name: back, at: 4s, restart: broker 1}

  - {at: 5s, when: false, crash: broker 2}

# who plays it
variants:
  one: {}
  two:
    note: later
    set:
      timeline.back.at: 6s
      sweep.0.to: 4s
      seed: 7
    expect:
      sent: 0
  three:
    set: {seed: 8}

expect:
  acked: 0
`

// TestForkIsTheFileWithLess: a fork keeps one variant, and what is said to other brokers.
func TestForkIsTheFileWithLess(t *testing.T) {
	f, err := scenario.Load("x.yaml", []byte(forked))
	if err != nil {
		t.Fatal(err)
	}
	text, err := f.Fork(scenario.Turn{
		Variant: "two", Heading: "what if\nit comes back", Entry: "{at: 3s, restart: broker 1}", Broker: "broker 1", After: 3000,
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = `# what if
# it comes back
title: a scenario   # a remark
end: 10s
brokers: {count: 3}
topics:
  orders: {partitions: 1, replication.factor: 3}
readers:
  report: {topic: orders}
timeline:
  # what goes wrong
  - name: first
    at: 2s
    crash: broker 1

  - {at: 5s, when: false, crash: broker 2}
  - {at: 3s, restart: broker 1}

# who plays it
variants:
  two:
    note: later
    set:
      seed: 7

`
	if text != want {
		t.Errorf("got:\n%s\nwant:\n%s", text, want)
	}
	if _, err := scenario.Load("y.yaml", []byte(text)); err != nil {
		t.Error(err)
	}
}

// TestForkWithoutTimeline begins one.
func TestForkWithoutTimeline(t *testing.T) {
	const source = "title: x\nend: 10s\nbrokers: {count: 1}\ntopics: {orders: {}}\n"
	f, err := scenario.Load("x.yaml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	text, err := f.Fork(scenario.Turn{Variant: "default", Heading: "x", Entry: "{at: 3s, crash: broker 1}", Broker: "broker 1", After: 3000})
	if err != nil || !strings.HasSuffix(text, "timeline:\n  - {at: 3s, crash: broker 1}\n") {
		t.Errorf("%v:\n%s", err, text)
	}
}

// TestForkRefusesBraces: what stands on one line can not be taken apart by lines.
func TestForkRefusesBraces(t *testing.T) {
	for _, line := range []string{"timeline: [{at: 1s, crash: broker 1}]", "variants: {one: {}, two: {}}"} {
		f, err := scenario.Load("x.yaml", []byte("title: x\nend: 10s\nbrokers: {count: 1}\ntopics: {orders: {}}\n"+line+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		if text, err := f.Fork(scenario.Turn{Variant: f.Variants()[0], Entry: "{at: 3s, crash: broker 1}"}); err == nil {
			t.Errorf("%s: a fork without an error:\n%s", line, text)
		}
	}
}
