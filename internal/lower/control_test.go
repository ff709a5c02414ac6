package lower

import (
	"fmt"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// controlKernel has conditions and loops around everything that needs barriers: on
// program ids, on data, nested, with tiles and scalars as variables.
func controlKernel(threads int) func(k *tile.Builder) {
	return func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: threads})
		x, n, out := k.In("x", dtype.I32, 2), k.In("n", dtype.I32, 1), k.InOut("out", dtype.I32, 2)
		k.Grid(9)
		p := k.ProgramID(0)
		k.Exit(p.Eq(7))
		tilesOf := x.Block(16, 8)
		v, s, same := k.Var(tilesOf.Load(0, p)), k.Var(k.Int(1)), k.Var(p)
		k.If(p.Rem(2).Eq(0), func() {
			v.Set(v.Get().Sub(v.Get().Sum(0)))
			k.If(p.Gt(3), func() {
				s.Set(s.Get().Add(p))
				v.Set(v.Get().Add(tilesOf.Load(0, 1).MaxOver(1)))
			})
		}).Else(func() {
			s.Set(p.Mul(5))
			v.Set(v.Get().Add(v.Get().MinOver(1)).Mul(s.Get()))
			inner := k.Var(k.Int(2))
			inner.Set(inner.Get().Add(1))
		})
		k.If(p.Eq(2), func() { out.Block(16, 8).Store(v.Get().Add(1), 0, 2) }).Else(func() {})
		// halved until it is gone, with data in the condition and what it needs
		m := k.Var(n.At(p).Gather().And(63))
		steps, top := k.Var(k.Int(0)), k.Var(k.Full(dtype.I32, -5, 1, 8))
		for range k.While(func() *tile.Value { return m.Get().Gt(n.At(p.Add(9)).Gather().And(3)) }) {
			row := x.Block(1, 8).Load(m.Get(), p)
			top.Set(top.Get().Max(row.Add(row.Sum(1))))
			k.If(steps.Get().Lt(2), func() { steps.Set(steps.Get().Add(1)) }).Else(func() { m.Set(m.Get().Sub(1)) })
			m.Set(m.Get().Div(2))
		}
		for i := range k.Range(3) { // what is written in one iteration is read in the next
			k.If(out.At(0, p.Mul(8)).Gather().Gt(i), func() {
				for range k.While(func() *tile.Value { return same.Get().Lt(3) }) {
					same.Set(same.Get().Add(1))
					out.At(0, p.Mul(8)).Scatter(i.Sub(1))
				}
			}).Else(func() {
				out.At(0, p.Mul(8)).Scatter(i.Add(same.Get()))
			})
		}
		out.Block(16, 8).Store(v.Get().Add(top.Get()).Add(s.Get()).Add(steps.Get()).Add(out.At(0, p.Mul(8)).Gather()), 0, p)
	}
}

func TestControl(t *testing.T) {
	for _, threads := range []int{1, 32, 256} {
		k := mustBuild(t, "control", controlKernel(threads))
		for name, l := range matrices(t, 14, 70) {
			t.Run(fmt.Sprintf("%d threads/%s", threads, name), func(t *testing.T) {
				_, h := l.Bounds()
				n := strided(t, []int{18}, []int{1}, 0)
				differential(t, k, []int{h + 1, 18, h + 1}, []tensor{{l, 0}, {n, 1}, {l, 2}}, false, 0)
			})
		}
	}
}

// Tiles that a grid of fewer programs shares.
func TestPersistent(t *testing.T) {
	k := mustBuild(t, "persistent", func(k *tile.Builder) {
		x, out := k.In("x", dtype.F32, 1), k.Out("out", dtype.F32, 1)
		k.Schedule(tile.Schedule{Threads: 32})
		k.Grid(3)
		for i := range k.Persistent(k.CDiv(x.Dim(0), 64)) {
			out.Block(64).Store(x.Block(64).Load(i).Mul(2), i)
		}
	})
	for _, n := range []int{1, 64, 129, 1000} {
		l := strided(t, []int{n}, []int{1}, 0)
		differential(t, k, []int{n, n}, []tensor{{l, 0}, {l, 1}}, false, 0)
	}
}
