package cpu

import (
	"math"
	"os"
	"runtime/metrics"
	"strconv"
	"strings"
	"syscall"
)

// physicalMemory is the memory that this process may have, in bytes: that of
// the machine or, if less, of its control group; 0 if unknown.
func physicalMemory() int64 {
	total := meminfo("MemTotal")
	for _, name := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if limit := readNumber(name); limit > 0 && (total == 0 || limit < total) {
			total = limit
		}
	}
	return total
}

// systemRoom is how much more memory the process can have: what is there without swapping, within the limits of its
// control group and of the process. The system does not count memory that was not touched yet.
func systemRoom() int64 {
	used := statm()
	room := int64(math.MaxInt64)
	taken := max(0, heap()-used.resident) + reserve // what the system did not count yet
	if free := meminfo("MemAvailable"); free > 0 {
		room = min(room, free-taken)
	}
	if limit := readNumber("/sys/fs/cgroup/memory.max"); limit > 0 {
		inactiveFiles := readField("/sys/fs/cgroup/memory.stat", "inactive_file") // copies of files that can be dropped
		room = min(room, limit-readNumber("/sys/fs/cgroup/memory.current")+inactiveFiles-taken)
	}
	for _, l := range []struct {
		resource int
		used     int64
	}{{syscall.RLIMIT_AS, used.virtual}, {syscall.RLIMIT_DATA, used.data}} {
		var limit syscall.Rlimit
		if err := syscall.Getrlimit(l.resource, &limit); err == nil && limit.Cur < math.MaxInt64 {
			room = min(room, int64(limit.Cur)-l.used-reserve)
		}
	}
	return room
}

// heap is the memory of all objects of the process, buffers included.
func heap() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	if metrics.Read(sample); sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int64(sample[0].Value.Uint64())
}

// usage is what the process uses, in bytes.
type usage struct{ virtual, resident, data int64 }

func statm() usage {
	text, _ := os.ReadFile("/proc/self/statm")
	f := strings.Fields(string(text))
	if len(f) < 6 {
		return usage{}
	}
	page := int64(os.Getpagesize())
	at := func(i int) int64 {
		n, _ := strconv.ParseInt(f[i], 10, 64)
		return n * page
	}
	return usage{virtual: at(0), resident: at(1), data: at(5)}
}

// readNumber is the number in a file, 0 if there is none.
func readNumber(path string) int64 {
	text, _ := os.ReadFile(path)
	n, _ := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n
}

// readField is the number after a key in a file of lines such as "MemTotal: 16 kB", 0 if there is none.
func readField(path, key string) int64 {
	text, _ := os.ReadFile(path)
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) >= 2 && f[0] == key {
			n, _ := strconv.ParseInt(f[1], 10, 64)
			return n
		}
	}
	return 0
}

// meminfo is a number of /proc/meminfo in bytes.
func meminfo(key string) int64 { return readField("/proc/meminfo", key+":") << 10 }
