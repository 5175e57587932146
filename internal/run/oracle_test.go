package run

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/scenario"
	"replog/scenarios"
)

// oracle is the answer key for one partition whose leader dies (internal/testdata/oracle/grid.json).
type oracle struct {
	Cases []struct {
		ID     int                        `json:"id"`
		Group  string                     `json:"group"`
		Params map[string]json.RawMessage `json:"params"`
		Expect struct {
			Lost          []int          `json:"lost"`
			Twice         []int          `json:"twice"`
			Never         []int          `json:"never"`
			StoredUnacked []int          `json:"stored_unacked"`
			Silent        []int          `json:"silent"`
			AckLatency    *int           `json:"ack_latency_ms"`
			Latency       map[string]int `json:"latency"`
			Offline       bool           `json:"offline"`
			Log           []int          `json:"log"`
		} `json:"expect"`
	} `json:"cases"`
}

// TestOracle runs every case of the answer key on the simulator, through the scenario acks-table and --set.
func TestOracle(t *testing.T) {
	var key oracle
	data, err := os.ReadFile("../testdata/oracle/grid.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &key); err != nil {
		t.Fatal(err)
	}
	if len(key.Cases) != 91 {
		t.Fatalf("the answer key has %d cases, want 91", len(key.Cases))
	}
	file := load(t, "acks-table")
	for _, c := range key.Cases {
		t.Run(fmt.Sprintf("%d", c.ID), func(t *testing.T) {
			sets := []scenario.Set{{Path: "tick", Value: "1ms"}, {Path: "params.acks", Value: "all"}}
			for name, value := range c.Params {
				sets = append(sets, scenario.Set{Path: "params." + name, Value: string(value)})
			}
			p, err := file.Plan("acks=all", sets)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Do(p, Options{Record: true})
			if err != nil {
				t.Fatal(err)
			}
			o, e := r.Outcome, &c.Expect
			same(t, "lost", o.AckedThenLost, e.Lost)
			same(t, "twice", o.StoredTwice, e.Twice)
			same(t, "never", o.NeverStored, e.Never)
			same(t, "stored_unacked", o.StoredUnacked, e.StoredUnacked)
			same(t, "silent", o.Silent, e.Silent)
			same(t, "log", o.FinalLog(0), e.Log)
			latencies, least := latencyOfEach(r)
			if len(latencies) != len(e.Latency) {
				t.Errorf("%d orders acknowledged, want %d", len(latencies), len(e.Latency))
			}
			for id, want := range e.Latency {
				if got, acked := latencies[id]; !acked || got != want {
					t.Errorf("order %s acknowledged after %d ms (%v), want %d", id, got, acked, want)
				}
			}
			if want := e.AckLatency; (want == nil) != (least < 0) || want != nil && *want != least {
				t.Errorf("least latency of the first leader's acknowledgements: %d, want %v", least, c.Expect.AckLatency)
			}
			if len(r.Violations) > 0 {
				t.Errorf("broken promise: %+v", r.Violations[0])
			}
		})
	}
}

func same(t *testing.T, what string, got []kafka.RecordID, want []int) {
	t.Helper()
	orders := make([]int, 0, len(got))
	for _, id := range got {
		orders = append(orders, int(id)+1)
	}
	if !slices.Equal(orders, want) && len(orders)+len(want) > 0 {
		t.Errorf("%s: %v, want %v", what, orders, want)
	}
}

// latencyOfEach is the latency of each acknowledged order, and the least of those that the first leader acknowledged,
// -1 when there is none.
func latencyOfEach(r *Result) (each map[string]int, least int) {
	each, least = map[string]int{}, -1
	for _, e := range r.Log.All() {
		if e.Kind != event.RecordsAcknowledged {
			continue
		}
		for _, id := range r.Log.Records(e) {
			each[strconv.Itoa(int(id)+1)] = int(e.Value)
		}
		if e.Peer == 1 && (least < 0 || int(e.Value) < least) {
			least = int(e.Value)
		}
	}
	return each, least
}

func load(t testing.TB, name string) *scenario.File {
	t.Helper()
	data, err := scenarios.FS.ReadFile(name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	file, err := scenario.Load(name+".yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	return file
}
