package backendtest

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// A residual is added first, and its sum rounded, whatever the row's tiles are and however many programs
// share it; the sum is stored where it is asked for, the residual's place among others.
func normResidual(s *suite) {
	for i, n := range []int{33, 1100, 9001, 100_003, 1, 20_001, 8192}[:either(s, 4, 7)] {
		for j, elem := range floatTypes {
			if !s.full && i > 0 && i%3 != j {
				continue
			}
			for k, rms := range []bool{false, true} {
				from, to := forms[(i+j)%len(forms)], forms[(i+k)%len(forms)]
				s.residual(s.allOperands(elem, rms, n), elem, []int{3, n}, from, to, i%2+k)
			}
		}
	}
	// Rows of several dimensions, and those that run down the columns of memory.
	s.residual(s.allOperands(weft.F32, true, 3, 20), weft.F32, []int{2, 5, 3, 20}, stepped, sliced, 0)
	s.residual(s.allOperands(weft.F32, false, 70), weft.F32, []int{50, 70}, transposed, transposed, 2)
	s.residual(normed{rms: true, eps: 1e-5, dims: 1}, weft.F16, []int{4, 7}, dense, dense, 1)
}

// residual checks a normalisation with a residual whose sum goes nowhere, into a tensor of its own or, with
// place 2, into the residual's place, where the result goes into that of x.
func (s *suite) residual(n normed, elem weft.DType, shape []int, from, to form, place int) {
	s.Helper()
	x, r := s.random(elem, shape...), s.random(elem, shape...)
	added := filled(elem, 0, shape...).each(func(i int, _ float64) float64 { return x.x[i] + r.x[i] })
	var sum, out output
	var in, residual *weft.Tensor
	if place == 2 {
		out, sum = s.outputOf(to, x), s.outputOf(from, r)
		in, residual = out.Tensor, sum.Tensor
	} else {
		in, residual = s.input(from, x), s.input(to, r)
		out = s.output(to, elem, shape...)
		if place == 1 {
			sum = s.output(from, elem, shape...)
		}
	}
	var weight, bias *weft.Tensor
	if n.weight != nil {
		weight = s.input(sliced, *n.weight)
	}
	if n.bias != nil {
		bias = s.input(dense, *n.bias)
	}
	s.try(n.into(s, out.Tensor, in, weight, bias, lastAxes(n.dims), ops.Residual(residual, sum.Tensor)))
	want, bound := n.exact(added)
	err := out.verify(want, bound)
	if err == nil && place > 0 {
		err = sum.verify(added.x, nil)
	}
	if err != nil {
		s.Error(fmt.Errorf("%v%v, %s to %s, place %d, rms %v: %w", elem, shape, from, to, place, n.rms, err))
	}
}
