package catalog

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	weftops "github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

// Scan is a cumulative op with what it should give.
type Scan struct {
	kernels.ReduceOp
	Name, Function string
	about          string
	Into           func(out, x *weft.Tensor, dim int, options ...weftops.ScanOption) error
	nothing        float64 // of floats
	step           func(a, b float64) float64
}

// Scans lists them.
var Scans = []Scan{
	{kernels.ReduceSum, "cumsum", "Cumsum", "sums", weftops.CumsumInto, 0, func(a, b float64) float64 { return a + b }},
	{kernels.ReduceProd, "cumprod", "Cumprod", "products", weftops.CumprodInto, 1, func(a, b float64) float64 { return a * b }},
	{kernels.ReduceMax, "cummax", "Cummax", "largest elements", weftops.CummaxInto, math.Inf(-1), func(a, b float64) float64 { return -lesser(-a, -b) }},
	{kernels.ReduceMin, "cummin", "Cummin", "smallest elements", weftops.CumminInto, math.Inf(1), lesser},
}

// lesser is the smaller one, and NaN if one of them is.
func lesser(a, b float64) float64 {
	if a != a || b != b {
		return math.NaN()
	}
	return min(a, b)
}

// Exact is what a row of x of an element type becomes, before integers wrap, with a bound on each element's error.
func (s Scan) Exact(elem weft.DType, x []float64, exclusive, reverse bool) (want, bound []float64) {
	result := s.Result(elem)
	want, bound = make([]float64, len(x)), make([]float64, len(x))
	total, magnitudes := s.nothingOf(elem), 0.0
	for n := range x {
		i := n
		if reverse {
			i = len(x) - 1 - n
		}
		if exclusive {
			want[i], bound[i] = total, s.bound(result, n, total, magnitudes)
		}
		total, magnitudes = s.step(total, x[i]), magnitudes+math.Abs(x[i])
		if !exclusive {
			want[i], bound[i] = total, s.bound(result, n+1, total, magnitudes)
		}
	}
	return want, bound
}

// nothingOf is the result of no elements.
func (s Scan) nothingOf(elem weft.DType) float64 {
	bits := 8 * elem.Size()
	switch {
	case elem.IsFloat() || !math.IsInf(s.nothing, 0):
		return s.nothing
	case elem.IsSigned() && s.nothing < 0:
		return -math.Ldexp(1, bits-1)
	case elem.IsSigned():
		return math.Ldexp(1, bits-1) - 1
	case s.nothing < 0:
		return 0
	}
	return math.Ldexp(1, bits) - 1
}

// bound is that of the same reduction of the n elements so far.
func (s Scan) bound(elem weft.DType, n int, total, magnitudes float64) float64 {
	switch s.ReduceOp {
	case kernels.ReduceSum:
		return bounds.Sum(elem, n, total, magnitudes)
	case kernels.ReduceProd:
		return bounds.Prod(elem, n, total)
	}
	return 0
}

func scanOp(s Scan) *Op {
	return &Op{Name: s.Name, Function: s.Function, About: "cumulative " + s.about + " along the last dimension or another", Shape: "any shape",
		Example: "8192x4096", Kind: Rows, Takes: []string{"axis"}, check: checkAxis(s.Name),
		problem: func(o Options, _, sizes []int) Problem {
			axis, _, _ := o.axis(s.Name, len(sizes)) // checked before
			out := o.operand("out", sizes...)
			out.Elem = s.Result(out.Elem)
			return Problem{
				In: []Operand{o.operand("x", sizes...)}, Out: []Operand{out},
				Run: func(out, in []*weft.Tensor) error { return s.Into(out[0], in[0], axis) },
			}
		}}
}
