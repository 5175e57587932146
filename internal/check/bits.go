package check

import mathbits "math/bits"

// bits is a set of whole numbers from 0, a bit each.
type bits []uint64

// set adds count numbers from i on.
func (b *bits) set(i, count int) {
	for last := (i + count - 1) / 64; len(*b) <= last; {
		*b = append(*b, 0)
	}
	for ; count > 0; count-- {
		(*b)[i/64] |= 1 << (i % 64)
		i++
	}
}

func (b bits) has(i int) bool { return i/64 < len(b) && b[i/64]&(1<<(i%64)) != 0 }

func (b bits) clear(i int) { b[i/64] &^= 1 << (i % 64) }

// next is the smallest member not below i, or -1.
func (b bits) next(i int) int {
	if i/64 >= len(b) {
		return -1
	}
	if word := b[i/64] >> (i % 64); word != 0 {
		return i + mathbits.TrailingZeros64(word)
	}
	for w := i/64 + 1; w < len(b); w++ {
		if b[w] != 0 {
			return w*64 + mathbits.TrailingZeros64(b[w])
		}
	}
	return -1
}
