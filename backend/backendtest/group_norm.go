package backendtest

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/ops"
)

var groupNormCases = []testCase{
	{"GroupNormShapes", groupNormShapes},
	{"GroupNormViews", groupNormViews},
	{"GroupNormEmpty", groupNormEmpty},
}

// groupNorm checks GroupNorm and its gradients of tensors of forms: x, dy, weight and bias, and results.
func (s *suite) groupNorm(x host, groups, channels int, weighted bool, f [4]form) {
	s.Helper()
	n, each := x.shape[channels], x.shape[channels]/groups
	inner := size(x.shape[channels+1:])
	channel := func(i int) int { return i / inner % n }
	first := size(x.shape[1:])
	call := catalog.NormGrad{Epsilon: 1e-2, Weights: n, Along: channel, Row: func(i int) int { return i/first*groups + channel(i)/each }}
	var weight, bias *weft.Tensor
	var shift []float64
	if weighted {
		w, b := s.random(x.elem, n), s.random(x.elem, n)
		weight, bias, call.Weight, shift = s.input(f[2], w), s.input(f[2], b), w.x, b.x
	}
	eps, dy := ops.Epsilon(call.Epsilon), s.random(x.elem, x.shape...)
	check := func(what string, out output, want, bound []float64) {
		s.Helper()
		if err := out.verify(want, func(i int) float64 { return bound[i] }); err != nil {
			s.Error(fmt.Errorf("%s of %v%v in %d groups of dimension %d, %v: %w", what, x.elem, x.shape, groups, channels, f, err))
		}
	}
	s.op("GroupNorm")
	out := s.output(f[3], x.elem, x.shape...)
	s.try(ops.GroupNormInto(out.Tensor, s.input(f[0], x), weight, bias, groups, channels-len(x.shape), eps))
	want, bound := call.Forward(x.elem, x.x, shift)
	check("result", out, want, bound)

	s.op("GroupNormGrad")
	dx, dweight, dbias := s.output(f[3], x.elem, x.shape...), s.output(f[3], x.elem, n), s.output(dense, x.elem, n)
	s.try(ops.GroupNormGradInto(dx.Tensor, dweight.Tensor, dbias.Tensor, s.input(f[0], x), s.input(f[1], dy), weight, groups, channels, eps))
	g := call.Exact(x.elem, x.x, dy.x)
	check("dx", dx, g.DX, g.DXBound)
	check("dweight", dweight, g.DWeight, g.DWeightBound)
	check("dbias", dbias, g.DBias, g.DBiasBound)
}

// Groups of one channel, of several and of all, that fit in registers and that do not, with channels before and after pixels.
func groupNormShapes(s *suite) {
	type grouped struct {
		shape            []int
		groups, channels int
	}
	for i, c := range more(s, []grouped{{[]int{3, 12, 7, 9}, 4, 1}, {[]int{3, 7, 9, 12}, 4, 3}, {[]int{5, 6, 35}, 6, 1}},
		grouped{[]int{2, 8, 110, 100}, 2, 1}, grouped{[]int{2, 110, 100, 8}, 8, 3}, grouped{[]int{2, 110, 100, 8}, 2, 3}, grouped{[]int{1, 64, 200}, 1, 1}, grouped{[]int{300, 32}, 8, 1}) {
		s.groupNorm(s.shifted(floatTypes[i%3], c.shape...), c.groups, c.channels, i%4 != 2, denseForms)
	}
}

// Any dimension, in any views.
func groupNormViews(s *suite) {
	for i := range either(s, 4, 40) {
		shape := make([]int, 2+s.rng.IntN(3))
		for d := range shape {
			shape[d] = 1 + s.rng.IntN(6)
		}
		channels, groups := 1+s.rng.IntN(len(shape)-1), 1+s.rng.IntN(4)
		shape[channels] *= groups
		f := [4]form{}
		for j := range f {
			f[j] = forms[s.rng.IntN(len(forms))]
		}
		s.groupNorm(s.shifted(floatTypes[i%3], shape...), groups, channels, i%3 != 1, f)
	}
}

func groupNormEmpty(s *suite) {
	x := s.tensor(filled(weft.F32, 0, 0, 4, 5))
	s.op("GroupNorm")
	if out := s.ok(ops.GroupNorm(x, nil, nil, 2, 1)); !slices.Equal(out.Shape(), x.Shape()) {
		s.Errorf("groups of no images have shape %v", out.Shape())
	}
	s.op("GroupNormGrad")
	_, dweight, dbias, err := ops.GroupNormGrad(x, x, s.tensor(s.ones(weft.F32, 4)), 2, 1)
	s.try(err)
	s.compare(dweight, make([]float64, 4), nil)
	s.compare(dbias, make([]float64, 4), nil)
}
