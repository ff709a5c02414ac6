package simtpass

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// TestRegisters: two workgroups of a warpgroup each share a multiprocessor if its shared memory and its registers have room for both; else one has the
// registers for itself. If the schedule asks for a number, as many as have room.
func TestRegisters(t *testing.T) {
	for _, c := range []struct {
		elements, sums int // F32 of shared memory, and what a product keeps in registers
		asked, want    int
	}{
		{24 << 10, 64, 0, 2}, {28 << 10, 64, 0, 2}, {29 << 10, 64, 0, 1}, {56 << 10, 64, 0, 1}, {24 << 10, 256, 0, 1},
		{16 << 10, 64, 3, 3}, {24 << 10, 64, 3, 2}, {16 << 10, 128, 3, 2}, {16 << 10, 64, 1, 1},
	} {
		k := &simt.Func{Threads: 128, Producers: 32, Resident: c.asked, Shared: []*simt.Shared{{Elem: dtype.F32, Len: c.elements, Stages: 1}}}
		k.Body = &simt.Block{Ops: []*simt.Op{{Kind: simt.GroupWait, Out: make([]*simt.Value, c.sums/4)}}}
		if registers(&Context{Kernel: k}); k.Resident != c.want {
			t.Errorf("%+v: %d workgroups", c, k.Resident)
		}
	}
}
