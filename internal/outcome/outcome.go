package outcome

import (
	"iter"

	"replog/internal/kafka"
	"replog/internal/view"
)

// Outcome is what became of the records of one run. Each list is ascending and never nil.
type Outcome struct {
	Names *kafka.Names

	Sent  int // records that applications handed over
	Acked int // records that they were told are stored

	// Expired counts the records that retention took: they are not in the final log, and on none of the lists below that
	// a record is on because of that.
	Expired int
	// Compacted counts the records that the cleaner removed, in the same way.
	Compacted int

	AckedThenLost   []kafka.RecordID // acknowledged, and not in the final log
	StoredTwice     []kafka.RecordID // two copies or more in the final log that were not aborted
	NeverStored     []kafka.RecordID // not acknowledged, and not in the final log
	FailedButStored []kafka.RecordID // reported failed, although in the final log
	StoredUnacked   []kafka.RecordID // in the final log, and the producer was never told so
	Silent          []kafka.RecordID // acks=0: not in the final log, though nobody was told of a failure
	Failed          []kafka.RecordID // reported failed
	Unknown         []kafka.RecordID // at the end neither acknowledged nor failed, though the producer waits for an answer
	Refused         []kafka.RecordID // some attempt was refused
	Recognised      []kafka.RecordID // some retry was recognised and not stored again

	// Reordered stand in their partition behind records that their producer was given later.
	Reordered []kafka.RecordID
	// KeysSplit counts the keys whose records were put in more than one partition of a topic.
	KeysSplit int
	// PartitionsUsed counts the partitions in which some record was stored.
	PartitionsUsed int
	// Requests counts the produce requests, and InRequests the records in them, each time that they were sent.
	Requests, InRequests int

	// Retries counts the times that a record went over the wire again.
	Retries      int
	AckLatency   *Latency // of records acknowledged on their first attempt; nil when there is none
	RetryLatency *Latency // of the others
	ShownTwice   []Shown  // by reader: records shown at two offsets or more
	ShownEarly   []Shown  // by reader: records shown before an earlier step of the same order
	Skipped      []Shown  // by reader: records that were gone before the reader came to them
	Tradeoffs    []Tradeoff
	// Stuck says who is not where he should be when all is over; empty when the cluster is at rest: every ISR has all its
	// replicas, and each of them has what was acknowledged.
	Stuck []string
	// Groups has what each consumer group came to; nil where there is none.
	Groups []Group
	// Transactions is what the transactions came to; nil where there are none.
	Transactions *Transactions

	Bytes Bytes
	Rates *Rates // nil for a run of less than a day
	// Compaction is nil where no topic is compacted.
	Compaction *Compaction

	logs    *view.Logs
	leaders []kafka.NodeID
}

// Copy is one place of a record in a final log.
type Copy struct {
	Partition kafka.PartitionID
	Offset    kafka.Offset
}

// Outcome sums up what was folded so far, as if the run ended here. It is valid until the next event is taken in.
func (f *Fold) Outcome() *Outcome {
	o := &Outcome{
		Names: f.names, Sent: f.sent, Retries: f.retries,
		AckLatency: f.first.summary(), RetryLatency: f.later.summary(),
		ShownTwice: shownBy(f.readers, func(r *reader) []kafka.RecordID { return r.twice }),
		ShownEarly: shownBy(f.readers, func(r *reader) []kafka.RecordID { return r.early }),
		Skipped:    shownBy(f.readers, func(r *reader) []kafka.RecordID { return r.skipped }),
		logs:       &f.logs, leaders: f.leaders,
	}
	for _, list := range o.lists() {
		*list = []kafka.RecordID{}
	}
	copies := o.countCopies(f.facts.len())
	for i := range copies {
		id := kafka.RecordID(i)
		if fact := f.facts.get(id); fact.has(sent) {
			o.sort(id, fact, copies[i])
		}
	}
	o.Bytes = f.bytesNow()
	o.Rates = f.rates.summary(f.now, f.names)
	o.Compaction = f.compaction()
	o.Groups = f.groupOutcomes()
	o.Transactions = f.transactionOutcome(o)
	o.Tradeoffs = tradeoffs(o, &f.facts)
	o.Stuck = append(f.stuck(), f.idleGroups(o.Groups)...)
	o.Reordered, o.KeysSplit, o.PartitionsUsed = f.order.late(), f.order.split, f.order.partsUsed
	o.Requests, o.InRequests = f.order.requests, f.order.written
	return o
}

func (o *Outcome) lists() []*[]kafka.RecordID {
	return []*[]kafka.RecordID{
		&o.AckedThenLost, &o.StoredTwice, &o.NeverStored, &o.FailedButStored, &o.StoredUnacked,
		&o.Silent, &o.Failed, &o.Unknown, &o.Refused, &o.Recognised,
	}
}

// sort puts one record on the lists where it belongs.
func (o *Outcome) sort(id kafka.RecordID, fact flags, copies uint8) {
	put := func(list *[]kafka.RecordID, when bool) {
		if when {
			*list = append(*list, id)
		}
	}
	isAcked, stored := fact.has(acked), copies > 0
	if isAcked {
		o.Acked++
	}
	took := !stored && fact&(expired|compacted) != 0
	switch {
	case took && fact.has(compacted):
		o.Compacted++
	case took:
		o.Expired++
	}
	gone := !stored && !took
	put(&o.AckedThenLost, isAcked && gone)
	put(&o.StoredTwice, copies > 1)
	put(&o.NeverStored, !isAcked && gone)
	put(&o.FailedButStored, fact.has(failed) && stored)
	put(&o.StoredUnacked, !isAcked && stored)
	put(&o.Silent, fact.has(untracked) && gone)
	put(&o.Failed, fact.has(failed))
	put(&o.Unknown, fact.unheard())
	put(&o.Refused, fact.has(refused))
	put(&o.Recognised, fact.has(recognised))
}

// countCopies counts the copies of each record in the final logs, up to two.
func (o *Outcome) countCopies(records int) []uint8 {
	copies := make([]uint8, records)
	for p, leader := range o.leaders {
		for _, ids := range o.finalLog(kafka.PartitionID(p), leader) {
			for _, id := range ids {
				if id >= 0 && int(id) < records && copies[id] < 2 {
					copies[id]++
				}
			}
		}
	}
	return copies
}

func (o *Outcome) finalLog(p kafka.PartitionID, leader kafka.NodeID) iter.Seq2[kafka.Offset, []kafka.RecordID] {
	start, end := o.logs.Bounds(p, leader)
	return o.logs.Slices(p, leader, start, end)
}

// Copies lists where the final logs hold the record, ordered by partition and offset.
func (o *Outcome) Copies(id kafka.RecordID) []Copy {
	var copies []Copy
	for p, leader := range o.leaders {
		for base, ids := range o.finalLog(kafka.PartitionID(p), leader) {
			for i, found := range ids {
				if found == id {
					copies = append(copies, Copy{kafka.PartitionID(p), base + kafka.Offset(i)})
				}
			}
		}
	}
	return copies
}

// FinalLog lists the records of a partition's final log in order: the log of its leader at the end, or of its last one.
func (o *Outcome) FinalLog(p kafka.PartitionID) []kafka.RecordID {
	if int(p) >= len(o.leaders) {
		return nil
	}
	var log []kafka.RecordID
	for _, ids := range o.finalLog(p, o.leaders[p]) {
		log = append(log, ids...)
	}
	return log
}
