package cpu

import (
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

// freeMemory is what can be had, paging file included, in bytes; 0 if unknown.
func freeMemory() int64 { return int64(status().availPage) }
