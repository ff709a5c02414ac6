package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
)

var softmaxGrads = declare(declaration[softmaxOptions]{
	inputs: []string{"y", "dy"}, needed: 2, output: "dx", inPlace: true,
	types: func(_ softmaxOptions, t weft.DType) bool { return t.IsFloat() },
	check: (*softmaxOptions).checkGrad, launch: (*softmaxOptions).launchGrad,
})

// SoftmaxGrad is the gradient of Softmax: of x, given its result y and the gradient of that, dy, a new tensor y · (dy - sum of y · dy), divided by the
// temperature. The options are those of Softmax. y is F32, F16, BF16 or F64; the sum is in F32, of F64 in F64, in an order that is the same in every run; rows may have any length.
//
// Errors: as for Softmax, ErrShape for a dy that has not y's shape.
func SoftmaxGrad(y, dy *weft.Tensor, options ...SoftmaxOption) (*weft.Tensor, error) {
	return softmaxGrads.new(newSoftmax("softmax_grad", options), y, dy)
}

// SoftmaxGradInto writes the gradient into dx, which may be the same view as y.
//
// Errors: as for SoftmaxGrad, and ErrUnsupported if dx repeats elements, overlaps dy, or overlaps y without being the same view.
func SoftmaxGradInto(dx, y, dy *weft.Tensor, options ...SoftmaxOption) error {
	return softmaxGrads.into(newSoftmax("softmax_grad", options), dx, y, dy)
}

// LogSoftmaxGrad is the gradient of LogSoftmax, given its result y: dy - e^y · sum of dy, divided by the temperature. For the rest see SoftmaxGrad.
func LogSoftmaxGrad(y, dy *weft.Tensor, options ...SoftmaxOption) (*weft.Tensor, error) {
	return softmaxGrads.new(newSoftmax("log_softmax_grad", options), y, dy)
}

// LogSoftmaxGradInto writes the gradient into dx, which may be the same view as y.
//
// Errors: as for SoftmaxGradInto.
func LogSoftmaxGradInto(dx, y, dy *weft.Tensor, options ...SoftmaxOption) error {
	return softmaxGrads.into(newSoftmax("log_softmax_grad", options), dx, y, dy)
}

func (s *softmaxOptions) checkGrad(in []*weft.Tensor) ([]int, error) {
	shape, err := s.checkAs(operand{"y", in[0]})
	if err != nil {
		return nil, err
	}
	return shape, checkShape(s.op, operand{"dy", in[1]}, shape)
}

func (s *softmaxOptions) launchGrad(dx *weft.Tensor, in []*weft.Tensor) error {
	y, dy := in[0], in[1]
	axis, err := s.axis(operand{"y", y})
	if err != nil {
		return err
	}
	row := make([]bool, y.Rank())
	row[axis] = true
	m := normMerge{op: s.op, row: row, along: make([]bool, y.Rank()),
		list: []normOperand{{operand{"y", y}, false}, {operand{"dy", dy}, false}, {operand{"dx", dx}, false}}}
	merged, err := m.merge(dx.Layout())
	if err != nil {
		return err
	}
	views := merged.views
	p := kernels.RowGradProblem{Op: kernels.GradSoftmax, Elem: y.DType(), X: viewOf(views[2].Layout), Row: merged.row}
	if s.op == "log_softmax_grad" {
		p.Op = kernels.GradLogSoftmax
	}
	p.From, p.DY = viewOf(views[0].Layout).Unlike(p.X), viewOf(views[1].Layout).Unlike(p.X)
	plan := p.Plan(pick(rowGradTune, y.Device(), p))
	scale := 1 / s.temperature
	switch {
	case scale < 0x1p-126: // which may be 0 on a device
		plan.Config.Scaled, scale = kernels.ScaleXTwice, scale*0x1p64
	case scale != 1:
		plan.Config.Scaled = kernels.ScaleX
	}
	var scalars weft.Scalars
	if plan.Config.Scaled != kernels.Unscaled {
		scalars = kernels.RealScalars(p.Elem, scale)
	}
	return launchRowGrad(plan, scalars, views[:2], nil, nil, views[2])
}
