package tui

import (
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"replog/internal/event"
	"replog/internal/explain"
	"replog/internal/kafka"
	"replog/internal/screen"
	"replog/internal/view"
)

// wonder is something that one may ask about what is selected.
type wonder struct {
	pane   screen.Pane // where one would ask it first
	ask    string
	answer func() *screen.Why
}

// openWhy lists what one may ask here, what belongs to the pane with the focus first.
func (m *model) openWhy(string) tea.Cmd {
	wonders := m.wonders()
	if len(wonders) == 0 {
		m.status = "nothing has happened yet"
		return nil
	}
	items := make([]screen.Item, len(wonders))
	for i, w := range wonders {
		items[i].Label = w.ask
	}
	return m.open(&list{
		count: len(wonders),
		show: func(cursor int) screen.Overlay {
			return &screen.Menu{Title: "Why?", Intro: "enter answers; the pane that has the focus decides what comes first", Items: items, Cursor: cursor}
		},
		choose: func(m *model, at int) tea.Cmd {
			m.close()
			return m.openAnswer(wonders[at].answer())
		},
	})
}

// nowhere is what enter says on a line that has no event.
const nowhere = "this line is no event: there is nowhere to go"

// sayNowhere adds that to a rule, once.
func sayNowhere(rule string) string {
	switch {
	case strings.HasSuffix(rule, nowhere):
		return rule
	case rule == "":
		return nowhere
	}
	return rule + "; " + nowhere
}

// openAnswer shows an answer; enter jumps to the event behind the selected link.
func (m *model) openAnswer(why *screen.Why) tea.Cmd {
	return m.open(&list{
		count:  len(why.Links),
		cursor: why.Cursor,
		keys:   []hint{hintClose, hintQuit, {"enter", "enter", "go there"}, hintMove},
		show: func(cursor int) screen.Overlay {
			shown := *why
			shown.Cursor = cursor
			return &shown
		},
		choose: func(m *model, at int) tea.Cmd {
			link := &why.Links[at]
			if link.Event == 0 {
				link.Rule = sayNowhere(link.Rule)
				return nil
			}
			m.close()
			m.goEvent(int(link.Event))
			return nil
		},
	})
}

// wonders are what belongs to the pane with the focus, and the rest.
func (m *model) wonders() []wonder {
	var first, rest []wonder
	for _, w := range slices.Concat(m.eventWonders(), m.recordWonders(), m.groupWonders(), m.partitionWonders()) {
		if w.pane == m.look.Pane || m.look.Pane == screen.PanePartition && w.pane == screen.PaneProducer {
			first = append(first, w)
		} else {
			rest = append(rest, w)
		}
	}
	return append(first, rest...)
}

// eventWonders ask for the causes of the selected event, or of the latest.
func (m *model) eventWonders() []wonder {
	seq := m.look.Event
	if seq == 0 {
		seq = eventSeq(m.deck.At())
	}
	if seq == 0 {
		return nil
	}
	sentence := m.deck.Tape.Sentence(int(seq))
	return []wonder{{screen.PaneLog, "Why did this happen: " + sentence, func() *screen.Why { return m.chain(seq) }}}
}

// chain is an event and its causes, back to the root.
func (m *model) chain(seq event.Seq) *screen.Why {
	t := m.deck.Tape
	why := &screen.Why{Title: "Why: " + t.Sentence(int(seq))}
	for _, cause := range explain.Chain(&t.Log, t.Names, seq) {
		line := explain.Event(&t.Log, t.Names, cause)
		link := m.link(&line)
		if len(why.Links) > 0 {
			link.Text = "because: " + link.Text
		}
		why.Links = append(why.Links, link)
	}
	if e := t.Log.Get(seq); e != nil && e.About != 0 {
		line := explain.Event(&t.Log, t.Names, e.About)
		link := m.link(&line)
		link.Text = "it is about this: " + link.Text
		why.Links = append(why.Links, link)
	}
	return why
}

func (m *model) link(l *explain.Line) screen.Link {
	link := screen.Link{Event: l.Seq, Text: l.Text, Rule: l.Rule}
	if l.Seq != 0 {
		link.Clock = m.deck.Tape.Names.Clock(l.At)
	}
	switch {
	case l.Rule == "":
		link.Rule = l.Source
	case l.Source != "":
		link.Rule += " (" + l.Source + ")"
	}
	return link
}

// recordWonders ask about the order that is followed.
func (m *model) recordWonders() []wonder {
	id := m.look.Record
	if id == kafka.NoRecord {
		return nil
	}
	picture := m.deck.Picture()
	name := picture.Names().Record(id)
	wonders := []wonder{{screen.PanePartition, "What became of order " + name + ", and why?", func() *screen.Why { return m.story(id) }}}
	if marks := picture.Marks(id); !marks.Has(view.Acked) {
		wonders = append(wonders, wonder{screen.PaneProducer, "Why is order " + name + " not acknowledged?",
			m.whyNot(func(at *explain.Moment) explain.WhyNot { return at.NotAcknowledged(id) })})
	}
	for _, reader := range picture.Readers() {
		if _, _, member := picture.Groups().Member(reader); member || m.hasShown(reader, id) {
			continue
		}
		wonders = append(wonders, wonder{screen.PaneReader, "Why does " + picture.Names().Node(reader) + " not show order " + name + "?",
			m.whyNot(func(at *explain.Moment) explain.WhyNot { return at.NotShown(reader, id) })})
	}
	return wonders
}

func (m *model) hasShown(reader kafka.NodeID, id kafka.RecordID) bool {
	for _, s := range m.deck.Picture().ShowingsOf(id) {
		if s.Reader == reader {
			return true
		}
	}
	return false
}

// story is what became of an order up to now; at the end of the run, with a word on how it came out.
func (m *model) story(id kafka.RecordID) *screen.Why {
	t := m.deck.Tape
	story := explain.Record(&t.Log, t.Names, id)
	why := &screen.Why{Title: "What became of order " + t.Names.Record(id)}
	for i := range story.Lines {
		if story.Lines[i].Seq > eventSeq(m.deck.At()) {
			why.Links = append(why.Links, screen.Link{Text: "So far. What comes next, the run will tell; G goes to its end."})
			break
		}
		why.Cursor = i
		why.Links = append(why.Links, m.link(&story.Lines[i]))
	}
	if len(why.Links) == len(story.Lines) {
		why.Links = append(why.Links, screen.Link{Text: "In the end: " + story.Verdict})
	}
	return why
}

// partitionWonders ask about the selected partition and its replicas.
func (m *model) partitionWonders() []wonder {
	picture, p := m.deck.Picture(), m.look.Partition
	if int(p) >= picture.Partitions() {
		return nil
	}
	names, part := picture.Names(), picture.Partition(p)
	wonders := []wonder{{screen.PaneMatrix, "Why does the high watermark of " + names.Partition(p) + " stand where it stands?",
		m.whyNot(func(at *explain.Moment) explain.WhyNot { return at.HighWatermark(p) })}}
	if part.Leader == kafka.NoNode || m.dead(part.Leader) {
		wonders = append(wonders, wonder{screen.PaneMatrix, "Why has " + names.Partition(p) + " no leader?",
			m.whyNot(func(at *explain.Moment) explain.WhyNot { return at.NoLeader(p) })})
	}
	wonders = append(wonders, m.heldBackWonders(p)...)
	wonders = append(wonders, m.fencedWonders()...)
	for _, r := range picture.Replicas(p) {
		if !part.ISR.Has(r.Broker) {
			wonders = append(wonders, wonder{screen.PaneMatrix, "Why is " + names.Node(r.Broker) + " not in the ISR of " + names.Partition(p) + "?",
				m.whyNot(func(at *explain.Moment) explain.WhyNot { return at.NotInISR(p, r.Broker) })})
		}
	}
	return append(wonders, m.segmentWonders(p)...)
}

// heldBackWonders ask about an open transaction, and the readers that it keeps from what is there.
func (m *model) heldBackWonders(p kafka.PartitionID) []wonder {
	picture := m.deck.Picture()
	names, part := picture.Names(), picture.Partition(p)
	leader, _ := picture.Replica(p, part.Last)
	if part.Last == kafka.NoNode || picture.LastStable(p, part.Last) >= leader.HighWater {
		return nil
	}
	answer := m.whyNot(func(at *explain.Moment) explain.WhyNot { return at.LastStable(p) })
	wonders := []wonder{{screen.PanePartition, "Why does the last stable offset of " + names.Partition(p) + " stand at " +
		strconv.FormatInt(int64(picture.LastStable(p, part.Last)), 10) + "?", answer}}
	for _, reader := range picture.Readers() {
		if names.ReadsCommitted(reader) {
			wonders = append(wonders, wonder{screen.PaneReader, "Why does " + names.Node(reader) + " not show what is there in " + names.Partition(p) + "?", answer})
		}
	}
	return wonders
}

// segmentWonders ask about the segment that one looks at.
func (m *model) segmentWonders(p kafka.PartitionID) []wonder {
	if m.knowDisk(); m.disk == nil || m.offset() < 0 {
		return nil
	}
	o, broker := m.offset(), m.holder()
	return []wonder{{screen.PanePartition, "Why is the segment with offset " + strconv.FormatInt(int64(o), 10) + " of " +
		m.deck.Picture().Names().Partition(p) + " still there?", m.whyNot(func(at *explain.Moment) explain.WhyNot { return at.SegmentStays(p, broker, o) })}}
}

// fencedWonders ask about producers that were refused because of their producer epoch.
func (m *model) fencedWonders() []wonder {
	var wonders []wonder
	names := m.deck.Picture().Names()
	if len(names.TransactionalIDs) == 0 {
		return nil
	}
	for i := range names.Nodes {
		id := names.Nodes[i].ID
		at := &explain.Moment{Picture: m.deck.Picture(), Log: &m.deck.Tape.Log}
		if answer, fenced := at.Fenced(id); fenced {
			wonders = append(wonders, wonder{screen.PaneProducer, answer.Title,
				m.whyNot(func(at *explain.Moment) explain.WhyNot { answer, _ := at.Fenced(id); return answer })})
		}
	}
	return wonders
}

func (m *model) dead(id kafka.NodeID) bool {
	for _, b := range m.deck.Picture().Brokers() {
		if b.ID == id {
			return !b.Up
		}
	}
	return false
}

// whyNot asks at the place of the playhead.
func (m *model) whyNot(ask func(*explain.Moment) explain.WhyNot) func() *screen.Why {
	return func() *screen.Why {
		answer := ask(m.moment())
		why := &screen.Why{Title: answer.Title, Cursor: max(0, answer.Fails)}
		for i := range answer.Lines {
			why.Links = append(why.Links, m.link(&answer.Lines[i]))
		}
		return why
	}
}

func (m *model) minISR(p kafka.PartitionID) int {
	plan := m.deck.Tape.PlanAt(m.deck.Now())
	if plan == nil || int(p) >= len(plan.Partitions) {
		return 0
	}
	at := &plan.Partitions[p]
	return min(int(at.Config.MinInSyncReplicas), len(at.Replicas))
}
