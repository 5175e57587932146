package cli

import "testing"

func TestNamesAreDrawnAndNotObeyed(t *testing.T) {
	for text, want := range map[string]string{
		"plain\n\tK\u00fcche": "plain\n\tK\u00fcche", "\x1b[2J": "?[2J", "\u009b2J": "?2J", "a\u202eb": "a?b", "\u2066x\u2069": "?x?",
		"a\u2028b": "a?b", "\u0646\u200c\u0645": "\u0646\u200c\u0645", "\ufeffx": "?x",
	} {
		if got := string(printable([]byte(text))); got != want {
			t.Errorf("%q is written as %q, want %q", text, got, want)
		}
	}
}
