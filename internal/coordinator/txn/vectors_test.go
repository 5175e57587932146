package txn

import (
	"encoding/json"
	"slices"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/testdata"
)

type vector struct {
	ID, Desc, Kind string
	State          *struct {
		State              oneOrMore
		Epoch              int16
		TransactionVersion uint8
	}
	Request struct{ Op, Result string }
	Expect  json.RawMessage
}

type expectation struct {
	Error, NewState, Transition string
	Epoch, AbortWithEpoch       *int16
	ReturnedEpoch, MarkerEpoch  *int16
}

// oneOrMore is a state, or a list of states of which each must do.
type oneOrMore []string

func (o *oneOrMore) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*o = oneOrMore{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(o))
}

// TestCoordinatorVectors runs the cases about the coordinator; those about the log belong to commitlog.
func TestCoordinatorVectors(t *testing.T) {
	ran := 0
	for _, c := range testdata.Vectors[vector](t, "txn.json") {
		if c.Kind != "coordinator" {
			continue
		}
		var want expectation
		if err := json.Unmarshal(c.Expect, &want); err != nil {
			t.Fatal(err)
		}
		states := oneOrMore{""}
		if c.State != nil {
			states = c.State.State
		}
		for _, state := range states {
			ran++
			t.Run(c.ID+" "+state, func(t *testing.T) {
				t.Log(c.Desc)
				runVector(t, &c, state, &want)
			})
		}
	}
	if ran != 21 {
		t.Errorf("%d cases", ran)
	}
}

func stateNamed(t *testing.T, name string) kafka.TransactionState {
	for s := kafka.TransactionEmpty; s <= kafka.TransactionCompleteAbort; s++ {
		if s.String() == name {
			return s
		}
	}
	t.Fatalf("unknown state %q", name)
	return 0
}

const vectorID kafka.ProducerID = 7

// vectorBench is a coordinator in the state of a case. The markers of a decided transaction are on their way.
func vectorBench(t *testing.T, c *vector, state string) *bench {
	if c.State == nil {
		return newBench(t, 0)
	}
	v := kafka.TransactionValue{
		ProducerID: vectorID, Epoch: c.State.Epoch, LastEpoch: kafka.NoProducerEpoch, Timeout: 60 * second, State: stateNamed(t, state),
	}
	if v.State == kafka.TransactionOngoing || v.State.Prepared() {
		v.Partitions = []kafka.PartitionID{1}
	}
	b := withState(t, c.State.TransactionVersion, v)
	b.events, b.markers = nil, nil
	return b
}

func runVector(t *testing.T, c *vector, state string, want *expectation) {
	b := vectorBench(t, c, state)
	epoch := int16(0)
	if c.State != nil {
		epoch = c.State.Epoch
	}
	code := kafka.None
	var got kafka.InitProducerIDResponse
	switch c.Request.Op {
	case "InitProducerId":
		got = *answer[*kafka.InitProducerIDResponse](b, b.send(alice, &kafka.InitProducerIDRequest{TransactionID: totals, Timeout: 60 * second}))
		code = got.Error
	case "AddPartitionsToTxn":
		if c.ID == "tx-c17" {
			epoch = 0 // of a producer that was replaced
		}
		code = b.add(vectorID, epoch, 2)
	case "EndTxn":
		answer := b.end(vectorID, epoch, c.Request.Result == "COMMIT")
		code, got.Epoch = answer.Error, answer.ProducerEpoch
	case "timeoutCheck":
		b.to(70 * second)
	default:
		t.Fatalf("unknown request %q", c.Request.Op)
	}
	if want.Error != "" && code.String() != want.Error {
		t.Errorf("%v, expected %s", code, want.Error)
	}
	checkVector(t, b, &got, want)
}

func checkVector(t *testing.T, b *bench, got *kafka.InitProducerIDResponse, want *expectation) {
	v, _ := b.State(totals)
	if want.NewState != "" && v.State.String() != want.NewState {
		t.Errorf("state %v, expected %s", v.State, want.NewState)
	}
	if want.Transition != "" {
		prepared := stateNamed(t, want.Transition)
		first := b.log[0].Value.(*kafka.TransactionValue)
		if first.State != prepared || !slices.Contains(b.kinds(), event.TransactionPrepared) || len(b.markers) != 1 {
			t.Errorf("log %+v, markers %v, expected %s and then a marker", b.log, b.markers, want.Transition)
		}
		b.mark(kafka.None)
		if after := b.state(); after.Prepared() || after == kafka.TransactionOngoing {
			t.Errorf("after the markers %v", after)
		}
	}
	for _, e := range []struct {
		what string
		got  int16
		want *int16
	}{
		{"epoch", got.Epoch, want.Epoch}, {"returned epoch", got.Epoch, want.ReturnedEpoch},
		{"epoch of the abort", b.log0().Epoch, want.AbortWithEpoch}, {"epoch of the marker", b.log0().Epoch, want.MarkerEpoch},
	} {
		if e.want != nil && e.got != *e.want {
			t.Errorf("%s %d, expected %d", e.what, e.got, *e.want)
		}
	}
}

// log0 is the first record that was written.
func (b *bench) log0() *kafka.TransactionValue {
	if len(b.log) == 0 {
		return &kafka.TransactionValue{}
	}
	return b.log[0].Value.(*kafka.TransactionValue)
}
