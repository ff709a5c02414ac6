package backendtest

import (
	"errors"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

var pointCases = []testCase{
	{"PointsGather", testGather},
	{"PointsRuns", testRuns},
	{"PointsScatter", testScatter},
	{"PointsOrder", testOrder},
	{"PointsAtomics", testAtomics},
	{"PointsTickets", testTickets},
	{"PointsSignals", testSignals},
	{"PointsArrivals", testArrivals},
}

// indices makes random indices from lo to hi.
func (s *suite) indices(n, lo, hi int) host {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(lo + s.rng.IntN(hi-lo+1))
	}
	return host{weft.I32, []int{n}, x}
}

// permutation makes the numbers lo to lo+n-1 in random order.
func (s *suite) permutation(n, lo int) host {
	x := make([]float64, n)
	for i, p := range s.rng.Perm(n) {
		x[i] = float64(lo + p)
	}
	return host{weft.I32, []int{n}, x}
}

// elements lists the types that a case runs on: some of them in the quick form,
// since drivers on the host take a second to compile a kernel.
func (s *suite) elements(quick ...weft.DType) []weft.DType {
	if s.full {
		return s.types()
	}
	return quick
}

// testRuns reads and writes by indices in runs of neighbours, some beyond the end: those that
// arithmetic makes, and those from memory of which the kernel promises it.
func testRuns(s *suite) {
	starts := s.permutation(20, 0)
	for _, size := range []int{64, 61} {
		for _, elem := range s.elements(weft.F32, weft.F16) {
			s.agree(func(k *tile.Builder) {
				x, pages := k.In("x", elem, 1), k.In("pages", weft.I32, 1)
				o := k.Out("out", elem, 1)
				k.Grid(5)
				i := k.Arange(16)
				page := pages.At(k.ProgramID(0).Mul(4).Add(i.Div(4))).Gather()
				from := page.Mul(4).Add(i.Rem(4)).Contiguous(4)
				to := k.ProgramID(0).Mul(16).Add(i)
				o.At(to).Mask(to.Lt(72)).Scatter(x.At(from).Fill(1).Gather())
			}, nil, in(s.random(elem, size)), in(starts), out(elem, 75))
		}
	}
}

// testGather reads rows and columns at random indices, many of them outside.
func testGather(s *suite) {
	for i, elem := range s.elements(weft.F32, weft.F16, weft.I8) {
		x := s.random(elem, 37, 21)
		f := forms[i%len(forms)]
		s.agree(func(k *tile.Builder) {
			view, rows, cols := k.In("x", elem, 2), k.In("rows", weft.I32, 1), k.In("cols", weft.I32, 1)
			o, table := k.Out("out", elem, 1), k.Out("table", elem, 2)
			k.Grid(k.CDiv(o.Dim(0), 64))
			p := k.ProgramID(0)
			r, c := rows.Block(64).Load(p), cols.Block(64).Load(p)
			o.Block(64).Store(view.At(r, c).Mask(c.Ne(3)).Fill(1).Gather(), p)
			both := view.At(k.Iota(0, 8, 1).Mul(p.Add(1)), k.Iota(1, 1, 16).Sub(2)).Gather()
			meet := (*tile.Value).Maximum
			if elem == weft.Bool {
				meet = (*tile.Value).Or
			}
			table.Block(8, 16).Store(meet(both, view.At(p, 5).Gather()), p, 0)
		}, nil, arg{x, f, false}, in(s.indices(200, -3, 40)), in(s.indices(200, -3, 24)), out(elem, 200), out(elem, 32, 16))
	}
}

// testScatter writes each element once, in random order, some outside.
func testScatter(s *suite) {
	for i, elem := range s.elements(weft.F32, weft.BF16, weft.U8) {
		o := out(elem, 3, 190)
		o.form = forms[(i+2)%len(forms)]
		s.agree(func(k *tile.Builder) {
			view, at, o := k.In("x", elem, 1), k.In("at", weft.I32, 1), k.Out("out", elem, 2)
			k.Grid(k.CDiv(at.Dim(0), 64))
			p := k.ProgramID(0)
			j, v := at.Block(64).Fill(-1).Load(p), view.Block(64).Load(p)
			o.At(0, j).Scatter(v)
			o.At(1, j).Mask(j.Rem(3).Eq(0)).Scatter(v)
			o.At(2, p.Mul(7)).Scatter(view.At(p).Gather())
		}, nil, in(s.random(elem, 200)), in(s.permutation(200, -5)), o)
	}
}

// testOrder reads in one program what it wrote, by other threads and in other shapes.
func testOrder(s *suite) {
	x := s.random(weft.I32, 3, 64)
	s.agree(func(k *tile.Builder) {
		view, x, o := k.In("in", weft.I32, 2), k.InOut("x", weft.I32, 2), k.Out("out", weft.I32, 2)
		i := k.Arange(64)
		x.Block(4, 64).Store(view.Block(4, 64).Load(0, 0), 0, 0)
		for j := range k.Range(5) {
			v := x.At(0, i.Add(j).And(63)).Gather()
			x.At(0, i.Xor(9)).Scatter(v.Add(j))
			b := x.Block(2, 32)
			b.Store(b.Load(0, j.And(1)).Add(1), 0, j.And(1))
			flat := x.Block(1, 64)
			flat.Store(flat.Load(1, 0).Sub(flat.Load(0, 0)), 1, 0)
			x.At(2, j).Scatter(x.At(1, j.Mul(3)).Gather())
		}
		o.Block(4, 64).Store(x.Block(4, 64).Load(0, 0), 0, 0)
	}, nil, in(x), out(weft.I32, 3, 64), out(weft.I32, 3, 64))
}

// testAtomics has programs meet at the same elements by every op whose result does not
// depend on who comes first, and reads and writes the same memory by blocks.
func testAtomics(s *suite) {
	for _, elem := range []weft.DType{weft.I32, weft.U32, weft.F32} {
		x := s.random(elem, 500)
		if elem == weft.F32 {
			x.each(func(_ int, x float64) float64 { return math.Round(4 * x) }) // sums are exact
		}
		o := inOut(s.random(elem, 9, 21))
		if elem == weft.F32 {
			o.host = filled(elem, 1, 9, 21)
		}
		s.agree(func(k *tile.Builder) {
			view, at, o := k.In("x", elem, 1), k.In("at", weft.I32, 1), k.InOut("out", elem, 2)
			k.Grid(k.CDiv(view.Dim(0), 64))
			p := k.ProgramID(0)
			i, v := at.Block(64).Fill(-1).Load(p), view.Block(64).Load(p)
			o.At(0, i).AtomicAdd(v)
			o.Block(1, 16).AtomicAdd(3, 1, 0)
			o.At(2, 5).AtomicAdd(1)
			if elem != weft.F32 {
				o.At(3, i).AtomicMax(v)
				o.At(4, i).AtomicMin(v)
				o.At(5, i).AtomicAnd(v)
				o.At(6, i).AtomicOr(v)
				o.At(7, i).AtomicXor(v)
				o.At(8, p).AtomicExchange(view.At(p).Gather())
				o.At(8, p.Add(10)).Scatter(o.At(8, p).AtomicCompareAndSwap(view.At(p).Gather(), 6))
			}
			b := o.Block(1, 1)
			b.Store(b.Load(2, p.Add(6)).Mul(2).Add(1), 2, p.Add(6))
		}, nil, in(x), in(s.indices(500, -2, 22)), o)
	}
}

// testTickets has every program draw a number, each once.
func testTickets(s *suite) {
	s.agree(func(k *tile.Builder) {
		n, o := k.InOut("n", weft.I32, 1), k.Out("out", weft.I32, 1)
		k.Grid(20)
		o.At(n.At(k.Iota(0, 32).And(0)).AtomicAdd(1)).Scatter(k.Arange(32).And(0).Add(5))
		o.At(n.At(1).AtomicAdd(1).Add(640)).Scatter(7)
	}, nil, inOut(filled(weft.I32, 0, 2)), out(weft.I32, 660))
}

// testSignals has programs release words and acquire them, their own and those that another program is sure to have released: that of the launch before.
func testSignals(s *suite) {
	describe := func(k *tile.Builder) {
		x, flags, y, o := k.In("x", weft.F32, 1), k.InOut("flags", weft.I32, 1), k.InOut("y", weft.F32, 1), k.Out("out", weft.F32, 1)
		k.Grid(3)
		p := k.ProgramID(0)
		y.Block(64).Store(x.Block(64).Load(p), p)
		flags.At(p).Release().AtomicExchange(7)
		was := flags.At(p.Add(3)).Release().AtomicAdd(2)
		for range k.While(func() *tile.Value { return flags.At(p.Add(6)).Acquire().AtomicMax(5).Lt(5) }) {
		}
		for range k.While(func() *tile.Value { return flags.At(p).Acquire().AtomicOr(0).Lt(7) }) {
		}
		o.Block(64).Store(y.At(k.Arange(64).Xor(9).Add(p.Mul(64))).Gather().Add(was.Cast(weft.F32)), p)
	}
	if !s.dev.Caps().SystemOrder {
		kernel := weft.NewKernel("test", func(k *tile.Builder, _ struct{}) { describe(k) })
		x, flags, y, o := s.input(dense, s.random(weft.F32, 192)), s.input(dense, filled(weft.I32, 0, 9)), s.input(dense, filled(weft.F32, 0, 192)), s.input(dense, filled(weft.F32, 0, 192))
		if err := kernel.Launch(struct{}{}, x, flags, y, o); !errors.Is(err, weft.ErrUnsupported) {
			s.Errorf("a device without such an order: %v, want %v", err, weft.ErrUnsupported)
		}
		return
	}
	s.agree(describe, nil, in(s.random(weft.F32, 192)), inOut(filled(weft.I32, 0, 9)), inOut(filled(weft.F32, 0, 192)), out(weft.F32, 192))
}

// testArrivals has the last of some programs read what all of them wrote, in every round of some, and set their count to 0 for the next.
func testArrivals(s *suite) {
	const programs, rounds = 60, 7
	describe := func(k *tile.Builder) {
		x, y, n, o := k.In("x", weft.I32, 1), k.InOut("y", weft.I32, 1), k.InOut("n", weft.I32, 1), k.Out("out", weft.I32, 1)
		k.Grid(programs, rounds)
		p, round := k.ProgramID(0), k.ProgramID(1)
		at := round.Mul(programs).Add(p)
		y.Block(64).Store(x.Block(64).Load(at).Mul(3), at)
		last := n.At(round).AcquireRelease().AtomicAdd(1).Eq(programs - 1)
		k.If(last, func() {
			sum := k.Var(k.Zeros(weft.I32, 64))
			for i := range k.Range(programs) {
				sum.Set(sum.Get().Mul(5).Add(y.Block(64).Load(round.Mul(programs).Add(i))))
			}
			o.Block(64).Store(sum.Get(), round)
			n.At(round).AtomicExchange(0)
		})
	}
	if !s.dev.Caps().DeviceOrder {
		kernel := weft.NewKernel("test", func(k *tile.Builder, _ struct{}) { describe(k) })
		zeros := func(n int) *weft.Tensor { return s.input(dense, filled(weft.I32, 0, n)) }
		if err := kernel.Launch(struct{}{}, zeros(64*programs*rounds), zeros(64*programs*rounds), zeros(rounds), zeros(64*rounds)); !errors.Is(err, weft.ErrUnsupported) {
			s.Errorf("a device without such an order: %v, want %v", err, weft.ErrUnsupported)
		}
		return
	}
	s.agree(describe, nil, in(s.random(weft.I32, 64*programs*rounds)), inOut(filled(weft.I32, 0, 64*programs*rounds)), inOut(filled(weft.I32, 0, rounds)), out(weft.I32, 64*rounds))
}
