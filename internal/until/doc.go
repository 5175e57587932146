// Package until is the moments of a run as a person names them: "12:40:00", "order 8812", "until the ISR of p2 shrinks".
// What a person may say stands in one table (forms.go), from which the help page is made too.
//
// Its one rule: a moment is found by the events alone, so it means the same in a scenario file, on the command line and
// at the prompt of the terminal. It does not know where anybody stands; Next is told.
package until
