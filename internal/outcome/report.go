package outcome

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"replog/internal/kafka"
)

// Report is an outcome as reports print it: record ids are the scenario's own, times are milliseconds. It is plain data,
// so a report may embed it and add its own keys.
type Report struct {
	Variant              string         `json:"variant"`
	Sent                 int            `json:"sent"`
	Acked                int            `json:"acked"`
	AckedThenLost        []string       `json:"acked_then_lost"`
	StoredTwice          []string       `json:"stored_twice"`
	NeverStored          []string       `json:"never_stored"`
	FailedButStored      []string       `json:"failed_but_stored"`
	StoredUnacked        []string       `json:"stored_unacked"`
	Silent               []string       `json:"silent"`
	Unknown              []string       `json:"unknown"`
	Refused              []string       `json:"refused"`
	Reordered            []string       `json:"reordered"`
	KeysSplit            int            `json:"keys_split"`
	PartitionsUsed       int            `json:"partitions_used"`
	Requests             int            `json:"requests"`
	RecordsInRequests    int            `json:"records_in_requests"`
	Retries              int            `json:"retries"`
	DuplicatesRecognised int            `json:"duplicates_recognised"`
	AckLatencyMs         *LatencyMillis `json:"ack_latency_ms"`
	RetryLatencyMs       *LatencyMillis `json:"retry_latency_ms"`
	ShownTwice           []ShownReport  `json:"shown_twice"`
	ShownEarly           []ShownReport  `json:"shown_early"`
	Expired              int            `json:"expired"`
	Skipped              []ShownReport  `json:"skipped"`
	Bytes                BytesReport    `json:"bytes"`
	Rates                *Rates         `json:"rates"`
	ExpectedTradeoffs    []string       `json:"expected_tradeoffs"`
	Stuck                []string       `json:"stuck"`
	Groups               []GroupReport  `json:"groups,omitempty"`

	Transactions *TransactionsReport `json:"transactions,omitempty"`
	// Compaction is nil where no topic is compacted.
	Compaction *CompactionReport `json:"compaction"`
}

// LatencyMillis is a Latency in milliseconds, with decimals only where a tick is shorter.
type LatencyMillis struct {
	Min float64 `json:"min"`
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

// ShownReport is Shown with names.
type ShownReport struct {
	Reader  string   `json:"reader"`
	Records []string `json:"records"`
}

// Report turns the outcome into names and milliseconds.
func (o *Outcome) Report() Report {
	r := Report{
		Variant: o.Names.Variant, Sent: o.Sent, Acked: o.Acked, Retries: o.Retries,
		AckedThenLost: o.recordNames(o.AckedThenLost), StoredTwice: o.recordNames(o.StoredTwice),
		NeverStored: o.recordNames(o.NeverStored), FailedButStored: o.recordNames(o.FailedButStored),
		StoredUnacked: o.recordNames(o.StoredUnacked), Silent: o.recordNames(o.Silent),
		Unknown: o.recordNames(o.Unknown), Refused: o.recordNames(o.Refused),
		DuplicatesRecognised: len(o.Recognised), Reordered: o.recordNames(o.Reordered),
		KeysSplit: o.KeysSplit, PartitionsUsed: o.PartitionsUsed, Requests: o.Requests, RecordsInRequests: o.InRequests,
		AckLatencyMs: o.millis(o.AckLatency), RetryLatencyMs: o.millis(o.RetryLatency),
		ShownTwice: o.shown(o.ShownTwice), ShownEarly: o.shown(o.ShownEarly),
		Expired: o.Expired, Skipped: o.shown(o.Skipped), Bytes: o.bytes(), Rates: o.Rates,
		ExpectedTradeoffs: []string{}, Stuck: append([]string{}, o.Stuck...),
		Groups: o.groups(), Compaction: o.compaction(), Transactions: o.transactions(),
	}
	for _, t := range o.Tradeoffs {
		r.ExpectedTradeoffs = append(r.ExpectedTradeoffs, t.Text)
	}
	return r
}

func (o *Outcome) shown(list []Shown) []ShownReport {
	reports := []ShownReport{}
	for _, s := range list {
		reports = append(reports, ShownReport{o.Names.Node(s.Reader), o.recordNames(s.Records)})
	}
	return reports
}

// recordNames are the scenario's own ids, sorted by their numbers; several loads may have numbers that interleave.
func (o *Outcome) recordNames(ids []kafka.RecordID) []string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = o.Names.Record(id)
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(orderNumber(a), orderNumber(b)) })
	return names
}

func orderNumber(record string) int64 {
	number, _, _ := strings.Cut(record, " ")
	n, _ := strconv.ParseInt(number, 10, 64)
	return n
}

func (o *Outcome) millis(l *Latency) *LatencyMillis {
	if l == nil {
		return nil
	}
	return &LatencyMillis{Min: o.ms(l.Min), P50: o.ms(l.P50), P99: o.ms(l.P99), Max: o.ms(l.Max)}
}

func (o *Outcome) ms(t kafka.Tick) float64 { return float64(int64(t)*o.Names.TickMicros) / 1000 }
