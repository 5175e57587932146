package screen

import (
	"replog/internal/kafka"
)

// pen writes from left to right in one row of an area, without making strings of numbers and names.
type pen struct {
	area
	x, row int
}

func (a area) pen(x, y int) *pen { return &pen{area: a, x: x, row: y} }

func (p *pen) put(style Style, s string) *pen {
	p.x = p.text(p.x, p.row, style, s)
	return p
}

// fit writes into n cells and goes on behind them.
func (p *pen) fit(n int, style Style, s string) *pen {
	p.fitted(p.x, p.row, n, style, s)
	p.x += max(n, 0)
	return p
}

func (p *pen) num(style Style, n int64) *pen {
	p.x += width(n)
	p.number(p.x, p.row, style, n)
	return p
}

// rnum writes a number that ends n cells further on.
func (p *pen) rnum(n int, style Style, v int64) *pen {
	p.x += n
	p.number(p.x, p.row, style, v)
	return p
}

// cut shows with an ellipsis that what was written has no room.
func (p *pen) cut() {
	if p.x > p.w {
		p.glyph(p.w-1, p.row, faint, "…")
	}
}

func (p *pen) gap(n int) *pen {
	p.x += n
	return p
}

func (p *pen) to(x int) *pen {
	p.x = x
	return p
}

// set writes a set of brokers as Kafka's tools do: 1,3.
func (p *pen) set(style Style, s kafka.BrokerSet) *pen {
	if s == 0 {
		return p.put(style, "none")
	}
	for id := s.Next(0); id != kafka.NoNode; id = s.Next(id) {
		if id != s.Next(0) {
			p.put(style, ",")
		}
		p.num(style, int64(id))
	}
	return p
}

// partition writes orders-2, or where that is meant to be short, p2 if there is one topic, and co17 for
// __consumer_offsets-17 and ts3 for __transaction_state-3.
func (p *pen) partition(style Style, names *kafka.Names, id kafka.PartitionID, short bool) *pen {
	at := int(id)
	for i := range names.Topics {
		t := &names.Topics[i]
		if at >= t.Partitions {
			at -= t.Partitions
			continue
		}
		switch {
		case short && t.Internal:
			p.put(style, ownShort(t))
		case short && onlyTopic(names) != nil:
			p.put(style, "p")
		default:
			p.put(style, t.Name).put(style, "-")
		}
		return p.num(style, partitionNumber(t, at))
	}
	return p.put(style, "partition ").num(style, int64(id))
}

// ownShort is the short name of a topic that Kafka made for itself.
func ownShort(t *kafka.TopicName) string {
	if t.Name == "__transaction_state" {
		return "ts"
	}
	return "co" // __consumer_offsets
}

// partitionNumber is the number that a partition of a topic has in Kafka.
func partitionNumber(t *kafka.TopicName, at int) int64 {
	if at < len(t.Numbers) {
		return int64(t.Numbers[at])
	}
	return int64(at)
}

// onlyTopic is the one topic that the scenario has beside Kafka's own, or nil when there are several.
func onlyTopic(names *kafka.Names) *kafka.TopicName {
	var only *kafka.TopicName
	for i := range names.Topics {
		if t := &names.Topics[i]; !t.Internal {
			if only != nil {
				return nil
			}
			only = t
		}
	}
	return only
}

// partitionWidth is the room that the short names of all partitions need.
func partitionWidth(names *kafka.Names) int {
	n := 2
	for i := range names.Topics {
		t := &names.Topics[i]
		head := textWidth(t.Name) + 1
		if t.Internal {
			head = len(ownShort(t))
		} else if onlyTopic(names) != nil {
			head = 1
		}
		for at := range t.Partitions {
			n = max(n, head+width(partitionNumber(t, at)))
		}
	}
	return n
}

// record writes the scenario's id of a record.
func (p *pen) record(style Style, names *kafka.Names, id kafka.RecordID) *pen {
	l, order, step := load(names, id)
	switch {
	case id == kafka.NoRecord:
		return p.put(style, "#") // one of Kafka's own
	case l == nil:
		return p.put(style, "?")
	}
	p.num(style, l.FirstNumber+int64(order))
	if len(l.Steps) > 0 {
		p.put(style, " ").put(style, l.Steps[step])
	}
	return p
}

func recordWidth(names *kafka.Names, id kafka.RecordID) int {
	l, order, step := load(names, id)
	switch {
	case l == nil:
		return 1
	case len(l.Steps) == 0:
		return width(l.FirstNumber + int64(order))
	}
	return width(l.FirstNumber+int64(order)) + 1 + textWidth(l.Steps[step])
}

// widestRecord is the room that the id of any record of the run needs.
func widestRecord(names *kafka.Names) int {
	widest := 1
	for i := range names.Loads {
		l := &names.Loads[i]
		steps := 0
		for _, s := range l.Steps {
			steps = max(steps, 1+textWidth(s))
		}
		widest = max(widest, width(l.FirstNumber+int64(max(l.Orders-1, 0)))+steps)
	}
	return widest
}

// load finds the load that a record belongs to, which of its orders it is, and which step of the order.
func load(names *kafka.Names, id kafka.RecordID) (l *kafka.RecordRange, order, step int) {
	for i := range names.Loads {
		l = &names.Loads[i]
		steps := max(len(l.Steps), 1)
		if at := int(id - l.First); at >= 0 && at < l.Orders*steps {
			return l, at / steps, at % steps
		}
	}
	return nil, 0, 0
}

// width is the number of digits of a number, and its sign.
func width(n int64) int {
	digits := 1
	if n < 0 {
		digits = 2
		n = -n
	}
	for ; n > 9; n /= 10 {
		digits++
	}
	return digits
}

// delta writes by how much a number has changed, in three cells: +1, -12.
func (p *pen) delta(n int, now, before int64) *pen {
	end := p.x + n
	if d := now - before; d != 0 && n > 0 {
		sign, by := "+", d
		if d < 0 {
			sign, by = "-", -d
		}
		p.put(fresh, sign)
		if width(by) < n {
			p.num(fresh, by)
		}
	}
	return p.to(end)
}
