package kernels

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// measuredProduct is what a product of F32 took on an H200 through CUDA, in microseconds, its launches included.
type measuredProduct struct {
	m, n, k                            int
	bm, bn, bk, threads, stages, parts int
	us                                 float64
}

var measuredProducts = []measuredProduct{
	{5269, 216, 3200, 64, 128, 16, 128, 2, 3, 197.9}, {5269, 216, 3200, 64, 128, 16, 256, 2, 1, 312.0}, {5269, 216, 3200, 64, 64, 16, 64, 2, 3, 209.5},
	{3440, 64, 8382, 128, 64, 16, 128, 2, 14, 104.9}, {3440, 64, 8382, 32, 64, 16, 64, 2, 7, 107.1}, {3440, 64, 8382, 32, 32, 16, 64, 2, 2, 194.0},
	{3440, 64, 8382, 128, 64, 16, 128, 4, 7, 133.4}, {3440, 64, 8382, 64, 64, 16, 64, 4, 17, 163.0},
	{64, 145, 4976, 32, 32, 16, 64, 4, 24, 17.0}, {64, 145, 4976, 32, 32, 16, 64, 2, 9, 32.2}, {64, 145, 4976, 64, 32, 16, 64, 4, 28, 20.8},
	{35, 3072, 768, 64, 64, 16, 128, 2, 8, 18.2}, {35, 3072, 768, 32, 32, 16, 64, 2, 1, 38.9}, {35, 3072, 768, 64, 64, 16, 128, 4, 4, 19.7},
	{479, 3584, 3584, 128, 64, 16, 128, 2, 4, 320.6}, {479, 3584, 3584, 64, 128, 16, 256, 2, 1, 401.1}, {479, 3584, 3584, 64, 64, 16, 64, 2, 2, 361.7},
	{700, 900, 300, 32, 32, 16, 64, 2, 1, 19.1}, {700, 900, 300, 64, 64, 16, 256, 2, 1, 24.6}, {700, 900, 300, 64, 64, 16, 128, 2, 2, 22.7},
	{1000, 1000, 1000, 64, 128, 16, 128, 4, 3, 56.4}, {1000, 1000, 1000, 64, 64, 16, 256, 2, 1, 70.0}, {1000, 1000, 1000, 128, 128, 16, 256, 2, 4, 60.1},
	{1700, 250, 1100, 64, 128, 16, 128, 2, 7, 34.9}, {1700, 250, 1100, 32, 64, 16, 128, 2, 2, 46.7}, {1700, 250, 1100, 32, 32, 16, 32, 2, 4, 46.0},
	{4096, 4096, 4096, 128, 128, 16, 256, 2, 1, 2841}, {4096, 4096, 4096, 128, 128, 32, 256, 3, 1, 2840}, {4096, 4096, 4096, 64, 128, 32, 128, 2, 1, 2837},
}

// launching is what of those times is in no estimate.
const launching = 4

// What the rule expects products to take on ordinary units is what they took, within a fifth in nearly all cases.
func TestUnitTilesAsMeasured(t *testing.T) {
	h200 := preset(t, "h200")
	var sum float64
	for _, c := range measuredProducts {
		cfg := newMatMulConfig(weft.F32, 0)
		cfg.BM, cfg.BN, cfg.BK, cfg.Threads, cfg.Stages = c.bm, c.bn, c.bk, c.threads, c.stages
		us := 1e6*newUnitTile(h200.Caps, cfg).seconds(cfg.tilesOf(c.m, c.n), c.parts, 1, c.m, c.n, c.k) + launching
		if ratio := us / c.us; ratio < 0.7 || ratio > 1.3 {
			t.Errorf("%+v: %.1f µs expected", c, us)
		}
		sum += math.Pow(math.Log(us/c.us), 2)
	}
	if rms := math.Sqrt(sum / float64(len(measuredProducts))); rms > 0.15 {
		t.Errorf("off by %.2f", rms)
	}
}

// Long reductions of few tiles are shared by programs that fill the machine; large products have whole tiles, 64 accumulators a thread.
func TestUnitTiles(t *testing.T) {
	h200 := preset(t, "h200")
	units := h200.Caps.Facts().Units
	for _, c := range []struct {
		m, n, k int
		split   bool
	}{{4096, 4096, 4096, false}, {3440, 64, 8382, true}, {64, 145, 4976, true}, {35, 3072, 768, true}, {1000, 1000, 1000, true}, {300, 300, 16, false}, {20000, 20, 20, false}} {
		cfg := MatMulConfigFor(h200.Caps, weft.F32, c.m, c.n, c.k)
		programs := cfg.tilesOf(c.m, c.n) * max(cfg.SplitK, 1)
		if (cfg.SplitK > 1) != c.split || c.split && 4*programs < 3*units {
			t.Errorf("%+v: %d programs, by %+v", c, programs, cfg)
		}
		if sums := cfg.BM * cfg.BN / cfg.Threads; c.m*c.n*c.k > 1<<30 && sums != 64 {
			t.Errorf("%+v: %d accumulators a thread", c, sums)
		}
	}
}

// Whatever the sizes and the machine, the choice is legal and no more of a tile than need be is empty.
func TestUnitTilesAreLegal(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 4))
	for _, p := range target.Presets() {
		caps := p.Caps
		if caps.WholeTiles {
			continue
		}
		for range 40 {
			m, n, k := MaxRowByRow+1+rng.IntN(1<<rng.IntN(14)), 1+rng.IntN(1<<rng.IntN(14)), rng.IntN(1<<rng.IntN(14))
			cfg := MatMulConfigFor(caps, weft.F32, m, n, k)
			if err := cfg.Legal(caps, m); err != nil {
				t.Errorf("%s: %d×%d×%d by %+v: %v", p.Name, m, n, k, cfg, err)
			}
			if cfg.BM >= 2*max(m, 16) || cfg.BN >= 2*max(n, 16) || cfg.SplitK > max(k/16, 1) {
				t.Errorf("%s: %d×%d×%d by %+v", p.Name, m, n, k, cfg)
			}
		}
	}
}

// Configs with K-major operands in shared memory are listed and legal where an operand is K-major with aligned rows, for products by multiply-adds on
// devices with asynchronous copies, and nowhere else. Without being asked for, none is chosen.
func TestKMajorConfigs(t *testing.T) {
	h200 := preset(t, "h200")
	without := h200.Caps
	without.AsyncCopy = false
	view := func(rows, columns int, rowMajor bool, align int8) tune.View {
		v := tune.View{Rank: 2, Unit: true, Align: align}
		v.Size[0], v.Size[1] = rows, columns
		if v.Order[0], v.Order[1] = 1, 0; rowMajor {
			v.Order[0], v.Order[1] = 0, 1
		}
		return v
	}
	for _, c := range []struct {
		name      string
		caps      target.Caps
		precision tile.Precision
		m         int
		kMajor    bool
		align     int8
		want      bool
	}{
		{"linear", h200.Caps, tile.IEEE, 479, true, 16, true},
		{"aligned to 8 bytes", h200.Caps, tile.IEEE, 479, true, 2, false},
		{"MN-major", h200.Caps, tile.IEEE, 479, false, 16, false},
		{"by matrix instructions", h200.Caps, tile.TF32, 479, true, 16, false},
		{"few rows", h200.Caps, tile.IEEE, 3, true, 16, false},
		{"no asynchronous copies", without, tile.IEEE, 479, true, 16, false},
	} {
		p := MatMulProblem{Elem: weft.F32, Precision: c.precision, A: view(c.m, 3584, c.kMajor, c.align), B: view(3584, 3584, true, 16)}
		if cfg := p.Rule(c.caps); cfg.KMajor {
			t.Errorf("%s: the rule chooses %+v", c.name, cfg)
		}
		listed := 0
		for _, cfg := range p.List(c.caps) {
			if cfg.KMajor {
				if listed++; p.Legal(c.caps, cfg) != nil || cfg.registers(c.caps) > c.caps.Registers {
					t.Errorf("%s: %+v is not legal: %v", c.name, cfg, p.Legal(c.caps, cfg))
				}
			}
		}
		if legal := p.Legal(c.caps, p.Rule(c.caps).withKMajor()) == nil; legal != c.want || listed > 0 != c.want {
			t.Errorf("%s: %d listed, legal is %v", c.name, listed, legal)
		}
	}
}
