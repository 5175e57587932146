package run

import (
	"errors"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"

	"replog/internal/kafka"
	"replog/internal/plan"
)

// What a record takes, measured as the most that the process held in broker-2-dies with many more orders and in
// week-of-orders, and rounded up: in a run, in one that keeps every event to show or to explain it, and in a trace on the
// disk. In memory each consumer group adds to it, by what it reads, commits and does.
const (
	bytesPerRecord           = 150
	bytesPerRecordAndGroup   = 100
	bytesPerRecorded         = 600
	bytesPerRecordedAndGroup = 500
	bytesPerTracedRecord     = 1800
)

// Need is how many bytes of memory a run takes; recorded says that it keeps every event.
func Need(p *plan.Plan, recorded bool) int64 {
	groups := int64(len(p.Groups))
	if recorded {
		return sentBy(p, p.End) * (bytesPerRecorded + groups*bytesPerRecordedAndGroup)
	}
	return sentBy(p, p.End) * (bytesPerRecord + groups*bytesPerRecordAndGroup)
}

// TraceSize is how many bytes the trace of a run takes on the disk.
func TraceSize(p *plan.Plan) int64 { return sentBy(p, p.End) * bytesPerTracedRecord }

// sentBy is the number of records that the applications have sent at a time.
func sentBy(p *plan.Plan, at kafka.Tick) int64 {
	sum := int64(0)
	for i := range p.Loads {
		l := &p.Loads[i]
		sum += int64(sort.Search(l.Count, func(n int) bool { return l.At(n) > at }))
	}
	return sum
}

// Fits refuses a run that would need more memory than there is, before the machine has to, and says which part of it fits.
func Fits(p *plan.Plan, recorded bool) error {
	need, have := Need(p, recorded), freeMemory()
	if have == 0 || need <= have {
		return nil
	}
	text := fmt.Sprintf("%s, %s: a run of %d records needs about %d MB of memory, and there are %d MB", p.Names.Scenario, p.Names.Variant,
		sentBy(p, p.End), need>>20, have>>20)
	if recorded {
		text += " (it keeps every event; replog run does not)"
	}
	return errors.New(text + "; " + Window(p, need, have))
}

// Window says which part of a run takes no more than some bytes, where the whole of it needs more, and how to ask for it.
func Window(p *plan.Plan, need, have int64) string {
	records := sentBy(p, p.End) * have / max(need, 1)
	end := kafka.Tick(sort.Search(int(p.End), func(at int) bool { return sentBy(p, kafka.Tick(at)) > records })) - 1
	for i := range p.Loads {
		if p.Loads[i].Start > end {
			return "let the loads send fewer orders" // a load must begin before the end
		}
	}
	micros := int64(end) * p.Names.TickMicros
	for _, unit := range []struct {
		name   string
		micros int64
	}{{"h", 3_600_000_000}, {"m", 60_000_000}, {"s", 1_000_000}} {
		if n := micros / unit.micros; n > 0 {
			return fmt.Sprintf("--set end=%d%s runs the beginning of it, in %d MB", n, unit.name, have>>20)
		}
	}
	return "let the loads send fewer orders"
}

// freeMemory is how many bytes a process may still take; 0 where the system does not tell.
func freeMemory() int64 {
	free := int64(0)
	for line := range strings.Lines(textOf("/proc/meminfo")) {
		if size, found := strings.CutPrefix(line, "MemAvailable:"); found {
			kilobytes, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(size), " kB"), 10, 64)
			free = kilobytes << 10
		}
	}
	// A container has a limit of its own.
	if limit, err := strconv.ParseInt(strings.TrimSpace(textOf("/sys/fs/cgroup/memory.max")), 10, 64); err == nil && limit < free {
		free = limit
	}
	return free
}

func textOf(path string) string {
	data, _ := os.ReadFile(path) // a system without it tells nothing
	return string(data)
}
