package interp

import (
	"math/bits"

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
		n := int(op.Number)
		dst := c.define(op.Result()).index
		return func(w *worker) {
			list := w.i[arg]
			if i := brokenRun(list, n); i >= 0 {
				w.fail(fault.New(fault.ErrKernel, "contiguous", "element %d is %d, which breaks the promised runs of %d in program %v", i, list[i], n, w.id).At(pos))
			}
			copy(w.i[dst], list)
		}, nil
	}
	return nil, unknown(op)
}

// brokenRun is the first element that is not as promised: each run of n begins with a multiple of n and rises by 1. It is -1 if all are.
func brokenRun(list []int32, n int) int {
	low := int32(1)<<bits.TrailingZeros(uint(n)) - 1 // the bits that are 0 in multiples of n, which takes no division to see
	for i := 0; i < len(list); i += n {
		run := list[i:min(i+n, len(list))]
		if run[0]&low != 0 || int(low) != n-1 && run[0]%int32(n) != 0 {
			return i
		}
		for j, x := range run {
			if x != run[0]+int32(j) {
				return i + j
			}
		}
	}
	return -1
}
