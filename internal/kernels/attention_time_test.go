package kernels

import (
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tune"
)

// Heads of 64 and less are in tiles that leave registers for four warpgroups: of two that share keys where sequences are long, of one where the
// larger tiles would multiply more for nothing. Where a mask is added there are fewer.
func TestAttentionSharesKeys(t *testing.T) {
	h200 := preset(t, "h200")
	for _, c := range []struct {
		queries, head int
		first, last   bool
		bm            int
	}{
		{1024, 64, false, true, 64}, {258, 64, false, true, 64}, {4096, 64, false, false, 128}, {13604, 64, false, true, 128},
		{1700, 64, true, true, 64}, {12728, 40, true, true, 64}, {10880, 56, false, true, 128},
	} {
		l, err := layout.Contiguous(4, 32, c.queries, c.head)
		if err != nil {
			t.Fatal(err)
		}
		p := AttentionProblem{Elem: weft.F16, Q: tune.ViewOf(l), K: tune.ViewOf(l), First: c.first, Last: c.last}
		cfg := p.Rule(h200.Caps)
		if err := cfg.Legal(h200.Caps); err != nil || cfg.BM != c.bm || cfg.BN != 64 || cfg.Workgroups*cfg.Threads != 4*warpgroup {
			t.Errorf("%+v: %+v, %v", c, cfg, err)
		}
		bits := cfg
		bits.Mask = dtype.Bool
		if bits.StepByStep(); bits.BM != c.bm || bits.Workgroups != cfg.Workgroups || !bits.PacksMask() {
			t.Errorf("%+v with Booleans: %+v", c, bits)
		}
		cfg.Mask = weft.F16
		if cfg.StepByStep(); cfg.Workgroups*cfg.Threads >= 4*warpgroup || cfg.Producers != 1 || cfg.Legal(h200.Caps) != nil {
			t.Errorf("%+v with a mask: %+v, %v", c, cfg, cfg.Legal(h200.Caps))
		}
	}
}

// A second pass stores its results by itself where the first leaves it no registers, and the first has all columns of a head in one product.
func TestAttentionSecondPass(t *testing.T) {
	h200 := preset(t, "h200")
	for head, apart := range map[int]bool{64: false, 128: false, 192: false, 256: true} {
		cfg := AttentionConfigFor(h200.Caps, weft.BF16, 4096, 4096, head)
		if cfg.exactApart() {
			t.Errorf("heads of %d without hidden keys have a second pass", head)
		}
		cfg.Last = true
		if cfg.exactApart() != apart || apart && len(cfg.parts()) != 1 {
			t.Errorf("heads of %d: a second pass of its own %v, parts %+v", head, cfg.exactApart(), cfg.parts())
		}
	}
}

// Causal programs take tiles of several heads together where a head has several tiles, of no more keys than the cache holds for these heads.
func TestAttentionTogether(t *testing.T) {
	h200 := preset(t, "h200")
	for _, c := range []struct {
		queries int
		first   bool
		heads   int
	}{{23, false, 0}, {60, false, 0}, {1301, false, mostTogether}, {1301, true, 0}, {200000, false, 0}} {
		l, err := layout.Contiguous(1, 30, c.queries, 256)
		if err != nil {
			t.Fatal(err)
		}
		p := AttentionProblem{Elem: weft.F16, Q: tune.ViewOf(l), K: tune.ViewOf(l), First: c.first, Last: true}
		if cfg := p.Rule(h200.Caps); cfg.Heads != c.heads {
			t.Errorf("%+v: %+v", c, cfg)
		}
	}
}
