package machine

import (
	"maps"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// groupMultiply executes a GroupMMA, see package simt, group.go.
func (w *workgroup) groupMultiply(op *simt.Op) {
	_, c := op.Products()
	m := op.Instruction()
	held := m.C.Held()
	threads := len(w.values[c[0]]) / held
	if threads%m.Threads != 0 {
		fail(op, "%d threads are not whole warpgroups", threads)
	}
	for _, out := range op.Out {
		w.values[out] = make([]Lane, held*threads)
	}
	w.flying.begin()
	op.EachMatrix(func(first, n int, products [][2]*simt.Value) {
		for group := 0; group < threads; group += m.Threads {
			w.groupPiece(op, group, products, c[first:first+n], op.Out[first:first+n])
		}
	})
	for _, out := range op.Out {
		w.flying.sums(w.values[out])
	}
}

// groupPiece adds products of one group to the parts of one matrix.
func (w *workgroup) groupPiece(op *simt.Op, group int, products [][2]*simt.Value, c, out []*simt.Value) {
	e, m := op.Elem, op.Instruction()
	sumType, depth := simt.MMASums(e), m.Bytes/e.Size()
	held, columns := m.C.Held(), m.Columns*len(c)
	sums := make([]float64, m.Rows*columns)
	first := make([]int, held*m.Threads) // in sums, of the registers of the first part
	for i := range first {
		row, column := m.C.At(i%held, i/held)
		first[i] = row*columns + column
	}
	at := func(t, part, i int) int { return first[held*t+i] + m.Columns*part }
	for part, v := range c {
		lanes := w.values[v][held*group:]
		for t := range m.Threads {
			for i := range held {
				sums[at(t, part, i)] = decode(sumType, lanes[held*t+i])
			}
		}
	}
	for _, p := range products {
		a, b := w.leftFactor(op, p[0], e, group, depth), w.factor(op, p[1], e, group, columns, depth)
		for row := range m.Rows {
			left := a[row*depth : (row+1)*depth]
			for column := range columns {
				sum, right := sums[row*columns+column], b[column*depth:(column+1)*depth]
				for k, x := range left {
					sum += x * right[k]
				}
				sums[row*columns+column] = sum
			}
		}
	}
	for part, v := range out {
		lanes := w.values[v][held*group:]
		for t := range m.Threads {
			for i := range held {
				lanes[held*t+i] = encode(sumType, wrapped(sumType, sums[at(t, part, i)]))
			}
		}
	}
}

// flying are the products of an actor that are outstanding.
type flying struct {
	begun, over int
	reads       [][]*cell     // of each that is not over
	unsettled   map[*Lane]int // which product computes what begins there
}

func (f *flying) begin() {
	f.begun++
	f.reads = append(f.reads, nil)
}

// sums notes what the latest product computes.
func (f *flying) sums(lanes []Lane) {
	if f.unsettled == nil {
		f.unsettled = map[*Lane]int{}
	}
	f.unsettled[&lanes[0]] = f.begun
}

// expect makes room for elements that the latest product reads.
func (f *flying) expect(n int) {
	last := len(f.reads) - 1
	f.reads[last] = slices.Grow(f.reads[last], n)
}

// reading notes an element that the latest product reads.
func (f *flying) reading(c *cell) {
	c.factors++
	f.reads[len(f.reads)-1] = append(f.reads[len(f.reads)-1], c)
}

// groupWait waits for all products but the latest few: only then have they read what they multiply.
func (w *workgroup) groupWait(op *simt.Op) {
	f := &w.flying
	for len(f.reads) > op.Pending {
		for _, c := range f.reads[0] {
			c.factors--
			c.read(0, w.epoch())
			w.noteRead(&c.history)
		}
		f.reads, f.over = f.reads[1:], f.over+1
	}
	for i, sum := range op.Args {
		if lanes := w.values[sum]; f.unsettled[&lanes[0]] > f.over {
			fail(op, "product %d of %d is outstanding", f.unsettled[&lanes[0]], f.begun)
		}
		w.values[op.Out[i]] = w.values[sum]
	}
	maps.DeleteFunc(f.unsettled, func(_ *Lane, product int) bool { return product <= f.over })
}

// checkSettled checks that an op uses no sums that are outstanding, unless it is one that may.
func (w *workgroup) checkSettled(op *simt.Op) {
	if len(w.flying.unsettled) == 0 || op.Kind == simt.GroupMMA || op.Kind == simt.GroupWait || op.Kind == simt.For || op.Kind == simt.Yield {
		return
	}
	for _, a := range op.Args {
		if lanes := w.values[a]; len(lanes) > 0 && w.flying.unsettled[&lanes[0]] > 0 {
			fail(op, "%v is an outstanding product", a)
		}
	}
}

// leftFactor is the left matrix of a product, of words of a group's threads or in shared memory.
func (w *workgroup) leftFactor(op *simt.Op, v *simt.Value, e dtype.Type, group, depth int) []float64 {
	if v.Type.Elem == dtype.U32 {
		m := op.Instruction()
		held := m.A.Held()
		return lines(e, m, m.A, m.Rows, w.values[v][held*group:held*(group+m.Threads)])
	}
	return w.factor(op, v, e, group, op.Instruction().Rows, depth)
}

// factor is a matrix of a product, one row of a or column of b after the other.
func (w *workgroup) factor(op *simt.Op, v *simt.Value, e dtype.Type, group, lines, depth int) []float64 {
	place, cells, starts := v.Op, w.shared[v.Op.Shared], w.values[v][group:]
	first := int(int32(starts[0]))
	for t := range simt.WarpgroupMMA.Threads {
		if int(int32(starts[t])) != first {
			fail(op, "threads %d and %d disagree where a matrix begins", group, group+t)
		}
	}
	size := e.Size()
	width, chunk := simt.LineBytes/size, chunkBytes/size
	if first < 0 || first/width%8 != 0 {
		fail(op, "a matrix begins at %d, which is not aligned", first)
	}
	out := make([]float64, lines*depth)
	w.flying.expect(len(out))
	for line := range lines {
		for k := range depth {
			along, across := k, line
			if place.MNMajor {
				along, across = line, k
			}
			along += first % width
			i := first/width + across + along/width*place.Lead
			at := i*width + along%width ^ i%8*chunk
			if at >= len(cells) {
				fail(op, "element %d is outside of memory of %d", at, len(cells))
			}
			out[line*depth+k] = factorElement(e, w.readCell(place, &cells[at], group, at))
			w.flying.reading(&cells[at])
		}
	}
	return out
}

// factorElement is an element as the instruction takes it: of F32 all but 10 bits of mantissa are left out.
func factorElement(e dtype.Type, bits Lane) float64 {
	if e == dtype.F32 {
		bits &^= 1<<13 - 1
	}
	return decode(simt.Register(e), bits)
}

// wrapped is a sum as its type holds it: integers wrap.
func wrapped(e dtype.Type, sum float64) float64 {
	if e == dtype.I32 {
		return float64(int32(int64(sum)))
	}
	return sum
}
