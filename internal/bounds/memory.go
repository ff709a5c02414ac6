package bounds

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// access executes an op on memory.
func (m *machine) access(op *tile.Op) {
	switch op.Kind {
	case tile.OpLoad, tile.OpStore:
		m.block(op)
	case tile.OpGather:
		m.gather(op)
	case tile.OpScatter, tile.OpAtomic:
		m.change(op)
	default:
		m.fail(op, "the op is not a known access")
	}
}

// fill is what is read where there is nothing.
func fill(op *tile.Op) Value { return constant(op.View.Elem, op.Number) }

// block loads or stores a tile at tile coordinates, or at offsets of elements.
func (m *machine) block(op *tile.Op) {
	coords := op.Args
	var t tile.Type
	var value, out []Value
	if op.Kind == tile.OpStore {
		coords, t, value = op.Args[1:], op.Args[0].Type(), m.values[op.Args[0]]
	} else {
		t = op.Result().Type()
		out = make([]Value, t.Len())
		m.values[op.Result()] = out
	}
	l, memory := m.Layouts[op.View.Index], m.memory[m.Buffers[op.View.Index]]
	start := make([]int, len(coords))
	for d, c := range coords {
		if x := m.values[c][0]; !x.isKnown() && op.Kind == tile.OpLoad {
			for i := range out {
				out[i] = unknown(t.Elem)
			}
			return
		}
		if start[d] = m.integer(op, c); !op.ByElement {
			start[d] *= t.Shape[d]
		}
	}
	at := make([]int, len(coords))
	for i := range t.Len() {
		inside := true
		for d := range at {
			at[d] = start[d] + coordinate(t.Shape, i, d)
			inside = inside && at[d] >= 0 && at[d] < l.Size(d)
		}
		switch {
		case op.Kind == tile.OpStore && inside:
			memory[l.At(at...)] = stored(t.Elem, value[i])
		case op.Kind == tile.OpLoad && inside:
			out[i] = memory[l.At(at...)]
		case op.Kind == tile.OpLoad:
			out[i] = fill(op)
		}
	}
}

// stored is a value in memory, where floats have their type's precision at last.
func stored(e dtype.Type, v Value) Value {
	if e.IsFloat() && v.Lo < v.Hi && e != dtype.F32 {
		w := rounded(e, v.Lo, v.Hi, 0, 0)
		w.NaN = w.NaN || v.NaN
		return w
	}
	return v
}

// Where a point is.
const (
	present = iota
	absent
	anywhere // it hangs on what is not known
)

// point finds point i of an op in its view's buffer.
func (m *machine) point(op *tile.Op, i int) (at, where int) {
	_, indices, mask := op.Points()
	l := m.Layouts[op.View.Index]
	where = present
	if mask != nil {
		switch m.values[mask][i] {
		case truth(false):
			return 0, absent
		case truth(true):
		default:
			where = anywhere
		}
	}
	coord := make([]int, len(indices))
	for d, v := range indices {
		x := m.values[v][i]
		coord[d] = int(x.N)
		if !x.isKnown() {
			where = anywhere
		} else if x.N < 0 || coord[d] >= l.Size(d) {
			return 0, absent
		}
	}
	if where == anywhere {
		return 0, where
	}
	return l.At(coord...), present
}

func (m *machine) gather(op *tile.Op) {
	out := make([]Value, op.Result().Type().Len())
	memory := m.memory[m.Buffers[op.View.Index]]
	for i := range out {
		switch at, where := m.point(op, i); where {
		case present:
			out[i] = memory[at]
		case absent:
			out[i] = fill(op)
		default:
			out[i] = unknown(op.View.Elem)
		}
	}
	m.values[op.Result()] = out
}

// change executes a Scatter or an Atomic, point by point. Where points of a Scatter are one
// element they must hold one value, since whose is written is not defined.
func (m *machine) change(op *tile.Op) {
	values, indices, _ := op.Points()
	e, memory := op.View.Elem, m.memory[m.Buffers[op.View.Index]]
	old := make([]Value, indices[0].Type().Len())
	written := map[int]bool{}
	for i := range old {
		at, where := m.point(op, i)
		if where == anywhere {
			m.undecided(op)
		}
		if where == absent {
			old[i] = fill(op)
			continue
		}
		x := m.values[values[0]][i]
		old[i] = memory[at]
		if op.Kind == tile.OpScatter {
			x = stored(e, x)
			if written[at] {
				x = hull(e, memory[at], x)
			}
			memory[at], written[at] = x, true
			continue
		}
		memory[at] = modified(op, e, old[i], m.values[values[len(values)-1]][i], x)
	}
	if op.Kind == tile.OpAtomic {
		m.values[op.Result()] = old
	}
}

// modified is what an atomic op leaves in memory; expected is the first operand of a RMWCompare.
func modified(op *tile.Op, e dtype.Type, old, x, expected Value) Value {
	kind := map[tile.RMW]tile.Kind{tile.RMWAdd: tile.OpAdd, tile.RMWMax: tile.OpMax, tile.RMWMin: tile.OpMin,
		tile.RMWAnd: tile.OpAnd, tile.RMWOr: tile.OpOr, tile.RMWXor: tile.OpXor}[op.RMW]
	switch {
	case op.RMW == tile.RMWExchange:
		return x
	case op.RMW == tile.RMWCompare:
		switch compareInts(tile.OpEq, e, old, expected) {
		case truth(true):
			return x
		case truth(false):
			return old
		}
		return hull(e, old, x)
	case e.IsFloat():
		return floatBinary(kind, e, old, x)
	}
	return intBinary(kind, e, old, x)
}
