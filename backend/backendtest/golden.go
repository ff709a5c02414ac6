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
	{"ActivationGolden", activationGolden},
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

// matmulGolden multiplies what is stored, or its transpose, with what belongs to it. Magnitudes are bounded by
// those of the operands, 4 each.
func matmulGolden(s *suite) {
	every := func(golden.Case) bool { return true }
	s.golden("matmul", floatTypes, every, func(s *suite, elem weft.DType, c golden.Case) {
		result, y := elem, c.Get("y")
		if c.Name == "int8" {
			elem, result = weft.I8, weft.I32
		}
		x, w := s.tensor(array(elem, c.Get("a"))), s.tensor(array(elem, c.Get("b")))
		if c.Get("ta").Int() == 1 {
			x = x.T()
		}
		if c.Get("tb").Int() == 1 {
			w = w.T()
		}
		k, options := x.Dim(x.Rank()-1), []ops.MatMulOption{smallTiles}
		out := s.output(dense, result, y.Shape...).Tensor
		if c.Has("c") {
			out = s.tensor(array(result, c.Get("c")))
			options = append(options, ops.Alpha(c.Get("alpha").X[0]), ops.Beta(c.Get("beta").X[0]))
		}
		if c.Has("bias") {
			options = append(options, ops.Bias(s.tensor(array(elem, c.Get("bias")))), ops.Fuse(ops.GELUMap))
		}
		s.try(ops.MatMulInto(out, x, w, options...))
		s.compare(out, y.X, func(i int) float64 {
			switch sum := ops.MatMulSumBound(tile.IEEE, k+2, 16*float64(k+1)); {
			case result == weft.I32:
				return 0
			case c.Has("bias"):
				return ops.ActivationBound(elem, 16*float64(k+1), sum, y.X[i])
			default:
				return sum + ops.MatMulBound(elem, tile.IEEE, 0, y.X[i], 0)
			}
		})
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
