package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
)

// QuantRangeConfig is what QuantRange is built for.
type QuantRangeConfig struct {
	Elem    weft.DType
	Block   [4]int // elements of one program at a time, powers of two: blocks of the scheme, and rows and columns in them
	Parts   int    // programs that share the blocks of the scheme; 0 and 1 are one
	Threads int    // of a workgroup; 0 lets the compiler choose
}

// QuantRangeSizes is the launch rule.
func QuantRangeSizes(caps target.Caps) ReduceSizes {
	if caps.WholeTiles {
		return ReduceSizes{Area: 1 << 14, Programs: 16}
	}
	return ReduceSizes{Area: quantArea(caps), Threads: caps.FitThreads(128), Programs: 4 * caps.Facts().Units}
}

// Ranges is the config by these sizes.
func (s ReduceSizes) Ranges(elem weft.DType, blocks layout.Layout) QuantRangeConfig {
	cfg := QuantRangeConfig{Elem: elem, Block: [4]int{1, 1, 1, 1}, Threads: s.Threads}
	area := s.Area
	fastest := 3
	for d := range 4 {
		if f := blocks.Size(fastest); f <= 1 || blocks.Size(d) > 1 && blocks.Stride(d) < blocks.Stride(fastest) {
			fastest = d
		}
	}
	grow := func(d, most int) {
		cfg.Block[d] = min(pow2.Ceil(max(blocks.Size(d), 1)), most)
		area /= cfg.Block[d]
	}
	if fastest < 2 {
		grow(fastest, 64)
	}
	for _, d := range []int{3, 2, 1, 0} {
		if cfg.Block[d] == 1 {
			grow(d, area)
		}
	}
	tiles, steps := 1, 1
	for d, b := range cfg.Block {
		if n := CeilDiv(blocks.Size(d), b); d < 2 {
			tiles *= n
		} else {
			steps *= n
		}
	}
	cfg.Parts = max(1, min(s.Programs/max(tiles, 1), steps/4))
	return cfg
}

// QuantScalesConfig is what QuantScales is built for.
type QuantScalesConfig struct {
	Bits       int
	Asymmetric bool
	BM, BN     int // tile of the scales that one program computes, powers of two
	Threads    int // of a workgroup; 0 lets the compiler choose
}

// QuantScalesConfigFor chooses the config for rows × cols scales.
func QuantScalesConfigFor(caps target.Caps, scheme QuantScheme, rows, cols int) QuantScalesConfig {
	parts := SumPartsConfigFor(caps, weft.F32, rows, cols) // which reads the same
	return QuantScalesConfig{scheme.Bits, scheme.Asymmetric, parts.BM, parts.BN, parts.Threads}
}
