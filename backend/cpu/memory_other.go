//go:build !linux && !windows && !darwin

package cpu

import "runtime"

// physicalMemory is 4 GiB, all that WebAssembly can address, or 0 if unknown.
func physicalMemory() int64 {
	if runtime.GOARCH == "wasm" {
		return 4 << 30
	}
	return 0
}

// freeMemory is unknown.
func freeMemory() int64 { return 0 }
