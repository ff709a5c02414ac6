package kernels

import (
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
)

// Of few rows of integers that are interleaved all programs run at once where one of the tiles has that; the config is legal, and nothing changes the order of rows or bytes.
func TestPackedTiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 5))
	for _, device := range []string{"h200", "a100"} {
		preset := preset(t, device)
		caps, chosen := preset.Caps, map[[3]int]int{}
		for range 400 {
			bits := 4 + 4*rng.IntN(2)
			w := QuantView{QuantScheme: QuantScheme{Bits: bits, Asymmetric: rng.IntN(4) == 0, Block: [2]int{0, 1}}, Scale: weft.F32, Interleaved: 512 / bits}
			if bits == 4 {
				w.Block[0] = 128
			}
			m, n, k := 1+rng.IntN(32), 64*(1+rng.IntN(640)), 128*(1+rng.IntN(128))
			p := QuantizedProblem{Elem: weft.F16, A: MatrixView(m, k, 1), N: n, Weights: w}
			cfg := p.Rule(caps)
			if err := p.Legal(caps, cfg); err != nil {
				t.Fatalf("%s: %d×%d×%d of %v: %+v: %v", device, m, n, k, w, cfg, err)
			}
			if cfg.Interleave == 0 {
				continue
			}
			if cfg.InOrder || cfg.ReordersBefore() || cfg.Interleave != w.Interleaved {
				t.Errorf("%s: %d×%d×%d of %v: %+v changes an order", device, m, n, k, w, cfg)
			}
			base := newMatMulConfig(p.Elem, 0)
			base.Weights, base.Interleave = w, w.Interleaved
			for _, tile := range packedTiles {
				c, ok := tile.config(base, caps, m, n, k)
				if !ok || c.tilesOf(m, n) < caps.Facts().Units || c.tilesOf(m, n) > tile.room(caps, c) {
					continue
				}
				fit := base
				if !fit.fitPacked(caps, m, n, k) || !sameTile(c, fit) {
					t.Errorf("%s: %d×%d×%d of %v: %+v, although all programs of %+v run at once", device, m, n, k, w, fit, c)
				}
				chosen[[3]int{tile.bits, tile.rows, tile.step}]++
				break
			}
		}
		for _, tile := range packedTiles {
			if key := [3]int{tile.bits, tile.rows, tile.step}; chosen[key] == 0 && device == "h200" {
				t.Errorf("no product of 400 takes the tile %+v", tile)
			}
		}
	}
}

func sameTile(a, b MatMulConfig) bool {
	return a.BM == b.BM && a.BN == b.BN && a.BK == b.BK && a.SliceK == b.SliceK && a.Stages == b.Stages
}
