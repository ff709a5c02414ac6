package kernels

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// wide64 are numbers of 64 bits without a sign, tiles or scalars of U32: not all targets have such integers.
type wide64 struct{ hi, lo *tile.Value }

func (x wide64) add(y wide64) wide64 {
	lo := x.lo.Add(y.lo)
	return wide64{x.hi.Add(y.hi).Add(lo.Lt(x.lo).Cast(dtype.U32)), lo}
}

func (x wide64) sub(y wide64) wide64 {
	return wide64{x.hi.Sub(y.hi).Sub(x.lo.Lt(y.lo).Cast(dtype.U32)), x.lo.Sub(y.lo)}
}

func (x wide64) less(y wide64) *tile.Value {
	return x.hi.Lt(y.hi).Or(x.hi.Eq(y.hi).And(x.lo.Lt(y.lo)))
}

// sum is how pairs are combined.
func (wide64) sum(x, y []*tile.Value) []*tile.Value {
	z := wide64{x[0], x[1]}.add(wide64{y[0], y[1]})
	return []*tile.Value{z.hi, z.lo}
}

// over is the sum of a tile of one dimension, and that of numbers of I32 next to it. One reduction makes
// both, so that threads meet once.
func (x wide64) over(numbers *tile.Value) (sum wide64, total *tile.Value) {
	r := tile.Reduce([]*tile.Value{x.hi, x.lo, numbers}, 0, func(a, b []*tile.Value) []*tile.Value {
		return append(x.sum(a[:2], b[:2]), a[2].Add(b[2]))
	})
	return wide64{r[0].At(0), r[1].At(0)}, r[2].At(0)
}

// find is where the running sum of a tile exceeds a scalar, its size if nowhere, and by how much the scalar
// exceeds the sum before.
func (x wide64) find(target wide64) (index *tile.Value, rest wide64) {
	k, n := x.lo.Builder(), x.lo.Type().Shape[0]
	sums := tile.Scan([]*tile.Value{x.hi, x.lo}, 0, x.sum)
	beyond := wide64{target.hi.Splat(n), target.lo.Splat(n)}.less(wide64{sums[0], sums[1]})
	before, index := wide64{k.Where(beyond, 0, x.hi), k.Where(beyond, 0, x.lo)}.over(beyond.Not().Cast(dtype.I32))
	return index, target.sub(before)
}

// product64 is that of two scalars of U32.
func product64(x, y *tile.Value) wide64 { return wide64{x.MulHi(y), x.Mul(y)} }

// mulHi are the upper 64 bits of a product of scalars.
func (x wide64) mulHi(y wide64) wide64 {
	zero := x.lo.Builder().Const(dtype.U32, 0)
	low := wide64{zero, x.lo.MulHi(y.lo)}
	middle := low.add(product64(x.lo, y.hi)) // each is below 2^64 - 2^33
	carried := wide64{zero, middle.lo}.add(product64(x.hi, y.lo))
	return product64(x.hi, y.hi).add(wide64{zero, middle.hi}).add(wide64{zero, carried.hi})
}

// share is a scalar times p · 2^-32, rounded up.
func (x wide64) share(p *tile.Value) wide64 {
	zero := x.lo.Builder().Const(dtype.U32, 0)
	low := product64(x.lo, p)
	up := low.lo.Gt(0).Cast(dtype.U32)
	return product64(x.hi, p).add(wide64{zero, low.hi}).add(wide64{zero, up})
}
