package coordinator

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"replog/internal/kafka"
	"replog/internal/node"
)

// schedule draws what happens to a coordinator: members of a classic group and of a KIP-848 group that come, go, fall
// silent, lose answers and begin anew, commits, and time.
type schedule struct {
	*bench
	rt       *rapid.T
	classic  []*process
	modern   []*consumer
	lives    int
	groups   int               // how often the classic group was deleted
	assigned map[string]string // by times deleted, generation and partition: the member that got it
	highest  int32             // generation seen so far
	epochs   map[string]int32  // of KIP-848 members, and of the group and its target
}

// process is a classic consumer that can only do one thing at a time.
type process struct {
	*member
	parked  uint32 // corr of the JoinGroup or SyncGroup that it waits for
	syncing bool
	group   int // schedule.groups when it joined
}

func TestAnyScheduleKeepsTheGroupsWhole(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := &schedule{bench: newBench(t), rt: rt, assigned: map[string]string{}, epochs: map[string]int32{}}
		for i := range kafka.NodeID(3) {
			m := s.member(64 + i)
			if rapid.Bool().Draw(rt, "static") {
				m.instance = fmt.Sprint("static-", i)
			}
			s.classic = append(s.classic, &process{member: m})
			s.modern = append(s.modern, s.newConsumer(70+i, rapid.Bool().Draw(rt, "static")))
		}
		if rapid.Bool().Draw(rt, "at rest") {
			s.settles()
		}
		for range rapid.IntRange(5, 60).Draw(rt, "steps") {
			s.draw()
			s.invariants()
		}
		s.held = false
		s.commit(kafka.None)
		s.agrees()
		s.clones()
		s.settles()
		s.agrees()
	})
}

func (s *schedule) newConsumer(n kafka.NodeID, static bool) *consumer {
	s.lives++
	c := s.consumer(n, fmt.Sprint("m", n, "-", s.lives))
	c.epoch = joinEpoch
	if static {
		c.instance = fmt.Sprint("static-", n)
	}
	return c
}

func (s *schedule) draw() {
	who := rapid.IntRange(0, 2).Draw(s.rt, "who")
	switch rapid.SampledFrom([]string{"classic", "classic", "classic", "modern", "modern", "modern", "time", "log", "fail over", "growth"}).Draw(s.rt, "what") {
	case "classic":
		s.classic[who].act(s)
	case "modern":
		s.actModern(who)
	case "time":
		s.pass(rapid.SampledFrom([]kafka.Tick{10, second, 3 * second, 20 * second, 5 * minute}).Draw(s.rt, "span"))
	case "log":
		if s.held = !s.held; !s.held {
			s.commit(rapid.SampledFrom([]kafka.ErrorCode{kafka.None, kafka.None, kafka.RequestTimedOut}).Draw(s.rt, "outcome"))
		}
	case "fail over":
		s.failOver()
	case "growth":
		s.grow(rapid.IntRange(0, 1).Draw(s.rt, "topic"))
		if rapid.Bool().Draw(s.rt, "unseen") { // by the coordinator that dealt out what there was
			s.failOver()
		}
	}
}

// grow gives a topic one more partition.
func (s *schedule) grow(topic int) {
	next := kafka.PartitionID(0)
	topics := slices.Clone(s.setting.Topics)
	for _, t := range topics {
		next = max(next, slices.Max(t.Partitions)+1)
	}
	topics[topic].Partitions = append(slices.Clone(topics[topic].Partitions), next)
	s.Know(topics)
}

// failOver has another broker read the log and take over.
func (s *schedule) failOver() {
	s.held = false
	s.commit(kafka.None)
	s.step(func(*Write) { s.Resign(&s.out) })
	s.Groups = s.reload()
	s.step(func(*Write) { s.Loaded(s.now, &s.out) })
	s.highest = 0 // a generation that nobody was assigned in may begin again
	if g := s.find(work); g.isClassic() {
		s.highest = g.classic.generation
	}
}

// act takes in what has come for the process, or else has it do something.
func (p *process) act(s *schedule) {
	if p.parked != 0 {
		if body, ok := p.answers[p.parked]; ok {
			p.take(s, body)
		} else if rapid.IntRange(0, 4).Draw(s.rt, "patience") == 0 {
			p.restart()
		}
		return
	}
	switch rapid.IntRange(0, 7).Draw(s.rt, "act") {
	case 0:
		p.restart()
	case 1:
		p.send(p.node, &kafka.LeaveGroupRequest{MemberID: p.id, Group: work, InstanceID: p.instance})
		p.restart()
	case 2:
		p.send(p.node, &kafka.HeartbeatRequest{MemberID: p.id, InstanceID: p.instance, Group: work, Generation: p.generation})
	case 3:
		p.send(p.node, &kafka.OffsetCommitRequest{
			MemberID: p.id, InstanceID: p.instance, Group: work, Generation: p.generation,
			Offsets: []kafka.PartitionOffset{{Partition: kafka.PartitionID(rapid.IntRange(0, 5).Draw(s.rt, "partition")), Offset: 7}},
		})
	case 4:
		for i := range p.protocols {
			p.protocols[i].Generation = p.generation // as a cooperative member says
		}
		fallthrough
	default:
		p.parked, p.syncing = p.sendJoin(), false
	}
}

// restart begins a new life; the connections of the old one are gone.
func (p *process) restart() { p.parked, p.id, p.generation = 0, "", -1 }

func (p *process) take(s *schedule, body kafka.Body) {
	p.parked = 0
	if p.syncing {
		r := body.(*kafka.SyncGroupResponse)
		if r.Error == kafka.None {
			p.got(s, r.Partitions)
		}
		return
	}
	r := body.(*kafka.JoinGroupResponse)
	switch r.Error {
	case kafka.MemberIDRequired:
		p.id = r.MemberID
		p.parked = p.sendJoin()
	case kafka.None:
		if p.id != "" && p.id != r.MemberID {
			s.rt.Fatalf("%s is called %s", p.id, r.MemberID)
		}
		p.id, p.generation, p.group = r.MemberID, r.Generation, s.groups
		p.parked, p.syncing = p.sync(p.deal(r)...), true
	default:
		p.restart()
	}
}

// deal is what the leader assigns: always the same for the same members.
func (p *process) deal(r *kafka.JoinGroupResponse) []kafka.MemberAssignment {
	if r.Leader != r.MemberID || r.SkipAssignment {
		return nil
	}
	parts := make([]kafka.MemberAssignment, len(r.Members))
	for i := range kafka.PartitionID(6) {
		at := &parts[int(i)%len(parts)]
		at.MemberID = r.Members[int(i)%len(parts)].ID
		at.Partitions = append(at.Partitions, i)
	}
	return parts
}

// got holds that no partition has two owners in a generation. A static member is the same under any member id.
func (p *process) got(s *schedule, partitions []kafka.PartitionID) {
	me := p.id
	if p.instance != "" {
		me = p.instance
	}
	for _, partition := range partitions {
		key := fmt.Sprint(p.group, p.generation, partition)
		if before, twice := s.assigned[key]; twice && before != me {
			s.rt.Fatalf("partition %d belongs to %s and to %s in generation %d", partition, before, me, p.generation)
		}
		s.assigned[key] = me
	}
}

// actModern has a KIP-848 member do something; the answer may be lost.
func (s *schedule) actModern(who int) {
	c := s.modern[who]
	r := c.request(c.epoch)
	switch what := rapid.IntRange(0, 9).Draw(s.rt, "act"); {
	case what == 0:
		s.modern[who] = s.newConsumer(c.node, c.instance != "")
		return
	case what == 1:
		r.MemberEpoch = leaveEpoch
		if c.instance != "" && rapid.Bool().Draw(s.rt, "for a while") {
			r.MemberEpoch = leaveStaticEpoch
		}
		s.send(c.node, r)
		s.modern[who] = s.newConsumer(c.node, c.instance != "")
		return
	case what == 2:
		s.send(c.node, &kafka.OffsetCommitRequest{
			MemberID: c.id, Group: pack, Generation: c.epoch, Offsets: []kafka.PartitionOffset{{Partition: 1, Offset: 3}},
		})
		return
	case what == 3:
		c.topics = rapid.SampledFrom([][]kafka.TopicID{{ordersTopic}, {slipsTopic}, {ordersTopic, slipsTopic}}).Draw(s.rt, "topics")
		fallthrough
	case c.epoch == joinEpoch || what < 6:
		r = c.full(c.epoch, c.owned)
	case what < 8:
		r.Owned, r.Reported = c.owned, true
	}
	corr := s.send(c.node, r)
	if body, ok := s.answers[corr]; ok && rapid.IntRange(0, 4).Draw(s.rt, "lost") > 0 {
		s.hearModern(c, body.(*kafka.ConsumerGroupHeartbeatResponse))
	}
}

func (s *schedule) hearModern(c *consumer, r *kafka.ConsumerGroupHeartbeatResponse) {
	switch r.Error {
	case kafka.None:
		if r.MemberEpoch < c.epoch {
			s.rt.Fatalf("%s goes from epoch %d back to %d", c.id, c.epoch, r.MemberEpoch)
		}
		c.heard(r)
	case kafka.FencedMemberEpoch, kafka.UnknownMemberID, kafka.GroupIDNotFound:
		c.epoch, c.owned = joinEpoch, nil
	}
}

// invariants hold after each step: NoDoubleClientAssignment, and numbers that only go up.
func (s *schedule) invariants() {
	if g := s.find(work); g.isClassic() {
		if g.classic.generation < s.highest {
			s.rt.Fatalf("generation %d after %d", g.classic.generation, s.highest)
		}
		s.highest = g.classic.generation
	} else if s.highest > 0 {
		s.highest = 0
		s.groups++
	}
	g := s.find(pack)
	if !g.isConsumer() {
		clear(s.epochs)
		return
	}
	s.up("group", g.consumer.epoch)
	s.up("target", g.consumer.targetEpoch)
	owner := map[kafka.PartitionID]string{}
	for i := range g.consumer.members {
		m := &g.consumer.members[i]
		if e := m.current.MemberEpoch; e >= 0 {
			s.up("member "+m.id, e)
		}
		if m.current.MemberEpoch > g.consumer.targetEpoch {
			s.rt.Fatalf("%s is at epoch %d, the target at %d", m.id, m.current.MemberEpoch, g.consumer.targetEpoch)
		}
		for _, p := range s.believed(m) {
			if other := owner[p]; other != "" {
				s.rt.Fatalf("partition %d belongs to %s and to %s", p, other, m.id)
			}
			owner[p] = m.id
		}
	}
	s.noDoubleClientAssignment(g.consumer)
}

func (s *schedule) up(what string, epoch int32) {
	if epoch < s.epochs[what] {
		s.rt.Fatalf("the epoch of %s goes from %d to %d", what, s.epochs[what], epoch)
	}
	s.epochs[what] = epoch
}

func (s *schedule) believed(m *consumerMember) []kafka.PartitionID {
	return slices.Concat(m.current.Assigned, m.current.PendingRevocation)
}

// noDoubleClientAssignment looks at what the members themselves believe, as long as the group knows them.
func (s *schedule) noDoubleClientAssignment(g *consumerGroup) {
	owner := map[kafka.PartitionID]string{}
	for _, c := range s.modern {
		if m := g.member(c.id); m == nil || m.current.MemberEpoch < 0 || c.epoch != m.current.MemberEpoch && c.epoch != m.current.PreviousEpoch {
			continue
		}
		for _, p := range c.owned {
			if other := owner[p]; other != "" {
				s.rt.Fatalf("%s and %s both believe that they have partition %d", other, c.id, p)
			}
			owner[p] = c.id
		}
	}
}

// agrees holds coordinators that have read the log against the one that wrote it: the whole log, and what compaction leaves
// of it, with and without the tombstones.
func (s *schedule) agrees() {
	s.agreesWith(s.log)
	compacted := s.compacted()
	s.agreesWith(compacted)
	s.agreesWith(slices.DeleteFunc(compacted, func(r kafka.CoordinatorRecord) bool { return r.Value == nil }))
}

// compacted is the last record of each key.
func (s *schedule) compacted() []kafka.CoordinatorRecord {
	var kept []kafka.CoordinatorRecord
	seen := map[kafka.CoordinatorKey]bool{}
	for _, r := range slices.Backward(s.log) {
		if !seen[r.Key] {
			seen[r.Key] = true
			kept = append(kept, r)
		}
	}
	slices.Reverse(kept)
	return kept
}

func (s *schedule) agreesWith(log []kafka.CoordinatorRecord) {
	again := s.replay(log)
	for _, id := range []kafka.GroupID{work, pack} {
		g := s.find(id)
		rests := !g.isClassic() || g.classic.state == stableGroup || g.classic.state == emptyGroup
		wrote, read := durable(g, rests), durable(again.find(id), rests)
		if wrote != read {
			s.rt.Fatalf("group %d\nwrote %s\nread  %s", id, wrote, read)
		}
	}
}

// durable tells what of a group is in the log. Of a classic group that does not rest that is not what it is, but what it
// was.
func durable(g *group, rests bool) string {
	text := ""
	if g == nil {
		return text
	}
	for _, o := range g.offsets {
		text += fmt.Sprint(o.partition, *o.value, " ")
	}
	switch {
	case g.isConsumer():
		c := g.consumer
		text += fmt.Sprint("epochs ", c.epoch, c.targetEpoch, c.metadataHash)
		for _, m := range c.members {
			text += fmt.Sprint(" ", m.id, *m.spec, *m.target, *m.current)
		}
	case g.isClassic() && rests && g.classic.generation > 0:
		text += fmt.Sprint(*g.classic.value(nil))
	}
	return text
}

// clones holds that a copy does the same, and that what happens to it does not happen to the original.
func (s *schedule) clones() {
	before := s.fingerprint(s.Groups)
	copied := s.Clone()
	if s.fingerprint(copied) != before {
		s.rt.Fatal("a clone differs")
	}
	var out node.Out
	var w Write
	out.Begin(s.now, 0, 1, false)
	for range 10 {
		copied.Expire(max(s.now, copied.Deadline()), &out, &w)
	}
	if s.fingerprint(s.Groups) != before {
		s.rt.Fatal("a clone changes the original")
	}
}

func (s *schedule) fingerprint(g *Groups) uint64 {
	h := node.Hash{Now: s.now}
	g.Fingerprint(&h)
	return h.Sum()
}

// settles lets everybody go on without faults: both groups come to rest, with all partitions dealt out.
func (s *schedule) settles() {
	for _, p := range s.classic {
		if p.parked == 0 {
			p.restart()
			p.parked, p.syncing = p.sendJoin(), false
		}
	}
	unrest := ""
	for range 600 {
		for i, p := range s.classic {
			s.goOn(p)
			c := s.modern[i]
			s.hearModern(c, c.ask(c.full(c.epoch, c.owned)))
		}
		s.invariants()
		if unrest = s.unrest(); unrest == "" {
			return
		}
		s.pass(second)
	}
	s.rt.Fatal(unrest)
}

// unrest says why the groups have not come to rest.
func (s *schedule) unrest() string {
	if g := s.find(work); !g.isClassic() || g.classic.state != stableGroup || len(g.classic.members) < len(s.classic) {
		return "the classic group does not settle"
	}
	for _, p := range s.classic {
		if p.parked != 0 {
			return "somebody waits for an answer in a stable group"
		}
	}
	g := s.find(pack).consumer
	for i := range g.members {
		m := &g.members[i]
		if MemberState(m.current.State) != Stable || m.current.MemberEpoch != g.epoch || !slices.Equal(m.current.Assigned, m.target.Partitions) {
			return fmt.Sprintf("%s does not get to %v at epoch %d: %+v", m.id, m.target, g.epoch, *m.current)
		}
	}
	for t := range s.setting.Topics {
		for _, p := range s.setting.Topics[t].Partitions {
			if s.find(pack).subscribes(kafka.TopicID(t)) && !g.owned(p) {
				return fmt.Sprintf("nobody has partition %d", p)
			}
		}
	}
	return ""
}

// goOn has a classic process do what a sound client does.
func (s *schedule) goOn(p *process) {
	if body, ok := p.answers[p.parked]; ok && p.parked != 0 {
		p.take(s, body)
	}
	if p.parked != 0 {
		return
	}
	if code := p.beat(); code != kafka.None {
		if code != kafka.RebalanceInProgress {
			p.restart()
		}
		p.parked, p.syncing = p.sendJoin(), false
	}
}
