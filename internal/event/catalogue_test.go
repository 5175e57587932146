package event

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"replog/internal/kafka"
)

// constants lists the names of the kinds as kinds.go declares them.
func constants(t *testing.T) []string {
	file, err := parser.ParseFile(token.NewFileSet(), "kinds.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			names = append(names, spec.Names[0].Name)
		}
		return true
	})
	return names
}

func TestEachKindHasACompleteRow(t *testing.T) {
	names := constants(t)
	if len(names) != int(kindCount)+1 {
		t.Fatalf("kinds.go declares %d names, want %d and kindCount", len(names), kindCount)
	}
	for _, k := range Kinds() {
		spec := k.Spec()
		if spec.Name != names[k] {
			t.Errorf("the kind %s has the row of %q", names[k], spec.Name)
		}
		if spec.Sentence == "" || spec.Rule == "" || spec.Source == "" {
			t.Errorf("%s: sentence, rule or source is empty", k)
		}
		if !strings.HasSuffix(spec.Rule, ".") || strings.HasSuffix(spec.Sentence, ".") {
			t.Errorf("%s: a rule ends with a full stop, a sentence of the log does not", k)
		}
		if (spec.Value != "") != (spec.Fields&Value != 0) {
			t.Errorf("%s: the meaning of Value is %q, which must stand there exactly if the kind uses it", k, spec.Value)
		}
		if spec.Fields&Records != 0 && spec.Fields&Count != 0 {
			t.Errorf("%s: Records comes with Count", k)
		}
	}
}

func TestKindsAreFoundByName(t *testing.T) {
	for _, k := range Kinds() {
		if got, ok := ParseKind(k.String()); !ok || got != k {
			t.Errorf("ParseKind(%q) = %v, %t", k, got, ok)
		}
	}
	for _, name := range []string{"", "NoKind", "batchAppended"} {
		if k, ok := ParseKind(name); ok {
			t.Errorf("ParseKind(%q) = %v", name, k)
		}
	}
}

// placeholders says which field of an event each {placeholder} of a sentence reads.
var placeholders = map[string]Fields{
	"node": Node, "peer": Peer, "partition": Partition, "epoch": Epoch, "offset": Offset, "prev": Prev, "wasisr": Prev,
	"value": Value, "key": Value, "fault": Value, "isr": Value, "ticks": Value, "valueclock": Value, "doubt": Value,
	"records": Records, "count": Count | Records, "offsets": Count | Records, "producer": Producer, "sequence": Sequence,
	"error": Error, "message": Message, "group": Value, "start": Value, "effect": Node, "reads": Node,
	"transactional": Value, "ending": Value, "outcome": Prev, "pepoch": Producer,
}

func TestSentencesSpeakOfDeclaredFields(t *testing.T) {
	for _, k := range Kinds() {
		for _, part := range strings.Split(k.Spec().Sentence, "{")[1:] {
			name, _, closed := strings.Cut(part, "}")
			field, known := placeholders[name]
			if !closed || !known {
				t.Errorf("%s: the sentence names {%s}, which no test knows", k, name)
				continue
			}
			if k.Spec().Fields&field == 0 {
				t.Errorf("%s: the sentence names {%s}, but the row does not declare that field", k, name)
			}
		}
	}
}

func TestSentencesAreWholeForAnyEvent(t *testing.T) {
	names := &kafka.Names{TickMicros: 5000, StartMicros: -1}
	for _, k := range Kinds() {
		for _, e := range []Event{
			{Kind: k},
			{Kind: k, Node: kafka.NoNode, Peer: kafka.NoNode, Partition: kafka.NoPartition, Value: -1, Prev: -1, Offset: -1, Error: 999, Message: 200},
			{Kind: k, Node: 70, Peer: 2, Partition: 1 << 30, Value: 1<<63 - 1, Prev: -1 << 63, Offset: 1 << 62, Count: 5},
		} {
			if text := Sentence(&e, nil, names); text == "" || strings.ContainsAny(text, "{}") {
				t.Errorf("%s: %q", k, text)
			}
		}
	}
}

func TestSentenceReads(t *testing.T) {
	names := &kafka.Names{
		TickMicros: 5000, StartMicros: 45_600_000_000,
		Nodes: []kafka.NodeName{{ID: 64, Name: "worker 1"}, {ID: 65, Name: "packing-0", Consumes: "packing", Effect: "is printed on a slip"}},
		Topics: []kafka.TopicName{
			{Name: "orders", Partitions: 6}, {Name: "__consumer_offsets", Partitions: 1, Numbers: []int{17}, Internal: true},
		},
		Loads:  []kafka.RecordRange{{Orders: 100, FirstNumber: 8800}},
		Faults: []string{"broker 2's disk controller fails"}, TransactionalIDs: []string{"totals"},
	}
	tests := []struct {
		event Event
		ids   []kafka.RecordID
		want  string
	}{
		{Event{Kind: BatchAppended, Node: 2, Peer: 64, Partition: 2, Epoch: 3, Offset: 40117}, []kafka.RecordID{12},
			"broker 2 appends 8812 to orders-2 at 40117 (leader epoch 3)"},
		{Event{Kind: BatchAppended, Node: 2, Partition: 2, Offset: 7}, []kafka.RecordID{0, 1, 2, 3, 4, 5, 6},
			"broker 2 appends 7 records (8800 to 8806) to orders-2 at 7 (leader epoch 0)"},
		{Event{Kind: BatchAppended, Node: 2, Partition: 6, Offset: 7}, []kafka.RecordID{kafka.NoRecord, kafka.NoRecord},
			"broker 2 appends 2 records of Kafka's own to __consumer_offsets-17 at 7 (leader epoch 0)"},
		{Event{Kind: BatchAppended, Node: 2, Partition: 6, Offset: 7}, []kafka.RecordID{kafka.NoRecord},
			"broker 2 appends a record of Kafka's own to __consumer_offsets-17 at 7 (leader epoch 0)"},
		{Event{Kind: RecordsRead, Node: 64, Peer: 2, Partition: 2, Offset: 40117}, []kafka.RecordID{12},
			"worker 1 shows 8812 from orders-2 at 40117"},
		{Event{Kind: RecordsRead, Node: 65, Peer: 2, Partition: 2, Offset: 40117}, []kafka.RecordID{12},
			"packing-0 reads 8812 from orders-2 at 40117"},
		{Event{Kind: EffectHappened, Node: 65, Partition: 2, Offset: 40117}, []kafka.RecordID{12},
			"packing-0: 8812 is printed on a slip"},
		{Event{Kind: ReplicaAppended, Node: 1, Peer: 2, Partition: 2, Offset: 5, Count: 3},
			nil, "broker 1 copies offsets 5..7 of orders-2 from broker 2"},
		{Event{Kind: ReplicaAppended, Node: 1, Peer: 2, Partition: 2, Offset: 5, Count: 1},
			nil, "broker 1 copies offset 5 of orders-2 from broker 2"},
		{Event{Kind: GroupsLoaded, Node: 1, Partition: 2, Count: 1, Value: 3},
			nil, "broker 1 hosts the groups of orders-2 from now on: it has read 1 record of it, 3 groups"},
		{Event{Kind: ISRChanged, Partition: 2, Value: int64(kafka.SetOf(1, 3)), Prev: int64(kafka.SetOf(1, 2, 3))},
			nil, "the ISR of orders-2 is now 1,3 (before 1,2,3)"},
		{Event{Kind: FaultBegan}, nil, "broker 2's disk controller fails"},
		{Event{Kind: TransactionMarked, Node: 1, Peer: 3, Partition: 2, Offset: 5, Producer: 1000, Value: 1}, nil,
			"offset 5 of orders-2 is the commit marker of producer 1000, which broker 1 writes as broker 3 says"},
		{Event{Kind: TransactionPrepared, Node: 1, Value: 1, Count: 2, ProducerEpoch: 4}, nil,
			"the abort of the transaction of totals is decided: broker 1 has 2 partitions marked (epoch 4)"},
		{Event{Kind: MessageDelayed, Node: 2, Peer: 64, Message: kafka.KindProduceResponse, Value: 3},
			nil, "the ProduceResponse from broker 2 to worker 1 takes 15 ms longer"},
		{Event{Kind: BrokerFenced, Peer: 2, Value: 200}, nil,
			"the controller fences broker 2: its last heartbeat came at 12:40:01.000"},
	}
	for _, test := range tests {
		if got := Sentence(&test.event, test.ids, names); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}
