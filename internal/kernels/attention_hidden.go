package kernels

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// A hidden key weighs 0, but 0 times infinity or NaN is NaN: in a product of weights and values, what is not finite in
// a value reaches queries that do not see its key. The loop over the keys lets that happen, since it has no time to look at values.
// After it a program whose sums are not all finite computes them again, with zeros for the values that are not finite,
// and adds the infinities and NaN of the keys that each query sees. Sums that become infinite or NaN stay so, whatever
// they are scaled by, so that none is missed.

// hides reports whether a query may not see a key that is loaded for it. Of several pages a step may load the last one again.
func (cfg AttentionConfig) hides() bool {
	return cfg.severalPages() || cfg.First || cfg.Last || cfg.Lengths || cfg.KeyStarts || cfg.Mask.Valid()
}

// exactKeys is how many keys a step of the second pass has: no more than a matrix instruction takes, so that the pass needs no more registers and shared
// memory than the loop before it, and less without those, where compilers take the longer the more there are.
func (cfg AttentionConfig) exactKeys() int {
	if cfg.Resident {
		return min(cfg.BN, 16)
	}
	return min(cfg.BN, 8)
}

// signs is what a value of -infinity counts as in the sums of specials, and +infinity as 1. Sums of a step's numbers of both
// kinds tell of each, and those two and their sum are numbers of every element type.
const signs = 64

// exactApart reports whether a second pass stores its results by itself, in parts of the head, since the sums of the first leave no registers for those of the second.
func (cfg AttentionConfig) exactApart() bool {
	return cfg.hides() && cfg.Threads > 0 && cfg.Producers > 0 && cfg.sums()+cfg.BM*exactPart/cfg.Threads >= mostExact
}

// exactPart is the width of a part of the head in such a pass. mostExact are the most sums of a thread, with those of a second pass.
const exactPart, mostExact = 64, 192

// anyInfinite reports whether sums are not all finite.
func (a *attention) anyInfinite(parts []part) *tile.Value {
	total := a.Zeros(dtype.F32, 1, 1)
	for _, c := range parts {
		total = total.Add(c.acc.Get().Sum(1).Sum(0))
	}
	return infinite(total.At(0, 0))
}

// exact computes the sums of parts again if they are not all finite; largest is the greatest score of each query.
func (a *attention) exact(parts []part, largest *tile.Value) {
	a.If(a.anyInfinite(parts), func() { a.again().sumExact(parts, largest) })
}

// storeExact computes the sums of a part of the head after the other, and stores the results.
func (a *attention) storeExact(largest, sum *tile.Value) {
	again := a.again()
	block := a.Var(a.Int(0))
	for range a.While(func() *tile.Value { return block.Get().Lt(CeilDiv(a.cfg.Head, exactPart)) }) {
		p := part{width: exactPart, acc: a.Var(a.Zeros(dtype.F32, a.cfg.BM, exactPart)), block: block.Get()}
		again.sumExact([]part{p}, largest)
		a.storePart(p.acc.Get(), sum, block.Get())
		block.Set(block.Get().Add(1))
	}
	a.storeLSE(largest, sum)
}

// again is the attention of the same tile in smaller steps of keys.
func (a *attention) again() *attention {
	again := *a
	again.cfg.BN = a.cfg.exactKeys()
	again.band(a.rows, a.first, a.last)
	if a.cfg.Split { // the same keys in smaller steps
		smaller := a.cfg.BN / again.cfg.BN
		again.begin, again.end = a.begin.Mul(smaller), a.end.Mul(smaller).Minimum(again.end)
	}
	again.keepQueries()
	return &again
}

// sumExact computes the sums of parts anew.
func (a *attention) sumExact(parts []part, largest *tile.Value) {
	for _, c := range parts {
		c.acc.Set(a.Zeros(dtype.F32, a.cfg.BM, c.width))
	}
	step := a.Var(a.begin)
	for range a.While(func() *tile.Value { return step.Get().Lt(a.end) }) { // and no loop whose loads run ahead
		a.addExact(parts, step.Get(), largest)
		step.Set(step.Get().Add(1))
	}
}

// addExact adds the products of step i to the sums of parts.
func (a *attention) addExact(parts []part, i, largest *tile.Value) {
	keys := a.keysAt(i)
	s := a.scores(i, []keysAt{keys})
	p := a.weights(s, largest).Cast(a.cfg.Elem)
	seen := s.Ge(lowest).Cast(a.cfg.Elem) // a score that is NaN makes p NaN
	for _, c := range parts {
		v := keys.load(a.v, a.cfg.BN, c.width, c.index())
		wrong := infinite(v.Cast(dtype.F32))
		sum := tile.Dot(p, a.Where(wrong, a.Zeros(a.cfg.Elem, a.cfg.BN, c.width), v), c.acc.Get(), a.cfg.Precision)
		kinds := tile.Dot(seen, a.specials(v.Cast(dtype.F32)).Cast(a.cfg.Elem), a.Zeros(dtype.F32, a.cfg.BM, c.width), a.cfg.Precision).Cast(dtype.I32)
		none := a.Zeros(dtype.F32, a.cfg.BM, c.width)
		sum = sum.Add(a.Where(kinds.And(signs-1).Ne(0), a.Full(dtype.F32, math.Inf(1), a.cfg.BM, c.width), none))
		sum = sum.Add(a.Where(kinds.Ge(signs), a.Full(dtype.F32, math.Inf(-1), a.cfg.BM, c.width), none))
		c.acc.Set(sum)
	}
}

// infinite reports which numbers are infinite or NaN.
func infinite(x *tile.Value) *tile.Value {
	return x.Bitcast(dtype.I32).And(exponentF32).Eq(exponentF32)
}

const exponentF32 = 0x7f800000

// specials are 0 for finite numbers, 1 for +infinity, signs for -infinity, and the sum of both for NaN.
func (a *attention) specials(x *tile.Value) *tile.Value {
	bits := x.Bitcast(dtype.I32)
	number := func(n float64) *tile.Value { return a.Full(dtype.F32, n, x.Type().Shape...) }
	kind := a.Where(bits.Eq(exponentF32), number(1), a.Where(bits.Eq(exponentF32-1<<31), number(signs), number(1+signs)))
	return a.Where(infinite(x), kind, number(0))
}
