package ops

import (
	"math"
	"slices"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/ops/kernels"
)

// Epsilon is added to the variance, or to the mean of the squares, before the root is taken: 1e-5 if not
// given. It is not negative.
func Epsilon(e float64) NormOption { return normOption(func(n *normCall) { n.epsilon = e }) }

// normCall is what a call asks for.
type normCall struct {
	normOptions
	weight, bias *weft.Tensor // nil for none
}

// normOptions is a call without its tensors.
type normOptions struct {
	given
	op      string
	epsilon float64
	axes    axisOption
}

func newNormCall(op string, weight, bias *weft.Tensor, options []NormOption) normCall {
	return applied(&normPool, normCall{normOptions{op: op, epsilon: 1e-5}, weight, bias}, options, NormOption.setNorm)
}

var normPool sync.Pool

// LayerNorm returns weight · (x - mean) / sqrt(variance + epsilon) + bias for each row of x, F32,
// F16 or BF16, which is its last dimension, or those that Axis names (Ba, Kiros and Hinton, Layer
// Normalization, 2016). Mean and variance are those of the row, computed in F32. weight and bias
// have x's type and the shape of a row, its dimensions in the order of x's; each may be nil. Any views will do. A row of NaNs or
// infinities becomes NaN.
//
// Errors: ErrShape for shapes that do not fit, ErrArgument for nil, element types that do not fit and an epsilon that is negative
// or not finite, ErrUnsupported for other element types and more than 5 dimensions that do not merge,
// ErrDevice, ErrClosed.
func LayerNorm(x, weight, bias *weft.Tensor, options ...NormOption) (*weft.Tensor, error) {
	return newNormCall("layernorm", weight, bias, options).new(x)
}

// LayerNormInto writes the normalised x into out, which may be the very view that is x.
//
// Errors: as for LayerNorm, and ErrUnsupported if out repeats elements, overlaps weight or bias, or
// overlaps x without being the same view.
func LayerNormInto(out, x, weight, bias *weft.Tensor, options ...NormOption) error {
	return newNormCall("layernorm", weight, bias, options).run(out, x)
}

// RMSNorm returns weight · x / sqrt(mean of x² + epsilon) for each row of x (Zhang and Sennrich,
// Root Mean Square Layer Normalization, 2019). For rows, types, weight and errors see LayerNorm.
func RMSNorm(x, weight *weft.Tensor, options ...NormOption) (*weft.Tensor, error) {
	return newNormCall("rmsnorm", weight, nil, options).new(x)
}

// RMSNormInto writes the normalised x into out, which may be the very view that is x.
//
// Errors: as for LayerNormInto.
func RMSNormInto(out, x, weight *weft.Tensor, options ...NormOption) error {
	return newNormCall("rmsnorm", weight, nil, options).run(out, x)
}

func (n normCall) new(x *weft.Tensor) (*weft.Tensor, error) {
	if err := n.check(x); err != nil {
		return nil, err
	}
	return into(x.Device(), x.DType(), x.Shape(), func(out *weft.Tensor) error { return n.run(out, x) })
}

// inputs are x and what else is given.
func (n normCall) inputs(x *weft.Tensor) []operand {
	list := []operand{{"x", x}}
	if n.weight != nil {
		list = append(list, operand{"weight", n.weight})
	}
	if n.bias != nil {
		list = append(list, operand{"bias", n.bias})
	}
	return list
}

func (n normCall) check(x *weft.Tensor) error {
	if err := n.checkOptions(n.op); err != nil {
		return err
	}
	list := n.inputs(x)
	if err := checkOperands(n.op, dtype.Type.IsFloat, list...); err != nil {
		return err
	}
	inRow, err := n.row(x)
	if err != nil {
		return err
	}
	if !(n.epsilon >= 0 && n.epsilon <= math.MaxFloat32) {
		return fault.New(weft.ErrArgument, n.op, "epsilon %v, want a finite F32 that is not negative", n.epsilon)
	}
	row := []int{}
	for d, size := range x.Shape() {
		if inRow[d] {
			row = append(row, size)
		}
	}
	for _, o := range list[1:] {
		if !slices.Equal(o.tensor.Shape(), row) {
			return fault.New(weft.ErrShape, n.op, "shape %v, want that of a row: %v", o.tensor.Shape(), row).For(o.name)
		}
	}
	return checkOpen(n.op, list...)
}

// row says which dimensions of x make up a row.
func (n normCall) row(x *weft.Tensor) ([]bool, error) {
	if x.Rank() == 0 {
		return nil, fault.New(weft.ErrShape, n.op, "a scalar has no rows, want at least 1 dimension").For("x")
	}
	row, count, err := n.axes.among(n.op, x.Rank())
	switch {
	case err != nil:
		return nil, err
	case !n.axes.given:
		row[x.Rank()-1] = true
	case count == 0:
		return nil, fault.New(weft.ErrArgument, n.op, "no axes given, want at least 1")
	}
	return row, nil
}

func (n normCall) into(out, x *weft.Tensor) error {
	if err := n.check(x); err != nil {
		return err
	}
	if err := checkOperands(n.op, dtype.Type.IsFloat, operand{"x", x}, operand{"out", out}); err != nil {
		return err
	}
	if err := checkLike(n.op, out, x); err != nil {
		return err
	}
	list := n.inputs(x)
	if err := checkApart(n.op, out, list[1:]...); err != nil {
		return err
	}
	if err := checkOpen(n.op, operand{"out", out}); err != nil || x.Len() == 0 {
		return err
	}
	views, walked, err := n.merged(append(list, operand{"out", out}))
	if err != nil {
		return err
	}
	rows := views[len(views)-1].Layout
	cfg := pick(normTune, x.Device(), normProblem{x.DType(), n.op == "rmsnorm", viewOf(rows), walked}).ConfigFor(x.DType(), rows, walked)
	cfg.RMS, cfg.Weight, cfg.Bias = n.op == "rmsnorm", n.weight != nil, n.bias != nil
	return kernels.Norm.LaunchViews(cfg, weft.Scalars{n.epsilon}, views...)
}
