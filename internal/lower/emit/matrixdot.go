package emit

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/assign"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/memory"
	"github.com/weftgpu/weft/internal/lower/mma"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// matrixDot lowers acc + a @ b to matrix instructions.
func (l *emitter) matrixDot(op *tile.Op, m mma.Product) {
	acc := l.in(op.Args[2], l.assigned.OpAt(op))
	depth := mma.Depth(op.Args[0].Type().Shape, 0)
	l.note("mma of %v, %d×%d×%d: an accumulator of %v distributed as %v", m.Elem, m.Rows, m.Columns, m.Step(),
		op.Result().Type().Elem, acc.dist)
	if l.matrixGroups(op, m, acc, depth) {
		return
	}
	a, b := l.fragments(op, 0, m, acc.dist), l.fragments(op, 1, m, acc.dist)
	sums := acc.elements(l.b)
	for k := 0; k < depth; k += m.Step() {
		if m.Split {
			l.splitPieces(m, acc.dist, k, a, b, sums)
			continue
		}
		for first := 0; first < len(sums); first += m.C.Held() {
			at := matrixCoord(acc.dist, first)
			x, y := a.piece([]int{at[0], k}), b.piece([]int{k, at[1]})
			sum := l.b.MMA(m.Elem, x, y, l.b.Compose(slices.Clone(sums[first:first+m.C.Held()])...))
			sum.Hint = "acc"
			for i := range m.C.Held() {
				sums[first+i] = l.b.Extract(sum, i)
			}
		}
	}
	l.tiles[op.Result()] = l.holding(acc.dist, sums)
}

// matrixGroups lowers a Dot to products of warpgroups, if it is one for them: the right operand has to be staged, the left one staged, here or before
// a loop, or in registers as instructions take it.
func (l *emitter) matrixGroups(op *tile.Op, m mma.Product, acc regs, depth int) bool {
	if !m.ByWarpgroups(l.caps, acc.dist, depth) {
		return false
	}
	if m.Split {
		return l.splitGroups(op, m, acc, depth)
	}
	var tensors [2]*memory.TensorOperand
	var held [2]regs
	var shapes [2][]int
	names := [2]string{"tile_a", "tile_b"}
	staged, isInvariant := l.invariants[op.Args[0]]
	for which, v := range op.Args[:2] {
		shapes[which] = v.Type().Shape
		if which == 0 && isInvariant {
			continue
		}
		if tensors[which] = l.tensorOperand(names[which], which, m); tensors[which] != nil {
			continue
		}
		held[which] = l.in(v, l.assigned.In(l.assigned.Stages[op][which]))
		if held[which].dist.Equal(m.Operand(which, acc.dist, depth)) {
			if which == 0 {
				continue
			}
			return false
		}
		if !m.TakesLines(shapes[which], mma.StagedAlong(held[which].dist, m, 1-which), 1-which) {
			return false
		}
	}
	l.note("by warpgroups: wgmma")
	within := l.assigned.Costs.Within
	f := groupFactors{
		depth:   multipleOf(m.Step(), max(within(op.Args[0], 1), within(op.Args[1], 0))),
		columns: multipleOf(simt.WarpgroupMMA.Columns, within(op.Args[1], 1)),
	}
	stage := func(which int) stagedMatrix {
		if t := tensors[which]; t != nil {
			columns := 0
			if which == 1 && len(t.Blocks) == 1 { // nor are others copied
				columns = f.columns
			}
			return l.stageTensor(names[which], t, shapes[which], m, 1-which, columns)
		}
		return l.stageMatrix(names[which], held[which], m, 1-which, true)
	}
	f.left = func(row, k int) *simt.Value { return l.groupPlace(staged, shapes[0], k, row, l.groupHeight(acc)) }
	switch {
	case isInvariant:
	case tensors[0] == nil && held[0].dist.Equal(m.Operand(0, acc.dist, depth)):
		if f.left = l.heldFragments(held[0], m, 0).left; convertsInSteps(op, m.Elem.Size()) {
			f.step = max(m.Step(), depth/convertedSteps)
		}
	default:
		if staged = stage(0); m.LoadsWords(shapes[0], staged.along, staged.k) {
			f.left, f.step = l.loadedFragments(staged, m, acc.dist, depth).left, m.Step()
		}
	}
	f.right = stage(1)
	l.tiles[op.Result()] = l.groupDot(m, acc, shapes[1], f)
	return true
}

// fragments are the words of an operand that a thread gives to matrix instructions.
type fragments struct {
	l     *emitter
	held  int                                    // words of a piece
	first map[[2]int]int                         // words by the coordinate of the first element in thread 0
	words []*simt.Value                          // by number; nil if not loaded yet
	load  func(word int) (at int, x *simt.Value) // loads a word with its neighbours, from one on
	parts map[int][2]*simt.Value                 // of the words of pieces, by the first word
}

// piece is a vector of the words of an operand's piece, whose first element in thread 0 is at a coordinate.
func (f *fragments) piece(at []int) *simt.Value {
	first := f.loaded(at)
	return f.l.b.Compose(slices.Clone(f.words[first : first+f.held])...)
}

// left is the piece of a left operand that begins at a row and at k.
func (f *fragments) left(row, k int) *simt.Value { return f.piece([]int{row, k}) }

// loaded loads the words of a piece, unless they are, and returns the number of the first.
func (f *fragments) loaded(at []int) (first int) {
	first, ok := f.first[[2]int(at)]
	if !ok {
		panic(fmt.Sprintf("no piece at %v", at)) // operand has all pieces of its accumulator
	}
	for i := range f.held {
		if f.words[first+i] == nil {
			from, x := f.load(first + i)
			for j := range x.Type.Width {
				f.words[from+j] = f.l.b.Extract(x, j)
			}
		}
	}
	return first
}

// fragments brings an operand to the layout that matrix instructions take.
func (l *emitter) fragments(op *tile.Op, which int, m mma.Product, acc layout.Linear) *fragments {
	v := op.Args[which]
	required := m.Operand(which, acc, mma.Depth(v.Type().Shape, which))
	if mma.Batched(required.Shape()) {
		return l.heldFragments(l.in(v, required), m, which)
	}
	x := l.in(v, l.assigned.In(l.assigned.Stages[op][which]))
	if x.dist.Equal(required) {
		return l.heldFragments(x, m, which)
	}
	f := l.newFragments(required, m, which)
	s := l.stageMatrix("tile_"+operandName(which), x, m, 1-which, false)
	f.load = l.wordLoads(s, required)
	if s.direct(m) {
		f.load = l.matrixLoads(s, required, m)
	}
	return f
}

// newFragments are those of an operand as instructions take it, none of which is loaded yet.
func (l *emitter) newFragments(required layout.Linear, m mma.Product, which int) *fragments {
	f := &fragments{l: l, held: []simt.Fragment{m.A, m.B}[which].Held(), first: map[[2]int]int{}, parts: map[int][2]*simt.Value{}, words: make([]*simt.Value, required.Size(layout.Register)/m.Pack())}
	for word := range f.words {
		f.first[[2]int(matrixCoord(required, word*m.Pack()))] = word
	}
	return f
}

// heldFragments are those of an operand that is in registers as instructions take it.
func (l *emitter) heldFragments(x regs, m mma.Product, which int) *fragments {
	l.note("operand %s stays in registers", operandName(which))
	f := l.newFragments(x.dist, m, which)
	f.load = func(word int) (int, *simt.Value) {
		elements := make([]*simt.Value, m.Pack())
		for i := range elements {
			elements[i] = x.element(l.b, word*m.Pack()+i)
		}
		return word, l.packed(elements, m.Elem)
	}
	return f
}

// matrixCoord is where a register of thread 0 is in a matrix, the first one of a batch.
func matrixCoord(dist layout.Linear, register int) []int {
	at := distribution.RegisterCoord(dist, register)
	return at[len(at)-2:]
}

// convertedSteps are in how many steps along K an operand is multiplied that threads convert: those of one while warpgroups multiply by the one before.
const convertedSteps = 4

// convertsInSteps reports whether the left operand of a product is computed element by element, from no other product, from what is loaded as elements of fewer bytes than size, and either scaled or
// multiplied for sums that are scaled after.
func convertsInSteps(dot *tile.Op, size int) bool {
	c := conversion{size: size, seen: map[*tile.Op]bool{}}
	converted, scaled := c.of(dot.Args[0])
	if sums := dot.Args[2].Op(); sums != nil && sums.Kind != tile.OpDot {
		scaled = sums.Kind == tile.OpConst
	}
	return converted && scaled && !c.multiplies
}

// conversion looks for what is loaded as elements of fewer bytes than size.
type conversion struct {
	size       int
	seen       map[*tile.Op]bool
	multiplies bool // there is another product
}

// of reports whether a value is computed from it element by element, and whether it is multiplied on the way.
func (c *conversion) of(v *tile.Value) (converted, scaled bool) {
	op := v.Op()
	if op == nil || c.seen[op] {
		return false, false
	}
	c.seen[op] = true
	class := op.Kind.Fact().Class
	switch {
	case op.Kind == tile.OpLoad:
		return op.View.Elem.Size() < c.size, false
	case class == tile.Matrix:
		c.multiplies = true
		return false, false
	case op.Kind != tile.OpJoin && (class < tile.Unary || class > tile.Ternary) && !assign.Propagations[op.Kind].View:
		return false, false
	}
	for _, arg := range op.Args {
		from, times := c.of(arg)
		converted, scaled = converted || from, scaled || times
	}
	return converted, scaled || converted && op.Kind == tile.OpMul
}

func operandName(which int) string { return "ab"[which : which+1] }

// stagedMatrix is an operand of matrix instructions in shared memory, in its own element type. Its rows are along one of
// its dimensions, with an XOR swizzle of 16-byte chunks by the number of the
// row, so that neither the threads that store a row nor those that load a column have bank conflicts.
type stagedMatrix struct {
	array *simt.Shared
	at    layout.Linear // from the two coordinates, inputs DimName(0) and DimName(1), to the element's index
	along int           // the dimension of rows
	k     int           // the dimension that is summed over
}

// direct reports whether LoadMatrix reads it: any K-major elements, and MN-major ones of 16 bits.
func (s stagedMatrix) direct(m mma.Product) bool { return s.along == s.k || m.Elem.Size() == 2 }

// stageMatrix stores an operand, whose dimension k is summed over, to a shared array of its own, in lines for
// warpgroups or in rows.
func (l *emitter) stageMatrix(name string, x regs, m mma.Product, k int, groups bool) stagedMatrix {
	wide, shape := distribution.AccessBytes/m.Elem.Size(), x.dist.Shape()
	s := stagedMatrix{along: mma.StagedAlong(x.dist, m, k), k: k}
	s.array = l.newShared(name, m.Elem, shape[0]*shape[1], "operand %s of the product", name[len(name)-1:])
	s.at = distribution.SwizzledRows(shape, s.along, m.Elem.Size(), s.direct(m))
	if groups {
		s.at = distribution.Swizzled128(shape, s.along, m.Elem.Size())
	}
	owner, run, idle := l.owner(x.dist), l.newSet(), x.dist.FreeBits(layout.Thread)
	if stores := mma.StoresOf(l.caps, distribution.Offsets(s.at, x.dist), m.Elem, s.array.Len); stores != nil && !isLoaded(x.vecs[0]) {
		total := l.storeMatrices(s.array, run, stores, x, 0, s.array.Len, 0)
		l.note("%s in rows along dimension %d of %v, by matrices: %d wavefronts to store", name, s.along, m.Elem, total)
		return s
	}
	list := l.accesses(s.at, x.dist, m.Elem, wide, idle)
	total := 0
	for _, access := range list {
		total += access.cost
		l.storeNarrow(s.array, run, access, x, owner)
	}
	l.note("%s in rows along dimension %d of %v, with an XOR swizzle of 16-byte chunks: %d wavefronts to store", name, s.along, m.Elem, total)
	return s
}

// storeNarrow stores some registers of a tile in an array of its own element type, in whole words where there are.
func (l *emitter) storeNarrow(array *simt.Shared, run int, a sharedAccess, r regs, owner *simt.Value) {
	elements := make([]*simt.Value, len(a.registers))
	for i, register := range a.registers {
		elements[i] = r.element(l.b, register)
	}
	var value *simt.Value
	words := simt.PerWord(array.Elem) > 0 && len(elements)*array.Elem.Size() >= distribution.RegisterBytes
	if words {
		value = l.packed(elements, array.Elem)
	} else {
		value = compose(l.b, elements)
	}
	op := l.b.SharedStore(array, run, a.index, value, owner)
	op.Packed, op.Cost = words, a.cost
}

// matrixLoads loads words by LoadMatrix, four at a time where there are.
func (l *emitter) matrixLoads(s stagedMatrix, required layout.Linear, m mma.Product) func(word int) (int, *simt.Value) {
	free := 1 - s.k
	packs := len(distribution.Units(0, 1, m.Pack()))
	words := required.Bits(layout.Register) - packs
	together := min(2, words) // bits of the words of one load
	rows := distribution.Units(free, 1, 8)
	if s.along != s.k {
		rows = distribution.Units(s.k, 1, 8)
	}
	thread := slices.Clone(rows)
	for bit := range 2 {
		if bit < together {
			thread = append(thread, required.Basis(layout.Register, packs+bit))
		} else { // lanes that name no rows
			thread = append(thread, []int{0, 0})
		}
	}
	thread = append(thread, bases(required, layout.Thread)[len(m.A.Threads):]...)
	register := bases(required, layout.Register)[packs+together:]
	places := distribution.Offsets(s.at, distribution.MustLinear(required.Shape(), register, thread))
	at := l.threadCoord(places, 0)
	return func(word int) (int, *simt.Value) {
		load := word >> together
		v := l.b.LoadMatrix(s.array, l.offset(places, at, load), 1<<together, s.along != s.k)
		v.Op.Cost = l.wavefronts(s.array.Elem, distribution.AccessBytes/s.array.Elem.Size(), 0, func(thread int) int { return places.Index(load, thread) })
		return load << together, v
	}
}

// wordLoads loads words one by one.
func (l *emitter) wordLoads(s stagedMatrix, required layout.Linear) func(word int) (int, *simt.Value) {
	places := distribution.Offsets(s.at, required)
	at := l.threadCoord(places, 0)
	return func(word int) (int, *simt.Value) {
		cost := l.wavefronts(s.array.Elem, 1, 0, func(thread int) int { return places.Index(word, thread) })
		v := l.sharedLoad(s.array, s.array.Elem, l.offset(places, at, word), 1, cost)
		return word, l.bitsAs(v, dtype.U32)
	}
}

// offset joins a register's place to the thread's: bits that the thread decides, too, by exclusive or, the others by a sum,
// which accesses add for nothing.
func (l *emitter) offset(places layout.Linear, thread *simt.Value, register int) *simt.Value {
	return l.offsetTo(places, thread, places.Index(register, 0))
}

// offsetTo is the same for a given place of a register.
func (l *emitter) offsetTo(places layout.Linear, thread *simt.Value, c int) *simt.Value {
	decided := 0
	for _, basis := range distribution.ThreadBases(places, 0) {
		decided |= basis
	}
	if c&decided != 0 {
		thread = l.b.Binary(simt.Xor, thread, l.b.Int(c&decided))
	}
	return l.b.Binary(simt.Add, thread, l.b.Int(c&^decided))
}

// packed are elements in words of a type, of which there are whole ones. Words that the elements were taken from are
// taken as they are, and what only rounds to the type is left out.
func (l *emitter) packed(elements []*simt.Value, e dtype.Type) *simt.Value {
	if simt.PerWord(e) == 0 {
		return l.bitsAs(compose(l.b, elements), dtype.U32)
	}
	var words []*simt.Value
	for part := range slices.Chunk(elements, distribution.RegisterLanes) {
		if pairs := l.integerPairs(part, e); pairs != nil {
			words = append(words, pairs...)
			continue
		}
		if halves := l.halves(part, e); halves != nil {
			words = append(words, halves...)
			continue
		}
		x := compose(l.b, unrounded(part, e))
		switch op := x.Op; {
		case op != nil && op.Kind == simt.Unpack && op.Elem == e:
			x = op.Args[0]
		case op != nil && op.Kind == simt.Round16 && op.Elem == e:
			x = l.b.Pack(op.Args[0], e)
		default:
			x = l.b.Pack(x, e)
		}
		words = append(words, l.lanes(x)...)
	}
	return l.b.Compose(words...)
}

// halves are the words of elements of a type of 16 bits that are all halves of other words, of which they are no whole vector; else nil.
func (l *emitter) halves(elements []*simt.Value, e dtype.Type) (words []*simt.Value) {
	if l.caps.Language != target.CUDA || e.Size() != 2 || len(elements)%2 != 0 {
		return nil
	}
	inPlace := true
	for i := 0; i < len(elements); i += 2 {
		x, m, isHalf := l.half(elements[i], e)
		y, n, also := l.half(elements[i+1], e)
		if !isHalf || !also {
			return nil
		}
		if x == y && m == 0 && n == 1 {
			words = append(words, x)
			continue
		}
		inPlace = false
		words = append(words, l.b.PickBytes(x, y, l.constantWord(uint32(0x10+0x22*m|(0x54+0x22*n)<<8))))
	}
	if !inPlace {
		return words
	}
	if x := compose(l.b, unrounded(elements, e)); x.Op != nil && x.Op.Kind == simt.Unpack && x.Op.Elem == e {
		return nil // a whole vector of words
	}
	return words
}

// half is the word, and which half of it, that an element of a type of 16 bits is taken from, if it is one.
func (l *emitter) half(v *simt.Value, e dtype.Type) (word *simt.Value, half int, ok bool) {
	v, i := simt.LaneOf(v, 0)
	if v.Op != nil && v.Op.Kind == simt.Round16 && v.Op.Elem == e {
		v, i = simt.LaneOf(v.Op.Args[0], i)
	}
	if v.Op == nil || v.Op.Kind != simt.Unpack || v.Op.Elem != e {
		return nil, 0, false
	}
	return l.b.Extract(v.Op.Args[0], i/2), i % 2, true
}

// unrounded are elements before they were rounded to a type, if all were, one by one.
func unrounded(elements []*simt.Value, e dtype.Type) []*simt.Value {
	before := make([]*simt.Value, len(elements))
	for i, v := range elements {
		if v.Op == nil || v.Op.Kind != simt.Round16 || v.Op.Elem != e || v.Type.Width > 1 {
			return elements
		}
		before[i] = v.Op.Args[0]
	}
	return before
}

// multipleOf is the least multiple of step that is not below n, and not 0.
func multipleOf(step, n int) int { return max(n+step-1, step) / step * step }
