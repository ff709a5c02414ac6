package ops

import (
	"cmp"
	"errors"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

// operand is a tensor with the name that errors call it by.
type operand struct {
	name   string
	tensor *weft.Tensor
}

// checkOperands checks that tensors are there, that they share one device, and
// that they hold one element type, which is among the allowed ones.
func checkOperands(op string, allowed func(weft.DType) bool, operands ...operand) error {
	first := operands[0]
	for _, o := range operands {
		switch {
		case o.tensor == nil:
			return fault.New(weft.ErrArgument, op, "the tensor is nil").For(o.name)
		case o.tensor.Device() != first.tensor.Device():
			return o.tensor.CheckDevice(op, o.name, first.tensor, first.name)
		case !allowed(o.tensor.DType()):
			return fault.New(weft.ErrUnsupported, op, "the tensor holds %v, want %s", o.tensor.DType(), dtype.OneOf(allowed)).For(o.name)
		case o.tensor.DType() != first.tensor.DType():
			return fault.New(weft.ErrArgument, op, "the tensor holds %v, %s holds %v: cast one with Cast", o.tensor.DType(), first.name, first.tensor.DType()).For(o.name)
		}
	}
	return nil
}

// checkOpen checks that tensors are not closed, which launches do, too: ops that launch
// several kernels check it before the first.
func checkOpen(op string, operands ...operand) error {
	for _, o := range operands {
		if o.tensor.Closed() {
			return fault.New(weft.ErrClosed, op, "tensor %s is closed", o.tensor.Describe()).For(o.name)
		}
	}
	return nil
}

// checkApart refuses an output that shares elements with an input.
func checkApart(op string, out operand, inputs ...operand) error {
	for _, in := range inputs {
		if in.tensor.Overlaps(out.tensor) {
			return fault.New(weft.ErrUnsupported, op, "it overlaps %s, want separate memory", out.name).For(in.name)
		}
	}
	return nil
}

// checkWritable refuses an output that is closed or repeats elements.
func checkWritable(op string, out operand) error {
	if l := out.tensor.Layout(); !l.IsInjective() {
		return fault.New(weft.ErrUnsupported, op, "the layout %v repeats elements, so it cannot be written", l).For(out.name)
	}
	return checkOpen(op, out)
}

// sameElements reports whether two layouts of one shape walk the same elements in the
// same order.
func sameElements(l, m layout.Layout) bool {
	both := layout.CoalesceTogether(l, m)
	return both[0].Equal(both[1])
}

// into fills a new tensor by f, the result of an op; the tensor is closed again if f fails.
func into(op string, dev *weft.Device, elem weft.DType, shape []int, f func(out *weft.Tensor) error) (*weft.Tensor, error) {
	out, err := newResult(op, "out", dev, elem, shape...)
	if err != nil {
		return nil, err
	}
	if err := f(out); err != nil {
		out.Close()
		return nil, err
	}
	return out, nil
}

// newResult makes a result of an op, of a name in errors.
func newResult(op, name string, dev *weft.Device, elem weft.DType, shape ...int) (*weft.Tensor, error) {
	t, err := weft.Empty(dev, elem, shape...)
	if err != nil {
		return nil, noRoom(op, elem, shape, err).For(name)
	}
	return t, nil
}

// noRoom is the error of an op for a tensor that it needs and cannot make.
func noRoom(op string, elem weft.DType, shape []int, err error) *fault.Error {
	var cause *fault.Error
	kind := weft.ErrOutOfMemory
	if errors.As(err, &cause) {
		kind = cause.Kind
	}
	return fault.New(kind, op, "there is no tensor of %v of shape %v", elem, shape).Because(err)
}

// withinOp is an error of an op's launches. It names the op, which what the op calls did not: a tensor between kernels that there is no memory for, a
// kernel that is not built or launched, whose errors have lines of its source, or another op.
func withinOp(op string, err error) error {
	cause, ok := err.(*fault.Error)
	switch {
	case !ok || cause.Op == op:
		return err
	case cause.Op == "empty" || errors.Is(err, weft.ErrOutOfMemory):
		return fault.New(cause.Kind, op, "there is no memory for a tensor between kernels").Because(err)
	case cause.Pos != "":
		return fault.New(cause.Kind, op, "its kernel is refused").Because(err)
	}
	return fault.New(cause.Kind, op, "a step of it is refused").Because(err)
}

// checkLike refuses an output of x's element type that has not x's shape, repeats elements, or
// overlaps x without being the same view.
func checkLike(op string, out, x *weft.Tensor) error {
	to := operand{"out", out}
	return cmp.Or(checkShape(op, to, x.Shape()), checkWritable(op, to), checkSameOrApart(op, to, operand{"x", x}))
}

// dimension is the dimension of x that an axis names; negative ones count from the end.
func dimension(op string, axis int, x operand) (int, error) {
	rank := x.tensor.Rank()
	if axis < -rank || axis >= rank {
		return 0, fault.New(weft.ErrArgument, op, "axis %d of a tensor of %s does not exist", axis, fault.Count(rank, "dimension")).For(x.name)
	}
	return (axis + rank) % rank, nil
}

// memoryOrder lists a layout's dimensions by falling strides.
func memoryOrder(l layout.Layout) []int {
	order := make([]int, l.Rank())
	for d := range order {
		order[d] = d
	}
	size := func(d int) int { return max(l.Stride(d), -l.Stride(d)) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size(b), size(a)) })
	return order
}

// checkMerged refuses dimensions, after those of a shape were merged, that are more than a kernel can have.
func checkMerged(op string, shape []int, dims int) error {
	if dims > kernels.MaxRank {
		return fault.New(weft.ErrUnsupported, op, "shape %v has too many dimensions, want at most %d that do not merge", shape, kernels.MaxRank).For("x")
	}
	return nil
}
