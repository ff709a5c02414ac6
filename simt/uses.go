package simt

import (
	"iter"
	"slices"
)

// Uses says where the values of a block, and of the blocks within, are computed and used. Few passes and the printers need that: it is found
// where it is asked for, and knows nothing of later changes.
type Uses struct {
	values Table[valueUses]
	list   []listedUse
}

type valueUses struct {
	block *Block
	first int32 // of the list, counted from 1
	count int32
}

// Use is one operand: of an op in a block.
type Use struct {
	Op    *Op
	Arg   int
	Block *Block
}

type listedUse struct {
	Use
	next int32
}

// UsesIn finds the uses in a block and in the blocks within.
func UsesIn(b *Block) *Uses {
	operands := 0
	Walk(b, func(op *Op) { operands += len(op.Args) })
	u := &Uses{list: make([]listedUse, 0, operands)}
	u.values.Hold(b)
	u.find(b)
	return u
}

// find goes backwards, so that each value's list is in the order of the program.
func (u *Uses) find(b *Block) {
	for _, a := range b.Args {
		u.values.At(a).block = b
	}
	for _, op := range slices.Backward(b.Ops) {
		for _, v := range op.Out {
			u.values.At(v).block = b
		}
		for _, body := range op.Blocks() {
			u.find(body)
		}
		for i, a := range op.Args {
			v := u.values.At(a)
			u.list = append(u.list, listedUse{Use{op, i, b}, v.first})
			v.first, v.count = int32(len(u.list)), v.count+1
		}
	}
}

// Of lists the uses of a value.
func (u *Uses) Of(v *Value) iter.Seq[Use] {
	return func(yield func(Use) bool) {
		for i := u.values.At(v).first; i > 0; i = u.list[i-1].next {
			if !yield(u.list[i-1].Use) {
				return
			}
		}
	}
}

// Count is how many uses a value has.
func (u *Uses) Count(v *Value) int { return int(u.values.At(v).count) }

// Only is the use of a value that has no other.
func (u *Uses) Only(v *Value) (use Use, once bool) {
	if at := u.values.At(v); at.count == 1 {
		return u.list[at.first-1].Use, true
	}
	return Use{}, false
}

// Block is the block whose op or argument a value is, nil if it is not among those that were searched.
func (u *Uses) Block(v *Value) *Block { return u.values.At(v).block }
