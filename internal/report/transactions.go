package report

import (
	"fmt"
	"slices"
	"strings"

	"replog/internal/outcome"
)

// transactionFacts are the facts of a run that has transactions; of other runs nothing is said of them.
var transactionFacts = []fact{
	{"aborted", "in the log, and aborted", records, ofTransactions(func(t *outcome.TransactionsReport) []string { return t.Aborted })},
	{"open", "in the log, in an open transaction", records, ofTransactions(func(t *outcome.TransactionsReport) []string { return t.Open })},
	{"hidden", "behind the last stable offset", records, ofTransactions(func(t *outcome.TransactionsReport) []string { return t.Hidden })},
	{"shown_aborted", "shown, and aborted", records, ofTransactions(func(t *outcome.TransactionsReport) []string { return allShown(t.ShownAborted) })},
	{"producers_fenced", "producers that were fenced", number, ofTransactions(func(t *outcome.TransactionsReport) []string { return count(len(t.Fenced)) })},
	{"transactions", "partitions with transactions", lines, ofTransactions(stableLines)},
}

func ofTransactions(list func(*outcome.TransactionsReport) []string) func(*Variant) []string {
	return func(v *Variant) []string {
		if v.Transactions == nil {
			return nil
		}
		return list(v.Transactions)
	}
}

// ofTransaction reports whether a fact is one of transactions.
func (f *fact) ofTransaction() bool {
	for i := range transactionFacts {
		if transactionFacts[i].key == f.key {
			return true
		}
	}
	return false
}

func allShown(shown []outcome.ShownReport) []string {
	var all []string
	for _, s := range shown {
		for _, record := range s.Records {
			if !slices.Contains(all, record) {
				all = append(all, record)
			}
		}
	}
	return all
}

func stableLines(t *outcome.TransactionsReport) []string {
	var all []string
	for _, s := range t.Stable {
		all = append(all, fmt.Sprintf("%s: last stable offset %d, log end offset %d", s.Partition, s.LastStable, s.EndOffset))
	}
	return all
}

// transactionColumns are the columns of the table of the runs with transactions.
var transactionColumns = []struct {
	title string
	cell  func(*Variant) string
}{
	{"aborted", func(v *Variant) string { return orders(fold(v, "aborted")) }},
	{"shown, and aborted", func(v *Variant) string { return orders(fold(v, "shown_aborted")) }},
	{"behind an open transaction", func(v *Variant) string { return orders(fold(v, "hidden")) }},
	{"refused by their epoch", func(v *Variant) string { return joined(fencedProducers(v)) }},
}

func fencedProducers(v *Variant) []string {
	if v.Transactions == nil || len(v.Transactions.Fenced) == 0 {
		return []string{"none"}
	}
	return v.Transactions.Fenced
}

// writeTransactionTable has a line for each run, of what its transactions came to.
func writeTransactionTable(b *strings.Builder, variants []Variant) {
	header, some := []string{"variant"}, false
	for _, c := range transactionColumns {
		header = append(header, c.title)
	}
	rows := [][]string{header}
	for i := range variants {
		some = some || variants[i].Transactions != nil
		row := []string{variants[i].Variant}
		for _, c := range transactionColumns {
			row = append(row, c.cell(&variants[i]))
		}
		rows = append(rows, row)
	}
	if some {
		b.WriteByte('\n')
		writeColumns(b, rows, len(header))
	}
}
