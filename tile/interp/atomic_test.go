package interp

import (
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Every atomic op on points that meet, in one program, in order.
func TestAtomicOps(t *testing.T) {
	ops := [tile.NumRMW]func(p tile.Points, v *tile.Value) *tile.Value{
		tile.RMWAdd:      func(p tile.Points, v *tile.Value) *tile.Value { return p.AtomicAdd(v) },
		tile.RMWMax:      func(p tile.Points, v *tile.Value) *tile.Value { return p.AtomicMax(v) },
		tile.RMWMin:      func(p tile.Points, v *tile.Value) *tile.Value { return p.AtomicMin(v) },
		tile.RMWAnd:      func(p tile.Points, v *tile.Value) *tile.Value { return p.AtomicAnd(v) },
		tile.RMWOr:       func(p tile.Points, v *tile.Value) *tile.Value { return p.AtomicOr(v) },
		tile.RMWXor:      func(p tile.Points, v *tile.Value) *tile.Value { return p.AtomicXor(v) },
		tile.RMWExchange: func(p tile.Points, v *tile.Value) *tile.Value { return p.AtomicExchange(v) },
		tile.RMWCompare:  func(p tile.Points, v *tile.Value) *tile.Value { return p.AtomicCompareAndSwap(v, 3) },
	}
	meaning := func(r tile.RMW, old, x int64) int64 {
		switch r {
		case tile.RMWAdd:
			return old + x
		case tile.RMWMax:
			return max(old, x)
		case tile.RMWMin:
			return min(old, x)
		case tile.RMWAnd:
			return old & x
		case tile.RMWOr:
			return old | x
		case tile.RMWXor:
			return old ^ x
		case tile.RMWExchange:
			return x
		}
		if old == x {
			return 3
		}
		return old
	}
	rng := rand.New(rand.NewPCG(3, 1))
	for _, e := range []dtype.Type{dtype.I32, dtype.U32, dtype.F32} {
		for r := range tile.NumRMW {
			if e == dtype.F32 && r != tile.RMWAdd {
				continue
			}
			k := build(t, "atomic", func(k *tile.Builder) {
				at, x, y, old := k.In("at", dtype.I32, 1), k.In("x", e, 1), k.InOut("y", e, 1), k.Out("old", e, 1)
				p := y.At(at.Block(64).Load(0)).Fill(9)
				old.Block(64).Store(ops[r](p, x.Block(64).Load(0)), 0)
			})
			value := func() float64 { return float64(rng.IntN(50)) }
			if e == dtype.I32 {
				value = func() float64 { return float64(rng.IntN(50) - 25) }
			}
			at, x := indices(t, rng, 64, -1, 10), newTensor(t, rng, e, dense, 64).fill(value)
			y, old := newTensor(t, rng, e, spread, 9).fill(value), newTensor(t, rng, e, dense, 64)
			want := make([]int64, 9)
			for i := range want {
				want[i] = int64(y.get(0, i))
			}
			olds := make([]float64, 64)
			for i := range olds {
				j := int(at.get(0, i))
				if j < 0 || j >= 9 {
					olds[i] = 9
					continue
				}
				olds[i] = float64(want[j])
				want[j] = meaning(r, want[j], int64(x.get(0, i)))
				if e == dtype.U32 {
					want[j] = int64(uint32(want[j]))
				}
			}
			run(t, k, []*tensor{at, x, y, old})
			old.verify(t, r.String()+" old", func(c []int) (float64, float64) { return olds[c[0]], 0 })
			y.verify(t, r.String(), func(c []int) (float64, float64) { return float64(want[c[0]]), 0 })
		}
	}
}

// Programs on all cores add to the same elements; nothing is lost.
func TestAtomicsMeet(t *testing.T) {
	const programs = 3000
	k := build(t, "meet", func(k *tile.Builder) {
		n, f, top, tickets := k.InOut("n", dtype.I32, 1), k.InOut("f", dtype.F32, 1), k.InOut("top", dtype.U32, 1), k.Out("tickets", dtype.I32, 1)
		k.Grid(programs)
		p := k.ProgramID(0)
		i := k.Arange(16)
		n.At(i.Rem(4)).AtomicAdd(1)
		f.At(i.Rem(2)).AtomicAdd(1)
		top.Block(2).Points(0).AtomicMax(p.Cast(dtype.U32))
		tickets.At(n.At(4).AtomicAdd(1)).Scatter(1)
	})
	rng := rand.New(rand.NewPCG(3, 2))
	zero := func() float64 { return 0 }
	n, f := newTensor(t, rng, dtype.I32, dense, 5).fill(zero), newTensor(t, rng, dtype.F32, dense, 2).fill(zero)
	top, tickets := newTensor(t, rng, dtype.U32, dense, 2).fill(zero), newTensor(t, rng, dtype.I32, dense, programs)
	run(t, k, []*tensor{n, f, top, tickets})
	n.verify(t, "n", func(c []int) (float64, float64) {
		if c[0] == 4 {
			return programs, 0
		}
		return 4 * programs, 0
	})
	f.verify(t, "f", func([]int) (float64, float64) { return 8 * programs, 0 })
	top.verify(t, "top", func([]int) (float64, float64) { return programs - 1, 0 })
	tickets.verify(t, "tickets", func([]int) (float64, float64) { return 1, 0 })
	if k.Reproducible() {
		t.Error("a kernel with atomic sums of f32 counts as reproducible")
	}
}
