package kernels

import (
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/tune"
)

// By rule keys in pages have the tiles and parts of the same keys in order, so that results have the same bits; and tiles whose warps share few queries are for programs that wait next to others.
func TestAttentionRuleOfFewQueries(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 17))
	h100 := preset(t, "h100")
	view := func(n ...int) tune.View { return contiguousView(t, n...) }
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

// Without matrix instructions tiles of many keys are for as many programs as there are units, and all columns of the head are in one product then; the device has room for them.
func TestAttentionRuleOfWideTiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 3))
	devices := map[string]bool{"h200": true, "a100": true, "t4": false, "vulkan-nvidia": false, "webgpu": false} // which have shared memory for them
	wide := 0
	for range 200 {
		batch, heads, head := 1+rng.IntN(8), 1+rng.IntN(32), []int{64, 80, 96, 128, 192, 256}[rng.IntN(6)]
		queries, keys := 1+rng.IntN(1<<(1+rng.IntN(11))), 1+rng.IntN(1<<(1+rng.IntN(11)))
		p := AttentionProblem{Elem: dtype.F32, Q: contiguousView(t, batch, heads, queries, head), K: contiguousView(t, batch, heads, keys, head), Last: rng.IntN(2) == 0}
		for name, room := range devices {
			caps := preset(t, name).Caps
			cfg := p.Rule(caps)
			if err := p.Legal(caps, cfg); err != nil {
				t.Errorf("%+v on %s: %v", p, name, err)
			}
			want := room && queries > 32 && keys > 64 && batch*heads*CeilDiv(queries, 64) >= caps.Facts().Units
			if !cfg.ByRows && (cfg.BN > 64) != want || want && (cfg.BM != 64 || cfg.Threads != 256 || len(cfg.parts()) > 1 && pow2.Ceil(head) == head) {
				t.Errorf("%+v on %s: %+v, want wide tiles: %v", p, name, cfg, want)
			}
			if want {
				wide++
			}
		}
	}
	if wide < 40 {
		t.Errorf("%d wide tiles", wide)
	}
}
