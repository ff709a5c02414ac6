package suite

import (
	"math"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

// add is the sum of two vectors.
func add(elem weft.DType, n int) Work {
	x := normal(elem, n)
	return Work{
		Name: name("add", elem, size(n)), Op: "add",
		Inputs: []Operand{x, x}, Output: x,
		Run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.AddInto(out, in[0], in[1]) },
		Want: func(in []Values, i int) (want, bound float64) {
			want = in[0](i) + in[1](i)
			return want, bounds.Add(elem, want)
		},
	}
}

// addRow adds one row to each of a matrix.
func addRow(elem weft.DType, rows, cols int) Work {
	w := add(elem, rows*cols)
	x := normal(elem, rows, cols)
	w.Name, w.Inputs, w.Output = name("add", elem, size(rows, cols), " row"), []Operand{x, normal(elem, cols)}, x
	w.Want = func(in []Values, i int) (want, bound float64) {
		want = in[0](i) + in[1](i%cols)
		return want, bounds.Add(elem, want)
	}
	return w
}

// gated is what stands between the layers of a Llama's MLP.
func gated(elem weft.DType, rows, cols int) Work {
	x := normal(elem, rows, cols)
	return Work{
		Name: name("swiglu", elem, size(rows, cols)), Op: "swiglu",
		Inputs: []Operand{x, x}, Output: x,
		Run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.SwiGLUInto(out, in[0], in[1]) },
		Want: func(in []Values, i int) (want, bound float64) {
			x, up := in[0](i), in[1](i)
			silu := x / (1 + math.Exp(-x))
			err := bounds.Activation(elem, x, 0, silu)
			return silu * up, 2*err*math.Abs(up) + bounds.Add(elem, silu*up)
		},
	}
}

// elementwise is the work of each function in the table of package ops, on vectors of floats or, where it
// takes none, of integers.
func elementwise(n int) (list []Work) {
	for _, o := range ops.Elementwise() {
		list = append(list, function(o, weft.F32, n))
	}
	return list
}

// function is the work of one of those functions. It falls back to I32 without the element type, and for
// comparisons, of which random floats are never equal.
func function(o *ops.ElementwiseOp, elem weft.DType, n int) Work {
	if !o.Types(elem) || o.Out == weft.Bool && o.Types(weft.I32) {
		elem = weft.I32
	}
	draw := uniform(1, 16, elem, n) // of integers: shifts and divisors
	if elem.IsFloat() {
		hi := o.Within
		if hi == 0 {
			hi = 4
		}
		draw = uniform(-hi, hi, elem, n)
		if o.Above != 0 {
			draw.Draw.Lo = o.Above
		}
	}
	w := Work{Name: name(o.Name, elem, size(n)), Op: o.Name, Output: normal(elem, n)}
	for range o.Inputs {
		w.Inputs = append(w.Inputs, draw)
	}
	if o.Cond {
		w.Inputs[0] = uniform(0, 2, weft.Bool, n)
	}
	if o.Out.Valid() {
		w.Output.Elem = o.Out
	}
	w.Run = func(out *weft.Tensor, in []*weft.Tensor) error {
		operands := make([]weft.TensorOrNumber, len(in))
		for i, t := range in {
			operands[i] = t
		}
		return o.Map.Into(out, operands...)
	}
	w.Want = func(in []Values, i int) (want, bound float64) {
		x := make([]float64, len(in))
		for j, v := range in {
			x[j] = v(i)
		}
		want = o.Want(elem, x)
		return want, o.Bound(elem, x, want)
	}
	return w
}

// functions are the works of functions by name.
func functions(n int, elem weft.DType, names string) (list []Work) {
	for _, o := range ops.Elementwise() {
		for f := range strings.FieldsSeq(names) {
			if o.Name == f {
				list = append(list, function(o, elem, n))
			}
		}
	}
	return list
}
