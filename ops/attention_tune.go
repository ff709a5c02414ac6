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
	c := attentionCall{q: r.filled(p.Elem, p.Q), k: r.filled(p.Elem, p.K), v: r.filled(p.Elem, p.K.With(p.V)), out: r.empty(p.Elem, p.Q.With(p.Out)),
		attentionOptions: attentionOptions{before: -1, after: -1}, heads: p.Q.Size[1], groups: p.K.Size[1], queries: queries, keys: keys, head: head}
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
		return kernels.Attention.LaunchViews(cfg, weft.Scalars{cfg.SetScale(c.scale), first, last}, c.views()...)
	}
	bound := bounds.Attention(p.Elem, keys, head, 1, 1, math.Sqrt(float64(head)), 1)
	return newTrial(r, rule, run, within(p.Elem, bound), c.out)
}
