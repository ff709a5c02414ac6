package interp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Blocks at any offsets read fill and write nothing where they lie beyond the view, also where the offset is near the
// least or the largest number.
func TestBlocksByElement(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	offsets := [][2]int{{0, 0}, {-3, 2}, {5, -1}, {1, 4}, {8, 6}, {-4, 0}, {9, 0}, {0, 7},
		{math.MaxInt32, 0}, {0, math.MaxInt32 - 2}, {math.MinInt32, 1}, {1, math.MinInt32}, {math.MinInt32 + 3, math.MaxInt32}}
	for _, e := range dtype.All() {
		for f := range numForms {
			k := build(t, "offsets", func(k *tile.Builder) {
				x, at, y := k.In("x", e, 2), k.In("at", dtype.I32, 2), k.Out("y", e, 3)
				k.Grid(len(offsets))
				p := k.ProgramID(0)
				r, c := at.At(p, 0).Gather(), at.At(p, 1).Gather()
				y.Block(1, 4, 8).Squeeze(0).Store(x.Block(4, 8).Fill(1).LoadAt(r, c), p, 0, 0)
			})
			x := newTensor(t, rng, e, f, 9, 7).fill(sample(rng, e))
			at, i := newTensor(t, rng, dtype.I32, dense, len(offsets), 2), 0
			at.fill(func() float64 { i++; return float64(offsets[(i-1)/2][(i-1)%2]) })
			y := newTensor(t, rng, e, dense, len(offsets), 4, 8)
			run(t, k, []*tensor{x, at, y})
			y.verify(t, fmt.Sprintf("%v form %d", e, f), func(i []int) (float64, float64) {
				r, c := offsets[i[0]][0]+i[1], offsets[i[0]][1]+i[2]
				if r < 0 || r >= 9 || c < 0 || c >= 7 {
					return 1, 0
				}
				return x.get(1, r, c), 0
			})
		}
		for _, f := range []form{dense, padded, transposed, spread} {
			for _, o := range offsets {
				k := build(t, "offsets", func(k *tile.Builder) {
					x, y := k.In("x", e, 2), k.Out("y", e, 2)
					y.Block(4, 8).StoreAt(x.Block(4, 8).Load(0, 0), o[0], o[1])
				})
				x := newTensor(t, rng, e, dense, 4, 8).fill(sample(rng, e))
				y := newTensor(t, rng, e, f, 9, 7).fill(func() float64 { return 1 })
				run(t, k, []*tensor{x, y})
				y.verify(t, fmt.Sprintf("%v form %d at %v", e, f, o), func(i []int) (float64, float64) {
					if r, c := i[0]-o[0], i[1]-o[1]; r >= 0 && r < 4 && c >= 0 && c < 8 {
						return x.get(1, r, c), 0
					}
					return 1, 0
				})
			}
		}
	}
}

// The indices of a block and which of them the view has say where Load reads.
func TestIndicesAndInside(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 2))
	coords := [][2]int{{0, 0}, {1, 0}, {2, 1}, {0, 2}, {-1, 0}, {1, -1}, {1 << 28, 0}, {1 << 30, 1}, {0, math.MinInt32}, {math.MaxInt32, 1 << 29}}
	k := build(t, "inside", func(k *tile.Builder) {
		x, at, y := k.In("x", dtype.I32, 3), k.In("at", dtype.I32, 2), k.Out("y", dtype.I32, 3)
		k.Grid(len(coords))
		p := k.ProgramID(0)
		r, c := at.At(p, 0).Gather(), at.At(p, 1).Gather()
		b := x.Block(4, 1, 8).Squeeze(1).Fill(-1)
		inside := b.Inside(r, 1, c)
		k.Assert(k.Where(inside, b.Load(r, 1, c), -1).Eq(b.Load(r, 1, c)).All(0).All(1).At(0, 0), "what is not inside is fill")
		where := b.Indices(0, r).Mul(100).Add(b.Indices(1, 1).Mul(10)).Add(b.Indices(-1, c))
		y.Block(1, 4, 8).Squeeze(0).Store(k.Where(inside, where, -1), p, 0, 0)
	})
	x := newTensor(t, rng, dtype.I32, dense, 9, 2, 7).fill(func() float64 { return float64(rng.IntN(100)) })
	at, i := newTensor(t, rng, dtype.I32, dense, len(coords), 2), 0
	at.fill(func() float64 { i++; return float64(coords[(i-1)/2][(i-1)%2]) })
	y := newTensor(t, rng, dtype.I32, dense, len(coords), 4, 8)
	run(t, k, []*tensor{x, at, y})
	y.verify(t, "inside", func(i []int) (float64, float64) {
		r, c := coords[i[0]][0]*4+i[1], coords[i[0]][1]*8+i[2]
		if r < 0 || r >= 9 || c < 0 || c >= 7 {
			return -1, 0
		}
		return float64(100*r + 10 + c), 0
	})
}

// Points of a block at offsets are changed by atomic ops, within the view alone.
func TestPointsByElement(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 3))
	for _, from := range []int{-3, 0, 2, 6, math.MaxInt32 - 1, math.MinInt32} {
		k := build(t, "points", func(k *tile.Builder) {
			y := k.InOut("y", dtype.I32, 1)
			y.Block(4).PointsAt(from).AtomicAdd(k.Arange(4).Add(1))
		})
		y := newTensor(t, rng, dtype.I32, dense, 7).fill(func() float64 { return 10 })
		run(t, k, []*tensor{y})
		y.verify(t, fmt.Sprint(from), func(i []int) (float64, float64) {
			if d := i[0] - from; d >= 0 && d < 4 {
				return float64(11 + d), 0
			}
			return 10, 0
		})
	}
}
