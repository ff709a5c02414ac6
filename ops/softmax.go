package ops

import (
	"math"
	"slices"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
)

// TemperatureOption is an option of softmax and Sample.
type TemperatureOption interface {
	SoftmaxOption
	SampleOption
}

// Temperature divides x before the exponential: below 1 it sharpens a distribution, above it
// flattens it. It is positive and finite in F32, and so is 1/t.
func Temperature(t float64) TemperatureOption { return temperatureOption(t) }

type temperatureOption float64

func (t temperatureOption) setSoftmax(s *softmaxOptions) { s.temperature = float64(t) }

func (t temperatureOption) setSample(c *sampleCall) { c.temperature = float64(t) }

func checkTemperature(op string, t float64) error {
	if !(t > 0 && t <= math.MaxFloat32 && 1/t <= math.MaxFloat32) {
		return fault.New(weft.ErrArgument, op, "temperature %v, want a positive F32 whose reciprocal is one, too", t)
	}
	return nil
}

// softmaxOptions is what a call asks for.
type softmaxOptions struct {
	given
	axes        axisOption
	temperature float64
}

func newSoftmax(op string, options []SoftmaxOption) softmaxOptions {
	return applied(&softmaxPool, softmaxOptions{given: given{op: op}, temperature: 1}, options, SoftmaxOption.setSoftmax)
}

var softmaxPool sync.Pool

var softmaxes = declare(declaration[softmaxOptions]{
	inputs: []string{"x"}, needed: 1, inPlace: true,
	types: func(_ softmaxOptions, t weft.DType) bool { return t.IsFloat() },
	check: (*softmaxOptions).check, launch: (*softmaxOptions).launch,
})

// Softmax returns exp(x) / sum(exp(x)) over the last dimension of x, or that given by Axis; x is
// of floats, in any view. It is computed in F32, or of F64 in F64, and safe from overflow. A row that holds NaN,
// +infinity or nothing but -infinity becomes NaN. Rows may have any length: few long ones are shared
// by many programs, in the same way in every run.
//
// Errors: ErrShape for a tensor without dimensions, ErrArgument for nil, an axis that does not exist, more than one or a temperature that is
// not positive, ErrUnsupported for other element types or more than 5 dimensions that do not merge, ErrClosed.
func Softmax(x *weft.Tensor, options ...SoftmaxOption) (*weft.Tensor, error) {
	return softmaxes.new(newSoftmax("softmax", options), x)
}

// SoftmaxInto writes the softmax of x into out, which may be the same view as x.
//
// Errors: as for Softmax, and ErrUnsupported if out repeats elements or overlaps x
// without being the same view.
func SoftmaxInto(out, x *weft.Tensor, options ...SoftmaxOption) error {
	return softmaxes.into(newSoftmax("softmax", options), out, x)
}

// LogSoftmax returns the logarithm of Softmax, x - log(sum(exp(x))), without the softmax in between, which
// may be too small for its type.
//
// Errors: as for Softmax.
func LogSoftmax(x *weft.Tensor, options ...SoftmaxOption) (*weft.Tensor, error) {
	return softmaxes.new(newSoftmax("log_softmax", options), x)
}

// LogSoftmaxInto writes the logarithm of the softmax of x into out, which may be the same view as x.
//
// Errors: as for SoftmaxInto.
func LogSoftmaxInto(out, x *weft.Tensor, options ...SoftmaxOption) error {
	return softmaxes.into(newSoftmax("log_softmax", options), out, x)
}

func (s *softmaxOptions) check(in []*weft.Tensor) ([]int, error) {
	return s.checkAs(operand{"x", in[0]})
}

// checkAs checks the rows of a tensor, and the options.
func (s *softmaxOptions) checkAs(x operand) ([]int, error) {
	if x.tensor.Rank() == 0 {
		return nil, fault.New(weft.ErrShape, s.op, "a scalar has no rows, want at least 1 dimension").For(x.name)
	}
	if err := checkTemperature(s.op, s.temperature); err != nil {
		return nil, err
	}
	_, err := s.axis(x)
	return x.tensor.Shape(), err
}

// axis is the dimension of x to sum over.
func (s *softmaxOptions) axis(x operand) (int, error) {
	if !s.axes.given {
		return x.tensor.Rank() - 1, nil
	}
	named, n, err := s.axes.among(s.op, x)
	if err == nil && n != 1 {
		err = fault.New(weft.ErrArgument, s.op, "%s given, want 1", fault.Count(n, "axis"))
	}
	return slices.Index(named, true), err
}

func (s *softmaxOptions) launch(out *weft.Tensor, in []*weft.Tensor) error {
	x := in[0]
	axis, _ := s.axis(operand{"x", x}) // checked before
	rows, columns, err := mergedRows(s.op, axis, x.Layout(), out.Layout())
	if err != nil {
		return err
	}
	p := kernels.SoftmaxProblem{Elem: x.DType(), Rows: viewOf(rows[1]), Columns: columns}
	p.X = viewOf(rows[0]).Unlike(p.Rows)
	return s.launchPlan(p.Plan(pick(softmaxTune, x.Device(), p)),
		weft.TensorView{Tensor: x, Layout: rows[0]}, weft.TensorView{Tensor: out, Layout: rows[1]})
}

// launchPlan starts the kernels of a plan.
func (s *softmaxOptions) launchPlan(p kernels.SoftmaxPlan, x, out weft.TensorView) error {
	cfg, scale := p.Config, weft.Scalars(nil)
	cfg.Log = s.op == "log_softmax"
	switch factor := 1 / s.temperature; {
	case factor > 1:
		cfg.Scaled, scale = kernels.ScaleDifferences, kernels.RealScalars(cfg.Elem, factor)
	case factor < 0x1p-126:
		cfg.Scaled, scale = kernels.ScaleXTwice, kernels.RealScalars(cfg.Elem, factor*0x1p64)
	case factor < 1:
		cfg.Scaled, scale = kernels.ScaleX, kernels.RealScalars(cfg.Elem, factor)
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
		t, err := weft.Empty(out.Tensor.Device(), cfg.Elem.Accumulator(), shape...)
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
