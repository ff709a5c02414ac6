package bounds

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// item is one element of each tile of a Reduce or a Scan.
type item []Value

// combine executes a Reduce or a Scan. The order in which elements are paired is not
// defined: they are combined from first to last and by doubling, and both results are
// allowed; where those are not exact, the interval around them grows by its own width on
// both sides for the other orders.
func (m *machine) combine(op *tile.Op) {
	n := len(op.Out)
	shape := op.Args[0].Type().Shape
	out := make([][]Value, n)
	for i := range out {
		out[i] = make([]Value, op.Out[i].Type().Len())
	}
	rows(shape, op.Axis, func(row int, at []int) {
		if op.Reverse {
			at = slices.Clone(at)
			slices.Reverse(at)
		}
		list := make([]item, len(at))
		for i, a := range at {
			for _, v := range op.Args[:n] {
				list[i] = append(list[i], m.values[v][a])
			}
		}
		prefixes := m.prefixes(op, list)
		if op.Kind == tile.OpReduce {
			for j := range out {
				out[j][row] = prefixes[len(at)-1][j]
			}
			return
		}
		if op.IsExclusive() {
			var first item
			for _, v := range op.Args[n:] {
				first = append(first, m.values[v][0])
			}
			prefixes = slices.Insert(prefixes, 0, first)
		}
		for i, a := range at {
			for j := range out {
				out[j][a] = prefixes[i][j]
			}
		}
	})
	for i, v := range op.Out {
		m.values[v] = out[i]
	}
}

// prefixes combines elements 0 to i, for each i.
func (m *machine) prefixes(op *tile.Op, list []item) []item {
	serial := slices.Clone(list)
	for i := 1; i < len(list); i++ {
		serial[i] = m.pair(op, serial[i-1], list[i])
	}
	doubled := slices.Clone(list)
	for step := 1; step < len(list); step *= 2 {
		for i := len(list) - 1; i >= step; i-- {
			doubled[i] = m.pair(op, doubled[i-step], doubled[i])
		}
	}
	out := make([]item, len(list))
	for i := range list {
		for j, v := range op.Out {
			e := v.Type().Elem
			both := hull(e, serial[i][j], doubled[i][j])
			if e.IsFloat() && both.Lo < both.Hi {
				width := both.Hi - both.Lo
				nan := both.NaN
				both = rounded(dtype.F32, both.Lo-width, both.Hi+width, 0, 0)
				both.NaN = both.NaN || nan
			}
			out[i] = append(out[i], both)
		}
	}
	return out
}

// pair combines two elements.
func (m *machine) pair(op *tile.Op, x, y item) item {
	values := map[*tile.Value]Value{}
	for i, v := range op.Body.Args {
		values[v] = append(x[:len(x):len(x)], y...)[i]
	}
	get := func(v *tile.Value) Value {
		if x, ok := values[v]; ok {
			return x
		}
		return m.values[v][0] // a scalar from outside
	}
	for _, inner := range op.Body.Ops {
		var args [3]Value
		switch inner.Kind {
		case tile.OpYield:
			var out item
			for _, v := range inner.Args {
				out = append(out, get(v))
			}
			return out
		case tile.OpConst:
			values[inner.Result()] = constant(inner.Result().Type().Elem, inner.Number)
			continue
		}
		for i, a := range inner.Args {
			args[i] = get(a)
		}
		values[inner.Result()] = element(inner, args)
	}
	return nil
}
