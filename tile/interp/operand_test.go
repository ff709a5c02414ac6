package interp

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// loadOperand describes a tile of a shape [rows,columns] that is loaded from a view in some way, and returns the shape of the view.
func loadOperand(k *tile.Builder, rng *rand.Rand, name string, elem dtype.Type, rows, columns int) (v *tile.Value, size []int) {
	block, finish := []int{rows, columns}, func(v *tile.Value) *tile.Value { return v }
	switch rng.IntN(5) {
	case 0: // the transpose
		block, finish = []int{columns, rows}, func(v *tile.Value) *tile.Value { return v.Permute(1, 0) }
	case 1: // rows of two dimensions
		block, finish = []int{rows / 4, 4, columns}, func(v *tile.Value) *tile.Value { return v.Reshape(rows, columns) }
	case 2: // columns of two dimensions, before the rows
		block, finish = []int{2, 1, columns / 2, rows}, func(v *tile.Value) *tile.Value { return v.Permute(3, 1, 0, 2).Reshape(rows, columns) }
	case 3: // columns whose dimensions are apart
		block, finish = []int{columns / 2, rows, 2}, func(v *tile.Value) *tile.Value { return v.Permute(1, 0, 2).Reshape(rows, columns) }
	}
	at := make([]tile.Operand, len(block))
	size = make([]int, len(block))
	for d, n := range block {
		at[d] = rng.IntN(3*n) - n
		size[d] = n + rng.IntN(n+2)
		if rng.IntN(2) == 0 {
			at[d], size[d] = 0, n
		}
	}
	v = finish(k.In(name, elem, len(block)).Block(block...).LoadAt(at...))
	if rng.IntN(2) == 0 && elem.IsFloat() {
		v = v.Cast(dtype.F32)
	} else if rng.IntN(3) == 0 {
		v = v.Mul(v)
	} else if rng.IntN(4) == 0 && elem.IsFloat() {
		v = v.Cast(dtype.F64).Add(1).Cast(dtype.F32)
	}
	return v, size
}

// Products of operands that are loaded in all ways, from partly outside of views with any strides too, are those of tiles.
func TestOperandsInPlace(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 1))
	inPlace := 0
	small := func() float64 { return float64(rng.IntN(7) - 3) } // all sums are exact
	for range 400 {
		elem := []dtype.Type{dtype.F32, dtype.F16, dtype.BF16, dtype.I8, dtype.U8}[rng.IntN(5)]
		m, n, kk := 4<<rng.IntN(4), 4<<rng.IntN(5), 4<<rng.IntN(5)
		sum := dtype.I32
		if elem.IsFloat() {
			sum = dtype.F32
		}
		var a, b []int
		k := build(t, "operands", func(k *tile.Builder) {
			out := k.InOut("out", sum, 2)
			for i := range k.Range(2) { // the second one reads what the first one stores
				var x, y *tile.Value
				x, a = loadOperand(k, rng, "a", elem, m, kk)
				y, b = loadOperand(k, rng, "b", elem, kk, n)
				if x.Type().Elem != y.Type().Elem {
					x, y = x.Cast(dtype.F32), y.Cast(dtype.F32)
				}
				precision := tile.IEEE
				if x.Type().Elem.Size() == 2 {
					precision = tile.Float32Accumulate
				}
				out.Block(m, n).Store(tile.Dot(x, y, out.Block(m, n).Load(0, 0).Mul(i.Cast(sum)), precision), 0, 0)
			}
		})
		form := func() form { return form(rng.IntN(int(numForms))) }
		x, y := newTensor(t, rng, elem, form(), a...).fill(small), newTensor(t, rng, elem, form(), b...).fill(small)
		out := newTensor(t, rng, sum, padded, m, n-1).fill(small)
		run(t, k, []*tensor{out, x, y})
		p := &Program{Kernel: k, Buffers: []int{0, 1, 2}, Options: Options{Native: true}}
		notes := strings.Join(p.Notes(), "\n")
		if strings.Contains(notes, "in place") {
			inPlace++
		}
	}
	if Instructions() != "Go" && inPlace < 100 {
		t.Errorf("%d of 400 products read an operand in place", inPlace)
	}
}

// Reshapes of numbered dimensions.
func TestReshaped(t *testing.T) {
	for _, c := range []struct {
		dims, from, to, want []int
	}{
		{[]int{0}, []int{6, 5}, []int{2, 3, 5}, []int{0, 1}},
		{[]int{1}, []int{6, 5}, []int{2, 3, 5}, []int{2}},
		{[]int{0, 1}, []int{2, 3, 5}, []int{6, 5}, []int{0}},
		{[]int{1, 0}, []int{2, 3, 5}, []int{6, 5}, nil},
		{[]int{0}, []int{2, 3, 5}, []int{6, 5}, nil},
		{[]int{1, 2}, []int{2, 3, 5}, []int{2, 15}, []int{1}},
		{[]int{0}, []int{4, 1, 6}, []int{1, 4, 1, 3, 2}, []int{1}},
		{[]int{2}, []int{4, 1, 6}, []int{1, 4, 1, 3, 2}, []int{3, 4}},
		{[]int{0}, []int{4, 6}, []int{8, 3}, nil},
		{[]int{0, 1}, []int{4, 6}, []int{8, 3}, []int{0, 1}},
	} {
		got, ok := reshaped(c.dims, c.from, c.to)
		if ok != (c.want != nil) || ok && !slices.Equal(got, c.want) {
			t.Errorf("dimensions %v of %v in %v: %v, %v, want %v", c.dims, c.from, c.to, got, ok, c.want)
		}
	}
}
