package kernels

import (
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tune"
)

// By rule keys in pages have the tiles and parts of the same keys in order, so that results have the same bits; and tiles whose warps share few queries are for programs that wait next to others.
func TestAttentionRuleOfFewQueries(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 17))
	h100 := preset(t, "h100")
	view := func(n ...int) tune.View {
		l, err := layout.Contiguous(n...)
		if err != nil {
			t.Fatal(err)
		}
		return tune.ViewOf(l)
	}
	few, split := 0, 0
	for range 400 {
		batch, groups, rows, head, page := 1+rng.IntN(100), 1+rng.IntN(8), 1+rng.IntN(20), []int{64, 80, 96, 128, 192, 256}[rng.IntN(6)], 16<<rng.IntN(4)
		each := 1 + rng.IntN(1<<rng.IntN(10))
		p := AttentionProblem{Elem: []dtype.Type{dtype.F16, dtype.BF16}[rng.IntN(2)], Q: view(batch, groups, rows, head), K: view(batch, groups, each*page, head), Last: rng.IntN(2) == 0}
		paged := p
		paged.K = view(batch*each, groups, page, head)
		paged = paged.Pages(page, each)
		cfg, other := p.Rule(h100.Caps), paged.Rule(h100.Caps)
		if other.Page = 0; cfg.Persistent != 0 || other != cfg {
			t.Fatalf("%+v:\n%+v, in pages of %d\n%+v", p, cfg, page, other)
		}
		if err := paged.Legal(h100.Caps, paged.Rule(h100.Caps)); err != nil {
			t.Fatalf("%+v: %v", paged, err)
		}
		if !cfg.isFew() {
			continue
		}
		if few++; cfg.Parts > 1 {
			split++
		}
		steps := CeilDiv(each*page, cfg.BN)
		if programs := batch * groups * max(cfg.Parts, 1); rows > 16 || cfg.Parts > 1 && head > 128 || cfg.Parts < 2 && steps > shortSteps && programs < 2*h100.Caps.Facts().Units {
			t.Errorf("%+v: %+v", p, cfg)
		}
	}
	if few < 80 || split < 20 || split == few {
		t.Errorf("%d rules of few queries, %d of which split the keys", few, split)
	}
}
