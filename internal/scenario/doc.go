// Package scenario turns a scenario file, which a teacher writes, into a plan, which the simulator runs.
//
// A file is a tree (tree.go). A variant and the command line override values of the tree by their paths (override.go).
// Then the tree is compiled into the plan, block by block, under the keys that the schema knows (schema.go); a scalar's
// $(expressions) are worked out when it is read (expand.go).
//
// Its one rule: whatever the file holds, the answer is a plan or a list of all mistakes, each with its place, the lines
// around it and a hint; never a panic, and never raw control characters. It reads no files and knows no clock.
package scenario
