package mma

import (
	"math/bits"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// Tiles of 16-bit elements that are distributed like the accumulators of matrix instructions go to shared memory by
// StoreMatrix, the inverse of the loads of operands: one instruction for up to 4 words of a thread. What it takes is a property of where
// the elements go, so that it holds for every distribution and every place: 4 lanes and 2 registers have the 8 elements of a
// row of 16 bytes, the other 8 lanes the rows, and nothing else reaches into a row.

// RowElems is how many elements a row of a matrix has.
const RowElems = distribution.AccessBytes / 2

// Stores is how a warp stores the elements of a tile as matrices.
type Stores struct {
	pair       int           // the bit of a register's number that chooses between the elements of a word
	Words      []int         // the bits that choose between the words of a store
	Transposed bool          // words are of elements of two rows
	At         layout.Linear // where the row goes that a thread names; registers are numbered as the tile's are, without the bits above
}

// StoresOf is how the elements of a tile are stored as matrices, given where each goes, in parts of an array of so many elements each; nil
// if they are not distributed like that.
func StoresOf(caps target.Caps, places layout.Linear, elem dtype.Type, part int) *Stores {
	if !caps.StoreMatrix || elem.Size() != 2 || places.Bits(layout.Thread) < bits.Len(simt.WarpThreads-1) || places.FreeBits(layout.Thread) != 0 {
		return nil
	}
	lane := distribution.ThreadBases(places, 0)
	register := make([]int, places.Bits(layout.Register))
	for bit := range register {
		register[bit] = places.BasisAlong(layout.Register, bit, 0)
	}
	s := &Stores{pair: -1, Transposed: lane[2] == 1 && lane[3] == 2 && lane[4] == 4}
	for bit, basis := range register {
		if s.pair < 0 && (!s.Transposed && basis == 1 || s.Transposed && basis > 0 && basis < part) {
			s.pair = bit
		}
	}
	if s.pair < 0 || !s.Transposed && (lane[0] != 2 || lane[1] != 4) {
		return nil
	}
	rows := [][]int{{lane[2]}, {lane[3]}, {lane[4]}}
	if s.Transposed {
		rows = [][]int{{register[s.pair]}, {lane[0]}, {lane[1]}}
	}
	var rest [][]int
	for bit, basis := range register {
		switch {
		case bit == s.pair:
		case basis > 0 && basis < part && len(s.Words) < 2:
			s.Words, rows = append(s.Words, bit), append(rows, []int{basis})
		default:
			rest = append(rest, []int{basis})
		}
	}
	for len(rows) < bits.Len(simt.WarpThreads-1) { // lanes that name no rows
		rows = append(rows, []int{0})
	}
	for _, basis := range lane[len(rows):] {
		rows = append(rows, []int{basis})
	}
	for _, basis := range append(rest[:len(rest):len(rest)], rows...) {
		if basis[0]%RowElems != 0 {
			return nil
		}
	}
	at, err := layout.NewLinear(places.Shape(), []layout.Input{{Name: layout.Register, Bases: rest}, {Name: layout.Thread, Bases: rows}})
	if err != nil {
		panic(err) // the bases are those of the places
	}
	s.At = at
	return s
}

// Registers are the registers of a store's words, in order, and the register of at that says where they are stored, given the first of them.
func (s *Stores) Registers(first int) (list []int, at int) {
	for word := range 1 << len(s.Words) {
		register := first
		for i, bit := range s.Words {
			register |= word >> i & 1 << bit
		}
		list = append(list, register, register|1<<s.pair)
	}
	to := 0
	for bit := range s.At.Bits(layout.Register) + len(s.Words) + 1 {
		if s.Chooses()>>bit&1 == 0 {
			at |= first >> bit & 1 << to
			to++
		}
	}
	return list, at
}

// Chooses are the bits of a register's number that choose between the elements of a store.
func (s *Stores) Chooses() int {
	mask := 1 << s.pair
	for _, bit := range s.Words {
		mask |= 1 << bit
	}
	return mask
}
