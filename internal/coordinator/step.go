package coordinator

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// step is one step of a coordinator, with all that it may use.
type step struct {
	*Groups
	now     kafka.Tick
	out     *node.Out
	w       *Write
	from    kafka.NodeID // who asks; kafka.NoNode where time does
	reply   node.Reply
	request kafka.GroupRequest
}

// answer answers the request at once.
func (s *step) answer(body kafka.Body) { s.out.Answer(s.reply, body) }

// answerCommitted answers the request when all that was written before is committed.
func (s *step) answerCommitted(body kafka.Body) {
	s.w.Replies = append(s.w.Replies, Reply{To: s.reply, Body: body, Request: s.request})
}

// emit records an event about a group.
func (s *step) emit(g *group, e event.Event) {
	e.Node, e.Value = s.setting.Host, int64(g.id)
	s.out.Emit(e)
}

// fence tells of a request that the coordinator refuses because the group does not know its sender any more.
func (s *step) fence(id kafka.GroupID, code kafka.ErrorCode) {
	s.out.Emit(event.Event{Kind: event.MemberFenced, Node: s.setting.Host, Peer: s.from, Value: int64(id), Error: code})
}

// write adds a record to the batch of this step.
func (s *step) write(key kafka.CoordinatorKey, value kafka.CoordinatorValue) {
	s.w.Records = append(s.w.Records, kafka.CoordinatorRecord{Key: key, Value: value})
}

// store writes a record, and changes the group as whoever reads it later will. A KIP-848 group and offsets change in no
// other way.
func (s *step) store(g *group, kind kafka.CoordinatorKeyKind, member string, value kafka.CoordinatorValue) {
	s.write(kafka.CoordinatorKey{Kind: kind, Group: g.id, Member: member}, value)
	g.apply(&s.w.Records[len(s.w.Records)-1])
}
