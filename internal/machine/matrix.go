package machine

import (
	"encoding/binary"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// What the warps' matrix instructions and asynchronous copies do is in package simt, matrix.go.

// multiply executes an MMA: sums in float64, which F32 sums in any order differ from
// by their own roundings, then one rounding.
func multiply(op *simt.Op, args [][]Lane) func(t, i int) Lane {
	e, m := op.Elem, op.Instruction()
	depth, held := m.Bytes/e.Size(), m.C.Held()
	rows, columns := lines(e, m, m.A, m.Rows, args[0]), lines(e, m, m.B, m.Columns, args[1])
	return func(t, i int) Lane {
		row, column := m.C.At(i, t%m.Threads)
		group := t / m.Threads
		x, y := rows[(group*m.Rows+row)*depth:][:depth], columns[(group*m.Columns+column)*depth:][:depth]
		if c := args[2][t*held+i]; simt.MMASums(e) == dtype.F32 {
			sum := decode(dtype.F32, c)
			for k := range x {
				sum += x[k] * y[k]
			}
			return encode(dtype.F32, sum)
		} else {
			sum := int64(int32(c))
			for k := range x {
				sum += int64(x[k]) * int64(y[k])
			}
			return Lane(uint32(sum))
		}
	}
}

// lines lists the elements of each group's lines, rows of a or columns of b, of which groups have n each, given the words of its threads.
func lines(e dtype.Type, m *simt.MatrixInstruction, f simt.Fragment, n int, words []Lane) []float64 {
	held, line := f.Held(), m.Bytes/4
	bytes := make([]byte, 4*len(words))
	for i, lane := range words {
		thread, x := i/held, uint32(lane)
		if e == dtype.F32 {
			x &^= 1<<13 - 1 // all but 10 bits of mantissa
		}
		across, along := f.At(i%held, thread%m.Threads)
		binary.LittleEndian.PutUint32(bytes[4*((thread/m.Threads*n+across)*line+along):], x)
	}
	out := make([]float64, len(bytes)/e.Size())
	dtype.Floats(e, out, bytes)
	return out
}

// loadMatrix executes a LoadMatrix.
func (w *workgroup) loadMatrix(op *simt.Op) func(t, i int) Lane {
	e := op.Shared.Elem
	words := op.Result().Type.Width
	n := 16 / e.Size()
	rows := make([][]byte, len(w.values[op.Args[0]]))
	for t := range rows {
		if t%32 >= 8*words {
			continue
		}
		at := w.index(op, t, n)
		rows[t] = make([]byte, 16)
		for i := range n {
			narrow(e, rows[t][i*e.Size():], w.readShared(op, t, at+i))
		}
	}
	return func(t, i int) Lane {
		matrix := rows[t&^31+8*i:]
		g, k := t%32/4, t%4
		if !op.Transpose {
			return Lane(binary.LittleEndian.Uint32(matrix[g][4*k:]))
		}
		lo, hi := binary.LittleEndian.Uint16(matrix[2*k][2*g:]), binary.LittleEndian.Uint16(matrix[2*k+1][2*g:])
		return Lane(lo) | Lane(hi)<<16
	}
}

// storeMatrix executes a StoreMatrix: the thread that holds an element writes it.
func (w *workgroup) storeMatrix(op *simt.Op) {
	e, words := op.Shared.Elem, op.Args[1].Type.Width
	for t, lane := range w.values[op.Args[1]] {
		t, j := t/words, t%words
		g, k := t%32/4, t%4
		var b [4]byte
		binary.LittleEndian.PutUint32(b[:], uint32(lane))
		for i := range 2 {
			row, column := g, 2*k+i
			if op.Transpose {
				row, column = column, row
			}
			at := w.index(op, t&^31+8*j+row, 16/e.Size())
			w.writeShared(op, t, at+column, widen(e, b[2*i:]))
		}
	}
}

// copying is an element of an outstanding copy to a shared array.
type copying struct {
	op     *simt.Op
	thread int
	at     int
	bits   Lane
}

// copies are the outstanding copies of a workgroup's threads: the groups of each, oldest first, the last
// of which is open.
type copies map[int][][]copying

// copyAsync starts a copy: its elements are nobody's until a wait.
func (w *workgroup) copyAsync(op *simt.Op, t int) {
	n, e := op.Count, op.Shared.Elem
	to := w.index(&simt.Op{Kind: op.Kind, Line: op.Line, Shared: op.Shared, Args: op.Args[:1]}, t, n)
	from := -1
	if !w.masked(op, t) {
		from = w.index(&simt.Op{Kind: op.Kind, Line: op.Line, Buffer: op.Buffer, Args: op.Args[1:2]}, t, n)
	}
	if len(w.copies[w.first+t]) == 0 {
		w.copies[w.first+t] = [][]copying{nil}
	}
	groups := w.copies[w.first+t]
	for i := range n {
		c := &w.shared[op.Shared][to+i]
		w.checkOverwritten(op, c, t, to+i)
		var bits Lane
		if from >= 0 {
			bits = widen(e, w.buffers[op.Buffer][(from+i)*e.Size():])
		}
		c.coming = true
		groups[len(groups)-1] = append(groups[len(groups)-1], copying{op, t, to + i, bits})
	}
}

func (w *workgroup) commitCopies(t int) {
	if len(w.copies[w.first+t]) == 0 {
		w.copies[w.first+t] = [][]copying{nil}
	}
	w.copies[w.first+t] = append(w.copies[w.first+t], nil)
}

// waitCopies completes all committed groups of a thread but the latest few.
func (w *workgroup) waitCopies(op *simt.Op, t int) {
	for len(w.copies[w.first+t]) > op.Pending+1 {
		for _, c := range w.copies[w.first+t][0] {
			cell := &w.shared[c.op.Shared][c.at]
			cell.write(t, w.epoch())
			w.noteWrite(&cell.history)
			cell.bits, cell.written, cell.coming, cell.from = c.bits, true, false, nil
		}
		w.copies[w.first+t] = w.copies[w.first+t][1:]
	}
}
