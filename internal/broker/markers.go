package broker

import (
	"slices"

	"replog/internal/coordinator/txn"
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// marking is a request for transaction markers on its way to the broker that leads their partitions.
type marking struct {
	markers []txn.Marker
	corr    uint32
	home    kafka.PartitionID // of __transaction_state, whose coordinator sent it
	to      kafka.NodeID
}

func cloneMarking(list []marking) []marking { return slices.Clone(list) } // the markers never change

func fingerprintMarking(list []marking, h *node.Hash) {
	for i := range list {
		h.Int(int64(list[i].home)<<16 | int64(list[i].to))
		for _, m := range list[i].markers {
			h.Int(int64(m.Partition)<<32 | int64(m.ID))
			h.Int(int64(m.ProducerID)<<16 | int64(m.ProducerEpoch))
		}
	}
}

// sendMarkers has the leaders of partitions write markers, one request a leader (TransactionMarkerChannelManager). This broker
// asks itself over the wire as well, as Kafka does.
func (b *Broker) sendMarkers(home kafka.PartitionID, markers []txn.Marker, out *node.Out) {
	for len(markers) > 0 {
		to := b.image.partitions[markers[0].Partition].Leader
		var here, elsewhere []txn.Marker
		for _, m := range markers {
			if b.image.partitions[m.Partition].Leader == to {
				here = append(here, m)
			} else {
				elsewhere = append(elsewhere, m)
			}
		}
		b.asks++
		b.marking = append(b.marking, marking{home: home, to: to, corr: b.asks, markers: here})
		if to == kafka.NoNode {
			b.marked(b.asks, nil, kafka.LeaderNotAvailable, out.Now(), out)
		} else {
			out.Request(to, node.MarkerChannel, b.asks, b.markersRequest(home, here))
		}
		markers = elsewhere
	}
}

// markersRequest puts the markers of a producer together.
func (b *Broker) markersRequest(home kafka.PartitionID, markers []txn.Marker) *kafka.WriteTxnMarkersRequest {
	request := &kafka.WriteTxnMarkersRequest{}
	for _, m := range markers {
		if n := len(request.Markers); n > 0 && request.Markers[n-1].ProducerID == m.ProducerID &&
			request.Markers[n-1].ProducerEpoch == m.ProducerEpoch && request.Markers[n-1].Commit == m.Commit {
			request.Markers[n-1].Partitions = append(request.Markers[n-1].Partitions, m.Partition)
			continue
		}
		request.Markers = append(request.Markers, kafka.TxnMarker{
			Partitions: []kafka.PartitionID{m.Partition}, ProducerID: m.ProducerID, ProducerEpoch: m.ProducerEpoch,
			CoordinatorEpoch: b.parts[home].leaderEpoch, Commit: m.Commit, Version: b.plan.TransactionVersion(),
		})
	}
	return request
}

// marked hands the coordinator what became of its markers: what the leader says, or an error for all.
func (b *Broker) marked(corr uint32, answer *kafka.WriteTxnMarkersResponse, code kafka.ErrorCode, now kafka.Tick, out *node.Out) {
	at := slices.IndexFunc(b.marking, func(m marking) bool { return m.corr == corr })
	if at < 0 {
		return
	}
	request := b.marking[at]
	b.marking = slices.Delete(b.marking, at, at+1)
	p := b.parts[request.home]
	if p.transactions() == nil {
		return
	}
	for i := range request.markers {
		if answer != nil {
			code = answerFor(answer, i)
		}
		b.stepTransactions(p, now, func(c *txn.Transactions, w *txn.Write) {
			c.Marked(&request.markers[i], code, now, out, w)
		}, out)
	}
}

// answerFor is what the leader says of the i-th marker: the answer has them in the order of the request, put together by
// producer.
func answerFor(answer *kafka.WriteTxnMarkersResponse, i int) kafka.ErrorCode {
	for _, results := range answer.Results {
		if i < len(results) {
			return results[i].Error
		}
		i -= len(results)
	}
	return kafka.UnknownServerError
}

// markersLost takes every request to a broker as lost whose connection is gone.
func (b *Broker) markersLost(to kafka.NodeID, now kafka.Tick, out *node.Out) {
	for _, m := range slices.Clone(b.marking) {
		if m.to == to {
			b.marked(m.corr, nil, kafka.NetworkException, now, out)
		}
	}
}

// handleMarkers writes markers as a leader, and answers when they are on every in-sync replica
// (KafkaApis.handleWriteTxnMarkersRequest).
func (b *Broker) handleMarkers(in *node.Input, request *kafka.WriteTxnMarkersRequest, out *node.Out) {
	asked := markersOf(request)
	slot := b.openProduce(in, &kafka.ProduceRequest{
		Batches: make([]kafka.PartitionBatch, len(asked)), Acks: kafka.AcksAll, Timeout: b.plan.Transaction.MarkerTimeout,
	})
	b.produces.at(slot).markers = request
	for i, m := range asked {
		out.BecauseOfInput()
		result := &b.produces.at(slot).answer.Results[i]
		result.Partition, result.BaseOffset = m.partition, kafka.NoOffset
		if need := b.mark(in, m.TxnMarker, m.partition, result, out); result.Error == kafka.None {
			b.await(b.parts[m.partition], waiter{need: need, slot: slot, result: int32(i)})
		}
	}
	b.settle(slot, in.Now, out)
	for _, m := range asked {
		b.afterAppend(m.partition, in.Now, out)
	}
}

// askedMarker is a marker that one partition is to get.
type askedMarker struct {
	*kafka.TxnMarker
	partition kafka.PartitionID
}

func markersOf(request *kafka.WriteTxnMarkersRequest) []askedMarker {
	var list []askedMarker
	for i := range request.Markers {
		for _, id := range request.Markers[i].Partitions {
			list = append(list, askedMarker{&request.Markers[i], id})
		}
	}
	return list
}

// mark writes one marker, or finds that it must not.
func (b *Broker) mark(
	in *node.Input, m *kafka.TxnMarker, id kafka.PartitionID, result *kafka.ProduceResult, out *node.Out,
) kafka.Offset {
	p := b.parts[id]
	marker := kafka.NewMarker(m.ProducerID, m.ProducerEpoch, m.CoordinatorEpoch, m.Commit, in.Now)
	if result.Error = b.refusal(p, kafka.AcksAll); result.Error == kafka.None {
		result.Error = p.producers.CheckMarker(&marker, m.Version)
	}
	if result.Error != kafka.None {
		out.Emit(event.Event{
			Kind: event.MarkerRefused, Node: b.id, Peer: in.From, Partition: id, Producer: m.ProducerID,
			ProducerEpoch: m.ProducerEpoch, Error: result.Error,
		})
		return kafka.NoOffset
	}
	stored, _ := b.store(p, marker, in.From, out)
	out.Emit(event.Event{
		Kind: event.TransactionMarked, Node: b.id, Peer: in.From, Partition: id, Epoch: p.leaderEpoch, Offset: stored.BaseOffset,
		Producer: m.ProducerID, ProducerEpoch: m.ProducerEpoch, Value: event.Flag(m.Commit),
	})
	b.endPending(p, &stored, out)
	return stored.NextOffset()
}

// markersAnswer is the answer to a request for markers.
func markersAnswer(r *pendingProduce) *kafka.WriteTxnMarkersResponse {
	answer, n := &kafka.WriteTxnMarkersResponse{}, 0
	for i := range r.markers.Markers {
		results := make([]kafka.PartitionError, len(r.markers.Markers[i].Partitions))
		for j := range results {
			results[j] = kafka.PartitionError{Partition: r.answer.Results[n].Partition, Error: r.answer.Results[n].Error}
			n++
		}
		answer.Results = append(answer.Results, results)
	}
	return answer
}
