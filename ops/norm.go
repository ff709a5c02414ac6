package ops

import (
	"cmp"
	"slices"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
)

// Epsilon is added to the variance, or to the mean of the squares, before the root is taken: 1e-5 if not
// given. It is not negative.
func Epsilon(e float64) NormOption { return normOption(func(n *normCall) { n.epsilon = e }) }

// Residual adds r, of x's shape and type, to x before it is normalised, and stores x + r in sum, unless that is nil: the two steps
// between the layers of a transformer in one pass. The sum is rounded to the type, stored or not, so that the result is that of an
// addition and a normalisation one after the other. sum may be the same view as r:
//
//	err := ops.RMSNormInto(y, x, weight, ops.Residual(h, h)) // h += x, y = normalised h
func Residual(r, sum *weft.Tensor) NormOption {
	return normOption(func(n *normCall) { n.residual, n.sum, n.hasResidual = r, sum, true })
}

// normOptions is what a call asks for, without its tensors.
type normOptions struct {
	given
	epsilon     float64
	axes        axisOption
	hasResidual bool // given, be it nil

	groups, channels int // of GroupNorm and BatchNorm; may be out of their ranges, which checks refuse

	hasRunning bool // of BatchNorm, be they nil
	momentum   float64
}

// normCall is what a call's options ask for.
type normCall struct {
	normOptions
	residual, sum *weft.Tensor    // nil for none
	running       [2]*weft.Tensor // mean and variance
}

func newNorm(op string, options []NormOption) normCall {
	call := normCall{normOptions: normOptions{given: given{op: op}, epsilon: 1e-5}}
	return applied(&normPool, call, options, NormOption.setNorm)
}

func (n normCall) new(x, weight, bias *weft.Tensor) (*weft.Tensor, error) {
	return norms.new(n.normOptions, x, weight, bias, n.residual, n.sum)
}

func (n normCall) into(out, x, weight, bias *weft.Tensor) error {
	return norms.into(n.normOptions, out, x, weight, bias, n.residual, n.sum)
}

var normPool sync.Pool

var normInputs = []string{"x", "weight", "bias", "residual"}

var norms = declare(declaration[normOptions]{
	inputs: normInputs, needed: 1, more: []string{"sum"}, over: "residual", inPlace: true,
	types: func(_ normOptions, t weft.DType) bool { return t.IsFloat() },
	check: (*normOptions).check, launch: (*normOptions).launch,
})

// LayerNorm returns weight · (x - mean) / sqrt(variance + epsilon) + bias for each row of x, F32,
// F16, BF16 or F64, which is its last dimension, or those that Axis names (Ba, Kiros and Hinton, Layer
// Normalization, 2016). Mean and variance are those of the row, computed in F32, of F64 in F64. weight and bias
// have x's type and the shape of a row, its dimensions in the order of x's; each may be nil. Any views will do. A row of NaNs or
// infinities becomes NaN, and a row whose squares exceed the type of the sums becomes 0: in F32, of numbers above 1.8e19. Rows may have any length: few long ones are shared by many programs, in the same way in every run.
//
// Errors: ErrShape for shapes that do not fit, ErrArgument for nil, element types that do not fit and an epsilon that is negative
// or not finite, ErrUnsupported for other element types and more than 5 dimensions that do not merge,
// ErrDevice, ErrClosed.
func LayerNorm(x, weight, bias *weft.Tensor, options ...NormOption) (*weft.Tensor, error) {
	return newNorm("layernorm", options).new(x, weight, bias)
}

// LayerNormInto writes the normalised x into out, which may be the same view as x.
//
// Errors: as for LayerNorm, and ErrUnsupported if out repeats elements, overlaps another argument, or
// overlaps x without being the same view.
func LayerNormInto(out, x, weight, bias *weft.Tensor, options ...NormOption) error {
	return newNorm("layernorm", options).into(out, x, weight, bias)
}

// RMSNorm returns weight · x / sqrt(mean of x² + epsilon) for each row of x (Zhang and Sennrich,
// Root Mean Square Layer Normalization, 2019). For rows, types, weight and errors see LayerNorm; but in a row with an infinity and no NaN, the other elements become 0.
func RMSNorm(x, weight *weft.Tensor, options ...NormOption) (*weft.Tensor, error) {
	return newNorm("rmsnorm", options).new(x, weight, nil)
}

// RMSNormInto writes the normalised x into out, which may be the same view as x.
//
// Errors: as for LayerNormInto.
func RMSNormInto(out, x, weight *weft.Tensor, options ...NormOption) error {
	return newNorm("rmsnorm", options).into(out, x, weight, nil)
}

func (n *normOptions) check(in []*weft.Tensor) ([]int, error) {
	x := in[0]
	row, err := n.checkRow(x)
	if err != nil {
		return nil, err
	}
	for _, o := range named(normInputs[:3], 1, in)[1:] {
		if err := checkRowShape(n.op, o, row); err != nil {
			return nil, err
		}
	}
	return x.Shape(), n.checkResidual(in)
}

// checkRow checks what makes up rows, and epsilon. It returns the shape of a row.
func (n *normOptions) checkRow(x *weft.Tensor) (row []int, err error) {
	inRow, err := n.row(x)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(n.checkEpsilon(), n.checkNotRunning()); err != nil {
		return nil, err
	}
	row = []int{}
	for d, size := range x.Shape() {
		if inRow[d] {
			row = append(row, size)
		}
	}
	return row, nil
}

func checkRowShape(op string, o operand, row []int) error {
	if !slices.Equal(o.tensor.Shape(), row) {
		return fault.New(weft.ErrShape, op, "shape %v, want that of a row: %v", o.tensor.Shape(), row).For(o.name)
	}
	return nil
}

// checkResidual checks the tensors of Residual.
func (n *normOptions) checkResidual(in []*weft.Tensor) error {
	if !n.hasResidual {
		return nil
	}
	residual, sum := operand{"residual", in[3]}, operand{"sum", in[4]}
	if residual.tensor == nil {
		return fault.New(weft.ErrArgument, n.op, "the tensor is nil").For(residual.name)
	}
	if err := checkShape(n.op, residual, in[0].Shape()); err != nil || sum.tensor == nil {
		return err
	}
	return cmp.Or(checkGiven(n.op, sum, operand{"x", in[0]}, in[0].DType()), checkShape(n.op, sum, in[0].Shape()))
}

// row says which dimensions of x make up a row.
func (n *normOptions) row(x *weft.Tensor) ([]bool, error) {
	if x.Rank() == 0 {
		return nil, fault.New(weft.ErrShape, n.op, "a scalar has no rows, want at least 1 dimension").For("x")
	}
	row, count, err := n.axes.among(n.op, operand{"x", x})
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

func (n *normOptions) launch(out *weft.Tensor, in []*weft.Tensor) error {
	views, walked, err := n.merged(out, in)
	if err != nil {
		return err
	}
	x, rows := in[0], views[len(views)-1].Layout
	p := kernels.NormProblem{Elem: x.DType(), RMS: n.op == "rmsnorm", X: viewOf(rows), Row: walked, Residual: n.hasResidual, Sum: in[4] != nil}
	p.From = viewOf(views[0].Layout).Unlike(p.X)
	cfg, parts := p.Config(pick(normTune, x.Device(), p))
	cfg.Weight, cfg.Bias = in[1] != nil, in[2] != nil
	return launchNorm(cfg, parts, n.epsilon, views)
}

// launchNorm starts the kernels of a config. The views are in the order of kernels.Norm.
func launchNorm(cfg kernels.NormConfig, parts int, epsilon float64, views []weft.TensorView) error {
	if parts == 1 {
		return kernels.Norm.LaunchViews(cfg, kernels.RealScalars(cfg.Rows.Elem, epsilon), views...)
	}
	inputs, out := views[:len(views)-1], views[len(views)-1]
	shape := out.Layout.Shape()
	for d := range shape {
		if cfg.Rows.Reduced[d] {
			shape[d] = 1
		}
	}
	shape[cfg.Rows.Split] = parts
	var states []weft.TensorView
	for range cfg.States() {
		t, err := weft.Empty(out.Tensor.Device(), cfg.Rows.Elem.Accumulator(), shape...)
		if err != nil {
			return err
		}
		defer t.Close()
		states = append(states, weft.TensorView{Tensor: t, Layout: t.Layout()})
	}
	first := cfg
	first.Weight, first.Bias, first.Sum, first.Parts = false, false, false, 0 // which it has no part in
	read := 1
	if cfg.Residual {
		read = 2
	}
	if err := kernels.NormParts.LaunchViews(first, nil, slices.Concat(inputs[:read], states)...); err != nil {
		return err
	}
	return kernels.NormSpread.LaunchViews(cfg, kernels.RealScalars(cfg.Rows.Elem, epsilon), slices.Concat(inputs, states, views[len(inputs):])...)
}
