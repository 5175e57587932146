package commitlog

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"replog/internal/kafka"
)

// limits are small enough that logs of the test roll often, by size and by time.
var limits = kafka.LogConfig{
	SegmentBytes: 3000, SegmentTicks: 40, SegmentIndexBytes: 1 << 20, IndexIntervalBytes: 4096, Delete: true,
	RetentionTicks: -1, RetentionBytes: -1, Compact: true, DeleteRetention: 30,
}

// model is the naive log that Log must agree with: a list of batches of its own, and where its segments begin.
type model struct {
	start, end kafka.Offset
	batches    []kafka.Batch
	bases      []kafka.Offset
	history    history
}

func newModel(start kafka.Offset) model {
	return model{start: start, end: start, bases: []kafka.Offset{start}, history: history{emptied: map[kafka.Offset]kafka.Tick{}}}
}

func (m *model) clone() model {
	c := *m
	c.batches, c.bases, c.history = slices.Clone(m.batches), slices.Clone(m.bases), m.history.clone()
	return c
}

// in is the batches of the n-th segment.
func (m *model) in(n int) []kafka.Batch {
	var found []kafka.Batch
	for _, b := range m.batches {
		if b.BaseOffset >= m.bases[n] && (n+1 == len(m.bases) || b.BaseOffset < m.bases[n+1]) {
			found = append(found, b)
		}
	}
	return found
}

// sum is the size and the largest timestamp of some batches.
func sum(batches []kafka.Batch) (bytes int64, largest kafka.Tick) {
	for i := range batches {
		bytes += batches[i].Bytes() + kafka.BatchOverhead
		largest = max(largest, batches[i].MaxTimestamp())
	}
	return bytes, largest
}

func (m *model) add(b kafka.Batch) {
	last := len(m.bases) - 1
	active := m.in(last)
	if len(active) == 0 {
		m.bases[last] = min(m.bases[last], b.BaseOffset) // the log start of a follower may lie inside a batch
	}
	if bytes, _ := sum(active); bytes > 0 {
		more, timestamp := sum([]kafka.Batch{b})
		if _, first := sum(active[:1]); bytes+more > limits.SegmentBytes || timestamp-first > limits.SegmentTicks {
			m.bases = append(m.bases, b.BaseOffset)
		}
	}
	m.batches = append(m.batches, b)
	m.end = b.NextOffset()
}

// largest is the largest timestamp of the n-th segment. A segment that the cleaner emptied has that of its predecessor.
func (m *model) largest(n int) kafka.Tick {
	if batches := m.in(n); len(batches) > 0 {
		_, largest := sum(batches)
		return largest
	}
	return m.history.emptied[m.bases[n]]
}

func (m *model) truncate(offset kafka.Offset) {
	if offset < m.start {
		*m = newModel(offset)
	}
	m.end = min(m.end, offset)
	for n := len(m.batches); n > 0 && m.batches[n-1].NextOffset() > offset; n-- {
		m.end = max(m.start, min(m.end, m.batches[n-1].BaseOffset))
		m.batches = m.batches[:n-1]
	}
	for n := len(m.bases) - 1; m.bases[n] > m.end; n-- {
		m.bases = m.bases[:n]
	}
	m.history.truncate(m.end)
}

// retain deletes one segment after the other, as long as the oldest one qualifies.
func (m *model) retain(c *kafka.LogConfig, highWatermark kafka.Offset, now kafka.Tick) (gone int) {
	qualifies := []func(size int64, largest kafka.Tick, next kafka.Offset) bool{
		func(_ int64, _ kafka.Tick, next kafka.Offset) bool { return len(m.bases) > 1 && next <= m.start },
		func(size int64, _ kafka.Tick, _ kafka.Offset) bool {
			total, _ := sum(m.batches)
			return c.RetentionBytes >= 0 && total-size >= c.RetentionBytes
		},
		func(_ int64, largest kafka.Tick, _ kafka.Offset) bool {
			return c.RetentionTicks >= 0 && now-largest > c.RetentionTicks
		},
	}
	for _, qualify := range qualifies {
		for {
			oldest, next := m.in(0), m.end
			if len(m.bases) > 1 {
				next = m.bases[1]
			}
			size, _ := sum(oldest)
			largest := m.largest(0)
			if next > highWatermark || len(m.bases) == 1 && size == 0 || !qualify(size, largest, next) {
				break
			}
			if len(m.bases) == 1 {
				m.bases = append(m.bases, m.end)
			}
			m.batches, m.bases = m.batches[len(oldest):], m.bases[1:]
			m.start = max(m.start, next)
			m.history.forget(m.bases[0])
			gone++
		}
	}
	return gone
}

// read is what Read may return at most.
func (m *model) read(from, upTo kafka.Offset, maxBytes int) []kafka.Batch {
	var found []kafka.Batch
	size := int64(0)
	for _, b := range m.batches {
		size += b.Bytes() + kafka.BatchOverhead
		switch {
		case b.NextOffset() <= from:
			size = 0
		case b.NextOffset() > upTo, len(found) > 0 && size > int64(maxBytes):
			return found
		default:
			found = append(found, b)
		}
	}
	return found
}

// pair is a log and the model of it.
type pair struct {
	log   *Log
	model model
}

// cluster is some logs that copy from each other. Some are replicas of one partition, some are clones of others: to a
// log this makes no difference.
type cluster struct {
	pairs   []pair
	columns *kafka.Columns
	nextID  kafka.RecordID
}

func (c *cluster) draw(t *rapid.T, name string) *pair {
	return &c.pairs[rapid.IntRange(0, len(c.pairs)-1).Draw(t, name)]
}

// drawOffset favours what is close to either end, or to the middle.
func drawOffset(t *rapid.T, low, high kafka.Offset) kafka.Offset {
	distance := kafka.Offset(rapid.Int64Range(0, int64(high-low)).Draw(t, "distance"))
	switch rapid.IntRange(0, 2).Draw(t, "from") {
	case 0:
		return high - distance
	case 1:
		return low + (high-low+distance)/2
	}
	return low + distance
}

func (c *cluster) appendAsLeader(t *rapid.T) {
	p := c.draw(t, "leader")
	epoch := max(0, p.log.LatestEpoch())
	if n := len(p.model.batches); n > 0 {
		epoch = max(epoch, p.model.batches[n-1].LeaderEpoch) // also when the cache has forgotten it
	}
	epoch += kafka.Epoch(rapid.IntRange(0, 1).Draw(t, "new epoch"))
	for range rapid.SampledFrom([]int{1, 2, 11, 40, 210}).Draw(t, "batches") {
		list := make([]kafka.Record, 1+c.nextID%3)
		for i := range list {
			list[i] = kafka.Record{
				ID: c.nextID, Key: kafka.KeyID(c.nextID*c.nextID%37) - 1, Size: 100, Tombstone: c.nextID%6 == 0,
				Timestamp: kafka.Tick(c.nextID - 7*(c.nextID%5)),
			}
			c.nextID++
		}
		b := kafka.Batch{Records: c.columns.Append(list...), ProducerID: kafka.ProducerID(c.nextID%5) - 1, BaseSequence: int32(c.nextID)}
		p.model.history.extend(p.log.EndOffset())
		stored := p.log.AppendAsLeader(b, epoch)
		p.model.add(stored)
		p.model.history.all = append(p.model.history.all, stored)
	}
}

// appendAsFollower truncates a follower to what it has in common with a leader and then copies some batches. The logs
// are Read where a fetch would be, or copied one by one as a message might carry them.
func (c *cluster) appendAsFollower(t *rapid.T) {
	follower, leader := c.draw(t, "follower"), c.draw(t, "leader")
	common := 0
	for common < min(len(follower.model.batches), len(leader.model.batches)) &&
		same(&follower.model.batches[common], &leader.model.batches[common]) {
		common++
	}
	at := leader.model.start
	if common > 0 {
		at = follower.model.batches[common-1].NextOffset()
	}
	if common > 0 && at >= max(follower.model.start, leader.model.start) {
		follower.log.TruncateTo(at)
		follower.model.truncate(at)
	} else {
		at = max(at, leader.model.start)
		follower.log.TruncateFullyAndStartAt(at)
		follower.model = newModel(at)
	}
	maxBytes := rapid.SampledFrom([]int{1, 1000, 100_000}).Draw(t, "bytes")
	shared := rapid.Bool().Draw(t, "shared")
	for range rapid.SampledFrom([]int{0, 1, 10, 300}).Draw(t, "fetches") {
		batches := leader.log.Read(follower.log.EndOffset(), leader.log.EndOffset(), maxBytes)
		if !shared {
			batches = slices.Clone(batches)
		}
		follower.log.AppendAsFollower(batches)
		for _, b := range batches {
			follower.model.add(b)
		}
	}
	follower.model.history.copy(&leader.model.history, at, follower.model.end)
}

func (c *cluster) truncate(t *rapid.T) {
	p := c.draw(t, "log")
	offset := drawOffset(t, max(0, p.model.start-1), p.model.end+1)
	p.log.TruncateTo(offset)
	p.model.truncate(offset)
}

func (c *cluster) advanceStart(t *rapid.T) {
	p := c.draw(t, "log")
	offset := drawOffset(t, p.model.start, p.model.end)
	p.log.AdvanceStartOffset(offset)
	p.model.start = offset
}

// retain is a retention check with limits that take nothing, some or all.
func (c *cluster) retain(t *rapid.T) {
	p := c.draw(t, "log")
	config := limits
	config.RetentionBytes = rapid.SampledFrom([]int64{-1, 0, 3000, 20_000}).Draw(t, "retention.bytes")
	config.RetentionTicks = rapid.SampledFrom([]kafka.Tick{-1, 0, 50, 500}).Draw(t, "retention.ms")
	hw := drawOffset(t, p.model.start, p.model.end)
	p.log.Configure(&config)
	gone := p.log.DeleteOldSegments(hw, kafka.Tick(c.nextID))
	p.log.Configure(&limits)
	if want := p.model.retain(&config, hw, kafka.Tick(c.nextID)); len(gone) != want {
		t.Fatalf("%d segments deleted, expected %d", len(gone), want)
	}
}

func (c *cluster) clone(t *rapid.T) {
	from, to := c.draw(t, "from"), c.draw(t, "to")
	if len(c.pairs) < 6 {
		c.pairs = append(c.pairs, pair{})
		to = &c.pairs[len(c.pairs)-1]
	}
	*to = pair{log: from.log.Clone(), model: from.model.clone()}
}

func same(a, b *kafka.Batch) bool {
	return a.BaseOffset == b.BaseOffset && a.LeaderEpoch == b.LeaderEpoch && a.NextOffset() == b.NextOffset() &&
		a.DeleteHorizon() == b.DeleteHorizon() && slices.Equal(a.IDs(), b.IDs())
}

// check holds every log against its model, so that a change of one that reached another is found.
func (c *cluster) check(t *rapid.T) {
	for n := range c.pairs {
		l, m := c.pairs[n].log, &c.pairs[n].model
		if l.StartOffset() != m.start || l.EndOffset() != m.end {
			t.Fatalf("log %d reaches from %d to %d, expected %d to %d", n, l.StartOffset(), l.EndOffset(), m.start, m.end)
		}
		i := 0
		for b := range l.All() {
			if i == len(m.batches) || !same(b, &m.batches[i]) {
				t.Fatalf("log %d: batch %d differs", n, i)
			}
			i++
		}
		if i != len(m.batches) {
			t.Fatalf("log %d has %d batches, expected %d", n, i, len(m.batches))
		}
		checkEpochs(t, l, m)
		checkSegments(t, l, m)
		checkLastValues(t, l, m)
	}
	c.checkRead(t)
}

// checkSegments holds what the log counts against what lies in it.
func checkSegments(t *rapid.T, l *Log, m *model) {
	got := l.Segments()
	if len(got) != len(m.bases) {
		t.Fatalf("%d segments, expected %d", len(got), len(m.bases))
	}
	for i, s := range got {
		bytes, _ := sum(m.in(i))
		largest := m.largest(i)
		if s.BaseOffset != m.bases[i] || s.Bytes != bytes || bytes > 0 && s.Largest != largest {
			t.Fatalf("segment %d: %+v, expected base %d, %d bytes, largest timestamp %d", i, s, m.bases[i], bytes, largest)
		}
	}
}

// checkEpochs holds the cache against the epochs that the records have: as in Kafka, an entry may begin below the log start
// offset or in a gap, and may have lost its records.
func checkEpochs(t *rapid.T, l *Log, m *model) {
	for i := range m.batches {
		b := &m.batches[i]
		if b.NextOffset() <= m.start {
			continue
		}
		epoch := kafka.NoEpoch
		for _, e := range l.Epochs() {
			if e.StartOffset <= max(m.start, b.BaseOffset) {
				epoch = e.Epoch
			}
		}
		if epoch != b.LeaderEpoch {
			t.Fatalf("epochs %v: %d at offset %d, expected %d", l.Epochs(), epoch, b.BaseOffset, b.LeaderEpoch)
		}
	}
	for i, e := range l.Epochs() {
		if i > 0 && (e.StartOffset <= l.Epochs()[i-1].StartOffset || e.Epoch <= l.Epochs()[i-1].Epoch) {
			t.Fatalf("epochs %v do not rise", l.Epochs())
		}
	}
}

func (c *cluster) checkRead(t *rapid.T) {
	p := c.draw(t, "read log")
	from, upTo := drawOffset(t, p.model.start, p.model.end), drawOffset(t, p.model.start, p.model.end+1)
	maxBytes := rapid.IntRange(0, 3000).Draw(t, "max bytes")
	got, want := p.log.Read(from, upTo, maxBytes), p.model.read(from, upTo, maxBytes)
	if len(got) > len(want) || len(got) == 0 && len(want) > 0 {
		t.Fatalf("read %d batches, expected %d", len(got), len(want))
	}
	for i := range got {
		if !same(&got[i], &want[i]) {
			t.Fatalf("read batch %d at offset %d, expected offset %d", i, got[i].BaseOffset, want[i].BaseOffset)
		}
	}
	for i := range p.model.batches {
		if b := &p.model.batches[i]; b.BaseOffset <= from && from < b.NextOffset() && p.log.EpochAt(from) != b.LeaderEpoch {
			t.Fatalf("epoch %d at offset %d, expected %d", p.log.EpochAt(from), from, b.LeaderEpoch)
		}
	}
}

func TestLogAgreesWithListOfBatches(t *testing.T) {
	for range 8 {
		rapid.Check(t, logAgreesWithModel)
	}
}

func logAgreesWithModel(t *rapid.T) {
	c := &cluster{columns: kafka.NewColumns(0), pairs: make([]pair, 3)}
	for i := range c.pairs {
		c.pairs[i] = pair{New(0), newModel(0)}
		c.pairs[i].log.Configure(&limits)
	}
	t.Repeat(map[string]func(*rapid.T){
		"append as leader":   c.appendAsLeader,
		"append as follower": c.appendAsFollower,
		"truncate":           c.truncate,
		"advance start":      c.advanceStart,
		"retention":          c.retain,
		"compaction":         c.compact,
		"clone":              c.clone,
		"":                   c.check,
	})
}

func TestClonesKeepTheirOwnEpochs(t *testing.T) {
	l := leaderLog(0, 1, 2, 3)
	c := l.Clone()
	l.AssignEpoch(4, 3)
	c.AssignEpoch(5, 3)
	if l.LatestEpoch() != 4 || c.LatestEpoch() != 5 {
		t.Errorf("latest epochs %d and %d, expected 4 and 5", l.LatestEpoch(), c.LatestEpoch())
	}
}

// TestClonesKeepTheirOwnChunks fills more chunks on both sides, whatever room the list of chunks had left.
func TestClonesKeepTheirOwnChunks(t *testing.T) {
	for n := range 12 {
		l := leaderLog(0, make([]kafka.Epoch, n*largeChunk+1)...)
		c, common := l.Clone(), l.EndOffset()
		for range 3 * largeChunk {
			l.AppendAsLeader(records(1), 1)
			c.AppendAsLeader(records(1), 2)
		}
		for o := common; o < l.EndOffset(); o++ {
			if l.EpochAt(o) != 1 || c.EpochAt(o) != 2 {
				t.Fatalf("epochs %d and %d at offset %d, expected 1 and 2", l.EpochAt(o), c.EpochAt(o), o)
			}
		}
	}
}

func TestFollowerSharesTheLeadersMemory(t *testing.T) {
	leader, follower := New(0), New(0)
	batch := records(1)
	allocs := testing.AllocsPerRun(100, func() {
		for range 10 * largeChunk {
			leader.AppendAsLeader(batch, 0)
			follower.AppendAsFollower(leader.Read(follower.EndOffset(), leader.EndOffset(), 1))
		}
	})
	if allocs > 15 {
		t.Errorf("%v allocations for 10 chunks of batches, expected one each", allocs)
	}
	next := leader.Read(0, leader.EndOffset(), 1<<20)
	if &next[0] != &follower.Read(0, follower.EndOffset(), 1<<20)[0] {
		t.Error("the follower has a copy of the leader's batches")
	}
}

func TestFirstBatchComesWholeWhateverItsSize(t *testing.T) {
	l := leaderLog(0, 0, 0, 0)
	for _, c := range []struct{ maxBytes, batches int }{{0, 1}, {161, 1}, {321, 1}, {322, 2}, {1000, 3}} {
		if got := l.Read(0, 3, c.maxBytes); len(got) != c.batches {
			t.Errorf("%d batches in %d bytes, expected %d (KIP-74)", len(got), c.maxBytes, c.batches)
		}
	}
}

// TestFollowerAppendsBehindItsLog: a gap passes, as it does in Kafka; what the log has already does not.
func TestFollowerAppendsBehindItsLog(t *testing.T) {
	l, b := leaderLog(0, 0, 0), records(1)
	b.BaseOffset = 3
	l.AppendAsFollower([]kafka.Batch{b})
	if l.EndOffset() != 4 || len(l.Read(2, 4, 0)) != 1 || l.HasNews(2, 3) {
		t.Errorf("the log ends at %d, and there is news from offset 2 to 3: %v", l.EndOffset(), l.HasNews(2, 3))
	}
	defer func() {
		if want := "commitlog: a follower expected a batch at offset 4, not at 3"; recover() != want {
			t.Errorf("no panic %q", want)
		}
	}()
	l.AppendAsFollower([]kafka.Batch{b})
}
