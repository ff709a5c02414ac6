package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
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
			return fault.New(weft.ErrShape, op, "the tensor is nil").For(o.name)
		case o.tensor.Device() != first.tensor.Device():
			return fault.New(weft.ErrDevice, op, "the tensor is on %v, %s on %v", o.tensor.Device(), first.name, first.tensor.Device()).For(o.name)
		case !allowed(o.tensor.DType()):
			return fault.New(weft.ErrUnsupported, op, "element type %v", o.tensor.DType()).For(o.name)
		case o.tensor.DType() != first.tensor.DType():
			return fault.New(weft.ErrShape, op, "the tensor holds %v, %s holds %v", o.tensor.DType(), first.name, first.tensor.DType()).For(o.name)
		}
	}
	return nil
}

// checkOpen checks that tensors are not closed, which launches do, too: ops that launch
// several kernels check it before the first.
func checkOpen(op string, operands ...operand) error {
	for _, o := range operands {
		if o.tensor.Closed() {
			return fault.New(weft.ErrClosed, op, "tensor %v", o.tensor).For(o.name)
		}
	}
	return nil
}

// checkApart refuses an output that shares elements with an input.
func checkApart(op string, out *weft.Tensor, inputs ...operand) error {
	for _, in := range inputs {
		if in.tensor.Overlaps(out) {
			return fault.New(weft.ErrUnsupported, op, "out overlaps it").For(in.name)
		}
	}
	return nil
}

// sameElements reports whether two layouts of one shape walk the same elements in the
// same order.
func sameElements(l, m layout.Layout) bool {
	both := layout.CoalesceTogether(l, m)
	return both[0].Equal(both[1])
}

// into fills a new tensor by f; the tensor is closed again if f fails.
func into(dev *weft.Device, elem weft.DType, shape []int, f func(out *weft.Tensor) error) (*weft.Tensor, error) {
	out, err := weft.Empty(dev, elem, shape...)
	if err != nil {
		return nil, err
	}
	if err := f(out); err != nil {
		out.Close()
		return nil, err
	}
	return out, nil
}
