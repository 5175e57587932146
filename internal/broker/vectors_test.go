package broker

import (
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"replog/internal/kafka"
	"replog/internal/testdata"
)

// step is one step of a case of hw_isr.json. Expectations stand beside the operation, or alone in "expect".
type step struct {
	Op             string
	Leader         kafka.NodeID
	ISR, Replicas  []kafka.NodeID
	LeaderEpoch    kafka.Epoch
	PartitionEpoch int32
	Records        int
	Acks           kafka.Acks
	ID             string
	TimeoutMs      kafka.Tick
	Replica        any // a broker, or the expected state of brokers
	Offset         kafka.Offset
	Ms             kafka.Tick
	Error          string
	Broker         kafka.NodeID
	State          string
	HW, LEO        *kafka.Offset

	CurrentLeaderEpoch, LastFetchedEpoch *kafka.Epoch
	MaximalISR                           []kafka.NodeID
	PendingAlterPartition                json.RawMessage
	LeaderEpochStartOffset               *kafka.Offset
	UnderMinISR, AtMinISR                *bool
	UnderReplicated                      *bool
	Produce                              map[string]string
	Expect                               json.RawMessage

	RequiredOffset, HighWatermark   kafka.Offset
	MaximalISRSize, EffectiveMinISR int
	Steps                           [][]any
}

type hwCase struct {
	ID, Desc          string
	LagMaxMs          kafka.Tick
	MinInsyncReplicas int
	Steps             []step
}

func TestHighWatermarkAndISRVectors(t *testing.T) {
	for _, c := range testdata.Vectors[hwCase](t, "hw_isr.json") {
		t.Run(c.ID, func(t *testing.T) { runCase(t, &c) })
	}
}

// driver runs a case.
type driver struct {
	*bench
	sent map[string]kafka.ConnID // produce requests by their id
}

func runCase(t *testing.T, c *hwCase) {
	replicas := []kafka.NodeID{1, 2}
	for i := range c.Steps {
		if c.Steps[i].Replicas != nil {
			replicas = c.Steps[i].Replicas
			break
		}
	}
	d := &driver{bench: newBench(t, max(1, c.MinInsyncReplicas), replicas...), sent: map[string]kafka.ConnID{}}
	d.plan.Broker.ReplicaLagTimeTicks = c.LagMaxMs
	for i := range c.Steps {
		d.run(&c.Steps[i])
		if t.Failed() {
			t.Fatalf("in step %d: %s", i, c.Steps[i].Op)
		}
	}
}

func (d *driver) run(s *step) {
	switch s.Op {
	case "becomeLeader":
		if s.LeaderEpoch == d.p.leaderEpoch && s.PartitionEpoch <= d.p.partitionEpoch {
			s.PartitionEpoch = d.p.partitionEpoch + 1
		}
		d.lead(1, s.LeaderEpoch, s.PartitionEpoch, s.ISR...)
	case "becomeFollower":
		d.lead(s.Leader, s.LeaderEpoch, d.p.partitionEpoch+1, d.p.isr.Members()...)
	case "writeLogOnly":
		d.write(s.Records, max(0, d.p.leaderEpoch))
	case "setHighWatermark":
		d.p.hw = *s.HW
	case "produce":
		d.doProduce(s)
	case "fetch":
		d.doFetch(s)
	case "followerRead", "consumerRead":
		d.doRead(s)
	case "isrExpiryCheck":
		d.look()
	case "advanceMs":
		d.pass(s.Ms, timerProduceExpired)
	case "alterPartitionOk":
		d.committed(s.PartitionEpoch)
	case "alterPartitionFail":
		code, _ := kafka.ParseErrorCode(s.Error)
		d.refused(code)
		d.pass(d.b.config.AlterPartitionRetry, timerAlterPartition)
	case "brokerState":
		d.brokerState(s)
	case "checkAck":
		d.checkAck(s)
	case "logHw":
		d.logHighWatermark(s)
	case "expect":
		d.expect(s)
	default:
		d.t.Fatalf("unknown operation %s", s.Op)
	}
}

func (d *driver) doProduce(s *step) {
	timeout := s.TimeoutMs
	if timeout == 0 {
		timeout = 30000
	}
	conn := d.produce(s.Records, s.Acks, timeout)
	d.sent[s.ID] = conn
	if s.Expect == nil {
		return
	}
	var want struct {
		Error  string
		Offset kafka.Offset
	}
	d.decode(s.Expect, &want)
	if code, base := d.produced(conn); code != want.Error || base != want.Offset {
		d.t.Errorf("answered %s at %d, want %+v", code, base, want)
	}
}

func (d *driver) decode(text json.RawMessage, into any) {
	if err := json.Unmarshal(text, into); err != nil {
		d.t.Fatal(err)
	}
}

func (d *driver) position(s *step) (kafka.NodeID, kafka.FetchPartition) {
	position := kafka.FetchPartition{
		FetchOffset: s.Offset, CurrentLeaderEpoch: d.p.leaderEpoch, LastFetchedEpoch: kafka.NoEpoch,
	}
	if s.CurrentLeaderEpoch != nil {
		position.CurrentLeaderEpoch = *s.CurrentLeaderEpoch
	}
	if s.LastFetchedEpoch != nil {
		position.LastFetchedEpoch = *s.LastFetchedEpoch
	}
	from := kafka.FirstClientID
	if n, ok := s.Replica.(float64); ok {
		from = kafka.NodeID(n)
	}
	return from, position
}

func (d *driver) doFetch(s *step) {
	conn := d.fetch(d.position(s))
	if s.Expect == nil {
		return
	}
	var want struct {
		Error     string
		Diverging bool
	}
	d.decode(s.Expect, &want)
	got := d.firstOf(conn)
	if got.Error.String() != want.Error || (got.Diverging != nil) != want.Diverging {
		d.t.Errorf("answered %+v, want %+v", got, want)
	}
}

// firstOf is what a fetch brought for the partition; a parked fetch waits until it is answered.
func (d *driver) firstOf(conn kafka.ConnID) kafka.FetchedPartition {
	if d.answer(conn) == nil {
		d.pass(500, timerFetchExpired)
	}
	r, ok := d.answer(conn).(*kafka.FetchResponse)
	if !ok {
		d.t.Fatal("the fetch is not answered")
	}
	if len(r.Partitions) == 0 {
		return kafka.FetchedPartition{} // no news
	}
	return r.Partitions[0]
}

func (d *driver) doRead(s *step) {
	var want struct {
		Error           string
		Records         int
		RecordsNonEmpty bool
	}
	d.decode(s.Expect, &want)
	got := d.firstOf(d.fetch(d.position(s)))
	if got.Error.String() != want.Error || (len(got.Batches) > 0) != want.RecordsNonEmpty {
		d.t.Errorf("answered %+v, want %+v", got, want)
	}
}

func (d *driver) brokerState(s *step) {
	kind := kafka.UnfenceBroker
	switch s.State {
	case "fenced":
		kind = kafka.FenceBroker
	case "shuttingDown":
		kind = kafka.ControlledShutdown
	}
	d.metadata(kafka.MetadataRecord{Kind: kind, Broker: s.Broker})
}

// checkAck asks what a waiting acks=all request gets for a state of the partition.
func (d *driver) checkAck(s *step) {
	d.lead(1, d.p.leaderEpoch+1, 1, 1, 2)
	d.p.minISR = s.EffectiveMinISR
	conn := d.produce(int(s.RequiredOffset-d.p.log.EndOffset()), kafka.AcksAll, 30000)
	for id := kafka.NodeID(1); d.p.isr.Len() > s.MaximalISRSize; id++ {
		d.p.isr = d.p.isr.Without(id + 1)
	}
	d.p.hw = s.HighWatermark
	d.b.completeWaiting(d.p, d.now, &d.out)
	for i := range d.out.Effects {
		if e := &d.out.Effects[i]; e.Body != nil {
			d.answers[e.Reply.Conn] = append(d.answers[e.Reply.Conn], e.Body)
		}
	}
	if code, _ := d.produced(conn); code != s.mustText(d.t) {
		d.t.Errorf("answered %s, want %s", code, s.Expect)
	}
	*d.bench = *newBench(d.t, 1, 1, 2)
}

func (s *step) mustText(t *testing.T) (text string) {
	if err := json.Unmarshal(s.Expect, &text); err != nil {
		t.Fatal(err)
	}
	return text
}

// logHighWatermark plays a leader that tells its high watermark.
func (d *driver) logHighWatermark(s *step) {
	for _, op := range s.Steps {
		n := int(op[1].(float64))
		switch op[0] {
		case "append":
			d.write(n, 0)
		case "update":
			d.b.learnHighWatermark(d.p, 2, kafka.Offset(n), d.now, &d.out)
		case "advanceLogStart":
			d.lead(1, 0, 0, 1, 2)
			if code := d.b.deleteRecords(d.p, kafka.Offset(n), &d.out); code.String() != op[2] {
				d.t.Errorf("log start %d: %s, want %s", n, code, op[2])
			}
		case "hwIs":
			if d.p.hw != kafka.Offset(n) {
				d.t.Errorf("high watermark %d, want %d", d.p.hw, n)
			}
		}
	}
}

func (d *driver) expect(s *step) {
	same := func(what string, got kafka.Offset, want *kafka.Offset) {
		if want != nil && got != *want {
			d.t.Errorf("%s is %d, want %d", what, got, *want)
		}
	}
	set := func(what string, got kafka.BrokerSet, want []kafka.NodeID) {
		if want != nil && got != kafka.SetOf(want...) {
			d.t.Errorf("%s is %v, want %v", what, got.Members(), want)
		}
	}
	flag := func(what string, got bool, want *bool) {
		if want != nil && got != *want {
			d.t.Errorf("%s is %v, want %v", what, got, *want)
		}
	}
	same("high watermark", d.p.hw, s.HW)
	same("log end offset", d.p.log.EndOffset(), s.LEO)
	same("start of the leader epoch", d.p.epochStart, s.LeaderEpochStartOffset)
	set("ISR", d.p.isr, s.ISR)
	set("maximal ISR", d.p.maximalISR(), s.MaximalISR)
	if s.PartitionEpoch != 0 && d.p.partitionEpoch != s.PartitionEpoch {
		d.t.Errorf("partition epoch %d, want %d", d.p.partitionEpoch, s.PartitionEpoch)
	}
	flag("under min ISR", d.p.underMinISR(), s.UnderMinISR)
	flag("at min ISR", d.p.isr.Len() == d.p.minISR, s.AtMinISR)
	flag("under-replicated", d.p.isr.Len() < len(d.p.replicas), s.UnderReplicated)
	if s.PendingAlterPartition != nil {
		d.expectPending(s.PendingAlterPartition)
	}
	if states, ok := s.Replica.(map[string]any); ok {
		d.expectReplicas(states)
	}
	for id, want := range s.Produce {
		if code, _ := d.produced(d.sent[id]); code != want {
			d.t.Errorf("request %s: %s, want %s", id, code, want)
		}
	}
}

func (d *driver) expectPending(text json.RawMessage) {
	var want []kafka.NodeID
	d.decode(text, &want)
	var got []kafka.NodeID
	if d.p.requested {
		got = d.p.proposed.Members()
	}
	if !slices.Equal(got, want) {
		d.t.Errorf("asked the controller for %v, want %v", got, want)
	}
	if want != nil && d.alter.ISR != kafka.SetOf(want...) {
		d.t.Errorf("the latest request asks for %v, want %v", d.alter.ISR.Members(), want)
	}
}

func (d *driver) expectReplicas(states map[string]any) {
	for id, state := range states {
		n, _ := strconv.Atoi(id)
		f := d.p.follower(kafka.NodeID(n))
		want := state.(map[string]any)
		if end, ok := want["logEndOffset"].(float64); ok && f.logEndOffset != kafka.Offset(end) {
			d.t.Errorf("follower %s: log end offset %d, want %v", id, f.logEndOffset, end)
		}
		caught, named := want["lastCaughtUpMs"]
		switch ms, ok := caught.(float64); {
		case !named:
		case ok && f.lastCaughtUp != kafka.Tick(ms):
			d.t.Errorf("follower %s: caught up at %d, want %v", id, f.lastCaughtUp, ms)
		case !ok && f.lastCaughtUp != never:
			d.t.Errorf("follower %s: caught up at %d, want never", id, f.lastCaughtUp)
		}
	}
}
