package check_test

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
)

var brokenISR = []counterexample{
	{"LeaderInIsr", "the ISR loses its leader", func(sink event.Sink) {
		h := opened(sink)
		h.isr(kafka.SetOf(2, 3), all)
	}, "broker 1 leads orders-0, but the ISR is 2,3"},

	{"ValidIsr", "the ISR becomes empty", func(sink event.Sink) {
		h := opened(sink)
		h.offline(1, 0)
	}, "the ISR of orders-0 is (empty)"},

	{"ValidIsr", "a broker without a replica is in the ISR", func(sink event.Sink) {
		h := opened(sink)
		h.isr(all.With(4), all)
	}, "its replicas are 1,2,3"},

	{"ValidIsr", "a broker is in the ISR and eligible beside it", func(sink event.Sink) {
		h := opened(sink)
		h.isr(kafka.SetOf(1), all)
		h.eligible(kafka.SetOf(1, 2))
	}, "and 1,2 is eligible beside it"},

	{"ValidIsr", "a broker is eligible although the ISR is large enough", func(sink event.Sink) {
		h := opened(sink)
		h.isr(kafka.SetOf(1), all)
		h.eligible(kafka.SetOf(3))
		h.isr(kafka.SetOf(1, 2), kafka.SetOf(1))
	}, "though it is large enough, 3 is eligible beside it"},

	{"ValidIsr", "a broker that is fenced joins the ISR", func(sink event.Sink) {
		h := opened(sink)
		h.isr(kafka.SetOf(1, 2), all)
		h.fences(3)
		h.isr(all, kafka.SetOf(1, 2))
	}, "the ISR of orders-0 is 1,2,3, and 3 is fenced"},

	{"ValidIsr", "a broker that is fenced stays in the ISR", func(sink event.Sink) {
		h := opened(sink)
		h.fences(2)
	}, "the ISR of orders-0 is 1,2,3, and 2 is fenced"},
}

// TestISRThatIsInOrder: the last member stays though it is fenced, and who is unfenced comes back.
func TestISRThatIsInOrder(t *testing.T) {
	c := judge(func(sink event.Sink) {
		h := opened(sink)
		h.isr(kafka.SetOf(1), all)
		h.eligible(kafka.SetOf(2))
		h.fences(1)
		h.offline(1, kafka.SetOf(1))
		h.unfences(1)
		h.elect(1, 2, kafka.SetOf(1), kafka.SetOf(1))
		h.fences(3)
		h.unfences(3)
		h.eligible(0)
		h.isr(all, kafka.SetOf(1))
	})
	if c.Count("ValidIsr") != 0 {
		t.Errorf("%v", c.Violations())
	}
}
