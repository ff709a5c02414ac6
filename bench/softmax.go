package main

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

func softmaxWorks(s sizes) []work {
	const cols = 4096
	return []work{softmaxWork(max(1, 1<<s.scale/cols), cols)}
}

func softmaxWork(rows, cols int) work {
	return work{
		Op: fmt.Sprintf("softmax f32 %dx%d", rows, cols), Bytes: 8 * float64(rows*cols),
		inputs: []operand{normal(weft.F32, rows, cols)}, output: normal(weft.F32, rows, cols),
		run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.SoftmaxInto(out, in[0]) },
		check: func(out values, in []values) error {
			return compare(out, rows*cols, func(i int) (want, bound float64) {
				x, start := in[0], i/cols*cols
				top, sum := math.Inf(-1), 0.0
				for c := range cols {
					top = max(top, x(start+c))
				}
				for c := range cols {
					sum += math.Exp(x(start+c) - top)
				}
				want = math.Exp(x(i)-top) / sum
				return want, ops.SoftmaxBound(weft.F32, cols, top-x(i), want)
			})
		},
	}
}
