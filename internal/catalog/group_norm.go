package catalog

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	weftops "github.com/weftgpu/weft/ops"
)

func groupNormOps() []*Op {
	return []*Op{
		groupNormOp("group_norm", "GroupNorm", "weight · (x - mean) / √(variance + ε) + bias for each group of channels of each image", groupNorm),
		groupNormOp("group_norm_grad", "GroupNormGrad", "gradients of x, weight and bias of GroupNorm", groupNormGrad),
	}
}

func groupNormOp(name, function, about string, problem func(o Options, sizes []int) Problem) *Op {
	return &Op{Name: name, Function: function, About: about, Shape: "any shape, images first, channels second", Example: "32x64x56x56 --groups 8", Takes: []string{"groups"},
		want: "one shape of images and channels, and of what there is of each",
		check: func(o Options, typed []int) error {
			if len(typed) < 2 || o.Groups < 1 || typed[1]%o.Groups != 0 {
				return fault.New(weft.ErrArgument, name, "--groups %d of sizes %v, want a number that divides the second one", o.Groups, typed)
			}
			return nil
		},
		problem: func(o Options, _, sizes []int) Problem { return problem(o, sizes) }}
}

func groupNorm(o Options, sizes []int) Problem {
	return Problem{
		In:  []Operand{o.operand("x", sizes...), o.operand("weight", sizes[1]), o.operand("bias", sizes[1])},
		Out: []Operand{o.operand("y", sizes...)},
		Run: func(out, in []*weft.Tensor) error {
			return weftops.GroupNormInto(out[0], in[0], in[1], in[2], o.Groups, 1)
		},
	}
}

func groupNormGrad(o Options, sizes []int) Problem {
	return Problem{
		In:  []Operand{o.operand("x", sizes...), o.operand("dy", sizes...), o.operand("weight", sizes[1])},
		Out: []Operand{o.operand("dx", sizes...), o.operand("dweight", sizes[1]), o.operand("dbias", sizes[1])},
		Run: func(out, in []*weft.Tensor) error {
			return weftops.GroupNormGradInto(out[0], out[1], out[2], in[0], in[1], in[2], o.Groups, 1)
		},
	}
}
