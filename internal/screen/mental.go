package screen

// MentalModel is the page beside the help that says in plain words what a replicated log is.
func MentalModel() *Page {
	return &Page{
		Title: "how to think of it: a parcel office in three towns",
		Intro: "Picture a parcel office that keeps its ledgers in three towns at once.",
		Parts: []Part{
			{"A ledger. Entries are only added at its end, and each has a number that never changes.",
				"a partition, its records and their offsets", "each row of the matrix; LEO is the number of the next entry"},
			{"The same ledger is kept in three towns. In one of them the clerk writes; the others copy what that one has.",
				"replicas on brokers: the leader (L) and its followers (F)", "a cell of the matrix each; entry by entry in the pane below"},
			{"A list on the wall says which towns are up to date. Who falls behind or falls silent is struck off, after a while.",
				"the in-sync replicas, ISR", "the column ISR; a small letter in a cell is a town off the list"},
			{"A ribbon lies in the ledger behind the last entry that all towns of the list have. The public reads up to the ribbon.",
				"the high watermark, HW", "the column HW, and the line between the offsets"},
			{"The receipt is stamped when the copies are made.",
				"the answer to the producer with acks=all", "● behind a record, and the count in the producer pane"},
			{"A customer who gets no receipt can not tell whether the parcel was lost or only the receipt. So he hands the parcel in again.",
				"a retry of the producer", "? and R in the producer pane, = where the ledger has the parcel twice"},
			{"A careful customer writes his own number on each parcel. The clerk looks it up and stamps the old receipt again.",
				"the idempotent producer: producer id and sequence", "the variant idempotent; compare with c"},
			{"When the writing town burns down, head office waits until it is sure, then names another town of the list. The terms of office are numbered.",
				"the controller, the session timeout, the leader epoch", "the columns leader and epoch; X over the town"},
		},
	}
}
