package commitlog

import "replog/internal/kafka"

// OffsetForTimestamp is the offset of the first record below upTo whose timestamp is not older, or NoOffset
// (UnifiedLog.fetchOffsetByTimestamp). Segments whose largest timestamp is older are left out, as the time index does.
func (l *Log) OffsetForTimestamp(timestamp kafka.Tick, upTo kafka.Offset) kafka.Offset {
	from := l.start
	for n := range l.rolled {
		if l.rolled[n].Largest >= timestamp {
			break
		}
		from = l.Base(n + 1)
	}
	for b := range l.from(max(from, l.start)) {
		for i := range b.Len() {
			offset := b.BaseOffset + kafka.Offset(i)
			switch {
			case offset >= upTo:
				return kafka.NoOffset
			case offset >= l.start && b.Timestamp(i) >= timestamp:
				return offset
			}
		}
	}
	return kafka.NoOffset
}
