package explain

import (
	"fmt"

	"replog/internal/event"
	"replog/internal/kafka"
)

// silence finds the longest time in which nothing was acknowledged although orders were handed over.
type silence struct {
	last   *event.Event // the latest acknowledgement
	orders int          // handed over since

	began  *event.Event // the acknowledgement before the longest silence
	length kafka.Tick
	during int // orders handed over in it
}

func (s *silence) take(e *event.Event) {
	switch e.Kind {
	case event.RecordsSent:
		s.orders += int(e.Count)
	case event.RecordsAcknowledged:
		if s.last != nil && e.At-s.last.At > s.length {
			s.began, s.length, s.during = s.last, e.At-s.last.At, s.orders
		}
		s.last, s.orders = e, 0
	}
}

// Only a silence as long as this, and with so many orders in it, is worth a line.
const (
	silenceMicros = 1_000_000
	silenceOrders = 10
)

func (s *silence) line(names *kafka.Names) (Line, bool) {
	if s.began == nil || int64(s.length)*names.TickMicros < silenceMicros || s.during < silenceOrders {
		return Line{}, false
	}
	return lineOf(s.began, fmt.Sprintf("This is the last acknowledgement for %s, on any partition; %s handed over meanwhile.",
		span(s.length, names), count(s.during, "order")+" are")), true
}
