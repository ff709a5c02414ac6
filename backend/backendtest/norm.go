package backendtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/internal/reference/golden"
	"github.com/weftgpu/weft/ops"
)

var normCases = []testCase{
	{"NormWidths", normWidths},
	{"NormOddRows", normOddRows},
	{"NormViews", normViews},
	{"NormAxes", normAxes},
	{"NormLong", normLong},
	{"NormResidual", normResidual},
	{"NormEdges", normEdges},
	{"NormGolden", normGolden},
}

// normed is a call of LayerNorm or RMSNorm over the last dims dimensions.
type normed struct {
	rms          bool
	weight, bias *host
	eps          float64
	dims         int
}

// row is the number of elements of a row.
func (n normed) row(x host) int { return size(x.shape[len(x.shape)-n.dims:]) }

// exact is the result for x with the bounds of its elements.
func (n normed) exact(x host) (want []float64, bound func(i int) float64) {
	return catalog.Norm{RMS: n.rms, Weight: elements(n.weight), Bias: elements(n.bias), Epsilon: n.eps}.Exact(x.elem, x.x, n.row(x))
}

// normalises runs the call from a tensor of one form to one of another, and checks it.
func (s *suite) normalises(n normed, x host, from, to form) {
	s.Helper()
	want, _ := n.exact(x)
	s.normalisesTo(want, n, x, from, to)
}

func elements(h *host) []float64 {
	if h == nil {
		return nil
	}
	return h.x
}

func (s *suite) normalisesTo(want []float64, n normed, x host, from, to form) {
	s.Helper()
	var weight, bias *weft.Tensor
	if n.weight != nil {
		weight = s.input(sliced, *n.weight)
	}
	if n.bias != nil {
		bias = s.input(stepped, *n.bias)
	}
	in, out := s.input(from, x), s.output(to, x.elem, x.shape...)
	s.try(n.into(s, out.Tensor, in, weight, bias, lastAxes(n.dims)))
	_, bound := n.exact(x)
	if err := out.verify(want, bound); err != nil {
		s.Error(fmt.Errorf("%v%v, %s to %s, %+v: %w", x.elem, x.shape, from, to, n, err))
	}
}

// into makes the call.
func (n normed) into(s *suite, out, x, weight, bias *weft.Tensor, axes []int, more ...ops.NormOption) error {
	options := append(more, ops.Epsilon(n.eps), ops.Axis(axes...))
	if n.rms {
		s.op("RMSNorm")
		return ops.RMSNormInto(out, x, weight, options...)
	}
	s.op("LayerNorm")
	return ops.LayerNormInto(out, x, weight, bias, options...)
}

// lastAxes are the last n axes, counted from the end.
func lastAxes(n int) (axes []int) {
	for i := range n {
		axes = append(axes, -1-i)
	}
	return axes
}

// allOperands is a call with all operands for rows of a shape.
func (s *suite) allOperands(elem weft.DType, rms bool, shape ...int) normed {
	weight, bias := s.random(elem, shape...), s.random(elem, shape...)
	n := normed{rms, &weight, &bias, 1e-5, len(shape)}
	if rms {
		n.bias = nil
	}
	return n
}

func normWidths(s *suite) {
	widths := []int{33, 9001, 1000, 1, 2, 8192, 8193, 20_001, 65_537, 131_071}[:either(s, 2, 10)]
	for i, n := range widths {
		for j, elem := range floatTypes {
			if !s.full && i != j%2 && elem != weft.F32 {
				continue
			}
			for _, rms := range []bool{false, true} {
				x := s.random(elem, 3, n).each(func(_ int, x float64) float64 { return x + 2 })
				s.normalises(s.allOperands(elem, rms, n), x, dense, sliced)
			}
		}
	}
	s.normalises(normed{false, nil, nil, 1e-3, 1}, s.random(weft.F32, 40, 7), dense, dense)
	s.normalises(normed{true, nil, nil, 0, 1}, s.random(weft.F32, 40, 7), dense, dense)
}

// Rows of 16-bit elements that begin at any places within vectors of memory, with weights that begin with one.
func normOddRows(s *suite) {
	for i, n := range more(s, []int{2311, 9001}, 1021, 20_003) {
		elem := []weft.DType{weft.BF16, weft.F16}[i%2]
		for _, rms := range []bool{true, false} {
			x := s.random(elem, 9, n).each(func(_ int, x float64) float64 { return x + 2 })
			s.normalises(s.allOperands(elem, rms, n), x, dense, dense)
		}
	}
}

// Rows that programs share: few, and along a dimension that is not the last one of memory.
func normLong(s *suite) {
	for i, n := range []int{100_003, 50_000, 1_000_003}[:either(s, 1, 3)] {
		for _, rms := range []bool{false, true} {
			x := s.random(floatTypes[i%3], 2, n).each(func(_ int, x float64) float64 { return x + 2 })
			s.normalises(s.allOperands(x.elem, rms, n), x, dense, dense)
			s.normalises(s.allOperands(x.elem, rms, n), x, transposed, dense)
		}
	}
	// Of several dimensions that do not merge, and equal elements, whose variance is 0.
	x := s.random(weft.F32, 2, 300, 200)
	s.normalises(s.allOperands(weft.F32, false, 300, 200), x, stepped, dense)
	s.normalises(normed{false, nil, nil, 1e-5, 1}, filled(weft.F32, 3, 1, 100_003), dense, dense)
}

// Rows of several dimensions, next to any others, in any views.
func normViews(s *suite) {
	for i := range either(s, 5, 60) {
		shape := make([]int, 1+s.rng.IntN(4))
		for d := range shape {
			shape[d] = 1 + s.rng.IntN(8)
		}
		dims := 1 + s.rng.IntN(len(shape))
		n := s.allOperands(weft.F32, i%2 == 0, shape[len(shape)-dims:]...)
		n.eps = 0.01
		s.normalises(n, s.random(weft.F32, shape...), forms[s.rng.IntN(len(forms))], forms[s.rng.IntN(len(forms))])
	}
	// Rows that run down the columns of memory, and in place.
	x := s.random(weft.F32, 50, 70)
	s.normalises(s.allOperands(weft.F32, false, 70), x, transposed, transposed)
	t := s.input(sliced, x)
	s.op("LayerNorm")
	s.try(ops.LayerNormInto(t, t, nil, nil))
	plain := normed{eps: 1e-5, dims: 1}
	want, bound := plain.exact(x)
	s.compare(t, want, bound)
	for _, shape := range [][]int{{0, 3}, {3, 0}} {
		empty := s.tensor(filled(weft.F32, 0, shape...))
		s.compare(s.ok(ops.RMSNorm(empty, nil)), nil, nil)
	}
}

// Rows of any dimensions, wherever these stand among the others: as with the same rows in the last dimensions.
func normAxes(s *suite) {
	for i := range either(s, 5, 40) {
		rank := 2 + s.rng.IntN(3)
		order, back := s.rng.Perm(rank), make([]int, rank) // of the dimensions of x, those of rows last
		first := s.rng.IntN(rank)
		slices.Sort(order[:first])
		slices.Sort(order[first:])
		shape, axes := make([]int, rank), slices.Clone(order[first:])
		for j, d := range order {
			shape[j], back[d] = 1+s.rng.IntN(9), j
		}
		s.rng.Shuffle(len(axes), func(i, j int) { axes[i], axes[j] = axes[j], axes[i] })
		if i%2 == 1 {
			axes[0] -= rank
		}
		n := s.allOperands(floatTypes[i%len(floatTypes)], i%4 < 2, shape[first:]...)
		n.eps = 0.01
		last := s.random(n.weight.elem, shape...)
		from, to := forms[s.rng.IntN(len(forms))], forms[s.rng.IntN(len(forms))]
		x, out := s.ok(s.input(from, last).Permute(back...)), s.output(to, last.elem, shape...)
		y := s.ok(out.Permute(back...))
		var bias *weft.Tensor
		if n.bias != nil {
			bias = s.input(dense, *n.bias)
		}
		s.try(n.into(s, y, x, s.input(sliced, *n.weight), bias, axes))
		want, bound := n.exact(last)
		if err := out.verify(want, bound); err != nil {
			s.Error(fmt.Errorf("%v%v over %v, %s to %s, %+v: %w", x.DType(), x.Shape(), axes, from, to, n, err))
		}
	}
}

// A mean that is large compared with the deviations, and rows that are constant or not finite.
func normEdges(s *suite) {
	for _, cols := range []int{500, 20_000}[:either(s, 1, 2)] {
		x := s.random(weft.F32, 5, cols)
		for i := range x.x {
			switch i / cols {
			case 0:
				x.x[i] += 500
			case 1:
				x.x[i] = 3
			}
		}
		x.x[2*cols+7], x.x[3*cols+1] = math.NaN(), math.Inf(1)
		rounded(weft.F32, x.x)
		n := normed{false, nil, nil, 1e-2, 1}
		want, bound := n.exact(x)
		s.op("LayerNorm")
		out := s.ok(ops.LayerNorm(s.tensor(x), nil, nil, ops.Epsilon(1e-2)))
		s.compare(out, want, bound)
	}
}

func normGolden(s *suite) {
	s.golden("norms", floatTypes, nil, func(s *suite, elem weft.DType, c golden.Case) {
		x, w, b, eps := array(elem, c.Get("x")), array(elem, c.Get("weight")), array(elem, c.Get("bias")), c.Get("eps").X[0]
		s.normalisesTo(c.Get("layernorm").X, normed{false, &w, &b, eps, 1}, x, dense, dense)
		s.normalisesTo(c.Get("rmsnorm").X, normed{true, &w, nil, eps, 1}, x, dense, dense)
		if s.full {
			s.normalisesTo(c.Get("layernorm_plain").X, normed{false, nil, nil, eps, 1}, x, dense, dense)
			s.normalisesTo(c.Get("rmsnorm_plain").X, normed{true, nil, nil, eps, 1}, x, dense, dense)
		}
	})
}
