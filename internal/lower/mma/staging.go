package mma

import (
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/layout"
)

// StagedAlong is the dimension of the rows in which an operand is in shared memory: that of its longest runs in
// registers, but bytes are K-major where runs along k are words, and for all but cooperative matrices, and words of neighbouring threads stay neighbours, as
// asynchronous copies leave them.
func StagedAlong(x layout.Linear, m Product, k int) int {
	wide := distribution.AccessBytes / m.Elem.Size()
	run := func(dim int) int { return len(distribution.Runs(x, dim, wide)[0]) }
	words := m.Elem.Size() == distribution.RegisterBytes && !m.Cooperative && x.Bits(layout.Thread) > 0 && x.Basis(layout.Thread, 0)[1-k] == 1
	switch {
	case words:
		return 1 - k
	case m.Elem.Size() == 1 && (!m.Cooperative || run(k) >= wordBytes) || run(1-k) <= run(k):
		return k
	}
	return 1 - k
}

// SplitLines reports whether an operand is staged K-major.
func (m Product) SplitLines(operand layout.Linear) bool { return StagedAlong(operand, m, 0) == 0 }

// SplitCost is how many wavefronts it takes to make the small part of a right operand: all of it is loaded and stored again.
func (m Product) SplitCost(shape []int) int {
	return 2 * shape[0] * shape[1] * m.Elem.Size() / distribution.BankBytes
}

// StagedParts is in how many parts along k, an array each, cooperative matrices of an operand are staged: as many as threads have elements of each, but
// no more than there are steps; or one in all if those would be longer than parts are.
func (m Product) StagedParts(operand layout.Linear, k int) int {
	depth := m.Step()
	for _, basis := range distribution.ThreadBases(operand, k) {
		for depth <= basis {
			depth *= 2
		}
	}
	if depth > m.Step() && (m.BFloats || depth*m.Elem.Size() > plan.PartBytes) {
		return 1
	}
	return max(1, operand.Shape()[k]/depth)
}
