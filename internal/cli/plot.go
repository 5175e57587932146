package cli

import (
	"path/filepath"
	"slices"
	"strings"

	"replog/internal/report"
)

// plotKinds are the endings of the files that --plot writes.
var plotKinds = []string{".svg", ".txt"}

// plotFile is the file of --plot; nil without it. It is begun before the runs, so that a path that cannot be written is
// known before they take their time.
type plotFile struct {
	file *wholeFile
	path string
}

func (flags *runFlags) plotFile(runs int) (*plotFile, error) {
	if flags.plot == "" {
		return nil, nil
	}
	if runs < 2 {
		return nil, mistakef("leave --variant away, or name more of them", "--plot %s compares variants, and there is one run", flags.plot)
	}
	file, err := createResult(flags.plot)
	if err != nil {
		return nil, err
	}
	if !file.inPlace && !slices.Contains(plotKinds, strings.ToLower(filepath.Ext(flags.plot))) {
		file.discard()
		return nil, mistakef("plot.svg is a picture, plot.txt is text", "--plot %s: it does not say what the plot is to be", flags.plot)
	}
	return &plotFile{file, flags.plot}, nil
}

// draw lets the plot of what the runs came to appear.
func (p *plotFile) draw(s *report.Scenario) error {
	if p == nil {
		return nil
	}
	write := s.WritePlot
	if strings.EqualFold(filepath.Ext(p.path), ".svg") {
		write = s.WritePlotSVG
	}
	if err := write(p.file); err != nil {
		return mistakef("", "--plot %s: %v", p.path, err)
	}
	return p.file.commit()
}

// discard forgets the plot; after draw it does nothing.
func (p *plotFile) discard() {
	if p != nil {
		p.file.discard()
	}
}
