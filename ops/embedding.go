package ops

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

var embeddings = declare(declaration[given]{
	inputs: []string{"table", "ids"}, needed: 2, alike: 1, types: func(_ given, t weft.DType) bool { return t.IsFloat() }, check: checkEmbedding, launch: launchEmbedding,
})

// Embedding returns the rows of a table [V,D], of floats, that ids name: for ids [...] of
// I32, in any shape, a new tensor [...,D]. Any views will do. Elements are moved as they are, bit
// for bit; where rows of a 16-bit type do not consist of whole words of 32 bits, in both tensors, a
// NaN may become another one.
//
// An id below 0 or from V on gives a row of zeros: only the device sees ids, and it reads nothing
// outside of the table.
//
// Errors: ErrShape for a table that is no matrix, ErrArgument for nil and ids that are not I32,
// ErrUnsupported for other element types of the table and more than 4 dimensions of ids that do not
// merge, ErrDevice, ErrClosed.
func Embedding(table, ids *weft.Tensor) (*weft.Tensor, error) {
	return embeddings.new(given{op: "embedding"}, table, ids)
}

// EmbeddingInto writes the rows into out [...,D].
//
// Errors: as for Embedding, and ErrUnsupported if out repeats elements or overlaps table or ids.
func EmbeddingInto(out, table, ids *weft.Tensor) error {
	return embeddings.into(given{op: "embedding"}, out, table, ids)
}

func checkEmbedding(o *given, in []*weft.Tensor) ([]int, error) {
	table, ids := in[0], in[1]
	if table.Rank() != 2 {
		return nil, fault.New(weft.ErrShape, o.op, "shape %v, want a matrix", table.Shape()).For("table")
	}
	if err := checkGiven(o.op, operand{"ids", ids}, operand{"table", table}, weft.I32); err != nil {
		return nil, err
	}
	return append(ids.Shape(), table.Dim(1)), nil
}

func launchEmbedding(o *given, out *weft.Tensor, in []*weft.Tensor) error {
	table, ids := in[0], in[1]
	which, rows, err := mergedIDs(o.op, ids.Layout(), out.Layout())
	if err != nil {
		return err
	}
	views := asWords(ownView(table), weft.TensorView{Tensor: out, Layout: rows})
	p := kernels.EmbeddingProblem{Elem: seenElem(views[0]), Table: viewOf(views[0].Layout), Out: viewOf(views[1].Layout)}
	cfg := p.Config(pick(embeddingTune, out.Device(), p))
	return kernels.Embedding.LaunchViews(cfg, nil, views[0], weft.TensorView{Tensor: ids, Layout: which}, views[1])
}

// mergedIDs brings ids [...] and the rows [...,D] of them into the fewest dimensions: those of ids
// in the order of memory of the rows, and merged where they are one run in both.
func mergedIDs(op string, ids, rows layout.Layout) (which, merged layout.Layout, err error) {
	last := rows.Rank() - 1
	first, err := rows.Select(last, 0)
	if err != nil {
		return which, merged, err
	}
	both := []layout.Layout{ids, first}
	order := memoryOrder(first)
	for i := range both {
		if both[i], err = both[i].Permute(order...); err != nil {
			return which, merged, err
		}
	}
	both = layout.CoalesceTogether(both...)
	if both[0].Rank() == 0 { // of a single id
		for i := range both {
			both[i], _ = both[i].Unsqueeze(0)
		}
	}
	if both[0].Rank()+1 > kernels.MaxRank {
		return which, merged, fault.New(weft.ErrUnsupported, op, "shape %v has too many dimensions, want at most %d that do not merge", ids.Shape(), kernels.MaxRank-1).For("ids")
	}
	merged, err = layout.Strided(append(both[1].Shape(), rows.Size(last)), append(slices.Clone(both[1].Strides()), rows.Stride(last)), rows.Offset())
	return both[0], merged, err
}
