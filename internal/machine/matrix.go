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
	e := op.Elem
	depth := simt.MMABytes / e.Size()
	per := depth / 8 // elements of a word
	rows := leftRows(e, args[0])
	columns := gather(e, args[1], 8, func(column, word int) int { return (column*4+word%4)*2 + word/4 })
	return func(t, i int) Lane {
		warp, row, column := t/32, t%32/4+i/2*8, t%4*2+i%2
		x, y := rows[(warp*16+row)*8*per:][:8*per], columns[(warp*8+column)*8*per:][:8*per]
		if c := args[2][t*4+i]; simt.MMASums(e) == dtype.F32 {
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

// leftRows lists the elements of the rows of a that warps hold.
func leftRows(e dtype.Type, words []Lane) []float64 {
	return gather(e, words, 16, func(row, word int) int { return (row%8*4+word%4)*4 + row/8 + word/4*2 })
}

// gather lists the elements of each warp's lines, rows of a or columns of b, given which of the warp's
// words holds the eight of a line.
func gather(e dtype.Type, words []Lane, lines int, at func(line, word int) int) []float64 {
	held := lines * 8 // words of a warp
	var bytes []byte
	for warp := 0; warp < len(words)/held; warp++ {
		for line := range lines {
			for word := range 8 {
				x := uint32(words[warp*held+at(line, word)])
				if e == dtype.F32 {
					x &^= 1<<13 - 1 // all but 10 bits of mantissa
				}
				bytes = binary.LittleEndian.AppendUint32(bytes, x)
			}
		}
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

// copying is an element on its way to a shared array.
type copying struct {
	op     *simt.Op
	thread int
	at     int
	bits   Lane
}

// copies are what a workgroup's threads have under way: the groups of each, oldest first, the last
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
			cell.bits, cell.written, cell.coming, cell.from, cell.touched = c.bits, true, false, nil, w.now()
		}
		w.copies[w.first+t] = w.copies[w.first+t][1:]
	}
}
