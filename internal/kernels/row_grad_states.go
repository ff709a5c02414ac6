package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// Reductions of pairs: of elements of x with elements of a gradient.

// summing is the reduction to the sum of what a function makes of pairs.
func summing(f func(e element) *tile.Value) reducer {
	r := folding("", zero, wide, (*tile.Value).Add, (*tile.Value).Sum)
	r.lift = func(e element) []*tile.Value { return []*tile.Value{f(e)} }
	return r
}

// sumsOver adds up tiles along axes, all of them where threads meet once.
func sumsOver(axes []int, tiles ...*tile.Value) []*tile.Value {
	for _, d := range axes {
		tiles = tile.Reduce(tiles, d, addAll)
	}
	return tiles
}

// addAll adds up values one by one.
func addAll(x, y []*tile.Value) []*tile.Value {
	sums := make([]*tile.Value, len(x))
	for i := range x {
		sums[i] = x[i].Add(y[i])
	}
	return sums
}

// squaringPairs is the reduction to the sums of squares of x and of products.
var squaringPairs = reducer{
	Fill: zero,
	States: func(elem weft.DType) []slot {
		return []slot{{"squares", wide(elem), zero}, {"products", wide(elem), zero}}
	},
	lift: func(e element) []*tile.Value {
		return []*tile.Value{e.value.Mul(e.value), e.value.Mul(e.pair)}
	},
	step: func(s []*tile.Value, e element) []*tile.Value {
		return []*tile.Value{e.value.FMA(e.value, s[0]), e.value.FMA(e.pair, s[1])}
	},
	combine: addAll,
	gather:  func(_ element, s []*tile.Value, axes []int) []*tile.Value { return sumsOver(axes, s...) },
}

// spreadingPairs is spreading with two more values: the mean of the gradients, and the sum of products of the deviations of both from their means, which the
// same methods update and combine.
var spreadingPairs = reducer{
	Fill: zero,
	States: func(elem weft.DType) []slot {
		return append(spreading.States(elem), slot{"slope", wide(elem), zero}, slot{"products", wide(elem), zero})
	},
	lift: func(e element) []*tile.Value {
		return append(spreading.lift(e), e.pair, e.k.Zeros(wide(e.cfg.Elem), e.shape...))
	},
	step: func(s []*tile.Value, e element) []*tile.Value {
		x := spreading.step(s[:3], e)
		here := e.inside()
		off := e.k.Where(here, e.pair.Sub(s[3]), 0)
		part := e.reciprocalOf(x[0])
		return append(x, off.FMA(part, s[3]), off.FMA(e.value.Sub(x[1]), s[4]))
	},
	combine: func(x, y []*tile.Value) []*tile.Value {
		n := x[0].Add(y[0])
		part := y[0].Div(n.Maximum(1))
		off := y[3].Sub(x[3])
		product := y[1].Sub(x[1]).Mul(off).Mul(part)
		return append(spreading.combine(x[:3], y[:3]), off.FMA(part, x[3]), x[4].Add(y[4]).Add(product.Mul(x[0])))
	},
	gather: func(e element, s []*tile.Value, axes []int) []*tile.Value {
		var sums []*tile.Value
		var count, one *tile.Value
		if e.cfg.Pass == ReduceWhole { // the count is known
			sums = sumsOver(axes, s[0].Mul(s[1]), s[0].Mul(s[3]))
			count = e.count().Maximum(1)
			one = e.k.Div(1, count)
		} else {
			sums = sumsOver(axes, s[0].Mul(s[1]), s[0].Mul(s[3]), s[0])
			count = sums[2]
			one = e.k.Div(1, count.Maximum(1))
		}
		mean, slope := quotient(sums[0], count, one), quotient(sums[1], count, one)
		off := s[1].Sub(mean)
		by := off.Mul(s[0])
		sums = sumsOver(axes, by.FMA(off, s[2]), by.FMA(s[3].Sub(slope), s[4]))
		if e.cfg.Pass == ReduceWhole {
			count = count.Splat(mean.Type().Shape...)
		}
		return []*tile.Value{count, mean, sums[0], slope, sums[1]}
	},
}
