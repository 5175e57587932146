package node

import "replog/internal/kafka"

// Words is what the two halves of a processor say to each other, its consumer and its producer: they are one process, and nothing
// of it travels over a wire.
type Words struct {
	Records    kafka.Records // SayWork
	Offsets    []kafka.PartitionOffset
	MemberID   string
	InstanceID string
	Group      kafka.GroupID
	Generation int32 // of the member; -1 where the producer is to tell nothing of it
	Round      int32 // numbers the times that the consumer says SayFinish; the answer has the same
	Code       kafka.ErrorCode
	Say        Saying
}

// Saying is what Words mean.
type Saying uint8

const (
	// SayWork hands over records, of which the producer is to send what comes of them.
	SayWork Saying = iota
	// SayFinish asks the producer to have all of that stored, and with transactions to commit it together with Offsets.
	SayFinish
	// SayDone answers SayFinish: it is stored, and committed.
	SayDone
	// SayFailed answers SayFinish: some of it is not stored, or the transaction was aborted.
	SayFailed
	// SayFatal says that the producer can not go on.
	SayFatal
	// SayAnew has the producer begin anew, as the consumer does.
	SayAnew
)

// Kind implements kafka.Body.
func (*Words) Kind() kafka.MessageKind { return kafka.AnyMessage }

// Concerns implements kafka.Body.
func (*Words) Concerns(kafka.PartitionID) bool { return false }

// Tell says something to the other half of a processor.
func (o *Out) Tell(whom kafka.NodeID, words *Words) {
	o.Effects = append(o.Effects, Effect{Kind: Tell, Peer: whom, Body: words, Cause: o.cause})
}

func (h *Hash) words(w *Words) {
	h.Int(int64(w.Say)<<32 | int64(w.Code))
	h.Int(int64(w.Round)<<32 | int64(w.Generation))
	h.Text(w.MemberID)
	h.Offsets(w.Offsets)
	for _, id := range w.Records.IDs() {
		h.Int(int64(id))
	}
}
