package axistest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp"
)

// A Run is a launch of a random program on random arguments.
type Run struct {
	Layouts []layout.Layout
	Words   []uint32
	Grid    [3]int
	Input   []byte
	Outputs int // elements
}

// NewRun draws arguments for a kernel of a Generator.
func NewRun(t *testing.T, k *tile.Func, rng *rand.Rand) Run {
	t.Helper()
	size := 1 + rng.IntN(40)
	if rng.IntN(2) == 0 {
		size = 1 << rng.IntN(7)
	}
	r := Run{Input: machine.RandomBytes(rng, dtype.I32, size)}
	var err error
	if r.Grid, err = k.GridAt([][]int{{size}, {0}}, nil); err != nil {
		t.Fatal(err)
	}
	r.Outputs = r.Grid[0] * r.Grid[1] * shownValues * 64
	for _, n := range []int{size, r.Outputs} {
		l, err := layout.Contiguous(n)
		if err != nil {
			t.Fatal(err)
		}
		r.Layouts = append(r.Layouts, l)
	}
	if r.Words, err = k.Words(r.Layouts, []uint32{rng.Uint32() >> rng.IntN(32)}); err != nil {
		t.Fatal(err)
	}
	return r
}

// Run executes a kernel in the interpreter and returns what it puts out.
func (r Run) Run(t *testing.T, name string, k *tile.Func, o interp.Options) []byte {
	t.Helper()
	out := make([]byte, 4*r.Outputs)
	if err := (&interp.Program{Kernel: k, Buffers: []int{0, 1}, Options: o}).Run(r.Grid, [][]byte{slices.Clone(r.Input), out}, r.Words); err != nil {
		t.Fatalf("%s: %v\n%v", name, err, k)
	}
	return out
}
