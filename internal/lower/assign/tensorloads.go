package assign

import (
	"slices"

	"github.com/weftgpu/weft/internal/lower/mma"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// Loads that tensor maps take cost the threads nothing where warpgroups multiply; where others do, threads load after all.

// tensorLoads finds the loads that tensor maps take, by the sites of the operands that they are.
func (a *Assignment) tensorLoads() map[*Site]*tile.Op {
	loads := map[*Site]*tile.Op{}
	for _, s := range a.Sites {
		if op := a.tensorLoad(s); op != nil {
			loads[s] = op
		}
	}
	return loads
}

// tensorLoad is the load that is an operand of a Dot of warpgroups, if a tensor map copies it and nothing else uses it.
func (a *Assignment) tensorLoad(s *Site) *tile.Op {
	if s.operand < 0 {
		return nil
	}
	m := a.MatrixOf(s)
	if m == nil || m.Split || mma.Batched(s.shape) {
		return nil
	}
	groups := func(acc layout.Linear) bool { return m.ByWarpgroups(a.Costs.Caps, acc, s.shape[1-s.operand]) }
	t, _ := a.Costs.TensorOperandOf(s.op, s.operand, m.Product)
	if t == nil || len(a.Uses[t.Load.Result()]) != 1 || !slices.ContainsFunc(m.accumulators, groups) {
		return nil
	}
	return t.Load
}

// staging is what it costs to bring an operand to the layout that an accumulator of matrix instructions requires. load is the one that a tensor map may take, if
// there is one.
func (a *Assignment) staging(m mma.Product, which int, acc, operand layout.Linear, load *tile.Op) int {
	if load == nil {
		return a.Costs.Fragments(m, which, acc, operand)
	}
	if m.ByWarpgroups(a.Costs.Caps, acc, mma.Depth(operand.Shape(), which)) {
		return 0
	}
	var threads []int // what it costs them, by the load's candidates
	for _, n := range a.Made[load.Result()].Candidates {
		cost := a.Costs.Memory
		if load.Kind == tile.OpGather {
			cost = a.Costs.Points
		}
		threads = append(threads, cost(load, a.Costs.Layouts[n]))
	}
	return slices.Min(threads) + a.Costs.Fragments(m, which, acc, operand)
}
