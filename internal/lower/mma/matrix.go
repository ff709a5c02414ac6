package mma

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Matrix instructions compute a Dot in pieces of 16 rows, 8 columns and 32 bytes along the sums, each by one warp (see
// simt.MMA). How the elements of a piece lie over the registers and lanes of the warp is the
// instruction's; the rest of an accumulator, and of the operands that go with it, is spread over further registers and
// over the warps here. All of it are layout.Linear, so that the general machinery converts between them and others: a
// product that is an operand of the next Dot stays in registers, because its accumulator's layout is
// that of a left operand of 16-bit elements.

// The rows and columns of a piece.
const (
	Rows    = 16
	Columns = 8
)

// Instruction is how a Dot is computed by matrix instructions.
type Instruction struct {
	Elem dtype.Type // of the operands
	Pack int        // elements of a word
	Step int        // elements along the sums of a piece

	Split bool // f32 operands are taken in two parts, see parts.go
}

// Choose chooses matrix instructions for a Dot, or says why not.
func Choose(op *tile.Op, caps target.Caps, threads int) (m Instruction, reason string) {
	a, out := op.Args[0].Type(), op.Result().Type()
	switch {
	case caps.Matrix == 0:
		return m, "the device has no matrix instructions"
	case a.Elem == dtype.F32 && op.Precision == tile.IEEE:
		return m, "matrix instructions round operands of f32, and the precision is ieee"
	case !caps.Matrix.Has(a.Elem):
		return m, fmt.Sprintf("the device has no matrix instructions for %v", a.Elem)
	case len(out.Shape) != 2:
		return m, "matrix instructions do not take batches"
	case threads < simt.WarpThreads:
		return m, fmt.Sprintf("%d threads are no warp", threads)
	}
	m = Instruction{Elem: a.Elem, Pack: 4 / a.Elem.Size(), Step: simt.MMABytes / a.Elem.Size(), Split: op.Precision == tile.TF32x3}
	if out.Shape[0] < Rows || out.Shape[1] < Columns || a.Shape[1] < m.Step {
		return m, fmt.Sprintf("%d×%d×%d is smaller than the %d×%d×%d of an instruction",
			out.Shape[0], out.Shape[1], a.Shape[1], Rows, Columns, m.Step)
	}
	return m, ""
}

// Accumulators lists the layouts that suit an accumulator: warps as a square, which reads the
// least of the operands, and warps below one another as far as there are rows, so that a warp holds whole rows; and that of
// warpgroups with several parts of rows.
func (m Instruction) Accumulators(caps target.Caps, shape []int, threads int) (list []layout.Linear) {
	warps := threads / simt.WarpThreads
	most := min(warps, shape[0]/Rows)
	square, least := most, 0
	for rows := most; rows >= 1; rows /= 2 {
		columns := min(warps/rows, shape[1]/Columns)
		if read := shape[0]*columns + shape[1]*rows; least == 0 || read < least {
			square, least = rows, read
		}
	}
	for _, rows := range slices.Compact([]int{square, most}) {
		list = append(list, accumulator(shape, warps, rows))
	}
	if caps.WarpGroups && warps%4 == 0 && shape[0] > Rows*warps {
		list = append(list, groupAccumulator(shape, warps))
	}
	return list
}

// accumulator spreads an accumulator over warps, of which so many lie below one another.
func accumulator(shape []int, warps, rows int) layout.Linear {
	columns := min(warps/rows, shape[1]/Columns)
	height, width := shape[0]/rows, shape[1]/columns // of a warp's part
	register := slices.Concat(distribution.Units(1, 1, 2), distribution.Units(0, 8, 16), distribution.Units(1, Columns, width), distribution.Units(0, Rows, height))
	thread := slices.Concat(distribution.Units(1, 2, 8), distribution.Units(0, 1, 8), distribution.Units(0, height, shape[0]), distribution.Units(1, width, shape[1]))
	for range bits.Len(uint(warps/rows/columns)) - 1 { // which hold copies
		thread = append(thread, []int{0, 0})
	}
	return distribution.MustLinear(shape, register, thread)
}

// Operand is the layout of an operand, the left one or the right one, in registers as instructions take it that sum
// into an accumulator; depth is its size along the sums. Consecutive registers form words of consecutive elements
// along the sums, the words of a piece follow each other.
func (m Instruction) Operand(which int, acc layout.Linear, depth int) layout.Linear {
	k, free := 1-which, which
	least := []int{Rows, Columns}[free]
	shape := []int{0, 0}
	shape[k], shape[free] = depth, acc.Shape()[free]
	project := func(basis []int) []int {
		basis[k] = 0
		return basis
	}
	var further [][]int // pieces of a warp beside the first, along the free dimension
	for bit := range acc.Bits(layout.Register) {
		if basis := acc.Basis(layout.Register, bit); basis[free] >= least {
			further = append(further, project(basis))
		}
	}
	register, steps := distribution.Units(k, 1, m.Pack), distribution.Units(k, m.Step, depth)
	if which == 0 {
		register = slices.Concat(register, distribution.Units(0, 8, 16), distribution.Units(k, 4*m.Pack, m.Step), steps, further)
	} else { // two pieces side by side are loaded together
		n := min(1, len(further))
		register = slices.Concat(register, distribution.Units(k, 4*m.Pack, m.Step), further[:n], steps, further[n:])
	}
	thread := slices.Concat(distribution.Units(k, m.Pack, 4*m.Pack), distribution.Units(free, 1, 8))
	for bit := 5; bit < acc.Bits(layout.Thread); bit++ {
		thread = append(thread, project(acc.Basis(layout.Thread, bit)))
	}
	return distribution.MustLinear(shape, register, thread)
}

// OperandTile is a distribution of an operand between global and shared memory, with the longest vectors along the
// dimension that is contiguous in memory. Elements of 8 bits have to lie along the sums in shared memory; if they
// do not in global memory, each thread transposes blocks.
func (m Instruction) OperandTile(shape []int, threads, which, contiguous int) layout.Linear {
	k, wide := 1-which, distribution.AccessBytes/m.Elem.Size()
	if m.Elem.Size() > 1 || contiguous == k {
		return distribution.Blocked(shape, threads, contiguous, wide)
	}
	vec, each := []int{1, 1}, max(1, shape[0]*shape[1]/threads)
	vec[k] = min(m.Pack, each)
	vec[contiguous] = min(wide, shape[contiguous], each/vec[k])
	return layout.Blocked(shape, threads, []int{contiguous, k}, vec)
}
