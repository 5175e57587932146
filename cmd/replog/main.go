// Command replog is a terminal simulator of Kafka's replicated log.
package main

import (
	"os"

	"replog/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr)) }
