// Package scenarios holds the scenario files that replog carries with it, and beside each what it comes to. Each of them
// is a test.
package scenarios

import "embed"

// FS holds the files NAME.yaml and NAME.golden.
//
//go:embed *.yaml *.golden
var FS embed.FS
