package kernels

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
)

// NormConfig is what Norm is built for.
type NormConfig struct {
	Rows         ReduceConfig // how rows, its reduced dimensions, are walked; Op, Out, Pass and Split are left at 0
	RMS          bool         // of RMSNorm, not LayerNorm
	Weight, Bias bool         // are there
}

// NormSizes are what is chosen for a device; the rest of a config follows from them.
type NormSizes struct {
	Area    int // elements of a tile
	Threads int // of a workgroup
}

// NormLength is the number of elements of a row, rounded up in each dimension.
func NormLength(x layout.Layout, row [MaxRank]bool) int {
	length := 1
	for d := range x.Rank() {
		if row[d] {
			length *= pow2.Ceil(x.Size(d))
		}
	}
	return length
}

// NormSizesFor is the launch rule.
func NormSizesFor(caps target.Caps, x layout.Layout, row [MaxRank]bool) NormSizes {
	length := NormLength(x, row)
	area, sizes := 2048, reduceSizesFor(caps)
	if caps.WholeTiles || sizes.Area < area {
		area = sizes.Area
	}
	area = min(area, pow2.Floor(x.Len()/sizes.Programs))
	if length <= softmaxWidest(caps) {
		area = max(area, length)
	} else {
		area = sizes.Area / 2 // of which the statistics take three times as many registers
	}
	return NormSizes{max(area, 32), normThreads(caps, length)}
}

// normThreads gives each thread up to 32 elements of a row: they stay in registers, and the two sums over a row meet in fewer warps.
func normThreads(caps target.Caps, length int) int {
	if caps.WholeTiles {
		return 0
	}
	return caps.FitThreads(min(max(length/32, 128), 256))
}

// NormSpace lists the sizes to choose from, the launch rule's first.
func NormSpace(caps target.Caps, x layout.Layout, row [MaxRank]bool) []NormSizes {
	chosen := NormSizesFor(caps, x, row)
	list := []NormSizes{chosen}
	for _, threads := range slices.Compact([]int{chosen.Threads / 4, chosen.Threads / 2, chosen.Threads, 2 * chosen.Threads}) {
		for _, area := range []int{512, 1024, 2048, 4096, 8192, chosen.Area / 2, chosen.Area, 2 * chosen.Area} {
			list = appendNew(list, NormSizes{area, threads})
		}
	}
	return list
}

// Legal says why sizes are refused.
func (s NormSizes) Legal(caps target.Caps) error {
	if err := checkTile(caps, s.Threads, s.Area); err != nil {
		return err
	}
	if most := softmaxWidest(caps); s.Area > most {
		return fmt.Errorf("a tile of %d elements, want at most %d", s.Area, most)
	}
	return checkArea(caps, s.Area, s.Threads)
}

// ConfigFor is the config by these sizes, for x of merged dimensions, of which row says those that are normalised.
func (s NormSizes) ConfigFor(elem weft.DType, x layout.Layout, row [MaxRank]bool) NormConfig {
	cfg := ReduceConfig{Elem: elem, Rank: x.Rank(), Reduced: row, Threads: s.Threads}
	cfg.fill(s.Area, x)
	return NormConfig{Rows: cfg}
}
