package backendtest

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// testCombines reduces and scans by combines of several values, in several shapes
// of tiles and numbers of threads.
func testCombines(s *suite) {
	shapes := more(s, [][3]int{{4, 64, 64}, {16, 4, 32}, {1, 256, 128}}, [3]int{64, 8, 32}, [3]int{32, 32, 1}, [3]int{2, 1024, 256})
	for _, c := range shapes {
		rows, columns, threads := c[0], c[1], c[2]
		for axis := range 2 {
			if !s.full && rows == 1 && axis == 0 {
				continue
			}
			s.sub(func(s *suite) { combineOne(s, rows, columns, axis, threads) }, "%dx%d_axis%d", rows, columns, axis)
		}
	}
	s.sub(testReverse, "reverse")
	s.sub(testArg, "arg")
	s.sub(testWelford, "welford")
}

// affine combines maps x ↦ a·x + b, whose order matters.
func affine(x, y []*tile.Value) []*tile.Value {
	return []*tile.Value{x[0].Mul(y[0]), y[0].Mul(x[1]).Add(y[1])}
}

// testReverse scans from the last element to the first.
func testReverse(s *suite) {
	for _, axis := range []int{0, 1} {
		s.agree(func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: 32})
			view, a, b := k.In("x", weft.I32, 2), k.Out("a", weft.I32, 2), k.Out("b", weft.I32, 2)
			v := view.Block(4, 64).Load(0, 0)
			maps := []*tile.Value{v, v.Xor(99)}
			a.Block(4, 64).Store(tile.Scan(maps, axis, affine, tile.Reverse)[1], 0, 0)
			b.Block(4, 64).Store(tile.ScanExclusive(maps, []tile.Operand{1, 0}, axis, affine, tile.Reverse)[1], 0, 0)
		}, nil, in(s.random(weft.I32, 4, 64)), out(weft.I32, 4, 64), out(weft.I32, 4, 64))
	}
}

// combineOne scans maps and reduces truths.
func combineOne(s *suite, rows, columns, axis, threads int) {
	x := s.random(weft.I32, rows, columns)
	s.agree(func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: threads})
		view, a, b, c := k.In("x", weft.I32, 2), k.Out("a", weft.I32, 2), k.Out("b", weft.I32, 2), k.Out("c", weft.Bool, 2)
		v := view.Block(rows, columns).Load(0, 0)
		maps := []*tile.Value{v, v.Xor(99)}
		a.Block(rows, columns).Store(tile.Scan(maps, axis, affine)[1], 0, 0)
		b.Block(rows, columns).Store(tile.ScanExclusive(maps, []tile.Operand{1, 0}, axis, affine)[1], 0, 0)
		c.Block(rows, columns).Store(v.Or(1).Prod(axis).Gt(0).Xor(v.Gt(1<<30).Any(axis)).Xor(v.Gt(-1<<30).All(axis)), 0, 0)
	}, nil, in(x), out(weft.I32, rows, columns), out(weft.I32, rows, columns), out(weft.Bool, rows, columns))
}

// testArg finds the first of the largest and smallest elements, among NaN and equal ones.
func testArg(s *suite) {
	for _, elem := range either(s, []weft.DType{weft.F32, weft.U32}, s.numeric()) {
		x := s.random(elem, 16, 32)
		for i := range x.x {
			switch {
			case i%3 == 0:
				x.x[i] = math.Mod(math.Abs(math.Floor(x.x[i])), 3)
			case elem.IsFloat() && i/32 == 5 && i%11 == 0:
				x.x[i] = math.NaN()
			}
		}
		s.agree(func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: 64})
			view, top, bottom := k.In("x", elem, 2), k.Out("top", weft.I32, 2), k.Out("bottom", weft.I32, 2)
			v := view.Block(16, 32).Load(0, 0)
			top.Block(16, 1).Store(v.ArgMax(1), 0, 0)
			bottom.Block(1, 32).Store(v.ArgMin(0), 0, 0)
		}, nil, in(x), out(weft.I32, 16, 1), out(weft.I32, 1, 32))
	}
}

// testWelford normalises rows by means and variances of one pass, and sums them up.
func testWelford(s *suite) {
	x := s.random(weft.F32, 8, 128)
	bound := func(_ int, want float64) float64 { return 1e-4 * (1 + math.Abs(want)) }
	s.agreeWithin(bound, nil, func(k *tile.Builder) {
		view, y, sums := k.In("x", weft.F32, 2), k.Out("y", weft.F32, 2), k.Out("sums", weft.F32, 2)
		v := view.Block(8, 128).Load(0, 0)
		r := tile.Reduce([]*tile.Value{k.Full(weft.F32, 1, 8, 128), v, k.Zeros(weft.F32, 8, 128)}, 1, func(x, y []*tile.Value) []*tile.Value {
			n := x[0].Add(y[0])
			delta := y[1].Sub(x[1])
			share := y[0].Div(n)
			return []*tile.Value{n, x[1].Add(delta.Mul(share)), x[2].Add(y[2]).Add(delta.Mul(delta).Mul(x[0]).Mul(share))}
		})
		y.Block(8, 128).Store(v.Sub(r[1]).Mul(r[2].Div(r[0]).Rsqrt()), 0, 0)
		sums.Block(8, 128).Store(v.CumSum(1), 0, 0)
	}, nil, in(x), out(weft.F32, 8, 128), out(weft.F32, 8, 128))
}
