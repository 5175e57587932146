package paint

import (
	"slices"
	"strconv"
)

// appendFrame appends what makes a terminal that shows some lines show others: nothing where they are the same. A line ends as
// it begins, without a style, so each can be written alone.
func appendFrame(b []byte, shown, lines []string, whole bool) []byte {
	whole = whole || len(shown) != len(lines)
	if !whole && slices.Equal(shown, lines) {
		return b
	}
	b = append(b, beginFrame...)
	if whole {
		b = append(b, clearScreen...)
	}
	for y, line := range lines {
		if whole || shown[y] != line {
			b = append(b, "\x1b["...)
			b = strconv.AppendInt(b, int64(y)+1, 10)
			b = append(b, ";1H"...)
			b = append(b, line...)
		}
	}
	return append(b, endFrame...)
}
