package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"replog/internal/screen"
)

// binding is one row of the key map. Everything about keys comes from here: what they do, the footer, the help, the table
// in the README.
type binding struct {
	keys  []string // as Bubble Tea names them; a click on the footer presses the first
	label string   // as a person reads it
	short string   // for the footer; empty leaves it out there
	long  string
	group string
	do    func(m *model, key string) tea.Cmd
}

// The groups of keys, as headings of the help.
const (
	groupProgram = "The program"
	groupMove    = "Move in time"
	groupLook    = "Look around"
	groupAsk     = "Ask and try"
)

// bindings is the key map. The first two come first in the footer and are never cut.
func bindings() []binding {
	return slices.Concat(programKeys(), moveKeys(), askKeys(), lookKeys())
}

func programKeys() []binding {
	return []binding{
		{[]string{"?", "f1"}, "?", "help", "the keys; again: what the words and signs mean, in plain words", groupProgram, (*model).help},
		{[]string{"q"}, "q", "quit", "quit", groupProgram, (*model).quit},
		{[]string{"ctrl+c"}, "ctrl+c", "", "quit, whatever is open", groupProgram, (*model).quit},
		{[]string{"ctrl+z"}, "ctrl+z", "", "suspend; fg brings it back", groupProgram, (*model).suspend},
		{[]string{"esc"}, "esc", "", "back one level: close what is open, stop comparing", groupProgram, (*model).back},
	}
}

func moveKeys() []binding {
	return []binding{
		{[]string{" "}, "space", "play", "play, pause", groupMove, (*model).togglePlay},
		{[]string{"n", "right"}, "n right", "next", "one event on", groupMove, (*model).nextEvent},
		{[]string{"p", "left"}, "p left", "back", "one event back", groupMove, (*model).previousEvent},
		{[]string{"."}, ".", "", "to the end of the next tick", groupMove, (*model).nextTick},
		{[]string{","}, ",", "", "to the end of the tick before", groupMove, (*model).previousTick},
		{[]string{"]", "N", "pgdown"}, "] N PgDn", "mark", "to the next mark: a fault, an election, a retry, a question", groupMove, (*model).nextMark},
		{[]string{"[", "P", "pgup"}, "[ P PgUp", "", "to the mark before", groupMove, (*model).previousMark},
		{[]string{":"}, ":", "go to", "go to a time (12:40:00), a tick, an order (8812), or until something happens", groupMove, (*model).openGoTo},
		{[]string{"/"}, "/", "", "look for words in what happens from here on; with nothing typed, the same words again", groupMove, (*model).openSearch},
		{[]string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}, "0 to 9", "", "to so many tenths of the run", groupMove, (*model).tenth},
		{[]string{"g", "home"}, "g Home", "", "to the beginning", groupMove, (*model).toStart},
		{[]string{"G", "end"}, "G End", "", "to the end", groupMove, (*model).toEnd},
		{[]string{"+", "="}, "+", "", "play twice as fast", groupMove, (*model).faster},
		{[]string{"-", "_"}, "-", "", "play half as fast", groupMove, (*model).slower},
	}
}

func askKeys() []binding {
	return []binding{
		{[]string{"e"}, "e", "why", "why: the causes of what is selected, or why something does not happen", groupAsk, (*model).openWhy},
		{[]string{"w"}, "w", "what if", "what if: change a setting or break something now; in a fork also save it as a scenario", groupAsk, (*model).openWhatIf},
		{[]string{"u"}, "u", "", "leave the fork: back to the run it came from", groupAsk, (*model).leaveFork},
		{[]string{"c"}, "c", "compare", "compare with another variant, side by side; again: stop comparing", groupAsk, (*model).toggleCompare},
		{[]string{"s"}, "s", "", "what an operator sees: the metrics, before the latest fault and now; stays open while you move", groupAsk, (*model).openMetrics},
		{[]string{"f"}, "f", "", "the files of the selected partition: its segments, and what retention or the cleaner takes next; stays open too", groupAsk, (*model).openSegments},
		{[]string{"i"}, "i", "", "the notes for the instructor", groupAsk, (*model).notes},
	}
}

func lookKeys() []binding {
	return []binding{
		{[]string{"o"}, "o", "open", "open another scenario or variant", groupLook, (*model).openPicker},
		{[]string{"tab"}, "tab", "pane", "the next pane takes the keys", groupLook, (*model).nextPane},
		{[]string{"shift+tab"}, "shift+tab", "", "the pane before", groupLook, (*model).previousPane},
		{[]string{"up", "k"}, "up k", "", "select the thing above", groupLook, (*model).selectUp},
		{[]string{"down", "j"}, "down j", "", "select the thing below", groupLook, (*model).selectDown},
		{[]string{"h", "shift+left"}, "h", "", "select the thing to the left: a replica, an offset", groupLook, (*model).selectLeft},
		{[]string{"l", "shift+right"}, "l", "", "select the thing to the right", groupLook, (*model).selectRight},
		{[]string{"enter"}, "enter", "", "go to the selected event; follow the selected order", groupLook, (*model).enter},
		{[]string{"z"}, "z", "zoom", "the selected pane alone; again: large, for the back row; again: all panes", groupLook, (*model).zoom},
		{[]string{"y"}, "y", "", "copy what is selected, as a sentence", groupLook, (*model).copy},
		{[]string{"m"}, "m", "", "mouse on or off; while it is off, the terminal selects text", groupLook, (*model).toggleMouse},
	}
}

func find(key string) *binding {
	all := bindings()
	at := slices.IndexFunc(all, func(b binding) bool { return slices.Contains(b.keys, key) })
	if at < 0 {
		return nil
	}
	return &all[at]
}

// keyHelp is the key map as the screen shows it.
func keyHelp() []screen.KeyHelp {
	var keys []screen.KeyHelp
	for _, b := range bindings() {
		keys = append(keys, screen.KeyHelp{Key: b.label, Short: b.short, Long: b.long, Group: b.group})
	}
	return keys
}

// KeyGroup is a heading of the help with its keys.
type KeyGroup struct {
	Title string
	Keys  []screen.KeyHelp
}

// Keys is the key map by groups, for a reference page.
func Keys() []KeyGroup {
	var groups []KeyGroup
	for _, k := range keyHelp() {
		if last := len(groups) - 1; last < 0 || groups[last].Title != k.Group {
			groups = append(groups, KeyGroup{Title: k.Group})
		}
		last := &groups[len(groups)-1]
		last.Keys = append(last.Keys, k)
	}
	return groups
}

// footer lists the keys that the footer shows, and what a click on each presses. Of a narrow one the last are cut off, so
// the way to the other panes comes before what one can try.
func footer() (keys []screen.KeyHelp, press []string) {
	all := slices.Concat(programKeys(), moveKeys(), askKeys())
	at := 1 + slices.IndexFunc(all, func(b binding) bool { return b.label == "e" })
	look := lookKeys()
	tab := slices.IndexFunc(look, func(b binding) bool { return b.label == "tab" })
	all = slices.Insert(all, at, look[tab])
	for _, b := range append(all, slices.Delete(look, tab, tab+1)...) {
		if b.short != "" {
			label, _, _ := strings.Cut(b.label, " ")
			keys = append(keys, screen.KeyHelp{Key: label, Short: b.short})
			press = append(press, b.keys[0])
		}
	}
	return keys, press
}

// KeyTable is the key map as a table in Markdown, for the README.
func KeyTable() string {
	var b strings.Builder
	b.WriteString("| key | does |\n| --- | --- |\n")
	for _, k := range bindings() {
		label := strings.ReplaceAll(k.label, "|", `\|`)
		keys := "`" + strings.Join(strings.Fields(label), "` `") + "`"
		fmt.Fprintf(&b, "| %s | %s |\n", strings.ReplaceAll(keys, " `to` ", " to "), k.long)
	}
	return b.String()
}
