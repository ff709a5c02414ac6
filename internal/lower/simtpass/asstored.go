package simtpass

import (
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// Registers that are loaded ahead hold elements as memory has them, and what converts floats of 16 bits, or takes bytes apart, stays where the loads were: next to the loads it would wait for them, as compilers
// move nothing from one iteration to another. (Scales of F16 of 72 products of 1 to 100 rows on an H200 so: 0.97 of the time, 1×4096×14336 of 4 bits 16.4 to 11.8 µs.)

// asStored is ops with loads of words, or of one float's bits, in the place of those that convert what they load. later are the ops that convert what these give, into the values of the loads before.
func (s *schedule) asStored(ops []*simt.Op) (loads []*simt.Op, later map[*simt.Op][]*simt.Op) {
	later = map[*simt.Op][]*simt.Op{}
	if s.Caps.Language != target.CUDA { // elsewhere loads are of words in any case, or compilers move what converts them
		return ops, later
	}
	e := s.edit.New()
	for _, op := range ops {
		words := loadStored(e, op)
		if words == nil {
			loads = append(loads, op)
			continue
		}
		loads = append(loads, e.Take()...)
		v := op.Result()
		x := e.Unpack(words, op.Buffer.Elem)
		if v.Type.Width == 1 {
			x = e.Extract(x, 0)
		}
		x.Op.Out[0], v.Op = v, x.Op
		later[op] = e.Take()
	}
	return loads, later
}

// loadStored is the words of what an op loads, or the bits of one float; nil if it is no load, or its loads convert nothing, or put a number in place that memory cannot have.
func loadStored(e *simt.Editor, op *simt.Op) (words *simt.Value) {
	if op.Kind != simt.Load || op.Packed || op.LoadsBits() || !op.Result().Holds(op.Buffer.Elem) { // bits are those of a loop within
		return nil
	}
	elem, v := op.Buffer.Elem, op.Result()
	e.SetLine(op.Line)
	fill := func() uint32 { return simt.FillWord(elem, op.Fill) }
	switch n, width := simt.PerWord(elem), v.Type.Width; {
	case n > 0 && width%n == 0:
		words = e.LoadWords(op.Buffer, op.Args[0], op.Mask(), width/n, fill())
	case width == 1 && n == 2 && elem.IsFloat():
		words = e.LoadBits(op.Buffer, op.Args[0], op.Mask(), fill()&0xffff)
	default:
		return nil
	}
	words.Op.Alias, words.Hint = op.Alias, v.Hint
	return words
}

// exchange puts others in the place of some ops of the loop's own iteration.
func (s *schedule) exchange(by map[*simt.Op][]*simt.Op) {
	for _, g := range s.groups {
		if g.ahead != 0 {
			continue
		}
		var ops []*simt.Op
		for _, op := range g.ops {
			if others, ok := by[op]; ok {
				ops = append(ops, others...)
			} else {
				ops = append(ops, op)
			}
		}
		g.ops = ops
	}
}
