package suite

import (
	"cmp"
	"slices"

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

// sample draws a token from each row of logits, of the best 50 of them or of those that have 0.9 together.
func sample(elem weft.DType, rows, known int) Work {
	c := reference.Sampling{K: 50, P: 0.9, Temperature: 0.8}
	options := []ops.SampleOption{ops.SampleTopK(c.K), ops.SampleTopP(c.P), ops.Temperature(c.Temperature)}
	return Work{
		Name: name("sample", elem, size(rows, known)), Op: "sample", Private: true, Terms: known,
		Params: map[string]any{"k": c.K, "p": c.P, "temperature": c.Temperature},
		Inputs: []Operand{normal(elem, rows, known)}, Output: normal(weft.I32, rows),
		Run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.SampleInto(out, in[0], stream, options...) },
		Want: func(in []Values, i int) (want, bound float64) {
			return float64(c.Draw(in[0].slice(i*known, known), stream.Seed, stream.Offset, i)), 0
		},
	}
}

// topK finds the largest elements of rows, such as logits, and their indices.
func topK(elem weft.DType, rows, known, k int) Work {
	var last cached[[]float64]
	return Work{
		Name: name("top_k", elem, size(k), " of ", size(rows, known)), Op: "top_k", Terms: known, Params: map[string]any{"k": k},
		Inputs: []Operand{normal(elem, rows, known), normal(weft.I32, rows, k)}, Output: normal(elem, rows, k),
		Run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.TopKInto(out, in[1], in[0], k, 1) },
		Want: func(in []Values, i int) (want, bound float64) {
			row := last.of(i/k, func() []float64 {
				x := in[0].slice(i/k*known, known)
				slices.SortFunc(x, func(a, b float64) int { return cmp.Compare(b, a) })
				return x
			})
			return row[i%k], 0
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
