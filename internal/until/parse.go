package until

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"replog/internal/event"
	"replog/internal/kafka"
)

// fillers are words that a sentence may have and that say nothing.
var fillers = []string{"the", "an", "a", "in"}

// parseForm finds the form that a sentence has.
func parseForm(text string, names *kafka.Names) (Moment, error) {
	words := strings.Fields(text)
	if ids := names.FindRecords(strings.TrimPrefix(text, "order ")); len(ids) > 0 {
		return mention(ids[0]), nil
	}
	var trouble error // of the form that fits furthest
	furthest := 0
	for i := range forms {
		p := parser{words: words, names: names, args: args{partition: kafka.NoPartition, record: kafka.NoRecord, names: names}}
		if p.fits(forms[i].Pattern) {
			return Moment{Order: p.args.record, holds: forms[i].build(&p.args)}, nil
		}
		if p.trouble != nil && p.at >= furthest {
			trouble, furthest = p.trouble, p.at
		}
	}
	if trouble != nil {
		return Moment{}, trouble
	}
	return Moment{}, fmt.Errorf("%q is no moment that replog knows: a time (12:40:00), a tick (tick 500), an order (8812), or what happens, as %q or %q",
		text, forms[0].Example, forms[2].Example)
}

// mention waits for an event that names an order.
func mention(id kafka.RecordID) Moment {
	holds := func(_ *event.Event, ids []kafka.RecordID) bool { return slices.Contains(ids, id) }
	return Moment{Order: id, holds: func() match { return holds }}
}

// parser holds a sentence against one form.
type parser struct {
	words   []string
	at      int
	names   *kafka.Names
	args    args
	begun   bool  // a word of the form itself was met
	trouble error // a word in the place of a name that names nothing
}

func (p *parser) fits(pattern string) bool {
	for _, part := range strings.Fields(pattern) {
		if !p.take(part) {
			return false
		}
	}
	p.skip()
	return p.at == len(p.words)
}

// skip passes over fillers.
func (p *parser) skip() {
	for p.at < len(p.words) && slices.Contains(fillers, strings.ToLower(p.words[p.at])) {
		p.at++
	}
}

func (p *parser) take(part string) bool {
	switch part {
	case "{partition}":
		return p.takeName("partition", "as p2, or "+p.names.Partition(0), p.partition)
	case "{broker}":
		return p.takeName("broker", "", p.broker)
	case "{what}":
		return p.takeWhat()
	case "{offset}":
		return p.takeName("offset", "a number", p.offset)
	case "{kind}":
		p.skip()
		return p.takeName("event", "", p.kind)
	case "no|a": // a filler that counts here
		return p.takeWord(part)
	}
	p.skip()
	return p.takeWord(part)
}

// takeWord takes one of the words that are joined by bars.
func (p *parser) takeWord(choice string) bool {
	words := strings.Split(choice, "|")
	if p.at == len(p.words) || !slices.Contains(words, strings.ToLower(p.words[p.at])) {
		return false
	}
	if len(words) > 1 {
		p.args.word = strings.ToLower(p.words[p.at])
	}
	p.at++
	p.begun = true
	return true
}

// takeName takes a name by its reader, which says how many words it has; 0 for none.
func (p *parser) takeName(what, hint string, read func(rest []string) int) bool {
	p.skip()
	rest := p.words[p.at:]
	taken := 0
	if len(rest) > 0 {
		taken = read(rest)
	}
	if taken == 0 && len(rest) > 0 && hint != "" && p.begun {
		p.trouble = fmt.Errorf("there is no %s %q (%s)", what, rest[0], hint)
	}
	p.at += taken
	return taken > 0
}

func (p *parser) partition(rest []string) int {
	if number, found := strings.CutPrefix(strings.ToLower(rest[0]), "p"); found {
		if n, err := strconv.ParseUint(number, 10, 31); err == nil && int(n) < partitions(p.names) && !p.names.Internal(kafka.PartitionID(n)) {
			p.args.partition = kafka.PartitionID(n)
			return 1
		}
	}
	for id := range kafka.PartitionID(partitions(p.names)) {
		if strings.EqualFold(p.names.Partition(id), rest[0]) {
			p.args.partition = id
			return 1
		}
	}
	return 0
}

func partitions(names *kafka.Names) int {
	count := 0
	for i := range names.Topics {
		count += names.Topics[i].Partitions
	}
	return count
}

func (p *parser) broker(rest []string) int {
	for i := range p.names.Nodes {
		node := &p.names.Nodes[i]
		words := strings.Fields(node.Name)
		if node.ID.IsBroker() && len(rest) >= len(words) && slices.EqualFunc(words, rest[:len(words)], strings.EqualFold) {
			p.args.broker = node.ID
			return len(words)
		}
	}
	if len(rest) > 1 && strings.EqualFold(rest[0], "broker") {
		p.trouble = fmt.Errorf("there is no broker %q", rest[1])
	}
	return 0
}

// takeWhat takes "something" or an order.
func (p *parser) takeWhat() bool {
	p.skip()
	if p.at == len(p.words) {
		return false
	}
	if word := strings.ToLower(p.words[p.at]); word == "something" || word == "anything" {
		p.at++
		return true
	}
	named := strings.EqualFold(p.words[p.at], "order")
	if named && p.at+1 < len(p.words) {
		p.at++
	}
	for _, length := range []int{2, 1} { // an order, with or without its step
		if p.at+length > len(p.words) {
			continue
		}
		if ids := p.names.FindRecords(strings.Join(p.words[p.at:p.at+length], " ")); len(ids) > 0 {
			p.args.record = ids[0]
			p.at += length
			return true
		}
	}
	if named {
		p.trouble = fmt.Errorf("there is no order %q", p.words[p.at])
	}
	return false
}

func (p *parser) offset(rest []string) int {
	n, err := strconv.ParseUint(strings.NewReplacer(",", "", "_", "").Replace(rest[0]), 10, 62)
	if err != nil {
		return 0
	}
	p.args.offset = kafka.Offset(n)
	return 1
}

func (p *parser) kind(rest []string) int {
	for _, k := range event.Kinds() {
		if strings.EqualFold(k.String(), rest[0]) {
			p.args.kind = k
			return 1
		}
	}
	return 0
}
