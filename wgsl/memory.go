package wgsl

import (
	"fmt"
	"strconv"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/cstyle"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/simt"
)

// Types of the expressions that accesses name; WGSL infers them.
var (
	i32 = simt.Scalar(dtype.I32)
	u32 = simt.Scalar(dtype.U32)
)

func (w *writer) array(op *simt.Op) *array {
	if op.Shared != nil {
		return w.shared[op.Shared]
	}
	return w.buffers[op.Buffer]
}

// Load prints a load: the words that hold the elements, unpacked, and the fill
// where the mask does not hold. It reads element 0 there rather than branch.
func (w *writer) Load(op *simt.Op, index, mask cstyle.Expr) (cstyle.Expr, error) {
	a, t := w.array(op), op.Result().Type
	if mask.Text != "" {
		mask = w.Bind(mask, simt.Scalar(dtype.Bool), "in_bounds")
	}
	n := a.words(op, t)
	if op.Uniform && n == a.lanes && mask.Text == "" {
		place := cstyle.Index(cstyle.Atom(a.name), index)
		return w.unpack(a, cstyle.Call("workgroupUniformLoad", cstyle.Prefix("&", place)), t), nil
	}
	if n < a.lanes && n != 0 || n == 0 {
		index = w.Bind(index, i32, "index")
	}
	at := w.quotient(op.Args[0], index, a.per*a.lanes)
	if mask.Text != "" {
		at = cstyle.Call("select", cstyle.Atom("0"), at, mask)
	}
	var e cstyle.Expr
	if op.Packed {
		e = w.readWords(a, at, index, n)
	} else if n == 0 {
		e = w.unpackPiece(a, w.readWords(a, at, index, 1), index, t)
	} else {
		e = w.unpack(a, w.readWords(a, at, index, n), t)
	}
	if mask.Text != "" {
		e = cstyle.Call("select", w.Const(t, op.Fill), e, mask)
	}
	return e, nil
}

// readWords reads n words; at is the position in the declared array, index
// that in the kernel's.
func (w *writer) readWords(a *array, at, index cstyle.Expr, n int) cstyle.Expr {
	switch {
	case n == a.lanes:
		return w.readElement(a, at)
	case n > a.lanes:
		at = w.Bind(at, i32, "at")
		parts := make([]cstyle.Expr, n/a.lanes)
		for i := range parts {
			parts[i] = w.readElement(a, plus(at, i))
		}
		return cstyle.Call(typeName(simt.Vector(a.word, n)), parts...)
	}
	element := w.readElement(a, at)
	lane := masked(shifted(index, a.per), a.lanes-n)
	number, known := lane.Integer()
	switch {
	case n == 1 && known:
		return cstyle.Member(element, cstyle.Lane(number))
	case n == 1:
		return cstyle.Index(element, lane)
	case known:
		return cstyle.Member(element, "xyzw"[number:number+2])
	}
	element = w.Name(element, simt.Vector(a.word, a.lanes), "quad")
	high := cstyle.Infix("!=", cstyle.Compare, false, lane, cstyle.Atom("0"))
	return cstyle.Call("select", cstyle.Member(element, "xy"), cstyle.Member(element, "zw"), high)
}

func (w *writer) readElement(a *array, at cstyle.Expr) cstyle.Expr {
	place := cstyle.Index(cstyle.Atom(a.name), at)
	if a.atomic {
		return cstyle.Call("atomicLoad", cstyle.Prefix("&", place))
	}
	return place
}

// unpack converts whole words to registers.
func (w *writer) unpack(a *array, words cstyle.Expr, t simt.Type) cstyle.Expr {
	switch {
	case a.word == dtype.F16:
		return cstyle.Call(typeName(t), words)
	case a.elem == dtype.F32 && a.word == dtype.U32:
		return cstyle.Call("bitcast<"+typeName(t)+">", words)
	case a.elem == dtype.Bool && a.per == 1:
		return w.convert(simt.Vector(dtype.U32, t.Width), t, words)
	case a.per == 1:
		return words
	case a.elem == dtype.F16 && t.Width == 2:
		return cstyle.Call("unpack2x16float", words)
	case a.elem == dtype.Bool:
		lanes := w.help("unpack_u8"+suffix(t.Width), words)
		return w.convert(simt.Vector(dtype.U32, t.Width), t, lanes)
	}
	return w.help("unpack_"+a.elem.String()+suffix(t.Width), words)
}

// unpackPiece converts a piece of a word to registers.
func (w *writer) unpackPiece(a *array, word, index cstyle.Expr, t simt.Type) cstyle.Expr {
	switch {
	case a.elem == dtype.F16:
		return cstyle.Index(cstyle.Call("unpack2x16float", word), masked(index, 1))
	case a.elem == dtype.BF16:
		return cstyle.Index(w.help("unpack_bf16_x2", word), masked(index, 1))
	case a.elem.IsSigned() && t.Width == 1:
		return cstyle.Call("extractBits", cstyle.Call("bitcast<i32>", word), bitOffset(index, a.elem), bitsOf(a.elem))
	case t.Width == 1:
		piece := cstyle.Call("extractBits", word, bitOffset(index, a.elem), bitsOf(a.elem))
		return w.convert(u32, t, piece)
	}
	return w.unpack(a, cstyle.Infix(">>", cstyle.Shift, false, word, bitOffset(index, a.elem)), t)
}

// bitsOf is how many bits an element has.
func bitsOf(e dtype.Type) cstyle.Expr { return cstyle.Atom(strconv.Itoa(8*e.Size()) + "u") }

// bitOffset is where an element starts in its word.
func bitOffset(index cstyle.Expr, e dtype.Type) cstyle.Expr {
	last := 4/e.Size() - 1
	if x, ok := index.Integer(); ok {
		return cstyle.Atom(strconv.Itoa(x&last*8*e.Size()) + "u")
	}
	return cstyle.Infix("*", cstyle.Multiplicative, false, cstyle.Call("u32", masked(index, last)), bitsOf(e))
}

// Store prints a store whose mask, if there is one, holds.
func (w *writer) Store(op *simt.Op, index, value cstyle.Expr) error {
	if op.Kind == simt.CooperativeStore {
		w.storeMatrix(op, index, value)
		return nil
	}
	if op.Kind == simt.StoreMatrix {
		return fault.New(fault.ErrUnsupported, "wgsl", "the op %v is not supported", op.Kind).At(op.Line)
	}
	a, v := w.array(op), op.Args[1]
	n := a.words(op, v.Type)
	if n == 0 {
		w.Line("%s(%s, %s);", w.storer(a, v.Type.Width), index.Text, w.packPiece(a, value, v).Text)
		return nil
	}
	words := value
	if !op.Packed {
		words = w.pack(a, value, v)
	}
	at := w.quotient(op.Args[0], index, a.per*a.lanes)
	if n == a.lanes {
		w.writeElement(a, at, words)
		return nil
	}
	words = w.Bind(words, simt.Vector(a.word, n), "words")
	at = w.Bind(at, i32, "at")
	for i := 0; i < n; i += a.lanes {
		w.writeElement(a, plus(at, i/a.lanes), cstyle.Member(words, "xyzw"[i:i+a.lanes]))
	}
	return nil
}

func (w *writer) writeElement(a *array, at, words cstyle.Expr) {
	place := cstyle.Index(cstyle.Atom(a.name), at)
	if a.atomic {
		w.Line("atomicStore(&%s, %s);", place.Text, words.Text)
		return
	}
	w.Line("%s = %s;", place.Text, words.Text)
}

// pack converts registers to whole words.
func (w *writer) pack(a *array, x cstyle.Expr, v *simt.Value) cstyle.Expr {
	width, is := v.Type.Width, v.Holds(a.elem)
	switch {
	case a.word == dtype.F16:
		return w.half(x, v)
	case a.elem == dtype.F32 && a.word == dtype.U32:
		return cstyle.Call("bitcast<"+typeName(simt.Vector(dtype.U32, width))+">", x)
	case a.per == 1:
		return w.narrow(a.elem, x, v)
	case a.elem == dtype.F16 && is && width == 2:
		return cstyle.Call("pack2x16float", x)
	case a.elem == dtype.F16 && is:
		return w.help("pack_exact_f16"+suffix(width), x)
	case a.elem == dtype.F16 && w.caps.F16 && w.caps.F16Nearest:
		w.f16 = true
		return w.help("pack_nearest_f16"+suffix(width), x)
	case a.elem == dtype.Bool:
		return w.help("pack_u8"+suffix(width), w.convert(v.Type, simt.Vector(dtype.U32, width), x))
	}
	return w.help("pack_"+a.elem.String()+suffix(width), x)
}

// half converts registers to f16.
func (w *writer) half(x cstyle.Expr, v *simt.Value) cstyle.Expr {
	switch exact := v.Holds(dtype.F16); {
	case !exact && !w.caps.F16Nearest:
		x = w.round(dtype.F16, v.Type.Width, x)
	case !exact && v.Op != nil && v.Op.Kind.IsPure() && !v.Op.Kind.IsElementwise():
		x = w.Name(x, v.Type, "value") // the compiler would reject a constant beyond the range of f16
	}
	return cstyle.Call(typeName(simt.Vector(dtype.F16, v.Type.Width)), x)
}

// narrow rounds registers to what a shared array's element type can hold.
func (w *writer) narrow(elem dtype.Type, x cstyle.Expr, v *simt.Value) cstyle.Expr {
	switch {
	case elem == dtype.Bool:
		return w.convert(v.Type, simt.Vector(dtype.U32, v.Type.Width), x)
	case v.Holds(elem):
		return x
	case elem.IsFloat():
		return w.round(elem, v.Type.Width, x)
	}
	return cstyle.Call("extractBits", x, cstyle.Atom("0u"), bitsOf(elem))
}

// round rounds registers to a narrower type that stay registers. It works on the bits even where
// the device has f16: NVIDIA's Vulkan compiler takes f32(f16(x)) for x, contraction forbidden or not.
func (w *writer) round(elem dtype.Type, width int, x cstyle.Expr) cstyle.Expr {
	return w.help("round_"+elem.String()+suffix(width), x)
}

// packPiece converts registers to the low bits of a word.
func (w *writer) packPiece(a *array, x cstyle.Expr, v *simt.Value) cstyle.Expr {
	ones := 1<<(8*a.elem.Size()) - 1
	switch {
	case v.Type.Width == 2:
		return w.pack(a, x, v)
	case a.elem.IsFloat():
		return w.help(a.elem.String()+"_bits", x)
	case a.elem == dtype.Bool:
		return cstyle.Call("u32", x)
	case a.elem.IsSigned():
		if n, ok := simt.ConstOf(v); ok { // u32(-3) is no constant
			return cstyle.Atom(strconv.Itoa(int(n)&ones) + "u")
		}
		x = cstyle.Call("u32", x)
	}
	return cstyle.Infix("&", cstyle.BitAnd, true, x, cstyle.Atom(fmt.Sprintf("%#xu", ones)))
}

// storer returns the helper that stores a piece of a word of a buffer.
func (w *writer) storer(a *array, width int) string {
	size := width * a.elem.Size() * 8
	key := fmt.Sprintf("store_%s_%d", a.name, size)
	name, found := w.helpers.storers[key]
	if !found {
		name = w.names.Unique(fmt.Sprintf("store_%s", a.name))
		w.helpers.addStorer(key, name, fmt.Sprintf(`
// Replaces %d bits of %s and leaves the rest of the word to other threads.
fn %s(index: i32, bits: u32) {
    let shift = u32(index & %d) * %du;
    atomicAnd(&%s[index >> %du], ~(0x%xu << shift));
    atomicOr(&%s[index >> %du], bits << shift);
}
`, size, a.name, name, a.per-1, 32/a.per, a.name, pow2.Log2(a.per), 1<<size-1, a.name, pow2.Log2(a.per)))
	}
	return name
}

// quotient divides an index by a power of two, of which it is a multiple. It
// divides the terms of a sum, so that what does not change in a loop can be
// computed before it.
func (w *writer) quotient(v *simt.Value, e cstyle.Expr, k int) cstyle.Expr {
	_, isInline := w.Inline(v)
	if k == 1 || isInline && e.Named() { // it got a name meanwhile
		return shifted(e, k)
	}
	if v.Op == nil {
		return shifted(e, k)
	}
	switch v.Op.Kind {
	case simt.Mul, simt.Shl:
		x, c, ok := v.Op.Factor()
		if !ok || c%k != 0 { // a stride known to be a multiple has no factor to divide
			break
		}
		if _, again := w.Inline(x); !isInline && (again || w.Expr(x).Mutable()) { // x would be computed again if v has a name
			break
		}
		if c == k {
			return w.Expr(x)
		}
		return cstyle.Infix("*", cstyle.Multiplicative, true, w.Expr(x), cstyle.Integer(c/k))
	case simt.Add:
		x, y := v.Op.Args[0], v.Op.Args[1]
		if isInline && (simt.IsMultiple(x, k) || simt.IsMultiple(y, k)) {
			return cstyle.Infix("+", cstyle.Additive, true, w.quotient(x, w.Expr(x), k), w.quotient(y, w.Expr(y), k))
		}
	}
	return shifted(e, k)
}

func plus(e cstyle.Expr, i int) cstyle.Expr {
	if i == 0 {
		return e
	}
	if x, ok := e.Integer(); ok {
		return cstyle.Integer(x + i)
	}
	return cstyle.Infix("+", cstyle.Additive, true, e, cstyle.Integer(i))
}

// shifted divides by a power of two.
func shifted(e cstyle.Expr, k int) cstyle.Expr {
	if x, ok := e.Integer(); ok {
		return cstyle.Integer(x >> pow2.Log2(k))
	}
	if k == 1 {
		return e
	}
	return cstyle.Infix(">>", cstyle.Shift, false, e, cstyle.Atom(strconv.Itoa(pow2.Log2(k))+"u"))
}

// masked keeps bits of an index.
func masked(e cstyle.Expr, mask int) cstyle.Expr {
	if x, ok := e.Integer(); ok {
		return cstyle.Integer(x & mask)
	}
	return cstyle.Infix("&", cstyle.BitAnd, true, e, cstyle.Integer(mask))
}
