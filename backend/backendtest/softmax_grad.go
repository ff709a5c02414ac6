package backendtest

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/ops"
)

var softmaxGradCases = []testCase{
	{"SoftmaxGradWidths", softmaxGradWidths},
	{"SoftmaxGradViews", softmaxGradViews},
	{"SoftmaxGradLong", softmaxGradLong},
	{"SoftmaxGradInPlace", softmaxGradInPlace},
}

// softmaxGrad checks the gradient along a dimension of tensors of forms: y, dy and dx. dx takes the place of y if it has none.
func (s *suite) softmaxGrad(g catalog.SoftmaxGrad, y host, axis int, temperature float64, f ...form) {
	s.Helper()
	s.op(g.Function)
	dy := s.random(y.elem, y.shape...)
	want, bound := make([]float64, len(y.x)), make([]float64, len(y.x))
	n, inner := y.shape[axis], size(y.shape[axis+1:])
	ys, ds := make([]float64, n), make([]float64, n)
	for r := range len(y.x) / max(n, 1) {
		at := func(i int) int { return (r/inner*n+i)*inner + r%inner }
		for i := range n {
			ys[i], ds[i] = y.x[at(i)], dy.x[at(i)]
		}
		w, b := g.Exact(y.elem, ys, ds, temperature)
		for i := range n {
			want[at(i)], bound[at(i)] = w[i], b[i]
		}
	}
	options := []ops.SoftmaxOption{ops.Axis(axis)}
	if temperature != 1 {
		options = append(options, ops.Temperature(temperature))
	}
	var out output
	if len(f) == 3 {
		out = s.output(f[2], y.elem, y.shape...)
		s.try(g.Into(out.Tensor, s.input(f[0], y), s.input(f[1], dy), options...))
	} else {
		out = s.outputOf(f[0], y)
		s.try(g.Into(out.Tensor, out.Tensor, s.input(f[1], dy), options...))
	}
	if err := out.verify(want, func(i int) float64 { return bound[i] }); err != nil {
		s.Error(fmt.Errorf("%s of %v%v along %d, temperature %v, %v: %w", g.Name, y.elem, y.shape, axis, temperature, f, err))
	}
}

// softmaxResults are what a softmax of a tensor is.
func (s *suite) softmaxResults(g catalog.SoftmaxGrad, elem weft.DType, axis int, shape ...int) host {
	s.Helper()
	y := s.ok(g.Of(s.tensor(s.random(elem, shape...)), ops.Axis(axis)))
	return host{elem, shape, s.floats(y)}
}

func softmaxGradWidths(s *suite) {
	for i, n := range more(s, []int{3, 1000, 20_001}, 1, 2, 33, 700, 8192, 8193, 65_537) {
		for j, elem := range floatTypes {
			if !s.full && (i+j)%3 != 0 && elem != weft.F32 {
				continue
			}
			for _, g := range catalog.SoftmaxGrads {
				s.softmaxGrad(g, s.softmaxResults(g, elem, 1, 5, n), 1, 1, dense, sliced, dense)
			}
		}
	}
	for i, t := range []float64{0.25, 3, 0x1p127} {
		g := catalog.SoftmaxGrads[i%2]
		s.softmaxGrad(g, s.softmaxResults(g, weft.F32, 1, 9, 50), 1, t, dense, dense, dense)
	}
}

// Any dimension of tensors of any rank, in any views.
func softmaxGradViews(s *suite) {
	for i := range either(s, 8, 80) {
		shape := make([]int, 1+s.rng.IntN(4))
		for d := range shape {
			shape[d] = 1 + s.rng.IntN(9)
		}
		g, axis := catalog.SoftmaxGrads[i%2], s.rng.IntN(len(shape))
		any := func() form { return forms[s.rng.IntN(len(forms))] }
		s.softmaxGrad(g, s.softmaxResults(g, floatTypes[i%3], axis, shape...), axis, 1, any(), any(), any())
	}
	for i, shape := range [][]int{{300, 70}, {2, 9000, 5}} {
		g := catalog.SoftmaxGrads[i]
		s.softmaxGrad(g, s.softmaxResults(g, weft.F32, i, shape...), i, 1, dense, dense, dense)
	}
	for _, shape := range [][]int{{0, 3}, {3, 0}} {
		empty := s.tensor(filled(weft.F32, 0, shape...))
		s.op("SoftmaxGrad")
		s.compare(s.ok(ops.SoftmaxGrad(empty, empty)), nil, nil)
		s.op("LogSoftmaxGrad")
		s.compare(s.ok(ops.LogSoftmaxGrad(empty, empty)), nil, nil)
	}
}

// Rows that programs share.
func softmaxGradLong(s *suite) {
	for i, n := range more(s, []int{100_003}, 1_000_003) {
		for j, g := range catalog.SoftmaxGrads {
			s.softmaxGrad(g, s.softmaxResults(g, floatTypes[(i+j)%3], 1, 2, n), 1, 1, dense, dense, dense)
		}
	}
}

func softmaxGradInPlace(s *suite) {
	for i, n := range []int{70, 9000, 100_003} {
		g := catalog.SoftmaxGrads[i%2]
		s.softmaxGrad(g, s.softmaxResults(g, weft.F32, 1, 3, n), 1, 1, forms[i], dense)
	}
}
