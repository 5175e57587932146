package cli

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"replog/internal/scenario"
	"replog/scenarios"
)

const scenarioEnding = scenarios.Ending

// embedded names the scenarios that replog carries, in the order of their files.
func embedded() []string {
	names := scenarios.Paths()
	for i := range names {
		names[i] = path.Base(names[i])
	}
	return names
}

// lessons are the scenarios that replog carries, in the order of the lesson.
func lessons() ([]*scenario.File, error) {
	var files []*scenario.File
	for _, name := range embedded() {
		f, err := loadScenario(name)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	slices.SortStableFunc(files, func(a, b *scenario.File) int { return cmp.Compare(a.LessonOrder, b.LessonOrder) })
	return files, nil
}

// loadScenario finds a scenario by its name among those that replog carries, or by its path.
func loadScenario(arg string) (*scenario.File, error) {
	name, data, err := readScenario(arg)
	if err != nil {
		return nil, err
	}
	f, err := scenario.Load(name, data)
	if err != nil {
		return nil, err
	}
	return f, checkPromises(name, f)
}

func readScenario(arg string) (name string, data []byte, err error) {
	if carried, found := scenarios.Find(arg); found {
		data, err = scenarios.FS.ReadFile(carried + scenarioEnding)
		return carried + scenarioEnding, data, err
	}
	data, err = readFile(arg)
	if errors.Is(err, fs.ErrNotExist) && !looksLikePath(arg) {
		return "", nil, mistakef(scenario.DidYouMean(arg, embedded()), "there is no scenario %q", arg)
	}
	return arg, data, err
}

func looksLikePath(arg string) bool {
	return strings.ContainsAny(arg, `/\`) || strings.HasSuffix(arg, scenarioEnding) || strings.HasSuffix(arg, ".yml")
}

// maxFile is more than any scenario or outcome has; the parsers say what is too large for them.
const maxFile = 64 << 20

// readFile reads a small file, or says in plain words why it can not.
func readFile(path string) ([]byte, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, mistakef("", "cannot read %s: %v", path, errors.Unwrap(err))
	}
	return data, nil
}

func openFile(path string) (*os.File, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &missing{path}
	case err != nil:
		return nil, mistakef("", "cannot read %s: %v", path, errors.Unwrap(err))
	case info.IsDir():
		return nil, mistakef("replog test takes folders", "%s is a folder, not a file", path)
	case !info.Mode().IsRegular():
		return nil, mistakef("save it as a file first", "%s is a pipe or a device; replog reads a file more than once", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, mistakef("", "cannot read %s: %v", path, errors.Unwrap(err))
	}
	return f, nil
}

// missing is a file that is not there.
type missing struct{ path string }

func (m *missing) Error() string { return "there is no file " + m.path }

// Is makes it fs.ErrNotExist.
func (m *missing) Is(target error) bool { return target == fs.ErrNotExist }

// isTrace reports whether the argument is the path of a JSON object with a format, which a scenario never begins with.
func isTrace(arg string) bool {
	f, err := openFile(arg)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 10)
	n, _ := io.ReadFull(f, head)
	return bytes.HasPrefix(head[:n], []byte(`{"format":`))
}
