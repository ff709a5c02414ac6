package interp

import (
	"slices"
	"unsafe"

	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp/internal/native"
)

// halves is the machine code of a Reduce by a function. The first half of the elements along the axis is combined with the second one, on vectors, and so on
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

// byHalves reports whether a Reduce has machine code: all ops of its function have.
func (c *compiler) byHalves(op *tile.Op) bool {
	return c.how > copying && op.Kind == tile.OpReduce && op.Args[0].Type().Shape[op.Axis] > 1 && !slices.ContainsFunc(c.body(op).Ops, func(inner *tile.Op) bool {
		return inner.Kind != tile.OpYield && !translates(inner)
	})
}

// halve makes the step of such a Reduce. The error is native.ErrNoCode.
func (c *compiler) halve(op *tile.Op) (step, error) {
	body, shape := c.body(op), op.Args[0].Type().Shape
	h := &halves{nest: &nest{shape: shape, number: c.nests}, axis: axisOf(shape, op.Axis)}
	t := &translator{values: map[*tile.Value]native.Value{}, nest: h.nest}
	count := len(op.Out)
	for i, v := range op.Args {
		elem := laneElem(v.Type().Elem)
		x, first := t.Input(elem, false)
		y, second := t.Input(elem, false)
		t.values[body.Args[i]], t.values[body.Args[count+i]] = t.inputLanes(elem, x), t.inputLanes(elem, y)
		h.values = append(h.values, halved{from: c.where[v], first: first, second: second, size: elem.Size()})
	}
	for _, inner := range body.Ops {
		if inner.Kind != tile.OpYield {
			c.lanes(t, inner)
			continue
		}
		for i, v := range inner.Args {
			elem := laneElem(v.Type().Elem)
			h.values[i].into = t.Output(elem, t.outputLanes(elem, t.values[v]))
		}
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
