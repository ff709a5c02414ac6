package ops

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
)

var gathers = declare(declaration[indexedOptions]{
	inputs: []string{"x", "indices"}, needed: 2, alike: 1, types: func(_ indexedOptions, t weft.DType) bool { return t.Valid() },
	check: checkGather, launch: launchGather,
})

var dynamicSlices = declare(declaration[indexedOptions]{
	inputs: []string{"x", "starts"}, needed: 2, alike: 1, types: func(_ indexedOptions, t weft.DType) bool { return t.Valid() },
	check: checkSlice, launch: launchGather,
})

// IndexSelect returns the slices of x along a dimension that indices name: in the shape of x, with that of the indices in place of the dimension, of which
// a negative one counts from the end. x is of any element type, the indices are of I32, U32 or I64 and any shape, and all in any views. Elements stay
// as they are, bit for bit; where rows of a 16-bit type do not consist of whole words of 32 bits, a NaN may become another one.
//
// An index below 0 or beyond the dimension gives zeros, as an id of Embedding does: only the device sees indices, and it reads nothing
// outside of x.
//
// Errors: ErrArgument for nil, indices of another type and a dimension that x does not have, ErrShape for x without dimensions, ErrLimit for
// tensors that reach over 2^31 elements or more, ErrDevice, ErrClosed, ErrOutOfMemory.
func IndexSelect(x *weft.Tensor, dim int, indices *weft.Tensor) (*weft.Tensor, error) {
	return gathers.new(indexSelect(dim), x, indices)
}

// IndexSelectInto writes the slices into out.
//
// Errors: as for IndexSelect, and ErrUnsupported if out repeats elements or overlaps x or the indices.
func IndexSelectInto(out, x *weft.Tensor, dim int, indices *weft.Tensor) error {
	return gathers.into(indexSelect(dim), out, x, indices)
}

func indexSelect(dim int) indexedOptions {
	return indexedOptions{given: given{op: "index_select"}, form: formSelect, dim: dim}
}

// TakeAlong returns the elements of x that indices name along a dimension, one for each index: element [i,j,k] is x[i,indices[i,j,k],k] for dimension
// 1. The indices have as many dimensions as x, and along the others are not longer than x. It is PyTorch's gather, and NumPy's take_along_axis.
// Element types, views and indices that x does not have are as for IndexSelect.
//
// Errors: as for IndexSelect, and ErrShape for indices of another rank or that are longer.
func TakeAlong(x *weft.Tensor, dim int, indices *weft.Tensor) (*weft.Tensor, error) {
	return gathers.new(takeAlong(dim), x, indices)
}

// TakeAlongInto writes the elements into out.
//
// Errors: as for TakeAlong, and ErrUnsupported if out repeats elements or overlaps x or the indices.
func TakeAlongInto(out, x *weft.Tensor, dim int, indices *weft.Tensor) error {
	return gathers.into(takeAlong(dim), out, x, indices)
}

func takeAlong(dim int) indexedOptions {
	return indexedOptions{given: given{op: "take_along"}, form: formAlong, dim: dim}
}

// Gather returns windows of x that index vectors name: see Windows. A window that would reach beyond x is moved into it, as XLA has it. Element types and
// views are as for IndexSelect, and x may have any number of dimensions.
//
// Errors: ErrArgument for windows that are none, ErrShape for those that do not fit x or the indices, and as for IndexSelect.
func Gather(x, indices *weft.Tensor, windows Windows) (*weft.Tensor, error) {
	return gathers.new(gatherWindows(windows), x, indices)
}

// GatherInto writes the windows into out.
//
// Errors: as for Gather, and ErrUnsupported if out repeats elements or overlaps x or the indices.
func GatherInto(out, x, indices *weft.Tensor, windows Windows) error {
	return gathers.into(gatherWindows(windows), out, x, indices)
}

func gatherWindows(w Windows) indexedOptions {
	return indexedOptions{given: given{op: "gather"}, form: formWindows, spec: w.encode()}
}

// DynamicSlice returns a part of x, of so many elements along each dimension, from an element on that a vector on the device names: starts has an index for each
// dimension of x, of I32, U32 or I64. A part that would reach beyond x is moved into it. Element types and views are as for IndexSelect.
//
// Errors: ErrShape for another number of starts or sizes than of dimensions, and for sizes that x does not have, and as for IndexSelect.
func DynamicSlice(x, starts *weft.Tensor, sizes ...int) (*weft.Tensor, error) {
	return dynamicSlices.new(dynamicSlice(sizes), x, starts)
}

// DynamicSliceInto writes the part into out.
//
// Errors: as for DynamicSlice, and ErrUnsupported if out repeats elements or overlaps x or the starts.
func DynamicSliceInto(out, x, starts *weft.Tensor, sizes ...int) error {
	return dynamicSlices.into(dynamicSlice(sizes), out, x, starts)
}

func dynamicSlice(sizes []int) indexedOptions {
	return indexedOptions{given: given{op: "dynamic_slice"}, form: formSlice, spec: encodeInts(sizes)}
}

func checkGather(o *indexedOptions, in []*weft.Tensor) ([]int, error) {
	x, indices := in[0], in[1]
	if err := checkIndices(o.op, operand{"indices", indices}, operand{"x", x}); err != nil {
		return nil, err
	}
	if o.form == formWindows {
		w := decodeWindows(o.spec)
		if err := w.check(o.op, x.Shape(), indices.Shape()); err != nil {
			return nil, err
		}
		if err := w.checkSizes(o.op, "windows", x.Shape()); err != nil {
			return nil, err
		}
		return w.shape(x.Shape(), indices.Shape()), nil
	}
	return o.alongShape(x, indices)
}

// alongShape is the shape of the tensor with the windows of an op along one dimension.
func (o *indexedOptions) alongShape(x, indices *weft.Tensor) ([]int, error) {
	if x.Rank() == 0 {
		return nil, fault.New(weft.ErrShape, o.op, "a scalar has no dimension to take elements of").For("x")
	}
	dim, err := dimension(o.op, o.dim, operand{"x", x})
	if err != nil {
		return nil, err
	}
	if o.form == formSelect {
		return slices.Replace(x.Shape(), dim, dim+1, indices.Shape()...), nil
	}
	fits := x.Rank() == indices.Rank()
	for d := 0; fits && d < x.Rank(); d++ {
		fits = d == dim || indices.Dim(d) <= x.Dim(d)
	}
	if !fits {
		return nil, fault.New(weft.ErrShape, o.op, "shape %v for x's %v, want as many dimensions, none but dimension %d longer", indices.Shape(), x.Shape(), dim).For("indices")
	}
	return indices.Shape(), nil
}

func checkSlice(o *indexedOptions, in []*weft.Tensor) ([]int, error) {
	x, starts, sizes := in[0], in[1], decodeInts(o.spec)[0]
	if err := o.checkStarts(x, starts); err != nil {
		return nil, err
	}
	if len(sizes) != x.Rank() {
		return nil, fault.New(weft.ErrShape, o.op, "%s given for shape %v", fault.Count(len(sizes), "size"), x.Shape()).For("sizes")
	}
	for d, n := range sizes {
		if n < 0 || n > x.Dim(d) {
			return nil, fault.New(weft.ErrShape, o.op, "%d elements of dimension %d, which has size %d", n, d, x.Dim(d)).For("sizes")
		}
	}
	return sizes, nil
}

func (o *indexedOptions) checkStarts(x, starts *weft.Tensor) error {
	to := operand{"starts", starts}
	if err := checkIndices(o.op, to, operand{"x", x}); err != nil {
		return err
	}
	return checkShape(o.op, to, []int{x.Rank()})
}

func launchGather(o *indexedOptions, out *weft.Tensor, in []*weft.Tensor) error {
	x, indices := in[0], in[1]
	name := "indices"
	if o.form == formSlice {
		name = "starts"
	}
	c := o.call(x.Layout(), indices.Layout(), out.Layout())
	p, views, err := o.problem(&c, indexedTensors{operand{"x", x}, operand{name, indices}, operand{"out", out}}, kernels.ScatterSet, false)
	if err != nil {
		return err
	}
	list := views[:]
	if p.Coords == 0 {
		list = []weft.TensorView{views[0], views[2]}
	}
	return kernels.Gather.LaunchViews(p.Config(pick(gatherTune, out.Device(), p)), c.Scalars(), list...)
}
