package main

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
)

func randomWorks(s sizes) []work {
	n, stream := 1<<s.scale, ops.Stream{Seed: 1}
	drawn := func(i int) float64 { return reference.Uniform(stream.Seed, uint64(i/4*4), 4, 24)[i%4] }
	return []work{{
		Op: fmt.Sprintf("uniform f32 2^%d", s.scale), Bytes: 4 * float64(n), output: normal(weft.F32, n),
		run: func(out *weft.Tensor, _ []*weft.Tensor) error { return ops.UniformInto(out, stream) },
		check: func(out values, _ []values) error {
			return compare(out, n, func(i int) (want, bound float64) { return drawn(i), 0 })
		},
	}, {
		Op: fmt.Sprintf("dropout f32 2^%d", s.scale), Bytes: 8 * float64(n),
		inputs: []operand{normal(weft.F32, n)}, output: normal(weft.F32, n),
		run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.DropoutInto(out, in[0], 0.5, stream, nil) },
		check: func(out values, in []values) error {
			return compare(out, n, func(i int) (want, bound float64) {
				if drawn(i) < 0.5 {
					return 0, 0
				}
				return 2 * in[0](i), 0
			})
		},
	}}
}
