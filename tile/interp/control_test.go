package interp

import (
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// A walk that Go takes as well: ways by data, variables that change places, values
// that are kept, set on one way only, or the same in two variables.
func TestControl(t *testing.T) {
	k := build(t, "control", func(k *tile.Builder) {
		n, y := k.In("n", dtype.I32, 1), k.Out("y", dtype.I32, 2)
		k.Grid(y.Dim(0))
		p := k.ProgramID(0)
		k.Exit(p.Eq(5))
		one := k.Full(dtype.I32, 1, 4)
		a, b, c := k.Var(k.Arange(4)), k.Var(one), k.Var(one)
		x, steps := k.Var(n.At(p).Gather()), k.Var(k.Int(0))
		for range k.While(func() *tile.Value { return x.Get().Gt(1).And(steps.Get().Lt(40)) }) {
			k.If(x.Get().And(1).Eq(1), func() {
				x.Set(x.Get().Mul(3).Add(1))
				next := a.Get().Add(b.Get())
				a.Set(b.Get())
				b.Set(next)
			}).Else(func() {
				x.Set(x.Get().Div(2))
				k.If(steps.Get().Gt(6), func() {
					c.Set(a.Get())
					b.Set(a.Get())
				})
			})
			steps.Set(steps.Get().Add(1))
		}
		y.At(p, k.Arange(4)).Scatter(a.Get().Mul(b.Get()).Add(c.Get()))
		y.At(p, 4).Scatter(steps.Get())
	})
	rng := rand.New(rand.NewPCG(5, 5))
	const programs = 30
	n, y := indices(t, rng, programs, -3, 60), newTensor(t, rng, dtype.I32, padded, programs, 5).fill(func() float64 { return 77 })
	run(t, k, []*tensor{n, y})
	y.verify(t, "control", func(at []int) (float64, float64) {
		if at[0] == 5 {
			return 77, 0
		}
		x, steps, a, b, c := int32(n.get(0, at[0])), int32(0), int32(at[1]), int32(1), int32(1)
		for x > 1 && steps < 40 {
			if x&1 == 1 {
				x = 3*x + 1
				a, b = b, a+b
			} else {
				x /= 2
				if steps > 6 {
					b, c = a, a
				}
			}
			steps++
		}
		if at[1] == 4 {
			return float64(steps), 0
		}
		return float64(a*b + c), 0
	})
}
