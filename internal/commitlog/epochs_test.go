package commitlog

import (
	"encoding/json"
	"slices"
	"testing"

	"replog/internal/kafka"
	"replog/internal/testdata"
)

type epochVector struct {
	vectorID
	Kind  string
	Steps []struct {
		Op                     string
		Epoch                  kafka.Epoch
		StartOffset, EndOffset kafka.Offset
		LogEndOffset           kafka.Offset
		Expect                 json.RawMessage
	}

	LeaderEpoch      kafka.Epoch
	Appends          [][2]int
	LogStartOffset   kafka.Offset
	LastFetchedEpoch kafka.Epoch
	FetchOffset      kafka.Offset

	FollowerLogEndOffset, FollowerHighWatermark kafka.Offset
	FollowerEndOffsetForReplyEpoch              []int64
	LeaderReply                                 kafka.EpochEnd

	FollowerLog, LeaderLog                    [][2]int64
	LeaderHighWatermark, LeaderLogStartOffset kafka.Offset

	Expect struct {
		Result, Error               string
		Epoch                       kafka.Epoch
		EndOffset                   kafka.Offset
		TruncateTo                  kafka.Offset
		TruncationComplete          bool
		FirstTruncationKeepsEpoch   *kafka.Epoch
		Log                         [][2]int64
		LogStartOffset              kafka.Offset
		HighWatermark, LogEndOffset kafka.Offset
	}
}

func TestLeaderEpochVectors(t *testing.T) {
	for _, c := range testdata.Vectors[epochVector](t, "leader_epoch.json") {
		t.Run(c.ID, func(t *testing.T) {
			t.Log(c.Desc)
			switch c.Kind {
			case "cache":
				runCacheCase(t, &c)
			case "fetchValidation":
				runFetchValidationCase(t, &c)
			case "followerTruncation":
				runFollowerTruncationCase(t, &c)
			case "reconcile":
				runReconcileCase(t, &c)
			default:
				t.Fatalf("unknown kind %q", c.Kind)
			}
		})
	}
}

func runCacheCase(t *testing.T, c *epochVector) {
	var cache epochCache
	for i, step := range c.Steps {
		var got any
		switch step.Op {
		case "assign":
			cache.assign(step.Epoch, step.StartOffset)
			continue
		case "truncateFromEnd":
			cache.truncateFromEnd(step.EndOffset)
			continue
		case "truncateFromStart":
			cache.truncateFromStart(step.StartOffset)
			continue
		case "endOffsetFor":
			end := cache.endOffsetFor(step.Epoch, step.LogEndOffset)
			got = map[string]int64{"epoch": int64(end.Epoch), "endOffset": int64(end.EndOffset)}
		case "latestEpoch":
			got = cache.latest()
		case "entries":
			pairs := [][2]int64{}
			for _, e := range cache {
				pairs = append(pairs, [2]int64{int64(e.Epoch), int64(e.StartOffset)})
			}
			got = pairs
		default:
			t.Fatalf("step %d: unknown op %q", i, step.Op)
		}
		if text := asJSON(t, got); text != canonical(t, step.Expect) {
			t.Errorf("step %d, %s %d: %s, expected %s", i, step.Op, step.Epoch, text, step.Expect)
		}
	}
}

func runFetchValidationCase(t *testing.T, c *epochVector) {
	leader := New(0)
	for _, a := range c.Appends {
		leader.AppendAsLeader(records(a[1]), kafka.Epoch(a[0]))
	}
	leader.AssignEpoch(c.LeaderEpoch, leader.EndOffset())
	leader.AdvanceStartOffset(c.LogStartOffset)

	diverging, code := leader.CheckFetch(c.FetchOffset, c.LastFetchedEpoch)
	want, wantCode := kafka.NoEpochEnd, kafka.None
	switch c.Expect.Result {
	case "diverging":
		want = kafka.EpochEnd{Epoch: c.Expect.Epoch, EndOffset: c.Expect.EndOffset}
	case "error":
		wantCode, _ = kafka.ParseErrorCode(c.Expect.Error)
	}
	if diverging != want || code != wantCode {
		t.Errorf("%+v %v, expected %+v %v", diverging, code, want, wantCode)
	}
}

func runFollowerTruncationCase(t *testing.T, c *epochVector) {
	follower := New(0)
	epoch := kafka.NoEpoch // a log from before there were leader epochs
	if known := c.FollowerEndOffsetForReplyEpoch; known != nil {
		epoch = kafka.Epoch(known[0])
		appendAll(follower, epoch, kafka.Offset(known[1]))
		epoch = c.LeaderReply.Epoch + 1
	}
	appendAll(follower, epoch, c.FollowerLogEndOffset)

	to, complete := follower.TruncationPoint(c.LeaderReply, c.FollowerHighWatermark)
	if to != c.Expect.TruncateTo || complete != c.Expect.TruncationComplete {
		t.Errorf("truncate to %d, complete %v; expected %d, %v", to, complete, c.Expect.TruncateTo, c.Expect.TruncationComplete)
	}
	follower.TruncateTo(to)
	if follower.EndOffset() != to {
		t.Errorf("the log ends at %d after it was truncated to %d", follower.EndOffset(), to)
	}
}

func runReconcileCase(t *testing.T, c *epochVector) {
	epochs := func(log [][2]int64) (list []kafka.Epoch) {
		for _, r := range log {
			list = append(list, kafka.Epoch(r[1]))
		}
		return list
	}
	follower := leaderLog(0, epochs(c.FollowerLog)...)
	leader := leaderLog(c.LeaderLogStartOffset, epochs(c.LeaderLog)...)

	if want := c.Expect.FirstTruncationKeepsEpoch; want != nil {
		diverging, _ := leader.CheckFetch(follower.EndOffset(), follower.LatestEpoch())
		trial := follower.Clone()
		to, _ := trial.TruncationPoint(diverging, 0)
		trial.TruncateTo(to)
		if trial.LatestEpoch() != *want {
			t.Errorf("the first truncation keeps epoch %d, expected %d", trial.LatestEpoch(), *want)
		}
	}
	copyFrom(t, follower, leader)

	log := [][2]int64{}
	for o := follower.StartOffset(); o < follower.EndOffset(); o++ {
		log = append(log, [2]int64{int64(o), int64(follower.EpochAt(o))})
	}
	if !slices.Equal(log, c.Expect.Log) || follower.StartOffset() != c.Expect.LogStartOffset || follower.EndOffset() != c.Expect.LogEndOffset {
		t.Errorf("log %v from %d to %d, expected %+v", log, follower.StartOffset(), follower.EndOffset(), c.Expect)
	}
	if hw := min(c.LeaderHighWatermark, follower.EndOffset()); hw != c.Expect.HighWatermark {
		t.Errorf("high watermark %d, expected %d", hw, c.Expect.HighWatermark)
	}
	if !slices.Equal(follower.Epochs(), leader.Epochs()) {
		t.Errorf("epochs %v, the leader has %v", follower.Epochs(), leader.Epochs())
	}
}

// appendAll fills a follower's log with single records of an epoch, to the offset end.
func appendAll(l *Log, epoch kafka.Epoch, end kafka.Offset) {
	for l.EndOffset() < end {
		b := records(1)
		b.BaseOffset, b.LeaderEpoch = l.EndOffset(), epoch
		l.AppendAsFollower([]kafka.Batch{b})
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// canonical is JSON without blanks and with sorted keys.
func canonical(t *testing.T, text json.RawMessage) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return asJSON(t, v)
}

// TestFollowerTruncatesWhereTheLogsPart is the table of Vanlightly's article on log divergence. The logs are given as
// the epochs of their records; each cut is min(the follower's end of the epoch, the leader's end of it).
func TestFollowerTruncatesWhereTheLogsPart(t *testing.T) {
	type epochs = []kafka.Epoch
	for _, c := range []struct {
		name             string
		follower, leader epochs
		cuts             []kafka.Offset
	}{
		{"A: the follower is behind in the same epoch", epochs{1, 1}, epochs{1, 1, 1}, []kafka.Offset{}},
		{"B: the follower is behind by an epoch", epochs{1, 1}, epochs{1, 1, 2}, []kafka.Offset{}},
		{"C: same epoch, the follower is ahead", epochs{1, 1, 1, 1}, epochs{1, 1}, []kafka.Offset{2}},
		{"D: the follower has a higher epoch", epochs{1, 1, 2}, epochs{1, 1}, []kafka.Offset{2}},
		{"E: a fork, both have their own epoch", epochs{1, 1, 2}, epochs{1, 1, 3}, []kafka.Offset{2}},
		{"F: a fork, the leader has more of epoch 1", epochs{1, 2, 2}, epochs{1, 1, 3}, []kafka.Offset{1}},
		{"G: no epoch in common", epochs{2, 2}, epochs{1, 3}, []kafka.Offset{0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			follower, leader := leaderLog(0, c.follower...), leaderLog(0, c.leader...)
			// A new leader notes its epoch before it writes. Without that it would not know the follower's epoch in D.
			leader.AssignEpoch(4, leader.EndOffset())
			if cuts := copyFrom(t, follower, leader); !slices.Equal(cuts, c.cuts) {
				t.Errorf("truncated to %v, expected %v", cuts, c.cuts)
			}
			if got := epochsOf(follower); !slices.Equal(got, c.leader) {
				t.Errorf("the follower has %v, the leader %v", got, c.leader)
			}
		})
	}
}

// TestTwoTruncationRounds is the case of KIP-279: after quick leader changes the follower does not know the epoch that
// the leader names, cuts to the end of the one below, and asks again.
func TestTwoTruncationRounds(t *testing.T) {
	follower := leaderLog(0, 1, 1, 2, 2, 4)
	leader := leaderLog(0, 1, 3, 3, 3, 3)
	leader.AssignEpoch(5, leader.EndOffset())

	diverging, _ := leader.CheckFetch(follower.EndOffset(), follower.LatestEpoch())
	if want := (kafka.EpochEnd{Epoch: 3, EndOffset: 5}); diverging != want {
		t.Fatalf("the leader answers %+v, expected %+v", diverging, want)
	}
	if to, complete := follower.TruncationPoint(diverging, 0); to != 4 || complete {
		t.Errorf("truncate to %d, complete %v; expected 4 and to ask again", to, complete)
	}
	if cuts, want := copyFrom(t, follower, leader), []kafka.Offset{4, 1}; !slices.Equal(cuts, want) {
		t.Errorf("truncated to %v, expected %v", cuts, want)
	}
}

// TestTruncationForgetsAnEpochWithoutRecords: a leader that was replaced before its first append drops its own epoch
// even when it loses no record.
func TestTruncationForgetsAnEpochWithoutRecords(t *testing.T) {
	l := leaderLog(0, 1, 1)
	l.AssignEpoch(2, 2)
	l.TruncateTo(2)
	if want := []EpochEntry{{Epoch: 1}}; !slices.Equal(l.Epochs(), want) {
		t.Errorf("epochs %v, expected %v", l.Epochs(), want)
	}
}
