package screen

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// maxCombining is how many marks may combine with one character; more is mischief.
const maxCombining = 3

// character cuts the next printable character, with the marks that combine with it, off a text from who knows where.
// The width is 0 for what must not reach a terminal: control characters, marks that change the direction of writing,
// joiners. What terminals measure differently, such as an emoji of several parts, is taken apart.
func character(s string) (text string, width int, rest string) {
	if c := s[0]; c < utf8.RuneSelf {
		if c < ' ' || c == 0x7f {
			return "", 0, s[1:]
		}
		if len(s) == 1 || s[1] < utf8.RuneSelf {
			return s[:1], 1, s[1:]
		}
	}
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 {
		return "?", 1, s[1:]
	}
	if r >= 0x1F1E6 && r <= 0x1F1FF { // a flag is two letters
		return letters[r-0x1F1E6 : r-0x1F1E6+1], 1, s[size:]
	}
	if width = runeWidth(r, s[:size]); width == 0 {
		return "", 0, s[size:]
	}
	end := size
	for n := 0; n < maxCombining && end < len(s); n++ {
		mark, size := utf8.DecodeRuneInString(s[end:])
		if !combines(mark) {
			break
		}
		end += size
	}
	return s[:end], width, s[end:] // marks that are left are lone ones, of no width
}

// combines reports whether a mark is drawn over the character before it, on every terminal. Those that join two letters
// of an Indian script into one are left out: terminals do not agree on how wide that one is.
func combines(r rune) bool {
	switch r {
	case 0x94D, 0x9CD, 0xACD, 0xB4D, 0xC4D, 0xD4D, 0x1039, 0x17D2, 0x1A60, 0x1B44, 0x1BAB, 0xA9C0, 0xAAF6:
		return false
	}
	return r >= 0x300 && r < 0x10000 && unicode.Is(unicode.Mn, r) && !unicode.Is(unicode.Variation_Selector, r)
}

// runeWidth is the width of one rune alone; text is the same rune.
func runeWidth(r rune, text string) int {
	switch {
	case r >= 0x2500 && r <= 0x25FC, r >= 0xA1 && r < 0x300 && r != 0xAD, r >= ' ' && r < 0x7f:
		return 1 // most of what is drawn here
	case unicode.In(r, unicode.C, unicode.M, unicode.Zl, unicode.Zp), r >= 0x1160 && r <= 0x11FF, r >= 0x1F3FB && r <= 0x1F3FF,
		r == 0xFF9E, r == 0xFF9F:
		return 0 // control, lone marks, parts of a Hangul syllable, skin colours, half-width sound marks
	}
	width := ansi.StringWidth(text)
	if ansi.StringWidth(text+" ") != width+1 || ansi.StringWidth(" "+text) != width+1 {
		return 0 // it would swallow the character behind it (Grapheme_Cluster_Break=Prepend), or the one before it would (SpacingMark)
	}
	return width
}

// textWidth is the number of cells that a text takes.
func textWidth(s string) int {
	n := 0
	for len(s) > 0 {
		var w int
		_, w, s = character(s)
		n += w
	}
	return n
}

// clean removes escape sequences as a whole; what is left of odd ones falls to character.
func clean(s string) string {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\n' || c == 0x7f || c == 0xc2 && i+1 < len(s) && s[i+1] < 0xa0 {
			return ansi.Strip(s)
		}
	}
	return s
}

// wrapped cuts a text into lines of at most width cells, between words where that is possible. A line that the text
// itself begins stays one.
func wrapped(s string, width int) []string {
	var lines []string
	for {
		paragraph, rest, more := strings.Cut(s, "\n")
		lines = wrapParagraph(lines, paragraph, max(width, 1))
		if !more {
			return lines
		}
		s = rest
	}
}

// wrapParagraph adds the lines of one paragraph: each runs from start to the end of its last whole word.
func wrapParagraph(lines []string, s string, width int) []string {
	start, end, used := 0, 0, 0
	for at := skipSpaces(s, 0); at < len(s); at = skipSpaces(s, end) {
		behind := len(s)
		if n := strings.IndexByte(s[at:], ' '); n >= 0 {
			behind = at + n
		}
		gap, w := at-end, textWidth(s[at:behind])
		if used+gap+w > width {
			if end > start {
				lines = append(lines, s[start:end])
			}
			lines, start = cutWord(lines, s[:behind], at, width)
			gap, used, w = 0, 0, textWidth(s[start:behind])
		}
		end, used = behind, used+gap+w
	}
	if start > 0 && start == end {
		return lines // the last word was cut up to its end
	}
	return append(lines, s[start:end])
}

// cutWord adds lines of the word at the end of s, which begins at start, until what is left of it fits into one.
func cutWord(lines []string, s string, start, width int) ([]string, int) {
	for textWidth(s[start:]) > width {
		at, used := start, 0
		for at < len(s) {
			_, w, rest := character(s[at:])
			if used+w > width && at > start {
				break
			}
			at, used = len(s)-len(rest), used+w
		}
		lines, start = append(lines, s[start:at]), at
	}
	return lines, start
}

func skipSpaces(s string, at int) int {
	for at < len(s) && s[at] == ' ' {
		at++
	}
	return at
}
