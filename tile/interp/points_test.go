package interp

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// indices makes a dense tensor of indices from lo to hi.
func indices(t *testing.T, rng *rand.Rand, n, lo, hi int) *tensor {
	return newTensor(t, rng, dtype.I32, dense, n).fill(func() float64 { return float64(lo + rng.IntN(hi-lo+1)) })
}

// Gathers at random indices, in and out of range, from every form of memory.
func TestGather(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	for _, e := range dtype.All() {
		for f := range numForms {
			k := build(t, "gather", func(k *tile.Builder) {
				x, r, c, m, y := k.In("x", e, 2), k.In("r", dtype.I32, 1), k.In("c", dtype.I32, 1), k.In("m", dtype.Bool, 1), k.Out("y", e, 1)
				k.Grid(3)
				p := k.ProgramID(0)
				at := x.At(r.Block(16).Load(p), c.Block(16).Load(p)).Mask(m.Block(16).Load(p)).Fill(1)
				y.Block(16).Store(at.Gather(), p)
			})
			x := newTensor(t, rng, e, f, 9, 7).fill(sample(rng, e))
			r, c, m := indices(t, rng, 48, -2, 10), indices(t, rng, 48, -2, 8), indices(t, rng, 48, 0, 1)
			mask := newTensor(t, rng, dtype.Bool, dense, 48)
			at := 0
			mask.fill(func() float64 { at++; return m.get(0, at-1) })
			y := newTensor(t, rng, e, dense, 48)
			run(t, k, []*tensor{x, r, c, mask, y})
			y.verify(t, fmt.Sprintf("%v form %d", e, f), func(i []int) (float64, float64) {
				if mask.get(0, i[0]) == 0 {
					return 1, 0
				}
				return x.get(1, int(r.get(0, i[0])), int(c.get(0, i[0]))), 0
			})
		}
	}
}

// Scatters by a permutation with points outside of the view and a mask.
func TestScatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 2))
	for _, e := range dtype.All() {
		for _, f := range []form{dense, padded, transposed, spread} {
			k := build(t, "scatter", func(k *tile.Builder) {
				x, r, y := k.In("x", e, 1), k.In("r", dtype.I32, 1), k.Out("y", e, 2)
				i := k.Arange(32)
				row := r.Block(32).Load(0)
				y.At(row, 0).Mask(i.Lt(20)).Scatter(x.Block(32).Load(0))
				y.At(row, 1).Scatter(1)
				y.At(3, 2).Scatter(x.At(5).Gather())
			})
			order := rng.Perm(32)
			r, i := newTensor(t, rng, dtype.I32, dense, 32), 0
			r.fill(func() float64 { i++; return float64(order[i-1] - 4) })
			x := newTensor(t, rng, e, dense, 32).fill(sample(rng, e))
			y := newTensor(t, rng, e, f, 25, 3).fill(func() float64 { return 0 })
			run(t, k, []*tensor{x, r, y})
			from := map[int]int{} // by row
			for i, r := range order {
				from[r-4] = i
			}
			y.verify(t, fmt.Sprintf("%v form %d", e, f), func(c []int) (float64, float64) {
				switch i := from[c[0]]; {
				case c[1] == 1:
					return 1, 0
				case c[1] == 0 && i < 20:
					return x.get(0, i), 0
				case c[1] == 2 && c[0] == 3:
					return x.get(0, 5), 0
				}
				return 0, 0
			})
		}
	}
}
