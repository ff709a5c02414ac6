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

// Scatters and atomic ops whose indices and masks are the same along any dimensions of a tile, as broadcasts make them, reach the same points as those with a number for each.
func TestPointsOfBroadcasts(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 3))
	shapes := [][]int{{4, 8, 16}, {1, 2, 64}, {32, 4, 1}, {8, 1, 32}, {2, 512, 1}}
	for round := range 60 {
		shape := shapes[round%len(shapes)]
		n := tile.Type{Shape: shape}.Len()
		sizes := []int{3 + rng.IntN(6), 3 + rng.IntN(6), 3 + rng.IntN(6)}
		var from [4][]int // of the indices and the mask, each 1 or the tile's size along a dimension
		for s := range from {
			for _, size := range shape {
				from[s] = append(from[s], []int{1, size}[rng.IntN(2)])
			}
		}
		scalar := rng.IntN(4) == 0 // the first index
		if scalar {
			from[0] = []int{1, 1, 1}
		}
		lists := make([]*tensor, 4)
		k := build(t, "points", func(k *tile.Builder) {
			y, sums, x := k.Out("y", dtype.F32, 3), k.InOut("sums", dtype.I32, 3), k.In("x", dtype.F32, 1)
			var at []tile.Operand
			var mask *tile.Value
			for s, shapeOf := range from {
				count := tile.Type{Shape: shapeOf}.Len()
				v := k.In(fmt.Sprint("s", s), dtype.I32, 1).Block(count).Load(0).Reshape(shapeOf...)
				switch {
				case s == 3:
					mask = v.Eq(1).Broadcast(shape...)
				case s == 0 && scalar:
					at = append(at, v.Max(2).Max(1).Max(0))
				default:
					at = append(at, v.Broadcast(shape...))
				}
			}
			y.At(at...).Mask(mask).Scatter(x.Block(n).Load(0).Reshape(shape...))
			sums.At(at...).Mask(mask).AtomicAdd(k.Full(dtype.I32, 1, shape...))
		})
		y := newTensor(t, rng, dtype.F32, []form{dense, padded, transposed, spread}[round%4], sizes...).fill(func() float64 { return -1 })
		sums := newTensor(t, rng, dtype.I32, dense, sizes...).fill(func() float64 { return 7 })
		x := newTensor(t, rng, dtype.F32, dense, n).fill(func() float64 { return float64(rng.IntN(1 << 20)) })
		for s := range lists {
			if lists[s] = indices(t, rng, tile.Type{Shape: from[s]}.Len(), -1, 8); s == 3 {
				lists[s] = indices(t, rng, tile.Type{Shape: from[s]}.Len(), 0, 1)
			}
		}
		run(t, k, append([]*tensor{y, sums, x}, lists...))

		want, counts := map[[3]int]float64{}, map[[3]int]int{}
		i := 0
		for c := range coords(shape) {
			var at [4]int
			for s := range at {
				place := 0
				for d, size := range from[s] {
					place = place*size + min(c[d], size-1)
				}
				at[s] = int(lists[s].get(0, place))
			}
			if at[3] == 1 {
				want[[3]int(at[:3])] = x.get(0, i) // the last one stays
				counts[[3]int(at[:3])]++
			}
			i++
		}
		y.verify(t, fmt.Sprintf("round %d: %v from %v", round, shape, from), func(c []int) (float64, float64) {
			if v, ok := want[[3]int(c)]; ok {
				return v, 0
			}
			return -1, 0
		})
		sums.verify(t, fmt.Sprintf("round %d: sums of %v from %v", round, shape, from), func(c []int) (float64, float64) {
			return float64(7 + counts[[3]int(c)]), 0
		})
	}
}
