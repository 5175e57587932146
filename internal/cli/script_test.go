package cli

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"replog": func() { os.Exit(Main(os.Args[1:], os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs replog as a user does: each script of testdata/script is a command or a promise about all of them.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"status": status},
	})
}

// status runs a command and holds its exit status against the first argument: status 2 replog run nope.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status NUMBER COMMAND ...")
	}
	got := "0"
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		got = err.Error()
		if len(got) > len("exit status ") {
			got = got[len("exit status "):]
		}
	}
	if got != args[0] {
		ts.Fatalf("the exit status is %s, not %s", got, args[0])
	}
}
