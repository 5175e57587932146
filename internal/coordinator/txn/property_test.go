package txn

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"replog/internal/kafka"
)

// world is a coordinator whose partition changes hands, and clients that share a transactional id and do what they like.
type world struct {
	*bench
	t        *rapid.T
	clients  []client
	holders  map[string]kafka.NodeID // who was told a producer id and epoch
	outcomes map[string]bool         // of a producer id and epoch: what its markers say
	asked    map[uint32]int          // request to client
}

// client is what a producer was told last; it tells nobody when it stops.
type client struct {
	id    kafka.ProducerID
	epoch int16
	has   bool
}

func identity(id kafka.ProducerID, epoch int16) string { return fmt.Sprint(id, "/", epoch) }

// TestTwoClientsNeverShareAnIdentity: whatever gets lost, whoever coordinates, no two clients are ever told the same producer id
// and epoch (ClientsHaveDifferentProducerEpochs); no transaction of version 2 gets two kinds of markers; and what counts is what
// the committed log says.
func TestTwoClientsNeverShareAnIdentity(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		version := rapid.SampledFrom([]uint8{0, 2}).Draw(r, "version")
		w := &world{
			bench: newBench(t, version), t: r, clients: make([]client, 3), holders: map[string]kafka.NodeID{},
			outcomes: map[string]bool{}, asked: map[uint32]int{},
		}
		w.held = true
		for range rapid.IntRange(1, 80).Draw(r, "steps") {
			w.act()
			w.look()
		}
	})
}

func (w *world) act() {
	who := rapid.IntRange(0, len(w.clients)-1).Draw(w.t, "client")
	c := &w.clients[who]
	switch rapid.IntRange(0, 12).Draw(w.t, "what") {
	case 0, 1:
		w.ask(who, &kafka.InitProducerIDRequest{TransactionID: totals, Timeout: 20 * second})
	case 2:
		w.ask(who, &kafka.InitProducerIDRequest{
			TransactionID: totals, Timeout: 20 * second, ProducerID: c.id, ProducerEpoch: c.epoch, Continues: c.has,
		})
	case 3, 4, 5:
		w.ask(who, &kafka.AddPartitionsToTxnRequest{
			TransactionID: totals, ProducerID: c.id, ProducerEpoch: c.epoch,
			Partitions: []kafka.PartitionID{kafka.PartitionID(rapid.IntRange(1, 3).Draw(w.t, "partition"))},
		})
	case 6, 7:
		w.ask(who, &kafka.EndTxnRequest{
			TransactionID: totals, ProducerID: c.id, ProducerEpoch: c.epoch, Commit: rapid.Bool().Draw(w.t, "commit"),
		})
	case 8, 9:
		w.commit()
	case 10:
		w.mark(rapid.SampledFrom([]kafka.ErrorCode{kafka.None, kafka.None, kafka.NotLeaderOrFollower}).Draw(w.t, "code"))
	case 11:
		w.to(w.now + kafka.Tick(1000*rapid.IntRange(0, 15).Draw(w.t, "seconds")))
	case 12:
		w.failOver()
	}
}

func (w *world) ask(who int, body kafka.Body) {
	w.asked[w.corr+1] = who
	w.send(kafka.NodeID(64+who), body)
}

// failOver lets another broker lead the partition: with all that is committed, and as much of the rest as it has copied.
func (w *world) failOver() {
	w.step(func(*Write) { w.Resign(&w.out) })
	w.log = w.log[:rapid.IntRange(w.done, len(w.log)).Draw(w.t, "kept")]
	w.done = len(w.log)
	setting := *w.setting
	setting.Epoch++
	w.Transactions, w.markers = New(&setting), nil
	for i := range w.log {
		w.Apply(&w.log[i])
	}
	w.step(func(step *Write) { w.Loaded(w.now, &w.out, step) })
}

// look hands the answers to the clients, who believe them, and holds the world against what was promised.
func (w *world) look() {
	for corr, body := range w.answers {
		who := w.asked[corr]
		delete(w.answers, corr)
		switch r := body.(type) {
		case *kafka.InitProducerIDResponse:
			if r.Error == kafka.None {
				w.hold(who, r.ProducerID, r.Epoch)
			}
		case *kafka.EndTxnResponse:
			if r.Error == kafka.None {
				w.hold(who, r.ProducerID, r.ProducerEpoch)
			}
		}
	}
	for _, m := range w.markers {
		key := identity(m.ProducerID, m.ProducerEpoch)
		said, is := w.outcomes[key]
		if w.setting.Version >= 2 && is && said != m.Commit {
			w.t.Fatalf("producer %s: commit and abort markers", key)
		}
		w.outcomes[key] = m.Commit
	}
	replayed := New(w.setting)
	for i := range w.log[:w.done] {
		replayed.Apply(&w.log[i])
	}
	want, known := replayed.State(totals)
	if got, _ := w.State(totals); known && fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		w.t.Fatalf("%+v counts, the committed log says %+v", got, want)
	}
}

func (w *world) hold(who int, id kafka.ProducerID, epoch int16) {
	node := kafka.NodeID(64 + who)
	if holder, is := w.holders[identity(id, epoch)]; is && holder != node {
		w.t.Fatalf("client %d and client %d are both told %s", holder, node, identity(id, epoch))
	}
	w.holders[identity(id, epoch)] = node
	w.clients[who] = client{id: id, epoch: epoch, has: true}
}
