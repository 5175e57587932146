package coordinator

import (
	"fmt"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// crowd is a stable classic group and a KIP-848 group of n members each, and what one member of each says next.
func crowd(b *testing.B, n int) (*Groups, []kafka.Body) {
	g := NewGroups(testSetting())
	now, value := kafka.Tick(0), &kafka.GroupMetadataValue{Protocol: "range", Generation: 1}
	for i := range n {
		id := fmt.Sprintf("packing-%03d-1", i)
		value.Members = append(value.Members, kafka.GroupMember{
			ID: id, Node: kafka.NodeID(64 + i), SessionTimeout: 45 * second, RebalanceTimeout: 5 * minute,
			Protocols: []kafka.Protocol{{Name: "range", Topics: []kafka.TopicID{ordersTopic}}},
		})
		for _, r := range []kafka.CoordinatorRecord{
			{Key: kafka.CoordinatorKey{Kind: kafka.ConsumerGroupMemberKey, Group: pack, Member: id}, Value: &kafka.ConsumerGroupMemberValue{Node: kafka.NodeID(64 + i)}},
			{Key: kafka.CoordinatorKey{Kind: kafka.CurrentAssignmentKey, Group: pack, Member: id}, Value: &kafka.CurrentAssignmentValue{MemberEpoch: 1}},
			{Key: kafka.CoordinatorKey{Kind: kafka.TargetAssignmentKey, Group: pack, Member: id}, Value: &kafka.TargetAssignmentValue{}},
		} {
			g.Apply(&r)
		}
	}
	value.Leader = value.Members[0].ID
	for _, r := range []kafka.CoordinatorRecord{
		{Key: kafka.CoordinatorKey{Kind: kafka.GroupMetadataKey, Group: work}, Value: value},
		{Key: kafka.CoordinatorKey{Kind: kafka.ConsumerGroupEpochKey, Group: pack}, Value: &kafka.ConsumerGroupEpochValue{Epoch: 1}},
		{Key: kafka.CoordinatorKey{Kind: kafka.TargetAssignmentEpochKey, Group: pack}, Value: &kafka.TargetAssignmentEpochValue{Epoch: 1}},
	} {
		g.Apply(&r)
	}
	var out node.Out
	out.Begin(now, 0, 1, false)
	g.Loaded(now, &out)
	id := value.Members[n/2].ID
	b.ResetTimer()
	b.ReportAllocs()
	return g, []kafka.Body{
		&kafka.HeartbeatRequest{MemberID: id, Group: work, Generation: 1},
		&kafka.ConsumerGroupHeartbeatRequest{MemberID: id, Group: pack, MemberEpoch: 1},
		&kafka.OffsetCommitRequest{MemberID: id, Group: work, Generation: 1, Offsets: []kafka.PartitionOffset{{Partition: 1, Offset: 5}}},
	}
}

// BenchmarkRequest takes the requests that a group at rest sends.
func BenchmarkRequest(b *testing.B) {
	for at, name := range []string{"heartbeat", "KIP-848 heartbeat", "commit"} {
		for _, members := range []int{3, 100} {
			b.Run(fmt.Sprintf("%s/members=%d", name, members), func(b *testing.B) {
				g, requests := crowd(b, members)
				in := node.Input{Kind: node.Request, From: 64, Reply: node.Reply{Conn: 1}, Body: requests[at]}
				var out node.Out
				var w Write
				for b.Loop() {
					out.Begin(in.Now, 0, event.Seq(1), false)
					w.Records, w.Replies = w.Records[:0], w.Replies[:0]
					g.Handle(&in, &out, &w)
					if g.Deadline() <= in.Now {
						b.Fatal("something is due")
					}
					if len(w.Replies) != 1 {
						b.Fatal("it is refused")
					}
				}
			})
		}
	}
}
