package lower

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// matrixDot lowers acc + a @ b to matrix instructions.
func (l *lowerer) matrixDot(op *tile.Op, m matrix) {
	acc := l.in(op.Args[2], l.assigned.opAt(op))
	depth := op.Args[0].Type().Shape[1]
	l.note("mma of %v, %d×%d×%d: the %v of a warp's accumulator lie over it by %v", m.elem, pieceRows, pieceColumns, m.step,
		op.Result().Type().Elem, acc.dist)
	if l.matrixGroups(op, m, acc, depth) {
		return
	}
	a, b := l.fragments(op, 0, m, acc.dist), l.fragments(op, 1, m, acc.dist)
	sums := make([]*simt.Value, acc.dist.Size(layout.Register))
	for i := range sums {
		sums[i] = acc.element(l.b, i)
	}
	for k := 0; k < depth; k += m.step {
		if m.split {
			l.splitPieces(acc.dist, k, a, b, sums)
			continue
		}
		for first := 0; first < len(sums); first += 4 {
			at := registerCoord(acc.dist, first)
			x, y := a.piece([]int{at[0], k}, 4), b.piece([]int{k, at[1]}, 2)
			sum := l.b.MMA(m.elem, x, y, l.b.Compose(slices.Clone(sums[first:first+4])...))
			sum.Hint = "acc"
			for i := range 4 {
				sums[first+i] = l.b.Extract(sum, i)
			}
		}
	}
	out := emptyRegs(acc.dist)
	out.fill(l.b, func(register int) *simt.Value { return sums[register] })
	l.tiles[op.Result()] = out
}

// matrixGroups lowers a Dot to products of warpgroups, if it is one for them: the right operand has to be staged, the left one staged, here or before
// a loop, or in registers as instructions take it.
func (l *lowerer) matrixGroups(op *tile.Op, m matrix, acc regs, depth int) bool {
	if !m.inGroups(l.caps, acc.dist, depth) {
		return false
	}
	if m.split {
		return l.splitGroups(op, m, acc, depth)
	}
	var tensors [2]*tensorOperand
	var held [2]regs
	var shapes [2][]int
	names := [2]string{"tile_a", "tile_b"}
	staged, isResident := l.residents[op.Args[0]]
	for which, v := range op.Args[:2] {
		shapes[which] = v.Type().Shape
		if which == 0 && isResident {
			continue
		}
		if tensors[which] = l.tensorOperandOf(names[which], v, m, 1-which); tensors[which] != nil {
			continue
		}
		held[which] = l.in(v, l.assigned.in(l.assigned.stages[op][which]))
		if held[which].dist.Equal(m.operand(which, acc.dist, depth)) {
			if which == 0 {
				continue
			}
			return false
		}
		if !m.takesLines(shapes[which], stagedAlong(held[which].dist, m, 1-which), 1-which) {
			return false
		}
	}
	l.note("by warpgroups: wgmma")
	stage := func(which int) stagedMatrix {
		if t := tensors[which]; t != nil {
			return l.stageTensor(names[which], t, shapes[which], m, 1-which)
		}
		return l.stageMatrix(names[which], held[which], m, 1-which, true)
	}
	var f groupFactors
	f.left = func(row, k int) *simt.Value { return l.groupPlace(staged, shapes[0], k, row, l.groupHeight(acc)) }
	switch {
	case isResident:
	case tensors[0] == nil && held[0].dist.Equal(m.operand(0, acc.dist, depth)):
		f.left = l.heldFragments(held[0], m, 0).left
	default:
		if staged = stage(0); m.wordLines(shapes[0], staged.along, staged.k) {
			f.left, f.loads = l.loadedFragments(staged, m, acc.dist, depth).left, true
		}
	}
	f.right = stage(1)
	l.tiles[op.Result()] = l.groupDot(m, acc, shapes[1], f)
	return true
}

// fragments are the words of an operand that a thread gives to matrix instructions.
type fragments struct {
	l     *lowerer
	first map[[2]int]int                         // words by the coordinate of the first element in thread 0
	words []*simt.Value                          // by number; nil if not loaded yet
	load  func(word int) (at int, x *simt.Value) // loads a word with its neighbours, from one on
	parts map[int][2]*simt.Value                 // of the words of pieces, by the first word
}

// piece is a vector of the n words of an operand's piece, whose first element in thread 0 is at a coordinate.
func (f *fragments) piece(at []int, n int) *simt.Value {
	first := f.loaded(at, n)
	return f.l.b.Compose(slices.Clone(f.words[first : first+n])...)
}

// left is the piece of a left operand that begins at a row and at k of the sums.
func (f *fragments) left(row, k int) *simt.Value { return f.piece([]int{row, k}, 4) }

// loaded loads the n words of a piece, unless they are, and returns the number of the first.
func (f *fragments) loaded(at []int, n int) (first int) {
	first, ok := f.first[[2]int(at)]
	if !ok {
		panic(fmt.Sprintf("no piece at %v", at)) // operand has all pieces of its accumulator
	}
	for i := range n {
		if f.words[first+i] == nil {
			from, x := f.load(first + i)
			for j := range x.Type.Width {
				f.words[from+j] = f.l.b.Extract(x, j)
			}
		}
	}
	return first
}

// fragments brings an operand to where matrix instructions want it.
func (l *lowerer) fragments(op *tile.Op, which int, m matrix, acc layout.Linear) *fragments {
	v := op.Args[which]
	want := m.operand(which, acc, v.Type().Shape[1-which])
	x := l.in(v, l.assigned.in(l.assigned.stages[op][which]))
	if x.dist.Equal(want) {
		return l.heldFragments(x, m, which)
	}
	f := l.newFragments(want, m)
	s := l.stageMatrix("tile_"+operandName(which), x, m, 1-which, false)
	f.load = l.wordLoads(s, want)
	if s.direct(m) {
		f.load = l.matrixLoads(s, want, m)
	}
	return f
}

// newFragments are those of an operand as instructions take it, none of which is loaded yet.
func (l *lowerer) newFragments(want layout.Linear, m matrix) *fragments {
	f := &fragments{l: l, first: map[[2]int]int{}, parts: map[int][2]*simt.Value{}, words: make([]*simt.Value, want.Size(layout.Register)/m.pack)}
	for word := range f.words {
		f.first[[2]int(registerCoord(want, word*m.pack))] = word
	}
	return f
}

// heldFragments are those of an operand that is in registers as instructions take it.
func (l *lowerer) heldFragments(x regs, m matrix, which int) *fragments {
	l.note("operand %s stays in registers", operandName(which))
	f := l.newFragments(x.dist, m)
	for word := range f.words {
		elements := make([]*simt.Value, m.pack)
		for i := range elements {
			elements[i] = x.element(l.b, word*m.pack+i)
		}
		f.words[word] = l.packed(elements, m.elem)
	}
	return f
}

func operandName(which int) string { return "ab"[which : which+1] }

// stagedMatrix is an operand of matrix instructions in shared memory, in its own element type. Rows of it lie along one of
// its dimensions, in chunks of 16 bytes that are exchanged within a row, by the number of the
// row, so that neither the threads that store a row nor those that load a column meet in a bank.
type stagedMatrix struct {
	array *simt.Shared
	at    layout.Linear // from the two coordinates, inputs DimName(0) and DimName(1), to the element's index
	along int           // the dimension of rows
	k     int           // the dimension that is summed over
}

// direct reports whether LoadMatrix reads it: along the sums any elements, across them those of 16 bits.
func (s stagedMatrix) direct(m matrix) bool { return s.along == s.k || m.elem.Size() == 2 }

// stagedAlong is the dimension of the rows in which an operand lies in shared memory: that of its longest runs in
// registers, but bytes lie along the sums.
func stagedAlong(x layout.Linear, m matrix, k int) int {
	wide := accessBytes / m.elem.Size()
	if m.elem.Size() > 1 && len(runs(x, 1-k, wide)[0]) > len(runs(x, k, wide)[0]) {
		return 1 - k
	}
	return k
}

// stageMatrix stores an operand, whose dimension k is summed over, to a shared array of its own, in lines for
// warpgroups or in rows.
func (l *lowerer) stageMatrix(name string, x regs, m matrix, k int, groups bool) stagedMatrix {
	wide, shape := accessBytes/m.elem.Size(), x.dist.Shape()
	s := stagedMatrix{along: stagedAlong(x.dist, m, k), k: k}
	s.array = l.newShared(name, m.elem, shape[0]*shape[1], "operand %s of the product", name[len(name)-1:])
	s.at = swizzledRows(shape, s.along, m.elem.Size(), s.direct(m))
	if groups {
		s.at = groupRows(shape, s.along, m.elem.Size())
	}
	owner, run, idle := l.owner(x.dist), l.newRun(), x.dist.FreeBits(layout.Thread)
	if stores := matrixStoresOf(l.caps, placesIn(s.at, x.dist), m.elem, s.array.Len); stores != nil && !isLoaded(x.vecs[0]) {
		total := l.storeMatrices(s.array, run, stores, x, 0, s.array.Len, 0)
		l.note("%s in rows along dimension %d of %v, by matrices: %d wavefronts to store", name, s.along, m.elem, total)
		return s
	}
	list := l.accesses(s.at, x.dist, m.elem, wide, idle)
	total := 0
	for _, access := range list {
		total += access.cost
		l.storeNarrow(s.array, run, access, x, owner)
	}
	l.note("%s in rows along dimension %d of %v, chunks of 16 bytes exchanged by the row: %d wavefronts to store", name, s.along, m.elem, total)
	return s
}

// storeNarrow stores some registers of a tile in an array of its own element type, in whole words where there are.
func (l *lowerer) storeNarrow(array *simt.Shared, run int, a sharedAccess, r regs, owner *simt.Value) {
	elements := make([]*simt.Value, len(a.registers))
	for i, register := range a.registers {
		elements[i] = r.element(l.b, register)
	}
	var value *simt.Value
	words := simt.PerWord(array.Elem) > 0 && len(elements)*array.Elem.Size() >= registerBytes
	if words {
		value = l.packed(elements, array.Elem)
	} else {
		value = compose(l.b, elements)
	}
	op := l.b.SharedStore(array, run, a.index, value, owner)
	op.Words, op.Cost = words, a.cost
}

// swizzledRows is where the elements of a matrix lie in rows along a dimension: the number of a row changes the number of
// the chunk of 16 bytes within it. Threads that load single words of a row's column read two chunks of it.
func swizzledRows(shape []int, along, size int, direct bool) layout.Linear {
	chunk, width := accessBytes/size, shape[along]
	lines := max(1, bankBytes/(width*size)) // rows that fill all banks
	first := chunk
	if !direct {
		lines, first = 1, 2*chunk
	}
	var bases [2][][]int
	for x := 1; x < width; x *= 2 {
		bases[along] = append(bases[along], []int{x})
	}
	flip := first
	for row := 1; row < shape[1-along]; row *= 2 {
		at := row * width
		if row >= lines && flip < min(width, bankBytes/size) {
			at ^= flip
			flip *= 2
		}
		bases[1-along] = append(bases[1-along], []int{at})
	}
	return matrixPlaces(shape, bases)
}

// matrixPlaces is where the elements of a matrix lie in an array for it, by what each bit of their two coordinates moves them.
func matrixPlaces(shape []int, bases [2][][]int) layout.Linear {
	l, err := layout.NewLinear([]int{shape[0] * shape[1]}, []layout.Input{
		{Name: layout.DimName(0), Bases: bases[0]}, {Name: layout.DimName(1), Bases: bases[1]}})
	if err != nil {
		panic(err) // they all lie in the array
	}
	return l
}

// matrixLoads loads words by LoadMatrix, four at a time where there are.
func (l *lowerer) matrixLoads(s stagedMatrix, want layout.Linear, m matrix) func(word int) (int, *simt.Value) {
	free := 1 - s.k
	packs := len(units(0, 1, m.pack))
	words := want.Bits(layout.Register) - packs
	together := min(2, words) // bits of the words of one load
	rows := units(free, 1, 8)
	if s.along != s.k {
		rows = units(s.k, 1, 8)
	}
	basis := func(bit int) []int { return want.Basis(layout.Register, packs+bit) }
	thread := slices.Clone(rows)
	for bit := range 2 {
		if bit < together {
			thread = append(thread, basis(bit))
		} else { // lanes that name no rows
			thread = append(thread, []int{0, 0})
		}
	}
	for bit := 5; bit < want.Bits(layout.Thread); bit++ {
		thread = append(thread, want.Basis(layout.Thread, bit))
	}
	var register [][]int
	for bit := together; bit < words; bit++ {
		register = append(register, basis(bit))
	}
	places := placesIn(s.at, mustLinear(want.Shape(), register, thread))
	at := l.threadCoord(places, 0)
	return func(word int) (int, *simt.Value) {
		load := word >> together
		v := l.b.LoadMatrix(s.array, l.offset(places, at, load), 1<<together, s.along != s.k)
		v.Op.Cost = l.wavefronts(s.array.Elem, accessBytes/s.array.Elem.Size(), 0, func(thread int) int { return places.Index(load, thread) })
		return load << together, v
	}
}

// wordLoads loads words one by one.
func (l *lowerer) wordLoads(s stagedMatrix, want layout.Linear) func(word int) (int, *simt.Value) {
	places := placesIn(s.at, want)
	at := l.threadCoord(places, 0)
	return func(word int) (int, *simt.Value) {
		cost := l.wavefronts(s.array.Elem, 1, 0, func(thread int) int { return places.Index(word, thread) })
		v := l.sharedLoad(s.array, s.array.Elem, l.offset(places, at, word), 1, cost)
		return word, l.bitsAs(v, dtype.U32)
	}
}

// placesIn is where a distribution's elements lie in an array.
func placesIn(array, dist layout.Linear) layout.Linear {
	places, err := dist.Compose(array, layout.DimName(0), layout.DimName(1))
	if err != nil {
		panic(err) // the array is one of the tile's
	}
	return places
}

// offset joins a register's place to the thread's: bits that the thread decides, too, by exclusive or, the others by a sum,
// which accesses add for nothing.
func (l *lowerer) offset(places layout.Linear, thread *simt.Value, register int) *simt.Value {
	return l.offsetTo(places, thread, places.Index(register, 0))
}

// offsetTo is the same for a given place of a register.
func (l *lowerer) offsetTo(places layout.Linear, thread *simt.Value, c int) *simt.Value {
	decided := 0
	for _, basis := range threadBases(places, 0) {
		decided |= basis
	}
	if c&decided != 0 {
		thread = l.b.Binary(simt.Xor, thread, l.b.Int(c&decided))
	}
	return l.b.Binary(simt.Add, thread, l.b.Int(c&^decided))
}

// packed are elements in words of a type, of which there are whole ones. Words that the elements were taken from are
// taken as they are, and what only rounds to the type is left out.
func (l *lowerer) packed(elements []*simt.Value, e dtype.Type) *simt.Value {
	if simt.PerWord(e) == 0 {
		return l.bitsAs(compose(l.b, elements), dtype.U32)
	}
	var words []*simt.Value
	for part := range slices.Chunk(elements, registerLanes) {
		x := compose(l.b, part)
		switch op := x.Op; {
		case op != nil && op.Kind == simt.Unpack && dtype.Type(op.Index) == e:
			x = op.Args[0]
		case op != nil && op.Kind == simt.Round16 && dtype.Type(op.Index) == e:
			x = l.b.Pack(op.Args[0], e)
		default:
			x = l.b.Pack(x, e)
		}
		for i := range x.Type.Width {
			words = append(words, l.b.Extract(x, i))
		}
	}
	return l.b.Compose(words...)
}
