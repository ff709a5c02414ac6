package backendtest

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference/golden"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// The ops are held to what NumPy, SciPy and PyTorch computed; see package golden for the cases
// and for what their arrays hold.
var goldenCases = []testCase{
	{"MatMulGolden", matmulGolden},
	{"SoftmaxGolden", softmaxGolden},
}

// golden runs f on those cases of a family that fit, for each element type. In the quick form every
// case has one type, in turn.
func (s *suite) golden(family string, types []weft.DType, fits func(c golden.Case) bool, f func(s *suite, elem weft.DType, c golden.Case)) {
	for i, c := range must[[]golden.Case](s)(golden.Cases(family)) {
		if !fits(c) {
			continue
		}
		for j, elem := range types {
			if s.full || i%len(types) == j {
				s.sub(func(s *suite) { f(s, elem, c) }, "%s_%v", c.Name, elem)
			}
		}
	}
}

// array is a golden array in an element type that holds its elements.
func array(elem weft.DType, a golden.Array) host { return host{elem, a.Shape, a.X} }

// matmulGolden multiplies matrices as they are stored and transposed. Magnitudes are bounded by
// those of the operands, 4 each.
func matmulGolden(s *suite) {
	plain := func(c golden.Case) bool {
		return len(c.Get("a").Shape) == 2 && len(c.Get("b").Shape) == 2 && !c.Has("bias") && !c.Has("alpha") && c.Name != "int8"
	}
	s.golden("matmul", floatTypes, plain, func(s *suite, elem weft.DType, c golden.Case) {
		a, b, y := c.Get("a"), c.Get("b"), c.Get("y")
		x, w := s.tensor(array(elem, a)), s.tensor(array(elem, b))
		if c.Get("ta").Int() == 1 {
			x = x.T()
		}
		if c.Get("tb").Int() == 1 {
			w = w.T()
		}
		k := x.Dim(1)
		out := s.output(dense, elem, y.Shape...)
		s.try(ops.MatMulInto(out.Tensor, x, w, smallTiles))
		out.check(y.X, func(i int) float64 { return ops.MatMulBound(elem, tile.IEEE, k, y.X[i], 16*float64(k)) })
	})
}

func softmaxGolden(s *suite) {
	last := func(c golden.Case) bool { return c.Get("axis").Int() == len(c.Get("x").Shape)-1 }
	s.golden("softmax", floatTypes, last, func(s *suite, elem weft.DType, c golden.Case) {
		x, y, axis := array(elem, c.Get("x")), c.Get("y").X, c.Get("axis").Int()
		out := s.output(dense, elem, x.shape...)
		s.try(ops.SoftmaxInto(out.Tensor, s.tensor(x)))
		out.check(y, func(i int) float64 { return ops.SoftmaxBound(elem, x.shape[axis], 8, y[i]) })
	})
}
