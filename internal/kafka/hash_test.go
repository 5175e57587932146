package kafka_test

import (
	"testing"

	"replog/internal/kafka"
)

func TestJavaHash(t *testing.T) {
	tests := []struct {
		text string
		want int32
	}{
		{"", 0}, {"a", 97}, {"hello", 99162322}, {"polygenelubricants", -1 << 31}, {"\U0001f600", 1772899},
	}
	for _, test := range tests {
		if got := kafka.JavaHash(test.text); got != test.want {
			t.Errorf("%q: got %d, want %d", test.text, got, test.want)
		}
	}
}

// TestCoordinatorPartition: the hash of polygenelubricants is the smallest number, of which Kafka's abs makes 0.
func TestCoordinatorPartition(t *testing.T) {
	tests := []struct {
		group       string
		count, want int
	}{
		{"hello", 50, 22}, {"polygenelubricants", 50, 0}, {"a", 50, 47}, {"a", 1, 0},
		{"packing", 50, 1}, {"ab\U0001f600", 50, 4},
	}
	for _, test := range tests {
		if got := kafka.CoordinatorPartition(test.group, test.count); got != test.want {
			t.Errorf("%q: got %d of %d, want %d", test.group, got, test.count, test.want)
		}
	}
}
