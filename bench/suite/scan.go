package suite

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
)

// scans are cumulative ops of rows of a usual length, down columns, and of one long row.
func scans(s Size) (list []Work) {
	n, cols := s.vector(), of(s, 4096, 4096, 512)
	for _, c := range catalog.Scans {
		list = append(list, scan(c, 1, n/cols, cols))
	}
	return append(list, scan(catalog.Scans[0], 0, n/cols, cols), scan(catalog.Scans[0], 1, 1, n), scan(catalog.Scans[0], 1, n/64, 64))
}

// scan is a cumulative op of a matrix of f32 along a dimension.
func scan(c catalog.Scan, dim, rows, cols int) Work {
	x := normal(weft.F32, rows, cols)
	if c.Name == "cumprod" { // a product of normal numbers underflows
		x = uniform(0.999, 1.001, weft.F32, rows, cols)
	}
	label, length := fmt.Sprint(size(rows, cols), " rows"), cols
	start, step := func(i int) int { return i / cols * cols }, 1
	switch {
	case dim == 0:
		label, length = fmt.Sprint(size(rows, cols), " columns"), rows
		start, step = func(i int) int { return i % cols }, cols
	case rows == 1:
		label = size(cols)
	}
	type result struct{ want, bound []float64 }
	var last cached[result]
	return Work{
		Name: name(c.Name, weft.F32, label), Op: c.Name, Inputs: []Operand{x}, Output: normal(weft.F32, rows, cols), Terms: length, Params: map[string]any{"dim": dim},
		Run: func(out *weft.Tensor, in []*weft.Tensor) error { return c.Into(out, in[0], dim) },
		Want: func(in []Values, i int) (want, bound float64) {
			from := start(i)
			r := last.of(from, func() result {
				row := make([]float64, length)
				for j := range row {
					row[j] = in[0](from + j*step)
				}
				want, bound := c.Exact(weft.F32, row, false, false)
				return result{want, bound}
			})
			place := (i - from) / step
			return r.want[place], r.bound[place]
		},
	}
}
