package kernels

import (
	"fmt"

	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/tile"
)

// A paged cache has its keys and values in pages of one size, in any order, of which a table lists those of each batch: k and v are pools
// [Pages,Hkv,Page,D], and key j of batch b is row j%Page of page table[b,j/Page] (Kwon et al., Efficient Memory Management for Large Language Model Serving with
// PagedAttention, 2023). A step's keys are in one page, so that a step differs from one of keys [B,Hkv,Sk,D] in its coordinates alone.

// LeastPage is the smallest page: the fewest keys that a step of matrix instructions takes.
const LeastPage = 16

// NoPage says why there is no kernel for pages of so many keys; it is empty if there is one.
func NoPage(keys int) string {
	if keys < LeastPage || pow2.Ceil(keys) != keys {
		return fmt.Sprintf("pages of %d keys, want a power of two from %d on", keys, LeastPage)
	}
	return ""
}

// keysAt is where the keys of a step are in k and v: the first three coordinates of their block, or where it begins.
type keysAt struct {
	at     [3]tile.Operand
	begins bool
}

// keysAt finds the keys of step i.
func (a *attention) keysAt(i *tile.Value) keysAt {
	switch {
	case a.keyStarts != nil:
		return keysAt{[3]tile.Operand{0, a.group, a.keysFrom.Add(i.Mul(a.cfg.BN))}, true}
	case a.table == nil:
		return keysAt{[3]tile.Operand{a.batch, a.group, i}, false}
	}
	steps := a.cfg.Page / a.cfg.BN
	page := a.table.At(a.batch, i.Div(steps)).Gather()
	page = page.Minimum(a.k.Dim(0).Sub(1)).Maximum(0) // no number in the table reaches outside of the pool
	return keysAt{[3]tile.Operand{page, a.group, i.Rem(steps)}, false}
}

// fitPage keeps a step's keys within a page, or by rows those that its threads have at a time.
func (cfg *AttentionConfig) fitPage() {
	if cfg.Page > 0 && !(cfg.ByRows && cfg.slots() <= cfg.Page) {
		cfg.BN = min(cfg.BN, cfg.Page)
	}
}

// Pages is the problem with keys in pages of so many, of which each batch has some.
func (p AttentionProblem) Pages(keys, each int) AttentionProblem {
	p.Page = keys
	p.K.Size[0], p.K.Size[2] = p.Q.Size[0], each*keys
	return p
}
