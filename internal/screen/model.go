package screen

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/view"
)

// Model is everything that a frame needs. Draw changes nothing in it.
type Model struct {
	Picture *view.Cluster // the cluster after Cursor events; nil draws only the overlay
	Before  *view.Cluster // the cluster before this step, to mark what changed; nil marks nothing
	Log     *event.Log
	Cursor  int        // number of events shown; the last of them is Log.At(Cursor-1)
	Length  int        // number of events of the whole run
	Now     kafka.Tick // where the playhead stands; between two events that is past the first of them
	End     kafka.Tick
	Marks   []Mark // ordered by event

	Title    string // of the scenario
	Variant  string
	Settings string // the line of settings that matter: acks=all idempotence=off
	Speed    string // as it is written: 1x, 1/4x, 60x
	// Config is what a producer runs with now, where that is known: a trace does not tell.
	Config  func(kafka.NodeID) *kafka.ProducerConfig
	Status  string // one short message in the footer, such as "copied"
	Playing bool

	Selection Selection
	Changes   []string  // what this step changed, a sentence each
	Overlays  []Overlay // what lies over the panes, the topmost last
	Footer    []KeyHelp

	// Second is a run to compare, side by side on the same clock; nil is none. Only what a run has of its own is read
	// from it: Picture, Before, Log, Cursor, Length, Marks, Variant, Settings, Config. Selection, Layout, Theme are the first's.
	Second *Model
	Parted Parted // where the two runs part

	Layout Layout
	Theme  Theme
	ASCII  bool // nothing but ASCII on the screen
}

// now is the time that the screen speaks of.
func (m *Model) now() kafka.Tick { return max(m.Now, m.Picture.Tick()) }

// Mark is a place on the timeline that one would want to jump to. What the letters stand for is in markNames.
type Mark struct {
	Event  int        // number of events shown when one stands on it: the Seq of its event
	Tick   kafka.Tick // of its event
	Letter rune
	Label  string
}

// Parted is the first event where two runs that are compared differ.
type Parted struct {
	First, Second int // numbers of events shown; 0 when the runs do not part
	Text          string
}

// Pane names a part of the screen.
type Pane uint8

// The panes, in the order in which the focus goes round.
const (
	PaneMatrix    Pane = iota // partitions by brokers
	PanePartition             // the selected partition, offset by offset
	PaneProducer
	PaneReader
	PaneLog
	Panes // the number of panes
)

var paneNames = [Panes]string{"partitions", "offsets", "producer", "readers", "events"}

// String is the pane's name in a word.
func (p Pane) String() string { return paneNames[p%Panes] }

// NoRecord is a Selection in which nothing is followed: partition 0, the end of its log, the latest event.
var NoRecord = Selection{Offset: kafka.NoOffset, Record: kafka.NoRecord, Broker: kafka.NoNode, Producer: kafka.NoNode, Reader: kafka.NoNode}

// Selection is what the person looks at. Start from NoRecord: the zero ids are real ones.
type Selection struct {
	Pane      Pane // has the focus
	Partition kafka.PartitionID
	Broker    kafka.NodeID   // the replica in Partition; NoNode is the whole row
	Offset    kafka.Offset   // the offset pane shows it; NoOffset follows Record, else the log's end
	Record    kafka.RecordID // marked wherever it stands; NoRecord is none
	Producer  kafka.NodeID   // NoNode is none
	Reader    kafka.NodeID   // NoNode is none
	Event     event.Seq      // the selected line of the log; 0 is the latest event
}

// Layout says how the room is shared out.
type Layout uint8

// The layouts.
const (
	LayoutAuto  Layout = iota // as many panes as fit
	LayoutZoom                // the pane that has the focus, alone
	LayoutLarge               // few things, large, for the back row of a class room
)

// Theme is a set of colours.
type Theme uint8

// The themes.
const (
	Dark Theme = iota
	Light
	Mono // bold, faint and reverse, no colour
)

var themeNames = [...]string{"dark", "light", "mono"}

// String is the theme's name as --theme takes it.
func (t Theme) String() string { return themeNames[t] }

// ParseTheme finds a theme by its name.
func ParseTheme(name string) (Theme, bool) {
	for i, n := range themeNames {
		if n == name {
			return Theme(i), true
		}
	}
	return Dark, false
}

// KeyHelp is one key, as the footer and the help write it: `]` next mark.
type KeyHelp struct {
	Key   string // what is on the key: space, ], ctrl+c
	Short string // for the footer; empty leaves it out there
	Long  string // for the help
	Group string // heading in the help
}

// HitKind says what stands in a cell.
type HitKind uint8

// The kinds of things that can be clicked.
const (
	HitNothing   HitKind = iota
	HitPane              // somewhere in Pane
	HitPartition         // a row of the matrix: Partition
	HitReplica           // a cell of the matrix: Partition, Broker
	HitOffset            // a record in a replica: Partition, Broker (NoNode in the heading), Offset, Record
	HitProducer          // a worker: Node
	HitReader            // a reader: Node
	HitRecord            // an order somewhere else: Record, Partition, Offset where it has one
	HitEvent             // a line of the log: Event
	HitTimeline          // a point of the timeline: Tick, and Event where a mark stands there
	HitKey               // a key of the footer: Index in Model.Footer
	HitLine              // a line, choice or entry of the overlay: Index in its list
)

// Hit is what stands in a cell. Fields that its kind does not name are not set.
type Hit struct {
	Kind      HitKind
	Pane      Pane
	Second    bool // in the run that is compared
	Node      kafka.NodeID
	Broker    kafka.NodeID
	Partition kafka.PartitionID
	Record    kafka.RecordID
	Index     int
	Offset    kafka.Offset
	Event     event.Seq
	Tick      kafka.Tick
}
