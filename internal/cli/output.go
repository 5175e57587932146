package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode"
)

// errClosed ends a command whose reader has gone.
var errClosed = errors.New("the reader of the output has gone")

// output is standard output. It keeps the first error, so that nobody has to look after each line; what comes after it
// is dropped. A reader that has gone is no error.
type output struct {
	buffer *bufio.Writer
	closed bool // the reader has gone
	err    error
}

func newOutput(w io.Writer) *output { return &output{buffer: bufio.NewWriterSize(w, 64<<10)} }

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	if !o.closed && o.err == nil {
		_, err := o.buffer.Write(printable(p))
		o.keep(err)
	}
	return len(p), nil
}

// clean is a writer to a terminal that obeys nobody but replog: what names and paths bring along is printed, not obeyed.
type clean struct{ to io.Writer }

// Write implements io.Writer.
func (c clean) Write(p []byte) (int, error) {
	_, err := c.to.Write(printable(p))
	return len(p), err
}

// controls reports whether a character makes a terminal do something instead of being drawn: move, colour, break a line, or
// write from right to left, as U+202E does. Those that join letters of a script do no harm.
func controls(r rune) bool {
	switch r {
	case '\n', '\t', 0x200c, 0x200d:
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// printable is a text with a question mark for each character that would control a terminal.
func printable(text []byte) []byte {
	if !bytes.ContainsFunc(text, controls) {
		return text
	}
	return bytes.Map(func(r rune) rune {
		if controls(r) {
			return '?'
		}
		return r
	}, text)
}

// Flush hands on what was written so far.
func (o *output) Flush() {
	if !o.closed && o.err == nil {
		o.keep(o.buffer.Flush())
	}
}

func (o *output) keep(err error) {
	switch {
	case errors.Is(err, syscall.EPIPE):
		o.closed = true
	case err != nil:
		o.err = err
	}
}

// next hands on what was written, and says whether it makes sense to go on.
func (o *output) next() error {
	o.Flush()
	if o.closed || o.err != nil {
		return errClosed
	}
	return nil
}

// wholeFile is a file that appears under its name when it is complete, or not at all.
type wholeFile struct {
	*bufio.Writer
	file *os.File
	path string // where it belongs
	// inPlace: what is written is there at once, and stays.
	inPlace bool
}

// createResult begins a file for what came out of a run. None is written as YAML, so one that is named so is a scenario.
func createResult(path string) (*wholeFile, error) {
	if ext := strings.ToLower(filepath.Ext(path)); ext == ".yaml" || ext == ".yml" {
		return nil, mistakef("choose another name", "%s would be written over: that is the name of a scenario", path)
	}
	return createWhole(path)
}

// createWhole begins a file. What is no ordinary file, such as a pipe or /dev/stdout, is written in place.
func createWhole(path string) (*wholeFile, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return nil, mistakef("", "%s is a folder, not a file", path)
		}
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &wholeFile{Writer: bufio.NewWriter(f), file: f, path: path, inPlace: true}, nil
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	// The same folder, so that the last step is a mere change of name.
	name := fmt.Sprintf(".%s.%d.tmp", filepath.Base(path), os.Getpid())
	f, err := os.OpenFile(filepath.Join(filepath.Dir(path), name), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return nil, mistakef("", "cannot write %s: %v", path, errors.Unwrap(err))
	}
	return &wholeFile{Writer: bufio.NewWriter(f), file: f, path: path}, nil
}

// discard forgets the file; after commit it does nothing.
func (f *wholeFile) discard() {
	f.file.Close()
	if !f.inPlace {
		os.Remove(f.file.Name())
	}
}

// commit lets the file appear.
func (f *wholeFile) commit() error {
	err := f.Flush()
	if closing := f.file.Close(); err == nil {
		err = closing
	}
	if err == nil && !f.inPlace {
		err = os.Rename(f.file.Name(), f.path)
	}
	if err != nil {
		return mistakef("", "cannot write %s: %v", f.path, err)
	}
	f.inPlace = true
	return nil
}

// writeWhole writes a file that appears whole or not at all.
func writeWhole(path, text string) error {
	f, err := createWhole(path)
	if err != nil {
		return err
	}
	defer f.discard()
	f.WriteString(text) // its error is kept, and comes back from commit
	return f.commit()
}
