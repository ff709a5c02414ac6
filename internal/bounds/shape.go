package bounds

import (
	"math"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// coordinate is the coordinate along an axis of element i of a tile.
func coordinate(shape []int, i, axis int) int {
	for d := len(shape) - 1; d > axis; d-- {
		i /= shape[d]
	}
	return i % shape[axis]
}

// strides are the distances of neighbours in row-major order.
func strides(shape []int) []int {
	s, n := make([]int, len(shape)), 1
	for d := len(shape) - 1; d >= 0; d-- {
		s[d] = n
		n *= shape[d]
	}
	return s
}

func (m *machine) shape(op *tile.Op) []Value {
	switch op.Kind {
	case tile.OpHistogram:
		return m.histogram(op)
	case tile.OpRank:
		return m.rank(op)
	case tile.OpTake:
		return m.take(op)
	case tile.OpPeer: // what another program has is not followed
		return slices.Repeat([]Value{unknown(op.Result().Type().Elem)}, op.Result().Type().Len())
	}
	src, from, to := m.values[op.Args[0]], op.Args[0].Type().Shape, op.Result().Type().Shape
	out := make([]Value, op.Result().Type().Len())
	step := strides(from)
	for i := range out {
		at := 0
		switch op.Kind {
		case tile.OpAt:
			for d, v := range op.Args[1:] {
				x := m.values[v][0]
				if !x.isKnown() {
					return []Value{unknown(op.Result().Type().Elem)}
				}
				at += int(x.N) & (from[d] - 1) * step[d] // sizes are powers of two
			}
		case tile.OpSplat:
		case tile.OpBroadcast:
			for d := range to {
				if from[d] > 1 {
					at += coordinate(to, i, d) * step[d]
				}
			}
		case tile.OpReshape:
			at = i
		case tile.OpPermute:
			for d, p := range op.Perm {
				at += coordinate(to, i, d) * step[p]
			}
		case tile.OpJoin:
			src, at = m.values[op.Args[i%2]], i/2
		case tile.OpReorder:
			x := m.values[op.Args[1]][i]
			if !x.isKnown() {
				return slices.Repeat([]Value{unknown(op.Result().Type().Elem)}, len(out))
			}
			out[int(x.N)&(len(out)-1)] = src[i]
			continue
		case tile.OpSplit:
			at = 2*i + op.Axis
		default:
			m.fail(op, "the op is not known to change shapes")
		}
		out[i] = src[at]
	}
	return out
}

// histogram adds up weights by bins. Those of bins that are not known may go to any.
func (m *machine) histogram(op *tile.Op) []Value {
	e := op.Result().Type().Elem
	out := make([]Value, op.Result().Type().Len())
	for i := range out {
		out[i] = constant(e, 0)
	}
	for i, bin := range m.values[op.Args[0]] {
		if !bin.isKnown() {
			return slices.Repeat([]Value{unknown(e)}, len(out))
		}
		if bin.N < 0 || bin.N >= int64(len(out)) {
			continue
		}
		x := m.values[op.Args[1]][i]
		if e.IsFloat() {
			out[bin.N] = floatBinary(tile.OpAdd, e, out[bin.N], x)
		} else {
			out[bin.N] = intBinary(tile.OpAdd, e, out[bin.N], x)
		}
	}
	return out
}

// rank counts equal elements before each in its run; where one is not known, nor are those after it.
func (m *machine) rank(op *tile.Op) []Value {
	src, run, mask := m.values[op.Args[0]], int(op.Number), int64(1)<<op.Axis-1
	out, known := make([]Value, len(src)), true
	counts := map[int64]int64{}
	for i, x := range src {
		if i%run == 0 {
			clear(counts)
			known = true
		}
		if known = known && x.isKnown(); !known {
			out[i] = unknown(dtype.I32)
			continue
		}
		out[i] = whole(counts[x.N&mask])
		counts[x.N&mask]++
	}
	return out
}

func (m *machine) take(op *tile.Op) []Value {
	src, at := m.values[op.Args[0]], m.values[op.Args[1]]
	out := make([]Value, len(at))
	for i, x := range at {
		if out[i] = unknown(op.Result().Type().Elem); x.isKnown() {
			out[i] = src[int(x.N)&(len(src)-1)]
		}
	}
	return out
}

// rows calls f with the elements of each row along an axis of a tile, and the row's number in a
// tile whose axis has size 1; at says where they are.
func rows(shape []int, axis int, f func(row int, at []int)) {
	inner := strides(shape)[axis]
	n, total := shape[axis], 1
	for _, s := range shape {
		total *= s
	}
	at := make([]int, n)
	for row := range total / n {
		for i := range at {
			at[i] = row/inner*inner*n + i*inner + row%inner
		}
		f(row, at)
	}
}

func (m *machine) reduce(op *tile.Op) []Value {
	src, t := m.values[op.Args[0]], op.Args[0].Type()
	out := make([]Value, op.Result().Type().Len())
	rows(t.Shape, op.Axis, func(row int, at []int) {
		list := make([]Value, len(at))
		for i, a := range at {
			list[i] = src[a]
		}
		out[row] = reduced(op.Kind, t.Elem, list)
	})
	return out
}

func reduced(kind tile.Kind, e dtype.Type, list []Value) Value {
	if e.IsFloat() {
		switch kind {
		case tile.OpReduceSum:
			return sum(e, list)
		case tile.OpReduceProd:
			return product(e, list)
		}
	}
	pair := map[tile.Kind]tile.Kind{tile.OpReduceSum: tile.OpAdd, tile.OpReduceProd: tile.OpMul, tile.OpReduceMax: tile.OpMax,
		tile.OpReduceMin: tile.OpMin, tile.OpReduceAny: tile.OpOr, tile.OpReduceAll: tile.OpAnd}[kind]
	v := list[0]
	for _, x := range list[1:] {
		if e.IsFloat() {
			v = floatBinary(pair, e, v, x)
		} else {
			v = intBinary(pair, e, v, x)
		}
	}
	return v
}

// quantum is the largest power of two that divides a number.
func quantum(x float64) float64 {
	if x == 0 {
		return inf
	}
	fraction, exponent := math.Frexp(x)
	for fraction != math.Trunc(fraction) {
		fraction, exponent = 2*fraction, exponent-1
	}
	return math.Ldexp(1, exponent)
}

// sum bounds a sum in F32 in any order, rounded to e at the end: it is exact if all partial
// sums are, and else off by at most (n-1)·u times the sum of the magnitudes (Higham, "Accuracy
// and Stability of Numerical Algorithms", section 4.2), here with twice that u, since
// rounding may go either way, and a little more.
func sum(e dtype.Type, list []Value) Value {
	lo, hi, size, unit, exact := 0.0, 0.0, 0.0, inf, true
	for _, x := range list {
		if x.NaN {
			return anyReal
		}
		lo, hi = lo+x.Lo, hi+x.Hi
		size += max(math.Abs(x.Lo), math.Abs(x.Hi))
		exact = exact && x.isNumber()
		if exact && !math.IsInf(x.Lo, 0) {
			unit = min(unit, quantum(x.Lo))
		}
	}
	switch {
	case exact && (size == 0 || math.IsInf(size, 1) && lo == hi || size <= 0x1p24*unit && unit > 0x1p-100):
		return rounded(e, lo, hi, 0, 0)
	case size > math.MaxFloat32:
		return anyReal
	}
	spread := size * float64(len(list)) * 2 * dtype.F32.Epsilon()
	return rounded(e, lo-spread, hi+spread, 0, spread*0x1p-20+0x1p-126*float64(len(list)))
}

// product bounds a product in F32 in any order. A partial product may leave the range of F32.
func product(e dtype.Type, list []Value) Value {
	p, bits, up, down := Value{Lo: 1, Hi: 1}, 0.0, 0.0, 0.0
	exact := true
	for _, x := range list {
		if most := max(math.Abs(x.Lo), math.Abs(x.Hi)); most > 1 {
			up += math.Log2(most)
		}
		if least := min(math.Abs(x.Lo), math.Abs(x.Hi)); least < 1 && least > 0 {
			down += math.Log2(least)
		}
		if exact = exact && x.isNumber(); exact && x.Lo != 0 {
			bits += math.Log2(math.Abs(x.Lo) / quantum(x.Lo))
		}
		p = floatBinary(tile.OpMul, dtype.F32, p, x)
	}
	switch {
	case p.NaN || up > 126 || down < -125:
		return anyReal
	case exact && bits < 24:
		return rounded(e, p.Lo, p.Hi, 0, 0)
	}
	return rounded(e, p.Lo, p.Hi, float64(len(list)), 0)
}

// dot bounds sums of products as sum does, with products rounded or not.
func (m *machine) dot(op *tile.Op) []Value {
	a, b, acc := m.values[op.Args[0]], m.values[op.Args[1]], m.values[op.Args[2]]
	left, right, t := op.Args[0].Type(), op.Args[1].Type().Shape, op.Result().Type()
	rank := len(left.Shape)
	rowsOf, inner, columns := left.Shape[rank-2], left.Shape[rank-1], right[rank-1]
	out := make([]Value, t.Len())
	terms := make([]Value, 0, inner+1)
	for i := range out {
		batch, row, column := i/(rowsOf*columns), i/columns%rowsOf, i%columns
		terms = append(terms[:0], acc[i])
		for k := range inner {
			x, y := a[(batch*rowsOf+row)*inner+k], b[(batch*inner+k)*columns+column]
			switch {
			case !left.Elem.IsFloat():
				terms = append(terms, intBinary(tile.OpMul, dtype.I32, x, y))
				continue
			case op.Precision == tile.TF32:
				x, y = tf32(x), tf32(y)
			}
			p := floatBinary(tile.OpMul, dtype.F32, x, y)
			if op.Precision == tile.TF32 && !(hasBits(x, 8) && hasBits(y, 8)) {
				p = p.within(0x1p-13)
			}
			if op.Precision == tile.TF32x3 && !(isTF32(x) && isTF32(y)) {
				p = p.within(0x1p-20)
			}
			terms = append(terms, p)
		}
		out[i] = reduced(tile.OpReduceSum, t.Elem, terms)
	}
	return out
}

// tf32 allows the rounding of a number to 10 bits of mantissa, in either direction.
func tf32(x Value) Value {
	if isTF32(x) {
		return x
	}
	return x.within(0x1p-10)
}

// isTF32 reports whether a value is one number that TF32 holds.
func isTF32(x Value) bool { return hasBits(x, 11) }

// hasBits reports whether a value is one number of so many significant bits.
func hasBits(x Value, bits int) bool {
	return x.isNumber() && (x.Lo == 0 || math.Abs(x.Lo)/quantum(x.Lo) < math.Ldexp(1, bits))
}

// within is a value with an error relative to itself.
func (v Value) within(e float64) Value {
	return Value{Lo: v.Lo - math.Abs(v.Lo)*e, Hi: v.Hi + math.Abs(v.Hi)*e, NaN: v.NaN}
}
