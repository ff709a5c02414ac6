package cost

import (
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/mma"
	"github.com/weftgpu/weft/layout"
)

// Fragments is what it costs to have an operand in registers as the instructions take it: nothing but packing if
// its distribution is that one, else a way through shared memory.
func (c *Model) Fragments(m mma.Product, which int, acc, operand layout.Linear) int {
	depth := mma.Depth(operand.Shape(), which)
	required := m.Operand(which, acc, depth)
	words := max(1, required.Size(layout.Register)*m.Parts()*m.Elem.Size()/distribution.RegisterBytes) * c.subgroups()
	if operand.Equal(required) && !m.Opaque {
		return words*costInstr + c.split(m, operand)*c.subgroups()
	}
	if mma.Batched(required.Shape()) {
		return notStaged
	}
	perWord := max(1, distribution.BankBytes/4/c.group) // threads whose words are one wavefront
	loads := words/4*costRequest + words/perWord*costWavefront
	if m.ByWarpgroups(c.Caps, acc, depth) {
		switch {
		case !m.Split && (which == 1 || mma.StagedAlong(operand, m, 1) == 1 || m.Elem.Size() == 2):
			if loads = 0; which == 0 { // the instruction reads shared memory itself
				loads = costBarrier // which threads wait for, as they need not for an operand in registers
			}
		case which == 1 && m.SplitLines(operand):
			loads = m.SplitCost(operand.Shape()) * costWavefront
		}
	}
	stores := c.StagingStores(m, operand)
	if m.Cooperative { // threads wait for what others store
		if m.Elem.Size() == 1 && mma.StagedAlong(operand, m, 1-which) == which {
			loads = required.Size(layout.Register) * c.subgroups() * (costRequest + costWavefront) // bytes that are not K-major are loaded one by one
		}
		loads += costBarrier
		if m.StagedParts(operand, 1-which) == 1 && !m.BFloats {
			stores *= c.subgroups() // which nothing hides: all of them wait
		}
	}
	return loads + stores + c.split(m, operand)*c.Owners(operand)
}

// notStaged is more than any other way costs to have an operand in registers, for those that are not staged.
const notStaged = 1 << 24

// bfloatOps are the instructions in which an element is split into parts of BF16, and these are put in words.
const bfloatOps = 8

// split is what it costs a subgroup to split an operand into parts of BF16.
func (c *Model) split(m mma.Product, operand layout.Linear) int {
	if !m.BFloats {
		return 0
	}
	return operand.Size(layout.Register) * bfloatOps * costInstr
}

// StagingStores is what it costs to store an operand in its own type in shared memory.
func (c *Model) StagingStores(m mma.Product, operand layout.Linear) int {
	stored := operand.Size(layout.Register) * c.Owners(operand) * m.Parts()
	run := 1
	for dim := range 2 {
		run = max(run, len(distribution.Runs(operand, dim, distribution.AccessBytes/m.Elem.Size())[0]))
	}
	return stored/run*costRequest + max(1, stored*c.group*m.Elem.Size()/distribution.BankBytes)*costWavefront
}
