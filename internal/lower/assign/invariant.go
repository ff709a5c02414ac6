package assign

import (
	"slices"

	"github.com/weftgpu/weft/internal/lower/cost"
	"github.com/weftgpu/weft/internal/lower/mma"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// A left operand that a loop leaves as it is, such as the queries of attention, is staged for warpgroups once, before the outermost loop that does. In
// registers it would take them throughout the loop, for words that the instruction reads from shared memory as fast.

// Invariant is such an operand.
type Invariant struct {
	Dot    *tile.Op
	Loop   *tile.Op // before which it is staged
	weight int      // how often that is, relatively
}

// findInvariants finds those of the products in a region, which stands in loops. depth is in how many loops values are computed.
func (a *Assignment) findInvariants(r *tile.Region, loops []*tile.Op, depth map[*tile.Value]int) {
	for _, v := range r.Args {
		depth[v] = len(loops)
	}
	for _, op := range r.Ops {
		for _, v := range op.Out {
			depth[v] = a.depthOf(op, len(loops), depth)
		}
		inner := loops
		if op.Kind == tile.OpFor || op.Kind == tile.OpWhile {
			inner = append(loops[:len(loops):len(loops)], op)
		}
		for _, body := range op.Regions() {
			a.findInvariants(body, inner, depth)
		}
		if op.Kind == tile.OpDot && a.At[op] != nil && depth[op.Args[0]] < len(loops) && a.canBeStaged(op) {
			n := depth[op.Args[0]]
			weight := 1
			for range n {
				weight = min(weight*cost.LoopWeight, cost.MostWeight)
			}
			a.Invariants = append(a.Invariants, Invariant{op, loops[n], weight})
		}
	}
}

// depthOf is the least number of loops that an op inside of so many has to be in: a tile that is rematerialised where it is used can be
// computed outside of the loops that define none of its operands.
func (a *Assignment) depthOf(op *tile.Op, loops int, depth map[*tile.Value]int) int {
	r := op.Result()
	if r == nil || r.Type().IsScalar() || !Propagations[op.Kind].View && a.cheap[r] == 0 {
		return loops
	}
	n := 0
	for _, v := range op.Args {
		n = max(n, depth[v])
	}
	return n
}

// canBeStaged reports whether warpgroups can take both operands of a product from shared memory, as they are in global memory.
func (a *Assignment) canBeStaged(op *tile.Op) bool {
	m := a.MatrixOf(a.At[op])
	if m == nil || m.Split || mma.Batched(op.Result().Type().Shape) {
		return false
	}
	for which, s := range a.Stages[op] {
		k := 1 - which
		natural := m.OperandTile(s.shape, a.Costs.Threads, which, a.contiguous(s.Uses[0].Value))
		if !m.ReadsLines(s.shape, mma.StagedAlong(natural, m.Product, k), k) {
			return false
		}
	}
	depth := op.Args[0].Type().Shape[1]
	return slices.ContainsFunc(m.accumulators, func(acc layout.Linear) bool { return m.ByWarpgroups(a.Costs.Caps, acc, depth) })
}

// StagesInvariants reports whether operands stay in shared memory throughout a loop.
func (a *Assignment) StagesInvariants() bool { return len(a.Invariants) > 0 && !a.InRegisters }

// invariantOf is what is known of the operand of a site that is one, nil if it is none.
func (a *Assignment) invariantOf(s *Site) *Invariant {
	i := slices.IndexFunc(a.Invariants, func(r Invariant) bool { return r.Dot == s.op && s.operand == 0 })
	if i < 0 {
		return nil
	}
	return &a.Invariants[i]
}

// invariantCost is what it costs to stage an invariant operand once, or to have it in registers as instructions of an accumulator take it.
func (a *Assignment) invariantCost(m mma.Product, r *Invariant, acc, operand layout.Linear) int {
	switch {
	case !a.InRegisters:
		return a.Costs.StagingStores(m, operand) * r.weight
	case !operand.Equal(m.Operand(0, acc, operand.Shape()[1])):
		return cost.Impossible
	}
	return 0
}
