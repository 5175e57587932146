package commitlog

import (
	"iter"

	"replog/internal/kafka"
)

// Read returns batches from the one that holds the offset from, or the next behind it, as far as they lie wholly below upTo (a follower reads
// to the log end offset, a consumer to the high watermark). It stops before maxBytes, but the first batch always comes
// whole (KIP-74), and it may stop earlier. Below the log start offset it panics: CheckFetch refuses such a fetch.
//
// The slice is the log's own memory. The caller may send it on; it must neither change it nor append to it.
func (l *Log) Read(from, upTo kafka.Offset, maxBytes int) []kafka.Batch {
	if from < l.start {
		panic("commitlog: read at " + decimal(from) + ", expected at or above the log start offset " + decimal(l.start))
	}
	upTo = min(upTo, l.end)
	if from >= upTo {
		return nil
	}
	chunk := l.chunkFrom(from)
	first := indexOf(chunk, from)
	next, bytes := first, int64(0)
	for next < len(chunk) && chunk[next].NextOffset() <= upTo {
		bytes += chunk[next].Bytes() + kafka.BatchOverhead
		if bytes > int64(maxBytes) && next > first {
			break
		}
		next++
	}
	return chunk[first:next]
}

// ReadAll is Read on, over the borders of the log's chunks: what it returns depends on the log's content alone. Most
// answers are one piece; more holds the others.
func (l *Log) ReadAll(from, upTo kafka.Offset, maxBytes int) (batches []kafka.Batch, more *kafka.Piece) {
	batches = l.Read(from, upTo, maxBytes)
	last := &more
	for piece := batches; len(piece) > 0; last = &(*last).More {
		if from = piece[len(piece)-1].NextOffset(); from >= upTo {
			break
		}
		maxBytes -= size(piece)
		if piece = l.Read(from, upTo, maxBytes); len(piece) == 0 || size(piece[:1]) > maxBytes {
			break
		}
		*last = &kafka.Piece{Batches: piece}
	}
	return batches, more
}

func size(batches []kafka.Batch) int {
	bytes := 0
	for i := range batches {
		bytes += int(batches[i].Bytes()) + kafka.BatchOverhead
	}
	return bytes
}

// HasNews reports whether Read would return anything; quickly, where the log has no gaps.
func (l *Log) HasNews(from, upTo kafka.Offset) bool {
	return from < upTo && (!l.gaps || len(l.Read(from, upTo, 0)) > 0)
}

// EpochAt is the leader epoch of the batch at the offset, or NoEpoch where the log holds none.
func (l *Log) EpochAt(offset kafka.Offset) kafka.Epoch {
	if offset < l.start || offset >= l.end {
		return kafka.NoEpoch
	}
	chunk := l.chunkFrom(offset)
	if i := indexOf(chunk, offset); i < len(chunk) && chunk[i].BaseOffset <= offset {
		return chunk[i].LeaderEpoch
	}
	return kafka.NoEpoch
}

// All goes through the stored batches from the oldest to the newest. The first ones may lie below the log start offset:
// they stay until their segment goes.
func (l *Log) All() iter.Seq[*kafka.Batch] {
	return func(yield func(*kafka.Batch) bool) {
		for _, chunk := range l.sealed {
			if !each(chunk, yield) {
				return
			}
		}
		each(l.tail, yield)
	}
}

func each(chunk []kafka.Batch, yield func(*kafka.Batch) bool) bool {
	for i := range chunk {
		if !yield(&chunk[i]) {
			return false
		}
	}
	return true
}

// from goes through the stored batches that reach beyond the offset.
func (l *Log) from(offset kafka.Offset) iter.Seq[*kafka.Batch] {
	return func(yield func(*kafka.Batch) bool) {
		first := len(l.sealed)
		for first > 0 && l.sealed[first-1][len(l.sealed[first-1])-1].NextOffset() > offset {
			first--
		}
		for _, chunk := range l.sealed[first:] {
			if !each(chunk[indexOf(chunk, offset):], yield) {
				return
			}
		}
		each(l.tail[indexOf(l.tail, offset):], yield)
	}
}

// chunkFrom is the first chunk that reaches beyond the offset, or the last one.
func (l *Log) chunkFrom(offset kafka.Offset) []kafka.Batch {
	// Most reads are at the end of the log.
	if len(l.sealed) == 0 || offset >= l.tail[0].BaseOffset {
		return l.tail
	}
	low, high := 0, len(l.sealed)
	for low < high {
		middle := (low + high) / 2
		if chunk := l.sealed[middle]; chunk[len(chunk)-1].NextOffset() <= offset {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == len(l.sealed) {
		return l.tail
	}
	return l.sealed[low]
}

// indexOf is the index of the first batch that reaches beyond the offset, or the length when all end before it.
func indexOf(chunk []kafka.Batch, offset kafka.Offset) int {
	low, high := 0, len(chunk)
	if high > 0 && chunk[high-1].BaseOffset <= offset {
		low = high - 1 // most reads are at the end of the log
	}
	for low < high {
		middle := (low + high) / 2
		if chunk[middle].NextOffset() <= offset {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}
