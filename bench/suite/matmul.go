package suite

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tile"
)

// product describes the work of matrix products, [m,k] by [k,n].
type product struct {
	op        string     // matmul if empty; linear takes weights [n,k]
	note      string     // after the sizes in the name
	elem      weft.DType // of the operands
	batch     int        // how many products; 0 is one without a batch dimension
	m, n, k   int
	columns   bool // b is stored as its transpose
	aColumns  bool // a is
	bias      bool // of a linear layer
	gelu      bool // fused after it
	gate      bool // the layer is the gate of one more input, by SwiGLU
	precision tile.Precision
	tiles     ops.MatMulConfig
}

// unit names the arithmetic, which limits the rate.
func (p product) unit() string {
	if p.elem == weft.F32 && p.precision != tile.IEEE {
		return p.precision.String()
	}
	return p.elem.String()
}

func (p product) work() Work {
	if p.op == "" {
		p.op = "matmul"
	}
	lead := []int(nil)
	if p.batch > 0 {
		lead = []int{p.batch}
	}
	shape := func(sizes ...int) []int { return append(lead[:len(lead):len(lead)], sizes...) }
	draw, result := normal, p.elem
	if p.elem == weft.I8 {
		draw = func(elem weft.DType, shape ...int) Operand { return uniform(-128, 128, elem, shape...) }
		result = weft.I32
	}
	label := fmt.Sprintf("%s %s %s", p.op, p.unit(), size(shape(p.m, p.n, p.k)...))
	switch {
	case p.aColumns && p.columns:
		label += " tt"
	case p.aColumns:
		label += " tn"
	case p.columns && p.note == "":
		label += " nt"
	}
	if p.note != "" {
		label += " " + p.note
	}
	w := Work{
		Name: label, Op: p.op, Unit: p.unit(),
		Inputs: []Operand{draw(p.elem, shape(p.m, p.k)...), draw(p.elem, shape(p.k, p.n)...)}, Output: normal(result, shape(p.m, p.n)...),
		Flop:   2 * float64(max(p.batch, 1)) * float64(p.m) * float64(p.n) * float64(p.k),
		Params: map[string]any{"columns": p.columns, "a_columns": p.aColumns, "gelu": p.gelu, "gate": p.gate, "tf32": p.precision == tile.TF32},
		Terms:  p.k, Run: p.run, Want: p.element,
	}
	if p.transposed() {
		w.Inputs[1].Shape = shape(p.n, p.k)
	}
	if p.aColumns {
		w.Inputs[0].Shape = shape(p.k, p.m)
	}
	if p.bias {
		w.Inputs = append(w.Inputs, normal(p.elem, p.n))
	}
	if p.gate {
		w.Inputs = append(w.Inputs, normal(p.elem, p.m, p.n))
	}
	return w
}

// swiGLULayer is the first half of the MLP of a Llama: two products of the same rows, the second of which the first is the gate of.
func swiGLULayer(elem weft.DType, m, n, k int) Work {
	w := listed("linear_swiglu", elem, size(m, n, k), nil)
	w.Name, w.Unit, w.Terms = name("linear_swiglu", elem, size(m, n, k)), elem.String(), 2*k
	w.Flop = 4 * float64(m) * float64(n) * float64(k)
	w.Want = func(in []Values, i int) (want, bound float64) {
		var sums, magnitudes [2]float64
		for q := range k {
			for j := range sums {
				x := in[0](i/n*k+q) * in[1+j](i%n*k+q)
				sums[j] += x
				magnitudes[j] += math.Abs(x)
			}
		}
		return sums[0] / (1 + math.Exp(-sums[0])) * sums[1], bounds.LinearSwiGLU(elem, k, sums[0], magnitudes[0], sums[1], magnitudes[1])
	}
	return w
}

// transposed says that b is stored [n,k].
func (p product) transposed() bool { return p.columns || p.op == "linear" }

func (p product) run(out *weft.Tensor, in []*weft.Tensor) error {
	if p.op == "linear" {
		var options []ops.MatMulOption
		if p.gelu {
			options = append(options, ops.Fuse(ops.GELUMap))
		}
		if p.gate {
			options = append(options, ops.Fuse(ops.SwiGLUMap, in[2]))
		}
		if p.bias {
			return ops.LinearInto(out, in[0], in[1], in[2], options...)
		}
		return ops.LinearInto(out, in[0], in[1], nil, options...)
	}
	a, b := in[0], in[1]
	if p.columns {
		b = b.T()
		defer b.Close()
	}
	if p.aColumns {
		a = a.T()
		defer a.Close()
	}
	options := []ops.MatMulOption{ops.Precision(p.precision)}
	if p.tiles != (ops.MatMulConfig{}) {
		options = append(options, ops.Tiles(p.tiles))
	}
	return ops.MatMulInto(out, a, b, options...)
}

// element is what element i of the result should be, and within what.
func (p product) element(in []Values, i int) (want, bound float64) {
	matrix, row, column := i/(p.m*p.n), i/p.n%p.m, i%p.n
	b, step := matrix*p.k*p.n+column, p.n
	if p.transposed() {
		b, step = (matrix*p.n+column)*p.k, 1
	}
	a, along := (matrix*p.m+row)*p.k, 1
	if p.aColumns {
		a, along = matrix*p.m*p.k+row, p.m
	}
	sum, magnitudes := 0.0, 0.0
	for q := range p.k {
		x := in[0](a+q*along) * in[1](b+q*step)
		sum += x
		magnitudes += math.Abs(x)
	}
	terms := p.k
	if p.bias {
		sum += in[2](column)
		magnitudes += math.Abs(in[2](column))
		terms++
	}
	switch {
	case p.elem == weft.I8:
		return sum, 0
	case p.gate:
		up, silu := in[2](i), sum/(1+math.Exp(-sum))
		err := bounds.Activation(p.elem, sum, bounds.MatMulSum(p.precision, terms, magnitudes), silu)
		return silu * up, err*math.Abs(up) + bounds.Add(p.elem, silu*up)
	case p.gelu:
		want = sum / 2 * (1 + math.Erf(sum/math.Sqrt2))
		return want, bounds.Activation(p.elem, sum, bounds.MatMulSum(p.precision, terms, magnitudes), want)
	}
	return sum, bounds.MatMul(p.elem, p.precision, terms, sum, magnitudes)
}
