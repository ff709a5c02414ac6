package lower

import (
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// Warpgroups compute the products of four warps by one instruction, which reads the right operand from shared memory and the left one from
// there or from registers (see simt.GroupMMA). Registers hold sums and left operands as those of single warps do, so that nothing but
// the way of staged operands differs.

// inGroups reports whether warpgroups compute a Dot of some depth into an accumulator: each has 64 of its rows or several times as many,
// and all of its columns.
func (m matrix) inGroups(caps target.Caps, acc layout.Linear, depth int) bool {
	shape, warps := acc.Shape(), 1<<acc.Bits(layout.Thread)/simt.WarpThreads
	return caps.WarpGroups && warps%4 == 0 && shape[0] >= pieceRows*warps && shape[1] <= 256 &&
		acc.Equal(groupAccumulator(shape, warps)) && depth >= m.step
}

// groupLines reports whether a staged operand can lie in the lines that warpgroups read, along a dimension: those of elements that are
// not of 16 bits along the sums.
func (m matrix) groupLines(shape []int, along, k int) bool {
	size := m.elem.Size()
	return shape[along]*size >= simt.LineBytes && shape[1-along] >= 8 && (size == 2 || along == k)
}

// takesLines reports whether warpgroups multiply a staged operand that lies in lines along a dimension: as it lies, or as a left one whose words threads load.
func (m matrix) takesLines(shape []int, along, k int) bool {
	return m.groupLines(shape, along, k) || m.wordLines(shape, along, k)
}

// wordLines reports whether threads load the words of a left operand from such lines, because the instruction cannot: words need no transposing, and
// may lie across the sums.
func (m matrix) wordLines(shape []int, along, k int) bool {
	return k == 1 && along != k && m.elem.Size() == registerBytes && !m.split && shape[along]*registerBytes >= simt.LineBytes && shape[k] >= 8
}

// groupRows is where the elements of a matrix, of so many bytes, lie in lines of 128 bytes along a dimension: line by line, those of the
// elements beyond a line behind all others, chunks of 16 bytes exchanged by the line's number.
func groupRows(shape []int, along, size int) layout.Linear {
	chunk, width := accessBytes/size, simt.LineBytes/size
	var bases [2][][]int
	for x := 1; x < shape[along]; x *= 2 {
		at := x
		if x >= width {
			at = x * shape[1-along]
		}
		bases[along] = append(bases[along], []int{at})
	}
	for line := 1; line < shape[1-along]; line *= 2 {
		at := line * width
		if line < 8 {
			at ^= line * chunk
		}
		bases[1-along] = append(bases[1-along], []int{at})
	}
	return matrixPlaces(shape, bases)
}

// groupPlace is where the matrix of a staged operand lies that begins at k of the sums, at the first column or at a row of those that a
// warpgroup has, of a number that is 0 for columns.
func (l *lowerer) groupPlace(s stagedMatrix, shape []int, k, row, rows int) *simt.Value {
	free := 1 - s.k
	at := []int{0, 0}
	at[s.k], at[free] = k, row
	index := l.b.Int(s.at.Eval(at...)[0])
	for bit, n := 7, rows; rows > 0 && n < shape[free]; bit, n = bit+1, 2*n { // of the warpgroup
		at := []int{0, 0}
		at[free] = n
		group := l.b.Binary(simt.And, l.shift(l.thread, -bit), l.b.Int(1))
		index = l.b.Binary(simt.Add, index, l.b.Binary(simt.Mul, group, l.b.Int(s.at.Eval(at...)[0])))
	}
	return l.b.MatrixPlace(s.array, index, s.along != s.k, shape[1-s.along])
}

// groupHeight is how many rows of an accumulator each warpgroup has.
func (l *lowerer) groupHeight(acc regs) int {
	return acc.dist.Shape()[0] / (l.threads / simt.GroupThreads)
}

// groupFactors are the operands of a product by warpgroups: the left one from a row of those of a warpgroup and k of the sums on, and the right one.
type groupFactors struct {
	left  func(row, k int) *simt.Value
	right stagedMatrix
	loads bool // threads load the left one, a step along the sums during the products of the step before
}

// groupDot multiplies operands by warpgroups, of which the right one has a shape, and adds the products to an accumulator.
func (l *lowerer) groupDot(m matrix, acc regs, shape []int, f groupFactors) regs {
	c, step := l.groupParts(acc), shape[0]
	if f.loads {
		step = m.step
	}
	for k := 0; k < shape[0]; k += step {
		l.groupSteps(m, acc, c, shape, k, k+step, f)
	}
	return l.groupSums(acc, c)
}

// groupParts are the parts of an accumulator that products are added to.
func (l *lowerer) groupParts(acc regs) (c []*simt.Value) {
	for first := 0; first < acc.dist.Size(layout.Register); first += 4 {
		c = append(c, l.b.Compose(acc.element(l.b, first), acc.element(l.b, first+1), acc.element(l.b, first+2), acc.element(l.b, first+3)))
	}
	return c
}

// groupProducts begins to multiply operands and to add the products to the parts of an accumulator, which are others from then on.
func (l *lowerer) groupProducts(m matrix, acc regs, c []*simt.Value, shape []int, all ...groupFactors) {
	l.groupSteps(m, acc, c, shape, 0, shape[0], all...)
}

// groupSteps does so for those from some k of the sums to another.
func (l *lowerer) groupSteps(m matrix, acc regs, c []*simt.Value, shape []int, from, to int, all ...groupFactors) {
	var products [][2]*simt.Value
	rows, at := l.groupHeight(acc), 0
	for row := 0; row < rows; row += simt.GroupRows {
		for _, f := range all {
			for k := from; k < to; k += m.step {
				product := [2]*simt.Value{f.left(row, k)}
				if row == 0 {
					product[1] = l.groupPlace(f.right, shape, k, 0, 0)
				} else { // the right operands are those of the first piece
					product[1], at = products[at][1], at+1
				}
				products = append(products, product)
			}
		}
	}
	copy(c, l.b.GroupMMAs(m.elem, rows/simt.GroupRows, products, c))
}

// groupSums waits for the products that are added to the parts of an accumulator.
func (l *lowerer) groupSums(acc regs, c []*simt.Value) regs {
	c = l.b.GroupWait(0, c)
	out := emptyRegs(acc.dist)
	out.fill(l.b, func(register int) *simt.Value { return l.b.Extract(c[register/4], register%4) })
	return out
}
