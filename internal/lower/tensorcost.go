package lower

import (
	"slices"

	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// Loads that tensor maps take cost the threads nothing where warpgroups multiply; where others do, threads load after all.

// tensorLoads finds the loads that tensor maps take, by the sites of the operands that they are.
func (a *assignment) tensorLoads() map[*site]*tile.Op {
	loads := map[*site]*tile.Op{}
	for _, s := range a.sites {
		if op := a.tensorLoad(s); op != nil {
			loads[s] = op
		}
	}
	return loads
}

// tensorLoad is the load that is an operand of a Dot of warpgroups, if a tensor map copies it (see tensorOperandOf).
func (a *assignment) tensorLoad(s *site) *tile.Op {
	c := a.costs
	if !c.caps.TensorMaps || !c.producers || s.operand < 0 || s.weight == 1 { // it stands in no loop
		return nil
	}
	m, v, k := a.matrixOf(s), s.uses[0].value, 1-s.operand
	from, found := sourceOf(v)
	if m == nil || m.split || !found || len(a.uses[from.load.Result()]) != 1 || a.at[from.load].weight != s.weight { // another loop loads it
		return nil
	}
	f := c.facts.Views[from.load.View.Index]
	along, _, refused := tensorMapOf(f, from.load, from.dims)
	groups := func(acc layout.Linear) bool { return m.inGroups(c.caps, acc, s.shape[k]) }
	if refused != "" || c.written[f.Buffer] || !m.takesLines(s.shape, along, k) || !slices.ContainsFunc(m.accumulators, groups) {
		return nil
	}
	return from.load
}

// staging is what it costs to bring an operand to where an accumulator of matrix instructions wants it. load is the one that a tensor map may take, if
// there is one.
func (a *assignment) staging(m matrix, which int, acc, operand layout.Linear, load *tile.Op) int {
	if load == nil {
		return a.costs.fragments(m, which, acc, operand)
	}
	if m.inGroups(a.costs.caps, acc, operand.Shape()[1-which]) {
		return 0
	}
	var threads []int // what it costs them, by the load's candidates
	for _, n := range a.made[load.Result()].candidates {
		threads = append(threads, a.costs.memory(load, a.costs.layouts[n]))
	}
	return slices.Min(threads) + a.costs.fragments(m, which, acc, operand)
}
