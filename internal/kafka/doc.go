// Package kafka is the vocabulary of replog: identifiers, ticks, offsets, records, batches, requests, responses, error
// codes and configurations, under the names that Apache Kafka gives them. It holds no behaviour beyond small questions
// that a value can answer about itself, and it imports nothing.
//
// Its one rule: a value that was sent or appended never changes afterwards. That is why replicas, clones and traces may
// share it.
package kafka
