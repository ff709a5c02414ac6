package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
)

// Element i of n is in part o of m where ⌊o·n/m⌋ ≤ i < ⌈(o+1)·n/m⌉, which is where ⌊i·m/n⌋ ≤ o < ⌈(i+1)·m/n⌉: the parts that an element is in are those of a
// division of the m parts into n. So the gradient of AdaptivePool is a sum over parts again, of gradients that are divided by how many elements each has.

var adaptiveGrads = declare(declaration[windowCall]{
	inputs: []string{"dy"}, needed: 1,
	types: func(c windowCall, t weft.DType) bool { return c.takes(t) },
	check: checkAdaptiveGrad, launch: launchAdaptiveGrad,
})

// AdaptivePoolGrad is the gradient of AdaptivePool, of sums or means, given that of its result, dy: a new tensor whose last dimensions have sizes, those of
// what was reduced. Parts may overlap and have different numbers of elements. Each element adds up the gradients of the parts that it is in, in F32
// and in the same order in every run.
//
// Errors: as for AdaptivePool, and ErrUnsupported for other reductions.
func AdaptivePoolGrad(dy *weft.Tensor, r WindowReduction, sizes ...int) (*weft.Tensor, error) {
	return adaptiveGrads.new(newAdaptive("adaptive_pool_grad", r, sizes), dy)
}

// AdaptivePoolGradInto writes what AdaptivePoolGrad returns into out.
//
// Errors: as for AdaptivePoolGrad, and ErrUnsupported if out repeats elements or overlaps dy.
func AdaptivePoolGradInto(out, dy *weft.Tensor, r WindowReduction, sizes ...int) error {
	return adaptiveGrads.into(newAdaptive("adaptive_pool_grad", r, sizes), out, dy)
}

func checkAdaptiveGrad(c *windowCall, in []*weft.Tensor) ([]int, error) {
	_, shape, err := c.of(in[0])
	if err == nil && c.kind != WindowMean && c.kind != WindowSum {
		err = fault.New(weft.ErrUnsupported, c.op, "the gradient of reductions but sums and means").For("reduction")
	}
	return shape, err
}

func launchAdaptiveGrad(c *windowCall, out *weft.Tensor, in []*weft.Tensor) error {
	dy := in[0]
	back, shape, err := c.of(dy)
	if err != nil {
		return err
	}
	made := scratch{}
	defer made.close()
	if c.kind == WindowMean {
		var forward []windowDim
		for d, n := range shape {
			w := noWindow
			if d >= len(shape)-int(c.dims) {
				if w, err = c.divide(shape, d, n, dy.Dim(d)); err != nil {
					return err
				}
			}
			forward = append(forward, w)
		}
		if dy = shared(&made, c.op, shape, dy, forward); made.err != nil {
			return made.err
		}
	}
	return windowRun{op: c.op, kind: kernels.ReduceSum, dims: back}.run(out, dy, nil)
}
