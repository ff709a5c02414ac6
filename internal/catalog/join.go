package catalog

import (
	"slices"

	"github.com/weftgpu/weft"
	weftops "github.com/weftgpu/weft/ops"
)

// joinOps put tensors together, and elements around one.
var joinOps = []*Op{
	{Name: "concat", Function: "Concat", About: "two tensors joined along the last dimension or another", Shape: "any shape", Example: "4096x4096 --axis 1",
		Takes: []string{"axis"}, check: checkAxis("concat"), problem: concat},
	{Name: "stack", Function: "Stack", About: "two tensors along a new first dimension", Shape: "any shape", Example: "4096x4096",
		problem: func(o Options, _, sizes []int) Problem {
			return Problem{
				In:  []Operand{o.operand("a", sizes...), o.operand("b", sizes...)},
				Out: []Operand{o.operand("y", append([]int{2}, sizes...)...)},
				Run: func(out, in []*weft.Tensor) error { return weftops.StackInto(out[0], 0, in...) },
			}
		}},
	{Name: "pad", Function: "Pad", About: "a tensor with zeros around its last two dimensions", Shape: "any shape", Example: "32x64x56x56 --pad 1",
		Takes: []string{"pad"}, problem: pad},
	{Name: "roll", Function: "Roll", About: "a tensor shifted by half of its last dimension or another", Shape: "any shape", Example: "4096x4096 --axis 1",
		Takes: []string{"axis"}, check: checkAxis("roll"),
		problem: func(o Options, _, sizes []int) Problem {
			axis, _, _ := o.axis("roll", len(sizes))
			return moved(o, sizes, nil, func(out, x *weft.Tensor) error { return weftops.RollInto(out, x, []int{sizes[axis] / 2}, axis) })
		}},
}

func concat(o Options, _, sizes []int) Problem {
	axis, _, _ := o.axis("concat", len(sizes))
	shape := slices.Clone(sizes)
	shape[axis] *= 2
	return Problem{
		In:  []Operand{o.operand("a", sizes...), o.operand("b", sizes...)},
		Out: []Operand{o.operand("y", shape...)},
		Run: func(out, in []*weft.Tensor) error { return weftops.ConcatInto(out[0], axis, in...) },
	}
}

func pad(o Options, _, sizes []int) Problem {
	around, shape := make([]weftops.PadSize, len(sizes)), slices.Clone(sizes)
	for d := max(len(sizes)-2, 0); d < len(sizes); d++ {
		around[d] = weftops.PadSize{Low: o.Pad, High: o.Pad}
		shape[d] += 2 * o.Pad
	}
	return Problem{
		In:  []Operand{o.operand("x", sizes...)},
		Out: []Operand{o.operand("y", shape...)},
		Run: func(out, in []*weft.Tensor) error { return weftops.PadInto(out[0], in[0], around) },
	}
}
