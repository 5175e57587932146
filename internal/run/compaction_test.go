package run

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"replog/internal/check"
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/plan"
	"replog/internal/sim"
	"replog/internal/view"
)

// TestCompactedClusterUnderFaults has brokers of a compacted topic die and come back at any time. Every replica cleans by
// itself, and who was away copies what compaction has left; no promise breaks, the fold of the events is what the cluster
// knows, and in the end every replica has the same last value of each key as the log that nobody compacted.
func TestCompactedClusterUnderFaults(t *testing.T) {
	t.Parallel()
	file := load(t, "menu-prices")
	rapid.Check(t, func(rt *rapid.T) {
		p, err := file.Plan("compacted", nil)
		if err != nil {
			t.Fatal(err)
		}
		p.Partitions[0].Config.Log.MinDirtyRatio = rapid.Int64Range(0, 500_000).Draw(rt, "dirty ratio")
		p.Partitions[0].Config.Log.SegmentTicks = kafka.Tick(rapid.IntRange(30, 600).Draw(rt, "segment seconds")) * 1000
		drawDeaths(rt, p)
		picture := view.New(p.Names)
		checker := check.New(p.Names, check.Settings{})
		gaps := &counter{kind: event.GapCopied}
		w := &watcher{t: t, plan: p, picture: picture}
		w.cluster = sim.New(p, event.Sinks{picture, checker, gaps, w})
		if err := w.cluster.Run(); err != nil {
			rt.Fatal(err)
		}
		checker.Finish()
		if found := checker.Violations(); len(found) > 0 {
			rt.Fatalf("violations: %v", found)
		}
		w.full()
		want := lastValues(picture.Logs(), p.Names, 1, true)
		for broker := kafka.NodeID(1); broker <= 3; broker++ {
			if got := lastValues(picture.Logs(), p.Names, broker, false); !maps.Equal(got, want) {
				rt.Fatalf("broker %d has the last values %v, expected %v (%d gaps copied)", broker, got, want, gaps.n)
			}
		}
	})
}

// drawDeaths has one broker after the other die and come back, the last one well before the end.
func drawDeaths(rt *rapid.T, p *plan.Plan) {
	p.Faults, p.Names.Faults = nil, nil
	at := kafka.Tick(1000)
	for range rapid.IntRange(1, 4).Draw(rt, "deaths") {
		broker := kafka.NodeID(rapid.IntRange(1, 3).Draw(rt, "broker"))
		at += kafka.Tick(rapid.IntRange(1, 900).Draw(rt, "seconds up")) * 1000
		back := at + kafka.Tick(rapid.IntRange(1, 500).Draw(rt, "seconds down"))*1000
		match := plan.Match{Partition: kafka.NoPartition}
		p.Faults = append(p.Faults,
			plan.Fault{Kind: plan.Crash, At: at, Until: kafka.Never, Node: broker, Match: match},
			plan.Fault{Kind: plan.Restart, At: back, Until: kafka.Never, Node: broker, Match: match})
		p.Names.Faults = append(p.Names.Faults, fmt.Sprintf("broker %d dies", broker), fmt.Sprintf("broker %d comes back", broker))
		at = back + 30_000
	}
}

// counter counts the events of a kind.
type counter struct {
	kind event.Kind
	n    int
}

func (c *counter) Consume(step *event.Step) {
	for i := range step.Events {
		if step.Events[i].Kind == c.kind {
			c.n++
		}
	}
}

// lastValues is the newest record of each key in a replica's log, without those that were deleted; ever adds what compaction
// took.
func lastValues(logs *view.Logs, names *kafka.Names, broker kafka.NodeID, ever bool) map[kafka.KeyID]kafka.RecordID {
	values := map[kafka.KeyID]kafka.RecordID{}
	pieces := logs.Slices(0, broker, 0, kafka.Offset(kafka.Never))
	if ever {
		pieces = logs.Ever(0, broker)
	}
	for _, ids := range pieces {
		for _, id := range slices.Clone(ids) {
			if key, tombstone, _ := names.RecordKey(id); tombstone {
				delete(values, key)
			} else {
				values[key] = id
			}
		}
	}
	return values
}
