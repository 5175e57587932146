package view

const chunkLen = 1024

// column is a list that only grows. A clone shares what was there: it is capped at its length, so that growing it copies
// the last chunk, while the original goes on in place behind what the clone can see.
type column[T any] struct {
	sealed [][]T // each chunkLen long
	tail   []T
}

func (c *column[T]) len() int { return len(c.sealed)*chunkLen + len(c.tail) }

func (c *column[T]) at(i int) T { return *c.ref(i) }

func (c *column[T]) ref(i int) *T {
	if chunk := i / chunkLen; chunk < len(c.sealed) {
		return &c.sealed[chunk][i%chunkLen]
	}
	return &c.tail[i-len(c.sealed)*chunkLen]
}

func (c *column[T]) append(v T) {
	if len(c.tail) == chunkLen {
		c.sealed = append(c.sealed, c.tail)
		c.tail = make([]T, 0, chunkLen)
	}
	c.tail = append(c.tail, v)
}

// slice is a piece of the column from i on that lies side by side, at most n long. The caller must not change it.
func (c *column[T]) slice(i, n int) []T {
	chunk, at := c.tail, i-len(c.sealed)*chunkLen
	if at < 0 {
		chunk, at = c.sealed[i/chunkLen], i%chunkLen
	}
	n = min(n, len(chunk)-at)
	return chunk[at : at+n : at+n]
}

func (c *column[T]) clone() column[T] {
	s, t := len(c.sealed), len(c.tail)
	return column[T]{sealed: c.sealed[:s:s], tail: c.tail[:t:t]}
}
