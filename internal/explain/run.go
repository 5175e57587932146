package explain

import (
	"fmt"
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/outcome"
)

// maxRunLines bounds the events that a run's story tells of; the outcome comes on top.
const maxRunLines = 30

// Run tells the story of a whole run: what went wrong, who noticed and when, what the producers did, with events that
// are alike in one sentence; then the outcome in words.
func Run(log *event.Log, names *kafka.Names, o *outcome.Outcome) []Line {
	d := digest{log: log, names: names, outcome: o}
	for _, e := range log.All() {
		d.take(e)
	}
	return append(d.lines(), outcomeLines(o)...)
}

// digest gathers the events of a run that matter into groups of events that are alike.
type digest struct {
	log     *event.Log
	names   *kafka.Names
	outcome *outcome.Outcome
	groups  []group
	open    int    // groups from here on may still grow
	led     []bool // indexed by partition: it had a leader
	silence silence
	fenced  kafka.BrokerSet
	// What was stored or shown before; a second time is worth a sentence.
	stored recordSet
	shown  map[kafka.NodeID]map[kafka.RecordID]bool
	done   []recordSet // by consumer group
	ids    map[kafka.TransactionalID]*transactional
}

// topic is what the events of a group have in common.
type topic struct {
	kind  event.Kind
	node  kafka.NodeID
	code  kafka.ErrorCode
	about kafka.MessageKind
	group kafka.GroupID
	id    kafka.TransactionalID
	// doubled: the network delivered a request twice, so no producer is behind the second copy.
	doubled bool
	// ISRChanged: who left the ISR and who joined it.
	left, joined kafka.BrokerSet
	odd          string // what Kafka's own rules do not let happen: a leader that is not in the ISR, a member that is fenced
}

// group is a number of events that one sentence tells.
type group struct {
	topic
	first      *event.Event
	last       *event.Event
	events     int
	stored     int // of records, when the event came
	records    []kafka.RecordID
	actors     []kafka.NodeID // distinct, ordered by id
	peers      []kafka.NodeID // distinct, ordered by id
	partitions []kafka.PartitionID
}

// turning reports whether an event opens a new chapter: what is alike before and after it is told apart.
func turning(k event.Kind) bool {
	switch k {
	case event.FaultBegan, event.FaultEnded, event.BrokerCrashed, event.BrokerRestarted, event.BrokerFenced, event.ConsumerCrashed,
		event.ConsumerStarted, event.ConsumerClosed, event.MemberExpired, event.PollIntervalExceeded:
		return true
	}
	return false
}

// take adds an event to the group that it belongs to, if it matters.
func (d *digest) take(e *event.Event) {
	d.silence.take(e)
	switch e.Kind {
	case event.RunStarted:
		d.add(e, topic{kind: e.Kind, node: e.Node}, nil)
	case event.FaultBegan, event.FaultEnded, event.BrokerCrashed, event.BrokerStopped, event.BrokerRestarted:
		d.add(e, topic{kind: e.Kind, node: e.Node}, nil)
	case event.BrokerUnfenced:
		d.fenced = d.fenced.Without(e.Peer)
	case event.BrokerFenced:
		d.fenced = d.fenced.With(e.Peer)
		d.add(e, topic{kind: e.Kind, node: e.Peer}, nil)
	case event.ControlledShutdownBegan, event.LogDirReported:
		d.add(e, topic{kind: e.Kind, node: e.Peer}, nil)
	case event.LeaderElected:
		d.takeElected(e)
	case event.ISRChanged:
		d.takeISR(e)
	case event.ELRChanged:
		d.add(e, topic{kind: e.Kind, joined: e.ISR()}, nil)
	case event.PartitionOffline:
		d.add(e, topic{kind: e.Kind}, nil)
	case event.UncleanLeaderElected:
		d.add(e, topic{kind: e.Kind, node: e.Peer}, nil)
	case event.MessageHeld, event.MessageDropped, event.MessageDelayed, event.MessageDuplicated, event.ConnectionBroken:
		d.add(e, topic{kind: e.Kind, node: sender(e), about: e.Message}, nil)
	case event.LogTruncated, event.LogTailLost, event.ReplicaOffline, event.OffsetReset:
		d.add(e, topic{kind: e.Kind, node: e.Node}, nil)
	case event.ProduceRequestTimedOut, event.AnswerOutOfTurn, event.ConnectionSilenced:
		d.add(e, topic{kind: e.Kind, node: e.Peer}, nil)
	case event.AnswerRewritten:
		d.add(e, topic{kind: e.Kind, node: e.Node, code: e.Error}, nil)
	case event.ProducerRestarted, event.ProducerEpochBumped, event.ProducerFailed:
		d.add(e, topic{kind: e.Kind, code: e.Error}, nil)
	case event.RecordsResent:
		d.add(e, topic{kind: e.Kind}, d.log.Records(e))
	case event.ProduceRetryScheduled, event.RecordsFailed, event.ProduceRefused:
		d.add(e, topic{kind: e.Kind, code: e.Error}, d.log.Records(e))
	case event.DuplicateRecognised:
		d.add(e, topic{kind: e.Kind, doubled: d.isDoubled(e)}, d.log.Records(e))
	case event.BatchAppended:
		d.takeStored(e)
	case event.RecordsRead:
		d.takeShown(e)
	default:
		d.takeOfGroup(e)
		d.takeOfTransaction(e)
	}
}

// takeElected leaves out the leaders that the run begins with.
func (d *digest) takeElected(e *event.Event) {
	for int(e.Partition) >= len(d.led) {
		d.led = append(d.led, false)
	}
	if d.led[e.Partition] {
		d.add(e, topic{kind: e.Kind, node: e.Peer, odd: outsideISR(e)}, nil)
	}
	d.led[e.Partition] = true
}

func (d *digest) takeISR(e *event.Event) {
	t := topic{kind: e.Kind, left: e.PrevISR() &^ e.ISR(), joined: e.ISR() &^ e.PrevISR()}
	if fenced := t.joined & d.fenced; fenced != 0 {
		t.odd = ", though fenced,"
	}
	d.add(e, t, nil)
}

// sender groups messages by the broker that sent them; those of clients are one group.
func sender(e *event.Event) kafka.NodeID {
	if !e.Node.IsClient() {
		return e.Node
	}
	return kafka.NoNode
}

// takeStored tells of second copies that are still there at the end.
func (d *digest) takeStored(e *event.Event) {
	var again []kafka.RecordID
	if kafka.OwnRecords(d.log.Records(e)) {
		return
	}
	for _, id := range d.log.Records(e) {
		if !d.stored.add(id) {
			continue
		}
		if _, twice := slices.BinarySearch(d.outcome.StoredTwice, id); twice {
			again = append(again, id)
		}
	}
	if again != nil {
		d.add(e, topic{kind: e.Kind, doubled: d.isDoubled(e)}, again)
	}
}

func (d *digest) isDoubled(e *event.Event) bool {
	cause := d.log.Get(e.Cause)
	return cause != nil && cause.Kind == event.MessageDuplicated
}

// takeShown tells of records that a reader shows at a second offset.
func (d *digest) takeShown(e *event.Event) {
	at := slices.IndexFunc(d.outcome.ShownTwice, func(s outcome.Shown) bool { return s.Reader == e.Node })
	if at < 0 {
		return
	}
	if d.shown == nil {
		d.shown = map[kafka.NodeID]map[kafka.RecordID]bool{}
	}
	if d.shown[e.Node] == nil {
		d.shown[e.Node] = map[kafka.RecordID]bool{}
	}
	var again []kafka.RecordID
	for _, id := range d.log.Records(e) {
		if _, twice := slices.BinarySearch(d.outcome.ShownTwice[at].Records, id); !twice {
			continue
		}
		if d.shown[e.Node][id] {
			again = append(again, id)
		}
		d.shown[e.Node][id] = true
	}
	if again != nil {
		d.add(e, topic{kind: e.Kind, node: e.Node}, again)
	}
}

func (d *digest) add(e *event.Event, t topic, records []kafka.RecordID) {
	if turning(e.Kind) {
		d.open = len(d.groups)
	}
	at := d.open + slices.IndexFunc(d.groups[d.open:], func(g group) bool { return g.topic == t })
	if at < d.open {
		at = len(d.groups)
		d.groups = append(d.groups, group{topic: t, first: e})
	}
	d.groups[at].take(e, records)
	for _, id := range records {
		if d.stored.has(id) {
			d.groups[at].stored++
		}
	}
}

// recordSet has a byte for each record; record ids are dense.
type recordSet []bool

// add enters a record and reports whether it was there before.
func (s *recordSet) add(id kafka.RecordID) bool {
	if int(id) >= len(*s) {
		*s = append(*s, make([]bool, int(id)+1-len(*s))...)
	}
	before := (*s)[id]
	(*s)[id] = true
	return before
}

func (s recordSet) has(id kafka.RecordID) bool { return int(id) < len(s) && s[id] }

func (g *group) take(e *event.Event, records []kafka.RecordID) {
	g.last = e
	g.events++
	g.records = append(g.records, records...)
	if at, found := slices.BinarySearch(g.actors, e.Node); !found {
		g.actors = slices.Insert(g.actors, at, e.Node)
	}
	if at, found := slices.BinarySearch(g.peers, e.Peer); !found {
		g.peers = slices.Insert(g.peers, at, e.Peer)
	}
	if at, found := slices.BinarySearch(g.partitions, e.Partition); !found {
		g.partitions = slices.Insert(g.partitions, at, e.Partition)
	}
}

// lines turns the groups into sentences; of too many it keeps the beginning and the end.
func (d *digest) lines() []Line {
	var lines []Line
	for i := range d.groups {
		lines = append(lines, lineOf(d.groups[i].first, capital(d.sentence(&d.groups[i]))))
	}
	if line, worth := d.silence.line(d.names); worth {
		at := slices.IndexFunc(lines, func(l Line) bool { return l.Seq > line.Seq })
		lines = slices.Insert(lines, max(at, 0), line)
	}
	if left := len(lines) - maxRunLines; left > 0 {
		half := maxRunLines / 2
		middle := lines[half]
		middle.Text = fmt.Sprintf("(%s more like these)", count(left+1, "event"))
		lines = append(append(lines[:half:half], middle), lines[half+left+1:]...)
	}
	return lines
}
