package kafka

import "slices"

// Scope says whose configuration a setting belongs to; several may be joined.
type Scope uint8

// The scopes of Kafka's settings.
const (
	BrokerSetting Scope = 1 << iota
	ControllerSetting
	TopicSetting
	ProducerSetting
	ReaderSetting   // an in-memory reader
	ConsumerSetting // a member of a consumer group
)

// Unit says how the value of a setting is written and what it counts.
type Unit uint8

// The units of Kafka's settings.
const (
	Millis  Unit = iota // a whole number of milliseconds
	Seconds             // a whole number of seconds
	Minutes             // a whole number of minutes
	Bytes               // a whole number of bytes
	Count               // a whole number
	Boolean             // true or false
	Choice              // one of Setting.Choices
	Words               // a list of some of Setting.Choices, in an order that counts
	Ratio               // a share from 0 to 1, kept in millionths
)

var unitNames = [...]string{"a number of milliseconds", "a number of seconds", "a number of minutes", "a number of bytes", "a whole number", "true or false", "a word", "a list of words",
	"a number from 0 to 1"}

// Millis is how many milliseconds one of a unit of time is, 0 for the other units.
func (u Unit) Millis() int64 {
	switch u {
	case Millis:
		return 1
	case Seconds:
		return 1000
	case Minutes:
		return 60_000
	}
	return 0
}

// String says how a value of this unit is written.
func (u Unit) String() string { return unitNames[u] }

// NoLimit is the default of a limit in milliseconds that a client does not have.
const NoLimit = "none"

// NoValue is the default of a setting that is not set (null).
const NoValue = ""

// The largest values of settings that Kafka keeps in 64 bits, as far as they stay whole numbers of ticks.
const (
	maxMillis = 1 << 43
	maxBytes  = 1 << 50
)

// Setting is one row of the catalogue: a configuration that replog understands, under Kafka's own name.
type Setting struct {
	Name    string
	Scope   Scope
	Unit    Unit
	Choices []string // Choice and Words only
	Min     int64    // of Millis, Bytes and Count
	Max     int64    // 0: the largest value of the unit
	Default string   // Kafka's (4.0), as one writes it
	// Clients are the defaults of the clients that differ from Default.
	Clients []ClientDefault
	// Librdkafka are the other names under which librdkafka takes the setting.
	Librdkafka []string
	// Only are the clients that have the setting; nil means all.
	Only    []Client
	Meaning string // one sentence
	Source  string // where the default and the behaviour come from
}

// ClientDefault is a client's own default of a setting.
type ClientDefault struct {
	Client Client
	Value  string
}

// DefaultFor is the default that a client has for the setting.
func (s *Setting) DefaultFor(client Client) string {
	if client == Librdkafka20 { // the versions differ in what they have, not in its defaults
		client = Librdkafka
	}
	for _, d := range s.Clients {
		if d.Client == client {
			return d.Value
		}
	}
	return s.Default
}

// KnownTo reports whether the client has the setting.
func (s *Setting) KnownTo(client Client) bool {
	for _, c := range s.Only {
		if c == client {
			return true
		}
	}
	return s.Only == nil
}

// NamesFor lists the names under which the client takes the setting.
func (s *Setting) NamesFor(client Client) []string {
	if !client.IsLibrdkafka() {
		return []string{s.Name}
	}
	return append([]string{s.Name}, s.Librdkafka...)
}

// Settings is the catalogue, by scope and in the order in which a reader should meet them. The caller must not change it.
func Settings() []Setting { return settings }

var settings = slices.Concat(brokerSettings, clientSettings, coordinatorSettings, consumerSettings, transactionSettings)
