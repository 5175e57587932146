package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"replog/internal/player"
	"replog/internal/screen"
	"replog/internal/until"
)

// help shows the keys, and behind them what one may type at the colon.
func (m *model) help(string) tea.Cmd {
	keys := keyHelp()
	for _, f := range until.Forms() {
		keys = append(keys, screen.KeyHelp{Key: f.Example, Long: f.Meaning, Group: "After : one may also type"})
	}
	return m.open(&text{show: func(top int) screen.Overlay { return &screen.Help{Keys: keys, Top: top} }, next: (*model).words})
}

// words shows the mental model.
func (m *model) words() tea.Cmd {
	return m.open(&text{show: func(top int) screen.Overlay {
		return &screen.Page{Title: "What you see, in plain words", Intro: parcelIntro, Parts: parcelOffice, Top: top}
	}})
}

const parcelIntro = "Think of a parcel office that keeps its ledgers in three towns. Whoever hands in a parcel wants a receipt, " +
	"and whoever collects parcels reads the ledger from top to bottom. Each part of the picture has a real name, and a place on this screen."

// parcelOffice is the mental model in plain words, each part beside the real term and where it is.
var parcelOffice = []screen.Part{
	{Plain: "an office in a town", Term: "broker", Where: "a column of the partitions pane; X when it is down"},
	{Plain: "a ledger, of which several towns keep a copy", Term: "partition and its replicas", Where: "a row of the partitions pane: p0, p1, ..."},
	{Plain: "an entry in it, numbered from the top", Term: "record and offset", Where: "a column of the offsets pane: the number above, the order below"},
	{Plain: "the town that writes new entries first", Term: "leader", Where: "L in a cell of the partitions pane"},
	{Plain: "the towns that copy from it, page by page", Term: "follower", Where: "F in a cell; O where its disk has failed"},
	{Plain: "where the next entry of a copy will go", Term: "log end offset (LEO)", Where: "the first number in a cell"},
	{Plain: "the towns that keep up with the copying", Term: "in-sync replicas (ISR)", Where: "the column ISR; small letters are out of it"},
	{Plain: "the line up to which all of those have copied", Term: "high watermark (HW)", Where: "the second number in a cell; the line under the offsets"},
	{Plain: "the receipt, stamped when the copies are made", Term: "acknowledgement with acks=all", Where: "the full circle behind an order in the offsets pane"},
	{Plain: "the customer, who hands parcels in", Term: "producer", Where: "the producer pane: what it heard, and beside it the truth"},
	{Plain: "parcels that go in one sack, and sacks that are under way at once", Term: "batch, max.in.flight.requests.per.connection",
		Where: "the producer pane: +4 behind an order, 4 more in its batch; +1 at the end, 1 more request in flight"},
	{Plain: "no receipt comes, so the parcel is handed in again", Term: "retry", Where: "the column try of the producer pane; R on the timeline"},
	{Plain: "the clerk enters it again, for he does not know it", Term: "stored twice", Where: "= behind the order; 2 on the timeline"},
	{Plain: "a number on each parcel by which he would know it", Term: "enable.idempotence, producer id and sequence", Where: "idempotence=on in the heading"},
	{Plain: "the postmaster, who decides which town writes first", Term: "controller", Where: "E on the timeline when he chooses another"},
	{Plain: "he counts a town as closed when no word has come for a while", Term: "broker.session.timeout.ms, fencing", Where: "fenced beside the broker; F on the timeline"},
	{Plain: "the number of a town's turn as first writer", Term: "leader epoch", Where: "the column epoch of the partitions pane"},
	{Plain: "the volumes of a ledger; an old one is thrown out as a whole", Term: "segment, retention", Where: "f: size, age, and what goes next"},
	{Plain: "a ledger in which the last word on each matter stays", Term: "cleanup.policy=compact", Where: "- behind an order that is gone; f"},
	{Plain: "the entry that says a matter is closed", Term: "tombstone, delete.retention.ms", Where: "the dagger in f"},
	{Plain: "who reads the ledger, up to the line that all have", Term: "consumer, here a screen", Where: "the readers pane: what each has shown, and when"},
	{Plain: "people who share the ledgers among them, each ledger read by one", Term: "consumer group and its members", Where: "the readers pane: ● at work, X dead and not missed yet, x out, z does not poll, – not there"},
	{Plain: "the clerk who keeps their list and their bookmarks", Term: "group coordinator, a leader of __consumer_offsets", Where: "behind the name of the group; its partition is co17, below the others"},
	{Plain: "sharing out anew when somebody comes or goes", Term: "rebalance; generation or epoch", Where: "behind the name of the group; B on the timeline, s when it is settled"},
	{Plain: "the bookmark that they leave with the clerk", Term: "committed offset", Where: "the column committed; ✓ in the row of the group in the offsets pane"},
	{Plain: "how far the one who reads has come without leaving a bookmark", Term: "position", Where: "the column read to; a dot in the offsets pane"},
	{Plain: "what is readable and lies behind the bookmark", Term: "lag, as kafka-consumer-groups has it", Where: "the column lag"},
	{Plain: "entries in several ledgers, which count together or not at all", Term: "transaction", Where: "? behind a partition with an open one; the row transact. of the offsets pane"},
	{Plain: "the entry in each of them that says whether they count", Term: "commit or abort marker", Where: "C and A in the row transact.; it takes an offset"},
	{Plain: "the line up to which everything is decided", Term: "last stable offset (LSO)", Where: "in the rule of the offsets pane, and below the offsets"},
	{Plain: "a reader who waits for that, and leaves out what does not count", Term: "isolation.level=read_committed", Where: "behind its name; × in its row for what it left out"},
	{Plain: "a bookmark that counts if the entries do with which it was left", Term: "pending offset, UNSTABLE_OFFSET_COMMIT", Where: "the column pending; ? behind what is committed"},
	{Plain: "what they do with a parcel, which no bookmark undoes", Term: "effect outside of Kafka", Where: "below the group; = done again, × refused by a unique key"},
}

// story says what a scenario is about, and how to go on. Where the run asks questions, it says no more than how it begins.
func story(t *player.Tape) dialog {
	about := paragraphs(t.File.Story)
	if n := len(t.Questions); n > 0 {
		about, _, _ = strings.Cut(about, "\n\n")
		about += "\n\nThe run stops " + plural(n, "time") + " to ask you something."
	}
	card := message(t.File.Title, about+"\n\n"+
		"enter begins.   ] goes from mark to mark, n from event to event, p and [ back, space plays.   e asks why.   ? shows all keys.", false)
	card.brief = true
	return card
}

// paragraphs joins the lines of each paragraph, so that they are broken where the screen ends.
func paragraphs(text string) string {
	parts := strings.Split(text, "\n\n")
	for i := range parts {
		parts[i] = strings.Join(strings.Fields(parts[i]), " ")
	}
	return strings.Join(parts, "\n\n")
}

// notes shows what the scenario has for the instructor.
func (m *model) notes(string) tea.Cmd {
	f := m.deck.Tape.File
	if f == nil || f.Notes == "" {
		m.status = "this scenario has no notes for the instructor"
		return nil
	}
	body := paragraphs(f.Notes)
	if f.Remember != "" {
		body += "\n\nRemember: " + f.Remember
	}
	return m.open(&text{show: func(top int) screen.Overlay { return &screen.Notes{Text: body, Top: top} }})
}
