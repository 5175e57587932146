package kafka

import (
	"strconv"
	"strings"
)

// Names turns the numbers of a run into what a person reads. It is data, so a trace can carry it.
type Names struct {
	Scenario string `json:"scenario"`
	Variant  string `json:"variant"`
	// TickMicros is the length of a tick in microseconds.
	TickMicros int64 `json:"tick_us"`
	// StartMicros is the time of day of tick 0 in microseconds since midnight, or -1 when the run counts from 0.
	StartMicros int64         `json:"start_us"`
	Nodes       []NodeName    `json:"nodes"`
	Topics      []TopicName   `json:"topics"`
	Keys        []string      `json:"keys"`
	Loads       []RecordRange `json:"loads"`
	Faults      []string      `json:"faults"`
	// Requests are the entries of Faults that only ask for something, and do not act from then on; ascending.
	Requests []int64 `json:"requests,omitempty"`
	// Silent says which entries of Faults keep whom from being heard.
	Silent []Silence `json:"silent,omitempty"`
	// Groups has the group.id of each consumer group.
	Groups []string `json:"groups,omitempty"`
	// GroupHomes has the partition of __consumer_offsets that each group falls into: its leader coordinates the group.
	GroupHomes []PartitionID `json:"group_homes,omitempty"`
	// TransactionalIDs has the transactional.id of each producer with transactions; the first one has the number 1.
	TransactionalIDs []string `json:"transactional_ids,omitempty"`
}

// NodeName names one node.
type NodeName struct {
	ID   NodeID `json:"id"`
	Name string `json:"name"`
	// Group is what several nodes are together: the workers of a service, the brokers.
	Group string `json:"group,omitempty"`
	// ReadsCommitted: it reads with isolation.level=read_committed.
	ReadsCommitted bool `json:"read_committed,omitempty"`
	// Consumes is the group.id of a member of a consumer group.
	Consumes string `json:"consumes,omitempty"`
	// Subscribes has the topics that it reads.
	Subscribes []TopicID `json:"subscribes,omitempty"`
	// Effect is what its application does with a record outside of Kafka, as "is printed on a slip".
	Effect string `json:"effect,omitempty"`
	// CommitsEarly: it commits what it was handed before it works on it.
	CommitsEarly bool `json:"commits_early,omitempty"`
	// Producer is the producer of a processor, which is one process with this consumer; 0 for none.
	Producer NodeID `json:"producer,omitempty"`
	// Exactly: the processor commits what it has read in the transaction of what it has made of it.
	Exactly bool `json:"exactly,omitempty"`
	// Unfenced: it does not tell of which generation it is (before KIP-447).
	Unfenced bool `json:"unfenced,omitempty"`
}

// TopicName names one topic; topics take consecutive partition ids in their order.
type TopicName struct {
	Name       string `json:"name"`
	Partitions int    `json:"partitions"`
	// Numbers are the partitions that are simulated, where those are not all: of an internal topic only those in use.
	Numbers []int `json:"numbers,omitempty"`
	// Internal: Kafka made the topic for itself.
	Internal bool `json:"internal,omitempty"`
}

// RecordRange names the records First, First+1, ... of one load. Each of Orders orders has one record for each of
// Steps (or one, when there are none); the orders are numbered from FirstNumber.
type RecordRange struct {
	First       RecordID `json:"first"`
	Orders      int      `json:"orders"`
	FirstNumber int64    `json:"first_number"`
	Steps       []string `json:"steps,omitempty"`
	Size        int32    `json:"size,omitempty"` // bytes of each record
	// Keyed tells the keys of each step's records, where they go to a compacted topic; else it is nil.
	Keyed []StepKeys `json:"keyed,omitempty"`
}

// StepKeys is the keys that the orders of a load have at one step, in the order of the orders; both lists repeat.
type StepKeys struct {
	Keys []KeyID `json:"keys"`
	// Tombstones says which of the records have no value; nil for none.
	Tombstones []bool `json:"tombstones,omitempty"`
}

func (r *RecordRange) width() int { return max(1, len(r.Steps)) }

// Node is the name of a node, such as "broker 2".
func (n *Names) Node(id NodeID) string {
	for i := range n.Nodes {
		if n.Nodes[i].ID == id {
			return n.Nodes[i].Name
		}
	}
	switch {
	case id == NoNode:
		return "nobody"
	case id == ControllerID:
		return "the controller"
	case id.IsBroker():
		return "broker " + strconv.Itoa(int(id))
	}
	return "client " + strconv.Itoa(int(id))
}

// Group is the group of a node, or its name when it stands alone.
func (n *Names) Group(id NodeID) string {
	for i := range n.Nodes {
		if n.Nodes[i].ID == id && n.Nodes[i].Group != "" {
			return n.Nodes[i].Group
		}
	}
	return n.Node(id)
}

// Partition is the name of a partition as Kafka writes it: orders-2.
func (n *Names) Partition(p PartitionID) string {
	at := int(p)
	for i := range n.Topics {
		if at < n.Topics[i].Partitions {
			if numbers := n.Topics[i].Numbers; numbers != nil {
				at = numbers[at]
			}
			return n.Topics[i].Name + "-" + strconv.Itoa(at)
		}
		at -= n.Topics[i].Partitions
	}
	return "partition " + strconv.Itoa(int(p))
}

// Internal reports whether a partition belongs to a topic that Kafka made for itself.
func (n *Names) Internal(p PartitionID) bool {
	at := int(p)
	for i := range n.Topics {
		if at < n.Topics[i].Partitions {
			return n.Topics[i].Internal
		}
		at -= n.Topics[i].Partitions
	}
	return false
}

// HandedOn is the effect of a processor that does nothing outside of Kafka: it hands a record on to its producer.
const HandedOn = "is handed on"

// Effect is what the application of a node does with a record outside of Kafka, as "is printed on a slip".
func (n *Names) Effect(id NodeID) string {
	for i := range n.Nodes {
		if n.Nodes[i].ID == id && n.Nodes[i].Effect != "" {
			return n.Nodes[i].Effect
		}
	}
	return "is done"
}

// CommitsEarly reports whether a consumer commits what it was handed before it works on it.
func (n *Names) CommitsEarly(id NodeID) bool {
	for i := range n.Nodes {
		if n.Nodes[i].ID == id {
			return n.Nodes[i].CommitsEarly
		}
	}
	return false
}

// ProcessorOf is the consumer of a processor, by its producer, or NoNode.
func (n *Names) ProcessorOf(producer NodeID) NodeID {
	for i := range n.Nodes {
		if producer != 0 && n.Nodes[i].Producer == producer {
			return n.Nodes[i].ID
		}
	}
	return NoNode
}

// MakesOnce reports whether what a producer sends is made exactly once: it is that of a processor with transactions, which is fenced.
func (n *Names) MakesOnce(producer NodeID) bool {
	for i := range n.Nodes {
		if x := &n.Nodes[i]; producer != 0 && x.Producer == producer {
			return x.Exactly && !x.Unfenced
		}
	}
	return false
}

// Exactly reports whether a consumer is a processor with transactions.
func (n *Names) Exactly(id NodeID) bool {
	for i := range n.Nodes {
		if n.Nodes[i].ID == id {
			return n.Nodes[i].Exactly
		}
	}
	return false
}

// Consumes is the group.id of a member of a consumer group, empty for other nodes.
func (n *Names) Consumes(id NodeID) string {
	for i := range n.Nodes {
		if n.Nodes[i].ID == id {
			return n.Nodes[i].Consumes
		}
	}
	return ""
}

// ConsumerGroup is the group.id of a group.
func (n *Names) ConsumerGroup(g GroupID) string {
	if g < 0 || int(g) >= len(n.Groups) {
		return "group " + strconv.Itoa(int(g))
	}
	return n.Groups[g]
}

// GroupHome is the partition whose leader coordinates a group, or NoPartition where nobody has said.
func (n *Names) GroupHome(g GroupID) PartitionID {
	if g < 0 || int(g) >= len(n.GroupHomes) {
		return NoPartition
	}
	return n.GroupHomes[g]
}

// Subscribed lists the partitions that the members of a group subscribe to.
func (n *Names) Subscribed(g GroupID) []PartitionID {
	var all []PartitionID
	first := PartitionID(0)
	for t := range n.Topics {
		for p := range PartitionID(n.Topics[t].Partitions) {
			if n.subscribes(g, TopicID(t)) {
				all = append(all, first+p)
			}
		}
		first += PartitionID(n.Topics[t].Partitions)
	}
	return all
}

func (n *Names) subscribes(g GroupID, t TopicID) bool {
	for i := range n.Nodes {
		if group, member := n.FindGroup(n.Nodes[i].Consumes); !member || group != g || n.Nodes[i].Consumes == "" {
			continue
		}
		for _, topic := range n.Nodes[i].Subscribes {
			if topic == t {
				return true
			}
		}
	}
	return false
}

// FindGroup is the group with a group.id; false when there is none.
func (n *Names) FindGroup(id string) (GroupID, bool) {
	for i, name := range n.Groups {
		if name == id {
			return GroupID(i), true
		}
	}
	return -1, false
}

// ReadsCommitted reports whether a node reads with isolation.level=read_committed.
func (n *Names) ReadsCommitted(id NodeID) bool {
	for i := range n.Nodes {
		if n.Nodes[i].ID == id {
			return n.Nodes[i].ReadsCommitted
		}
	}
	return false
}

// IsMember reports whether a node is a member of a consumer group.
func (n *Names) IsMember(id NodeID) bool {
	for i := range n.Nodes {
		if n.Nodes[i].ID == id {
			return n.Nodes[i].Consumes != ""
		}
	}
	return false
}

// TransactionalID is the transactional.id with a number.
func (n *Names) TransactionalID(id TransactionalID) string {
	if id <= 0 || int(id) > len(n.TransactionalIDs) {
		return "transactional id " + strconv.Itoa(int(id))
	}
	return n.TransactionalIDs[id-1]
}

// Record is the scenario's own id of a record: an order number, with the step behind it where orders have several.
func (n *Names) Record(id RecordID) string {
	for i := range n.Loads {
		l := &n.Loads[i]
		at := int(id - l.First)
		if at < 0 || at >= l.Orders*l.width() {
			continue
		}
		number := strconv.FormatInt(l.FirstNumber+int64(at/l.width()), 10)
		if len(l.Steps) == 0 {
			return number
		}
		return number + " " + l.Steps[at%l.width()]
	}
	if id == NoRecord {
		return "a record of Kafka's own"
	}
	return "record " + strconv.Itoa(int(id))
}

// Step is where a record stands in its order: the record of the order's first step, and the record's own place, from 0.
func (n *Names) Step(id RecordID) (first RecordID, step int) {
	for i := range n.Loads {
		l := &n.Loads[i]
		if at := int(id - l.First); at >= 0 && at < l.Orders*l.width() {
			step = at % l.width()
			return id - RecordID(step), step
		}
	}
	return id, 0
}

// SameLoad reports whether two records belong to one load whose orders have one record each: then the smaller id was sent
// first.
func (n *Names) SameLoad(a, b RecordID) bool {
	for i := range n.Loads {
		l := &n.Loads[i]
		end := l.First + RecordID(l.Orders*l.width())
		if a >= l.First && a < end {
			return b >= l.First && b < end && l.width() == 1
		}
	}
	return false
}

// RecordKey is the key of a record of a compacted topic, and whether the record is a tombstone; ok is false for all others.
func (n *Names) RecordKey(id RecordID) (key KeyID, tombstone, ok bool) {
	for i := range n.Loads {
		l := &n.Loads[i]
		at := int(id - l.First)
		if at < 0 || at >= l.Orders*l.width() || len(l.Keyed) == 0 {
			continue
		}
		s, order := &l.Keyed[at%l.width()], at/l.width()
		if t := s.Tombstones; len(t) > 0 {
			tombstone = t[order%len(t)]
		}
		return s.Keys[order%len(s.Keys)], tombstone, true
	}
	return NoKey, false, false
}

// RecordSize is the size of a record in bytes.
func (n *Names) RecordSize(id RecordID) int32 {
	for i := range n.Loads {
		l := &n.Loads[i]
		if at := int(id - l.First); at >= 0 && at < l.Orders*l.width() {
			return l.Size
		}
	}
	return 0
}

// UniformSize is the size that every record has; ok is false where they differ.
func (n *Names) UniformSize() (size int32, ok bool) {
	for i := range n.Loads {
		if n.Loads[i].Size != n.Loads[0].Size {
			return 0, false
		}
		size = n.Loads[i].Size
	}
	return size, true
}

// FindRecords lists the records whose id is the text, or whose order number it is.
func (n *Names) FindRecords(text string) []RecordID {
	number, step, _ := strings.Cut(strings.TrimSpace(text), " ")
	want, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return nil
	}
	var found []RecordID
	for i := range n.Loads {
		l := &n.Loads[i]
		order := want - l.FirstNumber
		if order < 0 || order >= int64(l.Orders) {
			continue
		}
		for s := range l.width() {
			if step == "" || len(l.Steps) > 0 && l.Steps[s] == step {
				found = append(found, l.First+RecordID(int(order)*l.width()+s))
			}
		}
	}
	return found
}

// RecordCount is the number of records that all loads together can send.
func (n *Names) RecordCount() int {
	count := 0
	for i := range n.Loads {
		count += n.Loads[i].Orders * n.Loads[i].width()
	}
	return count
}

// Key is the text of a key; the null key reads as "no key".
func (n *Names) Key(k KeyID) string {
	if k < 0 || int(k) >= len(n.Keys) {
		return "no key"
	}
	return n.Keys[k]
}

// Fault is the sentence of a timeline entry.
func (n *Names) Fault(i int64) string {
	if i < 0 || i >= int64(len(n.Faults)) {
		return "fault " + strconv.FormatInt(i, 10)
	}
	return n.Faults[i]
}

// Millis is a span of ticks in milliseconds, with decimals only where a tick is shorter than a millisecond.
func (n *Names) Millis(t Tick) string {
	micros := int64(t) * n.TickMicros
	if micros%1000 == 0 {
		return strconv.FormatInt(micros/1000, 10)
	}
	return strings.TrimRight(strconv.FormatFloat(float64(micros)/1000, 'f', 3, 64), "0")
}

// Clock is a tick as a time of day (12:39:57.905), or as milliseconds since the start where the run has no clock.
func (n *Names) Clock(t Tick) string {
	if n.StartMicros < 0 {
		return n.Millis(t) + " ms"
	}
	const day = 24 * 3600 * 1_000_000
	at := n.StartMicros + int64(t)*n.TickMicros
	text := ""
	if days := at / day; days > 0 {
		text = "day " + strconv.FormatInt(days+1, 10) + " "
	}
	at %= day
	text += two(at/3_600_000_000) + ":" + two(at/60_000_000%60) + ":" + two(at/1_000_000%60)
	fraction := strconv.FormatInt(1_000_000+at%1_000_000, 10)[1:]
	if fraction[3:] == "000" {
		fraction = fraction[:3]
	}
	return text + "." + fraction
}

func two(v int64) string {
	if v < 10 {
		return "0" + strconv.FormatInt(v, 10)
	}
	return strconv.FormatInt(v, 10)
}
