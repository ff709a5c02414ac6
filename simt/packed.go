package simt

import (
	"encoding/binary"
	"fmt"

	"github.com/weftgpu/weft/dtype"
)

// Elements of less than 32 bits travel in words where an access covers more of them than
// a register vector holds: a load or store of Words, and an Unpack or Pack of it.

// PerWord is how many elements of a memory type one word of 32 bits holds, 0 for types
// that are not packed.
func PerWord(e dtype.Type) int {
	switch e {
	case dtype.F16, dtype.BF16, dtype.I8, dtype.U8, dtype.I16, dtype.U16:
		return 4 / e.Size()
	}
	return 0
}

// BufferAlign is what the memory of a buffer begins at a multiple of, and is a multiple of, in bytes, whatever elements it has: a load of Words may
// reach beyond the last of them.
const BufferAlign = 16

// FillWord is a word of elements that are all x.
func FillWord(e dtype.Type, x float64) uint32 {
	var b [4]byte
	values := make([]float64, PerWord(e))
	for i := range values {
		values[i] = x
	}
	dtype.PutFloats(e, b[:], values)
	return binary.LittleEndian.Uint32(b[:])
}

// Padded is the memory of a buffer of so many bytes.
func Padded(n int) int { return (n + BufferAlign - 1) &^ (BufferAlign - 1) }

// LoadWords appends a masked (mask may be nil) load of packed words; fill is a word.
func (b *Builder) LoadWords(buf *Buffer, index, mask *Value, words int, fill uint32) *Value {
	op := &Op{Kind: Load, Buffer: buf, Args: []*Value{index}, Packed: true}
	op.mask(mask, float64(fill))
	v := b.Emit(op, Vector(dtype.U32, words))
	v.Hint = buf.Name
	return v
}

// LoadBits appends a masked (mask may be nil) load of one float of 16 bits, as the lower half of a word, and so is fill. Unpack has it as the first element.
func (b *Builder) LoadBits(buf *Buffer, index, mask *Value, fill uint32) *Value {
	op := &Op{Kind: Load, Buffer: buf, Args: []*Value{index}}
	op.mask(mask, float64(fill))
	v := b.Emit(op, Scalar(dtype.U32))
	v.Hint = buf.Name
	return v
}

// LoadsBits reports whether an op is a load of LoadBits: not of a float, but of its bits.
func (op *Op) LoadsBits() bool {
	return op.Kind == Load && !op.Packed && op.Buffer != nil && op.Buffer.Elem.IsFloat() && op.Buffer.Elem.Size() == 2 && op.Result().Type == Scalar(dtype.U32)
}

// SharedLoadWords appends a load of packed words from a shared array.
func (b *Builder) SharedLoadWords(s *Shared, index *Value, words int) *Value {
	v := b.Emit(&Op{Kind: SharedLoad, Shared: s, Args: []*Value{index}, Packed: true}, Vector(dtype.U32, words))
	v.Hint = s.Name
	return v
}

// StoreWords appends a masked (mask may be nil) store of packed words and returns it.
func (b *Builder) StoreWords(buf *Buffer, index, words, mask *Value) *Op {
	op := b.Store(buf, index, words, mask)
	op.Packed = true
	return op
}

// Unpack appends the elements of a type that words hold.
func (b *Builder) Unpack(words *Value, e dtype.Type) *Value {
	t := Vector(Register(e), words.Type.Width*PerWord(e))
	return b.Emit(&Op{Kind: Unpack, Args: []*Value{words}, Elem: e}, t)
}

// Pack appends words that hold a vector's elements as a type of memory.
func (b *Builder) Pack(x *Value, e dtype.Type) *Value {
	t := Vector(dtype.U32, x.Type.Width/PerWord(e))
	return b.Emit(&Op{Kind: Pack, Args: []*Value{x}, Elem: e}, t)
}

func checkPacked(op *Op) error {
	e := op.Elem
	n := PerWord(e)
	if n == 0 {
		return fmt.Errorf("words do not hold %v", e)
	}
	words, elements := op.Args[0].Type, op.Result().Type
	if op.Kind == Pack {
		words, elements = elements, words
	}
	if words.Elem != dtype.U32 || elements != (Vector(Register(e), words.Width*n)) {
		return fmt.Errorf("%v in %v as %v", elements, words, e)
	}
	return nil
}

// PairFMA appends a*b + c of the pairs of floats that words hold.
func (b *Builder) PairFMA(e dtype.Type, x, y, z *Value) *Value {
	return b.Emit(&Op{Kind: PairFMA, Args: []*Value{x, y, z}, Elem: e}, x.Type)
}

func checkPairs(op *Op) error {
	if op.Elem != dtype.F16 && op.Elem != dtype.BF16 {
		return fmt.Errorf("pairs of %v, want f16 or bf16", op.Elem)
	}
	for _, v := range append(op.Args[:3:3], op.Result()) {
		if v.Type != Scalar(dtype.U32) {
			return fmt.Errorf("%v holds no pair, want u32", v.Type)
		}
	}
	return nil
}

// PickBytes appends the bytes of two words that the lowest four hexadecimal digits of a third word number, each below 8.
func (b *Builder) PickBytes(low, high, digits *Value) *Value {
	return b.Emit(&Op{Kind: PickBytes, Args: []*Value{low, high, digits}}, low.Type)
}

// AndXor appends x & mask ^ y of words.
func (b *Builder) AndXor(x, mask, y *Value) *Value {
	return b.Emit(&Op{Kind: AndXor, Args: []*Value{x, mask, y}}, x.Type)
}

func checkBytes(op *Op) error {
	for _, v := range append(op.Args[:3:3], op.Result()) {
		if v.Type != Scalar(dtype.U32) {
			return fmt.Errorf("bytes of %v, want u32", v.Type)
		}
	}
	return nil
}

// checkWords verifies an access to packed words.
func checkWords(value Type, elem dtype.Type) error {
	if PerWord(elem) == 0 || value.Elem != dtype.U32 {
		return fmt.Errorf("words are %v, memory is not packed so", value)
	}
	return nil
}
