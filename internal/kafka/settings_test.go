package kafka_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"replog/internal/kafka"
)

// TestSettingsAreComplete checks each row of the catalogue: a reader of `help config` finds no gap in it.
func TestSettingsAreComplete(t *testing.T) {
	seen := map[string]kafka.Scope{}
	for _, s := range kafka.Settings() {
		for _, name := range append([]string{s.Name}, s.Librdkafka...) {
			if seen[name]&s.Scope != 0 {
				t.Errorf("%s stands twice", name)
			}
			seen[name] |= s.Scope
		}
		if s.Scope == 0 || !strings.HasSuffix(s.Meaning, ".") || s.Source == "" {
			t.Errorf("%s: scope %d, meaning %q, source %q", s.Name, s.Scope, s.Meaning, s.Source)
		}
		if (s.Unit == kafka.Choice || s.Unit == kafka.Words) != (len(s.Choices) > 0) {
			t.Errorf("%s: unit %q with choices %v", s.Name, s.Unit, s.Choices)
		}
		checkDefault(t, &s, s.Default)
		for _, d := range s.Clients {
			checkDefault(t, &s, d.Value)
			if d.Value == s.Default {
				t.Errorf("%s: the default of %s is everybody's", s.Name, d.Client)
			}
		}
	}
}

func checkDefault(t *testing.T, s *kafka.Setting, value string) {
	t.Helper()
	valid := false
	switch s.Unit {
	case kafka.Boolean:
		valid = value == "true" || value == "false"
	case kafka.Ratio:
		share, err := strconv.ParseFloat(value, 64)
		valid = err == nil && share >= 0 && share <= 1
	case kafka.Choice:
		valid = slices.Contains(s.Choices, value) || value == kafka.NoValue
	case kafka.Words:
		valid = true
		for _, word := range strings.Split(value, ",") {
			valid = valid && slices.Contains(s.Choices, word)
		}
	default:
		v, err := strconv.ParseInt(value, 10, 64)
		valid = err == nil && v >= s.Min || s.Unit == kafka.Millis && value == kafka.NoLimit
	}
	if !valid {
		t.Errorf("%s: %q is no %s", s.Name, value, s.Unit)
	}
}

func TestDefaultsByClient(t *testing.T) {
	tests := []struct {
		setting string
		client  kafka.Client
		want    string
	}{
		{"acks", kafka.Java28, "1"},
		{"acks", kafka.Java30, "all"},
		{"enable.idempotence", kafka.Java30, "false"},
		{"enable.idempotence", kafka.Java32, "true"},
		{"enable.idempotence", kafka.Librdkafka, "false"},
		{"linger.ms", kafka.Java32, "0"},
		{"linger.ms", kafka.Java40, "5"},
		{"max.in.flight.requests.per.connection", kafka.Librdkafka, "1000000"},
		{"delivery.timeout.ms", kafka.FranzGo, kafka.NoLimit},
	}
	for _, test := range tests {
		all := kafka.Settings()
		i := slices.IndexFunc(all, func(s kafka.Setting) bool { return s.Name == test.setting })
		if got := all[i].DefaultFor(test.client); got != test.want {
			t.Errorf("%s of %s: got %s, want %s", test.setting, test.client, got, test.want)
		}
	}
}

func TestClientsByName(t *testing.T) {
	for _, name := range kafka.ClientNames() {
		if c, ok := kafka.ParseClient(name); !ok || c.String() != name {
			t.Errorf("%s is read as %s (%v)", name, c, ok)
		}
	}
	if _, ok := kafka.ParseClient("kafkajs"); ok {
		t.Error("kafkajs is taken for a client that the catalogue knows")
	}
}
