package kernelgen

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// monoid is a combine that is associative, of values of some types; identity is what
// an exclusive scan starts with.
type monoid struct {
	elems    []elems
	commutes bool
	identity []operand
	f        func(x, y []*tile.Value) []*tile.Value
	// fit brings operands to where results are bounded; nil for none.
	fit func(i int, x val) *tile.Value
	// exact says that exact operands give exact results.
	exact bool
}

// each combines single values by an op.
func each(f func(v *tile.Value, x operand) *tile.Value) func(x, y []*tile.Value) []*tile.Value {
	return func(x, y []*tile.Value) []*tile.Value { return []*tile.Value{f(x[0], y[0])} }
}

func clamped(limit float64) func(int, val) *tile.Value {
	return func(_ int, x val) *tile.Value {
		if x.elem().IsFloat() {
			return x.v.Clamp(-limit, limit)
		}
		return x.v
	}
}

var monoids = []monoid{
	{elems: []elems{isInt}, commutes: true, identity: []operand{0}, f: each((*tile.Value).Add), exact: true},
	{elems: []elems{isInt}, commutes: true, identity: []operand{1}, f: each((*tile.Value).Mul), exact: true},
	{elems: []elems{bitsOnly}, commutes: true, identity: []operand{0}, f: each((*tile.Value).Xor), exact: true},
	{elems: []elems{numbers}, commutes: true, identity: []operand{1}, f: each((*tile.Value).Maximum), exact: true},
	{elems: []elems{is(dtype.F32)}, commutes: true, identity: []operand{0}, f: each((*tile.Value).Add), fit: clamped(64), exact: true},
	{ // maps x ↦ a·x + b
		elems: []elems{wideInt, wideInt}, identity: []operand{1, 0}, exact: true,
		f: func(x, y []*tile.Value) []*tile.Value {
			return []*tile.Value{x[0].Mul(y[0]), y[0].Mul(x[1]).Add(y[1])}
		}},
	{ // the last pair that counts
		elems: []elems{isTruth, anyElem}, identity: []operand{0, 0}, exact: true,
		f: func(x, y []*tile.Value) []*tile.Value {
			return []*tile.Value{x[0].Or(y[0]), y[0].Builder().Where(y[0], y[1], x[1])}
		}},
	{ // the smallest key, with the smallest of what goes with it, and how many there are in all
		elems: []elems{isInt, isInt, wideInt}, commutes: true, identity: []operand{1, 1, 0}, exact: true,
		f: func(x, y []*tile.Value) []*tile.Value {
			better := y[0].Lt(x[0]).Or(y[0].Eq(x[0]).And(y[1].Lt(x[1])))
			k := better.Builder()
			return []*tile.Value{k.Where(better, y[0], x[0]), k.Where(better, y[1], x[1]), x[2].Add(y[2])}
		}},
	{ // online softmax: the largest and the sum of exp(x - largest)
		elems: []elems{is(dtype.F32), is(dtype.F32)}, commutes: true, identity: []operand{0, 0},
		fit: func(i int, x val) *tile.Value {
			if i == 1 {
				return x.v.Abs().Clamp(1, 2)
			}
			return x.v.Clamp(-4, 4)
		},
		f: func(x, y []*tile.Value) []*tile.Value {
			top := x[0].Maximum(y[0])
			return []*tile.Value{top, x[1].Mul(x[0].Sub(top).Exp()).Add(y[1].Mul(y[0].Sub(top).Exp()))}
		}},
}

// combine draws a reduction or a scan by a combine of one to three values, argmax and the
// scans with a name among them.
func (g *gen) combine(kind tile.Kind) {
	if g.one(3, "with a name") {
		g.named(kind)
		return
	}
	var list []monoid
	for _, m := range monoids {
		if kind == tile.OpScan || m.commutes {
			list = append(list, m)
		}
	}
	m := draw(g, list, "combine")
	x := g.tilePick(m.elems[0], nil)
	axis := g.even(len(x.shape()), "axis")
	values, exact := make([]*tile.Value, len(m.elems)), true
	var sizes []float64
	for i, fits := range m.elems {
		if i > 0 && fits(x.elem()) { // such as maps, whose parts are of one type
			x = g.tileLike(x.elem(), x.shape())
		} else if i > 0 {
			x = g.tileLike(g.elem(fits), x.shape())
		}
		values[i] = x.v
		if m.fit != nil {
			values[i] = m.fit(i, x)
		}
		exact = exact && x.exact
		sizes = append(sizes, min(64, x.size)*float64(x.shape()[axis]))
	}
	var out []*tile.Value
	switch options := g.scanOptions(); {
	case kind == tile.OpReduce:
		out = tile.Reduce(values, axis, m.f)
	case slices.Contains(options, tile.Exclusive):
		out = tile.ScanExclusive(values, slices.Clone(m.identity), axis, m.f, options...)
	default:
		out = tile.Scan(values, axis, m.f, options...)
	}
	for i, v := range out {
		size := sizes[i]
		if m.exact && m.fit == nil {
			size = max(1, x.size)
		}
		g.add(val{v, max(size, 1024), exact && m.exact})
	}
}

// named draws the reductions and scans that package tile names.
func (g *gen) named(kind tile.Kind) {
	x := g.tilePick(numbers, exactly)
	axis := g.even(len(x.shape()), "axis")
	n := float64(x.shape()[axis])
	if kind == tile.OpReduce {
		g.add(val{v: draw(g, []func(int) *tile.Value{x.v.ArgMax, x.v.ArgMin}, "which")(axis), exact: x.exact})
		return
	}
	options := g.scanOptions()
	wholes := x.exact && x.elem().IsInt()
	switch g.even(4, "scan") {
	case 0:
		g.add(val{x.v.CumMax(axis, options...).Maximum(g.low(x)), max(8, x.size), x.exact})
	case 1:
		g.add(val{x.v.CumMin(axis, options...).Minimum(8), max(8, x.size), x.exact})
	case 2:
		g.add(val{x.v.CumProd(axis, options...), 1e30, wholes})
	default:
		g.add(val{x.v.CumSum(axis, options...), x.size * n, wholes || x.exact && x.size*n < safe(x.elem())*safe(x.elem())})
	}
}

// low is -8 for what has negative numbers: the largest of no floats is -infinity.
func (g *gen) low(x val) int {
	if x.elem().IsSigned() {
		return -8
	}
	return 0
}

func (g *gen) scanOptions() (list []tile.ScanOption) {
	for _, o := range []tile.ScanOption{tile.Reverse, tile.Exclusive} {
		if g.one(3, "option") {
			list = append(list, o)
		}
	}
	return list
}
