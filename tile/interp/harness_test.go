package interp

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// tensor is a view's memory in a test: values in row-major order of the layout,
// within a buffer of poison.
type tensor struct {
	elem   dtype.Type
	layout layout.Layout
	data   []byte
}

const poison = 0xa5

// form is how a test's tensor lies in memory.
type form int

const (
	dense      form = iota
	padded          // rows and buffer are longer than the view
	transposed      // the first dimension varies fastest
	spread          // no stride is 1, some are negative
	repeated        // the first dimension has stride 0; for inputs
	numForms
)

// newTensor makes a tensor of poison.
func newTensor(t testing.TB, rng *rand.Rand, elem dtype.Type, f form, shape ...int) *tensor {
	t.Helper()
	strides := make([]int, len(shape))
	step, offset := 1, 0
	if f != dense {
		offset = rng.IntN(9)
	}
	order := make([]int, len(shape)) // dimensions, the fastest first
	for d := range shape {
		order[d] = len(shape) - 1 - d
		if f == transposed {
			order[d] = d
		}
	}
	if f == spread {
		step = 2 + rng.IntN(2)
	}
	for i, d := range order {
		strides[d] = step
		step *= shape[d]
		if f == padded || f == spread {
			step += rng.IntN(4) + i
		}
		if f == spread && rng.IntN(2) == 0 {
			offset += (shape[d] - 1) * strides[d]
			strides[d] = -strides[d]
		}
		if f == repeated && d == 0 {
			strides[d] = 0
		}
	}
	l, err := layout.Strided(shape, strides, max(0, offset))
	if err != nil {
		t.Fatal(err)
	}
	_, hi := l.Bounds()
	x := &tensor{elem, l, bytes.Repeat([]byte{poison}, (max(0, hi)+1+rng.IntN(5))*elem.Size())}
	return x
}

// fill sets every element; elements that share memory get the last value.
func (x *tensor) fill(value func() float64) *tensor {
	for at := range x.layout.Offsets() {
		dtype.PutFloats(x.elem, x.data[at*x.elem.Size():], []float64{value()})
	}
	return x
}

// get is the element at a coordinate, and edge if that is outside the view.
func (x *tensor) get(edge float64, coord ...int) float64 {
	for d, c := range coord {
		if c < 0 || c >= x.layout.Size(d) {
			return edge
		}
	}
	var out [1]float64
	dtype.Floats(x.elem, out[:], x.data[x.layout.At(coord...)*x.elem.Size():])
	return out[0]
}

// run executes a kernel on one tensor per view, and again with machine code on copies, which must give nearly the same.
func run(t testing.TB, k *tile.Func, tensors []*tensor, scalars ...uint32) {
	t.Helper()
	p := &Program{Kernel: k}
	var buffers, copies [][]byte
	var layouts []layout.Layout
	for i, x := range tensors {
		p.Buffers = append(p.Buffers, i)
		buffers, copies = append(buffers, x.data), append(copies, bytes.Clone(x.data))
		layouts = append(layouts, x.layout)
	}
	grid, words := launchOf(t, p, layouts, scalars...)
	if err := p.Run(grid, buffers, words); err != nil {
		t.Fatalf("%v\n%v", err, k)
	}
	fast := &Program{Kernel: k, Buffers: p.Buffers, Options: Options{Native: true}}
	if err := fast.Run(grid, copies, words); err != nil {
		t.Fatalf("%v\n%v", err, k)
	}
	for i, x := range tensors {
		nearly(t, x.elem, copies[i], x.data, strings.Contains(k.String(), "= min ") || strings.Contains(k.String(), "= max "))
	}
}

// nearly compares what machine code left in memory with what Go did. Floats may differ by what package tile allows for functions and the order of sums; where
// either says so, a number may stand for a NaN, as of min and max.
func nearly(t testing.TB, elem dtype.Type, got, want []byte, either bool) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	size := elem.Size()
	n := len(want) / size
	x, y := make([]float64, n), make([]float64, n)
	dtype.Floats(elem, x, got)
	dtype.Floats(elem, y, want)
	for i := range n {
		near := math.Abs(x[i]-y[i]) <= 4*elem.Epsilon()*math.Abs(y[i])+0x1p-18 || (x[i] != x[i] || either) && y[i] != y[i]
		if g, w := got[i*size:][:size], want[i*size:][:size]; !bytes.Equal(g, w) && !(elem.IsFloat() && near) {
			t.Fatalf("machine code: element %d of %v in memory is %v (% x), want %v (% x)", i, elem, x[i], g, y[i], w)
		}
	}
}

func build(t testing.TB, name string, describe func(k *tile.Builder)) *tile.Func {
	t.Helper()
	k, err := tile.Build(name, describe)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// coords yields all coordinates of a shape in row-major order.
func coords(shape []int) func(yield func(c []int) bool) {
	return func(yield func(c []int) bool) {
		n := tile.Type{Shape: shape}.Len()
		for i := range n {
			c := make([]int, len(shape))
			for d, rest := len(shape)-1, i; d >= 0; d-- {
				c[d], rest = rest%shape[d], rest/shape[d]
			}
			if !yield(c) {
				return
			}
		}
	}
}

// verify checks every element of an output against want, and that no other byte was written.
func (x *tensor) verify(t *testing.T, what string, want func(c []int) (value, bound float64)) {
	t.Helper()
	size := x.elem.Size()
	for c := range coords(x.layout.Shape()) {
		got := x.get(0, c...)
		w, bound := want(c)
		same := got == w && math.Signbit(got) == math.Signbit(w) || got != got && w != w
		if !same && !(bound > 0 && math.Abs(got-w) <= bound) {
			t.Fatalf("%s: element %v is %v, want %v ± %v", what, c, got, w, bound)
		}
	}
	rest := bytes.Clone(x.data)
	for at := range x.layout.Offsets() {
		copy(rest[at*size:(at+1)*size], bytes.Repeat([]byte{poison}, size))
	}
	for i, b := range rest {
		if b != poison {
			t.Fatalf("%s: byte %d outside of %v was written", what, i, x.layout)
		}
	}
}

// sample returns random values of an element type with its special ones among them.
func sample(rng *rand.Rand, e dtype.Type) func() float64 {
	special := map[dtype.Type][]float64{
		dtype.Bool: {0, 1},
		dtype.I8:   {0, 1, -1, 127, -128, 7, 31, 32, 33},
		dtype.U8:   {0, 1, 255, 128, 7, 31, 32, 33},
		dtype.I16:  {0, 1, -1, 32767, -32768, 7, 31, 32, 33},
		dtype.U16:  {0, 1, 65535, 32768, 7, 31, 32, 33},
		dtype.I32:  {0, 1, -1, math.MaxInt32, math.MinInt32, 31, 32, 33, -33},
		dtype.U32:  {0, 1, math.MaxUint32, 1 << 31, 31, 32, 33},
		dtype.I64:  {0, 1, -1, 1 << 40, -1 << 40, 31, 32, 33, -33},
		dtype.U64:  {0, 1, 1 << 40, 1<<32 - 1, 31, 32, 33},
		dtype.F32:  {0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 1e-45, 1e-39, 3e38, 1 << 31, 300, -300, 2.5},
		dtype.F64:  {0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, 1e-310, 1e308, 1 << 63, -1 << 63, 1e19, 300, -300, 2.5, 1 + 0x1p-52, 65519.999999999, 65520},
		dtype.F16:  {0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 0x1p-24, 0x1p-15, 65504, 300, -300, 2.5},
		dtype.BF16: {0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 0x1p-133, 0x1p-127, 0x1p127, 300, -300, 2.5},
	}[e]
	return func() float64 {
		if rng.IntN(3) == 0 {
			return special[rng.IntN(len(special))]
		}
		switch e {
		case dtype.Bool:
			return float64(rng.IntN(2))
		case dtype.I8:
			return float64(int8(rng.Uint32()))
		case dtype.U8:
			return float64(uint8(rng.Uint32()))
		case dtype.I16:
			return float64(int16(rng.Uint32()) >> rng.IntN(15))
		case dtype.U16:
			return float64(uint16(rng.Uint32()) >> rng.IntN(15))
		case dtype.I32:
			return float64(int32(rng.Uint32()) >> rng.IntN(31))
		case dtype.U32:
			return float64(rng.Uint32() >> rng.IntN(31))
		case dtype.I64: // exact as float64; for all bits see TestLong
			return float64(int64(rng.Uint64()) >> (24 + rng.IntN(39)))
		case dtype.U64:
			return float64(rng.Uint64() >> (24 + rng.IntN(39)))
		}
		return rounded(e, rng.NormFloat64()*math.Exp2(float64(rng.IntN(8)-2)))
	}
}

// tame returns random values without special ones.
func tame(rng *rand.Rand, e dtype.Type) func() float64 {
	if !e.IsFloat() {
		return sample(rng, e)
	}
	return func() float64 { return rounded(e, rng.NormFloat64()) }
}
