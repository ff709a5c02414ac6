package interp

import (
	"slices"
	"unsafe"

	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp/internal/native"
)

// halves is the machine code of a reduction by a function, or by what is in no loop. The first half of the elements along the axis is combined with the second one, on vectors, and so on
// until one is left: in which pairs elements are combined is not defined.
type halves struct {
	*nest
	axis
	values []halved
}

// halved is one value of what is combined.
type halved struct {
	from, between, to   reg // between holds what is left until that is one element
	first, second, into int // streams
	size                int // of an element
}

// byHalves reports whether a reduction that is in no loop has machine code: all ops of its function have.
func (c *compiler) byHalves(op *tile.Op) bool {
	t := op.Args[0].Type()
	if c.how <= copying || t.Len() < leastFused || t.Shape[max(op.Axis, 0)] < 2 || slices.ContainsFunc(op.Args, func(v *tile.Value) bool { return !fusedElem(v.Type().Elem) }) {
		return false
	}
	if op.Kind != tile.OpReduce {
		return lanes2(pairKinds[op.Kind], t.Elem) != nil
	}
	return !slices.ContainsFunc(c.body(op).Ops, func(inner *tile.Op) bool { return inner.Kind != tile.OpYield && !translates(inner) })
}

// pairKinds are what reductions do with two elements.
var pairKinds = map[tile.Kind]tile.Kind{
	tile.OpReduceSum: tile.OpAdd, tile.OpReduceProd: tile.OpMul, tile.OpReduceMin: tile.OpMin, tile.OpReduceMax: tile.OpMax,
	tile.OpReduceAny: tile.OpOr, tile.OpReduceAll: tile.OpAnd,
}

// halve makes the step of such a reduction. The error is native.ErrNoCode.
func (c *compiler) halve(op *tile.Op) (step, error) {
	shape := op.Args[0].Type().Shape
	h := &halves{nest: &nest{shape: shape, number: c.nests}, axis: axisOf(shape, op.Axis)}
	t := &translator{values: map[*tile.Value]native.Value{}, nest: h.nest}
	var x, y []native.Value
	for _, v := range op.Args {
		elem := laneElem(v.Type().Elem)
		first, at := t.Input(elem, false)
		second, from := t.Input(elem, false)
		x, y = append(x, t.inputLanes(elem, first)), append(y, t.inputLanes(elem, second))
		h.values = append(h.values, halved{from: c.where[v], first: at, second: from, size: elem.Size()})
	}
	for i, v := range c.pair(t, op, x, y) {
		elem := laneElem(op.Args[i].Type().Elem)
		h.values[i].into = t.Output(elem, t.outputLanes(elem, v))
	}
	for i, v := range op.Out {
		h.values[i].to = c.define(v)
		h.values[i].between = h.values[i].to
		if h.n > 2 {
			h.values[i].between = c.alloc(tile.TileOf(v.Type().Elem, h.outer*h.n/2*h.inner))
		}
	}
	for _, v := range h.values {
		if v.between != v.to {
			c.drop(v.between)
		}
	}
	code, err := t.Compile()
	if err != nil {
		return nil, err
	}
	c.nests++
	h.code = code
	c.noteHalves(op, t.Len())
	return h.run, nil
}

// pair combines the values of two elements.
func (c *compiler) pair(t *translator, op *tile.Op, x, y []native.Value) (out []native.Value) {
	if op.Kind != tile.OpReduce {
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
	frame := w.loop(h.nest).frame
	row := h.n * h.inner // of what is read
	for n := h.n / 2; n > 0; n /= 2 {
		into := h.n / 2 * h.inner
		if n == 1 {
			into = h.inner
		}
		for i := range h.values {
			v := &h.values[i]
			from, to := w.pointer(v.between), w.pointer(v.between)
			if n == h.n/2 {
				from = w.pointer(v.from)
			}
			if n == 1 {
				to = w.pointer(v.to)
			}
			frame.Bind(v.first, from, row*v.size)
			frame.Bind(v.second, unsafe.Add(from, n*h.inner*v.size), row*v.size)
			frame.Bind(v.into, to, into*v.size)
		}
		for _, r := range h.registers {
			frame.Bind(r.stream, w.pointer(r.reg), 0)
		}
		frame.Run(h.outer, n*h.inner)
		row = into
	}
}
