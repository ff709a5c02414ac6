package ops

import (
	"slices"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

// ScatterKind is what becomes of an element that has an update.
type ScatterKind = kernels.ScatterKind

// The kinds.
const (
	ScatterSet = kernels.ScatterSet // the update
	ScatterAdd = kernels.ScatterAdd // the sum
	ScatterMul = kernels.ScatterMul // the product
	ScatterMin = kernels.ScatterMin // the smaller one
	ScatterMax = kernels.ScatterMax // the larger one
)

// ScatterOption changes what Scatter and its relatives promise.
type ScatterOption interface{ setScatter(*indexedOptions) }

type scatterOption func(*indexedOptions)

func (f scatterOption) setScatter(o *indexedOptions) { f(o) }

// LastWins has the last of several updates of an element win, in the order of the indices, where ScatterSet takes any of them.
func LastWins() ScatterOption { return scatterOption(func(o *indexedOptions) { o.order = true }) }

var scatterPool = sync.Pool{New: func() any { return new(indexedOptions) }}

var scatters = declare(declaration[indexedOptions]{
	inputs: []string{"x", "indices", "updates"}, needed: 3, alike: 1, inPlace: true, types: func(_ indexedOptions, t weft.DType) bool { return t.Valid() },
	check: checkScatter, launch: launchScatter,
})

var sliceUpdates = declare(declaration[indexedOptions]{
	inputs: []string{"x", "starts", "update"}, needed: 3, alike: 1, inPlace: true, types: func(_ indexedOptions, t weft.DType) bool { return t.Valid() },
	check: checkUpdate, launch: launchScatter,
})

// IndexUpdate returns x with updates of the slices along a dimension that indices name: updates has the shape of x, with that of the indices in place of the
// dimension. It is PyTorch's index_copy, index_add and index_reduce. x and updates are of one element type, any but for Bool, which has ScatterSet, ScatterMin and
// ScatterMax alone, and 64 bits, which have ScatterSet and, of integers, ScatterAdd alone; the indices are of I32, U32 or I64 and any shape, and all in any views.
//
// An update whose index is below 0 or beyond the dimension is left out.
//
// Where several updates are of one element, ScatterSet takes one of them, whichever, unless LastWins is given. All others combine all of them: in an order
// that differs from run to run, and so do the last bits of sums and products of floats, unless Deterministic is given. Elements of 16 bits are combined in F32 and rounded at the end, and integers
// of 8 and 16 bits in 32 bits. Integers wrap. The larger and the smaller one of a number and a NaN is a NaN.
//
// Errors: ErrArgument for nil, element types that do not fit, a kind that there is not and a dimension that x does not have, ErrShape for shapes that do not fit,
// ErrUnsupported for an element type that the kind does not take, ErrLimit for tensors that reach over 2^31 elements or more, ErrDevice, ErrClosed, ErrOutOfMemory.
func IndexUpdate(x *weft.Tensor, dim int, indices, updates *weft.Tensor, kind ScatterKind, options ...ScatterOption) (*weft.Tensor, error) {
	return scatters.new(newScatter("index_update", formSelect, dim, "", kind, options), x, indices, updates)
}

// IndexUpdateInto writes the result into out, which may be x.
//
// Errors: as for IndexUpdate, and ErrUnsupported if out repeats elements or overlaps another argument without being the same view as x.
func IndexUpdateInto(out, x *weft.Tensor, dim int, indices, updates *weft.Tensor, kind ScatterKind, options ...ScatterOption) error {
	return scatters.into(newScatter("index_update", formSelect, dim, "", kind, options), out, x, indices, updates)
}

// ScatterAlong returns x with an update for each index, of the element that it names along a dimension: update [i,j,k] is of element x[i,indices[i,j,k],k] for
// dimension 1. Updates have the indices' shape, and the indices as many dimensions as x, and along the others are not longer. It is PyTorch's scatter, scatter_add and
// scatter_reduce. Otherwise it is as IndexUpdate.
//
// Errors: as for IndexUpdate.
func ScatterAlong(x *weft.Tensor, dim int, indices, updates *weft.Tensor, kind ScatterKind, options ...ScatterOption) (*weft.Tensor, error) {
	return scatters.new(newScatter("scatter_along", formAlong, dim, "", kind, options), x, indices, updates)
}

// ScatterAlongInto writes the result into out, which may be x.
//
// Errors: as for IndexUpdateInto.
func ScatterAlongInto(out, x *weft.Tensor, dim int, indices, updates *weft.Tensor, kind ScatterKind, options ...ScatterOption) error {
	return scatters.into(newScatter("scatter_along", formAlong, dim, "", kind, options), out, x, indices, updates)
}

// Scatter returns x with updates of windows that index vectors name: see Windows. A window that would reach beyond x is left out, as XLA has it. Otherwise it is
// as IndexUpdate, for any number of dimensions.
//
// Errors: ErrArgument for windows that are none, and as for IndexUpdate.
func Scatter(x, indices, updates *weft.Tensor, windows Windows, kind ScatterKind, options ...ScatterOption) (*weft.Tensor, error) {
	return scatters.new(newScatter("scatter", formWindows, 0, windows.encode(), kind, options), x, indices, updates)
}

// ScatterInto writes the result into out, which may be x.
//
// Errors: as for IndexUpdateInto.
func ScatterInto(out, x, indices, updates *weft.Tensor, windows Windows, kind ScatterKind, options ...ScatterOption) error {
	return scatters.into(newScatter("scatter", formWindows, 0, windows.encode(), kind, options), out, x, indices, updates)
}

// DynamicUpdateSlice returns x with update in place of a part of it, from an element on that a vector on the device names: starts has an index for each dimension of
// x, of I32, U32 or I64. A part that would reach beyond x is moved into it. Element types and views are as for IndexSelect.
//
// Errors: ErrShape for another number of starts, and an update that does not fit into x, and as for IndexSelect.
func DynamicUpdateSlice(x, update, starts *weft.Tensor) (*weft.Tensor, error) {
	return sliceUpdates.new(newScatter("dynamic_update_slice", formSlice, 0, "", ScatterSet, nil), x, starts, update)
}

// DynamicUpdateSliceInto writes the result into out, which may be x.
//
// Errors: as for DynamicUpdateSlice, and ErrUnsupported if out repeats elements or overlaps another argument without being the same view as x.
func DynamicUpdateSliceInto(out, x, update, starts *weft.Tensor) error {
	return sliceUpdates.into(newScatter("dynamic_update_slice", formSlice, 0, "", ScatterSet, nil), out, x, starts, update)
}

func newScatter(op string, form indexedForm, dim int, spec string, kind ScatterKind, options []ScatterOption) indexedOptions {
	return applied(&scatterPool, indexedOptions{given: given{op: op}, form: form, dim: dim, spec: spec, kind: kind}, options, ScatterOption.setScatter)
}

func checkScatter(o *indexedOptions, in []*weft.Tensor) ([]int, error) {
	x, indices, updates := in[0], in[1], in[2]
	if err := o.checkKind(x.DType()); err != nil {
		return nil, err
	}
	if err := checkIndices(o.op, operand{"indices", indices}, operand{"x", x}); err != nil {
		return nil, err
	}
	if err := checkGiven(o.op, operand{"updates", updates}, operand{"x", x}, x.DType()); err != nil {
		return nil, err
	}
	if o.form == formWindows {
		w := decodeWindows(o.spec)
		if err := w.check(o.op, x.Shape(), indices.Shape()); err != nil {
			return nil, err
		}
		if err := w.fromUpdates(o.op, x.Shape(), indices.Shape(), updates.Shape()); err != nil {
			return nil, err
		}
		return x.Shape(), o.checkFixed(x, updates)
	}
	shape, err := o.alongShape(x, indices)
	if err != nil {
		return nil, err
	}
	return x.Shape(), checkShape(o.op, operand{"updates", updates}, shape)
}

func (o *indexedOptions) checkKind(elem weft.DType) error {
	switch {
	case !o.kind.Valid():
		return fault.New(weft.ErrArgument, o.op, "kind %d does not exist", uint8(o.kind)).For("kind")
	case o.order && o.kind != ScatterSet:
		return fault.New(weft.ErrArgument, o.op, "LastWins is an option of ScatterSet")
	case elem == weft.Bool && (o.kind == ScatterAdd || o.kind == ScatterMul), elem.Size() == 8 && o.kind > ScatterAdd, elem == weft.F64 && o.kind != ScatterSet:
		return fault.New(weft.ErrUnsupported, o.op, "the kind %v of %v", o.kind, elem).For("kind")
	}
	return nil
}

func checkUpdate(o *indexedOptions, in []*weft.Tensor) ([]int, error) {
	x, starts, update := in[0], in[1], in[2]
	if err := o.checkStarts(x, starts); err != nil {
		return nil, err
	}
	if err := checkGiven(o.op, operand{"update", update}, operand{"x", x}, x.DType()); err != nil {
		return nil, err
	}
	fits := update.Rank() == x.Rank()
	for d := 0; fits && d < x.Rank(); d++ {
		fits = update.Dim(d) <= x.Dim(d)
	}
	if !fits {
		return nil, fault.New(weft.ErrShape, o.op, "shape %v does not fit into x's %v", update.Shape(), x.Shape()).For("update")
	}
	return x.Shape(), nil
}

func launchScatter(o *indexedOptions, out *weft.Tensor, in []*weft.Tensor) error {
	x, indices, updates := in[0], in[1], in[2]
	made := scratch{}
	defer made.close()
	work, sorted := out, o.sorts(out.DType())
	if elem := out.DType(); elem.Size() < 4 && o.kind != ScatterSet && !sorted { // no device has atomic ops for it
		wide := weft.U32
		switch {
		case elem.IsFloat():
			wide = weft.F32
		case elem.IsSigned():
			wide = weft.I32
		}
		if work = made.keep(weft.Empty(out.Device(), wide, out.Shape()...)); made.err != nil {
			return made.err
		}
	}
	if work != out || !out.Overlaps(x) {
		if err := copyInto(work, x); err != nil {
			return err
		}
	}
	if updates.Len() > 0 && sorted {
		return o.scatterSorted(&made, out, indices, updates)
	}
	if updates.Len() > 0 {
		if err := o.scatter(&made, work, indices, updates); err != nil {
			return err
		}
	}
	if work == out {
		return nil
	}
	return copyInto(out, work)
}

// names are those of the indices and of the updates.
func (o *indexedOptions) names() [2]string {
	switch {
	case o.form == formSlice:
		return [2]string{"starts", "update"}
	case o.op == "embedding_grad":
		return [2]string{"ids", "dy"}
	}
	return [2]string{"indices", "updates"}
}

// scatter changes x.
func (o *indexedOptions) scatter(made *scratch, x, indices, updates *weft.Tensor) error {
	names, kind := o.names(), o.kind
	ordered := kind == ScatterSet && o.form != formSlice && (o.order || o.fixed || x.DType().Size() == 8 && !x.Device().Caps().Int64) // else the words of two updates could meet
	if ordered {
		kind = kernels.ScatterNoted
	}
	c := o.call(x.Layout(), indices.Layout(), updates.Layout())
	p, views, err := o.problem(&c, indexedTensors{operand{"out", x}, operand{names[0], indices}, operand{names[1], updates}}, kind, true)
	if err != nil {
		return err
	}
	scalars := c.Scalars()
	list := []weft.TensorView{views[2], views[1], views[0]}
	if p.Coords == 0 {
		list = slices.Delete(list, 1, 2)
	}
	if ordered {
		n := views[0].Layout.Len()
		noted := made.keep(weft.EmptyBeside(x, weft.I32, n)) // what it holds at first is written in each replay, too
		if made.err != nil {
			return made.err
		}
		if err := noted.Fill(-1); err != nil {
			return err
		}
		note := p
		note.Kind, note.Elem, note.XRun, note.YRun = kernels.ScatterNote, weft.I32, 0, 0
		l, err := layout.Contiguous(n)
		if err != nil {
			return err
		}
		numbers := weft.TensorView{Tensor: noted, Layout: l}
		if err := kernels.Scatter.LaunchViews(note.Config(pick(scatterTune, x.Device(), note)), scalars, append(slices.Clone(list[1:len(list)-1]), numbers)...); err != nil {
			return err
		}
		list = slices.Insert(list, len(list)-1, numbers)
	}
	return kernels.Scatter.LaunchViews(p.Config(pick(scatterTune, x.Device(), p)), scalars, list...)
}
