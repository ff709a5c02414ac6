package cpu

import (
	"encoding/binary"
	"math"
	"syscall"
)

// physicalMemory is the machine's memory in bytes, 0 if unknown.
func physicalMemory() int64 {
	// Sysctl takes the number for a string and cuts a trailing zero byte.
	raw, err := syscall.Sysctl("hw.memsize")
	if err != nil || len(raw) > 8 {
		return 0
	}
	var b [8]byte
	copy(b[:], raw)
	return int64(binary.LittleEndian.Uint64(b[:]))
}

// systemRoom is not known: the system compresses and swaps before it refuses, and all buffers are held against the physical memory.
func systemRoom() int64 { return math.MaxInt64 }
