package wgsl

import (
	"fmt"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// array is how a buffer or a shared array is declared.
type array struct {
	name   string
	elem   dtype.Type // of memory, as the kernel sees it
	word   dtype.Type // what is declared of it: 32 bits, or f16
	per    int        // elements in a word
	lanes  int        // words in an element of the declared array: 1, 2 or 4
	atomic bool       // stored to in pieces of words, or by atomic ops
}

// element is the type of the declared array's elements.
func (a *array) element() string {
	if a.atomic {
		return "atomic<" + scalarName(a.word) + ">"
	}
	return typeName(simt.Vector(a.word, a.lanes))
}

// length is how many of them hold n elements of the kernel's array.
func (a *array) length(n int) int { return (n + a.per*a.lanes - 1) / (a.per * a.lanes) }

// words is what an access to a value of some type covers; 0 for a piece of a word.
func (a *array) words(op *simt.Op, t simt.Type) int {
	if op.Packed {
		return t.Width
	}
	return t.Width / a.per
}

// packed is how elements are stored in words.
func packed(e dtype.Type) *array { return &array{elem: e, word: dtype.U32, per: simt.PerWord(e)} }

// SharedBytes is the workgroup memory that the emitted text declares. It
// exceeds k.SharedBytes() where elements of less than 32 bits are shared. Arrays without a
// declaration, of which Emit prints no text, are left out.
func SharedBytes(k *simt.Func) (bytes int) {
	for _, s := range k.Shared {
		if a := sharedArray(s); a.lanes > 0 {
			bytes += a.word.Size() * a.lanes * a.length(s.Len)
		}
	}
	return bytes
}

func bufferArray(b *simt.Buffer) *array {
	word := b.Declared.Type.Elem
	return &array{elem: b.Elem, word: word, per: word.Size() / b.Elem.Size(), lanes: b.Declared.Type.Width, atomic: b.Declared.Atomic}
}

func sharedArray(s *simt.Shared) *array {
	a := &array{elem: s.Elem, word: s.Declared.Type.Elem, per: 1, lanes: s.Declared.Type.Width, atomic: s.Declared.Atomic}
	if s.Elem == dtype.F16 && a.word == dtype.U32 { // for matrices
		a.per = simt.PerWord(s.Elem)
	}
	return a
}

// comment says how elements are stored in words, for readers.
func (a *array) comment() string {
	if a.per == 1 {
		return ""
	}
	return fmt.Sprintf(" // %v, %d in a word", a.elem, a.per)
}
