package screen

import (
	"replog/internal/kafka"
	"replog/internal/view"
)

// columns says how the matrix shares out its width.
type columns struct {
	leader, epoch, isr int  // where the controller's facts begin; 0 leaves them out
	words              bool // the leader is "broker 2", not 2
	first              int  // where the first broker begins
	broker             int  // width of a broker with the gap behind it
	digits             int  // width of an offset
	from, end          int  // the brokers shown: indexes into Brokers
}

// showsEnd and showsHigh report whether there is room for the log end offsets, and for the high watermarks too.
func (c *columns) showsEnd() bool  { return c.broker > c.digits+5 }
func (c *columns) showsHigh() bool { return c.broker >= 2*c.digits+8 }

func (p *painter) matrixColumns() columns {
	n := max(len(p.m.Picture.Brokers()), 1)
	c := columns{digits: p.offsetDigits()}
	name := 3 + partitionWidth(p.names) + 1
	set := 2*n - 1
	switch room := p.w - name - set; {
	case room-22 >= (2*c.digits+12)*n:
		c.words = true
		c.leader, c.epoch, c.isr = name+1, name+11, name+18
		c.first = c.isr + set + 4
	case room-9 >= (c.digits+6)*n:
		c.leader, c.epoch, c.isr = name, name+4, name+8
		c.first = c.isr + set + 2
	default:
		c.first = name + 1
	}
	c.broker = min(max((p.w-c.first)/n, 3), 2*c.digits+16)
	if fit := max((p.w-c.first)/c.broker, 1); fit < n {
		c.from = p.brokerIndex(p.sel.Broker) / fit * fit
		c.end = min(c.from+fit, n)
	} else {
		c.end = len(p.m.Picture.Brokers())
	}
	return c
}

// offsetDigits is the width of the longest log end offset.
func (p *painter) offsetDigits() int {
	digits := 5
	for i := range p.m.Picture.Partitions() {
		for _, b := range p.m.Picture.Brokers() {
			if r, ok := p.m.Picture.Replica(kafka.PartitionID(i), b.ID); ok {
				digits = max(digits, width(int64(r.LogEnd)))
			}
		}
	}
	return digits
}

func (p *painter) brokerIndex(id kafka.NodeID) int {
	for i, b := range p.m.Picture.Brokers() {
		if b.ID == id {
			return i
		}
	}
	return 0
}

func (p *painter) matrixHeight() int { return p.m.Picture.Partitions() + 4 }

// matrix has a row for each partition and a column for each broker; a cell is one replica.
func (p *painter) matrix() {
	name := "partitions"
	if only := onlyTopic(p.names); only != nil {
		name = only.Name
	}
	rule, room := p.title(PaneMatrix, name)
	for i := range p.names.Topics {
		if own := &p.names.Topics[i]; own.Internal && p.w > 80 {
			rule.put(faint, "─ ").put(dim, ownShort(own)).put(dim, ": ").put(dim, own.Name).put(dim, " ")
		}
	}
	room.matrixLegend(rule)
	c := room.matrixColumns()
	room.matrixHead(c)
	_, rows := room.top(2)
	page := max(rows.h, 1)
	from := int(p.sel.Partition) / page * page
	for i := range min(page, p.m.Picture.Partitions()-from) {
		_, row := rows.top(i)
		room.within(row).matrixRow(c, kafka.PartitionID(from+i))
	}
}

func (p *painter) matrixLegend(rule *pen) {
	key := " L leads  F follows  X down   l f x: out of the ISR "
	for _, b := range p.m.Picture.Brokers() {
		if b.FailedDirs > 0 {
			key = " L leads  F follows  X down  O disk failed   l f x o: out of the ISR "
		}
	}
	if x := p.w - 2 - len(key); x > rule.x {
		rule.to(x).put(dim, key)
	}
}

// matrixHead names the brokers and says how they are; the line below it names the numbers.
func (p *painter) matrixHead(c columns) {
	if c.leader > 0 {
		words := [...]string{"ldr", "ep"}
		if c.words {
			words = [...]string{"leader", "epoch"}
		}
		p.text(c.leader, 1, dim, words[0])
		p.text(c.epoch, 1, dim, words[1])
		p.text(c.isr, 1, dim, "ISR")
	}
	brokers := p.m.Picture.Brokers()
	for i := c.from; i < c.end; i++ {
		b := &brokers[i]
		cell := p.part(c.first+(i-c.from)*c.broker, 0, c.broker-1, 2)
		at := cell.pen(0, 0)
		if c.broker < 10 {
			at.num(strong, int64(b.ID))
		} else {
			at.put(strong, p.names.Node(b.ID)).gap(1)
		}
		brokerState(at, b, cell.w)
		if c.showsEnd() {
			cell.right(2+c.digits, 1, dim, "LEO")
		}
		if c.showsHigh() {
			cell.right(6+2*c.digits, 1, dim, "HW")
		}
	}
}

// brokerState says what is wrong with a broker, in as many words as there is room for.
func brokerState(at *pen, b *view.Broker, end int) {
	room := end - at.x
	switch {
	case !b.Up && b.Fenced:
		at.put(lost, longest(room, "X down, fenced", "X fenced", "X"))
	case !b.Up:
		at.put(lost, longest(room, "X down", "X"))
	case b.Fenced:
		at.put(open, longest(room, "fenced", "f"))
	case b.FailedDirs > 0:
		digits := width(int64(b.FailedDirs))
		at.put(lost, "-").num(lost, int64(b.FailedDirs)).put(lost, longest(room-digits-1, " disk failed", " disk", ""))
	case b.Held > 0:
		digits := width(int64(b.Held))
		at.put(open, "!").num(open, int64(b.Held)).put(open, longest(room-digits-1, " held back", " held", ""))
	}
}

// longest is the first of some texts that fits, or the last.
func longest(room int, texts ...string) string {
	for _, s := range texts {
		if len(s) <= room {
			return s
		}
	}
	return texts[len(texts)-1]
}

func (p *painter) matrixRow(c columns, id kafka.PartitionID) {
	p.area = p.on(Hit{Kind: HitPartition, Pane: PaneMatrix, Partition: id})
	p.claim()
	chosen := p.sel.Partition == id
	at := p.pen(1, 0)
	if chosen {
		at.put(accent, "▸")
	}
	name := plain
	switch {
	case chosen:
		name = strong
	case p.names.Internal(id):
		name = dim
	}
	at.to(3).partition(name, p.names, id, true)
	t := p.m.Picture.Partition(id)
	if p.heldBack(id, &t) {
		at.put(accent, endings[view.Open].glyph)
	}
	if c.leader > 0 {
		p.facts(&c, id, &t)
	}
	brokers := p.m.Picture.Brokers()
	for i := c.from; i < c.end; i++ {
		p.replica(c, c.first+(i-c.from)*c.broker, id, &brokers[i], &t)
	}
	if chosen {
		p.tint(0, p.w, 0, selected)
	}
}

// facts are what the controller holds to be true: leader, leader epoch, ISR.
func (p *painter) facts(c *columns, id kafka.PartitionID, t *view.Partition) {
	was := *t
	if p.m.Before != nil {
		was = p.m.Before.Partition(id)
	}
	at := p.pen(c.leader, 0)
	style := changed(lead, t.Leader != was.Leader)
	switch {
	case t.Leader == kafka.NoNode && c.words:
		at.put(lost, "none")
	case t.Leader == kafka.NoNode:
		at.gap(2).put(lost, "–")
	case c.words:
		at.put(style, "broker ").num(style, int64(t.Leader))
	default:
		at.rnum(3, style, int64(t.Leader))
	}
	p.changeSign(at, t.Leader != was.Leader)
	head := 2
	if c.words {
		head = 5
	}
	at.to(c.epoch).rnum(head, changed(plain, t.Epoch != was.Epoch), int64(t.Epoch))
	p.changeSign(at, t.Epoch != was.Epoch)
	at.to(c.isr).set(changed(plain, t.ISR != was.ISR), t.ISR)
	if t.Proposed != 0 && t.Proposed != t.ISR {
		at.put(open, "?")
	}
	p.changeSign(at, t.ISR != was.ISR)
}

// changeSign stands behind a fact that the step changed.
func (p *painter) changeSign(at *pen, is bool) {
	if is {
		at.put(fresh, "*")
	}
}

// changed is the style, or that of what this step changed.
func changed(style Style, is bool) Style {
	if is {
		return fresh
	}
	return style
}

// replica is one cell: role, log end offset, high watermark, and by how much the step moved them.
func (p *painter) replica(c columns, x int, id kafka.PartitionID, b *view.Broker, t *view.Partition) {
	r, ok := p.m.Picture.Replica(id, b.ID)
	cell := p.part(x, 0, c.broker-1, 1)
	if !ok {
		cell.text(0, 0, faint, "·")
		return
	}
	hit := Hit{Kind: HitReplica, Pane: PaneMatrix, Partition: id, Broker: b.ID, Second: p.second}
	cell = cell.on(hit)
	cell.claim()
	was := r
	if p.m.Before != nil {
		was, _ = p.m.Before.Replica(id, b.ID)
	}
	letter, style := roleLetter(b.Up, &r, t.ISR)
	at := cell.pen(0, 0).put(changed(style, r.Role != was.Role), letter)
	p.changeSign(at, r.Role != was.Role)
	number := plain
	if !b.Up {
		number = dim
	}
	if c.showsEnd() {
		at.to(2).rnum(c.digits, changed(number, r.LogEnd != was.LogEnd), int64(r.LogEnd)).delta(3, int64(r.LogEnd), int64(was.LogEnd))
	}
	if c.showsHigh() {
		at.gap(1).rnum(c.digits, changed(dim, r.HighWater != was.HighWater), int64(r.HighWater))
		at.delta(min(3, cell.w-at.x), int64(r.HighWater), int64(was.HighWater))
	}
	if p.sel.Partition == id && p.sel.Broker == b.ID {
		cell.text(cell.w-1, 0, accent, "◆")
	}
}

// roleLetter is the replica's role; small where it is out of the ISR.
func roleLetter(up bool, r *view.ReplicaView, isr kafka.BrokerSet) (string, Style) {
	role, inISR := r.Role, isr.Has(r.Broker)
	switch {
	case up && r.Offline && inISR:
		return "O", lost
	case up && r.Offline:
		return "o", lost
	case !up && inISR:
		return "X", lost
	case !up:
		return "x", lost
	case role == view.Leader && inISR:
		return "L", lead
	case role == view.Leader:
		return "l", lost
	case role == view.Follower && inISR:
		return "F", plain
	case role == view.Follower:
		return "f", open
	case inISR:
		return "–", dim
	}
	return "·", dim
}
