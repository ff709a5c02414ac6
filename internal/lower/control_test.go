package lower

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
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
				v.Set(v.Get().Add(tilesOf.Load(0, 1).Max(1)))
			})
		}).Else(func() {
			s.Set(p.Mul(5))
			v.Set(v.Get().Add(v.Get().Min(1)).Mul(s.Get()))
			inner := k.Var(k.Int(2))
			inner.Set(inner.Get().Add(1))
		})
		k.If(p.Eq(2), func() { out.Block(16, 8).Store(v.Get().Add(1), 0, 2) }).Else(func() {})
		// halved until it is gone, with data in the condition and what it needs
		m := k.Var(n.At(p).Gather().And(63))
		steps, top := k.Var(k.Int(0)), k.Var(k.Full(dtype.I32, -5, 1, 8))
		for range k.While(func() *tile.Value { return m.Get().Gt(n.At(p.Add(9)).Gather().And(3)) }) {
			row := x.Block(1, 8).Load(m.Get(), p)
			top.Set(top.Get().Maximum(row.Add(row.Sum(1))))
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
		k := axistest.Build(t, "control", controlKernel(threads))
		for name, l := range matrices(t, 14, 70) {
			t.Run(fmt.Sprintf("%d threads/%s", threads, name), func(t *testing.T) {
				_, h := l.Bounds()
				n := axistest.Strided(t, []int{18}, []int{1}, 0)
				differential(t, k, []int{h + 1, 18, h + 1}, []tensor{{l, 0}, {n, 1}, {l, 2}}, false, 0)
			})
		}
	}
}

// Tiles that a grid of fewer programs shares.
func TestPersistent(t *testing.T) {
	k := axistest.Build(t, "persistent", func(k *tile.Builder) {
		x, out := k.In("x", dtype.F32, 1), k.Out("out", dtype.F32, 1)
		k.Schedule(tile.Schedule{Threads: 32})
		k.Grid(3)
		for i := range k.Persistent(k.CDiv(x.Dim(0), 64)) {
			out.Block(64).Store(x.Block(64).Load(i).Mul(2), i)
		}
	})
	for _, n := range []int{1, 64, 129, 1000} {
		l := axistest.Strided(t, []int{n}, []int{1}, 0)
		differential(t, k, []int{n, n}, []tensor{{l, 0}, {l, 1}}, false, 0)
	}
}

// Aids for finding errors leave no trace but a note.
func TestAidsAreDropped(t *testing.T) {
	describe := func(aids bool) func(k *tile.Builder) {
		return func(k *tile.Builder) {
			x, out := k.In("x", dtype.F32, 1), k.Out("out", dtype.F32, 1)
			k.Grid(3)
			p := k.ProgramID(0)
			v := x.Block(64).Load(p)
			if aids {
				k.Assert(v.Sum(0).Lt(1e9), "sum", v)
				k.If(p.Eq(1), func() { k.Print("v", v.Exp(), p.Gt(5)) })
				k.Break(v)
			}
			out.Block(64).Store(v.Mul(2), p)
		}
	}
	k := axistest.Build(t, "aids", describe(true))
	l := axistest.Strided(t, []int{150}, []int{1}, 0)
	differential(t, k, []int{150, 150}, []tensor{{l, 0}, {l, 1}}, false, 0)
	var texts [2]string
	for i, aids := range []bool{false, true} {
		r, err := Lower(axistest.Build(t, "aids", describe(aids)), axis.FactsOf([]layout.Layout{l, l}, []int{0, 1}), lowertest.Targets["shuffles"])
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = strings.Join(body(r.Kernel), " ")
		if dropped := strings.Count(strings.Join(r.Notes, "\n"), "dropped"); dropped != 3*i {
			t.Errorf("%d notes of %v", dropped, r.Notes)
		}
	}
	if texts[0] != texts[1] {
		t.Errorf("got  %s\nwant %s", texts[1], texts[0])
	}
}

// Promises make divisions cheaper where they hold, and nowhere else.
func TestHints(t *testing.T) {
	l := axistest.Strided(t, []int{200}, []int{1}, 0)
	for _, c := range []struct {
		name       string
		divide     func(k *tile.Builder, n, x *tile.Value) *tile.Value
		has, lacks simt.Kind
	}{
		{"none", func(k *tile.Builder, n, x *tile.Value) *tile.Value { return x.Div(n) }, simt.Select, simt.Invalid},
		{"positive", func(k *tile.Builder, n, x *tile.Value) *tile.Value { k.Assume(n.Gt(0)); return x.Div(n) }, simt.Div, simt.Select},
		{"at least", func(k *tile.Builder, n, x *tile.Value) *tile.Value {
			k.Assume(k.Int(1).Le(n).And(n.Ne(-1)))
			return x.Div(n)
		}, simt.Div, simt.Select},
		{"not zero", func(k *tile.Builder, n, x *tile.Value) *tile.Value {
			k.Assume(n.Ne(0))
			k.Assume(x.Ge(0))
			return x.Div(n)
		}, simt.Div, simt.Select},
		{"multiple", func(k *tile.Builder, n, x *tile.Value) *tile.Value {
			return x.Mul(n.MultipleOf(8)).Add(16).Div(8)
		}, simt.Shr, simt.Div},
		{"remainder", func(k *tile.Builder, n, x *tile.Value) *tile.Value { return n.MultipleOf(8).Sub(x.Mul(4)).Rem(4) }, simt.Invalid, simt.Div},
		{"elsewhere", func(k *tile.Builder, n, x *tile.Value) *tile.Value {
			k.If(x.Gt(5), func() { k.Assume(n.Gt(0)) })
			return x.Div(n)
		}, simt.Select, simt.Invalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := axistest.Build(t, "hints", func(k *tile.Builder) {
				x, out := k.In("x", dtype.I32, 1), k.Out("out", dtype.I32, 1)
				k.Grid(3)
				p := k.ProgramID(0)
				out.At(p).Scatter(c.divide(k, x.At(20).Gather().And(64).Add(64), x.At(p).Gather()))
			})
			if !strings.Contains(c.name, "not zero") { // which promises what the data do not keep
				differential(t, k, []int{200, 200}, []tensor{{l, 0}, {l, 1}}, false, 0)
			}
			r, err := Lower(k, axis.FactsOf([]layout.Layout{l, l}, []int{0, 1}), lowertest.Targets["shuffles"])
			if err != nil {
				t.Fatal(err)
			}
			kinds := body(r.Kernel)
			if c.has != simt.Invalid && !slices.Contains(kinds, c.has.String()) || c.lacks != simt.Invalid && slices.Contains(kinds, c.lacks.String()) {
				t.Errorf("want %v and no %v: %v", c.has, c.lacks, kinds)
			}
		})
	}
}

// body prints the ops of a kernel, without names of values and lines.
func body(k *simt.Func) (kinds []string) {
	simt.Walk(k.Body, func(op *simt.Op) { kinds = append(kinds, op.Kind.String()) })
	return kinds
}
