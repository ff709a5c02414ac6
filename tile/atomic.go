package tile

import (
	"github.com/weftgpu/weft/dtype"
)

// RMW is what an atomic op makes of an element's old value and its operand.
type RMW uint8

// The atomic ops. F32 has the sum only.
const (
	RMWAdd RMW = iota
	RMWMax
	RMWMin
	RMWAnd
	RMWOr
	RMWXor
	RMWExchange // the operand
	RMWCompare  // the second operand where the old value is the first one
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

// atomic appends an atomic op on points.
func (p Points) atomic(r RMW, values ...Operand) *Value {
	k := p.view.b
	list, names := make([]*Value, len(values)), []string{"value"}
	if r == RMWCompare {
		names = []string{"old", "value"}
	}
	for i, x := range values {
		list[i] = k.operand(names[i], x, p.view.Elem)
	}
	return k.emit(&Op{Kind: OpAtomic, RMW: r, Order: p.order, View: p.view, Args: p.args(list...), Number: p.fill, OfBlock: p.block}, Type{})
}

// MemoryOrder is what an atomic op orders besides its own element.
type MemoryOrder uint8

// The orders.
const (
	Relaxed MemoryOrder = iota // nothing
	Acquire
	Release
	AcquireRelease // both, among the kernels of one device
)

// String returns the order's name in printed IR.
func (o MemoryOrder) String() string {
	if o > AcquireRelease {
		return "invalid"
	}
	return [...]string{"relaxed", "acquire", "release", "acquire_release"}[o]
}

// Acquire has the atomic ops on the points, which are one element, come before what the program does after them: where such an op gets a value that a Release
// stored, by a program of this kernel or of any that runs, on this device or on one that reaches the memory (see weft.Tensor.On), the program then sees all
// that the other one wrote before that. What others write while a kernel runs is read through views that are declared InOut: it may read others ahead.
//
// A program may wait by a While for what another device, or a program that is sure to run, releases. Nothing says that programs of one kernel run
// at the same time, but that those of a lower number begin no later than others on the devices that there are.
func (p Points) Acquire() Points { p.order = Acquire; return p }

// Release has the atomic ops on the points, which are one element, come after what the program did before them: see Acquire.
func (p Points) Release() Points { p.order = Release; return p }

// AcquireRelease has the atomic ops on the points, which are one element, come after what the program did before them and before what it does after them, for
// programs of this device alone: see Acquire. It needs Caps.DeviceOrder, which more devices have than the order of Acquire and Release. Programs that count
// themselves by an AtomicAdd need no more for the last of them to read what all of them wrote, through views that are declared InOut:
//
//	last := count.At(0).AcquireRelease().AtomicAdd(1).Eq(programs - 1)
func (p Points) AcquireRelease() Points { p.order = AcquireRelease; return p }

// The atomic ops change the points of a view of I32 or U32 that the kernel
// reads and writes, each in one step that no other program or point can come between,
// and return what they held before; points left out return the fill value.
// Points may be one element many times. They order nothing else in memory, unless Acquire, Release or AcquireRelease asks for it.

// AtomicAdd adds to the points. On F32 the order of the sums, and so their
// last bits, differ from run to run.
func (p Points) AtomicAdd(value Operand) *Value { return p.atomic(RMWAdd, value) }

// AtomicMax replaces points that are smaller than the value.
func (p Points) AtomicMax(value Operand) *Value { return p.atomic(RMWMax, value) }

// AtomicMin replaces points that are larger than the value.
func (p Points) AtomicMin(value Operand) *Value { return p.atomic(RMWMin, value) }

// AtomicAnd keeps the bits that the value has.
func (p Points) AtomicAnd(value Operand) *Value { return p.atomic(RMWAnd, value) }

// AtomicOr sets the bits that the value has: those of 0 change nothing, so that it reads what other programs write.
func (p Points) AtomicOr(value Operand) *Value { return p.atomic(RMWOr, value) }

// AtomicXor changes the bits that the value has.
func (p Points) AtomicXor(value Operand) *Value { return p.atomic(RMWXor, value) }

// AtomicExchange writes the value.
func (p Points) AtomicExchange(value Operand) *Value { return p.atomic(RMWExchange, value) }

// AtomicCompareAndSwap writes the value to points that are equal to old, which
// is never missed where it is so.
func (p Points) AtomicCompareAndSwap(old, value Operand) *Value {
	return p.atomic(RMWCompare, old, value)
}

// AtomicAdd adds to the block at coordinates counted in tiles and returns what it
// held before; elements beyond the view's edges are left out. For other atomic ops, see Points.
func (b Block) AtomicAdd(value Operand, coords ...Operand) *Value {
	return b.Points(coords...).AtomicAdd(value)
}

func ruleAtomic(op *Op, _ Type) (Type, error) {
	if op.RMW >= NumRMW {
		return Type{}, kernelError(op, "the atomic op is unknown")
	}
	if op.View == nil || op.View.Access != InOut {
		return Type{}, kernelError(op, "the view is declared In or Out, want InOut for atomic ops")
	}
	if e := op.View.Elem; e != dtype.I32 && e != dtype.U32 && !(e == dtype.F32 && op.RMW == RMWAdd) {
		return Type{}, kernelError(op, "%v of %v, want i32 or u32, or an add of f32", op.RMW, e)
	}
	t, err := rulePoints(op, op.RMW.Operands())
	switch {
	case err != nil || op.Order == Relaxed:
		return t, err
	case op.Order > AcquireRelease:
		return Type{}, kernelError(op, "the memory order is unknown")
	case !t.IsScalar():
		return Type{}, kernelError(op, "%v of %v, want one element, at scalar indices", op.Order, t)
	case !t.Elem.IsInt():
		return Type{}, kernelError(op, "%v of %v, want i32 or u32", op.Order, t)
	}
	return t, nil
}

// Reproducible reports whether every run of the kernel on the same arguments on one
// device gives the same bits, if its programs do not race: atomic sums and histograms of F32 may not.
func (k *Func) Reproducible() bool { return reproducible(k.Body) }

func reproducible(r *Region) bool {
	for _, op := range r.Ops {
		if op.Kind == OpAtomic && op.View.Elem == dtype.F32 || op.Kind == OpHistogram && op.Result().typ.Elem == dtype.F32 {
			return false
		}
		for _, body := range op.Regions() {
			if !reproducible(body) {
				return false
			}
		}
	}
	return true
}
