package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// replog is a process of its own: the test binary under the name that TestMain knows.
func replog(dir string, env []string, args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return &exec.Cmd{Path: self, Args: append([]string{"replog"}, args...), Dir: dir, Env: append(os.Environ(), env...)}
}

// TestSameBytesEverywhere runs in several processes, with one thread and two, from different folders, in different
// locales and time zones.
func TestSameBytesEverywhere(t *testing.T) {
	places := []struct {
		dir string
		env []string
	}{
		{t.TempDir(), []string{"GOMAXPROCS=1", "LC_ALL=C", "TZ=UTC"}},
		{t.TempDir(), []string{"GOMAXPROCS=2", "LC_ALL=de_DE.UTF-8", "TZ=Asia/Kathmandu"}},
		{"/", []string{"GOMAXPROCS=2", "LANG=tr_TR.UTF-8", "TZ=America/St_Johns", "NO_COLOR=1", "COLUMNS=40"}},
	}
	trace := filepath.Join(t.TempDir(), "trace.jsonl")
	for _, args := range [][]string{
		{"run", "broker-2-dies"},
		{"run", "broker-2-dies", "keys-and-order", "--format", "json"},
		{"explain", "keys-and-order", "--variant", "no key", "--order", "7"},
		{"run", "broker-2-dies", "--variant", "idempotent", "--trace", trace},
	} {
		var first, firstTrace []byte
		for i, place := range places {
			out, err := replog(place.dir, place.env, args...).Output()
			if err != nil {
				t.Fatalf("%v: %v", args, err)
			}
			events, _ := os.ReadFile(trace)
			if i == 0 {
				first, firstTrace = out, events
			} else if !bytes.Equal(out, first) || !bytes.Equal(events, firstTrace) {
				t.Errorf("%v: other bytes with %v", args, place.env)
			}
		}
	}
}

// longScenario runs for minutes.
const longScenario = `title: long
end: 100000s
brokers: {count: 3}
topics:
  orders: {partitions: 6, replication.factor: 3}
producers:
  shop: {}
loads:
  - {producer: shop, topic: orders, every: 1ms, count: 20000000}
`

// TestSignalsEndARun: what was found so far is told, marked partial, and no half trace is left.
func TestSignalsEndARun(t *testing.T) {
	for signal, status := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "long.yaml"), []byte(longScenario), 0o600); err != nil {
			t.Fatal(err)
		}
		run := replog(dir, nil, "run", "long.yaml", "--format", "json", "--trace", "t.jsonl")
		var out bytes.Buffer
		run.Stdout = &out
		if err := run.Start(); err != nil {
			t.Fatal(err)
		}
		// The trace begins when the run does, and by then the signals are watched.
		for begun := false; !begun; time.Sleep(10 * time.Millisecond) {
			files, _ := os.ReadDir(dir)
			begun = len(files) > 1
		}
		run.Process.Signal(signal)
		err := run.Wait()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != status {
			t.Errorf("%v: %v, want exit status %d", signal, err, status)
		}
		if !strings.Contains(out.String(), `"partial": true`) {
			t.Errorf("%v: the JSON is not marked partial: %.200s", signal, out.String())
		}
		if files, _ := os.ReadDir(dir); len(files) != 1 {
			t.Errorf("%v: files are left: %v", signal, files)
		}
	}
}

// longSweep is a short run, and minutes of others.
const longSweep = `title: long
end: 1000s
brokers: {count: 3}
topics:
  orders: {replication.factor: 3}
producers:
  shop: {}
readers:
  report: {topic: orders}
loads:
  - {producer: shop, topic: orders, every: 100ms, count: 9000}
timeline:
  - {name: death, at: 3s, crash: broker 1}
  - {name: back, at: 8s, restart: broker 1}
sweep:
  - {entries: [death, back], from: 0s, to: 60s, counts: report}
`

// TestSignalsEndASearch: what many runs were to answer is marked as missing, and the run before them is told.
func TestSignalsEndASearch(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "long.yaml"), []byte(longSweep), 0o600); err != nil {
		t.Fatal(err)
	}
	run := replog(dir, nil, "run", "long.yaml")
	var out bytes.Buffer
	run.Stdout = &out
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * time.Second) // the first run takes a tenth of that
	run.Process.Signal(syscall.SIGINT)
	var exit *exec.ExitError
	if err := run.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("%v, want exit status 130", err)
	}
	if text := out.String(); !strings.Contains(text, "PARTIAL: the run is whole") || !strings.Contains(text, "What an operator saw") {
		t.Errorf("the search was interrupted, and this is told:\n%s", text)
	}
}

// TestMistakeOfReplog: a panic ends with 3, what was printed before it stays, and the stack is told.
func TestMistakeOfReplog(t *testing.T) {
	var out, err bytes.Buffer
	a := &app{out: newOutput(&out), err: &err}
	root := a.root()
	root.AddCommand(&cobra.Command{Use: "bug", Run: func(*cobra.Command, []string) {
		a.printf("so far\n")
		panic("a leader has a log")
	}})
	if status := a.execute(root, []string{"bug"}); status != statusBug {
		t.Errorf("exit status %d, want %d", status, statusBug)
	}
	if out.String() != "so far\n" {
		t.Errorf("printed %q", out.String())
	}
	for _, want := range []string{"this is a mistake in replog", "a leader has a log", "process_test.go"} {
		if !strings.Contains(err.String(), want) {
			t.Errorf("the message lacks %q: %s", want, err.String())
		}
	}
}

// failing is a writer at the end of its life.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestOutputThatFails(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
	}{
		{syscall.EPIPE, statusOK},
		{syscall.ENOSPC, statusMistake},
		{io.ErrShortWrite, statusMistake},
	} {
		var said bytes.Buffer
		if status := Main([]string{"list"}, failing{c.err}, &said); status != c.status {
			t.Errorf("%v: exit status %d, want %d: %s", c.err, status, c.status, said.String())
		}
	}
}

// TestFileAppearsWhole: until it is complete the old file stays, and an attempt that is given up leaves nothing.
func TestFileAppearsWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	if err := writeWhole(path, "old"); err != nil {
		t.Fatal(err)
	}
	f, err := createWhole(path)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("new")
	f.Flush()
	if data, _ := os.ReadFile(path); string(data) != "old" {
		t.Errorf("before the end the file holds %q", data)
	}
	f.discard()
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("left behind: %v", files)
	}
	if err := writeWhole(path, "new"); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(path); string(data) != "new" {
		t.Errorf("at the end the file holds %q", data)
	}
}
