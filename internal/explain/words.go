package explain

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"replog/internal/kafka"
)

// capital is the sentence with a capital letter in front; an identifier such as order-service-3 stays as it is.
func capital(s string) string {
	if word, _, _ := strings.Cut(s, " "); strings.Contains(word, "-") {
		return s
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// number writes numbers from 10,000 on with separators.
func number[T ~int | ~int32 | ~int64](n T) string {
	digits := strconv.FormatInt(int64(n), 10)
	if n > -10_000 && n < 10_000 {
		return digits
	}
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// count is a number of things: "1 order", "13 orders".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return number(n) + " " + thing + "s"
}

// verb is the form of a verb for so many: is or are, has or have.
func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// series joins words: "a", "a and b", "a, b and c".
func series(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// brokers names a set of brokers: "broker 1 and broker 3".
func brokers(set kafka.BrokerSet, names *kafka.Names) string {
	var words []string
	for _, id := range set.Members() {
		words = append(words, names.Node(id))
	}
	return series(words)
}

// maxOrders is how many orders a sentence names one by one.
const maxOrders = 24

// orders names records one by one, or the first and the last where there are many.
func orders(ids []kafka.RecordID, names *kafka.Names) string {
	var words []string
	for _, id := range ids {
		words = append(words, names.Record(id))
	}
	if len(words) > maxOrders {
		return words[0] + " to " + words[len(words)-1]
	}
	return strings.Join(words, " ")
}

// theOrders says how many records and which: "order 3", "2 orders (3 4)".
func theOrders(ids []kafka.RecordID, names *kafka.Names) string {
	if len(ids) == 1 {
		return "order " + orders(ids, names)
	}
	return count(len(ids), "order") + " (" + orders(ids, names) + ")"
}

// span is a span of ticks with its unit: milliseconds, or seconds from ten seconds on.
func span(t kafka.Tick, names *kafka.Names) string {
	micros := int64(t) * names.TickMicros
	if micros < 10_000_000 {
		return names.Millis(t) + " ms"
	}
	return strconv.FormatFloat(float64(micros/1000)/1000, 'f', -1, 64) + " s"
}
