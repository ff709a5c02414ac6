package kernels

import "github.com/weftgpu/weft/target"

// Where weights are interleaved, nothing changes the order of rows. So warps need not slice K to share that work: a few rows may as well be multiplied by tiles whose warps have columns of their own and all
// of K. The tile that is chosen has all programs run at once, if any has: a second wave of a few programs takes as long as they do alone.

// packedTile is a tile for few rows.
type packedTile struct {
	bits              int // of weights; 0 for any
	rows, columns     int
	step              int // elements of K; 0 for slices, of which there are as many as slice says
	stages            int // 0 for those that slice says
	registers, zeroed int // of a thread, as NVRTC 12.9 compiles it, without zero points and with them; 0 where atOnce says it
}

// packedTiles are in the order in which they take least where all programs run at once. (On an H200, µs: 8 bits 2×28672×4096 by slices 34.9, with all of K 30.6, 8×28672×4096 37.0, 31.5; 16×28672×4096
// 42.9, 33.1; 16×14336×4096 by slices of 2 stages 20.8, of 3 19.0; 32×28672×4096 38.9, 34.3; 4 bits 12×18944×3584 17.1, 15.7; 24×18944×3584 in steps of 512 25.9, of 256 19.7; 32×28672×4096 by slices 35.6, in
// steps of 128 30.7; 32×14336×4096 19.0, in steps of 512 17.0.)
var packedTiles = []packedTile{
	{8, 8, 16, 0, 0, 0, 0}, {8, 8, 32, 256, 2, 100, 128},
	{4, 16, 32, 0, 2, 116, 124}, {4, 16, 64, 512, 2, 158, 172}, {4, 16, 64, 256, 2, 116, 113},
	{8, 16, 32, 0, 3, 126, 134}, {8, 16, 32, 0, 2, 80, 88}, {8, 16, 64, 256, 2, 109, 127}, {8, 16, 64, 128, 2, 71, 80},
	{4, 32, 64, 512, 3, 241, 263}, {4, 32, 64, 256, 3, 158, 170}, {4, 32, 64, 128, 3, 107, 118},
	{8, 32, 32, 0, 3, 140, 148}, {8, 32, 32, 0, 2, 108, 116}, {8, 32, 64, 256, 3, 167, 182}, {8, 32, 64, 128, 3, 96, 109}, {8, 32, 64, 128, 2, 80, 96},
}

// registerStep is how many registers threads are given at a time (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability": 256 for a warp).
const registerStep = 8

// worthColumns is how much more time a wave of programs with all of K takes than one of slices, whose loads wait less.
const worthColumns = 1.1

// fitPacked chooses a tile for few rows of integers that are interleaved, where there are as many columns as keep all units busy, or reports that none is for them.
func (cfg *MatMulConfig) fitPacked(caps target.Caps, m, n, k int) bool {
	w, machine := cfg.Weights, caps.Facts()
	if w.Interleaved == 0 || w.Codes.ofFour() || w.Bits == 8 && w.Scaled() || cfg.IsCooperative(caps) {
		return false
	}
	least, best := 0.0, *cfg
	for _, t := range packedTiles {
		c, ok := t.config(*cfg, caps, m, n, k)
		if !ok || c.tilesOf(m, n) < machine.Units {
			continue
		}
		programs, room := c.tilesOf(m, n), t.room(caps, c)
		if programs <= room {
			*cfg = c
			return true
		}
		waste := float64(CeilDiv(programs, room)*room) / float64(programs)
		if t.step > 0 {
			waste *= worthColumns
		}
		if least == 0 || waste <= least {
			least, best = waste, c
		}
	}
	*cfg = best
	return least > 0
}

// config is a config with the tile, if it is for these weights and rows, and legal.
func (t packedTile) config(cfg MatMulConfig, caps target.Caps, m, n, k int) (MatMulConfig, bool) {
	if t.bits != 0 && t.bits != cfg.Weights.Bits || m > t.rows || 2*m <= t.rows && t.rows > narrowMatrix {
		return cfg, false
	}
	if t.step == 0 {
		if !cfg.slice(caps, m, n, k) || cfg.BN != t.columns {
			return cfg, false
		}
		if t.stages > 0 {
			cfg.Stages = t.stages
		}
		return cfg, cfg.Legal(caps, m) == nil
	}
	cfg.take(interleavedTile{rows: t.rows, columns: t.columns, blocks: 1, stages: t.stages}, false, k)
	cfg.BK = t.step
	return cfg, k >= leastParts*t.step && cfg.Legal(caps, m) == nil
}

// room is how many programs of a config with the tile run at once.
func (t packedTile) room(caps target.Caps, cfg MatMulConfig) int {
	machine := caps.Facts()
	if t.registers == 0 {
		return cfg.atOnce(machine)
	}
	registers := t.registers
	if cfg.Weights.Asymmetric {
		registers = t.zeroed
	}
	registers = CeilDiv(registers, registerStep) * registerStep
	shared := machine.Shared / max(cfg.plan(caps).SharedBytes, 1)
	return machine.Units * max(min(machine.Registers/(registers*cfg.Threads), machine.Threads/cfg.Threads, shared), 1)
}
