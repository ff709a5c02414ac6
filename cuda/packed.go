package cuda

import (
	"fmt"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/cstyle"
	"github.com/weftgpu/weft/simt"
)

// unpack takes elements out of words, lowest bits first, by a helper on vectors.
func (w *writer) unpack(e dtype.Type, t simt.Type, words cstyle.Expr) cstyle.Expr {
	from := simt.Vector(dtype.U32, t.Width/simt.PerWord(e))
	lanes := make([]string, t.Width)
	for i := range lanes {
		word, bit := lane("a", from, i/simt.PerWord(e)), i%simt.PerWord(e)*e.Size()*8
		switch high := 32 - bit - e.Size()*8; {
		case e.IsFloat():
			w.memoryType(e, 1)
			half := fmt.Sprintf("%s{(unsigned short)%s}", e, shifted(word, ">>", bit))
			lanes[i] = w.widen(e, 1, cstyle.Atom(half)).Text
		case e.IsSigned(): // the shift back copies the sign
			lanes[i] = fmt.Sprintf("int(%s) >> %d", shifted(word, "<<", high), 32-e.Size()*8)
		case high == 0:
			lanes[i] = fmt.Sprintf("%s >> %d", word, bit)
		default:
			lanes[i] = fmt.Sprintf("%s & %s", shifted(word, ">>", bit), ones(e))
		}
	}
	return w.packing("unpack_"+e.String(), from, t, lanes, words)
}

// unpackPair takes two elements out of 16 bits.
func (w *writer) unpackPair(e dtype.Type, t simt.Type, x cstyle.Expr) cstyle.Expr {
	as := "unsigned char"
	if e.IsSigned() {
		as = "signed char"
	}
	head := fmt.Sprintf("__device__ inline %s unpack_%v(unsigned short a)", w.typeName(t), e)
	w.helpers.add(head, fmt.Sprintf("%s {\n    return {(%[2]s)a, (%[2]s)(a >> 8)};\n}\n", head, as))
	return cstyle.Call("unpack_"+e.String(), x)
}

// pack is the inverse of unpack.
func (w *writer) pack(e dtype.Type, t simt.Type, x cstyle.Expr) cstyle.Expr {
	to := simt.Vector(dtype.U32, t.Width/simt.PerWord(e))
	words := make([]string, to.Width)
	for i := range words {
		parts := make([]string, simt.PerWord(e))
		for j := range parts {
			x := cstyle.Atom(lane("a", t, i*len(parts)+j))
			bits := fmt.Sprintf("(unsigned(%s) & %s)", x.Text, ones(e))
			if e.IsFloat() {
				w.memoryType(e, 1)
				bits = fmt.Sprintf("unsigned(%s.bits)", w.narrow(e, 1, x).Text)
			}
			parts[j] = shifted(bits, "<<", j*e.Size()*8)
		}
		words[i] = strings.Join(parts, " | ")
	}
	return w.packing("pack_"+e.String(), t, to, words, x)
}

// pairFMA multiplies and adds pairs of floats by one instruction (PTX ISA, "Half Precision Floating Point Instructions: fma").
func (w *writer) pairFMA(e dtype.Type, args []cstyle.Expr) cstyle.Expr {
	name := "pair_fma_" + e.String()
	head := fmt.Sprintf("__device__ inline unsigned %s(unsigned a, unsigned b, unsigned c)", name)
	w.helpers.add(head, fmt.Sprintf("%s {\n    unsigned x;\n    asm(\"fma.rn.%sx2 %%0, %%1, %%2, %%3;\" : \"=r\"(x) : \"r\"(a), \"r\"(b), \"r\"(c));\n    return x;\n}\n", head, e))
	return cstyle.Call(name, args...)
}

// pickBytes is one instruction (PTX ISA, "Integer Arithmetic Instructions: prmt"). Of two words that are a table one has to be in a register: from what ptxas knows to
// be constant it would copy that for each use.
func (w *writer) pickBytes(op *simt.Op, args []cstyle.Expr) cstyle.Expr {
	_, isTable := simt.ConstOf(op.Args[0])
	if _, also := simt.ConstOf(op.Args[1]); isTable && also {
		args[0] = w.tableWord(args[0])
	}
	const head = "__device__ inline unsigned pick_bytes(unsigned a, unsigned b, unsigned c)"
	w.helpers.add(head, head+" {\n    unsigned x;\n    asm(\"prmt.b32 %0, %1, %2, %3;\" : \"=r\"(x) : \"r\"(a), \"r\"(b), \"r\"(c));\n    return x;\n}\n")
	return cstyle.Call("pick_bytes", args...)
}

// tableWord is a word that ptxas does not know, and keeps.
func (w *writer) tableWord(x cstyle.Expr) cstyle.Expr {
	const head = "__device__ inline unsigned table_word(unsigned a)"
	w.helpers.add(head, head+" {\n    return a ^ threadIdx.y; // 0, which ptxas cannot know\n}\n")
	return cstyle.Call("table_word", x)
}

// andXor is one instruction (PTX ISA, "Logic and Shift Instructions: lop3"), where ptxas makes two of operators with two constants.
func (w *writer) andXor(args []cstyle.Expr) cstyle.Expr {
	const head = "__device__ inline unsigned put_bits(unsigned a, unsigned b, unsigned c)"
	w.helpers.add(head, head+" {\n    unsigned x;\n    asm(\"lop3.b32 %0, %1, %2, %3, 0x6a;\" : \"=r\"(x) : \"r\"(a), \"r\"(b), \"r\"(c));\n    return x;\n}\n")
	return cstyle.Call("put_bits", args...)
}

// packing declares and calls a helper that makes a register of its lanes.
func (w *writer) packing(name string, from, to simt.Type, lanes []string, x cstyle.Expr) cstyle.Expr {
	value := strings.Join(lanes, ", ")
	if to.Width > 1 {
		value = "{" + value + "}"
	}
	head := fmt.Sprintf("__device__ inline %s %s(%s a)", w.typeName(to), name, w.typeName(from))
	w.helpers.add(head, fmt.Sprintf("%s {\n    return %s;\n}\n", head, value))
	return cstyle.Call(name, x)
}

// ones is a word with the bits of an element.
func ones(e dtype.Type) string { return fmt.Sprintf("%#x", 1<<(8*e.Size())-1) }

func lane(name string, t simt.Type, i int) string {
	if t.Width == 1 {
		return name
	}
	return name + "." + cstyle.Lane(i)
}

func shifted(x, by string, bits int) string {
	if bits == 0 {
		return x
	}
	return fmt.Sprintf("(%s %s %d)", x, by, bits)
}
