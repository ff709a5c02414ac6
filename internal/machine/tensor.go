package machine

import (
	"fmt"

	"github.com/weftgpu/weft/simt"
)

// View is what a tensor map copies from, in elements of its buffer: where the first is, and the sizes and strides of the map's dimensions.
type View struct {
	Offset         int
	Sizes, Strides []int
}

// alignment is that of the base and the strides of a tensor map, and pitch that of the blocks, in bytes
// (CUDA driver API, cuTensorMapEncodeTiled).
const (
	alignment = 16
	pitch     = 1024
)

// chunkBytes is the size of what lines exchange.
const chunkBytes = 16

// checkViews compares views with the maps that they are for.
func checkViews(maps []*simt.TensorMap, views []View) error {
	if len(maps) != len(views) {
		return fmt.Errorf("%d views for %d tensor maps", len(views), len(maps))
	}
	for i, m := range maps {
		v, size := views[i], m.Buffer.Elem.Size()
		if len(v.Sizes) != len(m.Dims) || len(v.Strides) != len(m.Dims) || v.Offset*size%alignment != 0 {
			return fmt.Errorf("%+v for a tensor map of %d dimensions", v, len(m.Dims))
		}
		for d, stride := range v.Strides {
			if v.Sizes[d] > 1 && (d == 0 && stride != 1 || d > 0 && stride*size%alignment != 0) {
				return fmt.Errorf("dimension %d of a tensor map has stride %d", d, stride)
			}
		}
	}
	return nil
}

// transfer is a block on its way to a shared array.
type transfer struct {
	op      *simt.Op
	signal  *signal
	at      int // first element
	bits    []Lane
	counted event // when it came; none while it is under way
}

// tensorCopy starts a copy. Its elements are nobody's until a Wait for its barrier.
func (w *workgroup) tensorCopy(op *simt.Op, t int) {
	size := op.Shared.Elem.Size()
	only := make([]bool, len(w.values[op.Args[1]]))
	only[t] = true
	c := &transfer{op: op, signal: w.signalAt(op, op.Signals, 1, only), at: int(int32(w.values[op.Args[0]][t])), bits: w.elements(op, t)}
	if c.at < 0 || c.at*size%pitch != 0 || c.at+len(c.bits) > op.Shared.Len {
		fail(op, "%d elements at %d of %d", len(c.bits), c.at, op.Shared.Len)
	}
	c.signal.send(op, len(c.bits)*size)
	for i := range c.bits {
		cell := &w.shared[op.Shared][c.at+i]
		if !w.inStep {
			w.checkCopied(op, cell, c.at+i, w.first+t)
		}
		cell.from, cell.touched, cell.history = c, event{}, history{}
	}
	w.transfers = append(w.transfers, c)
	w.started = append(w.started, c)
}

// checkCopied checks that nobody may still use an element that a copy begins to overwrite.
func (w *workgroup) checkCopied(op *simt.Op, c *cell, at, t int) {
	switch {
	case c.coming || c.from != nil && !w.sees(c.from):
		fail(op, "copies to element %d of %s, to which another copy is under way", at, op.Shared.Name)
	case !w.clock.knows(c.touched) || w.actor == consumers && (c.writtenByOther(t, w.epoch) || c.readByOther(t, w.epoch)):
		fail(op, "copies to element %d of %s, which other threads may still use", at, op.Shared.Name)
	}
}

// sees tells whether the actor has waited for a copy; in step, whether it came.
func (w *workgroup) sees(c *transfer) bool {
	return c.counted.count > 0 && (w.inStep || w.clock.knows(c.counted))
}

// land completes a copy.
func (m *memory) land(c *transfer) {
	for i, bits := range c.bits {
		cell := &m.shared[c.op.Shared][c.at+i]
		cell.bits, cell.written = bits, true
	}
	c.counted = c.signal.come(c.op, len(c.bits)*c.op.Shared.Elem.Size())
}

// allWaitedFor fails if a copy may come when the workgroup has ended.
func (m *memory) allWaitedFor() {
	for _, c := range m.started {
		known := false
		for _, clock := range m.clocks {
			known = known || c.counted.count > 0 && clock.knows(c.counted)
		}
		if !known && !m.inStep {
			fail(c.op, "nobody waited for a copy to element %d of %s", c.at, c.op.Shared.Name)
		}
	}
}

// elements reads the block of a TensorCopy of a thread, in the order in which it will lie in the shared array.
func (w *workgroup) elements(op *simt.Op, t int) []Lane {
	m, size := op.Map, op.Map.Buffer.Elem.Size()
	view, from := w.views[m], w.buffers[m.Buffer]
	chunk := chunkBytes / size
	bits := make([]Lane, m.Bytes()/size)
	for n := range bits {
		at, inside, rest := view.Offset, true, n
		for d, extent := range m.Box {
			x := int(int32(w.values[op.Args[2+d]][t])) + rest%extent
			rest /= extent
			inside = inside && x >= 0 && x < view.Sizes[d]
			at += x * view.Strides[d]
		}
		if !inside {
			continue
		}
		if at < 0 || (at+1)*size > len(from) {
			fail(op, "element %d of %d", at, len(from)/size)
		}
		line, e := n/m.Box[0], n%m.Box[0]
		bits[line*m.Box[0]+e^line%8*chunk] = widen(m.Buffer.Elem, from[at*size:])
	}
	return bits
}
