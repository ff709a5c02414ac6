package backendtest

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

var kernelCases = []testCase{
	{"KernelUnary", testUnary},
	{"KernelBinary", testBinary},
	{"KernelTernary", testTernary},
	{"KernelCasts", testCasts},
	{"KernelBits", testBits},
	{"KernelReductions", testReductions},
	{"KernelCombines", testCombines},
	{"KernelBroadcasts", testBroadcasts},
	{"KernelShapes", testShapes},
	{"KernelLoops", testLoops},
	{"KernelGrids", testGrids},
	{"KernelScalars", testScalars},
	{"KernelEdges", testEdges},
	{"KernelFarBlocks", testFarBlocks},
	{"KernelFarOperands", testFarOperands},
	{"KernelMeaning", testMeaning},
	{"KernelLong", testLong},
	{"KernelDouble", testDouble},
	{"KernelNibbles", testNibbles},
	{"KernelElements", testElements},
	{"KernelInOut", testInOut},
	{"KernelNeighbours", testNeighbours},
	{"KernelDot", testDot},
	{"KernelDotInts", testDotInts},
	{"KernelDotBatched", testDotBatched},
	{"KernelRandom", testRandom},
}

// testReductions reduces tiles of several shapes along each axis, with several
// numbers of threads, on data that makes every order of summation exact.
func testReductions(s *suite) {
	shapes := more(s, [][]int{{64}, {1, 256}, {256, 1}, {8, 16}, {2, 4, 32}, {1024, 2}},
		[]int{1}, []int{4096}, []int{32, 128}, []int{2, 2, 2, 2, 2}, []int{16, 1, 64})
	threads := either(s, []int{0, 64}, []int{0, 1, 32, 256})
	next := 0
	for _, shape := range shapes {
		for axis := range shape {
			for _, n := range threads {
				elems := s.numeric()
				if !s.full { // one type each, the next in the list: drivers on the host take a second to compile a kernel
					elems = elems[next%len(elems):][:1]
					next++
				}
				for _, elem := range elems {
					reduceOne(s, elem, shape, axis, n)
				}
			}
		}
	}
}

func reduceOne(s *suite, elem weft.DType, shape []int, axis, threads int) {
	s.Helper()
	x := s.random(elem, shape...)
	if elem.IsFloat() { // sums within what F16 and BF16 hold, nearly always
		x.each(func(_ int, x float64) float64 { return math.Round(min(max(x, -2), 2)) })
	}
	small := append([]int{}, shape...)
	small[axis] = 1
	at := make([]tile.Operand, len(shape))
	for d := range at {
		at[d] = 0
	}
	s.agree(func(k *tile.Builder) {
		view := k.In("x", elem, len(shape))
		k.Schedule(tile.Schedule{Threads: threads})
		sum, top, bottom := k.Out("sum", elem, len(shape)), k.Out("top", elem, len(shape)), k.Out("bottom", elem, len(shape))
		centred := k.Out("centred", elem, len(shape))
		v := view.Block(shape...).Load(at...)
		sum.Block(small...).Store(v.Sum(axis), at...)
		top.Block(small...).Store(v.Max(axis), at...)
		bottom.Block(small...).Store(v.Min(axis), at...)
		centred.Block(shape...).Store(v.Maximum(v.Min(axis)).Sub(v.Max(axis)), at...)
	}, nil, in(x), out(elem, small...), out(elem, small...), out(elem, small...), out(elem, shape...))
}

func testBroadcasts(s *suite) {
	for _, elem := range []weft.DType{weft.F32, weft.F16, weft.I32, weft.U8} {
		x := s.random(elem, 16, 32)
		s.agree(func(k *tile.Builder) {
			view, o := k.In("x", elem, 2), k.Out("out", elem, 2)
			column, row := view.Block(16, 1).Load(0, 3), view.Block(1, 32).Load(5, 0)
			one := view.Block(1, 1).Load(7, 11)
			grid := column.Maximum(row).Broadcast(16, 32)
			o.Block(16, 32).Store(grid.Minimum(one).Maximum(view.Dim(0).Cast(elem)), 0, 0)
		}, nil, in(x), out(elem, 16, 32))
	}
}

func testLoops(s *suite) {
	x := s.random(weft.I32, 8, 200)
	s.sub(func(s *suite) { // a bound from the view, loads by the index, two carried values of different shapes
		s.agree(func(k *tile.Builder) {
			view, o := k.In("x", weft.I32, 2), k.Out("out", weft.I32, 2)
			acc, weight := k.Var(k.Zeros(weft.I32, 8, 16)), k.Var(k.Int(1))
			for i := range k.Range(k.CDiv(view.Dim(1), 16)) {
				acc.Set(acc.Get().Mul(3).Add(view.Block(8, 16).Load(0, i).Mul(weight.Get())))
				weight.Set(weight.Get().Mul(5).Add(i))
			}
			o.Block(8, 16).Store(acc.Get().Add(weight.Get()), 0, 0)
		}, nil, in(x), out(weft.I32, 8, 16))
	}, "carried")
	s.sub(func(s *suite) { // carried values that change places, and values from outside
		s.agree(func(k *tile.Builder) {
			view, o := k.In("x", weft.I32, 2), k.Out("out", weft.I32, 2)
			base := view.Block(8, 16).Load(0, 2)
			a, b := k.Var(base), k.Var(base.Add(1))
			for range k.Range(7) {
				next := a.Get().Add(b.Get()).Xor(base)
				a.Set(b.Get())
				b.Set(next)
			}
			o.Block(8, 16).Store(a.Get(), 0, 0)
			o.Block(8, 16).Store(b.Get(), 0, 1)
		}, nil, in(x), out(weft.I32, 8, 32))
	}, "swapped")
	s.sub(func(s *suite) { // nested, with bounds from the outer index, reductions inside
		s.agree(func(k *tile.Builder) {
			view, o := k.In("x", weft.I32, 2), k.Out("out", weft.I32, 2)
			k.Grid(2)
			total := k.Var(k.Zeros(weft.I32, 8, 1))
			for i := range k.Range(4) {
				for j := range k.RangeStep(i, 9, k.ProgramID(0).Add(1)) {
					v := view.Block(8, 16).Load(0, j)
					total.Set(total.Get().Add(v.Sum(1)).Xor(i))
				}
				total.Set(total.Get().Mul(3))
			}
			o.Block(8, 1).Store(total.Get(), 0, k.ProgramID(0))
		}, nil, in(x), out(weft.I32, 8, 2))
	}, "nested")
	s.sub(func(s *suite) { // loops that never run
		s.agree(func(k *tile.Builder) {
			view, o := k.In("x", weft.I32, 2), k.Out("out", weft.I32, 2)
			v := k.Var(k.Full(weft.I32, 7, 8, 16))
			for i := range k.Range(view.Dim(0).Sub(8)) {
				v.Set(view.Block(8, 16).Load(0, i))
			}
			for i := range k.RangeStep(5, 2, 1) {
				v.Set(v.Get().Add(i))
			}
			o.Block(8, 16).Store(v.Get(), 0, 0)
		}, nil, in(x), out(weft.I32, 8, 16))
	}, "empty")
}

// testGrids has every program write where it is, in grids beyond the limits of a dimension too.
func testGrids(s *suite) {
	grids := [][3]int{{1, 1, 1}, {5, 3, 2}, {70_001, 1, 1}, {1, 70_001, 1}, {1, 1, 70_001}, {3, 23_400, 1}, {2, 5, 7_001}}
	for _, g := range grids {
		s.agree(func(k *tile.Builder) {
			o := k.Out("out", weft.I32, 3)
			k.Schedule(tile.Schedule{Threads: 32})
			k.Grid(o.Dim(0), o.Dim(1), o.Dim(2))
			x, y, z := k.ProgramID(0), k.ProgramID(1), k.ProgramID(2)
			v := x.Add(y.Mul(k.NumPrograms(0))).Add(z.Mul(1_000_003)).Add(k.NumPrograms(1)).Xor(k.NumPrograms(2))
			o.Block(1, 1, 1).Store(v, x, y, z)
		}, nil, out(weft.I32, g[:]...))
	}
}

func testScalars(s *suite) {
	x := s.random(weft.F32, 100)
	s.agree(func(k *tile.Builder) {
		view := k.In("x", weft.F32, 1)
		i, u, f := k.Scalar("i", weft.I32), k.Scalar("u", weft.U32), k.Scalar("f", weft.F32)
		oi, ou, of := k.Out("oi", weft.I32, 1), k.Out("ou", weft.U32, 1), k.Out("of", weft.F32, 1)
		k.Grid(k.CDiv(oi.Dim(0), i.Mul(-8))) // 64
		p := k.ProgramID(0)
		oi.Block(64).Store(i.Mul(p.Add(1)), p)
		ou.Block(64).Store(u.Shr(1).Add(p.Cast(weft.U32)), p)
		of.Block(64).Store(view.Block(64).Load(p).Maximum(f), p)
	}, weft.Scalars{-8, math.MaxUint32 - 3, 0.25}, in(x), out(weft.I32, 100), out(weft.U32, 100), out(weft.F32, 100))
}

// testEdges loads with fills at, across and far beyond the edges, negative coordinates included.
func testEdges(s *suite) {
	for _, elem := range s.types() {
		fill := 1.0
		if elem.IsFloat() {
			fill = math.Inf(-1)
		}
		for _, f := range forms {
			x, o := arg{s.random(elem, 37, 21), f, false}, out(elem, 64, 48)
			s.agree(func(k *tile.Builder) {
				view, o := k.In("x", elem, 2), k.Out("out", elem, 2)
				k.Grid(4, 3)
				r, c := k.ProgramID(0), k.ProgramID(1)
				v := view.Block(16, 16).Fill(fill).Load(r.Sub(1), c.Mul(2).Sub(1))
				o.Block(16, 16).Store(v, r, c)
			}, nil, x, o)
		}
		// Stores beyond the edges do nothing.
		for _, f := range forms {
			o := out(elem, 20, 9)
			o.form = f
			s.agree(func(k *tile.Builder) {
				view, o := k.In("x", elem, 2), k.Out("out", elem, 2)
				k.Grid(5, 5)
				r, c := k.ProgramID(0), k.ProgramID(1)
				o.Block(8, 8).Store(view.Block(8, 8).Load(r, c), r.Sub(1), c.Sub(1))
			}, nil, in(s.random(elem, 40, 40)), o)
		}
	}
}

// testInOut reads and writes one view, twice in one program.
func testInOut(s *suite) {
	for _, elem := range []weft.DType{weft.I32, weft.F16, weft.I8} {
		x := s.random(elem, 3, 100)
		o := arg{x, sliced, false}
		t := s.input(o.form, o.host)
		kernel := weft.NewKernel("twice", func(k *tile.Builder, _ struct{}) {
			v := k.InOut("x", elem, 2)
			k.Grid(v.Dim(0), k.CDiv(v.Dim(1), 32))
			r, c := k.ProgramID(0), k.ProgramID(1)
			for range k.Range(3) {
				b := v.Block(1, 32)
				b.Store(b.Load(r, c).Maximum(1).Minimum(100), r, c)
			}
			b := v.Block(1, 32)
			b.Store(b.Load(r, c).Add(1), r, c)
		})
		s.try(kernel.Launch(struct{}{}, t))
		s.try(kernel.Launch(struct{}{}, t))
		want := make([]float64, len(x.x))
		for i, v := range x.x {
			for range 2 {
				v = rounded(elem, []float64{min(max(v, 1), 100) + 1})[0]
			}
			want[i] = v
		}
		s.compare(t, want, nil)
	}
}

// testDot multiplies tiles that were computed, with an accumulator that is not zero.
func testDot(s *suite) {
	shapes := more(s, [][3]int{{16, 16, 16}, {8, 32, 16}}, [3]int{1, 16, 1}, [3]int{4, 2, 8}, [3]int{128, 16, 128}, [3]int{16, 128, 32})
	for i, elem := range floatTypes {
		precision := tile.Float32Accumulate
		if elem == weft.F32 {
			precision = tile.IEEE
		}
		for j, c := range shapes {
			sizes := []int{0, 32, 128}
			if !s.full { // one after another, as in testReductions
				sizes = sizes[(i+j)%len(sizes):][:1]
			}
			for _, threads := range sizes {
				m, kk, n := c[0], c[1], c[2]
				a, b := s.small(elem, m, kk), s.small(elem, kk, n)
				s.sub(func(s *suite) {
					s.agree(func(k *tile.Builder) {
						va, vb, o := k.In("a", elem, 2), k.In("b", elem, 2), k.Out("out", weft.F32, 2)
						k.Schedule(tile.Schedule{Threads: threads})
						x := va.Block(m, kk).Load(0, 0).Maximum(-3)
						y := vb.Block(kk, n).Load(0, 0)
						acc := tile.Dot(x, y, k.Full(weft.F32, 5, m, n), precision)
						acc = tile.Dot(x.Neg(), y.Abs(), acc, precision)
						o.Block(m, n).Store(acc.Add(1), 0, 0)
					}, nil, in(a), in(b), out(weft.F32, m, n))
				}, "%v_%dx%dx%d_%d", elem, m, kk, n, threads)
			}
		}
	}
}

// testDotInts multiplies bytes, whose sums are exact.
func testDotInts(s *suite) {
	for _, elem := range []weft.DType{weft.I8, weft.U8} {
		a, b := s.random(elem, 16, 50), s.random(elem, 50, 32)
		s.agree(func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: 64})
			va, vb, o := k.In("a", elem, 2), k.In("b", elem, 2), k.Out("out", weft.I32, 2)
			acc := k.Var(k.Full(weft.I32, -9, 16, 32))
			for i := range k.Range(k.CDiv(va.Dim(1), 16)) {
				acc.Set(tile.Dot(va.Block(16, 16).Load(0, i), vb.Block(16, 32).Load(i, 0), acc.Get(), tile.IEEE))
			}
			o.Block(16, 32).Store(acc.Get(), 0, 0)
		}, nil, in(a), in(b), out(weft.I32, 16, 32))
	}
}

// testDotBatched multiplies the matrices of a batch.
func testDotBatched(s *suite) {
	a, b := s.small(weft.F16, 3, 16, 20), s.small(weft.F16, 3, 20, 16)
	s.agree(func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 64})
		va, vb, o := k.In("a", weft.F16, 3), k.In("b", weft.F16, 3), k.Out("out", weft.F32, 3)
		acc := k.Var(k.Full(weft.F32, -9, 4, 16, 16))
		for i := range k.Range(k.CDiv(va.Dim(2), 8)) {
			acc.Set(tile.Dot(va.Block(4, 16, 8).Load(0, 0, i), vb.Block(4, 8, 16).Load(0, i, 0), acc.Get(), tile.Float32Accumulate))
		}
		o.Block(4, 16, 16).Store(acc.Get(), 0, 0, 0)
	}, nil, in(a), in(b), out(weft.F32, 3, 16, 16))
	for _, c := range [][5]int{{64, 2, 16, 16, 8}, {128, 4, 32, 16, 16}, {128, 2, 32, 32, 16}, {64, 4, 16, 16, 8}} { // matrices for one warp, for several, and more than warps
		threads, n, rows, depth, cols := c[0], c[1], c[2], c[3], c[4]
		a, b := s.small(weft.F16, n, rows, 2*depth), s.small(weft.F16, n, 2*depth, cols)
		s.sub(func(s *suite) {
			s.agree(func(k *tile.Builder) {
				k.Schedule(tile.Schedule{Threads: threads})
				va, vb, o := k.In("a", weft.F16, 3), k.In("b", weft.F16, 3), k.Out("out", weft.F32, 2)
				acc := k.Var(k.Zeros(weft.F32, n, rows, cols))
				for i := range k.Range(k.CDiv(va.Dim(2), depth)) {
					acc.Set(tile.Dot(va.Block(n, rows, depth).Load(0, 0, i), vb.Block(n, depth, cols).Load(0, i, 0), acc.Get(), tile.Float32Accumulate))
				}
				o.Block(rows, cols).Store(acc.Get().Sum(0).Reshape(rows, cols), 0, 0)
			}, nil, in(a), in(b), out(weft.F32, rows, cols))
		}, "%d_threads_%dx%dx%dx%d", threads, n, rows, depth, cols)
	}
}
