package cpu

import (
	"errors"
	"runtime"
	"testing"

	"github.com/weftgpu/weft/fault"
)

// All buffers of a process together are held against the machine's memory, also where none was touched yet; what
// the garbage collector finds can be had again.
func TestBuffersTogetherHaveABudget(t *testing.T) {
	const size, most = 64 << 20, 5
	budget.mu.Lock()
	physical := budget.held + most*size + size/2
	budget.mu.Unlock()
	for round := range 3 {
		var all [][]byte
		for {
			data, err := allocate(size, physical)
			if err != nil {
				if !errors.Is(err, fault.ErrOutOfMemory) {
					t.Fatal(err)
				}
				break
			}
			all = append(all, data)
		}
		if len(all) == 0 || len(all) > most+1 { // small buffers of other tests may have been found meanwhile
			t.Errorf("round %d: %d buffers, want about %d", round, len(all), most)
		}
		runtime.KeepAlive(all)
	}
	if _, err := allocate(-1, 0); !errors.Is(err, fault.ErrShape) && !errors.Is(err, fault.ErrArgument) {
		t.Errorf("a negative size: %v", err)
	}
}
