package interp

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/weftgpu/weft/tile"
)

// space says which elements of a group's tiles are computed together. Sizes of tiles are powers of two, so that the number of an element is a list of bits,
// those of the first dimension first. Tiles share a bit where an op makes an element of those with the same bit: a reshape keeps the list, a
// permutation reorders it, a broadcast and a join add bits, and a split takes the last one away.
type space struct {
	same []int // of each bit, an earlier one that is the same, or itself
	bits map[*tile.Value][]int
	made map[*tile.Value]bool
	from map[*tile.Value]origin
}

// origin is where a tile that is rearranged comes from: a value from outside of the group.
type origin struct {
	value *tile.Value
	bits  []int
	fixed []int // of those that splits took away, the number
}

func newSpace() *space {
	return &space{bits: map[*tile.Value][]int{}, made: map[*tile.Value]bool{}, from: map[*tile.Value]origin{}}
}

func (s *space) clone() *space {
	return &space{slices.Clone(s.same), maps.Clone(s.bits), maps.Clone(s.made), maps.Clone(s.from)}
}

// log is the number of bits of a size.
func log(n int) int { return bits.TrailingZeros(uint(n)) }

// fresh are new bits.
func (s *space) fresh(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = len(s.same)
		s.same = append(s.same, list[i])
	}
	return list
}

func (s *space) find(b int) int {
	for s.same[b] != b {
		b = s.same[b]
	}
	return b
}

// resolve names bits that are the same alike.
func (s *space) resolve(list []int) []int {
	out := make([]int, len(list))
	for i, b := range list {
		out[i] = s.find(b)
	}
	return out
}

// unify makes two lists the same.
func (s *space) unify(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := s.find(a[i]), s.find(b[i])
		s.same[max(x, y)] = min(x, y)
	}
	return true
}

// sound reports whether no tile has a bit twice.
func (s *space) sound() bool {
	for _, list := range s.bits {
		list = s.resolve(list)
		slices.Sort(list)
		if len(slices.Compact(list)) != len(list) {
			return false
		}
	}
	return true
}

// operand is the bits of an operand, new ones if it comes from outside.
func (s *space) operand(v *tile.Value) []int {
	if _, ok := s.bits[v]; !ok {
		s.bits[v] = s.fresh(log(v.Type().Len()))
	}
	return s.bits[v]
}

// rearranges reports whether an op makes a tile of the elements of another.
func rearranges(op *tile.Op) bool {
	switch {
	case op.Kind == tile.OpReshape, op.Kind == tile.OpPermute, op.Kind == tile.OpBroadcast, op.Kind.Fact().Class == tile.Reduction && !reduces(op):
		return !op.Args[0].Type().IsScalar() && !op.Result().Type().IsScalar() && fusedElem(op.Result().Type().Elem)
	}
	return false
}

// add adds an op of a group, if its elements can be computed with those of the others.
func (s *space) add(op *tile.Op) bool {
	v := op.Result()
	if v != nil {
		s.made[v] = true
	}
	if rearranges(op) || op.Kind == tile.OpSplit {
		return s.rearrange(op)
	}
	switch op.Kind {
	case tile.OpLoad, tile.OpConst, tile.OpSplat, tile.OpIota, tile.OpGather:
		s.operand(v)
		return true
	case tile.OpJoin:
		a := s.operand(op.Args[0])
		s.bits[v] = append(slices.Clone(a), s.fresh(1)...)
		return s.unify(a, s.operand(op.Args[1]))
	case tile.OpStore:
		s.operand(op.Args[0])
		return true
	}
	if reduces(op) {
		return true // of groups of one shape alone
	}
	a := s.operand(op.Args[0])
	s.bits[v] = a
	for _, x := range op.Args[1:] {
		if !s.unify(a, s.operand(x)) {
			return false
		}
	}
	return true
}

// rearrange adds an op that makes a tile of the elements of another.
func (s *space) rearrange(op *tile.Op) bool {
	x, v := op.Args[0], op.Result()
	a, made := s.bits[x], s.made[x]
	o, moved := s.from[x]
	if !made { // each use may order the elements in another way
		if a = s.fresh(log(x.Type().Len())); op.Kind == tile.OpSplit {
			a = s.operand(x)
		}
		o, moved = origin{value: x, bits: a}, true
	}
	if moved {
		s.from[v] = o
	}
	from, to := x.Type().Shape, v.Type().Shape
	switch op.Kind {
	default:
		s.bits[v] = a
	case tile.OpPermute:
		list := []int{}
		for _, d := range op.Perm {
			list = append(list, axisBits(a, from, d)...)
		}
		s.bits[v] = list
	case tile.OpBroadcast:
		if !moved {
			return false // what is made once for many elements is no part of their loop
		}
		list := []int{}
		for d, n := range to {
			if from[d] == n {
				list = append(list, axisBits(a, from, d)...)
			} else {
				list = append(list, s.fresh(log(n))...)
			}
		}
		s.bits[v] = list
	case tile.OpSplit:
		last := len(a) - 1
		s.bits[v] = a[:last]
		if !moved || s.find(o.bits[len(o.bits)-1]) == s.find(a[last]) {
			delete(s.from, v) // neighbours are split in registers
		} else {
			o.fixed = append(slices.Clone(o.fixed), 2*a[last]+op.Axis)
			s.from[v] = o
		}
	}
	return true
}

// axisBits is the part of a tile's bits that numbers a dimension.
func axisBits(list []int, shape []int, d int) []int {
	at := log(tile.Type{Shape: shape[:d]}.Len())
	return list[at : at+log(shape[d])]
}
