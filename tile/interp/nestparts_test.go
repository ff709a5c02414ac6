package interp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// TestPartsOfBlocks runs kernels whose loops read blocks that are partly outside of views of several sizes, at all offsets, with fill values, and reduce rows and
// columns of them. What Go and machine code leave in memory is compared by run.
func TestPartsOfBlocks(t *testing.T) {
	elems := []dtype.Type{dtype.F32, dtype.F16, dtype.I32, dtype.U8, dtype.I8}
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 77))
		e := elems[rng.IntN(len(elems))]
		rank := 2 + rng.IntN(2)
		shape, row, column, offset, other := make([]int, rank), make([]int, rank), make([]int, rank), make([]tile.Operand, rank), make([]tile.Operand, rank)
		for d := range shape {
			shape[d] = 1 << rng.IntN(4)
		}
		shape[rank-1] = 1 << (3 + rng.IntN(4))
		size := func() []int {
			n := make([]int, rank)
			for d := range n {
				n[d] = 1 + rng.IntN(shape[d]+3)
			}
			return n
		}
		for d := range shape {
			row[d], column[d] = shape[d], 1
			offset[d], other[d] = 0, 0
			if rng.IntN(3) == 0 {
				offset[d] = rng.IntN(shape[d]+2) - 1 - shape[d]/4
			}
			if rng.IntN(5) == 0 {
				other[d] = rng.IntN(5) - 2
			}
		}
		row[rank-1] = 1
		column[rank-1] = shape[rank-1]
		// Small integers, with which all types compute exactly, or what is special; least and greatest numbers may be either of a number and a NaN.
		special := e == dtype.F32 && rng.IntN(2) == 0
		value := func() float64 { return float64(rng.IntN(3)) }
		if special {
			list := []float64{0, math.Copysign(0, -1), 1, -2.5, math.Inf(1), math.Inf(-1), math.NaN()}
			value = func() float64 { return list[min(rng.IntN(40), len(list)-1)] }
		}
		fill := value()
		k := build(t, "parts", func(k *tile.Builder) {
			x, y := k.In("x", e, rank), k.In("y", e, rank)
			outs := []*tile.View{k.Out("a", e, rank), k.Out("b", e, rank), k.Out("c", e, rank)}
			v := x.Block(shape...).Fill(fill).LoadAt(offset...)
			u := y.Block(shape...).Fill(2).LoadAt(other...)
			u = u.Add(y.Block(column...).LoadAt(other...))
			outs[1].Block(shape...).StoreAt(v.Add(u), offset...)
			along := (*tile.Value).Min
			if special {
				along = (*tile.Value).Sum
			}
			least := along(v, -1)
			if rng.IntN(2) == 0 {
				least = least.Add(v.Sub(least).Add(u).Sum(-1))
			}
			outs[2].Block(row...).StoreAt(least, append(append([]tile.Operand{}, offset[:rank-1]...), 0)...)
			v = v.Sub(least)
			for d := range rank - 1 {
				if rng.IntN(2) == 0 {
					v = v.Sub(along(v, d))
				}
			}
			outs[0].Block(shape...).StoreAt(v.Mul(u), offset...)
		})
		a, b := size(), size()
		tensors := []*tensor{newTensor(t, rng, e, form(rng.IntN(int(numForms))), a...).fill(value), newTensor(t, rng, e, form(rng.IntN(int(numForms))), b...).fill(value)}
		if rng.IntN(2) == 0 {
			b = a
		}
		outForm := form(rng.IntN(int(repeated)))
		for _, n := range [][]int{b, a, b} {
			tensors = append(tensors, newTensor(t, rng, e, outForm, n...))
		}
		if !t.Run(fmt.Sprint(seed), func(t *testing.T) { run(t, k, tensors) }) {
			t.Logf("%v of %v and %v, fill %v, at %v and %v", shape, a, b, fill, offset, other)
		}
	}
}
