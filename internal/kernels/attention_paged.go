package kernels

import (
	"fmt"

	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/tile"
)

// A paged cache has its keys and values in pages of one size, in any order, of which a table lists those of each batch: k and v are pools
// [Pages,Hkv,Page,D], and key j of batch b is row j%Page of page table[b,j/Page] (Kwon et al., Efficient Memory Management for Large Language Model Serving with
// PagedAttention, 2023). A block of a step's keys is in one page, so that it differs from one of keys [B,Hkv,Sk,D] in its coordinates alone. A step has several
// blocks where pages are smaller, which are stacked to one operand, so that its products are those of keys in order.

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

// stepKeys finds the blocks of keys of step i.
func (a *attention) stepKeys(i *tile.Value) []keysAt {
	if !a.cfg.severalPages() {
		return []keysAt{a.keysAt(i)}
	}
	n := a.cfg.BN / a.cfg.Page
	list, last := make([]keysAt, n), a.keys.Sub(1).Div(a.cfg.Page) // of the table that is read: the last step may reach beyond it
	for j := range list {
		list[j] = keysAt{[3]tile.Operand{a.pageAt(i.Mul(n).Add(j).Minimum(last)), a.group, 0}, false}
	}
	return list
}

// loadKeys reads a step's rows of k or v, in a block of the head: those of all its blocks, as many of each, one after the other.
func loadKeys(keys []keysAt, v *tile.View, rows, width int, block tile.Operand) *tile.Value {
	if len(keys) == 1 {
		return keys[0].load(v, rows, width, block)
	}
	half := len(keys) / 2
	first, second := loadKeys(keys[:half], v, rows/2, width, block), loadKeys(keys[half:], v, rows/2, width, block)
	return first.Join(second).Permute(2, 0, 1).Reshape(rows, width)
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
	return keysAt{[3]tile.Operand{a.pageAt(i.Div(steps)), a.group, i.Rem(steps)}, false}
}

// pageAt is the number of the batch's page i. No number in the table reaches outside of the pool.
func (a *attention) pageAt(i *tile.Value) *tile.Value {
	return a.table.At(a.batch, i).Gather().Minimum(a.k.Dim(0).Sub(1)).Maximum(0)
}

// severalPages reports whether the keys of a step are in several pages.
func (cfg AttentionConfig) severalPages() bool { return cfg.Page > 0 && cfg.Page < cfg.BN }

// fitPage keeps a step's keys within a page, unless it has several: of blocks that tensor maps copy or warps that share few queries, or by rows of those that
// its threads have at a time.
func (cfg *AttentionConfig) fitPage() {
	several := cfg.Producers > 0 || cfg.isFew()
	if cfg.ByRows {
		several = cfg.slots() <= cfg.Page
	}
	if cfg.Page > 0 && !several {
		cfg.BN = min(cfg.BN, cfg.Page)
	}
}

// isFew reports whether the warps of a program share few queries: see attentionFewTiles.
func (cfg AttentionConfig) isFew() bool {
	return cfg.Resident && !cfg.ByRows && cfg.Producers == 0 && cfg.BM <= fewMatrixRows
}

// Pages is the problem with keys in pages of so many, of which each batch has some.
func (p AttentionProblem) Pages(keys, each int) AttentionProblem {
	p.Page = keys
	p.K.Size[0], p.K.Size[2] = p.Q.Size[0], each*keys
	return p
}
