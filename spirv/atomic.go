package spirv

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// atomics are the instructions on signed and unsigned integers.
var atomics = [simt.NumRMW]by{
	simt.RMWAdd: {signed: "OpAtomicIAdd", unsigned: "OpAtomicIAdd"}, simt.RMWMax: {signed: "OpAtomicSMax", unsigned: "OpAtomicUMax"},
	simt.RMWMin: {signed: "OpAtomicSMin", unsigned: "OpAtomicUMin"}, simt.RMWAnd: {signed: "OpAtomicAnd", unsigned: "OpAtomicAnd"},
	simt.RMWOr: {signed: "OpAtomicOr", unsigned: "OpAtomicOr"}, simt.RMWXor: {signed: "OpAtomicXor", unsigned: "OpAtomicXor"},
	simt.RMWExchange: {signed: "OpAtomicExchange", unsigned: "OpAtomicExchange"},
}

// atomic prints an Atomic, in a selection if it has a mask.
func (w *writer) atomic(op *simt.Op) error {
	w.comment(op)
	if op.Order == simt.Acquire || op.Order == simt.Release { // those of all devices
		return unsupported(op)
	}
	out, mask := op.Result(), op.Mask()
	if mask == nil {
		w.set(out, w.readModifyWrite(op))
		return nil
	}
	before, then, after := w.fn.label, w.id(""), w.id("")
	w.choose(w.of(mask), then, after, after)
	var old, last string
	err := w.scoped(func() error {
		w.start(then)
		old, last = w.readModifyWrite(op), w.fn.label
		w.line("OpBranch %s", after)
		return nil
	})
	w.start(after)
	w.set(out, w.emit(out.Hint, "OpPhi", w.typ(out.Type), old, last, w.constant(out.Type, op.Fill), before))
	return err
}

// orderedMemory are the semantics of an atomic op that orders the accesses to buffers, those of this device's programs: what its thread, and others that met
// it, stored is made available before it, and what others made available is visible after it.
const orderedMemory = acquireRelease | bufferMemory | makeAvailable | makeVisible

// readModifyWrite changes an element in one step, and says what it held.
func (w *writer) readModifyWrite(op *simt.Op) string {
	t, index, value := op.Result().Type, w.of(op.Args[0]), w.of(op.Args[1])
	device, relaxed := w.word(deviceScope), w.word(0)
	order, failed := relaxed, relaxed
	if op.Order == simt.AcquireRelease {
		order, failed = w.word(orderedMemory), w.word(acquire|bufferMemory|makeVisible)
	}
	switch {
	case t.Elem == dtype.F32 && w.caps.AtomicAddF32:
		w.needs("AtomicFloat32AddEXT", "SPV_EXT_shader_atomic_float_add")
		return w.emit("", "OpAtomicFAddEXT", w.typ(t), w.place(op.Buffer, t, index), device, relaxed, value)
	case t.Elem == dtype.F32:
		return w.addFloat(w.place(op.Buffer, u32, index), value, device)
	case op.RMW == simt.RMWCompare:
		place := w.place(op.Buffer, t, index)
		return w.emit("", "OpAtomicCompareExchange", w.typ(t), place, device, order, failed, value, w.of(op.Args[2]))
	}
	return w.emit("", atomics[op.RMW].of(t.Elem), w.typ(t), w.place(op.Buffer, t, index), device, order, value)
}

// sharedAtomic prints a SharedAtomic, in a selection if it has a mask.
func (w *writer) sharedAtomic(op *simt.Op) error {
	w.comment(op)
	if op.Mask() == nil {
		w.changeShared(op)
		return nil
	}
	return w.selection(w.of(op.Mask()), func() error {
		w.changeShared(op)
		return nil
	})
}

// changeShared changes an element of a shared array in one step.
func (w *writer) changeShared(op *simt.Op) {
	t, value := op.Args[1].Type, w.of(op.Args[1])
	place, scope := w.sharedPlace(w.accessOf(op, 1, w.of(op.Args[0])), 0), w.word(workgroupScope)
	if t.Elem == dtype.F32 {
		w.addFloat(place, value, scope)
		return
	}
	w.emit("", atomics[op.RMW].of(t.Elem), w.typ(t), place, scope, w.word(0), value)
}

// addFloat adds to an element by comparing and exchanging its bits until nobody else changed it meanwhile.
func (w *writer) addFloat(place, value, scope string) string {
	f32 := simt.Scalar(dtype.F32)
	relaxed, word := w.word(0), w.typ(u32)
	first := w.emit("", "OpAtomicLoad", word, place, scope, relaxed)
	before, head, again, after := w.fn.label, w.id(""), w.id(""), w.id("")
	w.line("OpBranch %s", head)
	w.start(head)
	old, tried := w.id("old"), w.id("tried")
	w.fn.lines = append(w.fn.lines, instruction(old, join("OpPhi", word, []string{first, before, tried, again})))
	_ = w.scoped(func() error {
		sum := w.pure("", "OpFAdd", f32, w.bitcast(u32, f32, old), value)
		exchange := []string{place, scope, relaxed, relaxed, w.bitcast(f32, u32, sum), old}
		w.fn.lines = append(w.fn.lines, instruction(tried, join("OpAtomicCompareExchange", word, exchange)))
		done := w.pure("", "OpIEqual", boolean, tried, old)
		w.line("OpLoopMerge %s %s None", after, again)
		w.line("OpBranchConditional %s %s %s", done, after, again)
		return nil
	})
	w.start(again)
	w.line("OpBranch %s", head)
	w.start(after)
	return w.bitcast(u32, f32, old)
}
