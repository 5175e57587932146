package player

import (
	"replog/internal/event"
	"replog/internal/explain"
	"replog/internal/kafka"
)

// Disk knows what decides about the segments of a tape's logs: when each record was created, and the settings.
type Disk struct {
	tape *Tape
	sent []kafka.Tick // by record id
	// appended is when a leader gave out an offset last, by partition and offset from the partition's first.
	appended []appends
}

type appends struct {
	first kafka.Offset
	at    []kafka.Tick
}

func (a *appends) add(e *event.Event) {
	if len(a.at) == 0 {
		a.first = e.Offset
	}
	a.at = a.at[:max(0, min(int(e.Offset-a.first), len(a.at)))] // what another leader had given out there is gone
	for range e.Count {
		a.at = append(a.at, e.At)
	}
}

func (a *appends) of(o kafka.Offset) kafka.Tick {
	if i := int(o - a.first); i >= 0 && i < len(a.at) {
		return a.at[i]
	}
	return 0
}

// NewDisk looks through a tape; nil for a trace, which does not tell the settings.
func NewDisk(t *Tape) *Disk {
	if t.Plan == nil {
		return nil
	}
	d := &Disk{tape: t, sent: make([]kafka.Tick, t.Names.RecordCount()), appended: make([]appends, len(t.Plan.Partitions))}
	for _, e := range t.Log.All() {
		switch e.Kind {
		case event.RecordsSent:
			for _, id := range t.Log.Records(e) {
				d.sent[id] = e.At
			}
		case event.BatchAppended:
			for int(e.Partition) >= len(d.appended) { // the topic has got more partitions
				d.appended = append(d.appended, appends{})
			}
			d.appended[e.Partition].add(e)
		}
	}
	return d
}

// Of reports whether the disk is of the tape.
func (d *Disk) Of(t *Tape) bool { return d != nil && d.tape == t }

// At is the settings at a time, by partition.
func (d *Disk) At(now kafka.Tick) func(kafka.PartitionID) *explain.Disk {
	plan := d.tape.PlanAt(now)
	return func(p kafka.PartitionID) *explain.Disk {
		if plan == nil || int(p) >= len(plan.Partitions) {
			return nil
		}
		byAppend := plan.Partitions[p].Config.Log.AppendTime
		return &explain.Disk{
			Now: now, Log: plan.Partitions[p].Config.Log, CheckEvery: plan.Broker.RetentionCheckTicks, FirstCheck: plan.Broker.InitialTaskDelay,
			CleanerEvery: plan.Broker.CleanerBackoff, Dated: func(id kafka.RecordID, o kafka.Offset) kafka.Tick {
				if (byAppend || id == kafka.NoRecord) && int(p) < len(d.appended) { // Kafka's own records have no id
					return d.appended[p].of(o)
				}
				return d.sent[max(0, id)]
			},
		}
	}
}
