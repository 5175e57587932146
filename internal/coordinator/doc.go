// Package coordinator is the group coordinator: what the leader of a partition of __consumer_offsets does for the groups
// that fall into it, as a pure state machine. A broker hands it requests and lets time pass; it answers with records for
// the partition and with answers that wait until the records are committed.
//
// Its one rule: what a member is told, the log has. So the coordinator may die at any moment. Whoever leads the partition
// next reads it (replay.go) and knows the members, their parts and the committed offsets; the members hardly notice.
//
// # A classic rebalance
//
// Everybody waits for everybody. Member 2 is new:
//
//	member 1             coordinator              member 2
//	   |                      |<------- JoinGroup ---|   PreparingRebalance, the join phase:
//	   |--- Heartbeat ------->|                      |   whoever was there must join again
//	   |<-- REBALANCE_IN_P. --|                      |   (what it still works on, it may commit)
//	   |--- JoinGroup ------->|                      |   all are there, or the rebalance timeout is over:
//	   |<---------------------|--------------------->|   generation + 1, CompletingRebalance
//	   |                      |                      |   the leader, who came first, hears who is there
//	   |--- SyncGroup(parts)->|<------- SyncGroup ---|   and assigns; all go into one record
//	   |                      |. . . . . . . . . . . .   until that is committed, nobody gets an answer
//	   |<-------------- parts-|-parts -------------->|   Stable
//
// Three clocks run: of each member's session (session.timeout.ms: no heartbeat, no member), of the join phase, and of the
// SyncGroups. The first rebalance of an empty group also waits group.initial.rebalance.delay.ms for others to come.
//
// # A KIP-848 rebalance
//
// Nobody waits for everybody. There is one request, the heartbeat. What changes a group raises the group epoch; the
// coordinator assigns, which is the target; and each member comes to the target on its own, one heartbeat at a time:
//
//	                  something to let go of
//	STABLE ----------------------------------> UNREVOKED_PARTITIONS
//	  ^  ^                                        |        ^
//	  |  |   confirmed, the rest is free          |        | a newer target drops more
//	  |  +----------------------------------------+        |
//	  |                                           | confirmed, the rest is not free
//	  |   all of it is free now                   v        |
//	  +---------------------------------------- UNRELEASED_PARTITIONS
//
// A partition that one member was told to let go of is nobody else's before that member has confirmed it. Confirming takes
// a member to its next epoch, and the rest of the way to the target's, as in Kafka 4.0; newer versions leave out the step
// between.
//
// # Reading order
//
// groups.go for what goes in and comes out, step.go for what a step is made of. The classic protocol: classic.go (the
// state), join.go, rebalance.go (the join phase), sync.go, heartbeat.go, session.go (what is due), static.go. KIP-848:
// consumer.go, target.go, reconcile.go, consumerleave.go. Offsets: offsets.go, expiry.go. And replay.go.
package coordinator
