package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// SumPartsConfig is what SumPartsKernel is built for.
type SumPartsConfig struct {
	Sum      weft.DType // of the partial sums, F32 or I32
	Elem     weft.DType // of the result
	Batch    int        // leading dimensions of the result before its matrices
	BM, BN   int        // tile of the result that one program computes, powers of two
	Threads  int        // of a workgroup; 0 lets the compiler choose
	Epilogue Epilogue
}

// SumParts is the second pass of a split reduction: it adds partial sums in their order, so that every
// run gives the same bits, and applies the epilogue. Its views are parts [P,…,M,N], the epilogue's tensors
// and out […,M,N].
var SumParts = weft.NewKernel("sum_parts", func(k *tile.Builder, cfg SumPartsConfig) {
	parts := k.In("parts", cfg.Sum, cfg.Batch+3)
	end := cfg.Epilogue.declare(k, cfg.Elem, cfg.Batch)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	at := k.ProgramTile(end.out, blockOf(cfg.Batch+2, cfg.BM, cfg.BN)...)
	sum := k.Var(k.Zeros(cfg.Sum, cfg.BM, cfg.BN))
	for p := range k.Range(parts.Dim(0)) {
		sum.Set(sum.Get().Add(matrixBlock(parts, append([]tile.Operand{p}, at...), cfg.BM, cfg.BN)))
	}
	storeMatrix(end.out, end.finish(sum.Get(), cfg.BM, cfg.BN, at), cfg.BM, cfg.BN, at, false)
})

// SumPartsConfigFor chooses the config for parts of m × n elements of F32.
func SumPartsConfigFor(caps target.Caps, elem weft.DType, m, n int) SumPartsConfig {
	cfg, area := SumPartsConfig{Sum: weft.F32, Elem: elem}, 1<<14
	if caps.Language != target.TileIR {
		cfg.Threads, area = 64, 256
	}
	cfg.BN = min(pow2.Ceil(n), area)
	cfg.BM = min(pow2.Ceil(m), area/cfg.BN)
	return cfg
}
