// Package outcome says what became of each record of a run: acknowledged, lost after it was acknowledged, stored twice,
// never stored, refused, or unknown to its producer. It is a fold of events, so a trace is enough, and it counts copies
// in the log that each partition ends with. It also says who is not where he should be when all is over.
//
// Its one rule: it reports; it does not judge. What the configuration itself gave up stands in Tradeoffs; whether
// anything else is a broken promise is the business of package check.
package outcome
