package cpu

import (
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

// budget is the memory of all buffers of the process. Go ends a process to which the system refuses memory, and the system one
// that uses what it promised and does not have: so there must be room before memory is asked for.
var budget = struct {
	mu      sync.Mutex
	held    int64 // bytes of buffers, until the garbage collector found them
	checked int64 // held when the room was last measured
}{}

const (
	// measureEvery is after how many bytes of new buffers the room is measured again.
	measureEvery = 64 << 20
	// reserve is what stays for everything else.
	reserve = 128 << 20
	// counted is the length from which on buffers count.
	counted = 4 << 10
)

// reserveMemory takes bytes out of the budget.
func reserveMemory(bytes, physical int64) error {
	budget.mu.Lock()
	defer budget.mu.Unlock()
	if bytes < counted {
		return nil
	}
	if budget.held+bytes-budget.checked >= measureEvery {
		room := roomFor(budget.held, physical)
		for tries := 0; bytes > room && tries < 3; tries++ { // closed buffers count until they are found
			budget.mu.Unlock()
			runtime.GC()
			time.Sleep(time.Millisecond) // cleanups run next to the collector
			budget.mu.Lock()
			room = roomFor(budget.held, physical)
		}
		if bytes > room {
			return fault.New(fault.ErrOutOfMemory, "new buffer", "a buffer of %d bytes; other buffers have %d, and there is room for %d", bytes, budget.held, max(room, 0))
		}
		budget.checked = budget.held + bytes
	}
	budget.held += bytes
	return nil
}

// giveMemory puts bytes back into the budget.
func giveMemory(bytes int64) {
	budget.mu.Lock()
	defer budget.mu.Unlock()
	budget.held -= bytes
	budget.checked = min(budget.checked, budget.held)
}

// roomFor is how large new buffers may be together, in addition to those that are held.
func roomFor(held, physical int64) int64 {
	room := int64(math.MaxInt64)
	if physical > 0 {
		room = physical - held
	}
	return min(room, systemRoom())
}

// allocate makes zeroed memory, or says why not.
func allocate(bytes, physical int64) (data []byte, err error) {
	const op = "new buffer"
	if err := backend.CheckBuffer(op, bytes, &target.Caps{MaxBufferBytes: math.MaxInt}); err != nil {
		return nil, err
	}
	if err := reserveMemory(bytes, physical); err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			giveMemory(bytes)
			err = fault.New(fault.ErrOutOfMemory, op, "a buffer of %d bytes could not be allocated: %v", bytes, r)
		}
	}()
	data = make([]byte, bytes)
	if bytes >= counted {
		runtime.AddCleanup(&data[0], giveMemory, bytes)
	}
	return data, nil
}
