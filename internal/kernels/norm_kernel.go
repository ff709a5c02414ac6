package kernels

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// Norm is the kernel of LayerNorm and RMSNorm. A row that fits stays in registers between its
// statistics and the result; longer ones are walked twice. Its views are x, and as far as they are there
// the residual, weight and bias with size 1 in dimensions in which they do not differ, and the sum, and at last out; its scalar
// parameter is epsilon. The sum is stored with the result, so that it may take the residual's place: no row is read after that.
var Norm = weft.NewKernel("normalise", describeNorm)

// NormParts is the first pass over rows that several programs share: the statistics of each part of a row. Its views are x,
// the residual if there is one, and the states of F32, with the parts in place of the row.
var NormParts = weft.NewKernel("normalise_parts", describeNormParts)

// NormSpread is the second pass: every program combines all parts, in one order, and writes its own. Its views are those of
// Norm, with the states before out.
var NormSpread = weft.NewKernel("normalise_spread", describeNormSpread)

// reducer is the reduction to the statistics.
func (cfg NormConfig) reducer() reducer {
	if cfg.RMS {
		return squaring
	}
	return spreading
}

// States is the number of values that the statistics of a part of a row are.
func (cfg NormConfig) States() int { return len(cfg.reducer().States(cfg.Rows.Elem)) }

func describeNorm(k *tile.Builder, cfg NormConfig) {
	n := newNormRows(k, cfg)
	n.declareOut(nil)
	if cfg.Rest > 0 {
		n.describeSplit()
		return
	}
	n.write(n.e.reduce(cfg.reducer(), []*tile.View{n.x}, nil), nil)
}

// describeSplit describes rows in two tiles.
func (n *normRows) describeSplit() {
	k, axis, e := n.k, n.cfg.Rows.Rank-1, n.e
	k.Require(n.out.Dim(axis).Ge(e.shape[axis]))
	rest := *e
	rest.at, rest.shape = slices.Clone(e.at), slices.Clone(e.shape)
	rest.shape[axis] = n.cfg.Rest
	rest.at[axis] = e.shape[axis] / n.cfg.Rest
	tiles, v := []*element{e, &rest}, make([]*tile.Value, 2)
	for i, t := range tiles {
		v[i] = t.read(zero)
	}
	count := e.count()
	sums, squares := slices.Clone(v), make([]*tile.Value, 2)
	if !n.cfg.RMS {
		mean := quotient(sumOfTwo(v, axis), count, k.Div(1, count))
		for i := range v {
			v[i] = v[i].Sub(mean)
		}
		v[1] = k.Where(rest.inside(), v[1], 0)
	}
	for i := range v {
		squares[i] = v[i].Mul(v[i])
	}
	scale := n.scale(sumOfTwo(squares, axis))
	for i, t := range tiles {
		n.e = t
		n.storeSum(sums[i])
		n.store(v[i].Mul(scale))
	}
}

func describeNormParts(k *tile.Builder, cfg NormConfig) {
	added := ""
	if cfg.Residual {
		added = residualName
	}
	describeReducer(k, cfg.Rows, cfg.reducer(), added)
}

// residualName is the name of what is added to x, as errors give it.
const residualName = "residual"

func describeNormSpread(k *tile.Builder, cfg NormConfig) {
	n, r := newNormRows(k, cfg), cfg.reducer()
	slots := r.States(cfg.Rows.Elem)
	var parts []*tile.View
	for _, s := range slots {
		parts = append(parts, k.In(s.name, s.Elem, cfg.Rows.Rank))
	}
	n.declareOut(parts[0])
	combined := *n.e
	combined.at, combined.shape = slices.Clone(n.e.at), cfg.Rows.within(func(d int) bool { return !cfg.Rows.Reduced[d] })
	combined.at[cfg.Rows.Split], combined.shape[cfg.Rows.Split] = 0, cfg.Parts
	var states []*tile.Value
	for i, s := range slots {
		states = append(states, combined.load(parts[i], s.start))
	}
	n.write(r.gather(combined, states, []int{cfg.Rows.Split}), parts[0])
}

// normRows are the rows of one program.
type normRows struct {
	k                    *tile.Builder
	cfg                  NormConfig
	x, weight, bias, out *tile.View
	residual, sum        *tile.View
	epsilon              *tile.Value
	e                    *element
}

// newNormRows declares what both kernels that write begin with.
func newNormRows(k *tile.Builder, cfg NormConfig) *normRows {
	n := &normRows{k: k, cfg: cfg, x: k.In("x", cfg.Rows.Elem, cfg.Rows.Rank)}
	if cfg.Residual {
		n.residual = k.In(residualName, cfg.Rows.Elem, cfg.Rows.Rank)
	}
	if cfg.Weight {
		n.weight = k.In("weight", cfg.Rows.Elem, cfg.Rows.Rank)
	}
	if cfg.Bias {
		n.bias = k.In("bias", cfg.Rows.Elem, cfg.Rows.Rank)
	}
	if cfg.Sum {
		n.sum = k.Out("sum", cfg.Rows.Elem, cfg.Rows.Rank)
	}
	return n
}

// declareOut declares the rest, and begins with a program's tile: of parts, if programs share rows.
func (n *normRows) declareOut(parts *tile.View) {
	rows := n.cfg.Rows
	n.out = n.k.Out("out", rows.Elem, rows.Rank)
	n.epsilon = realParameter(n.k, "epsilon", rows.Elem)
	n.k.Schedule(tile.Schedule{Threads: rows.Threads})
	for d := range rows.Rank {
		n.k.Require(n.x.Dim(d).Eq(n.out.Dim(d)))
		for _, v := range []*tile.View{n.residual, n.sum} {
			if v != nil {
				n.k.Require(v.Dim(d).Eq(n.out.Dim(d)))
			}
		}
		for _, v := range []*tile.View{n.weight, n.bias} {
			switch {
			case v == nil:
			case n.cfg.Along[d]:
				n.k.Require(v.Dim(d).Eq(n.out.Dim(d)))
			default:
				n.k.Require(v.Dim(d).Eq(1))
			}
		}
	}
	if parts == nil {
		parts = n.out
	}
	n.e = newElement(n.k, rows, n.x, n.k.ProgramTile(parts, rows.grid()...))
	n.e.addend = n.residual
}

// write normalises the program's tiles by the statistics of their rows.
func (n *normRows) write(s []*tile.Value, parts *tile.View) {
	e := n.e
	scale := n.scale(n.cfg.reducer().finish(s))
	e.walk(0, parts, func() {
		v := e.value
		if n.cfg.Rows.Walks() {
			v = e.read(zero)
		}
		n.storeSum(v)
		if !n.cfg.RMS {
			v = v.Sub(s[1])
		}
		n.store(v.Mul(scale))
	})
}

// scale is what elements are multiplied by, of the sum of their squares.
func (n *normRows) scale(squares *tile.Value) *tile.Value {
	return squares.Mul(n.k.Div(1, n.e.count())).Add(n.epsilon).Rsqrt()
}

// storeSum stores x with the residual, if that is asked for.
func (n *normRows) storeSum(v *tile.Value) {
	if n.sum != nil {
		n.sum.Block(n.e.shape...).Store(v.Cast(n.cfg.Rows.Elem), n.e.at...)
	}
}

// store writes the tile at hand by weight and bias.
func (n *normRows) store(v *tile.Value) {
	if n.weight != nil {
		v = v.Mul(n.alongRow(n.weight))
	}
	if n.bias != nil {
		v = v.Add(n.alongRow(n.bias))
	}
	n.out.Block(n.e.shape...).Store(v.Cast(n.cfg.Rows.Elem), n.e.at...)
}

// alongRow reads what weight or bias has for the tile at hand.
func (n *normRows) alongRow(v *tile.View) *tile.Value {
	at, shape := slices.Clone(n.e.at), slices.Clone(n.e.shape)
	for d := range at {
		if !n.cfg.Along[d] {
			at[d], shape[d] = 0, 1
		}
	}
	return v.Block(shape...).Load(at...).Cast(wide(n.cfg.Rows.Elem))
}

// squaring is the reduction to the sum of squares.
var squaring = reducer{
	Fill:   zero,
	States: func(elem weft.DType) []slot { return []slot{{"squares", wide(elem), zero}} },
	lift:   func(e element) []*tile.Value { return []*tile.Value{e.value.Mul(e.value)} },
	step: func(s []*tile.Value, e element) []*tile.Value {
		return []*tile.Value{e.value.FMA(e.value, s[0])}
	},
	gather: func(_ element, s []*tile.Value, axes []int) []*tile.Value {
		return []*tile.Value{over(axes, s[0], (*tile.Value).Sum)}
	},
	finish: first,
}
