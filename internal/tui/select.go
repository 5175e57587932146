package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/player"
	"replog/internal/screen"
	"replog/internal/view"
)

func eventSeq(n int) event.Seq { return event.Seq(max(0, n)) }

func (m *model) nextPane(string) tea.Cmd {
	m.look.Pane = (m.look.Pane + 1) % screen.Panes
	return nil
}

func (m *model) previousPane(string) tea.Cmd {
	m.look.Pane = (m.look.Pane + screen.Panes - 1) % screen.Panes
	return nil
}

// zoom goes round the layouts.
func (m *model) zoom(string) tea.Cmd {
	m.look.layout = (m.look.layout + 1) % (screen.LayoutLarge + 1)
	return nil
}

func (m *model) selectUp(string) tea.Cmd    { return m.selectRow(-1) }
func (m *model) selectDown(string) tea.Cmd  { return m.selectRow(1) }
func (m *model) selectLeft(string) tea.Cmd  { return m.selectColumn(-1) }
func (m *model) selectRight(string) tea.Cmd { return m.selectColumn(1) }

// selectRow selects the thing above or below in the pane that has the focus.
func (m *model) selectRow(by int) tea.Cmd {
	picture, s := m.deck.Picture(), &m.look.Selection
	switch s.Pane {
	case screen.PaneMatrix:
		last := kafka.PartitionID(picture.Partitions() - 1)
		s.Partition = max(0, min(s.Partition+kafka.PartitionID(by), last))
		s.Offset, s.Broker = kafka.NoOffset, kafka.NoNode
	case screen.PanePartition:
		s.Broker = neighbour(m.replicas(), s.Broker, by)
	case screen.PaneProducer:
		var ids []kafka.NodeID
		for _, p := range picture.Producers() {
			ids = append(ids, p.ID)
		}
		s.Producer = neighbour(ids, s.Producer, by)
	case screen.PaneReader:
		s.Reader = neighbour(readersOf(picture), s.Reader, by)
	case screen.PaneLog:
		at := int(s.Event)
		if at == 0 {
			at = m.deck.At()
		}
		s.Event = eventSeq(max(1, min(at+by, m.deck.At())))
	}
	return nil
}

// readersOf lists who reads as the pane has them: the members of each group, then the readers in memory.
func readersOf(picture *view.Cluster) []kafka.NodeID {
	var ids []kafka.NodeID
	for _, g := range picture.Groups().List() {
		for _, m := range picture.Groups().Members(g.ID) {
			ids = append(ids, m.ID)
		}
	}
	for _, id := range picture.Readers() {
		if _, _, member := picture.Groups().Member(id); !member {
			ids = append(ids, id)
		}
	}
	return ids
}

// lastOf is the record that a reader has shown last, or that a member of a group has done or read last.
func lastOf(picture *view.Cluster, reader kafka.NodeID) kafka.RecordID {
	if _, group, member := picture.Groups().Member(reader); member {
		if done := picture.Effects(group, reader, 1); len(done) > 0 {
			return done[0].Record
		}
	}
	if shown := picture.Recent(reader, 1); len(shown) > 0 {
		return shown[0].Record
	}
	return kafka.NoRecord
}

// selectColumn selects the thing to the left or to the right.
func (m *model) selectColumn(by int) tea.Cmd {
	switch s := &m.look.Selection; s.Pane {
	case screen.PaneMatrix:
		s.Broker = neighbour(m.replicas(), s.Broker, by)
	case screen.PanePartition:
		m.selectOffset(m.offset() + kafka.Offset(by))
	default:
		return m.selectRow(by)
	}
	return nil
}

// replicas lists the brokers of the selected partition, and nobody for the row as a whole.
func (m *model) replicas() []kafka.NodeID {
	ids := []kafka.NodeID{kafka.NoNode}
	for _, r := range m.deck.Picture().Replicas(m.look.Partition) {
		ids = append(ids, r.Broker)
	}
	return ids
}

// neighbour is the id beside another in a list, which does not go round.
func neighbour(ids []kafka.NodeID, id kafka.NodeID, by int) kafka.NodeID {
	if len(ids) == 0 {
		return kafka.NoNode
	}
	at := slices.Index(ids, id)
	if at < 0 {
		return ids[0]
	}
	return ids[max(0, min(at+by, len(ids)-1))]
}

// holder is the broker whose log is looked at: the selected one, or the leader, or who led last.
func (m *model) holder() kafka.NodeID {
	if m.look.Broker != kafka.NoNode {
		return m.look.Broker
	}
	return m.deck.Picture().Partition(m.look.Partition).Last
}

// offset is the one that is looked at.
func (m *model) offset() kafka.Offset {
	picture, s := m.deck.Picture(), &m.look.Selection
	if s.Offset != kafka.NoOffset {
		return s.Offset
	}
	for _, c := range picture.CopiesOf(s.Record) {
		if c.Partition == s.Partition {
			return c.Offset
		}
	}
	r, _ := picture.Replica(s.Partition, m.holder())
	return r.LogEnd - 1
}

func (m *model) selectOffset(o kafka.Offset) {
	r, ok := m.deck.Picture().Replica(m.look.Partition, m.holder())
	if !ok || r.LogEnd == r.LogStart {
		return
	}
	o = max(r.LogStart, min(o, r.LogEnd-1))
	m.look.Offset = o
	if id := m.deck.Picture().RecordAt(m.look.Partition, m.holder(), o); id != kafka.NoRecord {
		m.look.Record = id
	}
}

// enter goes to what is selected.
func (m *model) enter(string) tea.Cmd {
	picture, s := m.deck.Picture(), &m.look.Selection
	switch s.Pane {
	case screen.PaneMatrix:
		s.Pane = screen.PanePartition
	case screen.PanePartition:
		m.selectOffset(m.offset())
	case screen.PaneProducer:
		if flights := picture.InFlight(s.Producer); len(flights) > 0 {
			m.follow(flights[0].Records[0])
		}
	case screen.PaneReader:
		if id := lastOf(picture, s.Reader); id != kafka.NoRecord {
			m.follow(id)
		}
	case screen.PaneLog:
		if s.Event != 0 {
			m.goEvent(int(s.Event))
		}
	}
	if s.Pane != screen.PaneMatrix && s.Record != kafka.NoRecord {
		m.status = "following order " + picture.Names().Record(s.Record)
	}
	return nil
}

// goEvent goes to an event, and follows the order that it is about.
func (m *model) goEvent(n int) {
	m.jump(func(p *player.Player) { p.To(n) })
	t := m.deck.Tape
	if n < 1 || n > t.Len() {
		return
	}
	e := t.Log.At(n - 1)
	if e.Partition >= 0 && e.Kind.Spec().Fields&event.Partition != 0 {
		m.look.Partition, m.look.Offset = e.Partition, kafka.NoOffset
	}
	if ids := t.Log.Records(e); len(ids) > 0 && !kafka.OwnRecords(ids) && !slices.Contains(ids, m.look.Record) {
		m.follow(ids[0])
	}
	m.status = t.Sentence(n)
}
