package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// QuantRangeConfig is what QuantRange is built for.
type QuantRangeConfig struct {
	Elem    weft.DType
	Block   [4]int // elements of one program at a time, powers of two: blocks of the scheme, and rows and columns in them
	Parts   int    // programs that share the blocks of the scheme; 0 and 1 are one
	Threads int    // of a workgroup; 0 lets the compiler choose
}

// QuantRangeProblem is what the sizes of finding the range of blocks depend on; see QuantRange.
type QuantRangeProblem struct {
	Elem   weft.DType
	Blocks tune.View
}

func (QuantRangeProblem) Rule(caps target.Caps) ReduceSizes {
	if caps.WholeTiles {
		return ReduceSizes{Area: 1 << 14, Programs: 16}
	}
	return ReduceSizes{Area: quantArea(caps), Threads: caps.FitThreads(128), Programs: 4 * caps.Facts().Units}
}

func (p QuantRangeProblem) List(caps target.Caps) []ReduceSizes { return p.Rule(caps).around() }

func (p QuantRangeProblem) Legal(caps target.Caps, s ReduceSizes) error { return s.legal(caps) }

func (p QuantRangeProblem) Bucket() QuantRangeProblem {
	p.Blocks = p.Blocks.Bucket()
	return p
}

func (p QuantRangeProblem) Kernel(s ReduceSizes) (*tile.Func, error) {
	return QuantRange.Build(p.Config(s))
}

// Config is the config by sizes.
func (p QuantRangeProblem) Config(s ReduceSizes) QuantRangeConfig {
	cfg := QuantRangeConfig{Elem: p.Elem, Block: [4]int{1, 1, 1, 1}, Threads: s.Threads}
	area, size := s.Area, p.Blocks.Size
	fastest := int8(3)
	for _, d := range p.Blocks.Order[:4] {
		if size[d] > 1 {
			fastest = d
		}
	}
	grow := func(d int8, most int) {
		cfg.Block[d] = min(pow2.Ceil(max(size[d], 1)), most)
		area /= cfg.Block[d]
	}
	if fastest < 2 {
		grow(fastest, 64)
	}
	for _, d := range []int8{3, 2, 1, 0} {
		if cfg.Block[d] == 1 {
			grow(d, area)
		}
	}
	tiles, steps := 1, 1
	for d, b := range cfg.Block {
		if n := CeilDiv(size[d], b); d < 2 {
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
	QuantScheme     // but for its blocks
	BM, BN      int // tile of the scales that one program computes, powers of two
	Threads     int // of a workgroup; 0 lets the compiler choose
}

// QuantScalesConfigFor chooses the config for rows × cols scales.
func QuantScalesConfigFor(caps target.Caps, scheme QuantScheme, rows, cols int) QuantScalesConfig {
	parts := SumPartsConfigFor(caps, weft.F32, rows, cols, 1) // which reads the same
	scheme.Block = [2]int{}
	return QuantScalesConfig{scheme, parts.BM, parts.BN, parts.Threads}
}
