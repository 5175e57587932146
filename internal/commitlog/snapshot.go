package commitlog

import (
	"slices"

	"replog/internal/kafka"
)

// snapshot is a .snapshot file beside a segment: the last batch of each producer below the offset
// (ProducerStateManager.takeSnapshot).
type snapshot struct {
	offset kafka.Offset
	states []ProducerState
}

// TakeSnapshot keeps the state as of the offset, at which a new segment begins (UnifiedLog.roll). Of each producer only
// the last batch is kept.
func (s *ProducerStates) TakeSnapshot(offset kafka.Offset) {
	if len(s.states) > 0 {
		s.snapshots = append(s.snapshots, snapshot{offset: offset, states: lastBatches(s.states)})
	}
}

func lastBatches(states []ProducerState) []ProducerState {
	last := slices.Clone(states)
	for i := range last {
		if p := &last[i]; p.count > 1 {
			p.batches[0], p.count = p.batches[p.count-1], 1
		}
	}
	return last
}

// DeleteSnapshots removes the snapshots of segments that are gone: those below the first segment. What is remembered in
// memory stays, so deleting records forgets no producer (KAFKA-7190).
func (s *ProducerStates) DeleteSnapshots(firstBase kafka.Offset) {
	n := 0
	for n < len(s.snapshots) && s.snapshots[n].offset < firstBase {
		n++
	}
	// Clones share the list.
	s.snapshots = slices.Clone(s.snapshots[n:])
	s.dropIndexBelow(firstBase)
}

// Rebuild reads the state off the disk, as a broker does after a truncation and after a crash: it begins with the last
// snapshot that does not lie behind the log's end and goes through the batches behind it (UnifiedLog.rebuildProducerState,
// ProducerStateManager.truncateAndReload).
func (s *ProducerStates) Rebuild(l *Log) {
	s.DeleteSnapshots(l.firstBase())
	n := len(s.snapshots)
	for n > 0 && s.snapshots[n-1].offset > l.EndOffset() {
		n--
	}
	index := truncatedIndex(s.index, l.EndOffset())
	*s = ProducerStates{snapshots: s.snapshots[:n:n], transactions: transactions{index: index}}
	from := l.StartOffset()
	if n > 0 {
		s.states, s.shared = s.snapshots[n-1].states, true
		from = max(from, s.snapshots[n-1].offset)
		s.reopen()
	}
	for b := range l.from(from) {
		if b.Idempotent() {
			s.note(b, false)
		}
	}
}

// ReloadFromSnapshot is a clean stop and start: the snapshot holds the last batch of each producer only, so a retry of
// an earlier one is no longer recognised (ProducerStateManager.takeSnapshot).
func (s *ProducerStates) ReloadFromSnapshot() {
	s.states, s.shared = lastBatches(s.states), false
	s.reopen()
}
