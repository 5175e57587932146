package check_test

import (
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
)

// TestLogsOfKafkasOwnTopicsMustMatchToo: their records have no ids, so what was appended twice counts as different.
func TestLogsOfKafkasOwnTopicsMustMatchToo(t *testing.T) {
	copied := func(h *history) {
		h.appends(1, 0, 0, kafka.NoRecord, kafka.NoRecord)
		h.copies(2, 1, 0, 0, 2, 0)
		h.copies(3, 1, 0, 0, 2, 0)
		h.advances(1, 0, 2)
		h.learns(2, 2)
		h.ends()
	}
	if c := judge(func(sink event.Sink) { copied(opened(sink)) }); len(c.Violations()) > 0 {
		t.Errorf("a clean run: %v", c.Violations())
	}
	c := judge(func(sink event.Sink) {
		h := opened(sink)
		h.appends(1, 0, 0, kafka.NoRecord)
		h.appends(2, 0, 0, kafka.NoRecord)
		h.advances(1, 0, 1)
		h.learns(2, 1)
	})
	if c.Count("LogMatching") != 1 {
		t.Errorf("two records at one offset: %v", c.Violations())
	}
	for _, v := range c.Violations() {
		if v.Record != kafka.NoRecord || strings.Contains(v.Sentence, "-1") {
			t.Errorf("%+v", v)
		}
	}
}
