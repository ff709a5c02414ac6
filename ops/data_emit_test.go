package ops_test

import (
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// dataKernels are those of embeddings, for arguments of one side.
func dataKernels(t *testing.T, caps target.Caps, elem weft.DType, side int) map[string]*tile.Func {
	t.Helper()
	out := map[string]*tile.Func{}
	keep := func(k *tile.Func, err error) {
		if err != nil {
			t.Fatal(err)
		}
		out[k.Name] = k
	}
	if elem == weft.F32 {
		elem = weft.U32 // as what rows are moved that have whole words
	}
	square := tune.ViewOf(dense([]int{side, side}))
	rows := kernels.EmbeddingProblem{Elem: elem, Table: square, Out: square}
	keep(kernels.Embedding.Build(rows.Config(rows.Rule(caps))))
	return out
}

// rowsOfWords is an embedding of 4096 rows of 4096 halves, which are 2048 words each.
func rowsOfWords(t *testing.T, caps target.Caps) *compile.Artifact {
	table, out := dense([]int{32768, 2048}), dense([]int{4096, 2048})
	p := kernels.EmbeddingProblem{Elem: weft.U32, Table: tune.ViewOf(table), Out: tune.ViewOf(out)}
	k, err := kernels.Embedding.Build(p.Config(p.Rule(caps)))
	return emitted(t, k, err, caps, table, dense([]int{4096}), out)
}
