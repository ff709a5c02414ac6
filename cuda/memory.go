package cuda

import (
	"encoding/binary"
	"fmt"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/cstyle"
	"github.com/weftgpu/weft/simt"
)

// place is the memory of an access, as an expression that can be assigned to.
func (w *writer) place(op *simt.Op, index cstyle.Expr, width int, constness string) (cstyle.Expr, dtype.Type) {
	element, elem := w.element(op, index)
	if width == 1 && !op.Packed {
		return element, elem
	}
	at := w.address(op, element, elem, width, constness)
	return cstyle.Expr{Text: "*" + at.Text, Prec: cstyle.Unary}.Computed(), elem
}

// element is the first element of an access, and the type of what is accessed, which of packed elements is that of words: as what they are, which rounds nothing.
func (w *writer) element(op *simt.Op, index cstyle.Expr) (cstyle.Expr, dtype.Type) {
	var name string
	var elem dtype.Type
	if op.Shared != nil {
		name, elem = w.shared[op.Shared], op.Shared.Elem
	} else {
		name, elem = w.buffers[op.Buffer], op.Buffer.Elem
	}
	if op.Packed {
		elem = dtype.U32
	}
	return cstyle.Index(cstyle.Atom(name), index), elem
}

// address is a pointer to what an access moves.
func (w *writer) address(op *simt.Op, element cstyle.Expr, elem dtype.Type, width int, constness string) cstyle.Expr {
	at := "&" + element.Text
	if width > 1 || op.Packed {
		at = fmt.Sprintf("(%s%s*)%s", constness, w.memoryType(elem, width), at)
	}
	return cstyle.Expr{Text: at, Prec: cstyle.Unary}.Computed()
}

// Load prints a load, in one instruction whatever its width.
func (w *writer) Load(op *simt.Op, index, mask cstyle.Expr) (cstyle.Expr, error) {
	t := op.Result().Type
	if op.Cluster {
		return w.loadPeer(op, index), nil
	}
	place, elem := w.place(op, index, t.Width, "const ")
	if op.LoadsBits() {
		place, elem = cstyle.Expr{Text: place.Text + ".bits", Prec: place.Prec}, dtype.U32
	}
	if w.streams(op, elem) {
		place = w.streamed(op, index)
	}
	if mask.Text == "" {
		return w.widen(elem, t.Width, place), nil
	}
	if x, ok := w.maskedNarrow(op, index, mask, elem); ok {
		return x, nil
	}
	return conditional(mask, w.widen(elem, t.Width, place), w.Const(t, op.Fill)), nil
}

// maskedNarrow loads elements of 8 or 16 bits under a mask, and converts what is chosen, words of several. ptxas has what masks guard one after the other: were the conversion guarded, too, each
// load would wait for the one before. (Depthwise F16 47×96×112×112 by 3 × 3, stride 2, channels last: 230 registers and 5 outstanding loads so, 96 and 24 as it is; 100 and 44 µs on an H200.)
func (w *writer) maskedNarrow(op *simt.Op, index, mask cstyle.Expr, elem dtype.Type) (cstyle.Expr, bool) {
	t := op.Result().Type
	fill, ok := narrowBits(elem, op.Fill)
	element, _ := w.element(op, index)
	chosen := func(as string, fill cstyle.Expr) cstyle.Expr {
		return conditional(mask, cstyle.Expr{Text: fmt.Sprintf("*(const %s*)&%s", as, element.Text), Prec: cstyle.Unary}, fill)
	}
	switch bytes := t.Width * elem.Size(); {
	case !ok || t.Width == 1 && !elem.IsFloat(): // integers widen by themselves
		return cstyle.Expr{}, false
	case t.Width == 1:
		return w.widen(elem, 1, conditional(mask, element, cstyle.Atom(fmt.Sprintf("%s{%#x}", w.memoryType(elem, 1), fill&0xffff)))), true
	case bytes == 2:
		return w.unpackPair(elem, t, chosen("unsigned short", cstyle.Atom(fmt.Sprintf("(unsigned short)%#x", fill&0xffff)))), true
	default:
		words := simt.Vector(dtype.U32, bytes/4)
		return w.unpack(elem, t, chosen(w.typeName(words), w.Const(words, float64(fill)))), true
	}
}

// narrowBits is a word of elements of 8 or 16 bits, if x is one of that type.
func narrowBits(elem dtype.Type, x float64) (word uint32, ok bool) {
	if elem.Size() > 2 || elem == dtype.Bool {
		return 0, false
	}
	var b [4]byte
	var y [1]float64
	word = simt.FillWord(elem, x)
	binary.LittleEndian.PutUint32(b[:], word)
	dtype.Floats(elem, y[:], b[:elem.Size()])
	return word, y[0] == x
}

// streams reports whether a load of 16 bytes is of what the first level of cache need not keep. Shorter ones of neighbours share what a request brings, from that cache. (MXFP4 16×8192×8192 by
// loads of 4 bytes on an H200: 27.7 µs, 42.6 past that cache.) Every compiler that knows compute capability 8.9 has PTX 7.4, which has such loads.
func (w *writer) streams(op *simt.Op, elem dtype.Type) bool {
	return op.Buffer != nil && op.Buffer.Streamed && elem.Size() == 4 && op.Result().Type.Width == 4 && w.helpers.arch >= 89
}

// streamed loads four words past the first level of cache, and a line of 128 bytes to the second one (PTX ISA, "ld"). It stays where it is in the order of the kernel's loads: without "volatile"
// the compiler may move it to where the words are needed.
func (w *writer) streamed(op *simt.Op, index cstyle.Expr) cstyle.Expr {
	element, elem := w.element(op, index)
	width := op.Result().Type.Width
	t, c := w.memoryType(elem, width), "r"
	if elem == dtype.F32 {
		c = "f"
	}
	name := "load_streamed_" + t
	head := fmt.Sprintf("__device__ inline %s %s(const %s* from)", t, name, t)
	w.helpers.add(head, fmt.Sprintf(`%s {
    %s x;
    asm volatile("ld.global.L1::no_allocate.L2::128B.v4.b32 {%%0, %%1, %%2, %%3}, [%%4];" : "=%s"(x.x), "=%s"(x.y), "=%s"(x.z), "=%s"(x.w) : "l"(from));
    return x;
}
`, head, t, c, c, c, c))
	return cstyle.Call(name, w.address(op, element, elem, width, "const "))
}

// Store prints a store whose mask, if there is one, holds.
func (w *writer) Store(op *simt.Op, index, value cstyle.Expr) error {
	if op.Kind == simt.StoreMatrix {
		return w.storeMatrix(op, index, value)
	}
	t := op.Args[1].Type
	place, elem := w.place(op, index, t.Width, "")
	w.Line("%s = %s;", place.Text, w.narrow(elem, t.Width, value).Text)
	return nil
}

// widen converts memory to registers.
func (w *writer) widen(e dtype.Type, width int, x cstyle.Expr) cstyle.Expr {
	r := simt.Register(e)
	switch {
	case e == dtype.Bool && width == 1:
		return cstyle.Infix("!=", cstyle.Compare, false, x, cstyle.Atom("0"))
	case r == e && e != dtype.Bool, r != dtype.F32 && width == 1: // integers widen by themselves
		return x
	}
	name := "to_" + r.String()
	w.elementwise(name, w.memoryType(e, width), w.typeName(simt.Vector(r, width)), width, func(lane cstyle.Expr) cstyle.Expr {
		return w.widen(e, 1, lane)
	}, e)
	return cstyle.Call(name, x)
}

// narrow converts registers to memory.
func (w *writer) narrow(e dtype.Type, width int, x cstyle.Expr) cstyle.Expr {
	r := simt.Register(e)
	switch {
	case r == e && e != dtype.Bool, e == dtype.Bool && width == 1:
		return x
	case r != dtype.F32 && width == 1:
		return cstyle.Expr{Text: "(" + memories[e] + ")" + cstyle.Paren(x, cstyle.Unary), Prec: cstyle.Unary}.Computed()
	}
	name := "to_" + e.String()
	if e == dtype.Bool {
		name = "to_u8"
	}
	w.elementwise(name, w.typeName(simt.Vector(r, width)), w.memoryType(e, width), width, func(lane cstyle.Expr) cstyle.Expr {
		return w.narrow(e, 1, lane)
	}, e)
	return cstyle.Call(name, x)
}

// elementwise declares a conversion of vectors by that of a lane; scalars of
// 16-bit types have conversions of their own.
func (w *writer) elementwise(name, from, to string, width int, lane func(cstyle.Expr) cstyle.Expr, e dtype.Type) {
	if width == 1 {
		w.helpers.conversion(name, e.String())
		return
	}
	lanes := make([]cstyle.Expr, width)
	for i := range lanes {
		lanes[i] = lane(cstyle.Member(cstyle.Atom("a"), cstyle.Lane(i)))
	}
	head := fmt.Sprintf("__device__ inline %s %s(%s a)", to, name, from)
	w.helpers.add(head, fmt.Sprintf("%s {\n    return {%s};\n}\n", head, list(lanes)))
}
