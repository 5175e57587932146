package screen

import (
	"strings"
	"testing"

	"replog/internal/event"
)

// TestHeadingNamesWhoCounts: the maximal ISR while the leader waits for the controller, and the ELR while somebody is on it.
func TestHeadingNamesWhoCounts(t *testing.T) {
	for _, test := range []struct {
		scenario, variant string
		want              string
		until             event.Kind // after which it is no longer said
	}{
		{"last-replica-standing", "with ELR", "ISR 1  ELR 2 ──", event.LeaderElected},
		{"museum/c07-no-maximal-isr", "Kafka's rule", "maximal ISR ", event.ISRChanged},
	} {
		r := recorded(t, test.scenario, test.variant)
		said, ended := false, false
		for n := 1; n <= r.Log.Len() && !ended; n++ {
			now := partitionScreen(r, n, 160, 48, "orders-0").Plain()
			switch e := r.Log.At(n - 1); {
			case strings.Contains(now, test.want):
				said = true
			case said && (e.Kind == test.until || e.Kind == event.ELRChanged):
				ended = true
			case said:
				t.Errorf("%s: after event %d, %v, the heading has no %q any more", test.scenario, n, e.Kind, test.want)
			}
		}
		if !said || !ended {
			t.Errorf("%s: %q is said: %v, and not any more in the end: %v", test.scenario, test.want, said, ended)
		}
	}
}
