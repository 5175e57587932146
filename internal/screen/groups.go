package screen

import (
	"slices"

	"replog/internal/kafka"
	"replog/internal/view"
)

// group is one consumer group: how it is, who is in it, who has which partition, how far they are, and what came of it
// outside of Kafka. As much of that as there is room for, the first things first.
func (p *painter) group(id kafka.GroupID) {
	g := p.m.Picture.Groups()
	rule, room := p.title(PaneReader, p.names.ConsumerGroup(id))
	room.groupState(rule, g.Group(id))
	used := room.membersOf(id)
	_, rest := room.top(used)
	parts := p.partsOf(id)
	rows := min(len(parts)+1, rest.h)
	if p.hasEffects(id) && rest.h < len(parts)+1+fewEffects { // half for each, and the partition that is looked at is one
		rows = max(min(rows, rest.h/2), min(rest.h, 1))
	}
	table, list := rest.top(rows)
	room.within(table).ownersOf(id, parts)
	room.within(list).effectsOf(id)
}

// fewEffects is the number of lines that the effects of a group want at least.
const fewEffects = 3

// hasEffects reports whether the work of a group shows outside of Kafka.
func (p *painter) hasEffects(id kafka.GroupID) bool {
	for i := range p.names.Nodes {
		if p.names.Nodes[i].Effect != "" && p.names.Nodes[i].Consumes == p.names.ConsumerGroup(id) {
			return true
		}
	}
	return false
}

// groupHeight is the room that a group likes to have.
func (p *painter) groupHeight(id kafka.GroupID) int {
	return 1 + 2 + 1 + len(p.partsOf(id)) + 3
}

// groupState is what the group's coordinator says of it.
func (p *painter) groupState(at *pen, g view.Group) {
	was := g
	if p.m.Before != nil {
		was = p.m.Before.Groups().Group(g.ID)
	}
	style := open
	switch g.State {
	case view.GroupStable:
		style = fine
	case view.GroupEmpty:
		style = dim
	}
	at.put(changed(style, g.State != was.State), longest(p.w-at.x-1, g.State.String(), shortState(g.State))).put(dim, " ")
	if g.Epoch != kafka.NoEpoch && at.x+16 < p.w {
		word := "generation "
		if g.Server {
			word = "epoch "
		}
		at.put(dim, word).num(changed(plain, g.Epoch != was.Epoch), int64(g.Epoch)).put(dim, " ")
	}
	switch {
	case at.x+12 >= p.w:
	case g.Host == kafka.NoNode:
		at.put(lost, "no coordinator ")
	default:
		at.put(dim, "at ").put(changed(dim, g.Host != was.Host), p.names.Node(g.Host)).put(dim, " ")
	}
}

func shortState(s view.GroupState) string {
	switch s {
	case view.GroupPreparing, view.GroupCompleting, view.GroupAssigning, view.GroupReconciling:
		return "rebalances"
	}
	return s.String()
}

// membersOf lists the processes, and returns the rows that it took.
func (p *painter) membersOf(id kafka.GroupID) int {
	g, at := p.m.Picture.Groups(), p.pen(1, 0)
	group := g.Group(id)
	for _, m := range g.Members(id) {
		name := p.names.Node(m.ID)
		if at.x > 1 && at.x+textWidth(name)+memberRoom > p.w {
			if at.row+1 >= min(p.h, 2) {
				at.put(faint, "…")
				break
			}
			at = p.pen(1, at.row+1)
		}
		at.area = p.on(Hit{Kind: HitReader, Pane: PaneReader, Node: m.ID})
		p.member(at, &m, &group)
		at.area = p.area
		at.gap(2)
	}
	return at.row + 1
}

// memberRoom is what stands beside the name of a member.
const memberRoom = 5

// member is one process: how it is, and the generation or epoch that it is in where that is not the group's.
func (p *painter) member(at *pen, m *view.Member, g *view.Group) {
	sign, style := memberSign(m)
	was := *m
	if p.m.Before != nil {
		was, _, _ = p.m.Before.Groups().Member(m.ID)
	}
	moved := was.Process != m.Process || was.Listed != m.Listed || was.Stuck != m.Stuck
	at.put(changed(style, moved), sign).put(plain, " ")
	name := plain
	if m.Process != view.ProcessUp {
		name = dim
	}
	start := at.x
	at.put(changed(name, was.Epoch != m.Epoch), p.names.Node(m.ID))
	if p.sel.Reader == m.ID {
		at.tint(start, at.x, at.row, selected)
	}
	if m.Listed && m.Epoch != g.Epoch && m.Epoch > 0 {
		at.put(open, "@").num(open, int64(m.Epoch))
	}
}

// memberSign stands for how a process is: small where the group does not count it.
func memberSign(m *view.Member) (string, Style) {
	switch {
	case m.Process == view.ProcessCrashed && m.Listed:
		return "X", lost // dead, and the group does not know
	case m.Process == view.ProcessCrashed, m.Process == view.ProcessFailed:
		return "x", lost
	case m.Process != view.ProcessUp:
		return "–", dim
	case m.Stuck:
		return "z", open
	case !m.Listed:
		return "○", open
	}
	return "●", fine
}

// partsOf are the partitions that a group subscribes to, or has had.
func (p *painter) partsOf(id kafka.GroupID) []kafka.PartitionID {
	memo := &p.g.memo().duties[p.slot(0)]
	if memo.names != p.names {
		*memo = duties{names: p.names}
		for g := range p.names.Groups {
			memo.parts = append(memo.parts, p.names.Subscribed(kafka.GroupID(g)))
		}
	}
	parts := memo.parts[id]
	for _, known := range p.m.Picture.Groups().Partitions(id) {
		if at, found := slices.BinarySearch(parts, known.Partition); !found {
			parts = slices.Insert(slices.Clone(parts), at, known.Partition)
		}
	}
	return parts
}

// duties are the partitions that each group subscribes to, remembered.
type duties struct {
	names *kafka.Names
	parts [][]kafka.PartitionID
}

// ownersOf is a table with a row for each partition; where there is no room for all, the page with the selected one.
func (p *painter) ownersOf(id kafka.GroupID, parts []kafka.PartitionID) {
	if p.h < 1 || len(parts) == 0 {
		return
	}
	c := p.ownerColumns(id)
	rows := p.area
	if p.h > len(parts) || p.h > 3 {
		c.head(p)
		_, rows = p.top(1)
	}
	first := 0
	for i, part := range parts {
		if part == p.sel.Partition && rows.h > 0 {
			first = i / rows.h * rows.h
		}
	}
	for i := range min(rows.h, len(parts)-first) {
		_, row := rows.top(i)
		p.within(row).ownerRow(&c, id, parts[first+i])
	}
}

// ownerColumns says where the columns of the table end; 0 for one without room, or without a use: pending is for a group whose offsets
// are part of transactions.
type ownerColumns struct{ owner, committed, pending, position, lag int }

func (p *painter) ownerColumns(id kafka.GroupID) ownerColumns {
	digits := p.offsetDigits()
	c := ownerColumns{owner: 3 + partitionWidth(p.names) + 1, lag: p.w - 1}
	pending, position := 0, digits+3
	if p.commitsInTransactions(id) {
		pending = max(digits+1, len("pending")) + 2
	}
	fit := func() bool { return c.lag-5-position-pending-digits-2 >= c.owner+10 }
	if !fit() {
		pending = 0 // a sign behind what is committed stands for it
	}
	if !fit() {
		position = 0
	}
	c.committed = c.lag - 6
	if position > 0 {
		c.position = c.lag - 5
		c.committed = c.position - position
	}
	if pending > 0 {
		c.pending = c.committed
		c.committed -= pending
	}
	return c
}

// commitsInTransactions reports whether a member of the group is a processor with transactions.
func (p *painter) commitsInTransactions(id kafka.GroupID) bool {
	return slices.ContainsFunc(p.names.Nodes, func(n kafka.NodeName) bool { return n.Exactly && n.Consumes == p.names.ConsumerGroup(id) })
}

func (c *ownerColumns) head(p *painter) {
	p.text(c.owner, 0, dim, "has it")
	p.right(c.committed, 0, dim, "committed")
	if c.pending > 0 {
		p.right(c.pending, 0, dim, "pending")
	}
	if c.position > 0 {
		p.right(c.position, 0, dim, "read to")
	}
	p.right(c.lag, 0, dim, "lag")
}

// ownerRow is one partition: who has it and since when, what is committed, how far the member has read, and the lag as
// kafka-consumer-groups has it.
func (p *painter) ownerRow(c *ownerColumns, id kafka.GroupID, part kafka.PartitionID) {
	p.area = p.on(Hit{Kind: HitPartition, Pane: PaneReader, Partition: part})
	p.claim()
	at := p.pen(1, 0)
	if p.sel.Partition == part {
		at.put(accent, "▸")
	}
	at.to(3).partition(dim, p.names, part, true)
	now, known := p.m.Picture.Groups().Partition(id, part)
	was := now
	if p.m.Before != nil {
		was, _ = p.m.Before.Groups().Partition(id, part)
	}
	p.owner(at.to(c.owner), &now, &was, known, c.committed-p.offsetDigits()-2)
	committed, position := kafka.NoOffset, kafka.NoOffset
	if known {
		committed = now.Committed
		if now.Owner != kafka.NoNode {
			position = p.m.Picture.Position(now.Owner, part)
		}
	}
	offset(p, c.committed, changed(plain, known && now.Committed != was.Committed), committed)
	p.pending(c, &now, &was)
	if c.position > 0 {
		style := dim
		if p.m.Before != nil && now.Owner == was.Owner && now.Owner != kafka.NoNode && p.m.Before.Position(now.Owner, part) != position {
			style = fresh
		}
		offset(p, c.position, style, position)
	}
	p.lag(c.lag, part, committed)
}

// pending is the latest offset that waits for the end of its transaction; until then nobody is told where the group goes on.
func (p *painter) pending(c *ownerColumns, now, was *view.GroupPartition) {
	last := len(now.Pending) - 1
	if last < 0 {
		return
	}
	style := changed(open, !slices.Equal(now.Pending, was.Pending))
	if c.pending == 0 {
		p.text(c.committed, 0, style, "?")
		return
	}
	p.right(c.pending, 0, style, "?")
	p.number(c.pending-1, 0, style, int64(now.Pending[last].Offset))
}

// owner is the member that has a partition, or for how long nobody has, and who believes to have it as well.
func (p *painter) owner(at *pen, now, was *view.GroupPartition, known bool, end int) {
	if !known {
		at.put(dim, "nobody yet")
		return
	}
	room := end - at.x
	if now.Owner == kafka.NoNode {
		at.put(changed(lost, was.Owner != now.Owner), longest(room, "nobody", "–"))
		if span := p.names.Millis(p.m.now() - now.Since); room > 8+len(span)+3 {
			at.gap(1).put(dim, span).put(dim, " ms")
		}
	} else {
		at.fit(min(textWidth(p.names.Node(now.Owner)), room), changed(plain, was.Owner != now.Owner), p.names.Node(now.Owner))
	}
	if now.Stray != kafka.NoNode && at.x+5 < end {
		at.put(open, " !").fit(min(end-at.x, textWidth(p.names.Node(now.Stray))), open, p.names.Node(now.Stray))
	}
}

func offset(p *painter, end int, style Style, o kafka.Offset) {
	if o == kafka.NoOffset {
		p.right(end, 0, dim, "–")
		return
	}
	p.number(end, 0, style, int64(o))
}

// lag is how many readable records are not committed.
func (p *painter) lag(end int, part kafka.PartitionID, committed kafka.Offset) {
	leader, ok := p.m.Picture.Replica(part, p.m.Picture.Partition(part).Last)
	if committed == kafka.NoOffset || !ok {
		p.right(end, 0, dim, "–")
		return
	}
	lag := max(leader.HighWater-committed, 0)
	style := dim
	if lag > 0 {
		style = open
	}
	p.number(end, 0, style, int64(lag))
}

// effectsOf shows what the group has done outside of Kafka, the latest at the bottom; what was done a second time is
// marked, and what a unique key refused too.
func (p *painter) effectsOf(id kafka.GroupID) {
	if p.h < 1 {
		return
	}
	start := 1 + len(clockTail(p.clock(p.m.now()))) + 2
	wide := 0
	for _, m := range p.m.Picture.Groups().Members(id) {
		wide = max(wide, min(textWidth(p.names.Node(m.ID)), 14))
	}
	start += wide + 2
	effects := p.m.Picture.Effects(id, kafka.NoNode, p.h*max((p.w-start)/5, 1))
	lines := p.effectLines(effects, p.w-start-1)
	lines = lines[max(len(lines)-p.h, 0):]
	for y := range lines {
		p.effectLine(y, start, wide, lines[y])
	}
}

// effectLines makes lines of what was done: what one member did within a second, as far as there is room for it.
func (p *painter) effectLines(effects []view.Effect, room int) [][]view.Effect {
	var lines [][]view.Effect
	start, used := 0, 0
	for i := range effects {
		e := &effects[i]
		width := recordWidth(p.names, e.Record) + 2
		late := int64(e.At-effects[start].At)*p.names.TickMicros >= 1_000_000
		if i > 0 && (effects[start].Member != e.Member || late || used+width > room) {
			start, used = i, 0
		}
		if start == i {
			lines = append(lines, nil)
		}
		lines[len(lines)-1] = effects[start : i+1]
		used += width
	}
	return lines
}

func (p *painter) effectLine(y, start, wide int, effects []view.Effect) {
	first := &effects[0]
	style := dim
	if p.m.Before != nil && effects[len(effects)-1].At > p.m.Before.Tick() {
		style = fresh
	}
	at := p.pen(1, y).put(style, clockTail(p.clock(first.At))).gap(2).fit(wide, dim, p.names.Node(first.Member)).to(start)
	for i := range effects {
		e := &effects[i]
		at.area = p.withHit(p.area, Hit{Kind: HitRecord, Pane: PaneReader, Node: e.Member, Record: e.Record, Partition: e.Partition, Offset: e.Offset})
		switch {
		case e.Refused:
			at.record(p.recordStyle(dim, e.Record), p.names, e.Record).put(fine, "×")
		case e.Again:
			at.record(p.recordStyle(twice, e.Record), p.names, e.Record).put(p.recordStyle(twice, e.Record), "=")
		default:
			at.record(p.recordStyle(plain, e.Record), p.names, e.Record)
		}
		at.area = p.area
		at.gap(1)
	}
}
