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

// Temperature divides x before the exponential: below 1 it sharpens a distribution, above it
// flattens it. It is positive and finite in F32, and so is 1/t.
func Temperature(t float64) SoftmaxOption {
	return softmaxOption(func(s *softmaxCall) { s.temperature = t })
}

// softmaxCall is what a call asks for.
type softmaxCall struct {
	given
	op          string
	axes        axisOption
	temperature float64
}

func newSoftmaxCall(op string, options []SoftmaxOption) softmaxCall {
	return applied(&softmaxPool, softmaxCall{op: op, temperature: 1}, options, SoftmaxOption.setSoftmax)
}

var softmaxPool sync.Pool

// Softmax returns exp(x) / sum(exp(x)) over the last dimension of x, or that given by Axis; x is
// F32, F16 or BF16, in any view. It is computed in F32 and safe from overflow. A row that holds NaN,
// +infinity or nothing but -infinity becomes NaN. Rows may have any length: few long ones are shared
// by many programs, in the same way in every run.
//
// Errors: ErrShape for a tensor without dimensions, ErrArgument for nil, an axis that there is not, more than one or a temperature that is
// not positive, ErrUnsupported for other element types or more than 5 dimensions that do not merge, ErrClosed.
func Softmax(x *weft.Tensor, options ...SoftmaxOption) (*weft.Tensor, error) {
	return newSoftmaxCall("softmax", options).new(x)
}

// SoftmaxInto writes the softmax of x into out, which may be the very view that is x.
//
// Errors: as for Softmax, and ErrUnsupported if out repeats elements or overlaps x
// without being the same view.
func SoftmaxInto(out, x *weft.Tensor, options ...SoftmaxOption) error {
	return softmaxCalls.Run(newSoftmaxCall("softmax", options), out, x)
}

// LogSoftmax returns the logarithm of Softmax, x - log(sum(exp(x))), without the softmax in between, which
// may be too small for its type.
//
// Errors: as for Softmax.
func LogSoftmax(x *weft.Tensor, options ...SoftmaxOption) (*weft.Tensor, error) {
	return newSoftmaxCall("log_softmax", options).new(x)
}

// LogSoftmaxInto writes the logarithm of the softmax of x into out, which may be the very view that is x.
//
// Errors: as for SoftmaxInto.
func LogSoftmaxInto(out, x *weft.Tensor, options ...SoftmaxOption) error {
	return softmaxCalls.Run(newSoftmaxCall("log_softmax", options), out, x)
}

func (s softmaxCall) new(x *weft.Tensor) (*weft.Tensor, error) {
	if err := s.check(x); err != nil {
		return nil, err
	}
	return into(x.Device(), x.DType(), x.Shape(), func(out *weft.Tensor) error { return softmaxCalls.Run(s, out, x) })
}

func (s softmaxCall) check(x *weft.Tensor) error {
	if err := s.checkOptions(s.op); err != nil {
		return err
	}
	if err := checkOperands(s.op, dtype.Type.IsFloat, operand{"x", x}); err != nil {
		return err
	}
	if x.Rank() == 0 {
		return fault.New(weft.ErrShape, s.op, "a scalar has no rows, want at least 1 dimension").For("x")
	}
	if !(s.temperature > 0 && s.temperature <= math.MaxFloat32 && 1/s.temperature <= math.MaxFloat32) {
		return fault.New(weft.ErrArgument, s.op, "temperature %v, want a positive F32", s.temperature)
	}
	_, err := s.axis(x)
	return err
}

// axis is the dimension of x to sum over.
func (s softmaxCall) axis(x *weft.Tensor) (int, error) {
	if !s.axes.given {
		return x.Rank() - 1, nil
	}
	named, n, err := s.axes.among(s.op, x.Rank())
	if err == nil && n != 1 {
		err = fault.New(weft.ErrArgument, s.op, "%s given, want 1", fault.Count(n, "axis"))
	}
	return slices.Index(named, true), err
}

func (s softmaxCall) into(out, x *weft.Tensor) error {
	if err := s.check(x); err != nil {
		return err
	}
	if err := checkOperands(s.op, dtype.Type.IsFloat, operand{"x", x}, operand{"out", out}); err != nil {
		return err
	}
	if err := checkLike(s.op, out, x); err != nil {
		return err
	}
	if err := checkOpen(s.op, operand{"out", out}, operand{"x", x}); err != nil || x.Len() == 0 {
		return err
	}
	axis, _ := s.axis(x)
	rows, columns, err := mergedRows(s.op, axis, x.Layout(), out.Layout())
	if err != nil {
		return err
	}
	sizes := pick(softmaxTune, x.Device(), softmaxProblem{x.DType(), viewOf(rows[1]), columns})
	return s.launch(sizes.Plan(x.DType(), rows[1], columns),
		weft.TensorView{Tensor: x, Layout: rows[0]}, weft.TensorView{Tensor: out, Layout: rows[1]})
}

// launch starts the kernels of a plan.
func (s softmaxCall) launch(p kernels.SoftmaxPlan, x, out weft.TensorView) error {
	cfg, scale := p.Config, weft.Scalars(nil)
	cfg.Log = s.op == "log_softmax"
	switch factor := 1 / s.temperature; {
	case factor > 1:
		cfg.Scaled, scale = kernels.ScaleDifferences, weft.Scalars{factor}
	case factor < 0x1p-126:
		cfg.Scaled, scale = kernels.ScaleXTwice, weft.Scalars{factor * 0x1p64}
	case factor < 1:
		cfg.Scaled, scale = kernels.ScaleX, weft.Scalars{factor}
	}
	switch {
	case p.Parts > 1:
	case p.Online:
		return kernels.SoftmaxOnline.LaunchViews(cfg, scale, x, out)
	default:
		return kernels.Softmax.LaunchViews(cfg, scale, x, out)
	}
	shape := out.Layout.Shape()
	shape[cfg.Axis()] = p.Parts
	parts := []weft.TensorView{x}
	for range 2 {
		t, err := weft.Empty(out.Tensor.Device(), weft.F32, shape...)
		if err != nil {
			return err
		}
		defer t.Close()
		parts = append(parts, weft.TensorView{Tensor: t, Layout: t.Layout()})
	}
	if err := kernels.SoftmaxParts.LaunchViews(cfg, scale, parts...); err != nil {
		return err
	}
	return kernels.SoftmaxSpread.LaunchViews(cfg, scale, append(parts, out)...)
}
