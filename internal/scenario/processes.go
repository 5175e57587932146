package scenario

import (
	"fmt"
	"slices"

	"replog/internal/kafka"
	"replog/internal/plan"
)

// readProcessFault reads whose process stops or starts, and returns its name.
func (c *compiler) readProcessFault(b block, f *fault, what string) string {
	c.refuseEnd(b, "what is down stays down until a restart")
	if f.Kind == plan.Shutdown && c.plan.Lesson {
		c.report(f.node, "crash it", "a lesson has no heartbeats, so no controlled shutdown")
	}
	return c.readProcess(f.node, f, what)
}

// readPause reads who stands still and for how long, and returns its name.
func (c *compiler) readPause(b block, f *fault, what string) string {
	c.readEnd(b, f)
	if f.Until == kafka.Never {
		c.report(f.node, "for: 20s", "a %s needs an end: until or for", what)
	}
	if c.plan.Lesson {
		c.report(f.node, "crash it", "a lesson has no heartbeats, so nobody would notice a %s", what)
	}
	if f.Kind == plan.Pause && f.node.kind == scalar && f.node.text == "controller" {
		f.Node = kafka.ControllerID
		return "the controller"
	}
	for _, one := range c.clients {
		if f.Kind == plan.Pause && one.sort == readers && f.node.kind == scalar && one.name == f.node.text {
			f.Node = one.ids[0]
			return one.name
		}
	}
	return c.readProcess(f.node, f, what)
}

// readProcess reads the name of a broker, of a consumer, of all members of a group, or of a producer that starts anew.
func (c *compiler) readProcess(n *node, f *fault, what string) string {
	n, ok := c.scalar(n, what)
	if !ok {
		return ""
	}
	if members := c.membersOf(n.text); members != nil {
		f.Node, f.members = members[0], members[1:]
		return c.names.Node(f.Node)
	}
	if f.Kind != plan.Start && f.Kind != plan.Stall && c.isBroker(n.text, f) {
		return n.text
	}
	if f.Kind == plan.Restart {
		for _, p := range c.plan.Producers {
			if c.names.Node(p.ID) == n.text && !p.Fed.IsClient() { // a processor starts as a whole, by its consumer
				f.Node = p.ID
				return n.text
			}
		}
	}
	c.report(n, c.processHint(n.text, f.Kind), "there is no %s", quoted(n.text))
	return n.text
}

// readBroker reads the name of a broker.
func (c *compiler) readBroker(n *node, f *fault, what string) string {
	n, ok := c.scalar(n, what)
	if !ok {
		return ""
	}
	if !c.isBroker(n.text, f) {
		c.report(n, c.brokersHint(), "there is no %s", quoted(n.text))
	}
	return n.text
}

// isBroker takes the broker of a name for the node of a fault.
func (c *compiler) isBroker(name string, f *fault) bool {
	for _, broker := range c.plan.Brokers {
		if brokerName(broker.ID) == name {
			f.Node = broker.ID
			return true
		}
	}
	return false
}

func (c *compiler) brokersHint() string {
	return fmt.Sprintf(`the brokers are "broker 1" to "broker %d"`, len(c.plan.Brokers))
}

// membersOf are the members of consumer groups that a name means: one, those of a block, those of a group, or all.
func (c *compiler) membersOf(name string) []kafka.NodeID {
	var ids []kafka.NodeID
	for i := range c.plan.Consumers {
		one := &c.plan.Consumers[i]
		in := slices.ContainsFunc(c.clients, func(x client) bool { return x.name == name && slices.Contains(x.ids, one.ID) })
		if in || name == string(consumers) || c.names.Node(one.ID) == name || c.names.Groups[one.Group] == name {
			ids = append(ids, one.ID)
		}
	}
	return ids
}

func (c *compiler) processHint(name string, kind plan.FaultKind) string {
	var known []string
	for i := range c.plan.Consumers {
		known = append(known, c.names.Node(c.plan.Consumers[i].ID))
	}
	if hint := DidYouMean(name, known); hint != "" || kind == plan.Start || kind == plan.Stall {
		return hint
	}
	return c.brokersHint()
}

// forEachMember is an entry for each member of the group that it names.
func (c *compiler) forEachMember(f fault) []fault {
	all := []fault{f}
	for _, id := range f.members {
		one := f
		one.Node = id
		if f.verb != "" {
			one.say = c.names.Node(id) + " " + f.verb
		}
		all = append(all, one)
	}
	return all
}

// life is whether a process runs.
type life uint8

const (
	unborn life = iota // a consumer that has not started yet
	up
	down
)

// checkLives refuses what can not happen to a process at that time: a crash of one that is down, a restart of one that
// runs. The entries are in the order of time.
func (c *compiler) checkLives(faults []fault) {
	lives := map[kafka.NodeID]life{}
	failed := map[kafka.NodeID]kafka.LogDirs{}
	for _, b := range c.plan.Brokers {
		lives[b.ID] = up
		if b.DeadFromStart {
			lives[b.ID] = down
		}
	}
	for _, f := range faults {
		at := slices.IndexFunc(c.plan.Consumers, func(m plan.Consumer) bool { return m.ID == f.Node })
		if f.Node != kafka.NoNode && (at >= 0 || f.Node.IsBroker() || f.Node == kafka.ControllerID) {
			if at >= 0 && lives[f.Node] == unborn && c.plan.Consumers[at].Starts <= f.At {
				lives[f.Node] = up
			}
			c.checkLife(f, lives[f.Node])
		}
		if f.Node.IsBroker() || at >= 0 {
			lives[f.Node] = after(f.Kind, lives[f.Node])
		}
		switch {
		case f.Kind == plan.DiskFailure && c.breakDir(&f, failed):
			lives[f.Node] = down
		case f.Kind == plan.Restart:
			failed[f.Node] = 0 // it finds a new, empty disk
		}
	}
}

// after is what a process is after a fault.
func after(kind plan.FaultKind, before life) life {
	switch kind {
	case plan.Crash, plan.Shutdown, plan.PowerLoss:
		return down
	case plan.Restart, plan.Start:
		return up
	}
	return before
}

func (c *compiler) checkLife(f fault, is life) {
	name := c.names.Node(f.Node)
	starts := f.Kind == plan.Restart || f.Kind == plan.Start
	switch {
	case f.Node == kafka.ControllerID:
	case f.Kind == plan.Start && is == unborn && c.startsItself(f.Node):
		c.report(f.node, "joins: never, for one that only the timeline starts", "joins says when %s starts", name)
	case starts && is == up:
		hint := "a crash comes before a restart"
		if f.Kind == plan.Start {
			hint = "joins: never, for one that only the timeline starts"
		}
		c.report(f.node, hint, "%s is up at that time", name)
	case f.Kind == plan.Start && is == down:
		c.report(f.node, "restart: "+name, "%s has run before", name)
	case !starts && is == down:
		c.report(f.node, "", "%s is down already at that time", name)
	case f.Kind != plan.Start && is == unborn:
		c.report(f.node, "start: "+name, "%s has not started at that time", name)
	}
}

// startsItself reports whether a consumer has a time at which it starts.
func (c *compiler) startsItself(id kafka.NodeID) bool {
	return slices.ContainsFunc(c.plan.Consumers, func(m plan.Consumer) bool { return m.ID == id && m.Starts != kafka.Never })
}
