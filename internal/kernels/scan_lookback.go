package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// lookBack combines what stands before a program's part of a row while all programs run, so that x is read once: see Merrill and Garland, "Single-pass
// Parallel Prefix Scan with Decoupled Look-back" (2016). Programs store the state of their part as soon as they have it. A row's parts are in groups of
// cfg.Group, and groups in groups of as many. The last program of a group stores the state of the group, and the last one of a group of groups that of
// all parts so far, for which it waits for the one before. So a program waits for the parts of its group, for the groups of its group of groups, and for
// one state more. What a program combines, and in which pairs, depends on its number alone, so that the order of additions is the same in every run.
//
// Programs take their numbers by an atomic op: those that a program waits for have begun, whatever the order in which a device starts programs, and
// none of them waits for a later one.
//
// A state is stored in words of which each has 16 bits of it and a bit that says that it is there. So no word orders accesses of others, and
// relaxed atomic ops are enough. All words are zero when a launch begins.
type lookBack struct {
	words        *tile.View
	lines, parts *tile.Value // tiles of rows, parts of each
	line, part   *tile.Value // the program's
	level        [3]stateWords
}

const (
	lookBackHead  = 32 // words before the states, the first of which counts programs, which is a cache line of its own
	lookBackHalf  = 16 // bits of a state in a word
	lookBackThere = 1 << lookBackHalf
)

// LookBackWords is the number of words for so many tiles of rows in so many parts each.
func (cfg ScanConfig) LookBackWords(lines, parts int) int {
	groups := CeilDiv(parts, cfg.Group)
	return lookBackHead + cfg.halves()*cfg.Rows*lines*(parts+groups+CeilDiv(groups, cfg.Group))
}

// halves is the number of words of a state.
func (cfg ScanConfig) halves() (n int) {
	for _, slot := range Reducers[cfg.Op].States(cfg.Elem) {
		n += 8 * slot.Elem.Size() / lookBackHalf
	}
	return n
}

// newLookBack declares a grid of a program for each part of each tile of rows and returns the coordinates of this program's tile. Parts of different rows have
// consecutive numbers, so that few programs wait for those next to them where there are several rows.
func newLookBack(k *tile.Builder, cfg ScanConfig, words, out *tile.View) (*lookBack, []tile.Operand) {
	axis, block := cfg.Axis(), cfg.block(cfg.Cols)
	l := &lookBack{words: words, lines: k.Int(1), parts: k.CDiv(out.Dim(axis), cfg.Cols)}
	counts := make([]*tile.Value, cfg.Rank)
	for d := range counts {
		if d != axis {
			counts[d] = k.CDiv(out.Dim(d), block[d])
			l.lines = l.lines.Mul(counts[d])
		}
	}
	all := l.lines.Mul(l.parts)
	k.Grid(all)
	number := words.At(0).AtomicAdd(1).Cast(weft.I32)
	k.Assume(number.Ge(0).And(number.Lt(all)))
	l.line, l.part = number.Rem(l.lines), number.Div(l.lines)
	at, rest := make([]tile.Operand, cfg.Rank), l.line
	for d := cfg.Rank - 1; d >= 0; d-- {
		if d != axis {
			at[d], rest = rest.Rem(counts[d]), rest.Div(counts[d])
		}
	}
	count, from := l.parts, k.Int(lookBackHead)
	for i := range l.level {
		states := l.lines.Mul(count).Mul(cfg.Rows)
		l.level[i] = stateWords{cfg.Rows, l.line.Mul(count).Mul(cfg.Rows).Add(from), states}
		from, count = states.Mul(cfg.halves()).Add(from), k.CDiv(count, cfg.Group)
	}
	at[axis] = l.part
	if cfg.Reverse {
		at[axis] = l.parts.Sub(1).Sub(l.part)
	}
	return l, at
}

// once describes a program that has one part of a row.
func (s *scan) once(l *lookBack, store func([]*tile.Value)) {
	s.e.loadValue(s.r)
	here := s.r.lift(*s.e)
	sum := s.r.gather(*s.e, here, s.axes)
	s.publish(l, l.level[0].plus(l.part), sum)
	scanned := s.scan(here) // while others store theirs

	group, inGroup := l.part.Div(s.cfg.Group), l.part.Rem(s.cfg.Group)
	super, inSuper := group.Div(s.cfg.Group), group.Rem(s.cfg.Group)
	before := s.first(l, l.level[0].plus(l.part.Sub(inGroup)), inGroup)
	endsGroup := inGroup.Eq(s.cfg.Group - 1)
	s.k.If(endsGroup, func() { s.publish(l, l.level[1].plus(group), s.r.combine(before, sum)) })
	before = s.more(inSuper, before, func() []*tile.Value { return s.first(l, l.level[1].plus(group.Sub(inSuper)), inSuper) })
	before = s.more(super, before, func() []*tile.Value { return s.wait(l, l.level[2].plus(super.Sub(1)), 1, nil) })
	s.k.If(endsGroup.And(inSuper.Eq(s.cfg.Group-1)), func() { s.publish(l, l.level[2].plus(super), s.r.combine(before, sum)) })
	store(s.r.combine(before, scanned))
}

// first combines the first n of a group of states, for which it waits.
func (s *scan) first(l *lookBack, at stateWords, n *tile.Value) []*tile.Value {
	axis, group := s.cfg.Axis(), s.cfg.Group
	states, nothing := s.wait(l, at, group, n), s.nothing(group)
	counts := s.k.Iota(axis, s.shape(group)...).Lt(n)
	for i := range states {
		states[i] = s.k.Where(counts, states[i], nothing[i])
	}
	return s.r.gather(*s.e, states, []int{axis})
}

// more is a state with what precedes it, if n is not 0.
func (s *scan) more(n *tile.Value, state []*tile.Value, preceding func() []*tile.Value) []*tile.Value {
	vars := make([]*tile.Var, len(state))
	for i, v := range state {
		vars[i] = s.k.Var(v)
	}
	s.k.If(n.Gt(0), func() {
		for i, v := range s.r.combine(preceding(), state) {
			vars[i].Set(v)
		}
	})
	out := make([]*tile.Value, len(vars))
	for i, v := range vars {
		out[i] = v.Get()
	}
	return out
}

// shape is the shape of cols states of each of a program's rows.
func (s *scan) shape(cols int) []int {
	block := s.cfg.block(cols)
	return block[:s.cfg.Rank]
}

// stateWords is where words of states are. States of a row's parts are consecutive; their halves are far from each other.
type stateWords struct {
	rows   int
	first  *tile.Value // of the first state
	stride *tile.Value // from a half of a state to the next one
}

// plus is the place so many states later.
func (w stateWords) plus(n *tile.Value) stateWords {
	w.first = w.first.Add(n.Mul(w.rows))
	return w
}

// The words of cols consecutive states of each row are a tile: the last two dimensions of the states', and one of halves.
func (s *scan) wordShape(cols int) []int {
	return append(s.shape(cols)[s.cfg.Rank-2:], s.cfg.halves())
}

// words are those of cols states of each row from a place on.
func (s *scan) words(l *lookBack, at stateWords, cols int) tile.Points {
	axis, shape := s.cfg.Axis()-(s.cfg.Rank-2), s.wordShape(cols)
	states := s.k.Iota(axis, shape...).Mul(s.cfg.Rows).Add(s.k.Iota(1-axis, shape...))
	return l.words.At(s.k.Iota(2, shape...).Mul(at.stride).Add(states).Add(at.first))
}

// publish stores a state of each row.
func (s *scan) publish(l *lookBack, at stateWords, states []*tile.Value) {
	shape := s.wordShape(1)
	half, words := s.k.Iota(2, shape...), s.k.Zeros(weft.U32, shape...)
	for i, v := range states {
		bits := bitsOf(v)
		n := 8 * bits.Type().Elem.Size() / lookBackHalf
		shift := half.Sub(i * n).Mul(lookBackHalf).Cast(bits.Type().Elem)
		part := bits.Reshape(shape[0], shape[1], 1).Broadcast(shape...).Shr(shift).Cast(weft.U32)
		words = s.k.Where(half.Ge(i*n), part, words)
	}
	s.words(l, at, 1).AtomicExchange(words.And(lookBackThere - 1).Or(lookBackThere))
}

// wait waits for cols consecutive states of each row, or for the first of them, so many as count, and returns them.
func (s *scan) wait(l *lookBack, at stateWords, cols int, counts *tile.Value) (states []*tile.Value) {
	k, shape := s.k, s.wordShape(cols)
	start := k.Zeros(weft.U32, shape...)
	if counts != nil {
		axis := s.cfg.Axis() - (s.cfg.Rank - 2)
		start = k.Where(k.Iota(axis, shape...).Lt(counts), start, lookBackThere)
	}
	words, there := k.Var(start), k.Var(k.Const(weft.U32, 0))
	for range k.While(func() *tile.Value { return there.Get().Eq(0) }) {
		word := words.Get()
		word = word.Or(s.words(l, at, cols).Mask(word.Eq(0)).AtomicOr(0)) // those that are there are not read again
		words.Set(word)
		there.Set(word.Min(2).Min(1).Min(0).At(0, 0, 0))
	}
	half, first := k.Iota(2, shape...), 0
	for _, slot := range s.r.States(s.cfg.Elem) {
		elem, n := bitsType(slot.Elem), 8*slot.Elem.Size()/lookBackHalf
		shift := half.Sub(first).Mul(lookBackHalf).Cast(elem)
		bits := words.Get().And(lookBackThere - 1).Cast(elem).Shl(shift)
		bits = k.Where(half.Ge(first).And(half.Lt(first+n)), bits, 0).Sum(2).Reshape(s.shape(cols)...)
		if elem != slot.Elem {
			bits = bits.Bitcast(slot.Elem)
		}
		states, first = append(states, bits), first+n
	}
	return states
}

// bitsOf are the bits of a value as an unsigned integer.
func bitsOf(v *tile.Value) *tile.Value {
	if elem := bitsType(v.Type().Elem); elem != v.Type().Elem {
		return v.Bitcast(elem)
	}
	return v
}

// bitsType is the unsigned integer of as many bits, 32 or 64.
func bitsType(elem weft.DType) weft.DType {
	if elem.Size() == 8 {
		return weft.U64
	}
	return weft.U32
}
