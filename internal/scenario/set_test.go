package scenario_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"replog/internal/kafka"
	"replog/internal/plan"
	"replog/internal/scenario"
)

func sets(t *testing.T, texts ...string) []scenario.Set {
	t.Helper()
	var all []scenario.Set
	for _, text := range texts {
		s, err := scenario.ParseSet(text)
		if err != nil {
			t.Fatal(err)
		}
		if s.String() != text {
			t.Errorf("%q was read as %q", text, s)
		}
		all = append(all, s)
	}
	return all
}

// TestSet sets one value after the other and looks for it in the plan.
func TestSet(t *testing.T) {
	tests := []struct {
		file, set string
		got       func(*plan.Plan) any
		want      any
	}{
		{"acks-table", "params.lag=10", func(p *plan.Plan) any { return p.Broker.StreamLagTicks }, kafka.Tick(2)},
		{"acks-table", "params.acks=1", func(p *plan.Plan) any { return p.Producers[0].Config.Acks }, kafka.AcksOne},
		{"acks-table", "params.acks=all", func(p *plan.Plan) any { return p.Producers[0].Config.Acks }, kafka.AcksAll},
		{"acks-table", "params.retries=false", func(p *plan.Plan) any { return p.Producers[0].Config.Retries }, int32(0)},
		{"acks-table", "params.dies_at=0", func(p *plan.Plan) any { return len(p.Faults) }, 0},
		{"acks-table", "params.dies_at=21", func(p *plan.Plan) any { return p.Faults[0].At }, kafka.Tick(21)},
		{"acks-table", "params.follower_dies=20", func(p *plan.Plan) any { return p.Faults[0].Node }, kafka.NodeID(3)},
		{"acks-table", "params.dead_followers=2", func(p *plan.Plan) any { return p.Brokers[1].DeadFromStart }, true},
		{"acks-table", "params.replicas=5", func(p *plan.Plan) any { return len(p.Partitions[0].Replicas) }, 5},
		{"acks-table", "params.min_isr=2", func(p *plan.Plan) any { return p.Partitions[0].Config.MinInSyncReplicas }, int32(2)},
		{"acks-table", "params.takeover=30", func(p *plan.Plan) any { return p.Controller.TakeoverTicks }, kafka.Tick(6)},
		{"acks-table", "tick=1ms", func(p *plan.Plan) any { return p.Loads[0].Every }, kafka.Tick(5)},
		{"acks-table", "timeline.leader-dies.at=50ms", func(p *plan.Plan) any { return p.Faults[0].At }, kafka.Tick(10)},
		{"broker-2-dies", "producers.order-service.workers=5", func(p *plan.Plan) any { return len(p.Producers) }, 5},
		{"broker-2-dies", "timeline.0.at=12:39:55.700", func(p *plan.Plan) any { return p.Faults[0].At }, kafka.Tick(25700)},
		{"broker-2-dies", "timeline.death.at=12:40:00.060", func(p *plan.Plan) any { return p.Faults[1].At }, kafka.Tick(30060)},
		{"broker-2-dies", "topics.orders.config.min.insync.replicas=1",
			func(p *plan.Plan) any { return p.Partitions[5].Config.MinInSyncReplicas }, int32(1)},
		{"broker-2-dies", "brokers.config.broker.session.timeout.ms=6000",
			func(p *plan.Plan) any { return p.Controller.SessionCheck }, kafka.Tick(750)},
		{"broker-2-dies", "producers.order-service.config.linger.ms=0",
			func(p *plan.Plan) any { return p.Producers[12].Config.LingerTicks }, kafka.Tick(0)},
		{"broker-2-dies", "seed=7", func(p *plan.Plan) any { return p.Seed }, uint64(7)},
		{"broker-2-dies", "latency={min: 1ms, max: 4ms}", func(p *plan.Plan) any { return p.Latency }, plan.Latency{Min: 1, Max: 4}},
		{"broker-2-dies", "wire=pipelined", func(p *plan.Plan) any { return p.Wire }, kafka.PipelinedWire},
		{"broker-2-dies", "topics.orders.offsets.3=7", func(p *plan.Plan) any { return p.Partitions[3].StartOffset }, kafka.Offset(7)},
		{"broker-2-dies", "topics.orders.replicas.0=[2, 1]",
			func(p *plan.Plan) any { return p.Partitions[0].Replicas }, []kafka.NodeID{2, 1}},
		{"keys-and-order", "loads.orders.steps.paid.after=7ms", func(p *plan.Plan) any { return p.Loads[1].Start }, kafka.Tick(1007)},
		{"keys-and-order", "latency.max=3ms", func(p *plan.Plan) any { return p.Latency.Max }, kafka.Tick(3)},
		{"keys-and-order", "brokers.heartbeat.phase=4ms", func(p *plan.Plan) any { return p.Broker.HeartbeatPhase }, kafka.Tick(4)},
		{"healthy", "rules.high.watermark.below.min.isr=true",
			func(p *plan.Plan) any { return p.Broker.Rules.HighWatermarkBelowMinISR }, true},
	}
	for _, test := range tests {
		f := load(t, test.file+".yaml")
		p, err := f.Plan(f.Variants()[0], sets(t, test.set))
		if err != nil {
			t.Errorf("%s --set %s:\n%v", test.file, test.set, err)
			continue
		}
		if got := test.got(p); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s --set %s: got %v, want %v", test.file, test.set, got, test.want)
		}
	}
}

// TestSetMistakes holds what is said to a bad --set against the golden file.
func TestSetMistakes(t *testing.T) {
	f := load(t, "acks-table.yaml")
	var all []string
	for _, text := range []string{
		"params.lga=3", "params.lag=x", "params.lag=", "params.lag=7", "params.lag=[1]", "params=3", "tick=4ms", "tick=0ms",
		"producer.order-service.workers=3", "producers.order-servise.workers=3", "producers.order-service.wokers=3",
		"producers.order-service.config.acsk=1", "producers.order-service.config.acks=2", "topics.orders.config.x=1",
		"timeline.2.at=1ms", "timeline.leader-dise.at=1ms", "timeline.0.at=9s", "timeline.0.crash=broker 9",
		"latency.min=1ms", "seed.x=1", "title=x", "variants.x=y", "expect.acked=3", "brokers=3", "seed=[", "seed=&a 3",
		"loads.0.key=k-$(ordr)", "\x1b[31m=3", "seed=\x1b[31m", "..=1", "params.=1", "brokers.count=64",
	} {
		s, err := scenario.ParseSet(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = f.Plan("acks=1", []scenario.Set{s}); err == nil {
			t.Errorf("--set %q was taken", text)
			continue
		}
		all = append(all, err.Error())
	}
	golden(t, "testdata/sets.txt", strings.Join(all, "\n"))
}

func TestParseSetNeedsAPath(t *testing.T) {
	for _, text := range []string{"", "seed", "=3", " =3"} {
		if _, err := scenario.ParseSet(text); err == nil {
			t.Errorf("%q was taken for path=value", text)
		}
	}
}

// TestSetLeavesTheFileAlone plans with a set and then without it: the file and the other plan do not change.
func TestSetLeavesTheFileAlone(t *testing.T) {
	f := load(t, "broker-2-dies.yaml")
	for _, v := range f.Variants() {
		before := planOf(t, f, v)
		planOf(t, f, v, "producers.order-service.workers=3", "timeline.0.at=12:39:50", "topics.orders.offsets.1=3")
		if after := planOf(t, f, v); !reflect.DeepEqual(before, after) {
			t.Errorf("%s: a set has changed the file", v)
		}
	}
}

func planOf(t *testing.T, f *scenario.File, variant string, texts ...string) *plan.Plan {
	t.Helper()
	p, err := f.Plan(variant, sets(t, texts...))
	if err != nil {
		t.Fatal(fmt.Errorf("%s, %s: %w", f.Name, variant, err))
	}
	return p
}
