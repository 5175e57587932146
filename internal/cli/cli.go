package cli

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"replog/internal/scenario"
)

// app is what the commands of one call share.
type app struct {
	out      *output   // standard output
	err      io.Writer // standard error
	terminal io.Writer // standard error, where somebody looks at it; else nil
	screen   *os.File  // standard output, where it is a terminal; else nil
	stop     stop
}

// Main runs replog with the arguments and returns its exit status (see status.go).
func Main(args []string, stdout, stderr io.Writer) int {
	// A reader that has seen enough (| head) closes the pipe. Without this the process would die of it.
	signal.Ignore(syscall.SIGPIPE)
	a := &app{out: newOutput(stdout), err: clean{stderr}}
	if isTerminal(stderr) {
		a.terminal = stderr
	}
	if f, ok := stdout.(*os.File); ok && isTerminal(f) {
		a.screen = f
	}
	a.stop.watch(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	return a.execute(a.root(), args)
}

// execute runs a command. A panic is a mistake in replog; what was printed before it stays.
func (a *app) execute(root *cobra.Command, args []string) (status int) {
	defer func() {
		if problem := recover(); problem != nil {
			a.out.Flush()
			status = a.reportBug(problem)
		}
	}()
	root.SetArgs(args)
	root.SetOut(a.out)
	root.SetErr(a.err)
	err := root.Execute()
	a.out.Flush()
	return a.status(err)
}

func (a *app) root() *cobra.Command {
	var looks look
	root := &cobra.Command{
		Use:   "replog",
		Short: "A terminal simulator of Kafka's replicated log",
		Long: `replog simulates a partitioned, replicated log that behaves as Apache Kafka does: brokers, controller, producers,
readers and the network between them, in one process and on one clock. The same scenario, seed and program give the
same run, to the byte.

Without a command it opens what happened at 12:40, when broker 2 died and order 8812 was on the packing screen twice;
without a terminal it tells it.`,
		RunE:          func(*cobra.Command, []string) error { return a.open(looks) },
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.Args = func(_ *cobra.Command, args []string) error { return unknownCommand(root, args) }
	addLook(root, &looks)
	root.SetHelpCommand(helpCommand(root))
	root.SetFlagErrorFunc(flagMistake)
	root.AddCommand(a.listCommand(), a.playCommand(), a.runCommand(), a.explainCommand(), a.exportCommand(),
		a.testCommand(), a.diffCommand(), a.validateCommand(), a.versionCommand())
	root.AddCommand(a.topics()...)
	return root
}

// unknownCommand is the mistake of arguments that begin with no command of replog; nil without arguments.
func unknownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var known []string
	for _, c := range root.Commands() {
		known = append(known, c.Name())
	}
	return mistakef(scenario.DidYouMean(args[0], known), "there is no command %q", args[0])
}

// helpCommand is cobra's, but that an unknown topic is a mistake.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND | TOPIC]",
		Short: "Help about a command or a topic",
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			switch {
			case err != nil || c == root && len(rest) > 0:
				return unknownCommand(root, args)
			case len(rest) > 0:
				return mistakef("replog help "+c.Name(), "help is about one command or topic, and %q is one too many", rest[0])
			}
			return c.Help()
		},
	}
}

// printf writes to standard output. What goes wrong there, output keeps.
// warn says something beside the output, before what takes long begins.
func (a *app) warn(format string, args ...any) { fmt.Fprintf(a.err, format+"\n", args...) }

func (a *app) printf(format string, args ...any) { fmt.Fprintf(a.out, format, args...) }
