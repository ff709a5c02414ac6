package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

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
