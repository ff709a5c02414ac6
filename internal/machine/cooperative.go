package machine

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// What cooperative matrices are is in package simt, cooperative.go. Lanes hold their elements as
// registers do, rounded to the matrix's element type.

// cooperative finds the instruction of a matrix and how it is distributed.
func (w *workgroup) cooperative(op *simt.Op, t simt.Type) (*simt.MatrixInstruction, *simt.Fragment) {
	m, f := w.kernel.CooperativeOf(t)
	if m == nil {
		fail(op, "no instruction has matrices %v", t)
	}
	return m, f
}

// composeMatrix executes a Compose of a matrix.
func composeMatrix(t simt.Type, args [][]Lane) func(t, i int) Lane {
	e := t.Elem
	if simt.Register(e) == e {
		return func(t, i int) Lane { return args[i][t] }
	}
	return func(t, i int) Lane { return narrowed(e, args[i][t]) }
}

// matrixPlaces gives where the elements of a CooperativeLoad or a CooperativeStore are. The threads of a subgroup agree on the index.
func (w *workgroup) matrixPlaces(op *simt.Op) func(t, i int) int {
	typ := op.MatrixType()
	m, f := w.cooperative(op, typ)
	first := w.values[op.Args[0]]
	return func(t, i int) int {
		if first[t] != first[t&^(m.Threads-1)] {
			fail(op, "threads %d and %d of a subgroup name different places", t&^(m.Threads-1), t)
		}
		at := w.index(op, t, op.MatrixAlign())
		row, column := f.At(i, t%m.Threads)
		if typ.Matrix.Use == simt.MatrixB {
			row, column = column, row
		}
		if op.Transpose {
			row, column = column, row
		}
		return at + row*op.Pitch + column
	}
}

// loadCooperative executes a CooperativeLoad.
func (w *workgroup) loadCooperative(op *simt.Op) func(t, i int) Lane {
	at := w.matrixPlaces(op)
	return func(t, i int) Lane { return w.readShared(op, t, at(t, i)) }
}

// storeCooperative executes a CooperativeStore. Of threads that hold copies of an element, the first one stores it.
func (w *workgroup) storeCooperative(op *simt.Op) {
	at, width := w.matrixPlaces(op), op.Args[1].Type.Width
	m, f := w.cooperative(op, op.Args[1].Type)
	copies := 0 // bits of the numbers of threads
	for bit, by := range f.Threads {
		if by == [2]int{} {
			copies |= 1 << bit
		}
	}
	for i, lane := range w.values[op.Args[1]] {
		if t := i / width; t%m.Threads&copies == 0 {
			w.writeShared(op, t, at(t, i%width), lane)
		}
	}
}

// mulAdd executes a CooperativeMulAdd: sums in float64, which those in any order differ from by their own
// roundings, then one rounding.
func (w *workgroup) mulAdd(op *simt.Op, args [][]Lane) func(t, i int) Lane {
	a, b, c := op.Args[0].Type, op.Args[1].Type, op.Args[2].Type
	m, ofA := w.cooperative(op, a)
	_, ofB := w.cooperative(op, b)
	_, ofC := w.cooperative(op, c)
	depth := a.Matrix.Columns
	rows := elements(a, m, ofA, a.Matrix.Rows, depth, args[0])
	columns := elements(b, m, ofB, b.Matrix.Columns, depth, args[1])
	return func(t, i int) Lane {
		row, column := ofC.At(i, t%m.Threads)
		group := t / m.Threads
		x, y := rows[(group*c.Matrix.Rows+row)*depth:][:depth], columns[(group*c.Matrix.Columns+column)*depth:][:depth]
		was := args[2][t*c.Width+i]
		if c.Elem == dtype.F32 {
			sum := decode(dtype.F32, was)
			for k := range x {
				sum += x[k] * y[k]
			}
			return encode(dtype.F32, sum)
		}
		sum := int64(int32(was))
		for k := range x {
			sum += int64(x[k]) * int64(y[k])
		}
		return Lane(uint32(sum))
	}
}

// elements lists the elements of each subgroup's lines, rows of a or columns of b, of which subgroups have n each.
func elements(t simt.Type, m *simt.MatrixInstruction, f *simt.Fragment, n, depth int, lanes []Lane) []float64 {
	groups := len(lanes) / t.Width / m.Threads
	out := make([]float64, groups*n*depth)
	for i, lane := range lanes {
		thread := i / t.Width
		across, along := f.At(i%t.Width, thread%m.Threads)
		out[(thread/m.Threads*n+across)*depth+along] = decode(simt.Register(t.Elem), lane)
	}
	return out
}
