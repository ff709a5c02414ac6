package assign

import (
	"slices"

	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/memory"
	"github.com/weftgpu/weft/internal/lower/mma"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// Dot is a Dot for which matrix instructions were chosen.
type Dot struct {
	mma.Product
	accumulators []layout.Linear // to choose from
}

// MatrixOf is the choice for a site of a Dot, nil if it is not one of matrix instructions.
func (a *Assignment) MatrixOf(s *Site) *Dot {
	if s.op.Kind != tile.OpDot {
		return nil
	}
	m, known := a.matrices[s.op]
	if !known {
		if chosen, reason := mma.Choose(s.op, a.Costs.Caps, a.Costs.Threads); reason == "" {
			m = &Dot{chosen, chosen.Accumulators(a.Costs.Caps, s.op.Result().Type().Shape, a.Costs.Threads)}
		}
		a.matrices[s.op] = m
	}
	return m
}

// matrixTiles are the candidates of a site of such a Dot.
func (a *Assignment) matrixTiles(s *Site, m *Dot) (list []layout.Linear) {
	if s.operand < 0 {
		return m.accumulators
	}
	if !mma.Batched(s.shape) {
		list = append(list, a.stagedTile(s, m))
	}
	if m.Opaque { // no matrix is composed of an operand's registers
		return list
	}
	for _, acc := range m.accumulators {
		list = append(list, m.Operand(s.operand, acc, mma.Depth(s.shape, s.operand)))
	}
	return list
}

// stagedTile is a distribution of an operand between global and shared memory. Where memory has only shorter vectors than a thread would have, it is one in
// which neighbouring threads have neighbouring ones of those, so that an access of a subgroup is to whole lines. A thread has a
// word at least: shared memory keeps its rows along the dimension that is contiguous in memory.
func (a *Assignment) stagedTile(s *Site, m *Dot) layout.Linear {
	contiguous, threads := a.contiguous(s.Uses[0].Value), a.Costs.Threads
	long := m.OperandTile(s.shape, threads, s.operand, contiguous)
	v, at := Source(s.Uses[0].Value, long)
	for op := v.Op(); op != nil && op.Kind.Fact().Class == tile.Unary; op = v.Op() {
		v, at = Source(op.Args[0], at)
	}
	op := v.Op()
	if m.Cooperative && m.Elem.Size() != 2 || m.Elem.Size() == 1 && contiguous == s.operand || op == nil || op.Kind != tile.OpLoad || op.View.Elem.Size() != m.Elem.Size() {
		return long
	}
	view := a.Costs.Facts.Views[op.View.Index]
	dim, width, _ := memory.BlockVector(view, op.View, at, op.Inside)
	width = max(width, distribution.RegisterBytes/m.Elem.Size())
	if _, covered := a.Costs.UnalignedOf(op, at); covered || view.Dims[dim].Kind != axis.UnitStride {
		return long
	}
	if m.Cooperative {
		return m.NarrowTile(s.shape, threads, s.operand, contiguous, width)
	}
	return distribution.Blocked(s.shape, threads, contiguous, width)
}

// Multiplied reports whether nothing but matrix instructions take what a load gives, on a device with asynchronous copies, which are of words, or cooperative matrices, for which threads
// store words as they are in memory.
func (a *Assignment) Multiplied(op *tile.Op) bool {
	uses := a.Uses[op.Result()]
	words := a.Costs.Async || a.Costs.Caps.Cooperative.Multiplies()
	return words && len(uses) > 0 && !slices.ContainsFunc(uses, func(u *Use) bool {
		return u.Site.operand < 0 || mma.Batched(u.Site.shape) && !a.Costs.Async || a.MatrixOf(u.Site) == nil
	})
}

// matrixEdges adds what it costs to bring the operands of a Dot to the layouts that its accumulator requires; loads are those that tensor maps may take.
func (a *Assignment) matrixEdges(p *problem, s *Site, loads map[*Site][]*tile.Op) {
	m := a.MatrixOf(s)
	if m == nil || s.operand >= 0 {
		return
	}
	for which, operand := range a.Stages[s.op] {
		invariant := a.invariantOf(operand)
		p.pair(s.variable, operand.variable, func(i, j int) int {
			acc, tile := a.Costs.Layouts[s.Candidates[i]], a.Costs.Layouts[operand.Candidates[j]]
			if invariant != nil && m.ByWarpgroups(a.Costs.Caps, acc, mma.Depth(tile.Shape(), 0)) {
				return a.invariantCost(m.Product, invariant, acc, tile)
			}
			return a.staging(m.Product, which, acc, tile, loads[operand]) * s.weight
		})
	}
}
