package ops

import (
	"cmp"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
)

var indexedPools = declare(declaration[windowCall]{
	inputs: []string{"x"}, needed: 1, output: "values", more: []string{"indices"},
	types: func(c windowCall, t weft.DType) bool { return c.takes(t) },
	check: checkIndexedPool, launch: launchIndexedPool,
})

// MaxPoolIndices returns what MaxPool does, the largest element of each window, and where in x it is: two new tensors of one shape, the second of I32. An index is
// the number of an element in its plane, which are the last dimensions of x, as many as w.Size has, in row-major order: row · columns + column of images [N,C,H,W]
// with a Size of two numbers, as in PyTorch. Of equal elements, 0 and -0 among them, the first one counts, and a NaN is above all numbers. A window of nothing but padding has the
// least number of the type, -infinity of floats, and the index -1. x is read once.
//
// Errors: as for MaxPool, and ErrLimit for planes of 2^31 elements and more.
func MaxPoolIndices(x *weft.Tensor, w Window) (values, indices *weft.Tensor, err error) {
	c := newWindow("max_pool_indices", WindowMax, w)
	shape, err := indexedPools.checkInputs(&c, []*weft.Tensor{x, nil})
	if err != nil {
		return nil, nil, err
	}
	if indices, err = newResult(c.op, "indices", x.Device(), weft.I32, shape...); err != nil {
		return nil, nil, err
	}
	if values, err = indexedPools.new(c, x, indices); err != nil {
		indices.Close()
		return nil, nil, err
	}
	return values, indices, nil
}

// MaxPoolIndicesInto writes the elements into values and their indices into indices, which may be nil.
//
// Errors: as for MaxPoolIndices, and ErrUnsupported if values or indices repeats elements or overlaps another argument.
func MaxPoolIndicesInto(values, indices, x *weft.Tensor, w Window) error {
	return indexedPools.into(newWindow("max_pool_indices", WindowMax, w), values, x, indices)
}

func checkIndexedPool(c *windowCall, in []*weft.Tensor) ([]int, error) {
	x := operand{"x", in[0]}
	_, shape, err := c.of(x.tensor)
	if err != nil {
		return nil, err
	}
	plane := 1.0
	for _, n := range x.tensor.Shape()[x.tensor.Rank()-int(c.dims):] {
		plane *= float64(n)
	}
	if plane > math.MaxInt32 {
		return nil, fault.New(weft.ErrLimit, c.op, "planes of %.0f elements, want at most 2^31-1: indices are i32", plane).For(x.name)
	}
	if in[1] == nil {
		return shape, nil
	}
	to := operand{"indices", in[1]}
	return shape, cmp.Or(checkGiven(c.op, to, x, weft.I32), checkShape(c.op, to, shape))
}

func launchIndexedPool(c *windowCall, values *weft.Tensor, in []*weft.Tensor) error {
	x, indices := in[0], in[1]
	dims, _, err := c.of(x)
	if err != nil {
		return err
	}
	r := windowRun{op: c.op, kind: kernels.ReduceMax, dims: dims}
	if indices != nil {
		r.kind, r.indices, r.plane = kernels.ReduceArgMax, indices, int(c.dims)
	}
	return r.run(values, x, nil)
}

// unpoolCall is the sizes of a call's planes.
type unpoolCall struct {
	given
	dims  int32 // may be beyond the list, which check refuses
	sizes [maxWindow]int
}

func newUnpool(sizes []int) unpoolCall {
	c := unpoolCall{given: given{op: "max_unpool"}, dims: fit32(len(sizes))}
	copy(c.sizes[:], sizes)
	return c
}

var unpools = declare(declaration[unpoolCall]{
	inputs: []string{"x", "indices"}, needed: 2, alike: 1,
	types: func(_ unpoolCall, t weft.DType) bool { return t.Valid() },
	check: checkUnpool, launch: launchUnpool,
})

// MaxUnpool puts the elements of x back where MaxPoolIndices found them: a new tensor with planes of sizes as its last dimensions, that has the elements of each plane of x at
// the places that their indices name, and zeros elsewhere. x is of any element type, the indices are of I32, U32 or I64 and x's shape, in any views. An element whose index is below 0 or
// beyond the plane is left out, and of several with one index any of them remains; those of windows that overlap are equal.
//
// The gradient of x is TakeAlong of dy at the indices, along planes that are reshaped to vectors.
//
// Errors: ErrArgument for nil, indices of another type, no sizes or more than 8, and sizes below 0, ErrShape for indices of another shape and for more sizes than x has dimensions, ErrLimit,
// ErrDevice, ErrClosed, ErrOutOfMemory.
func MaxUnpool(x, indices *weft.Tensor, sizes ...int) (*weft.Tensor, error) {
	return unpools.new(newUnpool(sizes), x, indices)
}

// MaxUnpoolInto writes what MaxUnpool returns into out.
//
// Errors: as for MaxUnpool, and ErrUnsupported if out repeats elements or overlaps x or the indices.
func MaxUnpoolInto(out, x, indices *weft.Tensor, sizes ...int) error {
	return unpools.into(newUnpool(sizes), out, x, indices)
}

func checkUnpool(c *unpoolCall, in []*weft.Tensor) ([]int, error) {
	x, indices := operand{"x", in[0]}, operand{"indices", in[1]}
	switch {
	case c.dims < 1 || c.dims > maxWindow:
		return nil, fault.New(weft.ErrArgument, c.op, "%s, want 1 to %d", fault.Count(c.dims, "size"), maxWindow).For("sizes")
	case int(c.dims) > x.tensor.Rank():
		return nil, fault.New(weft.ErrShape, c.op, "shape %v has %s, with %s", x.tensor.Shape(), fault.Count(x.tensor.Rank(), "dimension"), fault.Count(c.dims, "size")).For(x.name)
	}
	if err := checkIndices(c.op, indices, x); err != nil {
		return nil, err
	}
	if err := checkShape(c.op, indices, x.tensor.Shape()); err != nil {
		return nil, err
	}
	shape := x.tensor.Shape()[:x.tensor.Rank()-int(c.dims)]
	for _, n := range c.sizes[:c.dims] {
		if n < 0 {
			return nil, fault.New(weft.ErrArgument, c.op, "%d, want at least 0", n).For("sizes")
		}
		shape = append(shape, n)
	}
	return shape, nil
}

func launchUnpool(c *unpoolCall, out *weft.Tensor, in []*weft.Tensor) error {
	made := scratch{}
	defer made.close()
	to, whole := c.planes(&made, out)
	if made.err != nil {
		return made.err
	}
	if err := whole.Fill(zeroOf(out.DType())); err != nil {
		return err
	}
	if in[0].Len() > 0 {
		x, _ := c.copied(&made, in[0])
		indices, _ := c.copied(&made, in[1])
		if made.err != nil {
			return made.err
		}
		if err := ScatterAlongInto(to, to, -1, indices, x, ScatterSet); err != nil {
			return err
		}
	}
	if whole == out {
		return nil
	}
	return out.CopyFrom(whole)
}

// planes are the planes of a tensor as vectors, of the tensor itself or, where its memory has no such vectors, of a new one in its shape.
func (c *unpoolCall) planes(made *scratch, t *weft.Tensor) (vectors, whole *weft.Tensor) {
	lead := t.Rank() - int(c.dims)
	shape := append(t.Shape()[:lead:lead], product(t.Shape()[lead:]))
	if v, err := made.try(t.Reshape(shape...)); err == nil {
		return v, t
	}
	whole = made.keep(weft.EmptyBeside(t, t.DType(), t.Shape()...)) // which each replay clears, too
	if made.err != nil {
		return nil, nil
	}
	return made.keep(whole.Reshape(shape...)), whole
}

// copied are the planes of a tensor as vectors, which are copied where its memory has none.
func (c *unpoolCall) copied(made *scratch, t *weft.Tensor) (vectors, whole *weft.Tensor) {
	vectors, whole = c.planes(made, t)
	if made.err == nil && whole != t {
		made.err = whole.CopyFrom(t)
	}
	return vectors, whole
}

// zeroOf is what a tensor of zeros is filled with.
func zeroOf(elem weft.DType) any {
	if elem == weft.Bool {
		return false
	}
	return 0
}
