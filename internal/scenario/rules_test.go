package scenario

import (
	"testing"

	"replog/internal/kafka"
	"replog/scenarios"
)

// TestRulesTable: every switch of kafka.Rules has one row, and a row names a scenario that there is.
func TestRulesTable(t *testing.T) {
	var on kafka.Rules
	for _, r := range Rules() {
		if at := r.of(&on); *at {
			t.Errorf("%s switches what another row switches", r.Name)
		} else {
			*at = true
		}
		if _, found := scenarios.Find(r.Shown); !found {
			t.Errorf("%s is shown by %s, which does not exist", r.Name, r.Shown)
		}
	}
	all := kafka.Rules{
		HighWatermarkBelowMinISR: true, TruncateToHighWatermark: true, DivergingEpochIgnored: true,
		FetchWithoutLeaderEpoch: true, JoinBelowEpochStart: true, CommittedISROnly: true, PartitionEpochIgnored: true,
		BrokerEpochsIgnored: true, LeaderEpochBumpOnShrink: true, EligibleLeaderReplicas: true, TombstonesAgeWithSegment: true,
		IneligibleFollowersCount: true, LagByTimeAlone: true,
		LateFetchAnswerTaken: true, FetchOffsetIgnored: true, ReadToLogEnd: true, ElectOutsideISR: true, FencedMayJoinISR: true,
		SameLeaderNotRealigned: true, MetadataOffsetIgnored: true, InFlightPerConnection: true, ProducerStateWithRecords: true,
		TransactionVersion1: true, TransactionsUnverified: true,
		OffsetsExpireFromCommit: true, RetentionBeyondHighWatermark: true, CompactionBeyondHighWatermark: true, OpenTransactionsShown: true,
		ProducerEpochKept: true, TransactionOffsetsUnfenced: true, GenerationKept: true, StaticLeaderUntold: true, AssignedBeforeRevoked: true,
		CommitsUnreplicated: true, CommitsBesidePoll: true, WholeBatchesHandedOut: true, DiscardedCountsAsRead: true,
	}
	if on != all {
		t.Errorf("the table switches %+v", on)
	}
}

// TestVersionIsAPreset: the version comes first, a single rule after it.
func TestVersionIsAPreset(t *testing.T) {
	data, err := scenarios.FS.ReadFile("min-isr.yaml")
	if err != nil {
		t.Fatal(err)
	}
	f, err := Load("min-isr.yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		sets []string
		want kafka.Rules
	}{
		{nil, kafka.Rules{}},
		{[]string{"version=3.5"}, kafka.Rules{
			HighWatermarkBelowMinISR: true, IneligibleFollowersCount: true, LeaderEpochBumpOnShrink: true, TransactionVersion1: true,
			TransactionsUnverified: true,
		}},
		{[]string{"version=3.5", "rules.high.watermark.below.min.isr=false"}, kafka.Rules{
			IneligibleFollowersCount: true, LeaderEpochBumpOnShrink: true, TransactionVersion1: true, TransactionsUnverified: true,
		}},
		{[]string{"version=4.0"}, kafka.Rules{}},
	} {
		var sets []Set
		for _, text := range c.sets {
			s, err := ParseSet(text)
			if err != nil {
				t.Fatal(err)
			}
			sets = append(sets, s)
		}
		p, err := f.Plan("acks=all", sets)
		if err != nil {
			t.Fatal(err)
		}
		if p.Broker.Rules != c.want {
			t.Errorf("%v: %+v, want %+v", c.sets, p.Broker.Rules, c.want)
		}
	}
}
