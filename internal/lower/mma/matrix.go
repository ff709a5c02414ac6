package mma

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Matrix instructions compute a Dot in pieces (see simt.MatrixInstruction). How the elements of a piece are distributed over registers and threads is the
// instruction's; the rest of an accumulator, and of the operands that go with it, is spread over further registers and
// over the warps or warpgroups here. All of it are layout.Linear, so that the general machinery converts between them and others: a
// product that is an operand of the next Dot stays in registers, because its accumulator's layout is
// that of a left operand of 16-bit elements.

// Product is how a Dot is computed by matrix instructions.
type Product struct {
	*simt.MatrixInstruction            // of a warp; those of warpgroups hold accumulators and left operands in the same way
	Elem                    dtype.Type // of the operands, or of their parts
	Split                   bool       // f32 operands are taken in two parts, see tile.TF32x3
	BFloats                 bool       // f32 operands are taken in two parts of BF16, see plan.BFloatParts
}

// wordBytes is the size of a word of an operand in registers.
const wordBytes = 4

// Pack is how many elements a word holds; cooperative matrices have elements instead of words.
func (m Product) Pack() int {
	if m.Cooperative {
		return 1
	}
	return wordBytes / m.Elem.Size()
}

// Parts is how many tiles of Elem an operand is.
func (m Product) Parts() int {
	if m.BFloats {
		return 2
	}
	return 1
}

// Step is how many elements along K an instruction multiplies.
func (m Product) Step() int { return m.Bytes / m.Elem.Size() }

// Choose chooses matrix instructions for a Dot, or says why not.
func Choose(op *tile.Op, caps target.Caps, threads int) (m Product, reason string) {
	a, out := op.Args[0].Type(), op.Result().Type()
	n, matrix := batches(out.Shape)
	d := plan.Dot{Elem: a.Elem, IEEE: op.Precision == tile.IEEE, Split: op.Precision == tile.TF32x3}
	if n > 1 {
		d.Batch, d.N = true, matrix[1]
	}
	instruction, reason := plan.Instruction(caps, d)
	m = Product{instruction, plan.MatrixElem(instruction, a.Elem), d.Split, plan.BFloatParts(instruction, a.Elem)}
	if reason != "" {
		return m, reason
	}
	if n > 1 && (m.Opaque || m.Split || m.BFloats || threads < n*m.Threads) {
		return m, fmt.Sprintf("no warps of %d threads for each of %d matrices of a batch, with operands in registers", m.Threads, n)
	}
	planned := m.planned(matrix, Depth(a.Shape, 0))
	planned.Batch = d.Batch
	return m, planned.NoMatrix(caps, threads/n)
}

// planned is a product into an accumulator of a shape, as plans have it.
func (m Product) planned(shape []int, depth int) plan.Dot {
	d := plan.Dot{Elem: m.Elem, Split: m.Split, M: shape[0], N: shape[1], K: depth}
	if m.BFloats {
		d.Elem = dtype.F32
	}
	return d
}

// Accumulators lists the layouts that suit an accumulator: a square of warps, which reads the
// least of the operands; one column of warps, up to the number of rows, so that a warp holds whole rows; and that of
// warpgroups with several parts of rows.
func (m Product) Accumulators(caps target.Caps, shape []int, threads int) (list []layout.Linear) {
	if n, matrix := batches(shape); Batched(shape) {
		for _, l := range m.Accumulators(target.Caps{}, matrix, threads/n) {
			list = append(list, ofBatch(l, n))
		}
		return list
	}
	warps := threads / m.Threads
	most := min(warps, shape[0]/m.Rows)
	square, least := most, 0
	for rows := most; rows >= 1; rows /= 2 {
		columns := min(warps/rows, shape[1]/m.Columns)
		if read := shape[0]*columns + shape[1]*rows; least == 0 || read < least {
			square, least = rows, read
		}
	}
	for _, rows := range slices.Compact([]int{square, most}) {
		list = append(list, accumulator(m.MatrixInstruction, shape, warps, rows))
	}
	if caps.WarpGroups && threads%simt.WarpgroupMMA.Threads == 0 && shape[0] > m.Rows*warps {
		list = append(list, groupAccumulator(shape, threads))
	}
	return list
}

// accumulator spreads an accumulator over groups of threads that execute an instruction together, of which so many are below one another.
func accumulator(m *simt.MatrixInstruction, shape []int, groups, rows int) layout.Linear {
	columns := min(groups/rows, shape[1]/m.Columns)
	height, width := shape[0]/rows, shape[1]/columns // of a group's part
	register := slices.Concat(bases(m.C.Registers, 0, 1), distribution.Units(1, m.Columns, width), distribution.Units(0, m.Rows, height))
	thread := slices.Concat(bases(m.C.Threads, 0, 1), distribution.Units(0, height, shape[0]), distribution.Units(1, width, shape[1]))
	for range bits.Len(uint(groups/rows/columns)) - 1 { // which hold copies
		thread = append(thread, []int{0, 0})
	}
	return distribution.MustLinear(shape, register, thread)
}

// bases are those of a fragment in a matrix whose dimension across the fragment's lines is given, and whose words have several elements.
func bases(fragment [][2]int, across, pack int) (list [][]int) {
	for _, by := range fragment {
		basis := []int{0, 0}
		basis[across], basis[1-across] = by[0], by[1]*pack
		list = append(list, basis)
	}
	return list
}

// Operand is the layout of an operand, the left one or the right one, in registers as instructions take it that sum
// into an accumulator; depth is its size along K. Consecutive registers form words of consecutive elements
// along K, the words of a piece follow each other.
func (m Product) Operand(which int, acc layout.Linear, depth int) layout.Linear {
	if shape := acc.Shape(); Batched(shape) {
		return ofBatch(m.Operand(which, inBatch(acc), depth), shape[0])
	}
	k, free := 1-which, which
	piece, fragment := []int{m.Rows, m.Columns}[free], []simt.Fragment{m.A, m.B}[which]
	shape := []int{0, 0}
	shape[k], shape[free] = depth, acc.Shape()[free]
	project := func(basis []int) []int {
		basis[k] = 0
		return basis
	}
	var further [][]int // further pieces of a warp along the free dimension
	for bit := range acc.Bits(layout.Register) {
		if basis := acc.Basis(layout.Register, bit); basis[free] >= piece {
			further = append(further, project(basis))
		}
	}
	register, steps := distribution.Units(k, 1, m.Pack()), distribution.Units(k, m.Step(), depth)
	register = append(register, bases(fragment.Registers, free, m.Pack())...)
	if which == 0 {
		register = slices.Concat(register, steps, further)
	} else { // two pieces side by side are loaded together
		n := min(1, len(further))
		register = slices.Concat(register, further[:n], steps, further[n:])
	}
	thread := bases(fragment.Threads, free, m.Pack())
	for bit := len(thread); bit < acc.Bits(layout.Thread); bit++ {
		thread = append(thread, project(acc.Basis(layout.Thread, bit)))
	}
	return distribution.MustLinear(shape, register, thread)
}

// OperandTile is a distribution of an operand between global and shared memory, with the longest vectors along the
// dimension that is contiguous in memory. Elements of 8 bits are K-major in shared memory; if they
// are not in global memory, each thread transposes blocks: matrices of bytes have no transposing loads.
func (m Product) OperandTile(shape []int, threads, which, contiguous int) layout.Linear {
	k, wide := 1-which, distribution.AccessBytes/m.Elem.Size()
	if m.Elem.Size() > 1 || contiguous == k {
		if m.Cooperative {
			return m.steppedTile(shape, threads, k, contiguous, wide)
		}
		return distribution.Blocked(shape, threads, contiguous, wide)
	}
	vec, each := []int{1, 1}, max(1, shape[0]*shape[1]/threads)
	vec[k] = min(wordBytes, each)
	vec[contiguous] = min(wide, shape[contiguous], each/vec[k])
	tile := layout.Blocked(shape, threads, []int{contiguous, k}, vec)
	if m.Cooperative {
		return m.wordOrder(tile, k)
	}
	return tile
}

// NarrowTile is OperandTile of cooperative matrices for memory that has only vectors of width elements: neighbouring threads have neighbouring ones of a line, and a thread has others that are
// no neighbours, so that rows in shared memory are along the dimension that is contiguous in memory.
func (m Product) NarrowTile(shape []int, threads, which, contiguous, width int) layout.Linear {
	return m.steppedTile(shape, threads, 1-which, contiguous, width)
}

// steppedTile is a distribution in which threads have elements of each part along k, where a part has 16 bytes for each thread. Operands of bytes have no such
// parts: simple loops over whole tiles, of which two workgroups share a multiprocessor, were faster on an H200 (4096³ in 280 µs, not in 312).
func (m Product) steppedTile(shape []int, threads, k, contiguous, wide int) layout.Linear {
	part, chunk, line := slices.Clone(shape), distribution.AccessBytes/m.Elem.Size(), shape[contiguous]
	if wide < chunk {
		line = distribution.BankBytes / m.Elem.Size()
	}
	part[contiguous] = min(part[contiguous], line)
	part[k] = min(part[k], m.Step())
	switch {
	case m.Elem.Size() == 1 || part[0]*part[1] < threads*wide || part[contiguous] < wide:
		part[k] = shape[k]
	case contiguous == k && !m.BFloats:
		part[k] = plan.PartDepth(m.MatrixInstruction, m.Elem, shape[k], shape[1-k], threads)
	}
	part[contiguous] = min(part[contiguous], line)
	tile := paddedOrder(distribution.Blocked(part, threads, contiguous, wide), contiguous, chunk)
	var register, thread [][]int
	for bit := range tile.Bits(layout.Register) {
		register = append(register, tile.Basis(layout.Register, bit))
	}
	for bit := range tile.Bits(layout.Thread) {
		thread = append(thread, tile.Basis(layout.Thread, bit))
	}
	for _, dim := range []int{k, 1 - k} {
		register = append(register, distribution.Units(dim, part[dim], shape[dim])...)
	}
	return distribution.MustLinear(shape, register, thread)
}

// paddedOrder gives the threads that store chunks of 16 bytes together, 8 of them, rows of shared memory whose chunks are in different banks. A row
// of 2^j chunks, with j below 3, and the padding of one chunk is 2^j+1 chunks long, so that rows that are 2^j apart begin 2^j chunks apart in the banks,
// but neighbouring rows overlap.
func paddedOrder(tile layout.Linear, contiguous, wide int) layout.Linear {
	shape := tile.Shape()
	chunks := shape[contiguous] / wide
	var register, columns, near, far, rest [][]int
	for bit := range tile.Bits(layout.Register) {
		register = append(register, tile.Basis(layout.Register, bit))
	}
	for bit := range tile.Bits(layout.Thread) {
		basis := tile.Basis(layout.Thread, bit)
		switch row := basis[1-contiguous]; {
		case basis[contiguous] > 0:
			columns = append(columns, basis)
		case row > 0 && row < chunks:
			near = append(near, basis)
		case row > 0 && row < bankChunks:
			far = append(far, basis)
		default:
			rest = append(rest, basis)
		}
	}
	return distribution.MustLinear(shape, register, slices.Concat(columns, far, near, rest))
}

// wordOrder gives the threads that store words together, to rows along k, those of the same 16 bytes, then those of rows of several matrices, which
// CrossedGap puts into different banks, then further ones along k. Rows of one matrix that are 8 apart are in the same banks: they come last.
func (m Product) wordOrder(tile layout.Linear, k int) layout.Linear {
	var register, words, far, along, near [][]int
	for bit := range tile.Bits(layout.Register) {
		register = append(register, tile.Basis(layout.Register, bit))
	}
	for bit := range tile.Bits(layout.Thread) {
		switch basis := tile.Basis(layout.Thread, bit); {
		case basis[k] > 0 && basis[k] < distribution.AccessBytes:
			words = append(words, basis)
		case basis[k] > 0:
			along = append(along, basis)
		case basis[1-k] >= m.piece(k):
			far = append(far, basis)
		default:
			near = append(near, basis)
		}
	}
	return distribution.MustLinear(tile.Shape(), register, slices.Concat(words, far, along, near))
}

// piece is how many rows along k a matrix has.
func (m Product) piece(k int) int { return []int{m.Rows, m.Columns}[1-k] }

// CrossedGap is how many elements there are between the rows along k of two matrices of bytes that threads store in words, in addition to those between all rows:
// as much as lets those of a wavefront that store to several matrices reach the banks that the chunks of a row leave.
func (m Product) CrossedGap(tile layout.Linear, k int) int {
	chunks := bankChunks // of 16 bytes that are not other rows'
	for _, basis := range distribution.ThreadBases(tile, 1-k) {
		if basis >= m.piece(k) && chunks > 1 {
			chunks /= 2
		}
	}
	if chunks == bankChunks {
		return 0
	}
	return chunks * distribution.AccessBytes / m.Elem.Size()
}

// bankChunks is how many chunks of 16 bytes all banks have side by side.
const bankChunks = 8
