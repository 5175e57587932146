// Package commitlog is one replica's log of one partition, as Kafka's UnifiedLog keeps it: segments of batches, which
// retention deletes as a whole (segment.go) and the cleaner writes anew with the last record of each key (cleaner.go); the
// leader-epoch cache (LeaderEpochFileCache) by which two replicas find where their logs part; and the producer state
// (ProducerStateManager) by which a leader recognises a retry.
//
// Its one rule: a stored batch never changes and never moves, so replicas and clones share it. A log keeps its batches
// in chunks, and a chunk is written by the one log that made it. A follower that is handed what lies just behind its
// own last batch in memory makes its slice longer: replication then copies nothing.
//
// A chunk is a piece of memory; it is not one of Kafka's segments, which are counts over the batches. The package keeps
// no high watermark and no time, and it decides nothing about who leads.
package commitlog
