package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// CacheConfig is what CacheAppend is built for.
type CacheConfig struct {
	Elem  weft.DType
	Paged bool // the cache is a pool of pages, which a table lists
	Heads int  // of one program's tile, a power of two
	RowSizes
}

// CacheProblem is what the sizes of an append to a cache depend on.
type CacheProblem struct {
	Elem  weft.DType
	X     tune.View    // [B,H,S,D]
	Cache tune.Strides `json:",omitzero"` // where it is not dense
	Paged bool
}

func (p CacheProblem) Rule(caps target.Caps) RowSizes {
	heads, rows, cols := p.X.Size[1], p.X.Size[2], p.X.Size[3]
	return rowSizesFor(caps, p.Elem, p.X.Size[0]*heads*rows, pow2.Ceil(max(heads, 1))*pow2.Ceil(max(rows, 1)), cols)
}

func (p CacheProblem) List(caps target.Caps) []RowSizes { return p.Rule(caps).around() }

func (p CacheProblem) Legal(caps target.Caps, s RowSizes) error { return s.legal(caps) }

func (p CacheProblem) Work(_ target.Caps, s RowSizes) tune.Work {
	cfg := p.Config(s)
	return s.work(p.Elem, p.X, p.X.Size[0]*CeilDiv(p.X.Size[1], cfg.Heads)*CeilDiv(p.X.Size[2], cfg.Rows), p.X.Size[3])
}

func (p CacheProblem) Needs(target.Caps) tune.Needs { return tune.Needs{Read: bytesOf(p.Elem, p.X)} } // rows may be beyond the cache

func (p CacheProblem) Bucket() CacheProblem {
	p.X = p.X.Bucket()
	return p
}

func (p CacheProblem) Kernel(s RowSizes) (*tile.Func, error) { return CacheAppend.Build(p.Config(s)) }

// Config is the config by sizes, whose rows are of one head, or all rows of several heads.
func (p CacheProblem) Config(s RowSizes) CacheConfig {
	cfg := CacheConfig{Elem: p.Elem, Paged: p.Paged, RowSizes: s}
	cfg.Rows = min(s.Rows, pow2.Ceil(max(p.X.Size[2], 1)))
	cfg.Heads = s.Rows / cfg.Rows
	return cfg
}
