package gomlx_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/gomlx/backends"
	_ "github.com/gomlx/gomlx/backends/simplego"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/shapes"

	_ "github.com/weftgpu/weft/gomlx"
)

// twin is an op in the same computation of two backends.
type twin [2]backends.Op

// twins builds the same computation on two backends.
type twins struct {
	t       *testing.T
	rng     *rand.Rand
	b       [2]backends.Builder
	ops     []twin
	inputs  []any
	history []string
}

// open opens a backend for a test.
func open(t testing.TB, config string) backends.Backend {
	t.Helper()
	b, err := backends.NewWithConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Finalize)
	return b
}

// add builds an op on both.
func (w *twins) add(name string, build func(b backends.Builder, side int) (backends.Op, error)) twin {
	w.t.Helper()
	var op twin
	for i, b := range w.b {
		var err error
		if op[i], err = build(b, i); err != nil {
			w.t.Fatalf("%s on backend %d: %v\n%v", name, i, err, w.history)
		}
	}
	w.ops = append(w.ops, op)
	w.history = append(w.history, fmt.Sprintf("%d: %s %s", len(w.ops)-1, name, w.shape(op)))
	return op
}

func (w *twins) shape(op twin) shapes.Shape {
	s, err := w.b[0].OpShape(op[0])
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// any is an op whose shape fits.
func (w *twins) any(fits func(shapes.Shape) bool) (twin, bool) {
	for range 30 {
		if op := w.ops[w.rng.IntN(len(w.ops))]; fits(w.shape(op)) {
			return op, true
		}
	}
	return twin{}, false
}

func float(s shapes.Shape) bool { return s.DType == dtypes.Float32 }

func integer(s shapes.Shape) bool { return s.DType == dtypes.Int32 }

// parameter adds an input of random elements.
func (w *twins) parameter(shape shapes.Shape) {
	name := fmt.Sprintf("p%d", len(w.inputs))
	w.add("parameter", func(b backends.Builder, _ int) (backends.Op, error) { return b.Parameter(name, shape, nil) })
	n := shape.Size()
	if shape.DType == dtypes.Int32 {
		x := make([]int32, n)
		for i := range x {
			x[i] = w.rng.Int32N(9) - 4
		}
		w.inputs = append(w.inputs, x)
		return
	}
	x := make([]float32, n)
	for i := range x {
		x[i] = 2*w.rng.Float32() - 1
	}
	w.inputs = append(w.inputs, x)
}

type unaryOp struct {
	name string
	call func(b backends.Builder, x backends.Op) (backends.Op, error)
}

type binaryOp struct {
	name string
	call func(b backends.Builder, x, y backends.Op) (backends.Op, error)
}

var unaries = []unaryOp{
	{"neg", backends.Builder.Neg}, {"abs", backends.Builder.Abs}, {"tanh", backends.Builder.Tanh}, {"sin", backends.Builder.Sin},
	{"logistic", backends.Builder.Logistic}, {"cos", backends.Builder.Cos}, {"erf", backends.Builder.Erf}, {"identity", backends.Builder.Identity},
}

var binaries = []binaryOp{
	{"add", backends.Builder.Add}, {"sub", backends.Builder.Sub}, {"max", backends.Builder.Max}, {"min", backends.Builder.Min}, {"mul", backends.Builder.Mul},
}

// step adds a random op.
func (w *twins) step() {
	x, ok := w.any(func(s shapes.Shape) bool { return float(s) && s.Rank() > 0 && s.Size() < 4000 })
	if !ok {
		return
	}
	shape := w.shape(x)
	dims := shape.Dimensions
	axis := w.rng.IntN(len(dims))
	switch w.rng.IntN(15) {
	case 14:
		w.outer(x)
	case 0, 1, 2:
		u := unaries[w.rng.IntN(len(unaries))]
		w.add(u.name, func(b backends.Builder, i int) (backends.Op, error) { return u.call(b, x[i]) })
	case 3, 4, 5:
		y, ok := w.any(func(s shapes.Shape) bool { return s.Equal(shape) || float(s) && s.Rank() == 0 })
		if !ok {
			return
		}
		o := binaries[w.rng.IntN(len(binaries))]
		z := w.add(o.name, func(b backends.Builder, i int) (backends.Op, error) { return o.call(b, x[i], y[i]) })
		w.add("tanh", func(b backends.Builder, i int) (backends.Op, error) { return b.Tanh(z[i]) })
	case 6:
		perm := w.rng.Perm(len(dims))
		w.add(fmt.Sprint("transpose ", perm), func(b backends.Builder, i int) (backends.Op, error) { return b.Transpose(x[i], perm...) })
	case 7:
		n := shape.Size()
		split := []int{1, n}
		for _, f := range []int{2, 3, 5} {
			if n%f == 0 {
				split = []int{n / f, f}
			}
		}
		w.add("reshape", func(b backends.Builder, i int) (backends.Op, error) { return b.Reshape(x[i], split...) })
	case 8:
		starts, limits, strides := make([]int, len(dims)), slices.Clone(dims), make([]int, len(dims))
		for d, n := range dims {
			starts[d], strides[d] = w.rng.IntN(n), 1+w.rng.IntN(2)
		}
		w.add("slice", func(b backends.Builder, i int) (backends.Op, error) { return b.Slice(x[i], starts, limits, strides) })
	case 9:
		w.add("reduce", func(b backends.Builder, i int) (backends.Op, error) { return b.ReduceMax(x[i], axis) })
		s := w.add("reduce", func(b backends.Builder, i int) (backends.Op, error) { return b.ReduceSum(x[i], axis) })
		w.add("tanh", func(b backends.Builder, i int) (backends.Op, error) { return b.Tanh(s[i]) })
	case 10:
		w.product(x, axis)
	case 11:
		y, ok := w.any(func(s shapes.Shape) bool { return s.Equal(shape) })
		if ok && len(dims) < 4 {
			w.add("concatenate", func(b backends.Builder, i int) (backends.Op, error) { return b.Concatenate(axis, x[i], y[i], x[i]) })
		}
	case 12:
		w.indices(x)
	case 13:
		if len(dims) < 4 {
			wide := shapes.Make(shape.DType, slices.Insert(slices.Clone(dims), axis, 3)...)
			axes := slices.Delete(seq(len(dims)+1), axis, axis+1)
			w.add("broadcast", func(b backends.Builder, i int) (backends.Op, error) { return b.BroadcastInDim(x[i], wide, axes) })
		}
	}
}

func seq(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// product multiplies by another op that has a dimension of the same size.
func (w *twins) product(x twin, axis int) {
	n := w.shape(x).Dimensions[axis]
	y, ok := w.any(func(s shapes.Shape) bool { return float(s) && slices.Contains(s.Dimensions, n) && s.Rank() < 3 })
	if !ok || w.shape(x).Rank() > 3 {
		return
	}
	other := slices.Index(w.shape(y).Dimensions, n)
	z := w.add("dot", func(b backends.Builder, i int) (backends.Op, error) {
		return b.DotGeneral(x[i], []int{axis}, nil, y[i], []int{other}, nil)
	})
	w.add("tanh", func(b backends.Builder, i int) (backends.Op, error) { return b.Tanh(z[i]) })
}

// outer adds up products of all elements of x with those of another op, over some dimensions.
func (w *twins) outer(x twin) {
	dims := w.shape(x).Dimensions
	y, ok := w.any(func(s shapes.Shape) bool { return float(s) && s.Rank() == len(dims) && s.Dimensions[0] == dims[0] })
	if !ok || len(dims) > 2 || w.shape(x).Size()*w.shape(y).Size() > 20000 {
		return
	}
	// [a, b, 1] times [a, 1, c], or the other way round
	wide := func(b backends.Builder, op backends.Op, shape shapes.Shape, at int) backends.Op {
		out, err := b.Reshape(op, slices.Insert(slices.Clone(shape.Dimensions), at, 1)...)
		check(w.t, err)
		return out
	}
	first, axis := w.rng.IntN(2), w.rng.IntN(len(dims)+1)
	places := []int{len(dims), min(1, len(dims))}
	z := w.add("outer", func(b backends.Builder, i int) (backends.Op, error) {
		p, err := b.Mul(wide(b, x[i], w.shape(x), places[first]), wide(b, y[i], w.shape(y), places[1-first]))
		if err != nil {
			return nil, err
		}
		return b.ReduceSum(p, axis)
	})
	w.add("tanh", func(b backends.Builder, i int) (backends.Op, error) { return b.Tanh(z[i]) })
}

// indices gathers rows of x and adds them back to it, and chooses by a comparison of integers.
func (w *twins) indices(x twin) {
	at, ok := w.any(func(s shapes.Shape) bool { return integer(s) && s.Rank() == 1 && s.Size() == 6 })
	dims := w.shape(x).Dimensions
	if !ok || len(dims) > 3 {
		return
	}
	// Places outside of x are undefined in a Scatter.
	lo := w.add("lo", func(b backends.Builder, _ int) (backends.Op, error) { return b.Constant([]int32{0}) })
	hi := w.add("hi", func(b backends.Builder, _ int) (backends.Op, error) { return b.Constant([]int32{int32(dims[0] - 1)}) })
	inside := w.add("clamp", func(b backends.Builder, i int) (backends.Op, error) { return b.Clamp(lo[i], at[i], hi[i]) })
	sizes := slices.Concat([]int{1}, dims[1:])
	column := func(b backends.Builder, x backends.Op) backends.Op {
		y, err := b.Reshape(x, 6, 1)
		check(w.t, err)
		return y
	}
	offset := seq(len(dims))[1:]
	rows := w.add("gather", func(b backends.Builder, i int) (backends.Op, error) {
		return b.Gather(x[i], column(b, at[i]), 1, offset, []int{0}, []int{0}, sizes, false)
	})
	sum := w.add("scatter", func(b backends.Builder, i int) (backends.Op, error) {
		return b.ScatterSum(x[i], column(b, inside[i]), rows[i], 1, offset, []int{0}, []int{0}, false, false)
	})
	w.add("scatter", func(b backends.Builder, i int) (backends.Op, error) {
		return b.ScatterMax(x[i], column(b, inside[i]), rows[i], 1, offset, []int{0}, []int{0}, false, false)
	})
	w.add("tanh", func(b backends.Builder, i int) (backends.Op, error) { return b.Tanh(sum[i]) })
	less := w.add("less", func(b backends.Builder, i int) (backends.Op, error) { return b.LessThan(at[i], inside[i]) })
	f := w.add("convert", func(b backends.Builder, i int) (backends.Op, error) {
		return b.ConvertDType(at[i], dtypes.Float32)
	})
	w.add("where", func(b backends.Builder, i int) (backends.Op, error) {
		y, err := b.Neg(f[i])
		if err != nil {
			return nil, err
		}
		return b.Where(less[i], f[i], y)
	})
}

// run compiles and runs both, with a random choice of results.
func (w *twins) run(back [2]backends.Backend) {
	var picked []int
	for i := range w.ops {
		if s := w.shape(w.ops[i]); (float(s) || integer(s)) && w.rng.IntN(6) == 0 || i == len(w.ops)-1 {
			picked = append(picked, i)
		}
	}
	var results [2][][]float64
	for side, b := range w.b {
		var out []backends.Op
		for _, i := range picked {
			out = append(out, w.ops[i][side])
		}
		e, err := b.Compile(out, nil)
		if err != nil {
			w.t.Fatal(err, w.history)
		}
		_, in := e.Inputs()
		for range 2 { // memory of the first time is used again
			results[side] = w.execute(back[side], e, in)
		}
		e.Finalize()
	}
	for k, i := range picked {
		for j, want := range results[0][k] {
			got := results[1][k][j]
			if math.Abs(got-want) > 2e-4*(1+math.Abs(want)) {
				w.t.Fatalf("op %d, element %d: %v, want %v\n%v", i, j, got, want, w.history)
			}
		}
	}
}

func (w *twins) execute(back backends.Backend, e backends.Executable, in []shapes.Shape) (list [][]float64) {
	var buffers []backends.Buffer
	donate := make([]bool, len(in))
	for k, s := range in {
		buf, err := back.BufferFromFlatData(0, w.inputs[k], s)
		if err != nil {
			w.t.Fatal(err)
		}
		buffers, donate[k] = append(buffers, buf), w.rng.IntN(2) == 0
	}
	out, err := e.Execute(buffers, donate, 0)
	if err != nil {
		w.t.Fatal(err, w.history)
	}
	for k, s := range e.Outputs() {
		list = append(list, flat(w.t, back, out[k], s))
		if err := back.BufferFinalize(out[k]); err != nil {
			w.t.Fatal(err)
		}
	}
	return list
}

// flat reads a buffer.
func flat(t *testing.T, b backends.Backend, buf backends.Buffer, s shapes.Shape) []float64 {
	list := make([]float64, s.Size())
	switch s.DType {
	case dtypes.Bool:
		x := make([]bool, s.Size())
		check(t, b.BufferToFlatData(buf, x))
		for i := range x {
			if x[i] {
				list[i] = 1
			}
		}
	case dtypes.Int32:
		x := make([]int32, s.Size())
		check(t, b.BufferToFlatData(buf, x))
		for i := range x {
			list[i] = float64(x[i])
		}
	default:
		x := make([]float32, s.Size())
		check(t, b.BufferToFlatData(buf, x))
		for i := range x {
			list[i] = float64(x[i])
		}
	}
	return list
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Random computations give what the backend in pure Go gives, with results that are views and inputs, and with donated inputs.
func TestRandomComputations(t *testing.T) {
	back := [2]backends.Backend{open(t, "go"), open(t, device())}
	seeds := uint64(100)
	if device() != "weft:cpu" {
		seeds = 6 // each has kernels of its own to compile
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := &twins{t: t, rng: rand.New(rand.NewPCG(seed, 7)), b: [2]backends.Builder{back[0].Builder("random"), back[1].Builder("random")}}
			n := func() int { return 1 + w.rng.IntN(7) }
			w.parameter(shapes.Make(dtypes.Float32, n(), n()))
			w.parameter(shapes.Make(dtypes.Float32, n(), n(), n()))
			w.parameter(shapes.Make(dtypes.Float32, 5))
			w.parameter(shapes.Make(dtypes.Float32))
			w.parameter(shapes.Make(dtypes.Int32, 6))
			for range 25 {
				w.step()
			}
			w.run(back)
		})
	}
}
