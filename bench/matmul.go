package main

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

func matmulWorks(s sizes) []work {
	n := s.side
	return []work{
		matmulWork(weft.F32, n, n, n),
		matmulWork(weft.F32, n-1, n+1, n-3), // sizes that no vector width divides
	}
}

func matmulWork(elem weft.DType, m, n, k int) work {
	return work{
		Op: fmt.Sprintf("matmul %v %dx%dx%d", elem, m, n, k), Flop: 2 * float64(m) * float64(n) * float64(k),
		inputs: []operand{normal(elem, m, k), normal(elem, k, n)}, output: normal(elem, m, n),
		run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.MatMulInto(out, in[0], in[1]) },
		check: func(out values, in []values) error {
			return compare(out, m*n, func(i int) (want, bound float64) {
				row, column, magnitudes := i/n, i%n, 0.0
				for p := range k {
					x := in[0](row*k+p) * in[1](p*n+column)
					want += x
					magnitudes += math.Abs(x)
				}
				return want, ops.MatMulBound(elem, tile.IEEE, k, want, magnitudes)
			})
		},
	}
}
