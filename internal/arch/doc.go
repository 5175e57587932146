// Package arch holds the architecture of replog as tests: what a package may import, what the deterministic core must
// not do, how long a function and a file may be, and that each exported name says what it is. The rules read the syntax
// tree of the repository, so they hold for whatever is added later; each of them is also seen to fail.
//
// Add a package by adding its row to the table in imports_test.go.
package arch
