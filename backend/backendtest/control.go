package backendtest

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp"
)

var controlCases = []testCase{
	{"ControlIf", testIf},
	{"ControlWhile", testWhile},
	{"ControlPersistent", testPersistent},
	{"ControlAids", testAids},
	{"ControlDebug", testDebug},
	{"ControlSteps", testSteps},
	{"ControlRequire", testRequire},
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
				v.Set(v.Get().Add(b.Load(0, 1).Max(1)))
			})
		}).Else(func() {
			w.Set(p.Mul(5))
			v.Set(v.Get().Add(v.Get().Min(1)).Mul(w.Get()))
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
			top.Set(top.Get().Maximum(row.Sub(row.Max(1))))
			k.If(m.Get().Rem(2).Eq(1), func() { m.Set(m.Get().Sub(1)) }).Else(func() { m.Set(m.Get().Div(2)) })
			steps.Set(steps.Get().Add(1))
		}
		for range k.While(func() *tile.Value { return steps.Get().Gt(100) }) {
			steps.Set(k.Int(0))
		}
		o.Block(1, 16).Store(top.Get().Maximum(steps.Get().Cast(weft.F32).Mul(-1)), p, 0)
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

// testDebug runs a kernel on the device's tensors in the interpreter, which gives what a launch gives,
// stops at its breakpoints, and ends at an assertion that does not hold.
func testDebug(s *suite) {
	x := s.random(weft.I32, 3, 50)
	kernel := weft.NewKernel("debug", func(k *tile.Builder, limit int) {
		view, o := k.In("x", weft.I32, 2), k.InOut("out", weft.I32, 2)
		k.Schedule(tile.Schedule{Threads: 32, SplitK: 2})
		n := k.Scalar("n", weft.I32)
		row, _ := k.TileID(view.Dim(0), 1)
		sum := k.Var(k.Zeros(weft.I32, 1, 1))
		for i := range k.SplitRange(k.CDiv(view.Dim(1), 16)) {
			v := view.Block(1, 16).Load(row, i)
			k.If(row.Eq(1).And(i.Eq(3)), func() { k.Break(v, n) })
			sum.Set(sum.Get().Add(v.Mul(n).Sum(1)))
		}
		k.Assert(row.Lt(limit), "row", row)
		o.Block(1, 1).Accumulate(sum.Get(), row, 0)
	})
	in, launched, debugged := s.tensor(x), s.output(sliced, weft.I32, 3, 1), s.output(sliced, weft.I32, 3, 1)
	s.try(kernel.LaunchWith(3, weft.Scalars{5}, in, launched.Tensor))
	want := s.floats(launched.Tensor)
	var frames []interp.Frame
	o := interp.Options{Check: true, Break: func(f interp.Frame) { frames = append(frames, f) }}
	s.try(kernel.Debug(3, o, weft.Scalars{5}, in, debugged.Tensor))
	debugged.check(want, func(int) float64 { return 0 })
	if len(frames) != 1 || len(frames[0].Values) != 2 || frames[0].Values[1].Data[0] != 5 || frames[0].Values[0].Data[1] != x.x[50+49] ||
		frames[0].Program != [3]int{1, 0, 1} {
		s.Errorf("breakpoints %+v", frames)
	}
	s.refused("an assertion that does not hold", weft.ErrKernel, kernel.Debug(2, interp.Options{}, weft.Scalars{5}, in, debugged.Tensor))
}
