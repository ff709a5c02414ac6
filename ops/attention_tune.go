package ops

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/ops/kernels"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// attentionProblem is what the config of attention depends on: queries [B,Hq,Sq,D], keys [B,Hkv,Sk,D], as
// which the values count, too, and which keys are hidden. Masks do not count.
type attentionProblem struct {
	Elem        weft.DType
	Q, K        tune.View
	First, Last bool
}

func (p attentionProblem) sizes() (queries, keys, head int) {
	return p.Q.Size[2], p.K.Size[2], p.Q.Size[3]
}

// capsFor are a device's capabilities as far as keys and values can use them.
func (p attentionProblem) capsFor(caps target.Caps) target.Caps {
	caps.TensorMaps = caps.TensorMaps && kernels.TakesMap(p.Elem, p.K)
	return caps
}

var attentionTune = space[attentionProblem]("attention")

func (p attentionProblem) List(caps target.Caps) []kernels.AttentionConfig {
	queries, keys, head := p.sizes()
	return kernels.AttentionConfigs(p.capsFor(caps), p.Elem, queries, keys, head)
}

func (p attentionProblem) Legal(caps target.Caps, cfg kernels.AttentionConfig) error {
	queries, keys, head := p.sizes()
	if rule := kernels.AttentionConfigFor(caps, p.Elem, queries, keys, head); cfg.Elem != p.Elem || cfg.Head != rule.Head || cfg.Precision != rule.Precision {
		return fmt.Errorf("the config is for %v, heads of %d", cfg.Elem, cfg.Head)
	}
	if cfg.First || cfg.Last || cfg.LSE || cfg.Scaled || cfg.Mask.Valid() {
		return fmt.Errorf("a config that is chosen has no mask and no scale")
	}
	return cfg.Legal(p.capsFor(caps))
}

func (p attentionProblem) Rule(caps target.Caps) kernels.AttentionConfig {
	queries, keys, head := p.sizes()
	return kernels.AttentionConfigFor(p.capsFor(caps), p.Elem, queries, keys, head)
}

func (p attentionProblem) Work(caps target.Caps, cfg kernels.AttentionConfig) tune.Work {
	return cfg.Work(caps, p.Elem, p.Q, p.K, p.Last && !p.First)
}

func (p attentionProblem) Bucket() attentionProblem {
	head := p.Q.Size[3]
	p.Q, p.K = p.Q.Bucket(), p.K.Bucket()
	p.Q.Size[3], p.K.Size[3] = head, head
	return p
}

func (p attentionProblem) Kernel(cfg kernels.AttentionConfig) (*tile.Func, error) {
	cfg.First, cfg.Last = p.First, p.Last
	return kernels.Attention.Build(cfg)
}

func (p attentionProblem) Trial(r *trialTensors, rule kernels.AttentionConfig) (*tune.Trial[kernels.AttentionConfig], error) {
	queries, keys, head := p.sizes()
	c := attentionCall{q: r.filled(p.Elem, p.Q), k: r.filled(p.Elem, p.K), v: r.filled(p.Elem, p.K), out: r.empty(p.Elem, p.Q),
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
	run := func(cfg kernels.AttentionConfig) error {
		cfg.First, cfg.Last = p.First, p.Last
		return kernels.Attention.LaunchViews(cfg, weft.Scalars{cfg.SetScale(c.scale), first, last}, c.views()...)
	}
	bound := bounds.Attention(p.Elem, keys, head, 1, 1, math.Sqrt(float64(head)), 1)
	return newTrial(r, rule, run, within(p.Elem, bound), c.out)
}
