package backendtest

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference/golden"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

// conv2dGolden has every option of a convolution, and both orders of dimensions, by each algorithm in
// after another.
func conv2dGolden(s *suite) {
	s.op("Conv2D")
	next := 0
	s.golden("conv2d", floatTypes, nil, func(s *suite, elem weft.DType, c golden.Case) {
		stride, padding, dilation := c.Get("stride").Ints(), c.Get("padding").Ints(), c.Get("dilation").Ints()
		options := []ops.Conv2DOption{
			ops.Stride(stride[0], stride[1]), ops.Padding(padding[0], padding[1]), ops.Dilation(dilation[0], dilation[1]),
			ops.Groups(c.Get("groups").Int()), ops.Algorithm(algorithms[next%len(algorithms)]),
			ops.Tiles(ops.Conv2DConfig{BO: 16, BP: 16, BK: 8, Threads: 64}),
		}
		next++
		if c.Has("bias") {
			options = append(options, ops.Bias(s.tensor(array(elem, c.Get("bias")))))
		}
		if c.Has("nhwc") {
			options = append(options, ops.ChannelsLast())
		}
		w, y := array(elem, c.Get("w")), c.Get("y")
		out := s.output(dense, elem, y.Shape...)
		s.try(ops.Conv2DInto(out.Tensor, s.tensor(array(elem, c.Get("x"))), s.tensor(w), options...))
		terms := size(w.shape[1:])
		out.check(y.X, func(i int) float64 { return bounds.Conv2D(elem, terms, y.X[i], 16*float64(terms)+4) }) // operands are at most 4
	})
}
