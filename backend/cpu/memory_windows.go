package cpu

import (
	"math"
	"syscall"
	"unsafe"
)

// memoryStatus is the MEMORYSTATUSEX of Windows.
type memoryStatus struct {
	length, load                                                  uint32
	totalPhys, availPhys, totalPage, availPage, totalVirt, avVirt uint64
	extended                                                      uint64
}

func status() (m memoryStatus) {
	m.length = uint32(unsafe.Sizeof(m))
	call := syscall.NewLazyDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")
	if call.Find() == nil {
		call.Call(uintptr(unsafe.Pointer(&m)))
	}
	return m
}

// physicalMemory is the machine's memory in bytes, 0 if unknown.
func physicalMemory() int64 { return int64(status().totalPhys) }

// systemRoom is how much more memory the process can have, paging file included. Windows counts memory when it is asked for.
func systemRoom() int64 {
	m := status()
	if m.totalPage == 0 {
		return math.MaxInt64
	}
	return int64(min(m.availPage, m.avVirt)) - reserve
}
