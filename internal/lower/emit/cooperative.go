package emit

import (
	"math/bits"
	"slices"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/mma"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// cooperativeDot lowers acc + a @ b to products of cooperative matrices. The accumulator's elements are where the instruction
// has them, so that other ops work on them in registers; operands come from shared memory, or from registers if they
// are distributed as the instruction requires.
func (l *emitter) cooperativeDot(op *tile.Op, m mma.Product) {
	acc := l.in(op.Args[2], l.assigned.OpAt(op))
	depth := mma.Depth(op.Args[0].Type().Shape, 0)
	l.b.Func.DeclareCooperative(m.MatrixInstruction)
	l.note("cooperative matrices of %v, %d×%d×%d: an accumulator of %v distributed as %v", m.Elem, m.Rows, m.Columns, m.Step(),
		op.Result().Type().Elem, acc.dist)
	a, b := l.operandMatrices(op, 0, m, acc.dist), l.operandMatrices(op, 1, m, acc.dist)
	products := [][2]int{{0, 0}}
	if m.BFloats {
		l.note("operands of f32 in two parts of bf16: the sum of three products")
		products = [][2]int{{1, 0}, {0, 1}, {0, 0}} // the least products first
	}
	elements, held := acc.elements(l.b), m.C.Held()
	sums := make([]*simt.Value, len(elements)/held)
	for i := range sums {
		sums[i] = l.b.ComposeMatrix(m.Matrix(m.Elem, simt.MatrixC), elements[i*held:][:held]...)
		sums[i].Suggest("acc")
	}
	for k := 0; k < depth; k += m.Step() {
		for _, part := range products {
			for i := range sums {
				at := matrixCoord(acc.dist, i*held)
				sums[i] = l.b.CooperativeMulAdd(a[part[0]]([]int{at[0], k}), b[part[1]]([]int{k, at[1]}), sums[i])
			}
		}
	}
	for i := range elements {
		elements[i] = l.b.Extract(sums[i/held], i%held)
	}
	l.tiles[op.Result()] = l.holding(acc.dist, elements)
}

// operandMatrices gives the matrix of an operand, or of each of its parts, that begins at a coordinate.
func (l *emitter) operandMatrices(op *tile.Op, which int, m mma.Product, acc layout.Linear) (list []func(at []int) *simt.Value) {
	v := op.Args[which]
	required := m.Operand(which, acc, mma.Depth(v.Type().Shape, which))
	typ := m.Matrix(m.Elem, simt.MatrixA+simt.MatrixUse(which))
	if mma.Batched(required.Shape()) {
		l.note("operand %s stays in registers", operandName(which))
		return append(list, once(l.heldMatrices(l.in(v, required), typ)))
	}
	x := l.in(v, l.assigned.In(l.assigned.Stages[op][which]))
	held := x.dist.Equal(required) && !m.Opaque
	if held {
		l.note("operand %s stays in registers", operandName(which))
	}
	parts, names := []regs{x}, [2]string{"tile_", "small_"}
	if m.BFloats {
		parts = l.bfloatParts(x)
	}
	for i, part := range parts {
		if held {
			list = append(list, once(l.heldMatrices(part, typ)))
		} else {
			list = append(list, once(l.stagedMatrices(names[i]+operandName(which), part, m, typ, required, 1-which)))
		}
	}
	return list
}

// once makes the matrix of each coordinate once.
func once(matrix func(at []int) *simt.Value) func(at []int) *simt.Value {
	known := map[[2]int]*simt.Value{}
	return func(at []int) *simt.Value {
		key := [2]int(at)
		if known[key] == nil {
			known[key] = matrix(at)
		}
		return known[key]
	}
}

// heldMatrices composes matrices of a tile in registers.
func (l *emitter) heldMatrices(x regs, typ simt.Type) func(at []int) *simt.Value {
	first := map[[2]int]int{} // register by the coordinate in thread 0
	for register := 0; register < x.dist.Size(layout.Register); register += typ.Width {
		first[[2]int(matrixCoord(x.dist, register))] = register
	}
	return func(at []int) *simt.Value {
		elements := make([]*simt.Value, typ.Width)
		for i := range elements {
			elements[i] = x.element(l.b, first[[2]int(at)]+i)
		}
		if pairs := l.integerPairs(elements, typ.Elem); pairs != nil {
			elements = l.unpackWords(pairs, typ.Elem, "")
		}
		return l.b.ComposeMatrix(typ, elements...)
	}
}

// matrixRows is an operand of cooperative matrices in shared memory, in its own element type: in parts of some elements along k, each an
// array with rows along one of the operand's dimensions, so many elements apart.
type matrixRows struct {
	parts []*simt.Shared
	k     int // the dimension that is summed over
	depth int // elements along k of a part
	along int
	pitch int
	piece int // rows of a matrix
	gap   int // elements between the rows of two matrices, in addition to pitch
}

// part is the array of an element.
func (s matrixRows) part(at []int) *simt.Shared { return s.parts[at[s.k]/s.depth] }

// index is the index of an element in its array.
func (s matrixRows) index(at []int) int {
	local := []int{at[0], at[1]}
	local[s.k] %= s.depth
	return s.rows(local[1-s.along]) + local[s.along]
}

// rows is how many elements so many rows take.
func (s matrixRows) rows(n int) int { return n*s.pitch + n/s.piece*s.gap }

func (s matrixRows) at(b *simt.Builder, row, column *simt.Value) *simt.Value {
	at := b.Binary(simt.Add, b.Binary(simt.Mul, row, b.Int(s.pitch)), column)
	if s.gap == 0 {
		return at
	}
	return b.Binary(simt.Add, at, b.Binary(simt.Mul, b.Binary(simt.Div, row, b.Int(s.piece)), b.Int(s.gap)))
}

// stagedMatrices stores an operand, whose dimension k is summed over, to shared arrays of its own and loads matrices from there. A row has
// 16 bytes more than its elements use, if shared memory allows, so that threads that load a column of such chunks have no bank conflicts; where threads store
// words, there is more between the rows of two matrices, so that those that store to rows of several matrices have none either.
func (l *emitter) stagedMatrices(name string, x regs, m mma.Product, typ simt.Type, required layout.Linear, k int) func(at []int) *simt.Value {
	s := l.matrixRows(name, x, m, k)
	l.storeMatrixRows(s, x)
	l.note("%s in rows along dimension %d of %v, %d elements apart, in %s", name, s.along, m.Elem, s.pitch, fault.Count(len(s.parts), "array"))
	subgroup := func(dim int) *simt.Value { // the coordinate where the part of a subgroup begins
		bases := distribution.ThreadBases(required, dim)
		clear(bases[:bits.Len(uint(m.Threads))-1])
		return l.threadSum(bases)
	}
	from := s.at(l.b, subgroup(1-s.along), subgroup(s.along))
	return func(at []int) *simt.Value {
		return l.b.CooperativeLoad(s.part(at), l.b.Binary(simt.Add, from, l.b.Int(s.index(at))), typ, s.pitch, s.along == 0)
	}
}

// matrixRows makes the arrays of an operand: one for each part along k, so that threads can store to one array while subgroups load from another.
func (l *emitter) matrixRows(name string, x regs, m mma.Product, k int) matrixRows {
	shape, wide := slices.Clone(x.dist.Shape()), distribution.AccessBytes/m.Elem.Size()
	parts := m.StagedParts(x.dist, k)
	s := matrixRows{k: k, along: mma.StagedAlong(x.dist, m, k), depth: shape[k] / parts, piece: []int{m.Rows, m.Columns}[1-k]}
	shape[k] = s.depth
	if s.pitch = max(shape[s.along], wide); !l.dense {
		s.pitch, l.padded = s.pitch+wide, true
		if s.along == k && len(distribution.Runs(x.dist, k, wide)[0]) < wide {
			s.gap = m.CrossedGap(x.dist, k)
		}
	}
	for range parts {
		s.parts = append(s.parts, l.newShared(name, m.Elem, s.rows(shape[1-s.along]), "operand %s of the product", name[len(name)-1:]))
	}
	return s
}

// storeMatrixRows stores a tile in rows, up to 16 bytes at a time.
func (l *emitter) storeMatrixRows(s matrixRows, x regs) {
	elem := s.parts[0].Elem
	owner, run, idle := l.owner(x.dist), l.newSet(), x.dist.FreeBits(layout.Thread)
	threads := [2]*simt.Value{l.threadCoord(x.dist, 0), l.threadCoord(x.dist, 1)}
	wide := distribution.AccessBytes / elem.Size()
	if s.along == s.k {
		wide = min(wide, s.depth)
	}
	from := s.at(l.b, threads[1-s.along], threads[s.along])
	for _, registers := range distribution.Runs(x.dist, s.along, wide) {
		first := distribution.RegisterCoord(x.dist, registers[0])
		index, apart := l.b.Binary(simt.Add, from, l.b.Int(s.index(first))), true
		local := func(dim int) *simt.Value {
			c, kind := first[dim], simt.Xor
			if dim == s.k {
				c %= s.depth
			}
			if distribution.Disjoint(x.dist, dim, c) {
				kind = simt.Add
			} else {
				apart = false
			}
			return l.b.Binary(kind, threads[dim], l.b.Int(c))
		}
		if at := s.at(l.b, local(1-s.along), local(s.along)); !apart {
			index = at
		}
		cost := l.wavefronts(elem, len(registers), idle, func(thread int) int { return s.index(x.dist.At(registers[0], thread)) })
		l.storeNarrow(s.part(first), run, sharedAccess{registers, index, cost}, x, owner)
	}
}
