package outcome

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// Rates is how busy the busiest times were, in a run of a day or more.
type Rates struct {
	MostInADay    int64 `json:"most_in_a_day"`    // records sent
	MostInASecond int64 `json:"most_in_a_second"` // records sent, on average over the busiest hour
	// BusiestBroker is the bytes of records a second that one broker stored in its busiest hour, leading and following.
	BusiestBroker int64 `json:"busiest_broker"`
}

const (
	hourMicros  = 3600 * 1_000_000
	hourSeconds = 3600
	dayHours    = 24
)

// ratesFold counts by the hour, from the start of the run on.
type ratesFold struct {
	sentIn   []int64
	storedIn [][]int64 // by broker
}

func hourOf(at kafka.Tick, names *kafka.Names) int {
	return int(int64(at) * names.TickMicros / hourMicros)
}

func countIn(hours *[]int64, hour int, n int64) {
	for len(*hours) <= hour {
		*hours = append(*hours, 0)
	}
	(*hours)[hour] += n
}

func (r *ratesFold) sent(at kafka.Tick, n int, names *kafka.Names) {
	countIn(&r.sentIn, hourOf(at, names), int64(n))
}

// stored counts what a broker appends. Every record counts with the size of the first load's.
func (r *ratesFold) stored(e *event.Event, names *kafka.Names) {
	if len(names.Loads) == 0 || !e.Node.IsBroker() || names.Internal(e.Partition) {
		return
	}
	for len(r.storedIn) <= int(e.Node) {
		r.storedIn = append(r.storedIn, nil)
	}
	countIn(&r.storedIn[e.Node], hourOf(e.At, names), int64(e.Count)*int64(names.Loads[0].Size))
}

// summary is nil where less than a day has passed.
func (r *ratesFold) summary(now kafka.Tick, names *kafka.Names) *Rates {
	if hourOf(now, names) < dayHours {
		return nil
	}
	s := &Rates{MostInASecond: most(r.sentIn, 1) / hourSeconds, MostInADay: most(r.sentIn, dayHours)}
	for _, hours := range r.storedIn {
		s.BusiestBroker = max(s.BusiestBroker, most(hours, 1)/hourSeconds)
	}
	return s
}

// most is the largest sum of so many hours, counted from the start in pieces of that length.
func most(hours []int64, length int) int64 {
	largest := int64(0)
	for from := 0; from < len(hours); from += length {
		sum := int64(0)
		for _, n := range hours[from:min(from+length, len(hours))] {
			sum += n
		}
		largest = max(largest, sum)
	}
	return largest
}
