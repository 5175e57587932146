package broker

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// fetchedFrom hands in the answer to the fetch that is in flight.
func (n *bench) fetchedFrom(leader kafka.NodeID, corr uint32, got kafka.FetchedPartition) {
	n.t.Helper()
	n.give(node.Input{
		Kind: node.Response, From: leader, Channel: node.DataChannel, Corr: corr,
		Body: &kafka.FetchResponse{Partitions: []kafka.FetchedPartition{got}},
	})
}

// stored is a batch as a leader stored it.
func stored(base kafka.Offset, epoch kafka.Epoch, records int) kafka.Batch {
	b := batchOf(records)
	b.BaseOffset, b.LeaderEpoch = base, epoch
	return b
}

// following has broker 1 follow broker 2 with ten records of epoch 0, of which four are committed.
func following(t *testing.T) *bench {
	n := newBench(t, 1, 2, 1)
	n.write(10, 0)
	n.p.hw = 4
	n.lead(2, 1, 1, 2, 1)
	return n
}

func TestFollowerTruncatesToEpochEnd(t *testing.T) {
	n := following(t)
	if p := n.fetched.Partitions[0]; p.FetchOffset != 10 || p.LastFetchedEpoch != 0 || p.CurrentLeaderEpoch != 1 {
		t.Fatalf("asks for %+v", p)
	}
	n.fetchedFrom(2, n.corr, kafka.FetchedPartition{Diverging: &kafka.EpochEnd{Epoch: 0, EndOffset: 7}, HighWatermark: 7})
	n.wantEnd(7, 4)
	if p := n.fetched.Partitions[0]; p.FetchOffset != 7 {
		t.Errorf("goes on at %d", p.FetchOffset)
	}
	n.fetchedFrom(2, n.corr, kafka.FetchedPartition{
		Batches: []kafka.Batch{stored(7, 1, 2)}, HighWatermark: 8,
	})
	n.wantEnd(9, 8)
}

// TestLateFetchResponseIsIgnored: an answer that was asked for in an older leader epoch, or at another offset, is not
// appended.
func TestLateFetchResponseIsIgnored(t *testing.T) {
	n := following(t)
	late := n.corr
	n.lead(2, 2, 2, 2, 1)
	n.fetchedFrom(2, late, kafka.FetchedPartition{
		Batches: []kafka.Batch{stored(10, 1, 2)}, HighWatermark: 12,
	})
	n.wantEnd(10, 4)
	n.fetchedFrom(2, late, kafka.FetchedPartition{HighWatermark: 9}) // a second copy
	n.wantEnd(10, 4)
	if p := n.fetched.Partitions[0]; p.CurrentLeaderEpoch != 2 {
		t.Errorf("asks in leader epoch %d", p.CurrentLeaderEpoch)
	}
}

// TestStaleLeaderIsFenced: fetches of another leader epoch are refused on both sides of the change.
func TestStaleLeaderIsFenced(t *testing.T) {
	n := newBench(t, 1, 1, 2)
	n.lead(1, 5, 1, 1, 2)
	for _, c := range []struct {
		epoch kafka.Epoch
		want  kafka.ErrorCode
	}{{4, kafka.FencedLeaderEpoch}, {6, kafka.UnknownLeaderEpoch}} {
		conn := n.fetch(2, kafka.FetchPartition{CurrentLeaderEpoch: c.epoch, LastFetchedEpoch: kafka.NoEpoch})
		r, _ := n.answer(conn).(*kafka.FetchResponse)
		if r == nil || r.Partitions[0].Error != c.want {
			t.Errorf("epoch %d: answered %+v, want %v", c.epoch, r, c.want)
		}
	}
}

// TestNewLeaderKeepsItsTail: records above the high watermark stay, and are committed once the ISR has them.
func TestNewLeaderKeepsItsTail(t *testing.T) {
	n := newBench(t, 1, 1, 2)
	n.write(10, 0)
	n.p.hw = 6
	n.lead(1, 3, 1, 1, 2)
	n.wantEnd(10, 6)
	n.follow(2, 10)
	n.wantEnd(10, 10)
	for i := range n.events {
		if n.events[i].Kind == event.LogTruncated {
			t.Error("the new leader truncates")
		}
	}
}

// TestFetchSessionEndsWithItsConnection: a client's other connections carry no fetches.
func TestFetchSessionEndsWithItsConnection(t *testing.T) {
	n := newBench(t, 1, 2, 1)
	n.write(10, 0)
	n.give(node.Input{Kind: node.Request, From: 64, Channel: node.DataChannel, Body: &kafka.FetchRequest{
		Full: true, Replica: kafka.NoNode, MaxWait: 500, Partitions: []kafka.FetchPartition{{CurrentLeaderEpoch: kafka.NoEpoch, LastFetchedEpoch: kafka.NoEpoch}},
	}})
	for _, c := range []struct {
		channel node.Channel
		want    int
	}{{node.GroupChannel, 1}, {node.ControlChannel, 1}, {node.DataChannel, 0}} {
		n.give(node.Input{Kind: node.Disconnected, From: 64, Channel: c.channel})
		if got := len(n.b.session(64).Positions); got != c.want {
			t.Errorf("after the end of channel %d the session has %d partitions, want %d", c.channel, got, c.want)
		}
	}
}
