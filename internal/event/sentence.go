package event

import (
	"strconv"
	"strings"

	"replog/internal/kafka"
)

// maxNamed is the number of records that a sentence names one by one.
const maxNamed = 6

// Sentence says in words what happened; ids are the event's record ids. An (s) in the table goes by the number before it.
func Sentence(e *Event, ids []kafka.RecordID, names *kafka.Names) string {
	var b strings.Builder
	rest, ending := catalogue[e.Kind].Sentence, "s"
	for {
		before, after, found := strings.Cut(rest, "{")
		b.WriteString(strings.ReplaceAll(before, "(s)", ending))
		if !found {
			return b.String()
		}
		field, tail, _ := strings.Cut(after, "}")
		text := fieldText(field, e, ids, names)
		b.WriteString(text)
		rest, ending = tail, "s"
		if text == "1" {
			ending = ""
		}
	}
}

func fieldText(field string, e *Event, ids []kafka.RecordID, names *kafka.Names) string {
	switch field {
	case "node":
		return names.Node(e.Node)
	case "peer":
		return names.Node(e.Peer)
	case "partition":
		return names.Partition(e.Partition)
	case "records":
		return RecordList(ids, names)
	case "key":
		return keyText(kafka.KeyID(e.Value), names)
	case "fault":
		return names.Fault(e.Value)
	case "error":
		return e.Error.String()
	case "message":
		return e.Message.String()
	case "isr":
		return SetText(e.ISR())
	case "wasisr":
		return SetText(e.PrevISR())
	case "ticks":
		return names.Millis(kafka.Tick(e.Value)) + " ms"
	case "valueclock":
		return names.Clock(kafka.Tick(e.Value))
	case "doubt":
		if e.Value != 0 {
			return "and may be stored all the same"
		}
		return "not stored by any attempt"
	case "offsets":
		return offsetRange(e)
	case "group":
		return names.ConsumerGroup(kafka.GroupID(e.Value))
	case "reads":
		return readingWord(names, e.Node)
	case "effect":
		return names.Effect(e.Node)
	case "transactional":
		return names.TransactionalID(e.Transaction())
	case "outcome":
		return outcomes[e.Prev&1]
	case "ending":
		return outcomes[e.Value&1]
	case "start":
		return startTexts[min(max(e.Value, 0), int64(len(startTexts)-1))]
	}
	return strconv.FormatInt(fieldNumber(field, e), 10)
}

func fieldNumber(field string, e *Event) int64 {
	switch field {
	case "offset":
		return int64(e.Offset)
	case "prev":
		return e.Prev
	case "epoch":
		return int64(e.Epoch)
	case "value":
		return e.Value
	case "count":
		return int64(e.Count)
	case "producer":
		return int64(e.Producer)
	case "pepoch":
		return int64(e.ProducerEpoch)
	case "sequence":
		return int64(e.Sequence)
	}
	panic("event: the sentence of " + e.Kind.String() + " names an unknown field " + field)
}

func keyText(id kafka.KeyID, names *kafka.Names) string {
	if id == kafka.NoKey {
		return names.Key(id)
	}
	return "key " + names.Key(id)
}

func offsetRange(e *Event) string {
	first := strconv.FormatInt(int64(e.Offset), 10)
	if e.Count == 1 {
		return "offset " + first
	}
	return "offsets " + first + ".." + strconv.FormatInt(int64(e.End())-1, 10)
}

// readingWord is what one does with a record that one was handed: a reader in memory is a screen, and shows it at once.
func readingWord(names *kafka.Names, node kafka.NodeID) string {
	if names.Consumes(node) != "" {
		return "reads"
	}
	return "shows"
}

// RecordList names records: up to six one by one, more as a count with the first and the last. Kafka's own have no names.
func RecordList(ids []kafka.RecordID, names *kafka.Names) string {
	if kafka.OwnRecords(ids) {
		if len(ids) == 1 {
			return names.Record(kafka.NoRecord)
		}
		return strconv.Itoa(len(ids)) + " records of Kafka's own"
	}
	if len(ids) > maxNamed {
		return strconv.Itoa(len(ids)) + " records (" + names.Record(ids[0]) + " to " + names.Record(ids[len(ids)-1]) + ")"
	}
	var b strings.Builder
	for i, id := range ids {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(names.Record(id))
	}
	return b.String()
}

// SetText lists a set of brokers as Kafka's tools do: 1,3.
func SetText(s kafka.BrokerSet) string {
	if s == 0 {
		return "(empty)"
	}
	var b strings.Builder
	for id := s.Next(0); id != kafka.NoNode; id = s.Next(id) {
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(int(id)))
	}
	return b.String()
}

// startTexts say where a consumer found its position, by the Value of PositionFound.
var startTexts = [...]string{
	FoundCommitted: "the committed offset", FoundEarliest: "the log start offset (auto.offset.reset=earliest)",
	FoundLatest: "the end (auto.offset.reset=latest)", FoundByDuration: "the first record that is young enough (auto.offset.reset=by_duration)",
	FoundBySeek: "there its application goes back to (seek)",
}
