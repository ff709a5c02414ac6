package cpu

import (
	"os"
	"strconv"
	"strings"
)

// physicalMemory is the memory that this process may have, in bytes: that of
// the machine or, if less, of its control group; 0 if unknown.
func physicalMemory() int64 {
	total := meminfo("MemTotal")
	for _, name := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, _ := os.ReadFile(name)
		limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		if err == nil && limit > 0 && (total == 0 || limit < total) {
			total = limit
		}
	}
	return total
}

// freeMemory is what can be had without swapping, in bytes; 0 if unknown.
func freeMemory() int64 { return meminfo("MemAvailable") }

func meminfo(key string) int64 {
	text, _ := os.ReadFile("/proc/meminfo")
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) == 3 && f[0] == key+":" && f[2] == "kB" {
			kib, _ := strconv.ParseInt(f[1], 10, 64)
			return kib << 10
		}
	}
	return 0
}
