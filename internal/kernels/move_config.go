package kernels

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/elementwise"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// MoveSizes are what is chosen for ops that move blocks of elements to computed positions, such as Concat and Pad.
type MoveSizes struct {
	Block   [MaxRank]int // of the result, in each of its dimensions after merging
	Threads int          // of a workgroup; 0 lets the compiler choose
}

// moveSizesOf is the part of a map's config that is chosen: a result is cut into tiles as that of a copy is.
func moveSizesOf(cfg elementwise.Config) MoveSizes {
	return MoveSizes{Block: cfg.Block, Threads: cfg.Threads}
}

// moveSizesFor chooses the sizes for a result.
func moveSizesFor(caps target.Caps, elem weft.DType, out tune.View) MoveSizes {
	l, _, _ := out.Layout() // of a tensor that there is
	return moveSizesOf(elementwise.ConfigFor(caps, elem, elem, l))
}

// moveSizes lists the sizes to choose from, the rule's first.
func moveSizes(caps target.Caps, elem weft.DType, out tune.View) (list []MoveSizes) {
	l, _, _ := out.Layout()
	for cfg := range elementwise.Configs(caps, elem, elem, l) {
		list = appendNew(list, moveSizesOf(cfg))
	}
	return list
}

// area is how many elements a tile of so many dimensions has.
func (s MoveSizes) area(rank int) int { return countOf(s.Block[:rank]) }

// legal says why sizes are refused for a result.
func (s MoveSizes) legal(caps target.Caps, out tune.View) error {
	if err := checkTile(caps, s.Threads, s.Block[:out.Rank]...); err != nil {
		return err
	}
	for _, n := range s.Block[out.Rank:] {
		if n != 0 {
			return fmt.Errorf("a block %v, want %d dimensions", s.Block, out.Rank)
		}
	}
	return checkArea(caps, s.area(int(out.Rank)), s.Threads)
}

// work is what moving every element of a result once makes a machine do.
func (s MoveSizes) work(elem weft.DType, out tune.View) tune.Work {
	programs, rank := 1, int(out.Rank)
	for d, n := range out.Shape() {
		programs *= CeilDiv(n, max(s.Block[d], 1))
	}
	area := s.area(rank)
	return streamWork(out, elem, float64(programs*area), 2, programs, area, s.Block[out.Order[rank-1]], s.Threads)
}
