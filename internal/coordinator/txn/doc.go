// Package txn is the transaction coordinator (KIP-98, KIP-360, KIP-890) as a pure state machine: what the leader of a partition
// of __transaction_state does for the transactional ids that fall into it.
//
//	          first partition          EndTxn            every partition has its marker
//	Empty ---------------------> Ongoing -----> PrepareCommit -----> CompleteCommit --+
//	  ^                             |  \                                              |
//	  | InitProducerId              |   +-----> PrepareAbort ------> CompleteAbort ---+--> Ongoing again
//	  +-----------------------------+           a time-out, or a producer with the same id,
//	                                            gets here too, with the next producer epoch
//
// Its one rule: a state counts when its record is committed. Until then the id is on its way, and everybody who asks hears
// CONCURRENT_TRANSACTIONS. A decision that is committed is never taken back: whoever leads the partition next has the same
// markers written.
package txn
