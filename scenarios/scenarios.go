// Package scenarios holds the scenario files that replog carries with it. Each of them is a test.
package scenarios

import "embed"

// FS holds the files NAME.yaml.
//
//go:embed *.yaml
var FS embed.FS
