package backendtest

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference/golden"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tile"
)

// The ops are held to what NumPy, SciPy, PyTorch and ml_dtypes computed; see package golden for the cases
// and for what their arrays hold.
var goldenCases = []testCase{
	{"MatMulGolden", matmulGolden},
	{"PermuteGolden", permuteGolden},
	{"SoftmaxGolden", softmaxGolden},
	{"ElementwiseGolden", elementwiseGolden},
	{"Conv2DGolden", conv2dGolden},
}

// golden runs f on those cases of a family that fit, or all for nil, for each element type. In the quick form every
// case has one type, the next in the list.
func (s *suite) golden(family string, types []weft.DType, fits func(c golden.Case) bool, f func(s *suite, elem weft.DType, c golden.Case)) {
	for i, c := range must[[]golden.Case](s)(golden.Cases(family)) {
		if fits != nil && !fits(c) {
			continue
		}
		for j, elem := range types {
			if s.full || i%len(types) == j {
				s.sub(func(s *suite) {
					f(s, elem, c)
					if !s.Failed() {
						s.trace.golden = append(s.trace.golden, [2]string{family, c.Name})
					}
				}, "%s_%v", c.Name, elem)
			}
		}
	}
}

// array is a golden array in an element type that holds its elements.
func array(elem weft.DType, a golden.Array) host { return host{elem, a.Shape, a.X} }

// matmulGolden multiplies batches of matrices as they are stored and transposed.
func matmulGolden(s *suite) {
	s.golden("matmul", floatTypes, func(c golden.Case) bool { return c.Name != "int8" }, matmulFloats)
	s.golden("matmul", []weft.DType{weft.I8}, func(c golden.Case) bool { return c.Name == "int8" }, func(s *suite, elem weft.DType, c golden.Case) {
		out := s.output(dense, weft.I32, c.Get("y").Shape...)
		s.try(ops.MatMulInto(out.Tensor, s.tensor(array(elem, c.Get("a"))), s.tensor(array(elem, c.Get("b"))), smallTiles))
		out.check(c.Get("y").X, nil)
	})
}

func matmulFloats(s *suite, elem weft.DType, c golden.Case) {
	x, w, y := s.tensor(array(elem, c.Get("a"))), s.tensor(array(elem, c.Get("b"))), c.Get("y")
	if c.Get("ta").Int() == 1 {
		x = x.T()
	}
	if c.Get("tb").Int() == 1 {
		w = w.T()
	}
	k := x.Dim(x.Rank() - 1)
	magnitudes := 16 * float64(k) // operands are at most 4
	bound := func(i int) float64 { return bounds.MatMul(elem, tile.IEEE, k, y.X[i], magnitudes) }
	options := []ops.MatMulOption{smallTiles}
	out := s.output(dense, elem, y.Shape...)
	switch {
	case c.Has("alpha"): // y = alpha a b + beta c; alpha is 1/2 and beta -2, which round nothing
		out.Tensor = s.tensor(array(elem, c.Get("c")))
		out.around = out.Tensor
		options = append(options, ops.Alpha(c.Get("alpha").X[0]), ops.Beta(c.Get("beta").X[0]))
	case c.Has("bias"): // y = gelu(a b + bias)
		options = append(options, ops.Bias(s.tensor(array(elem, c.Get("bias")))), ops.Fuse(ops.GELUMap))
		bound = func(i int) float64 {
			return bounds.Activation(elem, magnitudes, bounds.MatMulSum(tile.IEEE, k+1, magnitudes), y.X[i])
		}
	}
	s.try(ops.MatMulInto(out.Tensor, x, w, options...))
	out.check(y.X, bound)
}

// elementwiseGolden applies functions of one element, within what their bounds hold for.
func elementwiseGolden(s *suite) {
	functions := map[string]*ops.ElementwiseOp{}
	for _, o := range ops.Elementwise() {
		if len(o.Inputs) == 1 {
			functions[o.Name] = o
		}
	}
	known := func(c golden.Case) bool { return functions[c.Name] != nil }
	s.golden("elementwise", floatTypes, known, func(s *suite, elem weft.DType, c golden.Case) {
		o, x, y := functions[c.Name], array(elem, c.Get("x")), slices.Clone(c.Get("y").X)
		for i, v := range rounded(elem, slices.Clone(y)) {
			if math.IsInf(v, 0) { // beyond the type
				y[i] = v
			}
		}
		out := s.output(dense, elem, x.shape...)
		s.try(o.Map.Into(out.Tensor, s.tensor(x)))
		out.check(y, func(i int) float64 {
			if v := x.x[i]; o.Within > 0 && math.Abs(v) > o.Within || o.Above != 0 && v < o.Above {
				return math.Inf(1)
			}
			return o.Bound(elem, x.x[i:i+1], y[i])
		})
	})
}

// permuteGolden copies permuted views.
func permuteGolden(s *suite) {
	s.golden("permute", floatTypes, nil, func(s *suite, elem weft.DType, c golden.Case) {
		view := s.ok(s.tensor(array(elem, c.Get("x"))).Permute(c.Get("order").Ints()...))
		y := c.Get("y")
		out := s.output(sliced, elem, y.Shape...)
		s.try(out.CopyFrom(view))
		out.check(y.X, nil)
	})
}

func softmaxGolden(s *suite) {
	s.golden("softmax", floatTypes, nil, func(s *suite, elem weft.DType, c golden.Case) {
		x, axis := array(elem, c.Get("x")), c.Get("axis").Int()
		for op, want := range map[string][]float64{"Softmax": c.Get("y").X, "LogSoftmax": c.Get("log").X} {
			s.softmaxesTo(want, op, x, dense, dense, axis, 1)
		}
	})
}
