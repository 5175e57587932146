package player

import (
	"replog/internal/event"
	"replog/internal/explain"
	"replog/internal/kafka"
)

// Disk knows what decides about the segments of a tape's logs: when each record was created, and the settings.
type Disk struct {
	tape *Tape
	// By record id: when the application sent it, and when a leader appended it last.
	sent, appended []kafka.Tick
}

// NewDisk looks through a tape; nil for a trace, which does not tell the settings.
func NewDisk(t *Tape) *Disk {
	if t.Plan == nil {
		return nil
	}
	d := &Disk{tape: t, sent: make([]kafka.Tick, t.Names.RecordCount()), appended: make([]kafka.Tick, t.Names.RecordCount())}
	for i := range t.Len() {
		e, times := t.Log.At(i), d.sent
		switch e.Kind {
		case event.RecordsSent:
		case event.BatchAppended:
			times = d.appended
		default:
			continue
		}
		for _, id := range t.Log.Records(e) {
			times[id] = e.At
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
		times := d.sent
		if plan.Partitions[p].Config.Log.AppendTime {
			times = d.appended
		}
		return &explain.Disk{
			Now: now, Log: plan.Partitions[p].Config.Log, CheckEvery: plan.Broker.RetentionCheckTicks, FirstCheck: plan.Broker.InitialTaskDelay,
			CleanerEvery: plan.Broker.CleanerBackoff, SentAt: func(id kafka.RecordID) kafka.Tick { return times[id] },
		}
	}
}
