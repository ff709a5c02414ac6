package lower

import (
	"slices"

	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// A left operand that a loop leaves as it is, such as the queries of attention, is staged for warpgroups once, before the outermost loop that does. In
// registers it would take them throughout the loop, for words that the instruction reads from shared memory as fast.

// resident is such an operand.
type resident struct {
	dot    *tile.Op
	loop   *tile.Op // before which it is staged
	weight int      // how often that is, relatively
}

// findResidents finds those of the products in a region, which stands in loops. depth is in how many loops values are computed.
func (a *assignment) findResidents(r *tile.Region, loops []*tile.Op, depth map[*tile.Value]int) {
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
			a.findResidents(body, inner, depth)
		}
		if op.Kind == tile.OpDot && a.at[op] != nil && depth[op.Args[0]] < len(loops) && a.canReside(op) {
			n := depth[op.Args[0]]
			weight := 1
			for range n {
				weight = min(weight*loopWeight, mostWeight)
			}
			a.residents = append(a.residents, resident{op, loops[n], weight})
		}
	}
}

// depthOf is in how many loops at least an op that stands in some has to compute its results: a tile that is made where it is wanted can be wanted
// outside, as far as its operands are there.
func (a *assignment) depthOf(op *tile.Op, loops int, depth map[*tile.Value]int) int {
	r := op.Result()
	if r == nil || r.Type().IsScalar() || !carries[op.Kind].rename && a.cheap[r] == 0 {
		return loops
	}
	n := 0
	for _, v := range op.Args {
		n = max(n, depth[v])
	}
	return n
}

// canReside reports whether warpgroups can take both operands of a product from shared memory, as they lie in global memory.
func (a *assignment) canReside(op *tile.Op) bool {
	m := a.matrixOf(a.at[op])
	if m == nil || m.split {
		return false
	}
	for which, s := range a.stages[op] {
		k := 1 - which
		natural := m.operandTile(s.shape, a.costs.threads, which, a.contiguous(s.uses[0].value))
		if !m.groupLines(s.shape, stagedAlong(natural, m.matrix, k), k) {
			return false
		}
	}
	depth := op.Args[0].Type().Shape[1]
	return slices.ContainsFunc(m.accumulators, func(acc layout.Linear) bool { return m.inGroups(a.costs.caps, acc, depth) })
}

// residentOf is what is known of the operand of a site that is one, nil if it is none.
func (a *assignment) residentOf(s *site) *resident {
	i := slices.IndexFunc(a.residents, func(r resident) bool { return r.dot == s.op && s.operand == 0 })
	if i < 0 {
		return nil
	}
	return &a.residents[i]
}

// residing is what it costs to stage a resident once, or to have it in registers as instructions of an accumulator take it.
func (a *assignment) residing(m matrix, r *resident, acc, operand layout.Linear) int {
	switch {
	case !a.bare:
		return a.costs.stores(m, operand) * r.weight
	case !operand.Equal(m.operand(0, acc, operand.Shape()[1])):
		return impossible
	}
	return 0
}

// stageResidents stages what stays in shared memory throughout a loop.
func (l *lowerer) stageResidents(loop *tile.Op) {
	if l.assigned.bare {
		return
	}
	for _, r := range l.assigned.residents {
		v, site := r.dot.Args[0], l.assigned.stages[r.dot][0]
		m, shape := l.assigned.matrixOf(l.assigned.at[r.dot]), v.Type().Shape
		if _, done := l.residents[v]; done || r.loop != loop || !m.inGroups(l.caps, l.assigned.opAt(r.dot), shape[1]) {
			continue
		}
		x := l.in(v, l.assigned.in(site))
		if m.groupLines(shape, stagedAlong(x.dist, m.matrix, 1), 1) {
			l.note("operand a of the product at %s stays in shared memory", r.dot.Pos)
			staged := l.stageMatrix("tile_a", x, m.matrix, 1, true)
			staged.array.Line = r.dot.Pos.String()
			l.residents[v] = staged
		}
	}
}
