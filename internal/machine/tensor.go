package machine

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/fault"
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
		return fmt.Errorf("%s given for %s", fault.Count(len(views), "view"), fault.Count(len(maps), "tensor map"))
	}
	for i, m := range maps {
		v, size := views[i], m.Buffer.Elem.Size()
		if len(v.Sizes) != len(m.Dims) || len(v.Strides) != len(m.Dims) || v.Offset*size%alignment != 0 {
			return fmt.Errorf("the view %+v does not fit a tensor map of %s", v, fault.Count(len(m.Dims), "dimension"))
		}
		for d, stride := range v.Strides {
			if v.Sizes[d] > 1 && (d == 0 && stride != 1 || d > 0 && (stride <= 0 || stride*size%alignment != 0)) {
				return fmt.Errorf("dimension %d of a tensor map has stride %d", d, stride)
			}
		}
	}
	return nil
}

// transfer is an outstanding copy of a block to a shared array.
type transfer struct {
	op      *simt.Op
	signal  *signal
	cells   []cell // that it writes
	at      int    // of the first of them in the array
	bits    []Lane
	counted event // when it came; none while it is outstanding
}

// tensorCopy starts a copy. Its elements are nobody's until a Wait for its barrier.
func (w *workgroup) tensorCopy(op *simt.Op, t int) {
	size := op.Shared.Elem.Size()
	only := make([]bool, len(w.values[op.Args[1]]))
	only[t] = true
	at, bits := int(int32(w.values[op.Args[0]][t])), w.elements(op, t)
	if op.Multicast > 0 {
		at += w.rank * len(bits)
	}
	barrier := w.signalAt(op, op.Signals, 1, only).index
	checkBlock(op, at)
	for _, m := range w.reachedBy(op) {
		c := &transfer{op: op, signal: m.signals[op.Signals][barrier], cells: m.shared[op.Shared][at : at+len(bits)], at: at, bits: bits}
		if w.inStep && w.kernel.Producers == 0 {
			c.arrive()
			continue
		}
		if m != w.memory {
			w.mayReach(op, m)
			w.sent = append(w.sent, c)
		}
		c.signal.send(op, len(c.bits)*size, m != w.memory)
		for i := range c.cells {
			cell := &c.cells[i]
			if !w.inStep {
				w.checkCopied(op, cell, at+i, w.first+t)
			}
			cell.from, cell.history = c, history{}
		}
		m.transfers, m.started = append(m.transfers, c), append(m.started, c)
	}
}

// arrive brings what is copied.
func (c *transfer) arrive() {
	for i, bits := range c.bits {
		c.cells[i].bits, c.cells[i].written = bits, true
	}
}

// checkCopied checks that nobody may still use an element that a copy begins to overwrite.
func (w *workgroup) checkCopied(op *simt.Op, c *cell, at, t int) {
	switch {
	case c.coming || c.from != nil && !w.sees(c.from):
		fail(op, "copies to element %d of %s, to which another copy is outstanding", at, op.Shared.Name)
	case c.factors > 0:
		fail(op, "copies to element %d of %s, which a product may still read", at, op.Shared.Name)
	case c.out != nil && !w.left(c.out), w.busy(&c.history),
		w.actor != producer && (c.writtenByOther(t, w.epoch()) || c.readByOther(t, w.epoch())):
		fail(op, "copies to element %d of %s, which other threads may still use", at, op.Shared.Name)
	}
}

// sees tells whether the actor has waited for a copy; in step, whether it came.
func (w *workgroup) sees(c *transfer) bool {
	return c.counted.count > 0 && (w.inStep || w.clock.knows(c.counted))
}

// land completes a copy.
func (m *memory) land(c *transfer) {
	c.arrive()
	c.counted = c.signal.come(c.op, len(c.bits)*c.op.Shared.Elem.Size())
}

// allWaitedFor fails if a copy may come when the workgroup has ended.
func (m *memory) allWaitedFor() {
	for _, o := range slices.Concat(m.outgoing...) {
		fail(o.op, "no thread waits for the store of element %d of %s", o.at, o.op.Shared.Name)
	}
	for _, c := range m.started {
		if !m.inStep && !m.knowsOf(c) {
			fail(c.op, "no thread waits for the copy to element %d of %s", c.at, c.op.Shared.Name)
		}
	}
}

// knowsOf tells whether an actor of the workgroup knows that a copy has come.
func (m *memory) knowsOf(c *transfer) bool { return c.counted.count > 0 && m.knows(c.counted) }

// knows tells whether an actor of the workgroup knows of an event.
func (m *memory) knows(e event) bool {
	return slices.ContainsFunc(m.clocks, func(c clock) bool { return c.knows(e) })
}

// checkBlock checks where the block of an op begins in the shared array.
func checkBlock(op *simt.Op, at int) {
	n := op.Map.Bytes() / op.Shared.Elem.Size()
	if at < 0 || at*op.Shared.Elem.Size()%pitch != 0 || at+n > op.Shared.Len {
		fail(op, "an access of %s at %d, the memory has %d", fault.Count(n, "element"), at, op.Shared.Len)
	}
}

// elements reads the block of a TensorCopy of a thread, in the order in which the shared array will store them.
func (w *workgroup) elements(op *simt.Op, t int) []Lane {
	m, buffer, size := op.Map, w.buffers[op.Map.Buffer], op.Map.Buffer.Elem.Size()
	bits := make([]Lane, m.Bytes()/size)
	w.eachElement(op, 2, t, func(at, place int) {
		bits[place] = widen(m.Buffer.Elem, buffer[at*size:])
	})
	return bits
}

// eachElement calls f for the elements of an op's block that are inside of the view, with the index of each in the buffer and its index in the
// shared array, relative to the block's. The coordinates are a thread's operands from one on.
func (w *workgroup) eachElement(op *simt.Op, coords, t int, f func(at, place int)) {
	m, size := op.Map, op.Map.Buffer.Elem.Size()
	if x := int(int32(w.values[op.Args[coords]][t])); x*size%chunkBytes != 0 {
		fail(op, "a block begins at element %d of its rows, which is not aligned", x)
	}
	view, chunk, all := w.views[m], chunkBytes/size, len(w.buffers[m.Buffer])/size
	begin := make([]int, len(m.Box))
	for d, extent := range m.Box {
		begin[d] = int(int32(w.values[op.Args[coords+d]][t]))
		if op.Multicast == d+1 {
			begin[d] += w.rank * extent
		}
	}
	for n := range m.Bytes() / size {
		at, inside, rest := view.Offset, true, n
		for d, extent := range m.Box {
			x := begin[d] + rest%extent
			rest /= extent
			inside = inside && x >= 0 && x < view.Sizes[d]
			at += x * view.Strides[d]
		}
		if !inside {
			continue
		}
		if at < 0 || at >= all {
			fail(op, "element %d is outside of memory of %d", at, all)
		}
		line, e := n/m.Box[0], n%m.Box[0]
		f(at, line*m.Box[0]+e^line%8*chunk)
	}
}

// outgoing is an outstanding store of a block to a view.
type outgoing struct {
	op   *simt.Op
	at   int
	left int // the epoch in which it was waited for, 0 if it was not
}

// left tells whether a store has read what it stores, and a barrier has told of that; in step, whether it has read it.
func (w *workgroup) left(o *outgoing) bool { return o.left > 0 && (w.inStep || o.left < w.epoch()) }

// tensorStore starts a store. What it reads is as it is until a StoreWait, and what it writes is nobody's any more.
func (w *workgroup) tensorStore(op *simt.Op, active []bool) {
	for i := range op.Args {
		w.agreed(op, i, active)
	}
	o := &outgoing{op: op, at: w.agreed(op, 0, active)}
	checkBlock(op, o.at)
	size, to := op.Shared.Elem.Size(), &simt.Op{Kind: op.Kind, Line: op.Line, Buffer: op.Map.Buffer}
	cells := w.shared[op.Shared][o.at:]
	for i := range op.Map.Bytes() / size {
		c := &cells[i]
		switch {
		case c.coming || !c.written || c.from != nil && !w.sees(c.from):
			fail(op, "stores element %d of %s, which no thread wrote", o.at+i, op.Shared.Name)
		case w.foreign(c.wrote):
			fail(op, "stores element %d of %s, which another group of threads wrote", o.at+i, op.Shared.Name)
		case !w.inStep && c.writeEpoch == w.epoch():
			fail(op, "stores element %d of %s, which thread %d wrote since the last barrier", o.at+i, op.Shared.Name, c.writer)
		}
		c.out = o
	}
	w.eachElement(op, 1, 0, func(at, place int) {
		w.access(to, nobody, at)
		if h := w.touched[touch{to.Buffer, at}]; h != nil {
			h.async = true
		}
		narrow(to.Buffer.Elem, w.buffers[to.Buffer][at*size:], cells[place].bits)
	})
	w.outgoing[w.actor] = append(w.outgoing[w.actor], o)
}

// nobody stands for the hardware in histories.
const nobody = -1

// waitStores waits for all stores but the latest few.
func (w *workgroup) waitStores(latest int) {
	for mine := &w.outgoing[w.actor]; len(*mine) > latest; {
		o := (*mine)[0]
		*mine, o.left = (*mine)[1:], w.epoch()
		for i := range o.op.Map.Bytes() / o.op.Shared.Elem.Size() {
			w.noteRead(&w.shared[o.op.Shared][o.at+i].history)
		}
	}
}
