package interp

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// boxCase is a kernel of one program that adds blocks of views of any size, placed anywhere, and tiles that are broadcast along some dimensions.
type boxCase struct {
	shape   []int
	elems   []dtype.Type // of the loads
	offsets [][]int      // of the loads, and last of the store
	fills   []float64
	spread  [][]int // shapes of what is broadcast
	extra   int     // 1: numbers of a dimension, 2: minus sums of rows, 3: minus sums of columns
}

func anyBoxCase(rng *rand.Rand) (c boxCase) {
	area := 1
	for range 1 + rng.IntN(5) {
		n := 1 << rng.IntN(6)
		if area *= n; area > 1<<12 {
			break
		}
		c.shape = append(c.shape, n)
	}
	for range 2 + rng.IntN(4) {
		at := make([]int, len(c.shape))
		for d := range at {
			at[d] = rng.IntN(7) - 3
		}
		c.offsets = append(c.offsets, at)
		c.elems = append(c.elems, []dtype.Type{dtype.F32, dtype.F16, dtype.BF16, dtype.U8}[rng.IntN(4)])
		c.fills = append(c.fills, float64(rng.IntN(2)*rng.IntN(9)))
	}
	for range rng.IntN(3) {
		s := append([]int{}, c.shape...)
		for d := range s {
			if rng.IntN(2) == 0 {
				s[d] = 1
			}
		}
		c.spread = append(c.spread, s)
	}
	c.extra = max(0, rng.IntN(7)-3)
	return c
}

func (c boxCase) kernel(t *testing.T) *tile.Func {
	return build(t, "boxes", func(k *tile.Builder) {
		rank, last := len(c.shape), len(c.offsets)-1
		at := func(i int) (list []tile.Operand) {
			for _, x := range c.offsets[i] {
				list = append(list, x)
			}
			return list
		}
		names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
		var views []*tile.View
		for i := range last {
			views = append(views, k.In(names[i], c.elems[i], rank))
		}
		zero := make([]tile.Operand, rank)
		for d := range zero {
			zero[d] = 0
		}
		var spread []*tile.Value
		for i, s := range c.spread {
			spread = append(spread, k.In(names[last+i], dtype.F32, rank).Block(s...).Load(zero...))
		}
		out := k.Out("out", c.elems[last], rank)
		k.Grid(1)
		sum := k.Zeros(dtype.F32, c.shape...)
		for i, v := range views {
			sum = sum.Add(v.Block(c.shape...).Fill(c.fills[i]).LoadAt(at(i)...).Cast(dtype.F32))
		}
		for _, s := range spread {
			sum = s.FMA(0.5, sum)
		}
		switch c.extra {
		case 1:
			sum = sum.Add(k.Iota(len(c.shape)/2, c.shape...).Cast(dtype.F32))
		case 2:
			sum = sum.Sub(sum.Sum(rank - 1))
		case 3:
			sum = sum.Sub(sum.Sum(0))
		}
		out.Block(c.shape...).StoreAt(sum.Cast(c.elems[last]), at(last)...)
	})
}

// TestBoxes: loops over blocks that reach beyond their views on any side, in memory of any order, write what the ops one after the other do.
func TestBoxes(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	for range 800 {
		c := anyBoxCase(rng)
		k := c.kernel(t)
		var tensors []*tensor
		for i, e := range c.elems {
			var sizes []int
			for _, n := range c.shape {
				sizes = append(sizes, 1+rng.IntN(n+4))
			}
			f := form(rng.IntN(int(numForms)))
			if rng.IntN(2) == 0 || i == len(c.elems)-1 && f == repeated {
				f = padded
			}
			tensors = append(tensors, newTensor(t, rng, e, f, sizes...).fill(func() float64 { return float64(rng.IntN(16)) }))
		}
		outs := len(tensors) - 1
		for _, s := range c.spread {
			tensors = append(tensors, newTensor(t, rng, dtype.F32, dense, s...).fill(func() float64 { return float64(rng.IntN(16)) }))
		}
		order := append(append([]*tensor{}, tensors[:outs]...), tensors[outs+1:]...) // as the kernel's views
		if !t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) { run(t, k, append(order, tensors[outs])) }) {
			for _, x := range tensors {
				t.Log(x.elem, x.layout)
			}
			t.Fatal(k)
		}
	}
}

// TestBoxesOfOneBuffer stores where other blocks are loaded.
func TestBoxesOfOneBuffer(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 9))
	for range 100 {
		shift := []int{rng.IntN(5) - 2, rng.IntN(5) - 2}
		k := build(t, "overlap", func(k *tile.Builder) {
			x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.F32, 2)
			k.Grid(1)
			v := x.Block(8, 16).LoadAt(shift[0], shift[1])
			y.Block(8, 16).Store(v.Add(x.Block(8, 16).LoadAt(1, 0)), 0, 0)
		})
		rows, columns, step := 1+rng.IntN(9), 1+rng.IntN(17), 17+rng.IntN(4)
		a, err := layout.Strided([]int{rows, columns}, []int{step, 1}, 3)
		if err != nil {
			t.Fatal(err)
		}
		b, err := layout.Strided([]int{1 + rng.IntN(9), 1 + rng.IntN(17)}, []int{step, 1}, rng.IntN(2*step))
		if err != nil {
			t.Fatal(err)
		}
		memory := make([]byte, 4*400)
		for i := range 400 {
			dtype.PutFloats(dtype.F32, memory[4*i:], []float64{float64(rng.IntN(100))})
		}
		var got [2][]byte
		for i, native := range []bool{false, true} {
			p := &Program{Kernel: k, Buffers: []int{0, 0}, Options: Options{Native: native}}
			grid, words := launchOf(t, p, []layout.Layout{a, b})
			got[i] = append([]byte{}, memory...)
			if err := p.Run(grid, [][]byte{got[i]}, words); err != nil {
				t.Fatal(err)
			}
		}
		nearly(t, dtype.F32, got[1], got[0], false)
	}
}

// TestStoresInOrder has several stores in one loop to one view, in memory of any order: where they overlap the last one counts.
func TestStoresInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	for range 600 {
		rank := 1 + rng.IntN(3)
		shape, turned, order := make([]int, rank), make([]int, rank), make([]int, rank)
		for d := range shape {
			shape[d] = 1 << rng.IntN(6-rank)
			turned[rank-1-d], order[rank-1-d] = shape[d], d
		}
		elem := []dtype.Type{dtype.I32, dtype.F16, dtype.U8}[rng.IntN(3)]
		var offsets [][]tile.Operand // of a load, and of the stores
		for range 3 + rng.IntN(3) {
			at := make([]tile.Operand, rank)
			for d := range at {
				at[d] = max(0, rng.IntN(9)-6) - rng.IntN(2)*rng.IntN(2)
			}
			offsets = append(offsets, at)
		}
		turns := rng.IntN(3)
		k := build(t, "stores", func(k *tile.Builder) {
			x, out := k.In("x", dtype.F32, rank), k.Out("out", elem, rank)
			k.Grid(1)
			for i, at := range offsets[1:] {
				var v *tile.Value
				switch (turns + i) % 3 {
				case 0:
					v = k.Full(dtype.F32, 7*i+1, shape...)
				case 1:
					v = x.Block(shape...).LoadAt(offsets[0]...)
				default:
					v = x.Block(turned...).LoadAt(offsets[0]...).Permute(order...)
				}
				out.Block(shape...).StoreAt(v.Add(10*i).Cast(elem), at...)
			}
		})
		var tensors []*tensor
		for range 2 {
			sizes := make([]int, rank)
			for d := range sizes {
				sizes[d] = 1 + rng.IntN(shape[d]+4)
			}
			f := form(rng.IntN(int(numForms)))
			if f == repeated {
				f = padded
			}
			tensors = append(tensors, newTensor(t, rng, []dtype.Type{dtype.F32, elem}[len(tensors)], f, sizes...).fill(func() float64 { return float64(rng.IntN(16)) }))
		}
		if !t.Run(fmt.Sprint(shape, elem, offsets, turns), func(t *testing.T) { run(t, k, tensors) }) {
			t.Fatal(tensors[0].layout, tensors[1].layout, k)
		}
	}
}
