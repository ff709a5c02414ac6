package gomlx

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// divided are x / y and x % y as package tile has them: of y = 0 they are x and 0, and the remainder has the sign of x.
func (x wide) divided(k *tile.Builder, y wide) (quotient, remainder wide) {
	q, r := x.magnitude(k).divideMagnitudes(k, y.magnitude(k))
	q.elem, r.elem = x.elem, x.elem
	q = choose(k, x.negative().Ne(y.negative()), q.neg(k), q)
	r = choose(k, x.negative(), r.neg(k), r)
	none := y.truth().Not()
	return choose(k, none, x, q), choose(k, none, wideNumber(k, x.elem, 0), r)
}

// divideMagnitudes divides by subtractions, a bit of the quotient after the other: bits of x leave a pair at the top and bits of the quotient enter it.
func (x wide) divideMagnitudes(k *tile.Builder, y wide) (quotient, remainder wide) {
	zero := x.lo.Or(y.lo).And(0) // of the shape of both
	var q, r [2]*tile.Var        // the low and the high word
	q = [2]*tile.Var{k.Var(x.lo.Or(zero)), k.Var(x.hi.Or(zero))}
	r = [2]*tile.Var{k.Var(zero), k.Var(zero)}
	get := func(v [2]*tile.Var) wide { return wide{weft.U64, v[0].Get(), v[1].Get()} }
	for range k.Range(64) {
		number, rest := get(q), get(r)
		beyond := rest.hi.Shr(31).Ne(0) // twice the rest is beyond 64 bits, and so beyond y
		rest = rest.doubled(number.hi.Shr(31))
		fits := beyond.Or(rest.less(y).Not())
		rest = choose(k, fits, rest.add(k, y.neg(k)), rest)
		number = number.doubled(fits.Cast(weft.U32))
		for i, v := range [][2]*tile.Value{{number.lo, rest.lo}, {number.hi, rest.hi}} {
			q[i].Set(v[0])
			r[i].Set(v[1])
		}
	}
	return get(q), get(r)
}

// doubled is 2x + bit, without the first bit of x.
func (x wide) doubled(bit *tile.Value) wide {
	return wide{x.elem, x.lo.Shl(1).Or(bit), x.hi.Shl(1).Or(x.lo.Shr(31))}
}
