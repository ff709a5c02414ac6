package spirv

import (
	"cmp"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/simt"
)

// array is how a shared array is declared: of scalars or vectors of what memory has of its elements, or of words with several of them.
type array struct {
	id   string
	t    simt.Type // of the declared array's elements
	unit simt.Type // a lane of it
	per  int       // elements in a lane
}

func (w *writer) arrayOf(s *simt.Shared) *array {
	t := w.inMemory(s.Declared.Type.Elem, s.Declared.Type.Width)
	return &array{t: t, unit: simt.Scalar(t.Elem), per: max(1, t.Elem.Size()/s.Elem.Size())}
}

// length is how many elements of the declared array hold n of the kernel's.
func (a *array) length(n int) int { return (n + a.per*a.t.Width - 1) / (a.per * a.t.Width) }

// SharedBytes is the workgroup memory that the emitted text declares. Arrays without a declaration, of which Emit prints no text, are left out.
func SharedBytes(k *simt.Func) (bytes int) {
	w := &writer{}
	for _, s := range k.Shared {
		if a := w.arrayOf(s); a.t.Width > 0 {
			bytes += a.length(s.Len) * a.t.Width * a.t.Elem.Size()
		}
	}
	return bytes
}

// declareShared declares the shared arrays.
func (w *writer) declareShared() error {
	for _, s := range w.kernel.Shared {
		switch {
		case s.Arrivals > 0:
			return fault.New(fault.ErrUnsupported, "spirv", "barriers in shared memory are not supported").For(s.Name).At(s.Line)
		case s.Declared.Type.Width == 0:
			return fault.New(fault.ErrKernel, "spirv", "the array %s has no declaration", s.Name)
		}
		a := w.arrayOf(s)
		n := w.word(uint32(a.length(s.Len)))
		typ := w.global("array_"+typeName(a.t)+"_"+n[len("%u32_"):], "OpTypeArray "+w.typ(a.t)+" "+n)
		a.id = w.id(s.Name)
		if c := s.Comment(); c != "" {
			w.globals = append(w.globals, instruction("", "; "+cleaned(c)))
		}
		w.globals = append(w.globals, instruction(a.id, "OpVariable "+w.pointer("Workgroup", typ)+" Workgroup"))
		w.shared[s] = a
	}
	return nil
}

// elemOf is the type of the elements that an op accesses.
func elemOf(op *simt.Op) dtype.Type {
	if op.Shared != nil {
		return op.Shared.Elem
	}
	return op.Buffer.Elem
}

// access is one to a shared array: so many lanes of the declared array from an index.
type access struct {
	*array
	lanes int
	index string
	op    *simt.Op
}

func (w *writer) accessOf(op *simt.Op, elements int, index string) access {
	a := w.shared[op.Shared]
	return access{a, elements / a.per, index, op}
}

// sharedPlace is a pointer to an element of the declared array, the nth from that of the index.
func (w *writer) sharedPlace(a access, n int) string {
	k := a.per * a.t.Width
	var at string
	if a.op.Mask() != nil && a.op.Kind == simt.SharedLoad {
		at = w.shifted(a.index, k)
	} else {
		at = w.quotient(a.op.Args[0], k)
	}
	if n > 0 {
		at = w.pure("", "OpIAdd", i32, at, w.int(n))
	}
	return w.pureAs("OpAccessChain", w.pointer("Workgroup", w.typ(a.t)), a.id, at)
}

// lanePlace is a pointer to a component, the nth from that of the index.
func (w *writer) lanePlace(a access, n int) string {
	index := a.index
	if a.op.Mask() == nil || a.op.Kind == simt.SharedStore {
		index = w.of(withoutMultiples(a.op.Args[0], a.per*a.t.Width))
	}
	lane := w.pure("", "OpBitwiseAnd", i32, w.shifted(index, a.per), w.int(a.t.Width-1))
	if x, ok := simt.ConstOf(a.op.Args[0]); ok {
		lane = w.int(int(x) / a.per & (a.t.Width - 1))
	}
	if n > 0 {
		lane = w.pure("", "OpBitwiseOr", i32, lane, w.int(n)) // of a multiple of the access
	}
	return w.pureAs("OpAccessChain", w.pointer("Workgroup", w.typ(a.unit)), w.sharedPlace(a, 0), lane)
}

// withoutMultiples is a sum without the terms that are multiples of a power of two.
func withoutMultiples(v *simt.Value, k int) *simt.Value {
	for v.Op != nil && v.Op.Kind == simt.Add {
		switch x, y := v.Op.Args[0], v.Op.Args[1]; {
		case simt.IsMultiple(y, k):
			v = x
		case simt.IsMultiple(x, k):
			v = y
		default:
			return v
		}
	}
	return v
}

// loadShared is the value that a SharedLoad reads.
func (w *writer) loadShared(op *simt.Op, index string) string {
	out := op.Result()
	t, elements := w.accessed(op, out)
	a := w.accessOf(op, elements, index)
	var parts []string
	for from := 0; from < a.lanes; from += 4 {
		n := min(4, a.lanes)
		part := simt.Type{Elem: a.t.Elem, Width: n}
		to := t
		if n < a.lanes { // words, of which the array has single elements
			to.Width = t.Width * n / a.lanes
		}
		parts = append(parts, w.bitcast(part, to, w.loadLanes(a, from, part)))
	}
	x := w.compose(t, parts...)
	if op.Packed {
		return x
	}
	return w.widen(op.Shared.Elem, t.Width, x)
}

// loadLanes loads so many lanes.
func (w *writer) loadLanes(a access, from int, t simt.Type) string {
	var parts []string
	if t.Width < a.t.Width {
		for i := range t.Width {
			parts = append(parts, w.emit("", "OpLoad", w.typ(a.unit), w.lanePlace(a, i)+w.sharedAccess()))
		}
		return w.compose(t, parts...)
	}
	for i := 0; i < t.Width; i += a.t.Width {
		parts = append(parts, w.emit("", "OpLoad", w.typ(a.t), w.sharedPlace(a, (from+i)/a.t.Width)+w.sharedAccess()))
	}
	return w.compose(t, parts...)
}

// storeShared prints the stores of a SharedStore of what memory has of its value.
func (w *writer) storeShared(op *simt.Op, t simt.Type, x string) {
	_, elements := w.accessed(op, op.Args[1])
	a := w.accessOf(op, elements, w.of(op.Args[0]))
	for from := 0; from < a.lanes; from += 4 {
		n := min(4, a.lanes)
		part, of := simt.Type{Elem: a.t.Elem, Width: n}, t
		of.Width = t.Width * n / a.lanes
		w.storeLanes(a, from, part, w.bitcast(of, part, w.lanes(t, x, t.Width*from/a.lanes, of.Width)))
	}
}

// storeLanes stores so many lanes.
func (w *writer) storeLanes(a access, from int, t simt.Type, x string) {
	if t.Width < a.t.Width {
		for i := range t.Width {
			place := w.lanePlace(a, i)
			w.line("OpStore %s %s%s", place, w.lanes(t, x, i, 1), w.sharedAccess())
		}
		return
	}
	for i := 0; i < t.Width; i += a.t.Width {
		place := w.sharedPlace(a, (from+i)/a.t.Width)
		w.line("OpStore %s %s%s", place, w.lanes(t, x, i, a.t.Width), w.sharedAccess())
	}
}

func sortedTypes(list []simt.Type) []simt.Type {
	slices.SortFunc(list, func(a, b simt.Type) int { return cmp.Or(cmp.Compare(a.Elem, b.Elem), cmp.Compare(a.Width, b.Width)) })
	return list
}
