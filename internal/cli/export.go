package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"replog/internal/player"
	"replog/internal/screen"
	"replog/internal/tui"
)

// exportFlags are the flags of `replog export`.
type exportFlags struct {
	choice
	look
	svg, html, cast string
	at, size        string
	speed           int
}

func (a *app) exportCommand() *cobra.Command {
	var flags exportFlags
	c := &cobra.Command{
		Use:   "export SCENARIO --svg FILE | --html FILE | --asciicast FILE",
		Short: "Write a picture or a film of a run",
		Long: `Writes what replog play shows: a picture of one moment as SVG or HTML, or the run as an asciicast that asciinema plays.
The film begins at --at, and stands still for two seconds at each mark.`,
		Example: `  replog export broker-2-dies --svg twice.svg --at "order 8812 is shown twice" --size 160x48
  replog export broker-2-dies --asciicast run.cast --at 12:39:55 --theme light`,
		Args:              needOne("a scenario"),
		ValidArgsFunction: completeScenarios,
		RunE:              func(_ *cobra.Command, args []string) error { return a.export(args[0], &flags) },
	}
	addChoice(c, &flags.choice)
	addLook(c, &flags.look)
	c.Flags().StringVar(&flags.svg, "svg", "", "write a picture to this `FILE`")
	c.Flags().StringVar(&flags.html, "html", "", "write a piece of a page to this `FILE`")
	c.Flags().StringVar(&flags.cast, "asciicast", "", "write a film to this `FILE`")
	c.Flags().StringVar(&flags.at, "at", "", "the `MOMENT` to show; as --start of replog play")
	c.Flags().StringVar(&flags.size, "size", "120x36", "columns and rows, as `WxH`")
	c.Flags().IntVar(&flags.speed, "speed", 4, "how many times faster than the clock the film plays the run")
	return c
}

func (a *app) export(arg string, flags *exportFlags) error {
	if err := flags.check(); err != nil {
		return err
	}
	if flags.svg == "" && flags.html == "" && flags.cast == "" {
		return mistakef("as in --svg picture.svg", "export needs one of --svg, --html and --asciicast")
	}
	if flags.speed < 1 {
		return mistakef("", "--speed must be at least 1, not %d", flags.speed)
	}
	width, height, err := parseSize(flags.size)
	if err != nil {
		return err
	}
	tape, err := a.tape(arg, &flags.choice)
	if err != nil {
		return err
	}
	start, err := startOf(tape, "--at", flags.at)
	if err != nil {
		return err
	}
	theme, _ := screen.ParseTheme(flags.theme) // auto is dark
	if flags.svg != "" || flags.html != "" {
		if err := exportPicture(tape, start, width, height, theme, flags); err != nil {
			return err
		}
	}
	if flags.cast == "" {
		return nil
	}
	film := tui.Film{Width: width, Height: height, Theme: theme, ASCII: flags.ascii, Start: start, Speed: speedOf(flags.speed)}
	return exportFilm(flags.cast, film, tape)
}

func parseSize(text string) (width, height int, err error) {
	const most = 500
	if n, scanned := fmt.Sscanf(strings.ToLower(text), "%dx%d", &width, &height); scanned != nil || n != 2 {
		return 0, 0, mistakef("as in --size 120x36", "--size takes columns and rows, not %q", text)
	}
	if width < 1 || height < 1 || width > most || height > most {
		return 0, 0, mistakef("", "--size is from 1x1 to %dx%d, not %s", most, most, text)
	}
	return width, height, nil
}

// speedOf is the fastest speed that is not faster than asked for.
func speedOf(times int) player.Speed {
	var s player.Speed
	for times >= 2 {
		s, times = s.Faster(), times/2
	}
	return s
}

func exportPicture(t *player.Tape, start, width, height int, theme screen.Theme, flags *exportFlags) error {
	deck := player.NewDeck(t)
	if start > 0 {
		deck.To(start)
	}
	frame := tui.Frame(deck, tui.Opening(t))
	frame.Theme, frame.ASCII = theme, flags.ascii
	grid := screen.NewGrid(width, height)
	screen.Draw(grid, frame)
	if flags.svg != "" {
		if err := writeWhole(flags.svg, grid.SVG()); err != nil {
			return err
		}
	}
	if flags.html != "" {
		return writeWhole(flags.html, grid.HTML())
	}
	return nil
}

func exportFilm(path string, film tui.Film, t *player.Tape) error {
	f, err := createResult(path)
	if err != nil {
		return err
	}
	defer f.discard()
	if err := film.Record(f, t); err != nil {
		return err
	}
	return f.commit()
}
