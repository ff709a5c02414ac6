package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// SumParts is the second pass of a split reduction: it adds partial sums in one order, so that every
// run gives the same bits, and applies the epilogue. Its views are parts [P,…,M,N], the epilogue's tensors
// and out […,M,N].
var SumParts = weft.NewKernel("sum_parts", func(k *tile.Builder, cfg SumPartsConfig) {
	parts := k.In("parts", cfg.Sum, cfg.Batch+3)
	end := cfg.Epilogue.declare(k, cfg.Elem, cfg.Batch)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	at := k.ProgramTile(end.out, blockOf(cfg.Batch+2, cfg.BM, cfg.BN)...)
	sum := k.Var(k.Zeros(cfg.Sum, cfg.BM, cfg.BN))
	blocks := partBlocks(parts, cfg)
	for p := range k.Range(k.CDiv(parts.Dim(0), max(cfg.AtOnce, 1))) {
		sum.Set(sum.Get().Add(blocks.Load(append([]tile.Operand{p}, at...)...).Sum(0).Reshape(cfg.BM, cfg.BN)))
	}
	storeMatrix(end.out, end.finish(sum.Get(), cfg.BM, cfg.BN, at), cfg.BM, cfg.BN, at, false)
})

// partBlocks are the blocks of some parts of a tile.
func partBlocks(parts *tile.View, cfg SumPartsConfig) tile.Block {
	shape := blockOf(parts.Rank, cfg.BM, cfg.BN)
	shape[0] = max(cfg.AtOnce, 1)
	b := parts.Block(shape...)
	for d := 1; d < parts.Rank-2; d++ {
		b = b.Squeeze(d)
	}
	return b
}
