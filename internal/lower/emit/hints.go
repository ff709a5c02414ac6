package emit

import (
	"maps"
	"math/bits"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// promises are what hints say of scalars. They hold from a hint's place to
// the end of its region.
type promises struct {
	multiple map[*simt.Value]int  // powers of two that divide a value
	least    map[*simt.Value]int  // a value's lower bound
	nonZero  map[*simt.Value]bool // a value is not 0
}

func (p promises) clone() promises {
	return promises{maps.Clone(p.multiple), maps.Clone(p.least), maps.Clone(p.nonZero)}
}

func noPromises() promises {
	return promises{map[*simt.Value]int{}, map[*simt.Value]int{}, map[*simt.Value]bool{}}
}

// hint notes a promise.
func (l *emitter) hint(op *tile.Op) {
	if op.Kind == tile.OpMultipleOf {
		v := l.scalars[op.Args[0]]
		l.scalars[op.Result()] = v
		l.promised.multiple[v] = max(int(op.Number), l.promised.multiple[v])
		return
	}
	if !l.assume(op.Args[0].Op()) {
		l.note("not understood; it changes nothing")
	}
}

// assume notes that a comparison holds.
func (l *emitter) assume(op *tile.Op) bool {
	if op == nil {
		return false
	}
	if op.Kind == tile.OpAnd {
		x, y := l.assume(op.Args[0].Op()), l.assume(op.Args[1].Op())
		return x || y
	}
	if op.Kind.Fact().Class != tile.Compare || op.Args[0].Type().Elem != dtype.I32 {
		return false
	}
	l.assumeConstant(op)
	return true // the passes before know of ranges, whatever they are compared with
}

// assumeConstant notes a comparison with a number.
func (l *emitter) assumeConstant(op *tile.Op) {
	kind, x, y := op.Kind, l.scalars[op.Args[0]], l.scalars[op.Args[1]]
	c, ok := simt.ConstOf(y)
	if !ok {
		if c, ok = simt.ConstOf(x); !ok {
			return
		}
		x = y
		kind = map[tile.Kind]tile.Kind{tile.OpLt: tile.OpGt, tile.OpLe: tile.OpGe, tile.OpNe: tile.OpNe, tile.OpEq: tile.OpEq}[kind]
	}
	n := int(c)
	switch kind {
	case tile.OpGt, tile.OpGe, tile.OpEq:
		if kind == tile.OpGt {
			n++
		}
		if old, ok := l.promised.least[x]; !ok || n > old {
			l.promised.least[x] = n
		}
	case tile.OpNe:
		if n == 0 {
			l.promised.nonZero[x] = true
		}
	}
}

// multiple is a power of two that divides an I32 value for sure, at most 2^30.
func (l *emitter) multiple(v *simt.Value) int {
	const most = 1 << 30
	known := max(1, l.promised.multiple[v])
	if x, ok := simt.ConstOf(v); ok {
		if i := int(x); i != 0 {
			return min(most, i&-i)
		}
		return most
	}
	if v.Op == nil {
		return known
	}
	args := v.Op.Args
	switch v.Op.Kind {
	case simt.Mul: // products wrap at a power of two
		return max(known, min(most, l.multiple(args[0])*l.multiple(args[1])))
	case simt.Add, simt.Sub, simt.Min, simt.Max:
		return max(known, min(l.multiple(args[0]), l.multiple(args[1])))
	}
	return known
}

// exactly divides a value by a power of two that divides it for sure.
func (l *emitter) exactly(kind simt.Kind, x *simt.Value, n int) *simt.Value {
	if kind == simt.Rem {
		return l.b.Const(x.Type, 0)
	}
	return l.shift(x, 1-bits.Len(uint(n)))
}

// mayBeZero reports whether a value may be 0.
func (l *emitter) mayBeZero(v *simt.Value) bool {
	return !l.promised.nonZero[v] && l.promised.least[v] < 1
}
