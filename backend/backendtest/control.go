package backendtest

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

var controlCases = []testCase{
	{"ControlIf", testIf},
	{"ControlWhile", testWhile},
	{"ControlPersistent", testPersistent},
	{"ControlAids", testAids},
}

// testIf takes ways by program ids, sizes and data, with reductions on them.
func testIf(s *suite) {
	x := s.random(weft.I32, 16, 70)
	s.agree(func(k *tile.Builder) {
		view, n, o := k.In("x", weft.I32, 2), k.In("n", weft.I32, 1), k.Out("out", weft.I32, 2)
		k.Grid(10)
		p := k.ProgramID(0)
		k.Exit(p.Eq(7))
		b := view.Block(16, 8)
		v, w := k.Var(b.Load(0, p)), k.Var(k.Int(1))
		k.If(p.Rem(2).Eq(0), func() {
			v.Set(v.Get().Sub(v.Get().Sum(0)))
			k.If(p.Gt(3).And(n.At(p).Gather().Gt(0)), func() {
				w.Set(w.Get().Add(p))
				v.Set(v.Get().Add(b.Load(0, 1).MaxOver(1)))
			})
		}).Else(func() {
			w.Set(p.Mul(5))
			v.Set(v.Get().Add(v.Get().MinOver(1)).Mul(w.Get()))
		})
		k.If(p.Eq(2), func() {}).Else(func() {
			o.Block(16, 8).Store(v.Get().Add(w.Get()), 0, p)
		})
	}, nil, in(x), in(s.random(weft.I32, 10)), out(weft.I32, 16, 75))
}

// testWhile loops until data say that it is enough.
func testWhile(s *suite) {
	x := s.random(weft.F32, 32, 16)
	s.agree(func(k *tile.Builder) {
		view, n, o := k.In("x", weft.F32, 2), k.In("n", weft.I32, 1), k.InOut("out", weft.F32, 2)
		k.Grid(6)
		p := k.ProgramID(0)
		m, top, steps := k.Var(n.At(p).Gather().And(31)), k.Var(k.Full(weft.F32, -100, 1, 16)), k.Var(k.Int(0))
		for range k.While(func() *tile.Value { return m.Get().Gt(n.At(p.Add(6)).Gather().And(3)) }) {
			row := view.Block(1, 16).Load(m.Get(), 0)
			top.Set(top.Get().Max(row.Sub(row.MaxOver(1))))
			k.If(m.Get().Rem(2).Eq(1), func() { m.Set(m.Get().Sub(1)) }).Else(func() { m.Set(m.Get().Div(2)) })
			steps.Set(steps.Get().Add(1))
		}
		for range k.While(func() *tile.Value { return steps.Get().Gt(100) }) {
			steps.Set(k.Int(0))
		}
		o.Block(1, 16).Store(top.Get().Max(steps.Get().Cast(weft.F32).Mul(-1)), p, 0)
	}, nil, in(x), in(s.random(weft.I32, 12)), out(weft.F32, 6, 16))
}

// testPersistent shares tiles among fewer programs.
func testPersistent(s *suite) {
	s.agree(func(k *tile.Builder) {
		view, o := k.In("x", weft.I32, 1), k.Out("out", weft.I32, 1)
		k.Grid(3)
		for i := range k.Persistent(k.CDiv(view.Dim(0), 64)) {
			o.Block(64).Store(view.Block(64).Load(i).Mul(i.Add(1)), i)
		}
	}, nil, in(s.random(weft.I32, 1000)), out(weft.I32, 1000))
}

// testAids has what acts in the interpreter alone, and promises that hold.
func testAids(s *suite) {
	s.agree(func(k *tile.Builder) {
		view, o := k.In("x", weft.I32, 1), k.Out("out", weft.I32, 1)
		k.Grid(4)
		p := k.ProgramID(0)
		v := view.Block(32).Load(p)
		k.Assert(v.Eq(v), "equal", v, p)
		k.Print("v", v, p.Lt(0))
		k.Break(v)
		n := view.At(0).Gather().Shl(3).MultipleOf(8)
		k.Assume(p.Ge(0).And(p.Lt(4)))
		o.Block(32).Store(v.Add(n.Div(4)).Sub(n.Rem(8)).Add(n.Div(p.Add(1))), p)
	}, nil, in(s.random(weft.I32, 128)), out(weft.I32, 128))
}
