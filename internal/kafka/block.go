package kafka

// blockLen is how many values one Block allocates at a time: so many of the largest, the fetch responses, fill an allocation of
// 4096 bytes.
const blockLen = 22

// Block hands out values that are never given back, such as message bodies, many from one allocation. The zero value is
// ready. A copy of a Block must be emptied (a clone begins with the zero value), or both would hand out the same.
type Block[T any] struct{ free []T }

// New is a zero value that nobody else has.
func (b *Block[T]) New() *T {
	if len(b.free) == 0 {
		b.free = make([]T, blockLen)
	}
	value := &b.free[0]
	b.free = b.free[1:]
	return value
}
