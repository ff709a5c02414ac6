//go:build !linux && !windows && !darwin

package cpu

import (
	"math"
	"runtime"
)

// physicalMemory is 4 GiB, all that WebAssembly can address, or 0 if unknown.
func physicalMemory() int64 {
	if runtime.GOARCH == "wasm" {
		return 4 << 30
	}
	return 0
}

// systemRoom is not known: all buffers are held against the physical memory alone.
func systemRoom() int64 { return math.MaxInt64 }
