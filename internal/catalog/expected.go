package catalog

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/reference"
	weftops "github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

// Reduction is a reduction of package ops with what it should give. Its name is that of the kernel's op.
type Reduction struct {
	kernels.ReduceOp
	Function, about string
	Into            func(out, x *weft.Tensor, options ...weftops.ReduceOption) error
	Exact           func(group []float64) float64                          // of elements that are reduced together
	bound           func(elem weft.DType, group []float64) (bound float64) // nil for exact results
}

// AllReductions lists them.
var AllReductions = []Reduction{
	{kernels.ReduceSum, "Sum", "sum", weftops.SumInto, floats.Sum, func(elem weft.DType, g []float64) float64 {
		return bounds.Sum(elem, len(g), floats.Sum(g), reference.Magnitude(g))
	}},
	{kernels.ReduceMean, "Mean", "mean", weftops.MeanInto, mean, func(elem weft.DType, g []float64) float64 {
		return bounds.Mean(elem, len(g), mean(g), reference.Magnitude(g)/float64(len(g)))
	}},
	{kernels.ReduceProd, "Prod", "product", weftops.ProdInto, floats.Prod, func(elem weft.DType, g []float64) float64 {
		return bounds.Prod(elem, len(g), floats.Prod(g))
	}},
	{kernels.ReduceMax, "Max", "largest element", weftops.MaxInto, slices.Max[[]float64], nil},
	{kernels.ReduceMin, "Min", "smallest element", weftops.MinInto, slices.Min[[]float64], nil},
	{kernels.ReduceArgMax, "ArgMax", "index of the largest element", weftops.ArgMaxInto, reference.ArgMax, nil},
	{kernels.ReduceArgMin, "ArgMin", "index of the smallest element", weftops.ArgMinInto, reference.ArgMin, nil},
	{kernels.ReduceVar, "Var", "variance", weftops.VarInto, variance, func(elem weft.DType, g []float64) float64 {
		return bounds.Var(elem, len(g), variance(g), mean(g))
	}},
	{kernels.ReduceAll, "All", "whether all are true", weftops.AllInto, func(g []float64) float64 { return truth(!slices.Contains(g, 0)) }, nil},
	{kernels.ReduceAny, "Any", "whether one is true", weftops.AnyInto, func(g []float64) float64 {
		return truth(slices.ContainsFunc(g, func(x float64) bool { return x != 0 }))
	}, nil},
	{kernels.ReduceAnd, "ReduceAnd", "conjunction", weftops.ReduceAndInto, foldInts(-1, func(a, b int64) int64 { return a & b }), nil},
	{kernels.ReduceOr, "ReduceOr", "disjunction", weftops.ReduceOrInto, foldInts(0, func(a, b int64) int64 { return a | b }), nil},
	{kernels.ReduceXor, "ReduceXor", "exclusive disjunction", weftops.ReduceXorInto, foldInts(0, func(a, b int64) int64 { return a ^ b }), nil},
	{kernels.ReduceNorm1, "Norm1", "sum of magnitudes", weftops.Norm1Into, reference.Magnitude, func(elem weft.DType, g []float64) float64 {
		return bounds.Sum(elem, len(g), reference.Magnitude(g), reference.Magnitude(g))
	}},
	{kernels.ReduceNorm2, "Norm2", "Euclidean norm", weftops.Norm2Into, norm2, func(elem weft.DType, g []float64) float64 {
		return bounds.Norm2(elem, len(g), norm2(g))
	}},
	{kernels.ReduceLogSumExp, "ReduceLogSumExp", "logarithm of the sum of exponentials", weftops.ReduceLogSumExpInto, logSumExp, func(elem weft.DType, g []float64) float64 {
		return bounds.LogSumExp(elem, len(g), logSumExp(g), reference.Magnitude(g))
	}},
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func foldInts(start int64, f func(a, b int64) int64) func(group []float64) float64 {
	return func(group []float64) float64 {
		r := start
		for _, x := range group {
			r = f(r, int64(x))
		}
		return float64(r)
	}
}

func norm2(g []float64) float64     { return floats.Norm(g, 2) }
func logSumExp(g []float64) float64 { return floats.LogSumExp(g) }

func mean(g []float64) float64     { return stat.Mean(g, nil) }
func variance(g []float64) float64 { return stat.PopVariance(g, nil) }

// ReductionNamed is the reduction of a name.
func ReductionNamed(name string) Reduction {
	return AllReductions[slices.IndexFunc(AllReductions, func(r Reduction) bool { return r.String() == name })]
}

// Bound is how far a result of an element type may be from the exact one.
func (r Reduction) Bound(elem weft.DType, group []float64) float64 {
	if r.bound == nil {
		return 0
	}
	return r.bound(elem, group)
}

// Softmax is Softmax or LogSoftmax with what it should give.
type Softmax struct {
	Name, Function string
	Into           func(out, x *weft.Tensor, options ...weftops.SoftmaxOption) error
	Exact          func(rows []float64, cols int) []float64
	Bound          func(elem weft.DType, cols int, spread, element float64) float64 // spread is between a row's largest and smallest element
}

// Softmaxes are both.
var Softmaxes = []Softmax{
	{"softmax", "Softmax", weftops.SoftmaxInto, func(rows []float64, cols int) []float64 { y, _ := reference.Softmax(rows, cols); return y }, bounds.Softmax},
	{"log_softmax", "LogSoftmax", weftops.LogSoftmaxInto, reference.LogSoftmax, bounds.LogSoftmax},
}

// Norm is a call of LayerNorm or RMSNorm, for rows that are stored one after the other. Weight and bias are nil, or of a row.
type Norm struct {
	RMS          bool
	Weight, Bias []float64
	Epsilon      float64
}

// Exact is the result for rows of cols elements, with the bounds of its elements as an element type.
func (n Norm) Exact(elem weft.DType, x []float64, cols int) (want []float64, bound func(i int) float64) {
	of := func(weight, bias []float64) []float64 {
		if n.RMS {
			return reference.RMSNorm(x, cols, weight, n.Epsilon)
		}
		return reference.LayerNorm(x, cols, weight, bias, n.Epsilon)
	}
	want, normal := of(n.Weight, n.Bias), of(nil, nil)
	sizes := make([]float64, len(x)/max(cols, 1)) // root mean squares in units of what rows are divided by
	for r := range sizes {
		if row := x[r*cols:][:cols]; !n.RMS {
			sizes[r] = math.Hypot(mean(row), math.Sqrt(variance(row))) / math.Sqrt(variance(row)+n.Epsilon)
		}
	}
	return want, func(i int) float64 {
		weight, bias := 1.0, 0.0
		if n.Weight != nil {
			weight = n.Weight[i%cols]
		}
		if n.Bias != nil {
			bias = n.Bias[i%cols]
		}
		return bounds.Norm(elem, cols, want[i], normal[i], weight, bias, sizes[i/cols])
	}
}
