package scenario_test

import (
	"strings"
	"testing"

	"replog/internal/scenario"
)

// TestIdempotenceTerms: which settings each client lets stand beside enable.idempotence, which it gives up for it, and how
// many requests it then has in flight (0: it does not start).
func TestIdempotenceTerms(t *testing.T) {
	const on = "enable.idempotence: true"
	for settings, want := range map[string]struct {
		idempotent bool
		inFlight   int32
	}{
		"java-4.0|":                    {true, 5},
		"java-4.0|acks: 1":             {false, 5},
		"java-4.0|" + on + ", acks: 1": {},
		"java-4.0|max.in.flight.requests.per.connection: 6": {},
		"java-3.2|max.in.flight.requests.per.connection: 6": {false, 6},
		"java-3.2|retries: 0":                               {false, 5},
		"java-3.0|":                                         {false, 5},
		"java-2.8|" + on:                                    {true, 5},
		"librdkafka|":                                       {false, 1_000_000},
		"librdkafka|" + on:                                  {true, 5},
		"librdkafka|" + on + ", retries: 0":                 {},
		"librdkafka|" + on + ", max.in.flight: 6":           {},
		"franz-go|":                                         {true, 4},
		"franz-go|enable.idempotence: false":                {false, 1},
		"franz-go|retries: 0":                               {true, 4},
		"franz-go|acks: 1":                                  {},
		"franz-go|max.in.flight.requests.per.connection: 5": {},
		"sarama|":                      {false, 5},
		"sarama|" + on:                 {},
		"sarama|" + on + ", acks: all": {},
		"sarama|" + on + ", acks: all, max.in.flight.requests.per.connection: 1": {true, 1},
	} {
		client, config, _ := strings.Cut(settings, "|")
		text := "title: t\nend: 1s\nbrokers: {count: 1}\ntopics: {orders: {}}\nproducers:\n  shop: {client: " + client +
			", config: {" + config + "}}\nloads: [{producer: shop, topic: orders, count: 1}]\n"
		f, err := scenario.Load("terms.yaml", []byte(text))
		if err != nil {
			if want.inFlight > 0 || !strings.Contains(err.Error(), "does not start so") {
				t.Errorf("%s: %v", settings, err)
			}
			continue
		}
		if got := planOf(t, f, "default").Producers[0].Config; got.EnableIdempotence != want.idempotent || got.MaxInFlight != want.inFlight {
			t.Errorf("%s: idempotence %v, %d in flight, want %v and %d", settings, got.EnableIdempotence, got.MaxInFlight,
				want.idempotent, want.inFlight)
		}
	}
}
