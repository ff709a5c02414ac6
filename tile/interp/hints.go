package interp

import (
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
)

// hint compiles a promise: the interpreter holds the kernel to it.
func (c *compiler) hint(op *tile.Op) (step, error) {
	arg, pos := c.where[op.Args[0]].index, op.Pos.String()
	switch op.Kind {
	case tile.OpAssume, tile.OpRequire:
		return func(w *worker) {
			if !w.b[arg][0] {
				w.fail(fault.New(fault.ErrKernel, op.Kind.String(), "the promise does not hold in program %v", w.id).At(pos))
			}
		}, nil
	case tile.OpMultipleOf:
		n := int32(op.Number)
		dst := c.define(op.Result()).index
		return func(w *worker) {
			x := w.i[arg][0]
			if x%n != 0 {
				w.fail(fault.New(fault.ErrKernel, "multiple_of", "%d is not a multiple of %d in program %v", x, n, w.id).At(pos))
			}
			w.i[dst][0] = x
		}, nil
	case tile.OpContiguous:
		n := int32(op.Number)
		dst := c.define(op.Result()).index
		return func(w *worker) {
			for i, x := range w.i[arg] {
				if at := int32(i) % n; (x-at)%n != 0 || at > 0 && x-1 != w.i[arg][i-1] {
					w.fail(fault.New(fault.ErrKernel, "contiguous", "element %d is %d, which breaks the promised runs of %d in program %v", i, x, n, w.id).At(pos))
					break
				}
			}
			copy(w.i[dst], w.i[arg])
		}, nil
	}
	return nil, unknown(op)
}
