package until

import (
	"strconv"
	"strings"

	"replog/internal/kafka"
)

// parseTime reads a time of day, with or without seconds, or a span since the start (70ms, 1.5s).
func parseTime(text string, names *kafka.Names) (kafka.Tick, bool) {
	if micros, ok := parseSpan(text); ok {
		return kafka.Tick(micros / names.TickMicros), true
	}
	micros, ok := parseClock(text)
	if !ok || names.StartMicros < 0 {
		return 0, false
	}
	return kafka.Tick(max(0, micros-names.StartMicros) / names.TickMicros), true
}

var spans = []struct {
	unit   string
	micros float64
}{{"us", 1}, {"ms", 1e3}, {"s", 1e6}, {"m", 60e6}, {"h", 3600e6}, {"d", 24 * 3600e6}}

// parseSpan reads numbers with their units: 70ms, 1.5s, 1m30s.
func parseSpan(text string) (micros int64, ok bool) {
	for text = strings.TrimSpace(text); text != ""; ok = true {
		digits := leading(text, "0123456789.")
		unit := leading(text[len(digits):], "abcdefghijklmnopqrstuvwxyz")
		text = text[len(digits)+len(unit):]
		part, fits := parsePart(digits, unit)
		if !fits {
			return 0, false
		}
		micros += part
	}
	return micros, ok
}

func parsePart(digits, unit string) (micros int64, ok bool) {
	number, err := strconv.ParseFloat(digits, 64)
	for _, s := range spans {
		if s.unit == unit && err == nil && number*s.micros < 1e17 {
			return int64(number*s.micros + 0.5), true
		}
	}
	return 0, false
}

func leading(text, set string) string { return text[:len(text)-len(strings.TrimLeft(text, set))] }

// parseClock reads 12:40, 12:40:00, 12:40:00.500 or "day 2 00:10:00" in microseconds since the first midnight.
func parseClock(text string) (micros int64, ok bool) {
	if rest, found := strings.CutPrefix(text, "day "); found {
		number, clock, _ := strings.Cut(rest, " ")
		days, err := strconv.ParseUint(number, 10, 16)
		if err != nil || days == 0 {
			return 0, false
		}
		micros, text = int64(days-1)*24*3600*1e6, clock
	}
	parts := strings.Split(text, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	limits, units := [3]float64{24, 60, 60}, [3]float64{3600e6, 60e6, 1e6}
	for i, part := range parts {
		n, err := strconv.ParseFloat(part, 64)
		whole := i < 2 && strings.Trim(part, "0123456789") != ""
		if err != nil || whole || !(n >= 0 && n < limits[i]) {
			return 0, false
		}
		micros += int64(n*units[i] + 0.5)
	}
	return micros, true
}
