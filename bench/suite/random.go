package suite

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

var stream = ops.Stream{Seed: 1}

// drawnUniform is element i of the stream, exactly.
func drawnUniform(i int) float64 { return reference.Uniform(stream.Seed, uint64(i/4*4), 4, 24)[i%4] }

func randomUniform(n int) Work {
	return Work{
		Name: name("uniform", weft.F32, size(n)), Op: "uniform", Private: true, Output: normal(weft.F32, n),
		Run:  func(out *weft.Tensor, _ []*weft.Tensor) error { return ops.UniformInto(out, stream) },
		Want: func(_ []Values, i int) (want, bound float64) { return drawnUniform(i), 0 },
	}
}

func randomNormal(n int) Work {
	return Work{
		Name: name("normal", weft.F32, size(n)), Op: "normal", Private: true, Output: normal(weft.F32, n),
		Run: func(out *weft.Tensor, _ []*weft.Tensor) error { return ops.NormalInto(out, stream) },
		Want: func(_ []Values, i int) (want, bound float64) {
			x, radius := reference.Normal(stream.Seed, uint64(i/4*4), 4)
			return x[i%4], bounds.Normal(weft.F32, x[i%4], radius[i%4])
		},
	}
}

func dropout(n int) Work {
	x := normal(weft.F32, n)
	return Work{
		Name: name("dropout", weft.F32, size(n)), Op: "dropout", Private: true, Inputs: []Operand{x}, Output: x,
		Run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.DropoutInto(out, in[0], 0.5, stream, nil) },
		Want: func(in []Values, i int) (want, bound float64) {
			if drawnUniform(i) >= 0.5 {
				want = 2 * in[0](i)
			}
			return want, 0
		},
	}
}
