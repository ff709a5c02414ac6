package main

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

func addWorks(s sizes) []work {
	n := 1 << s.scale
	return []work{{
		Op: fmt.Sprintf("add f32 2^%d", s.scale), Bytes: 12 * float64(n),
		inputs: []operand{normal(weft.F32, n), normal(weft.F32, n)}, output: normal(weft.F32, n),
		run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.AddInto(out, in[0], in[1]) },
		check: func(out values, in []values) error {
			return compare(out, n, func(i int) (want, bound float64) {
				want = in[0](i) + in[1](i)
				return want, ops.AddBound(weft.F32, want)
			})
		},
	}}
}
