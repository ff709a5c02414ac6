package kernels

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tune"
)

// promptOf is the problem of dense queries [b,h,n,d] of which so many heads share keys.
func promptOf(t *testing.T, b, h, sharing, n, d int, causal bool) AttentionProblem {
	t.Helper()
	q, err := layout.Contiguous(b, h, n, d)
	if err != nil {
		t.Fatal(err)
	}
	k, err := layout.Contiguous(b, h/sharing, n, d)
	if err != nil {
		t.Fatal(err)
	}
	return AttentionProblem{Elem: weft.F16, Q: tune.ViewOf(q), K: tune.ViewOf(k), Last: causal}
}

func TestGroupings(t *testing.T) {
	for sharing, want := range map[int][]int{1: nil, 2: {2}, 3: {4}, 4: {2, 4}, 5: {8}, 6: {2, 8}, 7: {8}, 8: {2, 4, 8}, 12: {2, 4, 16}, 64: {2, 4, 8, 16, 32}} {
		if got := promptOf(t, 1, 2*sharing, sharing, 100, 64, true).groupings(32); !slices.Equal(got, want) {
			t.Errorf("%d heads share keys: %v, want %v", sharing, got, want)
		}
	}
}

// TestPromptGroups: tiles have several heads where that leaves out rows beyond the last query or keys that are masked, and with windows, and one where there is nothing to leave out.
func TestPromptGroups(t *testing.T) {
	h200 := preset(t, "h200")
	for _, c := range []struct {
		b, h, sharing, n, d int
		causal, grouped     bool
	}{
		{11, 64, 8, 515, 128, true, true}, {16, 32, 4, 70, 128, true, true}, {2, 16, 8, 515, 256, true, true}, {8, 64, 8, 150, 64, true, true}, {8, 32, 8, 129, 128, false, true},
		{16, 32, 4, 1024, 128, false, false}, {11, 64, 1, 515, 128, true, false},
	} {
		p := promptOf(t, c.b, c.h, c.sharing, c.n, c.d, c.causal)
		cfg := p.Rule(h200.Caps)
		if cfg.TileHeads > 0 != c.grouped {
			t.Errorf("%+v: %d heads in a tile of %d rows", c, cfg.TileHeads, cfg.BM)
		}
		p.First = true
		if cfg := p.Rule(h200.Caps); cfg.TileHeads != c.sharing && c.sharing > 1 || cfg.Persistent > 0 {
			t.Errorf("%+v with a window: %+v", c, cfg)
		}
		cfg.Mask = weft.F16
		if cfg.StepByStep(); cfg.TileHeads > 0 {
			t.Errorf("%+v with a mask: %+v", c, cfg)
		}
	}
}

// TestPromptRules: what rules choose for prompts is legal and consistent, and programs that take several tiles have more than one.
func TestPromptRules(t *testing.T) {
	h200 := preset(t, "h200")
	rng := rand.New(rand.NewPCG(8, 1))
	for range 300 {
		sharing := 1 + rng.IntN(16)
		p := promptOf(t, 1+rng.IntN(20), sharing*(1+rng.IntN(8)), sharing, 65+rng.IntN(3000), 8*(2+rng.IntN(31)), rng.IntN(2) == 0)
		cfg := p.Rule(h200.Caps)
		if err := p.Legal(h200.Caps, cfg); err != nil {
			t.Errorf("%v %v: %+v: %v", p.Q, p.K, cfg, err)
		}
		if cfg.Persistent > 0 && cfg.Persistent >= p.Q.Size[0]*cfg.groups(p)*CeilDiv(p.Q.Size[2], cfg.tileQueries()) {
			t.Errorf("%v %v: %d persistent programs for fewer tiles", p.Q, p.K, cfg.Persistent)
		}
		if n := cfg.TileHeads; n > 0 && sharing%n != 0 && (n < sharing || n >= 2*sharing) {
			t.Errorf("%d of %d heads in a tile", n, sharing)
		}
		cfg.Parts, cfg.BM = 0, max(cfg.BM, groupRows)
		for _, n := range []int{2, 4, 8, 16, 32} {
			cfg.TileHeads = n
			if fits := slices.Contains(p.groupings(groupRows), n); !fits && p.Legal(h200.Caps, cfg) == nil {
				t.Errorf("%d of %d heads in a tile are legal", n, sharing)
			}
		}
	}
}
