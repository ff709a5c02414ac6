package mma

import (
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// Warpgroups compute the products of four warps by one instruction, which reads the right operand from shared memory and the left one from
// there or from registers (see simt.GroupMMA). Registers hold accumulators and left operands as those of single warps do, so that nothing but
// the way of staged operands differs.

// ByWarpgroups reports whether warpgroups compute a Dot of some depth into an accumulator: each has 64 of its rows or several times as many,
// and all of its columns.
func (m Product) ByWarpgroups(caps target.Caps, acc layout.Linear, depth int) bool {
	shape, threads := acc.Shape(), 1<<acc.Bits(layout.Thread)
	if Batched(shape) {
		return false
	}
	return m.planned(shape, depth).ByWarpgroups(caps, threads) && acc.Equal(groupAccumulator(shape, threads))
}

// ReadsLines reports whether a staged operand can be in the swizzle rows that warpgroups read, along a dimension: those of elements that are
// not of 16 bits along K.
func (m Product) ReadsLines(shape []int, along, k int) bool {
	return plan.ReadsLines(m.Elem, shape[along], shape[1-along], along == k)
}

// TakesLines reports whether warpgroups multiply a staged operand that is in lines along a dimension: as it is, or as a left one whose words threads load.
func (m Product) TakesLines(shape []int, along, k int) bool {
	return m.ReadsLines(shape, along, k) || m.LoadsWords(shape, along, k)
}

// LoadsWords reports whether threads load the words of a left operand from such lines, because the instruction cannot: words need no transposing, and
// may be MN-major.
func (m Product) LoadsWords(shape []int, along, k int) bool {
	return k == 1 && along != k && plan.LoadsWords(m.Elem, m.Split, shape[along], shape[k])
}

// groupAccumulator spreads an accumulator over warpgroups below one another, which have whole rows.
func groupAccumulator(shape []int, threads int) layout.Linear {
	groups := threads / simt.WarpgroupMMA.Threads
	return accumulator(simt.WarpgroupMMA, shape, groups, groups)
}
