package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
)

// SumPartsConfig is what SumParts is built for.
type SumPartsConfig struct {
	Sum      weft.DType // of the partial sums: F32, F64 or I32
	Elem     weft.DType // of the result
	Batch    int        // leading dimensions of the result before its matrices
	BM, BN   int        // tile of the result that one program computes, powers of two
	AtOnce   int        // parts that are loaded before any is added, a power of two; 0 is one
	Threads  int        // of a workgroup; 0 lets the compiler choose
	Epilogue Epilogue
}

// MaxSumRank is how many dimensions a result of SumParts has, at most: the parts are one more, in place of one of MatMul's batch.
const MaxSumRank = MaxBatch + 1

// partsAtOnce is how many parts are loaded at once, at most: a program waits for memory once for so many.
const partsAtOnce = 8

// SumPartsConfigFor chooses the config for so many parts of m × n elements of F32.
func SumPartsConfigFor(caps target.Caps, elem weft.DType, m, n, parts int) SumPartsConfig {
	cfg, area := SumPartsConfig{Sum: weft.F32, Elem: elem}, 1<<14
	if !caps.WholeTiles {
		cfg.Threads, area = 64, 256
		cfg.AtOnce = min(pow2.Ceil(parts), partsAtOnce)
		if scarce(caps) {
			cfg.AtOnce = min(cfg.AtOnce, 2)
		}
		for area > cfg.Threads && m*n < area*caps.Facts().Units { // each unit has a program
			area /= 2
		}
	}
	cfg.BN = min(pow2.Ceil(n), area)
	cfg.BM = min(pow2.Ceil(m), area/cfg.BN)
	return cfg
}
