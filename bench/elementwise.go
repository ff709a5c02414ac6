package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

func elementwiseWorks(s sizes) []work {
	n := 1 << s.scale
	const cols = 4096
	rows := max(1, n/cols)
	return []work{{
		Op: fmt.Sprintf("gelu f16 2^%d", s.scale), Bytes: 4 * float64(n),
		inputs: []operand{normal(weft.F16, n)}, output: normal(weft.F16, n),
		run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.GELUInto(out, in[0]) },
		check: func(out values, in []values) error {
			return compare(out, n, func(i int) (want, bound float64) {
				x := in[0](i)
				want = x / 2 * math.Erfc(-x/math.Sqrt2)
				return want, ops.ActivationBound(weft.F16, x, 0, want)
			})
		},
	}, {
		Op: fmt.Sprintf("where f32 2^%d", s.scale), Bytes: 13 * float64(n),
		inputs: []operand{{weft.Bool, []int{n}, func(rng *rand.Rand) float64 { return float64(rng.IntN(2)) }}, normal(weft.F32, n), normal(weft.F32, n)}, output: normal(weft.F32, n),
		run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.WhereInto(out, in[0], in[1], in[2]) },
		check: func(out values, in []values) error {
			return compare(out, n, func(i int) (want, bound float64) {
				if in[0](i) != 0 {
					return in[1](i), 0
				}
				return in[2](i), 0
			})
		},
	}, {
		Op: fmt.Sprintf("add row f32 %dx%d", rows, cols), Bytes: 8 * float64(rows*cols),
		inputs: []operand{normal(weft.F32, rows, cols), normal(weft.F32, cols)}, output: normal(weft.F32, rows, cols),
		run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.AddInto(out, in[0], in[1]) },
		check: func(out values, in []values) error {
			return compare(out, rows*cols, func(i int) (want, bound float64) {
				want = in[0](i) + in[1](i%cols)
				return want, ops.AddBound(weft.F32, want)
			})
		},
	}}
}
