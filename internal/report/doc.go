// Package report tells what runs came to: as text for a person, as JSON for a program, as a golden file for a reviewer,
// as JUnit for a build server. It holds a run against what its scenario expects, and says in words how two differ.
//
// All of it reads one table (facts.go) of what an outcome has to say. Its one rule: it decides nothing about a run; the
// same outcome gives the same bytes, in any folder, locale and time zone.
package report
