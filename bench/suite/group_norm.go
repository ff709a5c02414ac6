package suite

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/ops"
)

// groupNorms are normalisations of groups of channels of images, and their gradients.
func groupNorms(s Size) (list []Work) {
	images, side := of(s, 64, 8, 2), of(s, 56, 28, 6)
	for _, groups := range []int{32, 256} {
		list = append(list, groupNorm(weft.F16, images, 256, side, groups, false), groupNorm(weft.F16, images, 256, side, groups, true))
	}
	return list
}

// groupNorm is a normalisation of images of square planes of channels, or its gradient.
func groupNorm(elem weft.DType, images, channels, side, groups int, back bool) Work {
	x, row := normal(elem, images, channels, side, side), normal(elem, channels)
	plane, cols, op := side*side, channels/groups*side*side, "group_norm"
	if back {
		op = "group_norm_grad"
	}
	w := Work{
		Name: name(op, elem, size(images, channels, side, side), fmt.Sprintf(" %d groups", groups)), Op: op, Inputs: []Operand{x, row, row}, Output: x,
		Terms: cols, Params: map[string]any{"groups": groups}, Bytes: 2*x.Bytes() + 2*row.Bytes(),
		Run: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.GroupNormInto(out, in[0], in[1], in[2], groups, 1)
		},
	}
	if back {
		w.Inputs, w.Bytes = []Operand{x, x, row, row, row}, 3*x.Bytes()+3*row.Bytes()
		w.Run = func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.GroupNormGradInto(out, in[3], in[4], in[0], in[1], in[2], groups, 1)
		}
	}
	type result struct{ want, bound []float64 }
	var last cached[result]
	w.Want = func(in []Values, i int) (want, bound float64) {
		from := i / cols * cols
		r := last.of(from, func() result {
			channel := func(j int) int { return (from + j) / plane % channels }
			call := catalog.NormGrad{Epsilon: 1e-5, Row: func(int) int { return 0 }, Along: channel, Weights: channels}
			if x := in[0].slice(from, cols); back {
				call.Weight = in[2].slice(0, channels)
				g := call.Exact(elem, x, in[1].slice(from, cols))
				return result{g.DX, g.DXBound}
			} else {
				call.Weight = in[1].slice(0, channels)
				want, bound := call.Forward(elem, x, in[2].slice(0, channels))
				return result{want, bound}
			}
		})
		return r.want[i-from], r.bound[i-from]
	}
	return w
}
