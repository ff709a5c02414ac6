package lower

import (
	"math/bits"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// Tiles of 16-bit elements that lie over a warp's lanes as matrix instructions leave sums go to shared memory by
// StoreMatrix, the inverse of the loads of operands: one instruction for up to 4 words of a thread. What it takes is a property of where
// the elements go, so that it holds for every distribution and every place: 4 lanes and 2 registers have the 8 elements of a
// row of 16 bytes, the other 8 lanes the rows, and nothing else reaches into a row.

// matrixRow is how many elements a row of a matrix has.
const matrixRow = accessBytes / 2

// matrixStores is how a warp stores the elements of a tile as matrices.
type matrixStores struct {
	pair       int           // the bit of a register's number that chooses between the elements of a word
	words      []int         // the bits that choose between the words of a store
	transposed bool          // words are of elements of two rows
	at         layout.Linear // where the row goes that a thread names; registers are numbered as the tile's are, without the bits above
}

// matrixStoresOf is how the elements of a tile are stored as matrices, given where each goes, in parts of an array of so many elements each; nil
// if they do not lie so.
func matrixStoresOf(caps target.Caps, places layout.Linear, elem dtype.Type, part int) *matrixStores {
	if !caps.StoreMatrix || elem.Size() != 2 || places.Bits(layout.Thread) < bits.Len(simt.WarpThreads-1) || places.FreeBits(layout.Thread) != 0 {
		return nil
	}
	lane := threadBases(places, 0)
	register := make([]int, places.Bits(layout.Register))
	for bit := range register {
		register[bit] = places.BasisAlong(layout.Register, bit, 0)
	}
	s := &matrixStores{pair: -1, transposed: lane[2] == 1 && lane[3] == 2 && lane[4] == 4}
	for bit, basis := range register {
		if s.pair < 0 && (!s.transposed && basis == 1 || s.transposed && basis > 0 && basis < part) {
			s.pair = bit
		}
	}
	if s.pair < 0 || !s.transposed && (lane[0] != 2 || lane[1] != 4) {
		return nil
	}
	rows := [][]int{{lane[2]}, {lane[3]}, {lane[4]}}
	if s.transposed {
		rows = [][]int{{register[s.pair]}, {lane[0]}, {lane[1]}}
	}
	var rest [][]int
	for bit, basis := range register {
		switch {
		case bit == s.pair:
		case basis > 0 && basis < part && len(s.words) < 2:
			s.words, rows = append(s.words, bit), append(rows, []int{basis})
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
		if basis[0]%matrixRow != 0 {
			return nil
		}
	}
	at, err := layout.NewLinear(places.Shape(), []layout.Input{{Name: layout.Register, Bases: rest}, {Name: layout.Thread, Bases: rows}})
	if err != nil {
		panic(err) // the bases are those of the places
	}
	s.at = at
	return s
}

// registers are those of a store's words, in turn, and the register of at that says where they go, given the first of them.
func (s *matrixStores) registers(first int) (list []int, at int) {
	for word := range 1 << len(s.words) {
		register := first
		for i, bit := range s.words {
			register |= word >> i & 1 << bit
		}
		list = append(list, register, register|1<<s.pair)
	}
	to := 0
	for bit := range s.at.Bits(layout.Register) + len(s.words) + 1 {
		if s.chooses()>>bit&1 == 0 {
			at |= first >> bit & 1 << to
			to++
		}
	}
	return list, at
}

// chooses are the bits of a register's number that choose between the elements of a store.
func (s *matrixStores) chooses() int {
	mask := 1 << s.pair
	for _, bit := range s.words {
		mask |= 1 << bit
	}
	return mask
}

// storeMatrices stores the elements of a tile that lie from one place of all to another, in an array from an index on, and
// returns what that costs in wavefronts.
func (l *lowerer) storeMatrices(array *simt.Shared, run int, s *matrixStores, r regs, lo, hi, from int) (cost int) {
	thread, copies := l.threadCoord(s.at, 0), s.at.FreeBits(layout.Register)
	for first := range r.dist.Size(layout.Register) {
		if first&s.chooses() != 0 {
			continue
		}
		registers, row := s.registers(first)
		to := s.at.Index(row, 0)
		if row&copies != 0 || to < lo || to >= hi {
			continue
		}
		words := make([]*simt.Value, len(registers)/2)
		for i := range words {
			words[i] = l.packed([]*simt.Value{r.element(l.b, registers[2*i]), r.element(l.b, registers[2*i+1])}, array.Elem)
		}
		op := l.b.StoreMatrix(array, run, l.offsetTo(s.at, thread, to-lo+from), l.b.Compose(words...), s.transposed)
		op.Cost = l.wavefronts(array.Elem, matrixRow, 0, func(thread int) int { return s.at.Index(row, thread) - lo })
		cost += op.Cost
	}
	return cost
}

// storedTogether is how many registers of a tile one instruction stores in an array of the tile's elements.
func (c *costs) storedTogether(array, dist layout.Linear, elem dtype.Type) int {
	places := placesIn(array, dist)
	if s := matrixStoresOf(c.caps, places, elem, array.Shape()[0]); s != nil {
		return 2 << len(s.words)
	}
	return 1 << len(runBits(places, 0, accessBytes/elem.Size()))
}

// isLoaded reports whether a value is what a load gave, which an asynchronous copy may bring to shared memory.
func isLoaded(v *simt.Value) bool {
	for v.Op != nil && (v.Op.Kind == simt.Unpack || v.Op.Kind == simt.Extract || v.Op.Kind == simt.Compose) {
		v = v.Op.Args[0]
	}
	return v.Op != nil && v.Op.Kind == simt.Load
}
