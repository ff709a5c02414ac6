package assign

import (
	"slices"

	"github.com/weftgpu/weft/internal/lower/mma"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// Loads that tensor maps take cost the threads nothing where warpgroups multiply; where others do, threads load after all.

// tensorLoads finds the loads that tensor maps take, by the sites of the operands that they are.
func (a *Assignment) tensorLoads() map[*Site][]*tile.Op {
	loads := map[*Site][]*tile.Op{}
	for _, s := range a.Sites {
		if list := a.tensorLoad(s); list != nil {
			loads[s] = list
		}
	}
	return loads
}

// tensorLoad is the loads that are an operand of a Dot of warpgroups, if a tensor map copies them and nothing else uses them.
func (a *Assignment) tensorLoad(s *Site) (list []*tile.Op) {
	if s.operand < 0 {
		return nil
	}
	m := a.MatrixOf(s)
	if m == nil || m.Split || mma.Batched(s.shape) {
		return nil
	}
	groups := func(acc layout.Linear) bool { return m.ByWarpgroups(a.Costs.Caps, acc, s.shape[1-s.operand]) }
	t, _ := a.Costs.TensorOperandOf(s.op, s.operand, m.Product)
	if t == nil || !slices.ContainsFunc(m.accumulators, groups) {
		return nil
	}
	for _, b := range t.Blocks {
		if len(a.Uses[b.Load.Result()]) != 1 {
			return nil
		}
		list = append(list, b.Load)
	}
	return list
}

// staging is what it costs to bring an operand to the layout that an accumulator of matrix instructions requires. loads are those that a tensor map may take, if
// there are some.
func (a *Assignment) staging(m mma.Product, which int, acc, operand layout.Linear, loads []*tile.Op) int {
	if len(loads) == 0 {
		return a.Costs.Fragments(m, which, acc, operand)
	}
	if m.ByWarpgroups(a.Costs.Caps, acc, mma.Depth(operand.Shape(), which)) {
		return 0
	}
	total := a.Costs.Fragments(m, which, acc, operand)
	for _, load := range loads {
		var threads []int // what it costs them, by the load's candidates
		for _, n := range a.Made[load.Result()].Candidates {
			cost := a.Costs.Memory
			if load.Kind == tile.OpGather {
				cost = a.Costs.Points
			}
			threads = append(threads, cost(load, a.Costs.Layouts[n]))
		}
		total += slices.Min(threads)
	}
	return total
}
