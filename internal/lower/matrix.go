package lower

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/weftgpu/weft/dtype"
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
	pieceRows    = 16
	pieceColumns = 8
)

// matrix is how a Dot is computed by matrix instructions.
type matrix struct {
	elem dtype.Type // of the operands
	pack int        // elements of a word
	step int        // elements along the sums of a piece

	split bool // f32 operands are taken in two parts, see parts.go
}

// matrixOf chooses matrix instructions for a Dot, or says why not.
func matrixOf(op *tile.Op, caps target.Caps, threads int) (m matrix, reason string) {
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
	m = matrix{elem: a.Elem, pack: 4 / a.Elem.Size(), step: simt.MMABytes / a.Elem.Size(), split: op.Precision == tile.TF32x3}
	if out.Shape[0] < pieceRows || out.Shape[1] < pieceColumns || a.Shape[1] < m.step {
		return m, fmt.Sprintf("%d×%d×%d is smaller than the %d×%d×%d of an instruction",
			out.Shape[0], out.Shape[1], a.Shape[1], pieceRows, pieceColumns, m.step)
	}
	return m, ""
}

// units are the bases 1, 2, .. of one dimension, from a size up to, but without, another.
func units(dim, from, to int) (bases [][]int) {
	for ; from < to; from *= 2 {
		basis := []int{0, 0}
		basis[dim] = from
		bases = append(bases, basis)
	}
	return bases
}

// mustLinear is a layout whose bases lie in its shape by construction.
func mustLinear(shape []int, register, thread [][]int) layout.Linear {
	l, err := layout.NewLinear(shape, []layout.Input{{Name: layout.Register, Bases: register}, {Name: layout.Thread, Bases: thread}})
	if err != nil {
		panic(err)
	}
	return l
}

// accumulators lists the layouts that suit an accumulator: warps as a square, which reads the
// least of the operands, and warps below one another as far as there are rows, so that a warp holds whole rows; and that of
// warpgroups with several parts of rows.
func (m matrix) accumulators(caps target.Caps, shape []int, threads int) (list []layout.Linear) {
	warps := threads / simt.WarpThreads
	most := min(warps, shape[0]/pieceRows)
	square, least := most, 0
	for rows := most; rows >= 1; rows /= 2 {
		columns := min(warps/rows, shape[1]/pieceColumns)
		if read := shape[0]*columns + shape[1]*rows; least == 0 || read < least {
			square, least = rows, read
		}
	}
	for _, rows := range slices.Compact([]int{square, most}) {
		list = append(list, accumulator(shape, warps, rows))
	}
	if caps.WarpGroups && warps%4 == 0 && shape[0] > pieceRows*warps {
		list = append(list, groupAccumulator(shape, warps))
	}
	return list
}

// accumulator spreads an accumulator over warps, of which so many lie below one another.
func accumulator(shape []int, warps, rows int) layout.Linear {
	columns := min(warps/rows, shape[1]/pieceColumns)
	height, width := shape[0]/rows, shape[1]/columns // of a warp's part
	register := slices.Concat(units(1, 1, 2), units(0, 8, 16), units(1, pieceColumns, width), units(0, pieceRows, height))
	thread := slices.Concat(units(1, 2, 8), units(0, 1, 8), units(0, height, shape[0]), units(1, width, shape[1]))
	for range bits.Len(uint(warps/rows/columns)) - 1 { // which hold copies
		thread = append(thread, []int{0, 0})
	}
	return mustLinear(shape, register, thread)
}

// groupAccumulator spreads an accumulator over warpgroups below one another, which have whole rows, in as many parts of 64 as there are: of each
// part a warp has 16 rows.
func groupAccumulator(shape []int, warps int) layout.Linear {
	height := shape[0] / (warps / 4) // of a warpgroup
	register := slices.Concat(units(1, 1, 2), units(0, 8, 16), units(1, pieceColumns, shape[1]), units(0, simt.GroupRows, height))
	thread := slices.Concat(units(1, 2, 8), units(0, 1, 8), units(0, pieceRows, simt.GroupRows), units(0, height, shape[0]))
	return mustLinear(shape, register, thread)
}

// operand is the layout of an operand, the left one or the right one, in registers as instructions take it that sum
// into an accumulator; depth is its size along the sums. Consecutive registers form words of consecutive elements
// along the sums, the words of a piece follow each other.
func (m matrix) operand(which int, acc layout.Linear, depth int) layout.Linear {
	k, free := 1-which, which
	least := []int{pieceRows, pieceColumns}[free]
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
	register, steps := units(k, 1, m.pack), units(k, m.step, depth)
	if which == 0 {
		register = slices.Concat(register, units(0, 8, 16), units(k, 4*m.pack, m.step), steps, further)
	} else { // two pieces side by side are loaded together
		n := min(1, len(further))
		register = slices.Concat(register, units(k, 4*m.pack, m.step), further[:n], steps, further[n:])
	}
	thread := slices.Concat(units(k, m.pack, 4*m.pack), units(free, 1, 8))
	for bit := 5; bit < acc.Bits(layout.Thread); bit++ {
		thread = append(thread, project(acc.Basis(layout.Thread, bit)))
	}
	return mustLinear(shape, register, thread)
}

// operandTile is a distribution of an operand between global and shared memory, with the longest vectors along the
// dimension that is contiguous in memory. Elements of 8 bits have to lie along the sums in shared memory; if they
// do not in global memory, each thread transposes blocks.
func (m matrix) operandTile(shape []int, threads, which, contiguous int) layout.Linear {
	k, wide := 1-which, accessBytes/m.elem.Size()
	if m.elem.Size() > 1 || contiguous == k {
		return blocked(shape, threads, contiguous, wide)
	}
	vec, each := []int{1, 1}, max(1, shape[0]*shape[1]/threads)
	vec[k] = min(m.pack, each)
	vec[contiguous] = min(wide, shape[contiguous], each/vec[k])
	return layout.Blocked(shape, threads, []int{contiguous, k}, vec)
}

// matrixDot is a Dot for which matrix instructions were chosen.
type matrixDot struct {
	matrix
	accumulators []layout.Linear // to choose from
}

// matrixOf is the choice for a site of a Dot, nil if it is not one of matrix instructions.
func (a *assignment) matrixOf(s *site) *matrixDot {
	if s.op.Kind != tile.OpDot {
		return nil
	}
	m, known := a.matrices[s.op]
	if !known {
		if chosen, reason := matrixOf(s.op, a.costs.caps, a.costs.threads); reason == "" {
			m = &matrixDot{chosen, chosen.accumulators(a.costs.caps, s.op.Result().Type().Shape, a.costs.threads)}
		}
		a.matrices[s.op] = m
	}
	return m
}

// matrixTiles are the wishes of a site of such a Dot.
func (a *assignment) matrixTiles(s *site, m *matrixDot) (list []layout.Linear) {
	if s.operand < 0 {
		return m.accumulators
	}
	list = append(list, m.operandTile(s.shape, a.costs.threads, s.operand, a.contiguous(s.uses[0].value)))
	for _, acc := range m.accumulators {
		list = append(list, m.operand(s.operand, acc, s.shape[1-s.operand]))
	}
	return list
}

// fragments is what it costs to have an operand in registers as the instructions take it: nothing but packing if
// its distribution is that one, else a way through shared memory.
func (c *costs) fragments(m matrix, which int, acc, operand layout.Linear) int {
	want := m.operand(which, acc, operand.Shape()[1-which])
	words := want.Size(layout.Register) / m.pack * c.subgroups()
	if operand.Equal(want) {
		return words * costInstr
	}
	perWord := max(1, bankBytes/4/c.group) // threads whose words are one wavefront
	loads := words/4*costRequest + words/perWord*costWavefront
	if m.inGroups(c.caps, acc, operand.Shape()[1-which]) {
		switch {
		case !m.split && (which == 1 || stagedAlong(operand, m, 1) == 1 || m.elem.Size() == 2):
			loads = 0 // the instruction reads shared memory itself
		case which == 1 && m.splitLines(operand):
			loads = m.splitCost(operand.Shape()) * costWavefront
		}
	}
	return loads + c.stores(m, operand)
}

// stores is what it costs to store an operand in its own type in shared memory.
func (c *costs) stores(m matrix, operand layout.Linear) int {
	stored := operand.Size(layout.Register) * c.owners(operand)
	run := 1
	for dim := range 2 {
		run = max(run, len(runs(operand, dim, accessBytes/m.elem.Size())[0]))
	}
	return stored/run*costRequest + max(1, stored*c.group*m.elem.Size()/bankBytes)*costWavefront
}

// matrixEdges adds what it costs to bring the operands of a Dot to where its accumulator wants them; loads are those that tensor maps may take.
func (a *assignment) matrixEdges(p *problem, s *site, loads map[*site]*tile.Op) {
	m := a.matrixOf(s)
	if m == nil || s.operand >= 0 {
		return
	}
	for which, operand := range a.stages[s.op] {
		resident := a.residentOf(operand)
		p.pair(s.variable, operand.variable, func(i, j int) int {
			acc, tile := a.costs.layouts[s.candidates[i]], a.costs.layouts[operand.candidates[j]]
			if resident != nil && m.inGroups(a.costs.caps, acc, tile.Shape()[1]) {
				return a.residing(m.matrix, resident, acc, tile)
			}
			return a.staging(m.matrix, which, acc, tile, loads[operand]) * s.weight
		})
	}
}
