package simt

import (
	"fmt"
	"slices"

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

// MemoryOrder is what an Atomic orders besides its own element, among all kernels that run on all devices.
type MemoryOrder uint8

// The orders.
const (
	Relaxed        MemoryOrder = iota // nothing
	Acquire                           // what comes after it sees what came before the Release of the value that it got
	Release                           // what came before it is seen after an Acquire that gets its value
	AcquireRelease                    // both, among the kernels of one device
)

// String returns the order's name in printed IR.
func (o MemoryOrder) String() string {
	if o > AcquireRelease {
		return "invalid"
	}
	return [...]string{"relaxed", "acquire", "release", "acquire_release"}[o]
}

// Acquires reports whether what comes after an op of the order sees what others released.
func (o MemoryOrder) Acquires() bool { return o == Acquire || o == AcquireRelease }

// Releases reports whether what came before an op of the order is seen by others that acquire it.
func (o MemoryOrder) Releases() bool { return o == Release || o == AcquireRelease }

// Acquires reports whether some op of a block, or of a body in it, acquires.
func (b *Block) Acquires() (found bool) {
	Walk(b, func(op *Op) { found = found || op.Order.Acquires() })
	return found
}

// Orders reports whether some op of a block, or of a body in it, has an order.
func (b *Block) Orders(list ...MemoryOrder) (found bool) {
	Walk(b, func(op *Op) { found = found || slices.Contains(list, op.Order) })
	return found
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

// SharedAtomic appends a masked (mask may be nil) atomic op on one element of a shared array. Those of one unordered set, a number above 0, may be of one
// element without a barrier between them.
func (b *Builder) SharedAtomic(r RMW, s *Shared, unordered int, index, value, mask *Value) *Op {
	op := &Op{Kind: SharedAtomic, RMW: r, Shared: s, Unordered: unordered, Args: appendMask([]*Value{index, value}, mask)}
	b.Do(op)
	return op
}

// SharedRank appends counts by a warp of 32 in an array of I32: each thread gets the element at its index and adds 1 to it, one thread after the other in their order. Indices of a warp that differ do so
// in their lowest bits, as many as are given. Those of one unordered set may follow each other without a barrier, and no element is counted in by two warps of one set.
func (b *Builder) SharedRank(s *Shared, unordered int, index *Value, bits int) *Value {
	return b.Emit(&Op{Kind: SharedRank, Shared: s, Unordered: unordered, Count: bits, Args: []*Value{index}}, Scalar(dtype.I32))
}

func checkSharedRank(op *Op) error {
	switch {
	case op.Shared == nil:
		return errNoShared
	case op.Shared.Elem != dtype.I32 || op.Result().Type != Scalar(dtype.I32):
		return fmt.Errorf("counts %v in a shared array of %v, want i32", op.Result().Type, op.Shared.Elem)
	case op.Count < 1 || op.Count > 31:
		return fmt.Errorf("indices differ in %d bits, want 1 to 31", op.Count)
	}
	return checkPlaces(op, 1)
}

// checkSharedAtomic verifies what is special about a SharedAtomic on elements of a type: it gives no old value, so that its op is one whose order does not matter.
func checkSharedAtomic(op *Op, e dtype.Type) error {
	if op.RMW >= RMWExchange || e != dtype.I32 && e != dtype.U32 && !(e == dtype.F32 && op.RMW == RMWAdd) {
		return fmt.Errorf("%v on a shared array of %v", op.RMW, e)
	}
	if t := op.Args[1].Type; t != Scalar(e) {
		return fmt.Errorf("value is %v for a shared atomic op on %v", t, e)
	}
	return nil
}

// checkAtomic verifies what is special about an Atomic on elements of a type.
func checkAtomic(op *Op, e dtype.Type) error {
	if op.RMW >= NumRMW || e != dtype.I32 && e != dtype.U32 && !(e == dtype.F32 && op.RMW == RMWAdd) {
		return fmt.Errorf("%v on a buffer of %v", op.RMW, e)
	}
	if op.Order > AcquireRelease || op.Order != Relaxed && !e.IsInt() {
		return fmt.Errorf("the order %v of an atomic op on %v", op.Order, e)
	}
	for _, v := range append(op.Args[1:1+op.RMW.Operands():1+op.RMW.Operands()], op.Result()) {
		if v.Type != Scalar(e) {
			return fmt.Errorf("value is %v for an atomic op on %v", v.Type, e)
		}
	}
	return nil
}
