package emit

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/mma"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
)

// groupPlace is the matrix descriptor of a staged operand that begins at k, at the first column or at a row of those that a
// warpgroup has, of a number that is 0 for columns.
func (l *emitter) groupPlace(s stagedMatrix, shape []int, k, row, rows int) *simt.Value {
	free := 1 - s.k
	at := []int{0, 0}
	at[s.k], at[free] = k, row
	index := l.b.Int(s.at.Eval(at...)[0])
	for bit, n := 0, rows; rows > 0 && n < shape[free]; bit, n = bit+1, 2*n { // of the warpgroup
		at := []int{0, 0}
		at[free] = n
		group := l.b.Binary(simt.And, l.shift(l.b.Emit(&simt.Op{Kind: simt.WarpgroupID}, simt.Scalar(dtype.I32)), -bit), l.b.Int(1))
		index = l.b.Binary(simt.Add, index, l.b.Binary(simt.Mul, group, l.b.Int(s.at.Eval(at...)[0])))
	}
	return l.b.MatrixPlace(s.array, index, s.along != s.k, shape[1-s.along])
}

// groupHeight is how many rows of an accumulator each warpgroup has.
func (l *emitter) groupHeight(acc regs) int {
	return acc.dist.Shape()[0] / (l.threads / simt.WarpgroupMMA.Threads)
}

// groupFactors are the operands of a product by warpgroups: the left one from a row of a warpgroup and k on, and the right one.
type groupFactors struct {
	left  func(row, k int) *simt.Value
	right stagedMatrix
	step  int // along K, of what threads load or scale of the left one, during the products of the step before; 0 for none

	depth, columns int // how much of the operands along K, and of the right one's columns, may be other than zeros; 0 for all
}

// groupDot multiplies operands by warpgroups, of which the right one has a shape, and adds the products to an accumulator.
func (l *emitter) groupDot(m mma.Product, acc regs, shape []int, f groupFactors) regs {
	c, depth := l.groupParts(acc), shape[0]
	if f.depth > 0 {
		depth = f.depth
	}
	step := depth
	if f.step > 0 {
		step = f.step
	}
	used := l.partsIn(acc, c, f.columns)
	some := make([]*simt.Value, len(used))
	for i, part := range used {
		some[i] = c[part]
	}
	for k := 0; k < depth; k += step {
		l.groupSteps(m, acc, some, shape, k, min(k+step, depth), f)
	}
	some = l.b.GroupWait(0, some)
	for i, part := range used {
		c[part] = some[i]
	}
	return l.groupRegisters(acc, c)
}

// partsIn are the numbers of the parts of an accumulator that are in its first columns, 0 for all.
func (l *emitter) partsIn(acc regs, c []*simt.Value, columns int) (list []int) {
	each := len(c) / (l.groupHeight(acc) / simt.WarpgroupMMA.Rows) // of a matrix
	for part := range c {
		if columns == 0 || part%each*simt.WarpgroupMMA.Columns < columns {
			list = append(list, part)
		}
	}
	return list
}

// groupParts are the parts of an accumulator that products are added to.
func (l *emitter) groupParts(acc regs) (c []*simt.Value) {
	part := make([]*simt.Value, simt.WarpgroupMMA.C.Held())
	for first := 0; first < acc.dist.Size(layout.Register); first += len(part) {
		for i := range part {
			part[i] = acc.element(l.b, first+i)
		}
		c = append(c, l.b.Compose(slices.Clone(part)...))
	}
	return c
}

// groupSteps begins to multiply operands, from one k to another, and to add the products to the parts of an accumulator, which it replaces.
func (l *emitter) groupSteps(m mma.Product, acc regs, c []*simt.Value, shape []int, from, to int, all ...groupFactors) {
	var products [][2]*simt.Value
	rows, at := l.groupHeight(acc), 0
	for row := 0; row < rows; row += simt.WarpgroupMMA.Rows {
		for _, f := range all {
			for k := from; k < to; k += m.Step() {
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
	copy(c, l.b.GroupMMAs(m.Elem, rows/simt.WarpgroupMMA.Rows, products, c))
}

// groupSums waits for the products that are added to the parts of an accumulator.
func (l *emitter) groupSums(acc regs, c []*simt.Value) regs {
	return l.groupRegisters(acc, l.b.GroupWait(0, c))
}

// groupRegisters are the elements of the parts of an accumulator.
func (l *emitter) groupRegisters(acc regs, c []*simt.Value) regs {
	held := simt.WarpgroupMMA.C.Held()
	return l.filled(acc.dist, func(register int) *simt.Value { return l.b.Extract(c[register/held], register%held) })
}
