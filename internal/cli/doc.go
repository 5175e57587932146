// Package cli is the command line: a command a file, and around them what all commands share: where an argument leads
// (source.go), how a run is driven (simulate.go), what replog tells its caller (status.go), and how output leaves the
// program (output.go).
//
// Its one rule: a command decides nothing about Kafka. It finds a scenario, has it run, and hands the result to report or
// explain.
package cli
