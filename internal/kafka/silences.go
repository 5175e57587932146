package kafka

import "slices"

// Silence says what an entry of the timeline keeps from being heard while it acts. The name of the entry is Faults[Fault].
type Silence struct {
	Fault int64 `json:"fault"`
	// From and To are who is not heard, by whom; an empty list is everybody.
	From []NodeID `json:"from,omitempty"`
	To   []NodeID `json:"to,omitempty"`
	// Message is what does not come, AnyMessage for all.
	Message MessageKind `json:"message,omitempty"`
	// Application: only the application of From stands still; its client goes on, and is heard.
	Application bool `json:"application,omitempty"`
}

// between reports whether the silence concerns what one node sends another.
func (s *Silence) between(from, to NodeID) bool {
	named := func(list []NodeID, id NodeID) bool { return len(list) == 0 || slices.Contains(list, id) }
	return named(s.From, from) && named(s.To, to)
}

// Silences reports whether an entry of the timeline keeps some messages of a node from another, or the answers to them,
// without which it sends no more.
func (n *Names) Silences(fault int64, node, listener NodeID, messages ...MessageKind) bool {
	return slices.ContainsFunc(n.Silent, func(s Silence) bool {
		return s.Fault == fault && !s.Application && (s.between(node, listener) || s.between(listener, node)) &&
			(s.Message == AnyMessage || slices.Contains(messages, s.Message))
	})
}

// Halts reports whether an entry of the timeline makes a node, or its application alone, stand still.
func (n *Names) Halts(fault int64, node NodeID) bool {
	return slices.ContainsFunc(n.Silent, func(s Silence) bool {
		return s.Fault == fault && s.Message == AnyMessage && len(s.To) == 0 && slices.Contains(s.From, node)
	})
}
