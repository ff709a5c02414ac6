package ops

import (
	"math"
	"slices"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tune"
)

// reduceOptions is what a call asks for.
type reduceOptions struct {
	given
	kind       kernels.ReduceOp
	axes       axisOption
	keep       bool
	correction int
	corrected  bool // correction is given
}

func newReduction(kind kernels.ReduceOp, options []ReduceOption) reduceOptions {
	return applied(&reducePool, reduceOptions{given: given{op: kind.String()}, kind: kind}, options, ReduceOption.setReduce)
}

var reducePool sync.Pool

var reductions = declare(declaration[reduceOptions]{
	inputs: []string{"x"}, needed: 1,
	types:  func(o reduceOptions, t weft.DType) bool { return o.kind.Takes(t) },
	result: func(o reduceOptions, x weft.DType) weft.DType { return o.kind.Result(x) },
	check: func(o *reduceOptions, in []*weft.Tensor) ([]int, error) {
		p, err := o.plan(in[0])
		return p.shape, err
	},
	launch: func(o *reduceOptions, out *weft.Tensor, in []*weft.Tensor) error {
		p, err := o.plan(in[0])
		if err != nil {
			return err
		}
		return p.run(out, in[0])
	},
})

// KeepDims keeps reduced dimensions, with size 1, so that the result broadcasts against the operand.
func KeepDims() ReduceOption { return reduceOption(func(o *reduceOptions) { o.keep = true }) }

// Correction is what Var subtracts from the number of elements before it divides by that: NumPy's
// ddof. 0 is the default, as in NumPy, for the variance of the elements themselves; 1 gives the unbiased estimate
// from a sample, as PyTorch and gonum do by default.
func Correction(n int) ReduceOption {
	return reduceOption(func(o *reduceOptions) { o.correction, o.corrected = n, true })
}

// Sum adds the elements of x over all dimensions, or those given by Axis. Floats add up in F32, F64 in F64, in
// an order that is the same in every run, and round once to x's type; integers of up to 32 bits with a sign, U8 and U16 add up to I32,
// other integers to their own type, and wrap. The sum of no elements is 0. x may be any view, of any
// numeric type.
//
// Errors: ErrArgument for nil and for axes that x does not have or that are given twice, ErrUnsupported for Bool, for
// 64-bit integers where the device has none, and for more than 5 dimensions that do not merge, ErrClosed.
func Sum(x *weft.Tensor, options ...ReduceOption) (*weft.Tensor, error) {
	return reductions.new(newReduction(kernels.ReduceSum, options), x)
}

// SumInto writes the sum of x into out, which has the shape of the result and its type.
//
// Errors: as for Sum, ErrShape for another shape, ErrArgument for another type, ErrDevice, and ErrUnsupported if out
// repeats elements or overlaps x.
func SumInto(out, x *weft.Tensor, options ...ReduceOption) error {
	return reductions.into(newReduction(kernels.ReduceSum, options), out, x)
}

// Mean is the sum of the elements of x, floats, divided by their number: NaN if there are none.
// For the rest see Sum.
func Mean(x *weft.Tensor, options ...ReduceOption) (*weft.Tensor, error) {
	return reductions.new(newReduction(kernels.ReduceMean, options), x)
}

// MeanInto writes the mean of x into out; see SumInto.
func MeanInto(out, x *weft.Tensor, options ...ReduceOption) error {
	return reductions.into(newReduction(kernels.ReduceMean, options), out, x)
}

// Prod multiplies the elements of x; the product of none is 1. For types and the rest see Sum.
func Prod(x *weft.Tensor, options ...ReduceOption) (*weft.Tensor, error) {
	return reductions.new(newReduction(kernels.ReduceProd, options), x)
}

// ProdInto writes the product of x into out; see SumInto.
func ProdInto(out, x *weft.Tensor, options ...ReduceOption) error {
	return reductions.into(newReduction(kernels.ReduceProd, options), out, x)
}

// Max is the largest element of x, of any numeric type, which the result has too. It is NaN if one of them
// is, on every device, as in NumPy; ArgMax finds the first.
//
// Errors: as for Sum, and ErrShape for results of no elements.
func Max(x *weft.Tensor, options ...ReduceOption) (*weft.Tensor, error) {
	return reductions.new(newReduction(kernels.ReduceMax, options), x)
}

// MaxInto writes the largest element of x into out; see Max and SumInto.
func MaxInto(out, x *weft.Tensor, options ...ReduceOption) error {
	return reductions.into(newReduction(kernels.ReduceMax, options), out, x)
}

// Min is the smallest element of x, and NaN if one of them is; see Max.
func Min(x *weft.Tensor, options ...ReduceOption) (*weft.Tensor, error) {
	return reductions.new(newReduction(kernels.ReduceMin, options), x)
}

// MinInto writes the smallest element of x into out; see Max and SumInto.
func MinInto(out, x *weft.Tensor, options ...ReduceOption) error {
	return reductions.into(newReduction(kernels.ReduceMin, options), out, x)
}

// ArgMax is the index, of type I32, of the largest element of x: along the dimension given by Axis,
// or among all elements that are reduced together in row-major order. Of equal elements, 0 and -0
// among them, it is the first; a NaN counts as larger than every number.
//
// Errors: as for Max, and ErrLimit for 2^31 elements and more for one index.
func ArgMax(x *weft.Tensor, options ...ReduceOption) (*weft.Tensor, error) {
	return reductions.new(newReduction(kernels.ReduceArgMax, options), x)
}

// ArgMaxInto writes the index of the largest element of x into out, of I32; see ArgMax and SumInto.
func ArgMaxInto(out, x *weft.Tensor, options ...ReduceOption) error {
	return reductions.into(newReduction(kernels.ReduceArgMax, options), out, x)
}

// ArgMin is the index of the smallest element of x; a NaN counts as smaller than every number. See ArgMax.
func ArgMin(x *weft.Tensor, options ...ReduceOption) (*weft.Tensor, error) {
	return reductions.new(newReduction(kernels.ReduceArgMin, options), x)
}

// ArgMinInto writes the index of the smallest element of x into out, of I32; see ArgMax and SumInto.
func ArgMinInto(out, x *weft.Tensor, options ...ReduceOption) error {
	return reductions.into(newReduction(kernels.ReduceArgMin, options), out, x)
}

// Var is the variance of x, floats: the sum of squared deviations from the mean, divided
// by the number of elements, less Correction. It is computed in F32, of F64 in F64, by Welford's method and does not
// suffer from a mean that is large compared with the deviations. Where nothing is left to divide by it is
// NaN or +infinity. For the rest see Sum.
func Var(x *weft.Tensor, options ...ReduceOption) (*weft.Tensor, error) {
	return reductions.new(newReduction(kernels.ReduceVar, options), x)
}

// VarInto writes the variance of x into out; see Var and SumInto.
func VarInto(out, x *weft.Tensor, options ...ReduceOption) error {
	return reductions.into(newReduction(kernels.ReduceVar, options), out, x)
}

// reduction is what is to be done with a tensor.
type reduction struct {
	op      kernels.ReduceOp
	reduced []bool // for each dimension of x
	shape   []int  // of the result
	divisor float64
}

// plan says what a call does with x, and checks how many elements each result is of.
func (o *reduceOptions) plan(x *weft.Tensor) (p reduction, err error) {
	if o.corrected && o.kind != kernels.ReduceVar {
		return p, fault.New(weft.ErrArgument, o.op, "Correction is an option of Var alone")
	}
	p = reduction{op: o.kind, shape: []int{}}
	if p.reduced, _, err = o.axes.among(o.op, operand{"x", x}); err != nil {
		return p, err
	}
	for i := range p.reduced {
		p.reduced[i] = p.reduced[i] || !o.axes.given
	}
	count := 1
	for d, n := range x.Shape() {
		switch {
		case !p.reduced[d]:
			p.shape = append(p.shape, n)
		default:
			count *= n
			if o.keep {
				p.shape = append(p.shape, 1)
			}
		}
	}
	p.divisor = float64(count)
	if o.corrected {
		p.divisor = float64(max(count-o.correction, 0))
	}
	start := kernels.Reducers[p.op].Fill
	arg := p.op == kernels.ReduceArgMax || p.op == kernels.ReduceArgMin
	switch {
	case count == 0 && (start == kernels.Least || start == kernels.Greatest) && !slices.Contains(p.shape, 0):
		err = fault.New(weft.ErrShape, o.op, "shape %v has no elements to reduce, want at least 1", x.Shape()).For("x")
	case arg && count > math.MaxInt32:
		err = fault.New(weft.ErrLimit, o.op, "indices of %d elements, want at most 2^31-1: they are i32", count).For("x")
	}
	return p, err
}

// run reduces x into out, which fits.
func (p reduction) run(out, x *weft.Tensor) error {
	strides, next := make([]int, x.Rank()), 0
	keep := out.Rank() == x.Rank()
	for d := range strides {
		if !p.reduced[d] {
			strides[d] = out.Layout().Stride(next)
		}
		if !p.reduced[d] || keep {
			next++
		}
	}
	wide, err := layout.Strided(x.Shape(), strides, out.Layout().Offset())
	if err != nil {
		return err
	}
	ordered := p.op == kernels.ReduceArgMax || p.op == kernels.ReduceArgMin
	views, reduced, err := mergedReduction(p.op.String(), x.Layout(), wide, ordered)
	if err != nil {
		return err
	}
	problem := kernels.ReduceProblem{Op: p.op, Elem: x.DType(), X: viewOf(views[0]), Reduced: reduced, Out: tune.StridesOf(views[1])}
	cfg, parts := problem.Config(pick(reduceTune, x.Device(), problem))
	from, to := []weft.TensorView{{Tensor: x, Layout: views[0]}}, weft.TensorView{Tensor: out, Layout: views[1]}
	return p.launch(cfg, parts, from, to)
}

// launch does a pass, and what has to follow.
func (p reduction) launch(cfg kernels.ReduceConfig, parts int, from []weft.TensorView, to weft.TensorView) error {
	if parts == 1 {
		var divisor weft.Scalars
		if kernels.Reducers[p.op].Divides {
			divisor = kernels.RealScalars(from[0].Tensor.DType(), p.divisor)
		}
		return kernels.Reduce.LaunchViews(cfg, divisor, append(from, to)...)
	}
	l, err := kernels.ReduceStates(cfg, to.Layout.Shape(), parts)
	if err != nil {
		return err
	}
	var states []weft.TensorView
	for _, s := range kernels.Reducers[p.op].States(cfg.Elem) {
		t, err := weft.Empty(to.Tensor.Device(), s.Elem, l.Len())
		if err != nil {
			return err
		}
		defer t.Close()
		states = append(states, weft.TensorView{Tensor: t, Layout: l})
	}
	if err := kernels.Reduce.LaunchViews(cfg, nil, append(from, states...)...); err != nil {
		return err
	}
	return p.combine(cfg, states, to)
}

// combine does the second pass over states, in the fewest dimensions.
func (p reduction) combine(first kernels.ReduceConfig, states []weft.TensorView, to weft.TensorView) error {
	strides := to.Layout.Strides()
	strides[first.Split] = 0
	wide, err := layout.Strided(states[0].Layout.Shape(), strides, to.Layout.Offset())
	if err != nil {
		return err
	}
	views, reduced, err := mergedReduction(p.op.String(), states[0].Layout, wide, false)
	if err != nil {
		return err
	}
	for i := range states {
		states[i].Layout = views[0]
	}
	to.Layout = views[1]
	return p.launch(kernels.ReduceCombineConfigFor(to.Tensor.Device().Caps(), first, views[0].Shape(), reduced), 1, states, to)
}
