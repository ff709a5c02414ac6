package ops

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/tile"
)

var windowGrads = declare(declaration[windowCall]{
	inputs: []string{"x", "dy"}, needed: 2,
	types: func(c windowCall, t weft.DType) bool { return c.takes(t) },
	check: checkWindowGrad, launch: launchWindowGrad,
})

// ReduceWindowGrad is the gradient of ReduceWindow: of x, given that of its result, dy. It is a new tensor in the shape of x. For sums and means
// each element gets its part of the gradients of the windows that it is in; for the largest and the smallest element it gets those of the windows in which it is
// that, the first one of equal ones in row-major order and the first NaN if there is one, which is XLA's SelectAndScatter. Gradients are added in F32 in an order
// that is the same in every run. Of sums and means only the shape of x matters.
//
// Errors: as for ReduceWindow, ErrShape for a dy that has not the shape of its result, and ErrUnsupported for WindowProd.
func ReduceWindowGrad(x, dy *weft.Tensor, r WindowReduction, w Window) (*weft.Tensor, error) {
	return windowGrads.new(newWindow("reduce_window_grad", r, w), x, dy)
}

// ReduceWindowGradInto writes what ReduceWindowGrad returns into out.
//
// Errors: as for ReduceWindowGrad, and ErrUnsupported if out repeats elements or overlaps x or dy.
func ReduceWindowGradInto(out, x, dy *weft.Tensor, r WindowReduction, w Window) error {
	return windowGrads.into(newWindow("reduce_window_grad", r, w), out, x, dy)
}

func checkWindowGrad(c *windowCall, in []*weft.Tensor) ([]int, error) {
	_, shape, err := c.of(in[0])
	if err != nil {
		return nil, err
	}
	if c.kind == WindowProd {
		return nil, fault.New(weft.ErrUnsupported, c.op, "the gradient of products").For("reduction")
	}
	return in[0].Shape(), checkShape(c.op, operand{"dy", in[1]}, shape)
}

func launchWindowGrad(c *windowCall, out *weft.Tensor, in []*weft.Tensor) error {
	x, dy := in[0], in[1]
	dims, shape, err := c.of(x)
	if err != nil {
		return err
	}
	if dy.Len() == 0 {
		return out.Fill(0)
	}
	made := scratch{}
	defer made.close()
	back := windowRun{op: c.op, kind: kernels.ReduceSum, dims: turned(dims)}
	switch c.kind {
	case WindowMax, WindowMin:
		find := windowRun{op: c.op, kind: kernels.ReduceArgMax, dims: dims}
		if c.kind == WindowMin {
			find.kind = kernels.ReduceArgMin
		}
		chosen := made.keep(weft.Empty(x.Device(), weft.I32, shape...))
		if made.err != nil {
			return made.err
		}
		if err := find.run(chosen, x, nil); err != nil {
			return err
		}
		return back.run(out, dy, chosen)
	case WindowMeanPadded:
		back.kind, back.divisor = kernels.ReduceMean, 1
		for _, w := range dims {
			back.divisor *= float64(w.size)
		}
	case WindowMean:
		if dy = shared(&made, c.op, x.Shape(), dy, dims); made.err != nil {
			return made.err
		}
	}
	return back.run(out, dy, nil)
}

// turned are windows of results around each element of what results are of.
func turned(dims []windowDim) []windowDim {
	list := make([]windowDim, len(dims))
	for d, w := range dims {
		list[d] = windowDim{w.size, w.base, -w.gap, w.stride, -w.offset, w.resized}
		if w.trivial() {
			list[d] = w
		}
	}
	return list
}

// shareMap divides gradients by how many elements a window has.
var shareMap = weft.NewMap("share", []string{"dy", "count"}, func(in []*tile.Value) *tile.Value {
	elem := in[0].Type().Elem
	return in[0].Cast(elem.Accumulator()).Div(in[1].Maximum(1).Cast(elem.Accumulator())).Cast(elem)
}).InputTypes(0, weft.F32)

// shared is dy divided by how many elements of a shape each window has, which a reduction of ones counts.
func shared(made *scratch, op string, shape []int, dy *weft.Tensor, dims []windowDim) *weft.Tensor {
	counts, from := dy.Shape(), slices.Clone(shape)
	for d, w := range dims {
		if w.trivial() {
			counts[d], from[d] = 1, 1
		}
	}
	one := made.keep(weft.Empty(dy.Device(), weft.F32, 1))
	count := made.keep(weft.Empty(dy.Device(), weft.F32, counts...))
	if made.err != nil {
		return nil
	}
	if made.err = one.Fill(1); made.err != nil {
		return nil
	}
	ones := made.keep(one.Broadcast(from...))
	if made.err != nil {
		return nil
	}
	if made.err = (windowRun{op: op, kind: kernels.ReduceSum, dims: dims}).run(count, ones, nil); made.err != nil {
		return nil
	}
	return made.keep(shareMap.Apply(dy, count))
}
