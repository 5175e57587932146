package outcome

import (
	"replog/internal/kafka"
	"replog/internal/view"
)

// Bytes is what the logs take on the disks at the end of a run. A record counts with the size that the scenario gave it;
// batch headers stand apart. Kafka's own topics are in none of the numbers: no event tells how large their records are.
type Bytes struct {
	OneCopy    view.Size // on the disks of the leaders
	AllCopies  view.Size // on all disks
	AtMost     int64     // most that all disks together held at any time
	AtMostAt   kafka.Tick
	Cut        bool // some log was cut into segments
	Topics     []Share
	Brokers    []Share
	Partitions []Share
}

// Share is the part of a topic, a broker or a partition.
type Share struct {
	Name      string
	OneCopy   view.Size // where it leads, for a broker
	AllCopies view.Size
	Segments  int // of the leader's log, for a partition

	broker kafka.NodeID
}

// bytesFold remembers how full the disks were before segments went: only then can it have been most.
type bytesFold struct {
	most   int64
	at     kafka.Tick
	looked bool
}

func (b *bytesFold) look(logs *view.Logs, names *kafka.Names, now kafka.Tick) {
	if b.looked && b.at == now {
		return // the segments of one check go one after the other
	}
	if bytes := total(logs, names).Bytes(); !b.looked || bytes > b.most {
		b.most, b.at = bytes, now
	}
	b.looked = true
}

func total(logs *view.Logs, names *kafka.Names) view.Size {
	var sum view.Size
	for p := range kafka.PartitionID(logs.Partitions()) {
		if names.Internal(p) {
			continue
		}
		for _, broker := range logs.Brokers(p) {
			sum = sum.Plus(logs.Size(p, broker, names))
		}
	}
	return sum
}

// bytesNow sums up what lies on the disks.
func (f *Fold) bytesNow() Bytes {
	b := Bytes{AllCopies: total(&f.logs, f.names), AtMost: f.bytes.most, AtMostAt: f.bytes.at, Cut: f.bytes.looked}
	if bytes := b.AllCopies.Bytes(); bytes >= b.AtMost {
		b.AtMost, b.AtMostAt = bytes, kafka.Never
	}
	var topicOf []int // by partition
	for _, t := range f.names.Topics {
		if !t.Internal {
			b.Topics = append(b.Topics, Share{Name: t.Name})
		}
		for range t.Partitions {
			topicOf = append(topicOf, len(b.Topics)-1)
		}
	}
	for _, n := range f.names.Nodes {
		if n.ID.IsBroker() {
			b.Brokers = append(b.Brokers, Share{Name: n.Name, broker: n.ID})
		}
	}
	for p := range kafka.PartitionID(f.logs.Partitions()) {
		if f.names.Internal(p) {
			continue
		}
		share := Share{Name: f.names.Partition(p)}
		for _, broker := range f.logs.Brokers(p) {
			f.addReplica(&b, &share, p, broker, topicOf)
		}
		b.Partitions = append(b.Partitions, share)
	}
	return b
}

// addReplica adds one replica to every sum that it belongs to.
func (f *Fold) addReplica(b *Bytes, share *Share, p kafka.PartitionID, broker kafka.NodeID, topicOf []int) {
	size, segments := f.logs.Size(p, broker, f.names), len(f.logs.Segments(p, broker, f.names))
	leads := int(p) < len(f.leaders) && f.leaders[p] == broker
	b.Cut = b.Cut || segments > 1
	if leads {
		share.Segments = segments
		b.OneCopy = b.OneCopy.Plus(size)
	}
	share.add(size, leads)
	for i := range b.Brokers {
		if b.Brokers[i].broker == broker {
			b.Brokers[i].add(size, leads)
		}
	}
	if int(p) < len(topicOf) {
		b.Topics[topicOf[p]].add(size, leads)
	}
}

func (s *Share) add(size view.Size, leads bool) {
	s.AllCopies = s.AllCopies.Plus(size)
	if leads {
		s.OneCopy = s.OneCopy.Plus(size)
	}
}

// BytesReport is Bytes as reports print it.
type BytesReport struct {
	OneCopy    SizeReport    `json:"one_copy"`
	AllCopies  SizeReport    `json:"all_copies"`
	AtMost     int64         `json:"disks_at_most"`
	Topics     []ShareReport `json:"topics"`
	Brokers    []ShareReport `json:"brokers"`
	Partitions []ShareReport `json:"partitions"`

	Cut bool `json:"-"` // some log was cut into segments
}

// SizeReport is a size in bytes.
type SizeReport struct {
	Records int64 `json:"records"`
	Headers int64 `json:"batch_headers"`
}

// ShareReport is Share in bytes, batch headers included.
type ShareReport struct {
	Name      string `json:"name"`
	OneCopy   int64  `json:"one_copy"`
	AllCopies int64  `json:"all_copies"`
	Segments  int    `json:"segments,omitempty"`
}

func (o *Outcome) bytes() BytesReport {
	b := &o.Bytes
	return BytesReport{
		OneCopy: sizeReport(b.OneCopy), AllCopies: sizeReport(b.AllCopies), AtMost: b.AtMost, Cut: b.Cut,
		Topics: shareReports(b.Topics), Brokers: shareReports(b.Brokers), Partitions: shareReports(b.Partitions),
	}
}

func sizeReport(s view.Size) SizeReport { return SizeReport{s.Records, s.Headers()} }

func shareReports(shares []Share) []ShareReport {
	reports := make([]ShareReport, len(shares))
	for i, s := range shares {
		reports[i] = ShareReport{s.Name, s.OneCopy.Bytes(), s.AllCopies.Bytes(), s.Segments}
	}
	return reports
}
