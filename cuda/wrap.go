package cuda

import (
	"fmt"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/cstyle"
	"github.com/weftgpu/weft/simt"
)

// In C++ a signed sum that overflows has no meaning, and NVRTC makes use of
// that. It may for indices, which lowering keeps in range, but a user's numbers
// must wrap. They are told apart by where they come from.

// findData returns the values that depend on what is loaded, converted or
// exchanged between threads.
func findData(k *simt.Func) map[*simt.Value]bool {
	data := map[*simt.Value]bool{}
	for changed := true; changed; { // loops carry values backwards
		changed = spread(k.Body, data)
	}
	return data
}

func spread(b *simt.Block, data map[*simt.Value]bool) (changed bool) {
	flow := func(to *simt.Value, from ...*simt.Value) {
		for _, v := range from {
			if data[v] && !data[to] {
				data[to], changed = true, true
			}
		}
	}
	for _, op := range b.Ops {
		r := op.Result()
		switch op.Kind {
		case simt.Load, simt.SharedLoad, simt.Atomic, simt.Convert, simt.Bitcast, simt.ShuffleXor, simt.MMA:
			changed = changed || !data[r]
			data[r] = true
		case simt.Select: // the truth that chooses is no part of what is chosen
			flow(r, op.Args[1:]...)
		case simt.For, simt.While, simt.Branch:
			initial, params := op.Carried()
			for i, out := range op.Out {
				from := op.Yields(i)
				if initial != nil {
					from = append(from, initial[i])
					flow(params[i], from...)
				}
				flow(out, from...)
			}
		default:
			if r != nil {
				flow(r, op.Args...)
			}
		}
		for _, body := range op.Blocks() {
			changed = spread(body, data) || changed
		}
	}
	return changed
}

// wrapped are the kinds that may overflow, as operations on unsigned.
var wrapped = map[simt.Kind]string{
	simt.Neg: "%[2]s(0) - %[2]s(a)", simt.Add: "%[2]s(a) + %[2]s(b)",
	simt.Sub: "%[2]s(a) - %[2]s(b)", simt.Mul: "%[2]s(a) * %[2]s(b)",
}

// wraps reports whether an op on signed integers has to wrap; lanes of vectors always do.
func (w *writer) wraps(op *simt.Op) bool {
	if wrapped[op.Kind] == "" {
		return false
	}
	for _, a := range op.Args {
		if w.data[a] || a.Op == nil && a.ID == laneID {
			return true
		}
	}
	return false
}

// wrapping prints an op on signed integers by a helper that does it on unsigned ones.
func (w *writer) wrapping(kind simt.Kind, e dtype.Type, args []cstyle.Expr) cstyle.Expr {
	name, signed, unsigned := "wrap_"+kind.String(), registers[e], registers[dtype.U32]
	if e == dtype.I64 {
		unsigned = registers[dtype.U64]
	}
	params := strings.Join([]string{signed + " a", signed + " b"}[:len(args)], ", ")
	head := fmt.Sprintf("__device__ inline %s %s(%s)", signed, name, params)
	w.helpers.add(head, fmt.Sprintf(head+" {\n    return %[1]s("+wrapped[kind]+");\n}\n", signed, unsigned))
	return cstyle.Call(name, args...)
}

// laneID marks the values that stand for one lane of a vector's.
const laneID = -1

// lanesOf are scalars of the values' element types.
func lanesOf(vs []*simt.Value) []*simt.Value {
	scalars := make([]*simt.Value, len(vs))
	for i, v := range vs {
		scalars[i] = &simt.Value{ID: laneID, Type: simt.Scalar(v.Type.Elem)}
	}
	return scalars
}
