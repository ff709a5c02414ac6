package ops

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tune"
)

var attentionTune = space[attentionTrials]("attention")

type attentionTrials struct{}

func (attentionTrials) Trial(p kernels.AttentionProblem, r *trialTensors, rule AttentionConfig) (*tune.Trial[AttentionConfig], error) {
	queries, keys, head := p.Sizes()
	each := 0 // pages of a batch, which are in order
	if p.Page > 0 {
		each = kernels.CeilDiv(keys, p.Page)
		keys = each * p.Page
		p.K.Size[0], p.K.Size[2] = each*p.K.Size[0], p.Page
	}
	c := attentionCall{q: r.filled(p.Elem, p.Q), k: r.filled(p.Elem, p.K), v: r.filled(p.Elem, p.K.With(p.V)), out: r.empty(p.Elem, p.Q.With(p.Out)),
		attentionOptions: attentionOptions{before: -1, after: -1}, heads: p.Q.Size[1], groups: p.K.Size[1], queries: queries, keys: keys, head: head}
	if p.Page > 0 {
		c.table, c.hasTable = r.counting(p.Q.Size[0], each), true
	}
	if r.err != nil {
		return nil, r.err
	}
	if p.First {
		c.before = keys / 4
	}
	c.causal = p.Last
	c.scale = 1 / math.Sqrt(float64(max(head, 1)))
	first, last, _, _ := c.band()
	run := func(cfg AttentionConfig) error {
		cfg.First, cfg.Last = p.First, p.Last
		return c.run(cfg, weft.Scalars{cfg.SetScale(c.scale), first, last}, c.views())
	}
	q, k, v := r.valuesOf(c.q), r.valuesOf(c.k), r.valuesOf(c.v)
	r.exactly(2*keys*head, func(at []int) float64 {
		b, h, i, d := at[0], at[1], at[2], at[3]
		group := h * c.groups / max(c.heads, 1)
		sum, result := 0.0, 0.0
		for j := range keys {
			if p.First && j < i+first || p.Last && j > i+last {
				continue
			}
			at, row := b, j
			if p.Page > 0 {
				at, row = b*each+j/p.Page, j%p.Page
			}
			score := 0.0
			for e := range head {
				score += q(b, h, i, e) * k(at, group, row, e)
			}
			weight := math.Exp(score * c.scale)
			sum, result = sum+weight, result+weight*v(at, group, row, d)
		}
		if sum == 0 {
			return 0
		}
		return result / sum
	})
	bound := bounds.Attention(p.Elem, keys, head, 1, 1, math.Sqrt(float64(head)), 1)
	return newTrial(r, rule, run, within(p.Elem, bound), c.out)
}
