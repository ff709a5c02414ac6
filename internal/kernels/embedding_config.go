package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// EmbeddingConfig is what Embedding is built for.
type EmbeddingConfig struct {
	Elem weft.DType
	Rank int // dimensions of out after merging, 2 to 5; the last one holds a row
	RowSizes
}

// EmbeddingProblem is what the sizes of an embedding depend on.
type EmbeddingProblem struct {
	Elem  weft.DType
	Table tune.View // [V,D]
	Out   tune.View // in merged dimensions, rows last
}

// rows are how many rows there are, how many of them are adjacent, and their length.
func (p EmbeddingProblem) rows() (count, adjacent, cols int) {
	shape := p.Out.Shape()
	last := len(shape) - 1
	return countOf(shape[:last]), shape[last-1], shape[last]
}

func (p EmbeddingProblem) Rule(caps target.Caps) RowSizes {
	count, adjacent, cols := p.rows()
	return rowSizesFor(caps, p.Elem, count, adjacent, cols)
}

func (p EmbeddingProblem) List(caps target.Caps) []RowSizes { return p.Rule(caps).around() }

func (p EmbeddingProblem) Legal(caps target.Caps, s RowSizes) error { return s.legal(caps) }

func (p EmbeddingProblem) Work(_ target.Caps, s RowSizes) tune.Work {
	count, adjacent, cols := p.rows()
	return s.work(p.Elem, p.Out, count/max(adjacent, 1)*CeilDiv(adjacent, s.Rows), cols)
}

func (p EmbeddingProblem) Bucket() EmbeddingProblem {
	p.Table, p.Out = p.Table.Bucket(), p.Out.Bucket()
	return p
}

func (p EmbeddingProblem) Kernel(s RowSizes) (*tile.Func, error) { return Embedding.Build(p.Config(s)) }

// Config is the config by sizes.
func (p EmbeddingProblem) Config(s RowSizes) EmbeddingConfig {
	return EmbeddingConfig{Elem: p.Elem, Rank: int(p.Out.Rank), RowSizes: s}
}
