// Package assign deals the partitions of the subscribed topics out to the members of a consumer group, as Kafka's
// assignors do: those of the clients (range, roundrobin, sticky, cooperative-sticky), of which the leader of a classic
// group runs one, and those of the coordinator (KIP-848: uniform and range).
//
// Two topics of three partitions; m1 was alone and owned all of it, and now m2 joins. Each digit is the member that
// gets the partition:
//
//	                     drinks   orders
//	                     0 1 2    0 1 2
//	before               1 1 1    1 1 1
//	range                1 1 2    1 1 2
//	roundrobin           1 2 1    2 1 2
//	sticky               1 1 2    1 2 2
//	cooperative-sticky   1 1 .    1 . .
//	      second round   1 1 2    1 2 2
//	uniform              1 1 1    2 2 2
//
// Range cuts each topic into blocks, so equal partition numbers stay together and the first members get more of every
// topic. Roundrobin walks once around the table. Sticky and uniform balance first and then let members keep what they
// have. The cooperative assignor gives a partition that moves to nobody until its owner has let go of it.
//
// Its one rule: an assignment is a pure function of who subscribes to what and of who owns what. The order in which
// members and topics are handed in plays no part. Racks (KIP-881) are not looked at.
//
// Read deal.go first, then range.go, roundrobin.go, sticky.go, cooperative.go, uniform.go.
package assign
