package cli

import (
	"os"
	"strconv"
	"strings"

	"replog/internal/plan"
)

// What a record takes, measured on broker-2-dies with many more orders and rounded up. A run that keeps every event, to
// explain it, takes more.
const (
	bytesPerRecord         = 150
	bytesPerRecordedRecord = 1200
)

// fits refuses a run that would need more memory than there is, before the machine has to.
func fits(p *plan.Plan, record bool) error {
	per := int64(bytesPerRecord)
	if record {
		per = bytesPerRecordedRecord
	}
	records := int64(p.Names.RecordCount())
	need, have := records*per, freeMemory()
	if have == 0 || need <= have {
		return nil
	}
	return mistakef("let the loads send fewer orders", "%s, %s: a run of %d records needs about %d MB of memory, and there are %d MB",
		p.Names.Scenario, p.Names.Variant, records, need>>20, have>>20)
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
