package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// A scanner reads the JSON of one line: a flat object of whole numbers, strings, and lists of them. After the first
// problem it reads nothing more.
type scanner struct {
	line    []byte
	at      int
	problem string
	column  int
}

func (s *scanner) failed() bool { return s.problem != "" }

// fail notes a problem at byte i; only the first counts.
func (s *scanner) fail(i int, format string, args ...any) {
	if !s.failed() {
		s.problem, s.column = fmt.Sprintf(format, args...), i+1
	}
}

func (s *scanner) space() {
	for s.at < len(s.line) && (s.line[s.at] == ' ' || s.line[s.at] == '\t' || s.line[s.at] == '\r') {
		s.at++
	}
}

// take skips c and reports whether it was next.
func (s *scanner) take(c byte) bool {
	s.space()
	if s.failed() || s.at >= len(s.line) || s.line[s.at] != c {
		return false
	}
	s.at++
	return true
}

func (s *scanner) want(c byte) {
	if !s.take(c) {
		s.fail(s.at, "want %q, %s", c, s.rest())
	}
}

// literal reads a bare word.
func (s *scanner) literal(word string) {
	s.space()
	if !bytes.HasPrefix(s.line[s.at:], []byte(word)) {
		s.fail(s.at, "want %s, %s", word, s.rest())
		return
	}
	s.at += len(word)
}

// rest says what comes next, for messages.
func (s *scanner) rest() string {
	if s.at >= len(s.line) {
		return "but the line ends"
	}
	return fmt.Sprintf("got %q", s.line[s.at:min(s.at+10, len(s.line))])
}

// object reads an object; value is called at each value with the name before it.
func (s *scanner) object(value func(name string, column int)) {
	s.list('{', '}', func() {
		s.space()
		at := s.at
		name := s.text()
		s.want(':')
		if !s.failed() {
			value(name, at)
		}
	})
	s.space()
	if s.at < len(s.line) {
		s.fail(s.at, "want the end of the line, %s", s.rest())
	}
}

// list reads what stands between two brackets, separated by commas.
func (s *scanner) list(open, end byte, item func()) {
	s.want(open)
	if s.failed() || s.take(end) {
		return
	}
	for item(); s.take(','); {
		item()
	}
	s.want(end)
}

// whole reads a whole number within bounds.
func (s *scanner) whole(lowest, highest int64) int64 {
	s.space()
	from := s.at
	for s.at < len(s.line) && numeric(s.line[s.at]) {
		s.at++
	}
	digits := string(s.line[from:s.at])
	v, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || digits != strconv.FormatInt(v, 10) {
		s.at = from
		s.fail(from, "want a whole number, %s", s.rest())
		return 0
	}
	if v < lowest || v > highest {
		s.fail(from, "%d is not within %d..%d", v, lowest, highest)
		return 0
	}
	return v
}

// numeric holds for all that a JSON number may contain, so that 1.5 is named as a whole.
func numeric(c byte) bool {
	return c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'
}

// text reads a string.
func (s *scanner) text() string {
	s.space()
	from := s.at
	s.want('"')
	plain := true
	for ; s.at < len(s.line) && s.line[s.at] != '"'; s.at++ {
		c := s.line[s.at]
		plain = plain && c >= ' ' && c <= '~' && c != '\\'
		if c == '\\' {
			s.at++
		}
	}
	s.want('"')
	if s.failed() {
		return ""
	}
	if plain {
		return string(s.line[from+1 : s.at-1])
	}
	var text string
	if err := json.Unmarshal(s.line[from:s.at], &text); err != nil {
		s.fail(from, "this is not a string of JSON: %v", err)
	}
	return text
}
