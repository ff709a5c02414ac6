package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// SumPartsConfig is what SumPartsKernel is built for.
type SumPartsConfig struct {
	Elem    weft.DType // of the result
	BM, BN  int        // tile of the result that one program computes, powers of two
	Threads int        // of a workgroup; 0 lets the compiler choose
}

// SumPartsKernel is the second pass of a split reduction: it adds partial sums in their order, so that every
// run gives the same bits. Its views are parts [P,M,N] of F32 and out [M,N].
var SumPartsKernel = weft.NewKernel("sum_parts", func(k *tile.Builder, cfg SumPartsConfig) {
	parts, out := k.In("parts", dtype.F32, 3), k.Out("out", cfg.Elem, 2)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	at := k.ProgramTile(out, cfg.BM, cfg.BN)
	sum := k.Var(k.Zeros(dtype.F32, 1, cfg.BM, cfg.BN))
	for p := range k.Range(parts.Dim(0)) {
		sum.Set(sum.Get().Add(parts.Block(1, cfg.BM, cfg.BN).Load(p, at[0], at[1])))
	}
	out.Block(cfg.BM, cfg.BN).Store(sum.Get().Reshape(cfg.BM, cfg.BN).Cast(cfg.Elem), at...)
})

// SumPartsConfigFor chooses the config for parts of m × n elements.
func SumPartsConfigFor(caps target.Caps, elem weft.DType, m, n int) SumPartsConfig {
	cfg, area := SumPartsConfig{Elem: elem}, 1<<14
	if caps.Language != target.TileIR {
		cfg.Threads, area = 64, 256
	}
	cfg.BN = min(pow2.Ceil(n), area)
	cfg.BM = min(pow2.Ceil(m), area/cfg.BN)
	return cfg
}
