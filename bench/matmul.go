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
		product{elem: weft.F32, m: n, n: n, k: n}.work(),
		product{elem: weft.F32, m: n - 1, n: n + 1, k: n - 3}.work(), // sizes that no vector width divides
		product{name: "matmul tf32", elem: weft.F32, precision: tile.TF32, m: n, n: n, k: n}.work(),
		product{elem: weft.F16, m: n, n: n, k: n}.work(),
		product{elem: weft.BF16, m: n, n: n, k: n}.work(),
		product{elem: weft.I8, m: n, n: n, k: n}.work(),
		product{elem: weft.F16, batch: 64, m: n / 4, n: n / 4, k: n / 4}.work(),
		product{name: "linear gelu f16", elem: weft.F16, layer: true, m: 8 * n, n: n, k: n / 4}.work(),
		product{elem: weft.F16, m: 1, n: 2 * n, k: 2 * n}.work(),
		product{elem: weft.F16, m: 16, n: 2 * n, k: 2 * n}.work(),
		product{name: "matmul f16 of weights", elem: weft.F16, columns: true, m: 1, n: 2 * n, k: 2 * n}.work(),
		product{elem: weft.F32, m: n / 32, n: n / 32, k: 4 * n}.work(), // few tiles of a long reduction
		product{name: "matmul atomic f32", elem: weft.F32, tiles: ops.MatMulConfig{Atomic: true}, m: n / 32, n: n / 32, k: 4 * n}.work(),
	}
}

// product describes the work of one matrix product, [m,k] by [k,n].
type product struct {
	name      string     // of the work; that of the op and the element type if empty
	elem      weft.DType // of the operands
	batch     int        // how many products; 0 is one without a batch dimension
	m, n, k   int
	columns   bool // b is stored as its transpose
	layer     bool // as Linear with a bias and GELU
	precision tile.Precision
	tiles     ops.MatMulConfig
}

func (p product) work() work {
	count, lead := max(p.batch, 1), []int(nil)
	if p.batch > 0 {
		lead = []int{p.batch}
	}
	shape := func(sizes ...int) []int { return append(lead[:len(lead):len(lead)], sizes...) }
	draw, result := normal, p.elem
	if p.elem == weft.I8 {
		draw = func(elem weft.DType, shape ...int) operand { return uniform(-128, 128, elem, shape...) }
		result = weft.I32
	}
	if p.name == "" {
		p.name = fmt.Sprintf("matmul %v", p.elem)
	}
	size := ""
	if p.batch > 0 {
		size = fmt.Sprintf("%dx", p.batch)
	}
	w := work{
		Op:     fmt.Sprintf("%s %s%dx%dx%d", p.name, size, p.m, p.n, p.k),
		inputs: []operand{draw(p.elem, shape(p.m, p.k)...), draw(p.elem, shape(p.k, p.n)...)}, output: normal(result, shape(p.m, p.n)...),
		run: p.run,
		check: func(out values, in []values) error {
			return compare(out, count*p.m*p.n, func(i int) (want, bound float64) { return p.element(in, i) })
		},
	}
	if p.columns || p.layer {
		w.inputs[1] = draw(p.elem, shape(p.n, p.k)...)
	}
	if p.layer {
		w.inputs = append(w.inputs, normal(p.elem, p.n))
	}
	if flop := 2 * float64(count) * float64(p.m) * float64(p.n) * float64(p.k); p.m > 4 && p.m != 16 {
		w.Flop = flop
	} else { // the memory that b comes from is the limit
		w.Bytes = float64(p.elem.Size()) * (float64(p.k*p.n) + float64(p.m*p.k+p.m*p.n))
	}
	return w
}

func (p product) run(out *weft.Tensor, in []*weft.Tensor) error {
	if p.layer {
		return ops.LinearInto(out, in[0], in[1], in[2], ops.Fuse(ops.GELUMap))
	}
	b := in[1]
	if p.columns {
		b = b.T()
		defer b.Close()
	}
	return ops.MatMulInto(out, in[0], b, ops.Precision(p.precision), ops.Tiles(p.tiles))
}

// element is what element i of the result should be, and within what.
func (p product) element(in []values, i int) (want, bound float64) {
	matrix, row, column := i/(p.m*p.n), i/p.n%p.m, i%p.n
	sum, magnitudes := 0.0, 0.0
	for q := range p.k {
		b := matrix*p.k*p.n + q*p.n + column
		if p.columns || p.layer {
			b = column*p.k + q
		}
		x := in[0]((matrix*p.m+row)*p.k+q) * in[1](b)
		sum += x
		magnitudes += math.Abs(x)
	}
	switch {
	case p.elem == weft.I8:
		return sum, 0
	case p.layer:
		sum += in[2](column)
		want = sum / 2 * (1 + math.Erf(sum/math.Sqrt2))
		return want, ops.ActivationBound(p.elem, sum, ops.MatMulSumBound(p.precision, p.k+1, magnitudes+math.Abs(in[2](column))), want)
	}
	return sum, ops.MatMulBound(p.elem, p.precision, p.k, sum, magnitudes)
}
