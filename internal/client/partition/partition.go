// Package partition chooses the partition of a record from its key, as the real clients do: librdkafka by CRC-32, the
// Java client by Murmur2. The two agree on about one key in six, which is why two services that write one topic
// through different clients spread the same keys differently.
//
// Its functions are pure: a choice that is random takes the draw as an argument. All partitions count, with or without
// a leader, so a key never moves because a broker is away.
package partition

import (
	"hash/crc32"
	"math"

	"replog/internal/kafka"
)

// random stands in the place of a hash for a key that does not decide.
const random int64 = math.MinInt64

// Choose is the partition, from 0, of a record with the key (hasKey false: the null key). The draw decides where the
// partitioner leaves the choice to chance. The source is librdkafka's rd_kafka_msg_partitioner_* functions and the Java
// client's BuiltInPartitioner.partitionForKey.
func Choose(p kafka.Partitioner, key []byte, hasKey bool, partitions int32, draw uint64) int32 {
	return pick(hashOf(p, key, hasKey), partitions, draw)
}

func pick(hash int64, partitions int32, draw uint64) int32 {
	if hash == random {
		return int32(draw % uint64(partitions))
	}
	return int32(max(hash%int64(partitions), -(hash % int64(partitions))))
}

// hashOf is what the partitioner takes modulo the number of partitions: 32 bits for librdkafka's CRC, 31 for Murmur2.
func hashOf(p kafka.Partitioner, key []byte, hasKey bool) int64 {
	switch p {
	case kafka.Consistent:
		return int64(CRC32(key))
	case kafka.ConsistentRandom:
		if len(key) == 0 {
			return random
		}
		return int64(CRC32(key))
	}
	if !hasKey {
		return random
	}
	if p == kafka.FNV1a {
		return int64(FNV1a(key))
	}
	return int64(Murmur2(key) & 0x7fffffff) // Utils.toPositive
}

// CRC32 is the hash of librdkafka's consistent partitioners: CRC-32 with the IEEE polynomial. The null key and the
// empty key have 0.
func CRC32(key []byte) uint32 { return crc32.ChecksumIEEE(key) }

// FNV1a is the hash of Sarama's partitioner: 32-bit FNV-1a, taken as a signed number.
func FNV1a(key []byte) int32 {
	h := uint32(2166136261)
	for _, b := range key {
		h = (h ^ uint32(b)) * 16777619
	}
	return int32(h)
}

// Murmur2 is the hash of the Java client's partitioner (Utils.murmur2), a 32-bit variant of MurmurHash2 with a seed of
// Kafka's own.
func Murmur2(key []byte) int32 {
	const (
		seed = 0x9747b28c
		m    = 0x5bd1e995
	)
	h := uint32(seed) ^ uint32(len(key))
	for ; len(key) >= 4; key = key[4:] {
		k := uint32(key[0]) | uint32(key[1])<<8 | uint32(key[2])<<16 | uint32(key[3])<<24
		k *= m
		k ^= k >> 24
		k *= m
		h = h*m ^ k
	}
	for i := len(key) - 1; i >= 0; i-- {
		h ^= uint32(key[i]) << (8 * i)
		if i == 0 {
			h *= m
		}
	}
	h ^= h >> 13
	h *= m
	return int32(h ^ h>>15)
}

// Table holds the hash of each key of a run, so that no record is hashed. It never changes; clones share it.
type Table struct {
	// hashes is indexed by key id + 1, so that the null key comes first.
	hashes []int64
}

// NewTable hashes the keys, whose index is their kafka.KeyID, for one partitioner.
func NewTable(p kafka.Partitioner, keys []string) *Table {
	hashes := make([]int64, 0, len(keys)+1)
	hashes = append(hashes, hashOf(p, nil, false))
	for _, key := range keys {
		hashes = append(hashes, hashOf(p, []byte(key), true))
	}
	return &Table{hashes: hashes}
}

// Choose is the partition, from 0, of a record with the key; kafka.NoKey is the null key. The draw counts only for a
// key that Random names.
func (t *Table) Choose(key kafka.KeyID, partitions int32, draw uint64) int32 {
	return pick(t.hashes[key+1], partitions, draw)
}

// Random reports whether the partitioner leaves the choice for this key to chance. A client may then stay with one
// partition for a while (KIP-480, sticky.partitioning.linger.ms).
func (t *Table) Random(key kafka.KeyID) bool { return t.hashes[key+1] == random }
