package assign

import (
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
	list = append(list, m.OperandTile(s.shape, a.Costs.Threads, s.operand, a.contiguous(s.Uses[0].Value)))
	if m.Opaque { // no matrix is composed of an operand's registers
		return list
	}
	for _, acc := range m.accumulators {
		list = append(list, m.Operand(s.operand, acc, s.shape[1-s.operand]))
	}
	return list
}

// matrixEdges adds what it costs to bring the operands of a Dot to the layouts that its accumulator requires; loads are those that tensor maps may take.
func (a *Assignment) matrixEdges(p *problem, s *Site, loads map[*Site]*tile.Op) {
	m := a.MatrixOf(s)
	if m == nil || s.operand >= 0 {
		return
	}
	for which, operand := range a.Stages[s.op] {
		invariant := a.invariantOf(operand)
		p.pair(s.variable, operand.variable, func(i, j int) int {
			acc, tile := a.Costs.Layouts[s.Candidates[i]], a.Costs.Layouts[operand.Candidates[j]]
			if invariant != nil && m.ByWarpgroups(a.Costs.Caps, acc, tile.Shape()[1]) {
				return a.invariantCost(m.Product, invariant, acc, tile)
			}
			return a.staging(m.Product, which, acc, tile, loads[operand]) * s.weight
		})
	}
}
