package ops

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

// topKOptions is what a call asks for.
type topKOptions struct {
	given
	k, dim int // may be out of their ranges, which check refuses
}

func newTopK(k, dim int) topKOptions {
	return topKOptions{given: given{op: "top_k"}, k: k, dim: dim}
}

var topKs = declare(declaration[topKOptions]{
	inputs: []string{"x"}, needed: 1, output: "values", more: []string{"indices"},
	types: func(_ topKOptions, t weft.DType) bool {
		return upToF32(t) || t.IsInt() && t.Size() <= 4
	},
	check: checkTopK, launch: launchTopK,
})

// TopK returns the k largest elements of x along a dimension, the largest first, and their indices in that
// dimension, of I32: two new tensors in the shape of x but for k in place of that dimension, of which a negative
// one counts from the end. x is of F32, F16, BF16 or of integers of up to 32 bits, in any views, and its rows may have any length.
//
// Of equal elements, 0 and -0 among them, the one with the lowest index comes first, as in a stable
// sort, and if not all of them are among the k, those with the lowest indices are. A NaN is above all
// numbers, as in PyTorch, and all NaNs are equal. The result is the same on all devices. The time grows with
// k² up to some hundreds of many rows and some thousands of one, and from there on as that of a sort.
//
// Errors: ErrArgument for nil, a dimension that x does not have, and a k below 0 or above its size,
// ErrUnsupported for other element types or more than 3 other dimensions that do not merge, ErrClosed.
func TopK(x *weft.Tensor, k, dim int) (values, indices *weft.Tensor, err error) {
	o := newTopK(k, dim)
	shape, err := topKs.checkInputs(&o, []*weft.Tensor{x, nil})
	if err != nil {
		return nil, nil, err
	}
	if indices, err = newResult(o.op, "indices", x.Device(), weft.I32, shape...); err != nil {
		return nil, nil, err
	}
	if values, err = topKs.new(o, x, indices); err != nil {
		indices.Close()
		return nil, nil, err
	}
	return values, indices, nil
}

// TopKInto writes the elements into values and their indices into indices, which may be nil.
//
// Errors: as for TopK, and ErrUnsupported if values or indices repeats elements or overlaps another argument.
func TopKInto(values, indices, x *weft.Tensor, k, dim int) error {
	return topKs.into(newTopK(k, dim), values, x, indices)
}

func checkTopK(o *topKOptions, in []*weft.Tensor) ([]int, error) {
	x, indices := in[0], in[1]
	if x.Rank() == 0 {
		return nil, fault.New(weft.ErrShape, o.op, "a scalar has no rows, want at least 1 dimension").For("x")
	}
	dim, err := dimension(o.op, o.dim, operand{"x", x})
	if err != nil {
		return nil, err
	}
	shape := x.Shape()
	if o.k < 0 || o.k > shape[dim] {
		return nil, fault.New(weft.ErrArgument, o.op, "%d, want 0 to %d, the size of dimension %d", o.k, shape[dim], dim).For("k")
	}
	shape[dim] = o.k
	if indices == nil {
		return shape, nil
	}
	to := operand{"indices", indices}
	if err := checkGiven(o.op, to, operand{"x", x}, weft.I32); err != nil {
		return nil, err
	}
	return shape, checkShape(o.op, to, shape)
}

func launchTopK(o *topKOptions, values *weft.Tensor, in []*weft.Tensor) error {
	x, indices := in[0], in[1]
	made := scratch{}
	defer made.close()
	if indices == nil {
		if indices = made.keep(weft.Empty(x.Device(), weft.I32, values.Shape()...)); made.err != nil {
			return made.err
		}
	}
	dim, err := dimension(o.op, o.dim, operand{"x", x})
	if err != nil {
		return err
	}
	views, err := rowsLast(dim, ownView(x), ownView(values), ownView(indices))
	if err != nil {
		return err
	}
	from := views[0].Layout
	if from.Rank()+1 > kernels.MaxRank {
		return fault.New(weft.ErrUnsupported, o.op, "shape %v has too many dimensions, want at most %d that do not merge", x.Shape(), kernels.MaxRank-1).For("x")
	}
	p := kernels.TopKProblem{Elem: x.DType(), K: o.k, X: viewOf(from)}
	return runTopK(p, pick(topKTune, x.Device(), p), views)
}

// runTopK launches the kernels on rows of x, values and indices.
func runTopK(p kernels.TopKProblem, sizes kernels.TopKSizes, views []weft.TensorView) error {
	made := scratch{}
	defer made.close()
	dev, last := views[0].Tensor.Device(), views[0].Layout.Rank()-1
	lead := views[0].Layout.Shape()[:last]
	n, rows := p.Row(), views[:1] // of elements or candidates
	for {
		parts, once := p.Parts(sizes, n)
		if parts == 0 {
			break
		}
		if p.SortsAll(dev.Caps(), sizes, n) {
			return sortTopK(&made, p, rows, n, views[1], views[2])
		}
		to := made.keep(weft.Empty(dev, weft.I32, append(slices.Clone(lead), parts, p.K)...))
		if made.err != nil {
			return made.err
		}
		if err := kernels.TopK.LaunchViews(p.Config(sizes, len(rows) > 1, once), weft.Scalars{p.K}, append(slices.Clone(rows), ownView(to))...); err != nil {
			return err
		}
		n = parts * p.K
		list := made.keep(to.Reshape(append(slices.Clone(lead), n)...))
		if made.err != nil {
			return made.err
		}
		rows = []weft.TensorView{views[0], ownView(list)}
	}
	if p.SortsApart(dev.Caps(), sizes, n) {
		return sortTopK(&made, p, rows, n, views[1], views[2])
	}
	return kernels.TopKOrder.LaunchViews(p.Order(dev.Caps(), sizes, len(rows) > 1, n), nil, append(slices.Clone(rows), views[1:]...)...)
}

// sortTopK sorts n candidates of each row, and takes the first of them.
func sortTopK(made *scratch, p kernels.TopKProblem, rows []weft.TensorView, n int, values, indices weft.TensorView) error {
	dev, shape := rows[0].Tensor.Device(), rows[0].Layout.Shape()
	shape[len(shape)-1] = n
	keys, order := made.keep(weft.Empty(dev, weft.U32, shape...)), made.keep(weft.Empty(dev, weft.I32, shape...))
	if made.err != nil {
		return made.err
	}
	listed := len(rows) > 1
	if err := kernels.TopKKeys.LaunchViews(p.Move(dev.Caps(), listed, n), nil, append(slices.Clone(rows), ownView(keys))...); err != nil {
		return err
	}
	rising := newSort("top_k", len(shape)-1, nil)
	if err := rising.launch(keys, nil, order); err != nil {
		return err
	}
	return kernels.TopKTake.LaunchViews(p.Move(dev.Caps(), listed, p.K), nil, append(slices.Clone(rows), ownView(order), values, indices)...)
}

// rowsLast makes a dimension the last one of views that differ in its size alone, and merges the dimensions before it where
// all views allow. They stay in their order.
func rowsLast(dim int, views ...weft.TensorView) ([]weft.TensorView, error) {
	kept := make([]layout.Layout, len(views))
	for i, v := range views {
		var err error
		if kept[i], err = v.Layout.Select(dim, 0); err != nil {
			return nil, err
		}
	}
	merged := slices.Clone(views)
	for i, l := range layout.CoalesceTogether(kept...) {
		of := views[i].Layout
		rows, err := layout.Strided(append(l.Shape(), of.Size(dim)), append(l.Strides(), of.Stride(dim)), of.Offset())
		if err != nil {
			return nil, err
		}
		merged[i].Layout = rows
	}
	return merged, nil
}
