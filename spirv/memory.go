package spirv

import (
	"strconv"

	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/simt"
)

// viewKey names a view of a buffer: the type of what it is an array of.
type viewKey struct {
	buffer *simt.Buffer
	t      simt.Type
}

// view is a variable for a buffer.
type view struct{ id string }

// coherence is what is known of the accesses to a buffer by several threads.
type coherence struct{ read, written, atomic, ordered bool }

// needed says that what one thread stores another one may load.
func (c coherence) needed() bool { return c.read && c.written && (c.atomic || c.ordered) }

// coherences finds out which buffers threads exchange values through.
func coherences(k *simt.Func) map[*simt.Buffer]coherence {
	all := map[*simt.Buffer]coherence{}
	ordered := false
	simt.Walk(k.Body, func(op *simt.Op) {
		ordered = ordered || op.Kind == simt.Barrier && op.Buffers || op.Order != simt.Relaxed
		if op.Buffer == nil {
			return
		}
		c := all[op.Buffer]
		c.read = c.read || op.Kind != simt.Store
		c.written = c.written || op.Kind != simt.Load
		c.atomic = c.atomic || op.Kind == simt.Atomic
		all[op.Buffer] = c
	})
	for b, c := range all {
		c.ordered = ordered
		all[b] = c
	}
	return all
}

// view is the variable that has a buffer as an array of a type.
func (w *writer) view(b *simt.Buffer, t simt.Type) *view {
	key := viewKey{b, t}
	if v, ok := w.views[key]; ok {
		return v
	}
	w.needsStorage(t)
	v := &view{w.id(b.Name + "_" + typeName(t))}
	block := w.arrayBlock(t)
	w.globals = append(w.globals, instruction(v.id, "OpVariable "+w.pointer("StorageBuffer", block)+" StorageBuffer"))
	w.views[key] = v
	return v
}

// needsStorage declares what buffers of a type need.
func (w *writer) needsStorage(t simt.Type) {
	switch t.Elem.Size() {
	case 1:
		w.needs("StorageBuffer8BitAccess", "SPV_KHR_8bit_storage")
	case 2:
		w.needs("StorageBuffer16BitAccess", "")
	}
}

// arrayBlock is the type of a block that is an array of a type.
func (w *writer) arrayBlock(t simt.Type) string {
	name := typeName(t)
	text := "OpTypeRuntimeArray " + w.typ(t)
	_, known := w.known[text]
	array := w.global("array_"+name, text)
	block := w.global("block_"+name, "OpTypeStruct "+array)
	if !known {
		w.decorate("%s ArrayStride %d", array, t.Width*t.Elem.Size())
		w.decorate("%s Block", block)
		w.decorations = append(w.decorations, instruction("", "OpMemberDecorate "+block+" 0 Offset 0"))
	}
	return block
}

// finishViews decorates the variables of buffers, in order: those of one buffer alias each other, which matters where it is written.
func (w *writer) finishViews() {
	of := map[*simt.Buffer]int{}
	for key := range w.views {
		of[key.buffer]++
	}
	for i, b := range w.kernel.Buffers {
		for _, t := range viewTypes {
			v, ok := w.views[viewKey{b, t}]
			if !ok {
				continue
			}
			w.decorate("%s DescriptorSet 0", v.id)
			w.decorate("%s Binding %d", v.id, i)
			if of[b] > 1 && b.Write {
				w.decorate("%s Aliased", v.id)
			} else {
				w.decorate("%s Restrict", v.id) // a launch binds distinct memory
			}
			if !b.Write {
				w.decorate("%s NonWritable", v.id)
			}
			if w.coherent[b].needed() && !w.isExplicit() {
				w.decorate("%s Coherent", v.id)
			}
		}
	}
}

// viewTypes are all that a buffer can be an array of.
var viewTypes = func() (all []simt.Type) {
	for e := range scalars {
		for _, width := range []int{1, 2, 4} {
			all = append(all, simt.Type{Elem: e, Width: width})
		}
	}
	return sortedTypes(all)
}()

// place is a pointer to an element of a buffer's view.
func (w *writer) place(b *simt.Buffer, t simt.Type, at string) string {
	if w.kernel.DeviceAddresses {
		return w.addressed(b, t, at)
	}
	v := w.view(b, t)
	return w.pureAs("OpAccessChain", w.pointer("StorageBuffer", w.typ(t)), v.id, w.int(0), at)
}

// accessed is what a load or a store of a value moves: elements of the buffer, or words of several.
func (w *writer) accessed(op *simt.Op, v *simt.Value) (t simt.Type, elements int) {
	if op.Packed {
		return v.Type, v.Type.Width * simt.PerWord(elemOf(op))
	}
	return w.inMemory(elemOf(op), v.Type.Width), v.Type.Width
}

// load prints a Load or a SharedLoad. Where the mask is false it reads element 0 rather than branch: drivers keep loads within their blocks.
func (w *writer) load(op *simt.Op) error {
	w.comment(op)
	out := op.Result()
	mask := op.Mask()
	var id string
	if op.Shared != nil {
		id = w.loadShared(op, w.index(op, mask))
	} else {
		t, elements := w.accessed(op, out)
		at := w.quotient(op.Args[0], elements)
		if mask != nil {
			at = w.pure("", "OpSelect", i32, w.of(mask), at, w.int(0))
		}
		place := w.place(op.Buffer, t, at)
		hint := ""
		if t == out.Type && mask == nil {
			hint = out.Hint
		}
		id = w.emit(hint, "OpLoad", w.typ(t), place+w.bufferAccess(op, t))
		if !op.Packed {
			id = w.widen(op.Buffer.Elem, t.Width, id)
		}
	}
	if mask != nil {
		truths := simt.Type{Elem: boolean.Elem, Width: out.Type.Width}
		id = w.pure(out.Hint, "OpSelect", out.Type, w.splat(truths, w.of(mask)), id, w.constant(out.Type, op.Fill))
	}
	w.set(out, id)
	return nil
}

// index is that of an access, 0 where its mask is false.
func (w *writer) index(op *simt.Op, mask *simt.Value) string {
	if mask == nil {
		return w.of(op.Args[0])
	}
	return w.pure("", "OpSelect", i32, w.of(mask), w.of(op.Args[0]), w.int(0))
}

// store prints a Store or a SharedStore whose mask, if there is one, holds.
func (w *writer) store(op *simt.Op) {
	w.comment(op)
	v := op.Args[1]
	t, elements := w.accessed(op, v)
	x := w.of(v)
	if !op.Packed {
		x = w.narrow(elemOf(op), v, x)
	}
	if op.Shared != nil {
		w.storeShared(op, t, x)
		return
	}
	w.line("OpStore %s %s%s", w.place(op.Buffer, t, w.quotient(op.Args[0], elements)), x, w.bufferAccess(op, t))
}

// quotient divides an index by a power of two, of which it is a multiple. It divides the terms of a sum, so that what does not
// change in a loop can be computed before it.
func (w *writer) quotient(v *simt.Value, k int) string {
	if x, ok := simt.ConstOf(v); ok {
		return w.int(int(x) >> pow2.Log2(k))
	}
	if k == 1 {
		return w.of(v)
	}
	key := w.of(v) + " / " + strconv.Itoa(k)
	id, known := w.fn.same[key]
	if !known {
		id = w.divided(v, k)
		w.remember(key, id)
	}
	return id
}

// divided is the quotient of a value that is no constant.
func (w *writer) divided(v *simt.Value, k int) string {
	if v.Op != nil {
		switch v.Op.Kind {
		case simt.Mul, simt.Shl:
			if x, c, ok := v.Op.Factor(); ok && c%k == 0 {
				if c == k {
					return w.of(x)
				}
				return w.pure("", "OpIMul", i32, w.of(x), w.int(c/k))
			}
		case simt.Add:
			if x, y := v.Op.Args[0], v.Op.Args[1]; simt.IsMultiple(x, k) || simt.IsMultiple(y, k) {
				return w.pure("", "OpIAdd", i32, w.quotient(x, k), w.quotient(y, k))
			}
		}
	}
	return w.shifted(w.of(v), k)
}

// shifted divides by a power of two.
func (w *writer) shifted(id string, k int) string {
	if k == 1 {
		return id
	}
	return w.pure("", "OpShiftRightArithmetic", i32, id, w.int(pow2.Log2(k)))
}

// pureAs is pure for a type that is no value's.
func (w *writer) pureAs(op, typ string, operands ...string) string {
	text := join(op, typ, operands)
	id, known := w.fn.same[text]
	if !known {
		id = w.emit("", op, typ, operands...)
		w.remember(text, id)
	}
	return id
}
