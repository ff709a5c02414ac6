package cuda

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// TestLaunchBounds: two workgroups of a warpgroup each share a multiprocessor if its shared memory and its registers have room for both; else one has the
// registers for itself.
func TestLaunchBounds(t *testing.T) {
	for _, c := range []struct {
		elements, sums int // F32 of shared memory, and what a product keeps in registers
		want           string
	}{
		{24 << 10, 64, "160, 2"}, {28 << 10, 64, "160, 2"}, {29 << 10, 64, "160, 1"}, {56 << 10, 64, "160, 1"}, {24 << 10, 256, "160, 1"},
	} {
		k := &simt.Func{Threads: 128, Producers: 32, Shared: []*simt.Shared{{Elem: dtype.F32, Len: c.elements, Stages: 1}}}
		k.Body = &simt.Block{Ops: []*simt.Op{{Kind: simt.GroupWait, Out: make([]*simt.Value, c.sums/4)}}}
		if bounds := launchBounds(k); bounds != c.want {
			t.Errorf("%+v: %s", c, bounds)
		}
	}
}
