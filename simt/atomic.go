package simt

import (
	"fmt"

	"github.com/weftgpu/weft/dtype"
)

// RMW is what an Atomic makes of an element's old value and its operand.
type RMW uint8

// The atomic ops; buffers of F32 have Add only.
const (
	RMWAdd RMW = iota
	RMWMax
	RMWMin
	RMWAnd
	RMWOr
	RMWXor
	RMWExchange // the value
	RMWCompare  // the value where the element is what it is compared with; it never fails without a reason
	NumRMW
)

// String returns the op's name in printed IR.
func (r RMW) String() string {
	if r >= NumRMW {
		return "invalid"
	}
	return [NumRMW]string{"add", "max", "min", "and", "or", "xor", "exchange", "compare"}[r]
}

// Operands is the number of values that the op takes.
func (r RMW) Operands() int {
	if r == RMWCompare {
		return 2
	}
	return 1
}

// Atomic appends a masked (mask may be nil) atomic op on one element of a
// buffer; values is the value and, for RMWCompare, what to compare with.
func (b *Builder) Atomic(r RMW, buf *Buffer, index, mask *Value, fill float64, values ...*Value) *Value {
	op := &Op{Kind: Atomic, RMW: r, Buffer: buf, Args: append([]*Value{index}, values...)}
	op.mask(mask, fill)
	v := b.Emit(op, values[0].Type)
	v.Hint = "old"
	return v
}

// checkAtomic verifies what is special about an Atomic on elements of a type.
func checkAtomic(op *Op, e dtype.Type) error {
	if op.RMW >= NumRMW || e != dtype.I32 && e != dtype.U32 && !(e == dtype.F32 && op.RMW == RMWAdd) {
		return fmt.Errorf("%v on a buffer of %v", op.RMW, e)
	}
	for _, v := range append(op.Args[1:1+op.RMW.Operands():1+op.RMW.Operands()], op.Result()) {
		if v.Type != Scalar(e) {
			return fmt.Errorf("value is %v for an atomic op on %v", v.Type, e)
		}
	}
	return nil
}
