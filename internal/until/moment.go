package until

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"replog/internal/event"
	"replog/internal/kafka"
)

// Moment is a place in a run as a person named it. The zero value is no moment.
type Moment struct {
	// Text is how the person wrote it.
	Text string
	// Order is the record that it names, or NoRecord.
	Order kafka.RecordID
	place place
	tick  kafka.Tick   // atTick
	event int          // atEvent
	holds func() match // onMatch
}

// place says how a moment is found.
type place uint8

const (
	onMatch place = iota // something happens
	atTick               // the end of a tick
	atEvent              // an event
	atEnd
)

// match reports whether an event is the one that is waited for. It sees every event from the first on, so it may remember.
type match func(e *event.Event, ids []kafka.RecordID) bool

// Parse reads a moment. The error says what may be written instead.
func Parse(text string, names *kafka.Names) (Moment, error) {
	clean := strings.Join(strings.Fields(text), " ")
	clean = strings.TrimPrefix(clean, "until ")
	if clean == "" {
		return Moment{}, fmt.Errorf("no moment is named: write a time, an order, or what shall happen, as %q", forms[0].Example)
	}
	if m, ok := parsePlace(clean, names); ok {
		m.Text = clean
		return m, nil
	}
	m, err := parseForm(clean, names)
	m.Text = clean
	return m, err
}

// parsePlace reads what is found without waiting for anything: a time, a tick, an event, the ends.
func parsePlace(text string, names *kafka.Names) (Moment, bool) {
	m := Moment{Order: kafka.NoRecord}
	switch text {
	case "start", "begin", "beginning":
		m.place = atEvent
		return m, true
	case "end":
		m.place = atEnd
		return m, true
	}
	if number, ok := numberAfter(text, "#", "event "); ok {
		m.place, m.event = atEvent, int(number)
		return m, true
	}
	number, ok := numberAfter(text, "tick ")
	if bare, err := strconv.ParseUint(text, 10, 62); !ok && err == nil && len(names.FindRecords(text)) == 0 {
		number, ok = int64(bare), true // a number that is no order
	}
	m.place, m.tick = atTick, kafka.Tick(number)
	if ok {
		return m, true
	}
	m.tick, ok = parseTime(text, names)
	return m, ok
}

func numberAfter(text string, prefixes ...string) (int64, bool) {
	for _, p := range prefixes {
		if rest, found := strings.CutPrefix(text, p); found {
			n, err := strconv.ParseUint(strings.TrimSpace(rest), 10, 31)
			return int64(n), err == nil
		}
	}
	return 0, false
}

// Waits reports whether the moment is one that something must happen for, so that the next one is meant.
func (m *Moment) Waits() bool { return m.place == onMatch && m.holds != nil }

// Next is where the moment is: the number of events up to and including it. Of what may happen more than once it is the
// first time after the event number from; false when it does not come any more.
func (m *Moment) Next(log *event.Log, from int) (n int, ok bool) {
	switch m.place {
	case atEnd:
		return log.Len(), true
	case atEvent:
		return min(m.event, log.Len()), true
	case atTick:
		return sort.Search(log.Len(), func(i int) bool { return log.At(i).At > m.tick }), true
	}
	if m.holds == nil {
		return 0, false
	}
	holds := m.holds()
	for i, e := range log.All() {
		if holds(e, log.Records(e)) && i >= from {
			return i + 1, true
		}
	}
	return 0, false
}

// All lists every place where the moment comes, each as the number of events up to and including it.
func (m *Moment) All(log *event.Log) []int {
	if m.holds == nil {
		n, _ := m.Next(log, 0)
		return []int{n}
	}
	var places []int
	holds := m.holds()
	for i, e := range log.All() {
		if holds(e, log.Records(e)) {
			places = append(places, i+1)
		}
	}
	return places
}

// Time is the tick that the moment names; false when it names something else.
func (m *Moment) Time() (kafka.Tick, bool) { return m.tick, m.place == atTick }
