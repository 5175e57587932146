package partition

import (
	"strconv"
	"testing"

	"replog/internal/kafka"
	"replog/internal/testdata"
)

type vector struct {
	ID, Desc   string
	Key        *string
	Hash       *int32
	CRC32      *uint32
	Partitions map[string]int32
}

func TestMurmur2Vectors(t *testing.T) {
	for _, c := range testdata.Vectors[vector](t, "murmur2_utf8.json") {
		t.Run(c.ID, func(t *testing.T) {
			if hash := Murmur2([]byte(*c.Key)); c.Hash == nil || hash != *c.Hash {
				t.Errorf("%s: hash %d of %q", c.Desc, hash, *c.Key)
			}
			checkPartitions(t, &c, kafka.Murmur2)
			checkPartitions(t, &c, kafka.Murmur2Random)
		})
	}
}

func TestCRC32Vectors(t *testing.T) {
	for _, c := range testdata.Vectors[vector](t, "crc32_partitioner.json") {
		t.Run(c.ID, func(t *testing.T) {
			if hash := CRC32([]byte(*c.Key)); c.CRC32 == nil || hash != *c.CRC32 {
				t.Errorf("%s: hash %d of %q", c.Desc, hash, *c.Key)
			}
			checkPartitions(t, &c, kafka.Consistent)
			if *c.Key != "" {
				checkPartitions(t, &c, kafka.ConsistentRandom)
			}
		})
	}
}

// checkPartitions asks the function and the table.
func checkPartitions(t *testing.T, c *vector, p kafka.Partitioner) {
	t.Helper()
	if len(c.Partitions) == 0 {
		t.Errorf("%s expects no partition", c.ID)
	}
	table := NewTable(p, []string{*c.Key})
	for count, want := range c.Partitions {
		n, err := strconv.ParseInt(count, 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		got, cached := Choose(p, []byte(*c.Key), true, int32(n), 1), table.Choose(0, int32(n), 1)
		if got != want || cached != want {
			t.Errorf("%v: partition %d (table %d) of %d, expected %d", p, got, cached, n, want)
		}
	}
}

// kitchens are the partitions of kitchen-0 to kitchen-99, of six, as real clients chose them: librdkafka by default,
// and librdkafka with murmur2_random, franz-go and kafkajs.
var kitchens = []struct {
	partitioner kafka.Partitioner
	partitions  string
}{
	{kafka.ConsistentRandom, "3553024435" + "3333402035" + "0204551542" + "1151024411" + "0204311100" +
		"5131024233" + "4020551522" + "5513400035" + "4404331120" + "5111404051"},
	{kafka.Murmur2Random, "2542040533" + "0204504153" + "0314142020" + "0530125544" + "4340441151" +
		"0535155201" + "5051134031" + "0515252514" + "3523033424" + "2143040414"},
}

func TestKitchensAsRealClientsChose(t *testing.T) {
	var keys []string
	for i := range 100 {
		keys = append(keys, "kitchen-"+strconv.Itoa(i))
	}
	agree := 0
	for i := range keys {
		if kitchens[0].partitions[i] == kitchens[1].partitions[i] {
			agree++
		}
	}
	if agree != 17 {
		t.Errorf("the two agree on %d keys, expected 17", agree)
	}
	for _, c := range kitchens {
		table := NewTable(c.partitioner, keys)
		for i, key := range keys {
			want := int32(c.partitions[i] - '0')
			if got := table.Choose(kafka.KeyID(i), 6, 0); got != want {
				t.Errorf("%v: %s goes to partition %d, expected %d", c.partitioner, key, got, want)
			}
		}
	}
}

func TestNullAndEmptyKeys(t *testing.T) {
	const draw = 7
	for _, c := range []struct {
		partitioner kafka.Partitioner
		null, empty int32
	}{
		{kafka.ConsistentRandom, draw % 6, draw % 6},
		{kafka.Consistent, 0, 0},
		{kafka.Murmur2, draw % 6, 3},
		{kafka.Murmur2Random, draw % 6, 3},
	} {
		if null, empty := Choose(c.partitioner, nil, false, 6, draw), Choose(c.partitioner, nil, true, 6, draw); null != c.null || empty != c.empty {
			t.Errorf("%v: null key %d, empty key %d; expected %d, %d", c.partitioner, null, empty, c.null, c.empty)
		}
		table := NewTable(c.partitioner, []string{""})
		if null, empty := table.Choose(kafka.NoKey, 6, draw), table.Choose(0, 6, draw); null != c.null || empty != c.empty {
			t.Errorf("%v: table: null key %d, empty key %d; expected %d, %d", c.partitioner, null, empty, c.null, c.empty)
		}
		if random := c.null == draw%6; table.Random(kafka.NoKey) != random {
			t.Errorf("%v: null key at random: %v", c.partitioner, !random)
		}
	}
}

func BenchmarkTable(b *testing.B) {
	table := NewTable(kafka.ConsistentRandom, []string{"kitchen-7"})
	b.ReportAllocs()
	for i := range b.N {
		table.Choose(0, 6, uint64(i))
	}
}
