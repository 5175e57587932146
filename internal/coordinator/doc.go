// Package coordinator is what the leader of an internal partition does for groups, as pure state machines. So far it
// has the reconciliation of KIP-848: how each member of a group comes from the partitions that it has to those that it
// shall have, one heartbeat at a time, while all members go on working and nobody waits for everybody.
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
// Its one rule: a partition that one member was told to let go of is nobody else's before that member has confirmed it.
//
// Confirming takes a member to its next epoch, and the rest of the way to the target's, as in Kafka 4.0; newer versions
// leave out the step between.
package coordinator
