package player

import (
	"errors"
	"fmt"
	"strings"

	"replog/internal/kafka"
	"replog/internal/plan"
	"replog/internal/scenario"
)

// Deed is something that one may do to the cluster now: a setting changed, a broker killed, a message lost.
type Deed struct {
	Label string // what is done: broker 3 dies
	Value string // how it is now; may be empty
	Note  string // what it is good for
	act   string // the timeline entry, without its time and its sentence
	// broker is the one that is killed or started; empty for other deeds.
	broker string
}

// Deeds lists what can be done at this place, the most drastic first; a trace can not be changed.
func (p *Player) Deeds() []Deed {
	if p.Tape.Plan == nil {
		return nil
	}
	deeds := p.brokerDeeds()
	deeds = append(deeds, p.producerDeeds()...)
	return append(deeds, p.topicDeeds()...)
}

func (p *Player) brokerDeeds() []Deed {
	var deeds, messages []Deed
	for _, b := range p.Picture().Brokers() {
		name := p.Tape.Names.Node(b.ID)
		if !b.Up {
			deeds = append(deeds, Deed{name + " comes back", "down", "it starts with the log on its disk", "restart: " + name, name})
			continue
		}
		deeds = append(deeds, Deed{name + " dies", "up", "what it has not sent yet is lost; its log stays on its disk", "crash: " + name, name})
		messages = append(messages,
			Deed{name + "'s answers to the producers get stuck", "", "stored, but nobody hears of it",
				"hold: {message: ProduceResponse, from: " + name + ", to: producers}", ""},
			Deed{name + "'s answers to its followers get stuck", "", "nobody can copy what it stores",
				"hold: {message: FetchResponse, from: " + name + ", to: brokers}", ""},
			Deed{"the next answer of " + name + " to a producer is lost", "", "a lost answer looks like a lost request",
				"drop: {message: ProduceResponse, from: " + name + ", count: 1}", ""})
	}
	return append(deeds, messages...)
}

// producerDeeds offers the settings of each producer that decide what is stored and what is not.
func (p *Player) producerDeeds() []Deed {
	var deeds []Deed
	plan := p.planNow()
	groups := map[string]bool{}
	for i := range plan.Producers {
		name := p.Tape.Names.Group(plan.Producers[i].ID)
		if groups[name] {
			continue
		}
		groups[name] = true
		c := &plan.Producers[i].Config
		path := "producers." + name + ".config."
		for _, acks := range []string{"all", "1", "0"} {
			if acks != c.Acks.String() {
				deeds = append(deeds, acksDeed(name, path, acks, c))
			}
		}
		deeds = append(deeds, idempotenceDeed(name, path, c), retriesDeed(name, path, c))
	}
	return deeds
}

func acksDeed(name, path, acks string, c *kafka.ProducerConfig) Deed {
	act := set(path + "acks: " + acks)
	if acks != "all" && c.EnableIdempotence { // Kafka refuses the two together
		act = set(path+"acks: "+acks, path+"enable.idempotence: false")
	}
	return Deed{name + ": acks=" + acks, "acks=" + c.Acks.String(), acksNotes[acks], act, ""}
}

var acksNotes = map[string]string{
	"all": "answered when every in-sync replica has it",
	"1":   "answered when the leader has it, before anybody has copied it",
	"0":   "not answered at all",
}

func idempotenceDeed(name, path string, c *kafka.ProducerConfig) Deed {
	if c.EnableIdempotence {
		return Deed{name + ": enable.idempotence=false", "true", "retries look like new orders", set(path + "enable.idempotence: false"), ""}
	}
	// Kafka refuses idempotence with more requests in flight, with fewer acks, or without retries.
	return Deed{name + ": enable.idempotence=true", "false", "what is sent from now on is recognised when it comes again",
		set(path+"enable.idempotence: true", path+"max.in.flight.requests.per.connection: 5", path+"acks: all", path+"retries: 2147483647"), ""}
}

func retriesDeed(name, path string, c *kafka.ProducerConfig) Deed {
	if c.Retries == 0 {
		return Deed{name + ": retries on", "retries=0", "what has no answer is sent again", set(path + "retries: 2147483647"), ""}
	}
	return Deed{name + ": retries=0", "retries on", "the first failure is the last", set(path+"retries: 0", path+"enable.idempotence: false"), ""}
}

func (p *Player) topicDeeds() []Deed {
	var deeds []Deed
	plan := p.planNow()
	first := 0
	for _, topic := range p.Tape.Names.Topics {
		if first < len(plan.Partitions) {
			now := plan.Partitions[first].Config.MinInSyncReplicas
			for least := int32(1); least <= int32(len(plan.Partitions[first].Replicas)); least++ {
				if least != now {
					deeds = append(deeds, Deed{fmt.Sprintf("%s: min.insync.replicas=%d", topic.Name, least), fmt.Sprint(now),
						"with fewer in sync, acks=all is refused", set(fmt.Sprintf("topics.%s.config.min.insync.replicas: %d", topic.Name, least)), ""})
				}
			}
		}
		first += topic.Partitions
	}
	return deeds
}

func set(values ...string) string { return "set: {" + strings.Join(values, ", ") + "}" }

// planNow is the plan with the settings that hold at this place.
func (p *Player) planNow() *plan.Plan { return p.Tape.PlanAt(p.now) }

// PlanAt is the plan with the settings that hold at a time; nil for a trace.
func (t *Tape) PlanAt(now kafka.Tick) *plan.Plan {
	at := t.Plan
	for i := 0; at != nil && i < len(t.Plan.Faults); i++ {
		if f := &t.Plan.Faults[i]; f.Kind == plan.Configure && f.At <= now && f.After != nil {
			at = f.After
		}
	}
	return at
}

// errTrace: a trace says what happened, not how it came about.
var errTrace = errors.New("a trace can not go another way: it has no scenario")

// Fork is the scenario of a tape with a deed done in the tick behind the place. Up to there both runs are the same.
func (p *Player) Fork(d Deed) (*scenario.File, error) {
	t := p.Tape
	if t.File == nil {
		return nil, errTrace
	}
	if p.now+1 > t.End {
		return nil, errors.New("the run is over: there is no time left to do anything in")
	}
	when := t.clock(p.now + 1)
	entry := fmt.Sprintf("{at: %q, %s, say: %q}", when, d.act, "what if: "+d.Label)
	heading := fmt.Sprintf("what if: %s, at %s (from %s, %s)", d.Label, when, t.Names.Scenario, t.Names.Variant)
	for _, s := range t.Sets {
		heading += "\nrun it with --set " + s.String()
	}
	text, err := t.File.Fork(scenario.Turn{
		Variant: t.Names.Variant, Heading: heading, Entry: entry, Broker: d.broker, After: p.now + 1,
	})
	if err != nil {
		return nil, err
	}
	return scenario.Load(t.File.Name+".yaml", []byte(text))
}

// clock is a tick as a scenario file writes it.
func (t *Tape) clock(at kafka.Tick) string {
	if t.Names.StartMicros >= 0 {
		return t.Names.Clock(at)
	}
	return fmt.Sprintf("%dus", int64(at)*t.Names.TickMicros)
}
