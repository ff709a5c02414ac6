package ops

import (
	"math/rand/v2"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/tune"
)

var embeddingTune = space[embeddingTrials]("embedding")

type embeddingTrials struct{}

func (embeddingTrials) Trial(p kernels.EmbeddingProblem, r *trialTensors, rule kernels.RowSizes) (*tune.Trial[kernels.RowSizes], error) {
	table, out := r.filled(p.Elem, p.Table), r.empty(p.Elem, p.Out)
	ids := r.indices(p.Table.Size[0], p.Out.Shape()[:p.Out.Rank-1]...)
	run := func(s kernels.RowSizes) error {
		return kernels.Embedding.LaunchViews(p.Config(s), nil, view(table), view(ids), view(out))
	}
	row, element := r.valuesOf(ids), r.valuesOf(table)
	r.exactly(1, func(at []int) float64 {
		last := len(at) - 1
		return element(int(row(at[:last]...)), at[last])
	})
	return newTrial(r, rule, run, tolerance{}, out)
}

// indices is a dense tensor of random numbers of I32 from 0 to below n.
func (r *trialTensors) indices(n int, shape ...int) *weft.Tensor {
	v := tune.View{Rank: int8(len(shape)), Unit: true, Align: 16}
	for d := range shape {
		v.Order[d] = int8(d)
	}
	copy(v.Size[:], shape)
	t, memory := r.strided(weft.I32, v)
	if r.err != nil {
		return t
	}
	fill := func() error {
		return r.drawBy(t, memory, func(rng *rand.Rand) float64 { return float64(rng.IntN(max(n, 1))) })
	}
	r.fills = append(r.fills, fill)
	r.err = fill()
	return t
}
