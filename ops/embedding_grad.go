package ops

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
)

// embeddingGrad is a call of EmbeddingGrad: an addition of rows at indices, to a table of zeros of so many rows.
type embeddingGrad struct {
	indexedOptions
	rows int
}

var embeddingGrads = declare(declaration[embeddingGrad]{
	inputs: []string{"dy", "ids"}, needed: 2, alike: 1, check: (*embeddingGrad).prepare, launch: (*embeddingGrad).launch,
})

func newEmbeddingGrad(rows int, options []ScatterOption) embeddingGrad {
	return embeddingGrad{newScatter("embedding_grad", formSelect, 0, "", ScatterAdd, options), rows}
}

// EmbeddingGrad is the gradient of Embedding with respect to its table of so many rows, given the ids [...] of I32 and the gradient dy [...,D] of its result: a
// new tensor [rows,D], each row of which is the sum of the rows of dy whose id it is, or zeros. A row of dy whose id is below 0 or from rows on is left out, so
// that ids such as -1 stand for padding. Sums are in F32 and rounded once. Their order differs from run to run, and so do their last bits, unless
// Deterministic is given.
//
// Errors: ErrArgument for nil, ids that are not I32, fewer rows than none and LastWins; ErrShape for a dy whose shape is not that of ids and one dimension more;
// ErrUnsupported for other element types than F32, F16 and BF16; ErrLimit for tensors that reach over 2^31 elements or more; ErrDevice, ErrClosed, ErrOutOfMemory.
func EmbeddingGrad(dy, ids *weft.Tensor, rows int, options ...ScatterOption) (*weft.Tensor, error) {
	return embeddingGrads.new(newEmbeddingGrad(rows, options), dy, ids)
}

// EmbeddingGradInto writes what EmbeddingGrad returns into out, whose shape says how many rows there are.
//
// Errors: as for EmbeddingGrad, and ErrUnsupported if out repeats elements or overlaps dy or ids.
func EmbeddingGradInto(out, dy, ids *weft.Tensor, options ...ScatterOption) error {
	rows := 0
	if out != nil && out.Rank() > 0 {
		rows = out.Dim(0)
	}
	return embeddingGrads.into(newEmbeddingGrad(rows, options), out, dy, ids)
}

func (g *embeddingGrad) prepare(in []*weft.Tensor) ([]int, error) {
	dy, ids := in[0], in[1]
	if err := g.checkKind(dy.DType()); err != nil {
		return nil, err
	}
	if err := checkGiven(g.op, operand{"ids", ids}, operand{"dy", dy}, weft.I32); err != nil {
		return nil, err
	}
	last := dy.Rank() - 1
	switch {
	case last < 0 || !slices.Equal(dy.Shape()[:last], ids.Shape()):
		return nil, fault.New(weft.ErrShape, g.op, "shape %v for ids of shape %v, want one dimension more", dy.Shape(), ids.Shape()).For("dy")
	case g.rows < 0:
		return nil, fault.New(weft.ErrArgument, g.op, "%d, want at least 0", g.rows).For("rows")
	}
	return []int{g.rows, dy.Dim(last)}, nil
}

func (g *embeddingGrad) launch(out *weft.Tensor, in []*weft.Tensor) error {
	dy, ids := in[0], in[1]
	c := g.call(out.Layout(), ids.Layout(), dy.Layout())
	if _, _, err := g.problem(&c, indexedTensors{operand{"out", out}, operand{"ids", ids}, operand{"dy", dy}}, g.kind, true); err != nil {
		return err // before anything is written
	}
	if err := out.Fill(0); err != nil {
		return err
	}
	return launchScatter(&g.indexedOptions, out, []*weft.Tensor{out, ids, dy})
}
