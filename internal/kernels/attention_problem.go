package kernels

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// AttentionProblem is what the config of attention depends on: queries [B,Hq,Sq,D], keys [B,Hkv,Sk,D], as
// which the values count, too, and which keys are hidden. Masks do not count.
type AttentionProblem struct {
	Elem        weft.DType
	Q, K        tune.View
	V           tune.Strides `json:",omitzero"` // where they are not those of K
	Out         tune.Strides `json:",omitzero"` // where they are not those of Q
	Page        int          `json:",omitzero"` // keys of a page, of which K has the strides: see Pages
	First, Last bool
}

// Sizes are the number of queries and of keys, and the size of a head.
func (p AttentionProblem) Sizes() (queries, keys, head int) {
	return p.Q.Size[2], p.K.Size[2], p.Q.Size[3]
}

// sharing are the heads that share keys.
func (p AttentionProblem) sharing() int { return p.Q.Size[1] / max(p.K.Size[1], 1) }

// rows is how queries are in memory.
func (p AttentionProblem) rows() plan.Operand { return operandOf(p.Elem, p.Q, 3) }

// capsFor are a device's capabilities as far as keys and values can use them.
func (p AttentionProblem) capsFor(caps target.Caps) target.Caps {
	caps.TensorMaps = caps.TensorMaps && takesMap(p.Elem, p.K)
	return caps
}

func (p AttentionProblem) Rule(caps target.Caps) AttentionConfig {
	queries, keys, head := p.Sizes()
	caps = p.capsFor(caps)
	cfg := attentionConfigFor(caps, p.Elem, queries, keys, head, p.Page, p.rows())
	if cfg.Producers > 0 {
		cfg.fit(caps, p)
	} else {
		cfg.widen(caps, p)
		cfg.split(caps, p)
	}
	return cfg
}

// List has the tiles of AttentionConfigs, each with as many parts as suit it, and the rule's choice with fewer and more, and for other numbers of heads in a tile and of programs.
func (p AttentionProblem) List(caps target.Caps) []AttentionConfig {
	queries, keys, head := p.Sizes()
	caps = p.capsFor(caps)
	rule := p.Rule(caps)
	list := []AttentionConfig{rule}
	for _, parts := range []int{rule.Parts / 2, 2 * max(rule.Parts, 1)} {
		if c := rule; parts <= min(MostParts, CeilDiv(keys, max(rule.BN, 1))) {
			c.Parts = parts
			list = appendNew(list, c)
		}
	}
	for _, c := range rule.promptChoices(caps, p) {
		c.together(caps, p)
		list = appendNew(list, c)
	}
	for _, c := range attentionConfigs(caps, attentionConfigFor(caps, p.Elem, queries, keys, head, p.Page, p.rows()), queries, keys, p.rows()) {
		c.split(caps, p)
		list = appendNew(list, c)
	}
	return list
}

func (p AttentionProblem) Legal(caps target.Caps, cfg AttentionConfig) error {
	queries, keys, head := p.Sizes()
	if cfg.Parts < 0 || cfg.Parts > MostParts {
		return fmt.Errorf("keys in %d parts, want at most %d", cfg.Parts, MostParts)
	}
	if rule := attentionConfigFor(caps, p.Elem, queries, keys, head, p.Page, p.rows()); cfg.Page != p.Page || cfg.Elem != p.Elem || cfg.Head != rule.Head || cfg.Precision != rule.Precision {
		return fmt.Errorf("the config is for %v, heads of %d", cfg.Elem, cfg.Head)
	}
	if cfg.First || cfg.Last || cfg.LSE || cfg.Scaled || cfg.Lengths || cfg.Mask.Valid() {
		return fmt.Errorf("a config that is chosen has no mask and no scale")
	}
	if n := cfg.TileHeads; n > 0 && !slices.Contains(p.groupings(cfg.BM), n) {
		return fmt.Errorf("%d of %d heads that share keys in a tile", n, p.sharing())
	}
	return cfg.legal(p.capsFor(caps), p.rows())
}

func (p AttentionProblem) Bucket() AttentionProblem {
	head := p.Q.Size[3]
	p.Q, p.K = p.Q.Bucket(), p.K.Bucket()
	p.Q.Size[3], p.K.Size[3] = head, head
	return p
}

func (p AttentionProblem) Kernel(cfg AttentionConfig) (*tile.Func, error) {
	cfg.First, cfg.Last = p.First, p.Last
	kernel, _ := cfg.Passes()
	return Attention.Build(kernel)
}
