package catalog

import (
	"math"

	"github.com/weftgpu/weft"
	weftops "github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

// SoftmaxGrad is the gradient of a softmax with what it should give.
type SoftmaxGrad struct {
	Name, Function string
	log            bool
	Of             func(x *weft.Tensor, options ...weftops.SoftmaxOption) (*weft.Tensor, error) // the softmax
	Into           func(dx, y, dy *weft.Tensor, options ...weftops.SoftmaxOption) error
}

// SoftmaxGrads are both.
var SoftmaxGrads = []SoftmaxGrad{
	{"softmax_grad", "SoftmaxGrad", false, weftops.Softmax, weftops.SoftmaxGradInto},
	{"log_softmax_grad", "LogSoftmaxGrad", true, weftops.LogSoftmax, weftops.LogSoftmaxGradInto},
}

// Exact is the gradient of a row, of its result y, with a bound on each element's error as an element type.
func (g SoftmaxGrad) Exact(elem weft.DType, y, dy []float64, temperature float64) (want, bound []float64) {
	sum, magnitudes := 0.0, 0.0
	for i, d := range dy {
		if !g.log {
			d *= y[i]
		}
		sum, magnitudes = sum+d, magnitudes+math.Abs(d)
	}
	want, bound = make([]float64, len(y)), make([]float64, len(y))
	scale := 1 / temperature
	for i, d := range dy {
		if g.log {
			want[i] = (d - math.Exp(y[i])*sum) * scale
			bound[i] = bounds.LogSoftmaxGrad(elem, len(y), want[i], y[i], d*scale, magnitudes*scale)
		} else {
			want[i] = y[i] * (d - sum) * scale
			bound[i] = bounds.SoftmaxGrad(elem, len(y), want[i], y[i], d*scale, magnitudes*scale)
		}
	}
	return want, bound
}

func softmaxGradOp(g SoftmaxGrad) *Op {
	return &Op{Name: g.Name, Function: g.Function, About: "gradient of a softmax along the last dimension or another, from its result", Shape: "any shape",
		Example: "8192x4096", Takes: []string{"axis"}, check: checkAxis(g.Name),
		problem: func(o Options, _, sizes []int) Problem {
			axis, _, _ := o.axis(g.Name, len(sizes)) // checked before
			return Problem{
				In:  []Operand{o.operand("y", sizes...), o.operand("dy", sizes...)},
				Out: []Operand{o.operand("dx", sizes...)},
				Run: func(out, in []*weft.Tensor) error { return g.Into(out[0], in[0], in[1], weftops.Axis(axis)) },
			}
		}}
}
