package emit

import (
	"math/bits"

	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/mma"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// cooperativeDot lowers acc + a @ b to products of cooperative matrices. The accumulator's elements are where the instruction
// has them, so that other ops work on them in registers; operands come from shared memory, or from registers if they
// are distributed as the instruction takes them.
func (l *emitter) cooperativeDot(op *tile.Op, m mma.Product) {
	acc := l.in(op.Args[2], l.assigned.OpAt(op))
	depth := op.Args[0].Type().Shape[1]
	l.b.Func.DeclareCooperative(m.MatrixInstruction)
	l.note("cooperative matrices of %v, %d×%d×%d: an accumulator of %v distributed as %v", m.Elem, m.Rows, m.Columns, m.Step(),
		op.Result().Type().Elem, acc.dist)
	a, b := l.operandMatrices(op, 0, m, acc.dist), l.operandMatrices(op, 1, m, acc.dist)
	elements, held := acc.elements(l.b), m.C.Held()
	sums := make([]*simt.Value, len(elements)/held)
	for i := range sums {
		sums[i] = l.b.ComposeMatrix(m.Matrix(m.Elem, simt.MatrixC), elements[i*held:][:held]...)
		sums[i].Suggest("acc")
	}
	for k := 0; k < depth; k += m.Step() {
		for i := range sums {
			at := distribution.RegisterCoord(acc.dist, i*held)
			sums[i] = l.b.CooperativeMulAdd(a([]int{at[0], k}), b([]int{k, at[1]}), sums[i])
		}
	}
	for i := range elements {
		elements[i] = l.b.Extract(sums[i/held], i%held)
	}
	l.tiles[op.Result()] = l.holding(acc.dist, elements)
}

// operandMatrices gives the matrix of an operand that begins at a coordinate.
func (l *emitter) operandMatrices(op *tile.Op, which int, m mma.Product, acc layout.Linear) func(at []int) *simt.Value {
	v := op.Args[which]
	required := m.Operand(which, acc, v.Type().Shape[1-which])
	x := l.in(v, l.assigned.In(l.assigned.Stages[op][which]))
	typ := m.Matrix(m.Elem, simt.MatrixA+simt.MatrixUse(which))
	var make func(at []int) *simt.Value
	if x.dist.Equal(required) && !m.Opaque {
		l.note("operand %s stays in registers", operandName(which))
		make = l.heldMatrices(x, typ)
	} else {
		make = l.stagedMatrices("tile_"+operandName(which), x, m, typ, required, 1-which)
	}
	known := map[[2]int]*simt.Value{}
	return func(at []int) *simt.Value {
		key := [2]int(at)
		if known[key] == nil {
			known[key] = make(at)
		}
		return known[key]
	}
}

// heldMatrices composes matrices of a tile in registers.
func (l *emitter) heldMatrices(x regs, typ simt.Type) func(at []int) *simt.Value {
	first := map[[2]int]int{} // register by the coordinate in thread 0
	for register := 0; register < x.dist.Size(layout.Register); register += typ.Width {
		first[[2]int(distribution.RegisterCoord(x.dist, register))] = register
	}
	return func(at []int) *simt.Value {
		elements := make([]*simt.Value, typ.Width)
		for i := range elements {
			elements[i] = x.element(l.b, first[[2]int(at)]+i)
		}
		return l.b.ComposeMatrix(typ, elements...)
	}
}

// matrixRows is an operand of cooperative matrices in shared memory, in its own element type: rows along one of its dimensions, so
// many elements apart.
type matrixRows struct {
	array *simt.Shared
	along int
	pitch int
}

// index is the index of an element.
func (s matrixRows) index(at []int) int { return at[1-s.along]*s.pitch + at[s.along] }

func (s matrixRows) at(b *simt.Builder, row, column *simt.Value) *simt.Value {
	return b.Binary(simt.Add, b.Binary(simt.Mul, row, b.Int(s.pitch)), column)
}

// stagedMatrices stores an operand, whose dimension k is summed over, to a shared array of its own and loads matrices from there. A row has
// 16 bytes more than its elements take, if there is room, so that threads that load a column of such chunks have no bank conflicts.
func (l *emitter) stagedMatrices(name string, x regs, m mma.Product, typ simt.Type, required layout.Linear, k int) func(at []int) *simt.Value {
	shape, wide := x.dist.Shape(), distribution.AccessBytes/m.Elem.Size()
	s := matrixRows{along: mma.StagedAlong(x.dist, m, k)}
	if s.pitch = max(shape[s.along], wide); !l.dense {
		s.pitch, l.padded = s.pitch+wide, true
	}
	s.array = l.newShared(name, m.Elem, shape[1-s.along]*s.pitch, "operand %s of the product", name[len(name)-1:])
	l.storeMatrixRows(s, x, wide)
	l.note("%s in rows along dimension %d of %v, %d elements apart", name, s.along, m.Elem, s.pitch)
	subgroup := func(dim int) *simt.Value { // the coordinate where the part of a subgroup begins
		bases := distribution.ThreadBases(required, dim)
		clear(bases[:bits.Len(uint(m.Threads))-1])
		return l.threadSum(bases)
	}
	from := s.at(l.b, subgroup(1-s.along), subgroup(s.along))
	return func(at []int) *simt.Value {
		return l.b.CooperativeLoad(s.array, l.b.Binary(simt.Add, from, l.b.Int(s.index(at))), typ, s.pitch, s.along == 0)
	}
}

// storeMatrixRows stores a tile in rows, up to wide elements at a time.
func (l *emitter) storeMatrixRows(s matrixRows, x regs, wide int) {
	owner, run, idle := l.owner(x.dist), l.newSet(), x.dist.FreeBits(layout.Thread)
	along, across := l.threadCoord(x.dist, s.along), l.threadCoord(x.dist, 1-s.along)
	for _, registers := range distribution.Runs(x.dist, s.along, wide) {
		row := l.coordinate(x.dist, 1-s.along, across, registers[0])
		column := l.coordinate(x.dist, s.along, along, registers[0])
		index := s.at(l.b, row, column)
		cost := l.wavefronts(s.array.Elem, len(registers), idle, func(thread int) int { return s.index(x.dist.At(registers[0], thread)) })
		l.storeNarrow(s.array, run, sharedAccess{registers, index, cost}, x, owner)
	}
}
