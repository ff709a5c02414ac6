package ops

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

// concatOptions is what a call asks for.
type concatOptions struct {
	given
	dim int
}

// concatNames are the tensors' names in errors.
var concatNames = func() (names []string) {
	for i := range kernels.MaxConcat {
		names = append(names, tensorName(i))
	}
	return names
}()

func tensorName(i int) string { return fmt.Sprint("tensor ", i) }

// concats joins as many tensors as one launch takes.
var concats = declare(declaration[concatOptions]{
	inputs: concatNames, needed: 1, types: func(_ concatOptions, t weft.DType) bool { return t.Valid() },
	check: checkConcat, launch: launchConcat,
})

// Concat joins tensors along a dimension, of which a negative one counts from the end: they have one element type and equal sizes
// along all other dimensions, and are in any views. Elements stay as they are, bit for bit; where rows of a 16-bit type do not
// consist of whole words of 32 bits, a NaN may become another one.
//
// Up to 7 tensors take one launch.
//
// Errors: ErrArgument for no tensors, nil, different element types and a dimension that the tensors do not have, ErrShape for other
// sizes that differ and for tensors without dimensions, ErrDevice, ErrClosed, ErrLimit, ErrOutOfMemory.
func Concat(dim int, tensors ...*weft.Tensor) (*weft.Tensor, error) {
	return joined("concat", dim, tensors)
}

// ConcatInto joins tensors into out.
//
// Errors: as for Concat, and ErrUnsupported if out repeats elements or overlaps a tensor.
func ConcatInto(out *weft.Tensor, dim int, tensors ...*weft.Tensor) error {
	return joinInto("concat", out, dim, tensors)
}

// Stack joins tensors of one shape along a new dimension, before dimension dim of theirs; a negative dim counts from
// the end of the result, so that -1 makes it the last one.
//
// Errors: as for Concat.
func Stack(dim int, tensors ...*weft.Tensor) (*weft.Tensor, error) {
	views, err := stacked(dim, tensors)
	if err != nil {
		return nil, err
	}
	defer closeAll(views)
	return joined("stack", dim, views)
}

// StackInto is Stack into a given tensor.
//
// Errors: as for ConcatInto.
func StackInto(out *weft.Tensor, dim int, tensors ...*weft.Tensor) error {
	views, err := stacked(dim, tensors)
	if err != nil {
		return err
	}
	defer closeAll(views)
	return joinInto("stack", out, dim, views)
}

// stacked are the tensors with a dimension of size 1 more.
func stacked(dim int, tensors []*weft.Tensor) (views []*weft.Tensor, err error) {
	for i, t := range tensors {
		if t == nil {
			closeAll(views)
			return nil, fault.New(weft.ErrArgument, "stack", "the tensor is nil").For(tensorName(i))
		}
		v, err := t.Unsqueeze(dim)
		if err != nil {
			closeAll(views)
			return nil, fault.New(weft.ErrArgument, "stack", "axis %d of a tensor of %s does not exist", dim, fault.Count(t.Rank()+1, "dimension")).For(tensorName(i))
		}
		views = append(views, v)
	}
	return views, nil
}

func closeAll(tensors []*weft.Tensor) {
	for _, t := range tensors {
		t.Close()
	}
}

func joined(op string, dim int, tensors []*weft.Tensor) (*weft.Tensor, error) {
	shape, err := checkJoined(op, dim, tensors)
	if err != nil {
		return nil, err
	}
	first := tensors[0]
	return into(op, first.Device(), first.DType(), shape, func(out *weft.Tensor) error { return joinInto(op, out, dim, tensors) })
}

// joinInto takes one launch for as many tensors as it has room for.
func joinInto(op string, out *weft.Tensor, dim int, tensors []*weft.Tensor) error {
	o := concatOptions{given: given{op: op}, dim: dim}
	if len(tensors) > 0 && len(tensors) <= kernels.MaxConcat && !slices.Contains(tensors, nil) {
		return concats.into(o, out, group(tensors)...)
	}
	shape, err := checkJoined(op, dim, tensors)
	if err != nil {
		return err
	}
	to, list := operand{"out", out}, make([]operand, len(tensors))
	for i, t := range tensors {
		list[i] = operand{tensorName(i), t}
	}
	if err := cmp.Or(checkOperands(op, anyType, list[0], to), checkOpen(op, list...), checkShape(op, to, shape), checkApart(op, to, list...), checkWritable(op, to)); err != nil {
		return err
	}
	dim = (dim + len(shape)) % len(shape)
	for at := 0; len(tensors) > 0; {
		some := tensors[:min(kernels.MaxConcat, len(tensors))]
		tensors = tensors[len(some):]
		n := 0
		for _, t := range some {
			n += t.Dim(dim)
		}
		part, err := out.Slice(dim, at, at+n)
		if err != nil {
			return err
		}
		err = concats.into(o, part, group(some)...)
		part.Close()
		if err != nil {
			return err
		}
		at += n
	}
	return nil
}

// group is tensors, and nil for those that a launch has room for.
func group(tensors []*weft.Tensor) []*weft.Tensor {
	var all [kernels.MaxConcat]*weft.Tensor
	copy(all[:], tensors)
	return all[:]
}

// checkJoined checks tensors and returns the shape of the result.
func checkJoined(op string, dim int, tensors []*weft.Tensor) ([]int, error) {
	if len(tensors) == 0 {
		return nil, fault.New(weft.ErrArgument, op, "no tensors are given, want at least 1")
	}
	first := tensors[0]
	for i, t := range tensors {
		if err := checkOperands(op, anyType, operand{tensorName(0), first}, operand{tensorName(i), t}); err != nil {
			return nil, err
		}
	}
	if first.Rank() == 0 {
		return nil, fault.New(weft.ErrShape, op, "a scalar has no dimension to be joined along").For(tensorName(0))
	}
	if dim < -first.Rank() || dim >= first.Rank() {
		return nil, fault.New(weft.ErrArgument, op, "axis %d of a tensor of %s does not exist", dim, fault.Count(first.Rank(), "dimension")).For("dim")
	}
	d, shape := (dim+first.Rank())%first.Rank(), first.Shape()
	for i, t := range tensors[1:] {
		other := t.Shape()
		if len(other) == len(shape) {
			n := shape[d] + other[d]
			if n < 0 {
				return nil, fault.New(weft.ErrLimit, op, "the sizes along dimension %d are beyond 2^63", d).For("dim")
			}
			other[d] = shape[d]
			if slices.Equal(other, shape) {
				shape[d] = n
				continue
			}
		}
		return nil, fault.New(weft.ErrShape, op, "shape %v does not fit %v along dimension %d", t.Shape(), first.Shape(), d).For(tensorName(i + 1))
	}
	return shape, nil
}

func checkConcat(o *concatOptions, in []*weft.Tensor) ([]int, error) {
	return checkJoined(o.op, o.dim, withoutNil(in))
}

func withoutNil(in []*weft.Tensor) []*weft.Tensor {
	return slices.DeleteFunc(slices.Clone(in), func(t *weft.Tensor) bool { return t == nil })
}

func launchConcat(o *concatOptions, out *weft.Tensor, in []*weft.Tensor) error {
	dim := (o.dim + out.Rank()) % out.Rank()
	var views []weft.TensorView
	for _, t := range withoutNil(in) {
		if t.Dim(dim) > 0 {
			views = append(views, ownView(t))
		}
	}
	views = append(views, ownView(out))
	all := make([]layout.Layout, len(views))
	for i, v := range views {
		all[i] = v.Layout
	}
	a, err := mergeAxes(all, func(d int) bool { return d == dim })
	if err != nil {
		return err
	}
	if a, _, err = a.fuse(slices.Index(a.own, dim)); err != nil {
		return err
	}
	for i := range views {
		views[i].Layout = a.layouts[i]
	}
	views = wordsOf(views)
	last := len(views) - 1
	to := views[last].Layout
	if to.Rank() > kernels.MaxRank {
		return concatCopies(out, dim, withoutNil(in))
	}
	p := kernels.ConcatProblem{Elem: seenElem(views[last]), Inputs: int8(last), Dim: int8(slices.Index(a.own, dim)), Out: viewOf(to)}
	return kernels.Concat.LaunchViews(p.Config(pick(concatTune, out.Device(), p)), nil, views...)
}

// concatCopies copies each tensor, whose dimensions are more than a kernel has.
func concatCopies(out *weft.Tensor, dim int, in []*weft.Tensor) error {
	at := 0
	for _, t := range in {
		part, err := out.Slice(dim, at, at+t.Dim(dim))
		if err != nil {
			return err
		}
		err = part.CopyFrom(t)
		part.Close()
		if err != nil {
			return err
		}
		at += t.Dim(dim)
	}
	return nil
}
