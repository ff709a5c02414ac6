package kernels

import (
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/target"
)

// Tiles for cores are within the limits of tiles, and keep most cores busy where there is work for all.
func TestTilesForCores(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 2))
	for range 500 {
		units := 1 + rng.IntN(64)
		m, n, k := 1+rng.IntN(1<<rng.IntN(14)), 1+rng.IntN(1<<rng.IntN(14)), 1+rng.IntN(1<<rng.IntN(14))
		caps := target.Caps{Language: target.TileIR, WholeTiles: true, Machine: &target.Machine{Units: units}}
		cfg := MatMulConfigFor(caps, weft.F32, m, n, k)
		if cfg.BM*cfg.BN > coreTile || cfg.BM*cfg.BK > coreTile || cfg.BK*cfg.BN > coreTile || cfg.BM >= 2*m || cfg.BN >= 2*n || cfg.BK >= 2*k {
			t.Errorf("%d×%d×%d on %d cores: tiles %d×%d×%d", m, n, k, units, cfg.BM, cfg.BN, cfg.BK)
		}
		if programs := cfg.tilesOf(m, n) * max(cfg.SplitK, 1); m*n*k/units > 1<<22 && m*n >= 256*units && 4*programs < 3*units {
			t.Errorf("%d×%d×%d: %d programs for %d cores", m, n, k, programs, units)
		}
	}
}
