package player

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"replog/internal/kafka"
	"replog/internal/plan"
	"replog/internal/scenario"
	"replog/internal/view"
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
	return slices.Concat(p.brokerDeeds(), p.producerDeeds(), p.topicDeeds(), p.networkDeeds())
}

func (p *Player) brokerDeeds() []Deed {
	var deeds []Deed
	for _, b := range p.Picture().Brokers() {
		name := p.Tape.Names.Node(b.ID)
		if b.Up {
			deeds = append(deeds, Deed{name + " dies", "up", "what it has not sent yet is lost; its log stays on its disk", "crash: " + name, name})
			deeds = append(deeds, p.diskDeeds(&b, name)...)
		} else {
			deeds = append(deeds, Deed{name + " comes back", "down", "it starts with the log on its disk", "restart: " + name, name})
		}
	}
	return deeds
}

// diskDeeds is the failure of the last log directory of a broker, where that works.
func (p *Player) diskDeeds(b *view.Broker, name string) []Deed {
	config := &p.Tape.Plan.Broker
	if p.Tape.Plan.Lesson || b.FailedDirs > 0 {
		return nil
	}
	act := fmt.Sprintf("disk.failure: {broker: %s, dir: %d}", name, config.LogDirs)
	if config.LogDirs == 1 {
		return []Deed{{name + " loses its disk", "up", "it stops with it; a restart finds an empty one", act, name}}
	}
	return []Deed{{
		name + " loses a disk", fmt.Sprintf("%d log directories", config.LogDirs),
		"the replicas on it are gone, the others go on", act, "",
	}}
}

// networkDeeds are what can happen to the messages of each broker that is up.
func (p *Player) networkDeeds() []Deed {
	var deeds []Deed
	for _, b := range p.Picture().Brokers() {
		if !b.Up {
			continue
		}
		name := p.Tape.Names.Node(b.ID)
		deeds = append(deeds,
			Deed{name + "'s answers to the producers get stuck", "", "stored, but nobody hears of it",
				"hold: {message: ProduceResponse, from: " + name + ", to: producers}", ""},
			Deed{name + "'s answers to its followers get stuck", "", "nobody can copy what it stores",
				"hold: {message: FetchResponse, from: " + name + ", to: brokers}", ""},
			Deed{"the next answer of " + name + " to a producer is lost", "", "a lost answer looks like a lost request",
				"drop: {message: ProduceResponse, from: " + name + ", count: 1}", ""})
		if !p.Tape.Plan.Lesson { // in the lesson's world the controller sees everything
			deeds = append(deeds,
				Deed{name + " is cut off from the controller", "", "it lives, and is fenced all the same",
					"cut: {between: [" + name + ", controller]}", ""},
				Deed{name + " is cut off from the other brokers", "", "its followers fall behind, and it behind its leaders",
					"cut: {between: [" + name + ", brokers]}", ""})
		}
	}
	return deeds
}

// producerDeeds offers the settings of each producer that decide what is stored and what is not.
func (p *Player) producerDeeds() []Deed {
	var deeds []Deed
	now := p.planNow()
	groups := map[string]bool{}
	for i := range now.Producers {
		name := p.Tape.Names.Group(now.Producers[i].ID)
		if groups[name] {
			continue
		}
		groups[name] = true
		c := &now.Producers[i].Config
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

// topicDeeds offers the settings of each topic and of the cluster, and what an operator does.
func (p *Player) topicDeeds() []Deed {
	var deeds []Deed
	now, first := p.planNow(), 0
	for _, topic := range p.Tape.Names.Topics {
		if first < len(now.Partitions) && !topic.Internal { // a scenario does not name Kafka's own topics
			deeds = append(deeds, settingDeeds(topic.Name, &now.Partitions[first])...)
			deeds = append(deeds, compactionDeeds(topic.Name, &now.Partitions[first].Config.Log)...)
			deeds = append(deeds, electionDeeds(topic.Name, p.Tape.Plan.Lesson)...)
		}
		first += topic.Partitions
	}
	if !p.Tape.Plan.Lesson {
		timeout := p.Tape.Names.Millis(now.Controller.SessionTimeout)
		for _, ms := range []string{"3000", "9000", "18000"} {
			if ms != timeout {
				deeds = append(deeds, Deed{"broker.session.timeout.ms=" + ms, timeout, "how long the controller waits for a word of a broker",
					set("brokers.config.broker.session.timeout.ms: " + ms), ""})
			}
		}
	}
	return deeds
}

// compactionDeeds offers what makes the cleaner come earlier, where a topic is compacted.
func compactionDeeds(topic string, log *kafka.LogConfig) []Deed {
	if !log.Compact {
		return nil
	}
	path := "topics." + topic + ".config."
	return []Deed{
		{topic + ": min.cleanable.dirty.ratio=0.01", fmt.Sprintf("%d%%", log.MinDirtyRatio/10_000), "the cleaner comes as soon as a segment is closed",
			set(path + "min.cleanable.dirty.ratio: 0.01"), ""},
		{topic + ": delete.retention.ms=0", "", "a tombstone goes with the second pass that covers it", set(path + "delete.retention.ms: 0"), ""},
	}
}

func settingDeeds(topic string, partition *plan.Partition) []Deed {
	var deeds []Deed
	now, path := partition.Config, "topics."+topic+".config."
	for least := int32(1); least <= int32(len(partition.Replicas)); least++ {
		if least != now.MinInSyncReplicas {
			deeds = append(deeds, Deed{fmt.Sprintf("%s: min.insync.replicas=%d", topic, least), fmt.Sprint(now.MinInSyncReplicas),
				"with fewer in sync, acks=all is refused", set(fmt.Sprintf("%smin.insync.replicas: %d", path, least)), ""})
		}
	}
	return append(deeds, Deed{fmt.Sprintf("%s: unclean.leader.election.enable=%t", topic, !now.UncleanElection), fmt.Sprint(now.UncleanElection),
		"whether a replica that is out of the ISR may lead when no other lives",
		set(fmt.Sprintf("%sunclean.leader.election.enable: %t", path, !now.UncleanElection)), ""})
}

// electionDeeds are what an operator does with kafka-leader-election.
func electionDeeds(topic string, lesson bool) []Deed {
	if lesson {
		return nil
	}
	return []Deed{
		{"an operator asks for the preferred leaders of " + topic, "", "the first replica leads again, if it is in the ISR",
			"elect: {type: preferred, topic: " + topic + "}", ""},
		{"an operator makes any live replica the leader of " + topic, "", "where there is no leader; what only others have is lost",
			"elect: {type: unclean, topic: " + topic + "}", ""},
	}
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
