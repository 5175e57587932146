package scenario

import (
	"fmt"
	"strconv"
	"strings"

	"replog/internal/kafka"
)

// All times of a file are whole microseconds until the clock turns them into ticks.
const (
	millisecond = 1000
	second      = 1000 * millisecond
	day         = 24 * 3600 * second
	// longest bounds every span, so that sums of a few can not overflow.
	longest = 20 * 366 * day
)

var spanUnits = []struct {
	name   string
	micros int64
}{{"us", 1}, {"ms", millisecond}, {"s", second}, {"m", 60 * second}, {"h", 3600 * second}, {"d", day}}

// parseSpan reads a span such as 50ms, 1.5s or 1m30s.
func parseSpan(text string) (micros int64, ok bool) {
	if text == "" {
		return 0, false
	}
	for text != "" {
		digits := leading(text, "0123456789.")
		unit := leading(text[len(digits):], "abcdefghijklmnopqrstuvwxyz")
		part, ok := parsePart(digits, unit)
		if !ok || micros+part > longest {
			return 0, false
		}
		micros += part
		text = text[len(digits)+len(unit):]
	}
	return micros, true
}

// looksLikeSpan reports whether a text that is no span was meant as one: a number with a unit.
func looksLikeSpan(text string) bool {
	digits := leading(strings.TrimPrefix(text, "-"), "0123456789.")
	unit := strings.TrimPrefix(text, "-")[len(digits):]
	for _, u := range spanUnits {
		if u.name == unit {
			return digits != ""
		}
	}
	return false
}

// spanHint says what is wrong with a text that is no span.
func spanHint(text string) string {
	switch _, err := strconv.Atoi(text); {
	case strings.HasPrefix(text, "-"):
		return "a span counts forward: no minus"
	case err == nil:
		return "write " + text + "ms"
	case looksLikeSpan(text):
		return "it is longer than " + formatSpan(longest) + ", or finer than a microsecond"
	}
	return "a number with its unit: us, ms, s, m, h or d"
}

// parsePart reads one number with its unit; decimals that are finer than a microsecond are refused.
func parsePart(digits, unit string) (micros int64, ok bool) {
	for _, u := range spanUnits {
		if u.name != unit {
			continue
		}
		whole, fraction, dotted := strings.Cut(digits, ".")
		n, err := strconv.ParseInt(whole, 10, 64)
		if err != nil || n > longest/u.micros || dotted && fraction == "" {
			return 0, false
		}
		micros, scale := n*u.micros, u.micros
		for _, d := range fraction {
			if d < '0' || d > '9' || scale%10 != 0 {
				return 0, false
			}
			scale /= 10
			micros += int64(d-'0') * scale
		}
		return micros, true
	}
	return 0, false
}

// parseDuration reads a span as Java writes it (Duration.parse): PT1H30M, P2D.
func parseDuration(text string) (micros int64, ok bool) {
	text, found := strings.CutPrefix(text, "P")
	days, clock, timed := strings.Cut(text, "T")
	if !found || text == "" || timed && clock == "" || strings.Trim(days, "0123456789D") != "" ||
		strings.Trim(clock, "0123456789.HMS") != "" {
		return 0, false
	}
	return parseSpan(strings.ToLower(days + clock))
}

func leading(text, set string) string {
	return text[:len(text)-len(strings.TrimLeft(text, set))]
}

// parseClock reads a time of day such as 12:40:00.500, or "day 2 00:10:00", in microseconds since the first midnight.
func parseClock(text string) (micros int64, ok bool) {
	if rest, found := strings.CutPrefix(text, "day "); found {
		number, clock, _ := strings.Cut(rest, " ")
		days, err := strconv.ParseInt(number, 10, 64)
		if err != nil || days < 1 || days > longest/day {
			return 0, false
		}
		micros, text = (days-1)*day, clock
	}
	parts := strings.Split(text, ":")
	if len(parts) != 3 {
		return 0, false
	}
	limits := [3]int64{24, 60, 60}
	units := [3]int64{3600 * second, 60 * second, second}
	seconds, fraction, dotted := strings.Cut(parts[2], ".")
	parts[2] = seconds
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 8)
		if err != nil || int64(n) >= limits[i] || len(part) != 2 {
			return 0, false
		}
		micros += int64(n) * units[i]
	}
	if !dotted {
		return micros, true
	}
	rest, ok := parsePart("0."+fraction, "s")
	return micros + rest, ok
}

// formatSpan writes a span in the largest unit in which it is a whole number.
func formatSpan(micros int64) string {
	for i := len(spanUnits) - 1; i > 0; i-- {
		if u := spanUnits[i]; micros != 0 && micros%u.micros == 0 {
			return fmt.Sprintf("%d%s", micros/u.micros, u.name)
		}
	}
	if micros == 0 {
		return "0ms"
	}
	return fmt.Sprintf("%dus", micros)
}

// clock turns the times of a file into ticks.
type clock struct {
	tickMicros  int64
	startMicros int64 // time of day of tick 0, or -1
}

// exact is a span in ticks; ok is false when it is not a whole number of them.
func (c clock) exact(micros int64) (ticks kafka.Tick, ok bool) {
	return kafka.Tick(micros / c.tickMicros), micros%c.tickMicros == 0
}

// roundUp is a span in ticks, rounded up.
func (c clock) roundUp(micros int64) kafka.Tick {
	return kafka.Tick((micros + c.tickMicros - 1) / c.tickMicros)
}

// fitting is the longest tick of which both the present tick and the span are whole numbers.
func (c clock) fitting(micros int64) string { return formatSpan(gcd(c.tickMicros, micros)) }

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
