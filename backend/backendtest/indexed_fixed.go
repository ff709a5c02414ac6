package backendtest

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// Sums and products that are the same in every run: of no window to many parts of windows, from one element of a window to several
// columns of tiles, to few elements and to many, within bounds of float64, and twice the same bits.
func scatterFixed(s *suite) {
	for i, c := range []struct {
		elem             weft.DType
		rows, n, columns int
	}{{weft.F32, 5, 9_000, 1}, {weft.F16, 40, 700, 70}, {weft.BF16, 3, 20, 9}, {weft.F32, 900, 50, 130}, {weft.F32, 2, 3_000, 3}, {weft.F32, 1, 30_000, 2}, {weft.F16, 7, 4_001, 1}} {
		if !s.full && i > 3 {
			break
		}
		for _, kind := range []ops.ScatterKind{ops.ScatterAdd, ops.ScatterMul}[:either(s, 1, 2)] {
			s.fixed(kind, s.random(c.elem, c.rows, c.columns), s.places(indexTypes[i%3], c.rows, c.n), s.random(c.elem, c.n, c.columns), forms[i%4])
		}
	}
	s.fixed(ops.ScatterMul, s.random(weft.F32, 6, 3), s.places(weft.I32, 6, 80), s.random(weft.F32, 80, 3), dense)
	s.fixed(ops.ScatterAdd, s.random(weft.F32, 6, 3), filled(weft.I32, 0, 0), s.random(weft.F32, 0, 3), dense)
	s.fixedForms()
}

// fixed checks updates of rows of a matrix.
func (s *suite) fixed(kind ops.ScatterKind, x, at, updates host, to form) {
	s.Helper()
	s.op("IndexUpdate")
	columns := x.shape[1]
	want, size, terms := slices.Clone(x.x), make([]float64, len(x.x)), make([]float64, len(x.x))
	for i, v := range x.x {
		size[i] = math.Abs(v)
	}
	for i, row := range at.x {
		for j := range columns {
			if row < 0 || row >= float64(x.shape[0]) {
				continue
			}
			p, v := int(row)*columns+j, updates.x[i*columns+j]
			terms[p]++
			if kind == ops.ScatterMul {
				want[p], size[p] = want[p]*v, math.Abs(want[p]*v)
				continue
			}
			want[p], size[p] = want[p]+v, size[p]+math.Abs(v)
		}
	}
	in, which, by := s.input(to, x), s.input(dense, at), s.input(forms[(slices.Index(forms, to)+1)%len(forms)], updates)
	results := [2][]float64{}
	for i := range results {
		out := s.output(to, x.elem, x.shape...)
		s.try(ops.IndexUpdateInto(out.Tensor, in, 0, which, by, kind, ops.Deterministic()))
		err := out.verify(want, func(i int) float64 {
			sum := (terms[i] + 1) * 0x1p-24 * size[i] * (1 + 0x1p-8)
			return sum + x.elem.Epsilon()*(math.Abs(want[i])+sum) + 0x1p-24
		})
		if err != nil {
			s.Error(fmt.Errorf("IndexUpdate %v of %v%v by %v, %s, in a fixed order: %w", kind, x.elem, x.shape, updates.shape, to, err))
		}
		if results[i], err = weft.ToFloats(out.Tensor); err != nil {
			s.Fatal(err)
		}
	}
	if !slices.Equal(results[0], results[1]) {
		s.Errorf("IndexUpdate %v of %v%v by %v, %s: two runs differ", kind, x.elem, x.shape, updates.shape, to)
	}
}

// Indices along a dimension, and windows, of numbers whose sums are exact; of those that are set the last one wins.
func (s *suite) fixedForms() {
	for dim := range 3 {
		shape, to := []int{4, 5, 6}, []int{4, 5, 6}
		to[dim] += 7
		x, at, updates := s.numbersFor(weft.F32, ops.ScatterAdd, shape...), s.places(indexTypes[dim], shape[dim], to...), s.numbersFor(weft.F32, ops.ScatterAdd, to...)
		v, which := s.input(forms[dim], updates), s.input(forms[(dim+1)%4], at)
		s.updated("ScatterAlong", x, updates, ops.ScatterAdd, forms[(dim+2)%4],
			func(out, x *weft.Tensor) error {
				return ops.ScatterAlongInto(out, x, dim, which, v, ops.ScatterAdd, ops.Deterministic())
			},
			func(k []int) ([]int, bool) {
				n := at.x[position(to, k)]
				k = slices.Clone(k)
				k[dim] = int(n)
				return k, n >= 0 && n < float64(shape[dim])
			})
	}
	x, at, updates := s.random(weft.F32, 5, 4), s.places(weft.I32, 5, 300), s.random(weft.F32, 300, 4)
	v, which := s.input(dense, updates), s.input(dense, at)
	s.updated("IndexUpdate", x, updates, ops.ScatterSet, dense,
		func(out, x *weft.Tensor) error {
			return ops.IndexUpdateInto(out, x, 0, which, v, ops.ScatterSet, ops.Deterministic())
		},
		func(k []int) ([]int, bool) { return []int{int(at.x[k[0]]), k[1]}, at.x[k[0]] >= 0 && at.x[k[0]] < 5 })
	for i, c := range windowCases {
		x, indices, updates := s.numbersFor(weft.F32, ops.ScatterAdd, c.x...), c.starts(s, weft.I32), s.numbersFor(weft.F32, ops.ScatterAdd, c.shape()...)
		v, which := s.input(forms[i%4], updates), s.input(dense, indices)
		if _, err := ops.Scatter(s.tensor(x), which, v, c.w, ops.ScatterAdd, ops.Deterministic()); errors.Is(err, weft.ErrUnsupported) {
			continue // windows that may overlap in part
		}
		s.updated("Scatter", x, updates, ops.ScatterAdd, forms[(i+1)%4],
			func(out, x *weft.Tensor) error {
				return ops.ScatterInto(out, x, which, v, c.w, ops.ScatterAdd, ops.Deterministic())
			},
			func(at []int) ([]int, bool) { return c.place(indices, at, false) })
	}
}
