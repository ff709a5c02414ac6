package wgsl

import (
	"fmt"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/cstyle"
	"github.com/weftgpu/weft/simt"
)

// atomics are WGSL's functions; the ops without one are helpers.
var atomics = [simt.NumRMW]string{
	simt.RMWAdd: "atomicAdd", simt.RMWMax: "atomicMax", simt.RMWMin: "atomicMin", simt.RMWAnd: "atomicAnd", simt.RMWOr: "atomicOr",
	simt.RMWXor: "atomicXor", simt.RMWExchange: "atomicExchange",
}

// Atomic calls WGSL's function or a helper for what it lacks.
func (w *writer) Atomic(op *simt.Op, index, value, compare cstyle.Expr, _ bool) cstyle.Expr {
	a := w.buffers[op.Buffer]
	switch {
	case a.elem == dtype.F32:
		return cstyle.Call(w.atomicHelper(a, "add", addFloat), index, value)
	case op.RMW == simt.RMWCompare:
		return cstyle.Call(w.atomicHelper(a, "compare", compareAndSwap), index, compare, value)
	}
	return cstyle.Call(atomics[op.RMW], cstyle.Atom("&"+cstyle.Index(cstyle.Atom(a.name), index).Text), value)
}

// SharedAtomic calls WGSL's function, or the helper for sums of f32.
func (w *writer) SharedAtomic(op *simt.Op, index, value cstyle.Expr) cstyle.Expr {
	a := w.shared[op.Shared]
	if a.elem == dtype.F32 {
		return cstyle.Call(w.atomicHelper(a, "add", addFloat), index, value)
	}
	return cstyle.Call(atomics[op.RMW], cstyle.Atom("&"+cstyle.Index(cstyle.Atom(a.name), index).Text), value)
}

// Helpers for one array: %[1]s is its name, %[2]s the helper's, %[3]s the element type.
const (
	addFloat = `
// Adds to an element of %[1]s and returns what it held: WGSL has no such op on f32.
fn %[2]s(index: i32, value: f32) -> f32 {
    var old = atomicLoad(&%[1]s[index]);
    loop {
        let tried = atomicCompareExchangeWeak(&%[1]s[index], old, bitcast<u32>(bitcast<f32>(old) + value));
        if (tried.exchanged) {
            break;
        }
        old = tried.old_value;
    }
    return bitcast<f32>(old);
}
`
	compareAndSwap = `
// Writes a value to an element of %[1]s that is equal to what is expected, and returns
// what it held: WGSL's own op may fail without a reason.
fn %[2]s(index: i32, expected: %[3]s, value: %[3]s) -> %[3]s {
    var old = expected;
    loop {
        let tried = atomicCompareExchangeWeak(&%[1]s[index], expected, value);
        old = tried.old_value;
        if (tried.exchanged || old != expected) {
            break;
        }
    }
    return old;
}
`
)

func (w *writer) atomicHelper(a *array, what, text string) string {
	key := what + " " + a.name
	name, found := w.helpers.storers[key]
	if !found {
		name = w.names.Unique(what + "_" + a.name)
		w.helpers.addStorer(key, name, fmt.Sprintf(text, a.name, name, scalarName(a.word)))
	}
	return name
}
