package fetch

import (
	"testing"

	"replog/internal/kafka"
)

func TestOnlyTheAnswerToTheRequestInFlightIsTaken(t *testing.T) {
	r := NewRequester(1)
	r.Set(kafka.FetchPartition{Partition: 3})
	var first, second, third kafka.FetchRequest
	r.Next(&first)
	if !r.Answered(r.Corr) {
		t.Fatal("the answer to the first request was not taken")
	}
	if r.Answered(r.Corr) {
		t.Error("its second copy was taken while nothing is in flight")
	}
	r.Next(&second)
	if r.Answered(r.Corr - 1) {
		t.Error("its second copy was taken for the answer to the second request")
	}
	r.Lost()
	if r.Answered(r.Corr) {
		t.Error("an answer was taken from a lost connection")
	}
	r.Next(&third)
	if !r.Answered(r.Corr) || r.InFlight {
		t.Error("the answer to the request of the new session was not taken")
	}
}
