package lower

import (
	"fmt"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/tile"
)

// Gathers and scatters by indices from memory, many of them out of range, through
// every layout, with and without masks, with copies of elements in several threads.
func TestGatherScatter(t *testing.T) {
	for _, threads := range []int{1, 32, 256} {
		for _, elem := range []dtype.Type{dtype.F32, dtype.F16, dtype.U8, dtype.Bool} {
			k := axistest.Build(t, "gather", func(k *tile.Builder) {
				k.Schedule(tile.Schedule{Threads: threads})
				x, out := k.In("x", elem, 2), k.Out("out", elem, 2)
				rows, cols := k.In("rows", dtype.I32, 1), k.In("cols", dtype.I32, 1)
				k.Grid(2)
				p := k.ProgramID(0)
				r, c := rows.Block(64).Load(p), cols.Block(64).Load(p)
				v := x.At(r, c).Mask(r.Ne(3)).Fill(1).Gather()
				// each point of the output once: its row is the program
				out.At(p, k.Arange(64).Xor(5)).Mask(c.Ge(-50)).Scatter(v)
				out.At(p.Add(2), k.Arange(64).Mul(-1).Add(40)).Scatter(v)
				one := x.At(p, 2).Gather()
				out.At(4, p).Scatter(one)
				out.At(p.Add(7), 0).Scatter(1)
			})
			for name, l := range matrices(t, 60, 45) {
				t.Run(fmt.Sprintf("%d threads/%v/%s", threads, elem, name), func(t *testing.T) {
					_, h := l.Bounds()
					index := axistest.Strided(t, []int{120}, []int{1}, 0)
					differential(t, k, []int{h + 1, h + 1, 120, 120}, []tensor{{l, 0}, {l, 1}, {index, 2}, {index, 3}}, false, 0)
				})
			}
		}
	}
}

// A table of rows and columns by broadcast aranges.
func TestArange(t *testing.T) {
	for _, threads := range []int{1, 8, 64, 512} {
		k := axistest.Build(t, "arange", func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: threads})
			x, out := k.In("x", dtype.I32, 2), k.Out("out", dtype.I32, 2)
			i, j := k.Iota(0, 16, 1), k.Iota(1, 1, 32)
			v := x.At(i.Mul(2), j.Xor(1)).Fill(-9).Gather()
			out.Block(16, 32).Store(v.Add(k.Iota(1, 16, 32).Mul(100)).Add(i), 0, 0)
			out.At(i, 40).Scatter(v.Sum(1))
		})
		for name, l := range matrices(t, 31, 41) {
			t.Run(fmt.Sprintf("%d threads/%s", threads, name), func(t *testing.T) {
				_, h := l.Bounds()
				differential(t, k, []int{h + 1, h + 1}, []tensor{{l, 0}, {l, 1}}, false, 0)
			})
		}
	}
}

// The ops of one program on one buffer happen in order: what is scattered is
// gathered by other threads, and blocks of other shapes read what was stored.
func TestOrder(t *testing.T) {
	for _, threads := range []int{1, 32, 256} {
		k := axistest.Build(t, "order", func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: threads})
			x := k.InOut("x", dtype.I32, 2)
			i := k.Arange(64)
			for j := range k.Range(5) {
				v := x.At(0, i.Add(j).And(63)).Gather()
				x.At(0, i).Scatter(v.Add(j))
				x.At(1, i.And(7)).Scatter(j)
				b := x.Block(2, 32)
				b.Store(b.Load(0, j.And(1)).Add(1), 0, j.And(1))
				b.Store(b.Load(0, 0).Mul(3), 0, 0)
				flat := x.Block(1, 64)
				flat.Store(flat.Load(1, 0).Sub(flat.Load(0, 0)), 1, 0)
				small := x.Block(1, 2)
				small.Store(small.Load(0, j).Add(small.Load(0, j).Sum(1)), 0, j)
				x.At(0, j).Scatter(x.At(1, j).Gather())
			}
		})
		for name, l := range matrices(t, 3, 64) {
			t.Run(fmt.Sprintf("%d threads/%s", threads, name), func(t *testing.T) {
				_, h := l.Bounds()
				differential(t, k, []int{h + 1}, []tensor{{l, 0}}, false, 0)
			})
		}
	}
}

// Atomic ops on points that meet, with and without the old values, in tiles of which
// several threads hold copies, and on scalars.
func TestAtomics(t *testing.T) {
	for _, threads := range []int{1, 32, 256} {
		for _, elem := range []dtype.Type{dtype.I32, dtype.U32, dtype.F32} {
			k := axistest.Build(t, "atomics", func(k *tile.Builder) {
				k.Schedule(tile.Schedule{Threads: threads})
				at, x, out, olds := k.In("at", dtype.I32, 1), k.In("x", elem, 1), k.InOut("out", elem, 2), k.Out("olds", elem, 2)
				k.Grid(2)
				p := k.ProgramID(0)
				i, v := at.Block(64).Load(p).Rem(7), x.Block(64).Load(p)
				n := 0
				to := func() tile.Points { n++; return out.At(n-1, i.Add(3)).Mask(i.Ne(2)) }
				to().AtomicAdd(v.Cast(dtype.I32).Cast(elem))
				out.At(12, p).AtomicAdd(2)
				own := k.Arange(64)
				olds.At(p, own).Scatter(out.At(p.Add(10), own).Fill(7).AtomicAdd(own.Cast(elem)))
				olds.At(p.Add(2), own).Scatter(out.At(13, p).AtomicAdd(1))
				b := out.Block(1, 16)
				b.AtomicAdd(5, 14, 1)
				b.AtomicAdd(5, 14, p)
				if elem != dtype.F32 {
					to().AtomicMax(v)
					to().AtomicMin(v)
					to().AtomicAnd(v)
					to().AtomicOr(v)
					to().AtomicXor(v)
					to().AtomicExchange(1)
					out.At(p.Add(n), own).AtomicExchange(v) // a row for each program: the last one would win
					olds.At(p.Add(4), own).Scatter(out.At(p.Add(n), own).AtomicCompareAndSwap(v, p.Add(100).Cast(elem)))
					olds.At(p.Add(6), own).Scatter(out.At(n+8, p).AtomicCompareAndSwap(5, 6))
				}
			})
			t.Run(fmt.Sprintf("%d threads/%v", threads, elem), func(t *testing.T) {
				at, x := axistest.Strided(t, []int{120}, []int{1}, 0), axistest.Strided(t, []int{120}, []int{1}, 0)
				out, olds := axistest.Strided(t, []int{16, 60}, []int{70, 1}, 3), axistest.Strided(t, []int{10, 64}, []int{64, 1}, 0)
				tol := 0.0
				if elem == dtype.F32 { // up to 20 whole numbers onto one random element, in any order
					tol = 20 * dtype.F32.Epsilon()
				}
				differential(t, k, []int{120, 120, 16 * 70, 640}, []tensor{{at, 0}, {x, 1}, {out, 2}, {olds, 3}}, false, tol)
			})
		}
	}
}
