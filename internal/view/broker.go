package view

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// Broker is one broker, as it is and as the controller knows it.
type Broker struct {
	ID     kafka.NodeID
	Up     bool  // its process runs
	Fenced bool  // the controller lets it lead nothing
	Epoch  int64 // broker epoch of its latest registration; 0 for the one that it began the run with
	Held   int   // messages stuck inside it
	// FailedDirs counts its log directories that have failed since it started.
	FailedDirs int
}

func (c *Cluster) applyToBroker(e *event.Event) {
	switch e.Kind {
	case event.BrokerCrashed:
		c.crash(e)
	case event.BrokerStopped:
		c.stop(e)
	case event.LogDirFailed:
		c.broker(e.Node).FailedDirs++
	case event.BrokerRestarted:
		c.broker(e.Node).Up, c.broker(e.Node).FailedDirs = true, 0
		c.endFault(func(f Fault) bool { return f.Began == e.Cause })
	case event.BrokerRegistered:
		b := c.broker(e.Peer)
		b.Epoch, b.Fenced = e.Value, true
	case event.BrokerFenced, event.ShutdownGranted:
		c.broker(e.Peer).Fenced = true
	case event.BrokerUnfenced:
		c.broker(e.Peer).Fenced = false
	case event.MessageHeld:
		if e.Node.IsBroker() {
			c.broker(e.Node).Held++
		}
	case event.MessageReleased:
		if e.Node.IsBroker() {
			c.broker(e.Node).Held--
		}
	}
}

// crash stops a broker. One that is dead when the run begins is fenced as well; it has no fault behind it.
func (c *Cluster) crash(e *event.Event) {
	b := c.broker(e.Node)
	began := len(c.faults)
	c.endFault(func(f Fault) bool { return f.Began == e.Cause })
	b.Up, b.Held = false, 0
	b.Fenced = b.Fenced || began == len(c.faults)
	c.dropRoles(e.Node)
}

// stop ends a broker in good order.
func (c *Cluster) stop(e *event.Event) {
	b := c.broker(e.Node)
	b.Up, b.Held = false, 0
	c.dropRoles(e.Node)
}

func (c *Cluster) dropRoles(broker kafka.NodeID) {
	for i := range c.partitions {
		if r := c.partitions[i].find(broker); r != nil {
			r.Role = NoRole
		}
	}
}

// broker is up and unfenced when events first speak of it.
func (c *Cluster) broker(id kafka.NodeID) *Broker {
	at := 0
	for ; at < len(c.brokers) && c.brokers[at].ID <= id; at++ {
		if c.brokers[at].ID == id {
			return &c.brokers[at]
		}
	}
	c.brokers = append(c.brokers, Broker{})
	copy(c.brokers[at+1:], c.brokers[at:])
	c.brokers[at] = Broker{ID: id, Up: true}
	return &c.brokers[at]
}

// Brokers lists the brokers, ordered by id. The caller must not change them.
func (c *Cluster) Brokers() []Broker { return c.brokers }
