package scenario

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"replog/internal/kafka"
)

// TestEverySettingFillsAField: a setting that the catalogue has and no field takes would be accepted and ignored.
func TestEverySettingFillsAField(t *testing.T) {
	filled := map[kafka.Scope][]string{
		kafka.BrokerSetting | kafka.ControllerSetting: slices.Concat(fieldNames(brokerFields), fieldNames(groupFields), fieldNames(transactionFields)),
		kafka.TopicSetting:                            fieldNames(topicFields),
		kafka.ProducerSetting:                         fieldNames(producerFields),
		kafka.ReaderSetting:                           fieldNames(readerFields),
		kafka.ConsumerSetting:                         fieldNames(consumerFields),
	}
	for _, s := range kafka.Settings() {
		for scope, names := range filled {
			if s.Scope&scope != 0 && !slices.Contains(names, s.Name) {
				t.Errorf("no field takes %s", s.Name)
			}
		}
	}
}

func fieldNames[T any](fields []field[T]) []string {
	var names []string
	for _, f := range fields {
		names = append(names, f.setting)
	}
	return names
}

// TestEveryKeyIsRead: a key that the schema has and nobody reads would be accepted and ignored.
func TestEveryKeyIsRead(t *testing.T) {
	var source strings.Builder
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if file == "schema.go" || strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source.Write(text)
	}
	walkShapes(fileShape, map[*shape]bool{}, func(s *shape) {
		for _, k := range s.keys {
			if k.doc == "" {
				t.Errorf("%s of %s: it does not say what it is", k.name, s.name)
			}
			// The facts of expect are read by their forms.
			if s != expectShape && !strings.Contains(source.String(), strconv.Quote(k.name)) {
				t.Errorf("%s of %s: nobody reads it", k.name, s.name)
			}
		}
	})
}

func walkShapes(s *shape, seen map[*shape]bool, visit func(*shape)) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	visit(s)
	for _, k := range s.keys {
		walkShapes(k.of, seen, visit)
	}
}

func TestExpressions(t *testing.T) {
	scope := &params{
		names:  []string{"lag", "dies_at", "acks", "on", "none"},
		values: []value{intValue(15), intValue(14), textValue("all"), boolValue(true), {}},
	}
	tests := []struct{ source, want string }{
		{"1 + 2 * 3", "7"},
		{"(1 + 2) * 3", "9"},
		{"10 - 3 - 2", "5"},
		{"-3 + lag", "12"},
		{"-7 mod 5", "3"},
		{"(33 * 8812 + 45) mod 100", "41"},
		{"lag > 3 and dies_at <= 14", "true"},
		{"not on or lag == 15", "true"},
		{"not (on and lag == 15)", "false"},
		{`acks == "all"`, "true"},
		{`acks != "all"`, "false"},
		{"none == null", "true"},
		{"none != null and none > 3", "false"},
		{"1 if on else 0", "1"},
		{"0 if none == null else none + 1", "0"},
		{"1 if false else 2 if false else 3", "3"},
		{"none", "null"},
		{"9223372036854775807 + 1", "error: 9223372036854775807 + 1 is too large a number"},
		{"-9223372036854775807 - 2", "error: -9223372036854775807 - 2 is too large a number"},
		{"4611686018427387904 * 2", "error: 4611686018427387904 * 2 is too large a number"},
		{"9223372036854775808", `error: "9223372036854775808" is too large a number`},
		{"lga", `error: unknown name "lga"`},
		{"lag +", "error: the expression ends too early"},
		{"", "error: the expression ends too early"},
		{"lag lag", `error: "lag" is not expected here`},
		{"lag = 3", `error: "=" is not expected here`},
		{"(lag", `error: ")" is missing`},
		{`"lag`, "error: a text without its closing quote"},
		{"1 if on", `error: "else" is missing: write a if condition else b`},
		{"acks + 1", `error: "+" needs a whole number, and this is a text`},
		{"lag and on", `error: "and" needs true or false, and this is a whole number`},
		{"not lag", `error: "not" needs true or false, and this is a whole number`},
		{"1 mod 0", "error: mod 0: the divisor must be at least 1"},
		{"and", `error: "and" is not expected here`},
	}
	for _, test := range tests {
		if got := evaluate(test.source, scope); got != test.want {
			t.Errorf("%s: got %s, want %s", test.source, got, test.want)
		}
	}
}

func evaluate(source string, s scope) string {
	e, err := parseExpr(source)
	if err != nil {
		return "error: " + err.message
	}
	v, err := e.eval(s)
	if err != nil {
		return "error: " + err.message
	}
	return v.String()
}

// TestPeriods holds the period of an expression against the values that it takes.
func TestPeriods(t *testing.T) {
	tests := []struct {
		source string
		want   int64
	}{
		{"7", 1},
		{"order", 0},
		{"order mod 6", 6},
		{"(33 * order + 45) mod 100", 100},
		{"(order mod 4) + (order mod 6)", 12},
		{"(order + (order mod 3)) mod 4", 12},
		{"order * order mod 10", 10},
		{"order mod 2 + order", 0},
		{"order mod (order + 1)", 0},
		{"(1 if order mod 2 == 0 else 2) mod 3", 2},
	}
	for _, test := range tests {
		e, err := parseExpr(test.source)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.period(); got != test.want {
			t.Errorf("%s: period %d, want %d", test.source, got, test.want)
		}
		for n := range int64(100) {
			now, err := e.eval(keyScope{&params{}, n})
			later, err2 := e.eval(keyScope{&params{}, n + test.want})
			if err != nil || err2 != nil || now != later {
				t.Fatalf("%s: %v for order %d, %v a period later (%v, %v)", test.source, now, n, later, err, err2)
			}
		}
	}
}

func TestSpans(t *testing.T) {
	tests := []struct {
		text   string
		micros int64
		ok     bool
	}{
		{"5ms", 5000, true},
		{"250us", 250, true},
		{"1.6s", 1_600_000, true},
		{"1m30s", 90_000_000, true},
		{"2h", 7_200_000_000, true},
		{"7d", 7 * day, true},
		{"0ms", 0, true},
		{"1.5us", 0, false},
		{"1.s", 0, false},
		{"5", 0, false},
		{"ms", 0, false},
		{"5 ms", 0, false},
		{"-5ms", 0, false},
		{"", 0, false},
		{"99999999999999999999s", 0, false},
		{"9000d", 0, false},
	}
	for _, test := range tests {
		micros, ok := parseSpan(test.text)
		if ok != test.ok || ok && micros != test.micros {
			t.Errorf("%q: got %d, %v", test.text, micros, ok)
		}
		if again, ok := parseSpan(formatSpan(micros)); !ok || again != micros {
			t.Errorf("%d is written %s and read %d", micros, formatSpan(micros), again)
		}
	}
}

func TestClock(t *testing.T) {
	tests := []struct {
		text   string
		micros int64
		ok     bool
	}{
		{"00:00:00", 0, true},
		{"12:40:00", 45_600 * second, true},
		{"12:39:57.905", 45_597*second + 905*millisecond, true},
		{"day 2 00:10:00", day + 600*second, true},
		{"24:00:00", 0, false},
		{"12:60:00", 0, false},
		{"12:40", 0, false},
		{"12:4:00", 0, false},
		{"12:40:00.", 0, false},
		{"12:40:0x", 0, false},
		{"day 0 12:40:00", 0, false},
		{"+1:00:00", 0, false},
	}
	for _, test := range tests {
		if micros, ok := parseClock(test.text); ok != test.ok || ok && micros != test.micros {
			t.Errorf("%q: got %d, %v", test.text, micros, ok)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"partitions", "replication.factor", "replicas", "config", "linger.ms", "acks"}
	tests := []struct{ word, want string }{
		{"partitons", "partitions"},
		{"Partitions", "partitions"},
		{"akcs", "acks"},
		{"replica", "replicas"},
		{"linger", "linger.ms"},
		{"x", ""},
		{"something else", ""},
		{"", ""},
	}
	for _, test := range tests {
		if got := nearest(test.word, known); got != test.want {
			t.Errorf("%q: got %q, want %q", test.word, got, test.want)
		}
	}
}
