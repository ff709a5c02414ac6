package simt

import (
	"fmt"

	"github.com/weftgpu/weft/dtype"
)

// The matrix instructions of a warp of 32 threads, and copies to shared memory that do not
// pass through registers: what target.Caps promises with Matrix and AsyncCopy. All threads
// of a warp execute them together.
//
// An MMA multiplies a matrix a of 16 rows by b of 8 columns, each row of a and each
// column of b being 32 bytes of elements of type Elem, and adds c. With T the thread's number in the
// warp, g = T/4 and t = T%4, and words of 32 bits counted along the bytes that are summed:
//
//	a (u32x4) holds words t of rows g and g+8, then words t+4 of the same rows
//	b (u32x2) holds words t and t+4 of column g
//	c (x4)    holds columns 2t, 2t+1 of row g, then of row g+8
//
// Products of F16 and BF16 are exact and summed in F32, in any order and with less than the rounding of an F32 sum
// prescribes; F32 elements lose all but 10 bits of mantissa; sums of integers wrap in I32.
//
// A LoadMatrix reads 8 rows of 16 bytes for each word of its result from a shared array: thread T names the first
// element of row T%8 of matrix T/8, and word j of its result is word t of row g of matrix
// j. With Transpose it transposes matrices of 16-bit elements: word j then holds element g of rows 2t
// and 2t+1.
//
// A StoreMatrix is the inverse, of elements of 16 bits, which target.Caps promises with StoreMatrix: word j of a thread is word t of row g
// of matrix j, or with Transpose elements g of rows 2t and 2t+1. Thread T names where row T%8 of matrix T/8 goes.
//
// A CopyAsync starts to copy Count elements of a buffer to a shared array, zeros where its mask is false, and a CopyCommit makes
// a group of the copies that a thread started since the last. A CopyWait waits for all groups of
// the thread but the latest Pending; other threads see what they copied after a Barrier that follows.

// WarpThreads is how many threads a warp has.
const WarpThreads = 32

// MMASums is the element type in which an MMA sums products of elements of a type; Invalid if
// there is none for them.
func MMASums(e dtype.Type) dtype.Type {
	return matrixSums[e] // Invalid is the zero value
}

// MMA appends c + a @ b for operands of an element type.
func (b *Builder) MMA(e dtype.Type, x, y, c *Value) *Value {
	v := b.Emit(&Op{Kind: MMA, Elem: e, Args: []*Value{x, y, c}}, c.Type)
	v.Hint = c.Hint
	return v
}

// LoadMatrix appends a load of 1, 2 or 4 words.
func (b *Builder) LoadMatrix(s *Shared, index *Value, words int, transpose bool) *Value {
	v := b.Emit(&Op{Kind: LoadMatrix, Shared: s, Args: []*Value{index}, Transpose: transpose}, Vector(dtype.U32, words))
	v.Hint = s.Name
	return v
}

// StoreMatrix appends a store of 1, 2 or 4 words; disjoint is as of SharedStore.
func (b *Builder) StoreMatrix(s *Shared, disjoint int, index, words *Value, transpose bool) *Op {
	op := &Op{Kind: StoreMatrix, Shared: s, Disjoint: disjoint, Args: []*Value{index, words}, Transpose: transpose}
	b.Do(op)
	return op
}

func checkMMA(op *Op) error {
	sums := MMASums(op.Elem)
	if sums == dtype.Invalid {
		return fmt.Errorf("no products of %v", op.Elem)
	}
	m := op.Instruction()
	words, sum := Vector(dtype.U32, m.A.Held()), Vector(sums, m.C.Held())
	have := [4]Type{op.Args[0].Type, op.Args[1].Type, op.Args[2].Type, op.Result().Type}
	if want := [4]Type{words, Vector(dtype.U32, m.B.Held()), sum, sum}; have != want {
		return fmt.Errorf("matrices are %v instead of %v", have, want)
	}
	return nil
}

func checkLoadMatrix(op *Op) error {
	switch {
	case op.Shared == nil:
		return errNoShared
	case op.Result().Type.Elem != dtype.U32:
		return fmt.Errorf("rows are %v", op.Result().Type)
	case op.Transpose && op.Shared.Elem.Size() != 2:
		return fmt.Errorf("transposition of %v", op.Shared.Elem)
	}
	return checkPlaces(op, 1)
}

func checkStoreMatrix(op *Op) error {
	switch {
	case op.Shared == nil:
		return errNoShared
	case op.Args[1].Type.Elem != dtype.U32 || op.Shared.Elem.Size() != 2:
		return fmt.Errorf("rows of %v are %v", op.Shared.Elem, op.Args[1].Type)
	}
	return checkPlaces(op, 1)
}

func checkCopyAsync(op *Op) error {
	switch {
	case op.Shared == nil:
		return errNoShared
	case op.Buffer == nil || op.Buffer.Write || op.Buffer.Elem != op.Shared.Elem:
		return fmt.Errorf("no buffer that is only read and holds %v", op.Shared.Elem)
	case len(op.Args) < 2 || len(op.Args) > 3:
		return fmt.Errorf("%d operands of a copy", len(op.Args))
	}
	if n := op.Count * op.Buffer.Elem.Size(); n != 4 && n != 8 && n != 16 {
		return fmt.Errorf("copies %d bytes", n)
	}
	return checkPlaces(op, 2)
}
