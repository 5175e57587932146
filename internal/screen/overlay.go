package screen

import "replog/internal/event"

// Overlay is what lies over the panes: one of *Help, *Page, *Why, *Question, *Notes, *Metrics, *Segments, *Picker, *Command, *Menu,
// *Score and *Message. A list that is longer than the room shows the part around its Cursor, or from its Top on; Draw clamps both.
type Overlay interface {
	// lay draws the overlay over the panes.
	lay(p *painter)
}

// Help is the table of keys.
type Help struct {
	Keys []KeyHelp
	Top  int // first line shown
}

// Page is a page of text in pairs, such as the mental model.
type Page struct {
	Title string
	Intro string
	Parts []Part
	Top   int
}

// Part is a thing in plain words beside its real name and its place on the screen.
type Part struct{ Plain, Term, Where string }

// Why is a chain of causes, or the reasons why something does not happen.
type Why struct {
	Title  string
	Links  []Link
	Cursor int
}

// Link is one sentence of a Why.
type Link struct {
	Event event.Seq // where it can be jumped to; 0 is nowhere
	Clock string    // the time of the event
	Text  string
	Rule  string // the rule behind it, shown under the selected link
}

// Question is a question to the class, before the answer or after it.
type Question struct {
	Heading string // such as "question 2 of 3"
	Text    string
	Choices []Choice
	Picked  int // index of the choice taken; -1 is none yet
	Cursor  int
	Solved  bool     // the right choice is marked, and the words on each are shown
	Verdict []string // sentences under the solved question, with the event that proves it
}

// Choice is one answer to a question.
type Choice struct {
	Text  string
	Right bool
	Word  string // shown when the question is solved: why this is right, or not
}

// Notes are the notes for the instructor.
type Notes struct {
	Text string
	Top  int
}

// Metrics is what an operator sees: each metric as it was before the latest fault, and as it is now.
type Metrics struct {
	Clock   string // now
	Since   string // the latest fault, with its time; empty before the first
	Rows    []Metric
	Earlier []string // what each fault before that one changed, the latest first
	Top     int      // first line shown
}

// Metric is one line of Metrics.
type Metric struct {
	Name, Meaning string
	Was, Now      int
}

// Picker lists the scenarios and their variants.
type Picker struct {
	Title   string
	Entries []Entry // those that pass the filter
	Cursor  int
	Filter  string
	Typing  bool // the filter takes the keys
}

// Entry is one line of a Picker.
type Entry struct{ Scenario, Variant, Line string }

// Command is the line at the foot of the screen where one types where to go, or what to look for.
type Command struct {
	Prompt string // ":" or "/"
	Text   string
	At     int    // place of the cursor, in characters of Text
	Hint   string // what may be typed
	Error  string // what was wrong with what was typed
}

// Menu is a list to choose from, such as the what-ifs.
type Menu struct {
	Title  string
	Intro  string
	Items  []Item
	Cursor int
}

// Item is one line of a Menu.
type Item struct {
	Label string
	Value string // what it is now
	Note  string // what it would do, shown under the selected item
}

// Score is the result of all questions.
type Score struct {
	Right, Of int
	Lines     []string
}

// Message is something to read and to wave away.
type Message struct {
	Title   string
	Text    string // as it is written: lines stay lines, as those of a mistake in a file
	Mistake bool
}
