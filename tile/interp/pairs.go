package interp

import (
	"slices"
	"unsafe"

	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp/internal/native"
)

// pairLoop is a loop that combines elements of two rows by a function. Each value of an element has a stream of the first ones, of the second ones, and of
// what they become.
type pairLoop struct {
	*nest
	values []pairStreams
}

type pairStreams struct {
	first, second, into int
	size                int // of an element
}

// halves is the machine code of a reduction by a function, or by what is in no loop. The first half of the elements along the axis is combined with the second one, on vectors, and so on
// until one is left: in which pairs elements are combined is not defined.
type halves struct {
	pairLoop
	axis
	from, between, to []reg // between holds what is left until that is one element
}

// inPairs reports whether a reduction or a scan that is in no loop has machine code: all ops of its function have.
func (c *compiler) inPairs(op *tile.Op) bool {
	t := op.Args[0].Type()
	if c.how <= copying || t.Len() < leastFused || t.Shape[max(op.Axis, 0)] < 2 || slices.ContainsFunc(op.Args, func(v *tile.Value) bool { return !fusedElem(v.Type().Elem) }) {
		return false
	}
	if op.Kind.Fact().Class != tile.Combine {
		return lanes2(pairKinds[op.Kind], t.Elem) != nil
	}
	return !slices.ContainsFunc(c.body(op).Ops, func(inner *tile.Op) bool { return inner.Kind != tile.OpYield && !translates(inner) })
}

// pairKinds are what reductions do with two elements.
var pairKinds = map[tile.Kind]tile.Kind{
	tile.OpReduceSum: tile.OpAdd, tile.OpReduceProd: tile.OpMul, tile.OpReduceMin: tile.OpMin, tile.OpReduceMax: tile.OpMax,
	tile.OpReduceAny: tile.OpOr, tile.OpReduceAll: tile.OpAnd,
}

// pairs makes the loop of such an op. The error is native.ErrNoCode.
func (c *compiler) pairs(op *tile.Op) (p pairLoop, err error) {
	p.nest = &nest{shape: op.Args[0].Type().Shape, number: c.nests}
	t := &translator{values: map[*tile.Value]native.Value{}, nest: p.nest}
	var x, y []native.Value
	for _, v := range op.Args[:len(op.Out)] {
		elem := laneElem(v.Type().Elem)
		first, at := t.Input(elem, false)
		second, from := t.Input(elem, false)
		x, y = append(x, t.inputLanes(elem, first)), append(y, t.inputLanes(elem, second))
		p.values = append(p.values, pairStreams{first: at, second: from, size: elem.Size()})
	}
	for i, v := range c.pair(t, op, x, y) {
		elem := laneElem(op.Args[i].Type().Elem)
		p.values[i].into = t.Output(elem, t.outputLanes(elem, v))
	}
	if p.code, err = t.Compile(); err == nil {
		c.nests++
		c.notePairs(op, t.Len())
	}
	return p, err
}

// run combines rows of so many elements. For each value tell says where the first ones begin, the second ones and what they become, and how far the next rows
// of what is read are, and of what is written, in elements.
func (p *pairLoop) run(w *worker, rows, columns, read, written int, tell func(value int) (first, second, into unsafe.Pointer)) {
	frame := w.loop(p.nest).frame
	for i, v := range p.values {
		first, second, into := tell(i)
		frame.Bind(v.first, first, read*v.size)
		frame.Bind(v.second, second, read*v.size)
		frame.Bind(v.into, into, written*v.size)
	}
	for _, r := range p.registers {
		frame.Bind(r.stream, w.pointer(r.reg), 0)
	}
	frame.Run(rows, columns)
}

// halve makes the step of a reduction in pairs. The error is native.ErrNoCode.
func (c *compiler) halve(op *tile.Op) (step, error) {
	loop, err := c.pairs(op)
	if err != nil {
		return nil, err
	}
	h := &halves{pairLoop: loop, axis: axisOf(loop.shape, op.Axis)}
	for i, v := range op.Out {
		h.from, h.to = append(h.from, c.where[op.Args[i]]), append(h.to, c.define(v))
		h.between = h.to
	}
	if h.n > 2 {
		h.between = nil
		for _, v := range op.Out {
			h.between = append(h.between, c.alloc(tile.TileOf(v.Type().Elem, h.outer*h.n/2*h.inner)))
		}
		for _, r := range h.between {
			c.drop(r)
		}
	}
	return h.run, nil
}

// pair combines the values of two elements.
func (c *compiler) pair(t *translator, op *tile.Op, x, y []native.Value) (out []native.Value) {
	if op.Kind.Fact().Class != tile.Combine {
		elem := op.Args[0].Type().Elem
		return []native.Value{t.narrow(elem, lanes2(pairKinds[op.Kind], elem)(&t.Loop, x[0], y[0]))}
	}
	body := c.body(op)
	for i, v := range body.Args {
		t.values[v] = append(x, y...)[i]
	}
	for _, inner := range body.Ops {
		if inner.Kind != tile.OpYield {
			c.lanes(t, inner)
			continue
		}
		for _, v := range inner.Args {
			out = append(out, t.values[v])
		}
	}
	return out
}

// run is the step.
func (h *halves) run(w *worker) {
	from, row := h.from, h.n*h.inner // of what is read
	for n := h.n / 2; n > 0; n /= 2 {
		to, into := h.between, h.n/2*h.inner
		if n == 1 {
			to, into = h.to, h.inner
		}
		h.pairLoop.run(w, h.outer, n*h.inner, row, into, func(i int) (first, second, out unsafe.Pointer) {
			first = w.pointer(from[i])
			return first, unsafe.Add(first, n*h.inner*h.values[i].size), w.pointer(to[i])
		})
		from, row = to, into
	}
}
