package backendtest

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// testShapes moves elements by reshapes, permutations, joins and splits, between shapes
// whose distributions follow from one another and between those that do not.
func testShapes(s *suite) {
	for _, elem := range []weft.DType{weft.I32, weft.F16, weft.U8, weft.Bool} {
		for _, n := range either(s, []int{64}, []int{1, 32, 256}) {
			s.sub(func(s *suite) {
				x := s.random(elem, 16, 32)
				s.agree(func(k *tile.Builder) {
					k.Schedule(tile.Schedule{Threads: n})
					view, a, b, c := k.In("x", elem, 2), k.Out("a", elem, 2), k.Out("b", elem, 2), k.Out("c", elem, 3)
					v := view.Block(16, 32).Load(0, 0)
					a.Block(32, 16).Store(v.Transpose(), 0, 0)
					b.Block(8, 64).Store(v.Reshape(8, 64), 0, 0)
					even, odd := v.Reshape(16, 16, 2).Split()
					c.Block(16, 16, 2).Store(odd.Transpose().Join(even), 0, 0, 0)
				}, nil, in(x), out(elem, 32, 16), out(elem, 8, 64), out(elem, 16, 16, 2))
			}, "%v_%d", elem, n)
		}
	}
	for _, elem := range []weft.DType{weft.I32, weft.F16, weft.U8, weft.Bool} {
		for _, n := range either(s, []int{64}, []int{1, 32, 256}) {
			s.sub(func(s *suite) { testReorder(s, elem, n) }, "reorder_%v_%d", elem, n)
		}
	}
	for _, n := range either(s, []int{64}, []int{1, 32, 256}) {
		s.sub(func(s *suite) { testRanks(s, n) }, "ranks_%d", n)
	}
	for _, elem := range []weft.DType{weft.I32, weft.U32, weft.F32} {
		for _, n := range either(s, []int{64}, []int{1, 32, 256}) {
			s.sub(func(s *suite) { testHistograms(s, elem, n) }, "histogram_%v_%d", elem, n)
		}
	}
	s.agree(func(k *tile.Builder) {
		a, b := k.Out("a", weft.I32, 2), k.Out("b", weft.I32, 3)
		row, column := k.Arange(64).Expand(0), k.Arange(32).Expand(1)
		a.Block(32, 64).Store(column.Mul(100).Add(row), 0, 0)
		b.Block(4, 2, 8).Store(k.Iota(0, 4, 2, 8).Mul(100).Add(k.Iota(1, 4, 2, 8).Mul(10)).Add(k.Iota(2, 4, 2, 8)), 0, 0, 0)
	}, nil, out(weft.I32, 32, 64), out(weft.I32, 4, 2, 8))
}

// testHistograms adds up weights by bins: of tiles with few and many bins, of elements that have none, of a bin that most elements have, in a loop, and from a distribution
// that holds elements more than once. Weights of floats are such that their sums are exact.
func testHistograms(s *suite, elem weft.DType, threads int) {
	x := s.random(weft.I32, 16, 32)
	s.agree(func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: threads})
		view := k.In("x", weft.I32, 2)
		few, many, one, most, sums := k.Out("few", elem, 1), k.Out("many", elem, 1), k.Out("one", elem, 1), k.Out("most", elem, 1), k.Out("sums", elem, 1)
		v := view.Block(16, 32).Load(0, 0)
		weight := v.And(15).Sub(3).Cast(elem)
		few.Block(8).Store(v.And(15).Sub(4).Histogram(8, weight), 0) // -4 to 11
		many.Block(1024).Store(v.And(1023).Histogram(1024, k.Const(elem, 3)), 0)
		one.Block(1).Store(view.Block(1, 2).Load(3, 1).And(1).Histogram(1, k.Const(elem, 1)), 0)
		most.Block(64).Store(k.Where(v.And(7).Eq(0), v.And(63), 5).Histogram(64, weight), 0)
		sum := k.Var(k.Zeros(elem, 128))
		for i := range k.Range(4) {
			part := view.Block(4, 32).Load(i, 0)
			sum.Set(sum.Get().Add(part.And(127).Histogram(128, part.And(7).Cast(elem))))
		}
		sums.Block(128).Store(sum.Get(), 0)
	}, nil, in(x), out(elem, 8), out(elem, 1024), out(elem, 1), out(elem, 64), out(elem, 128))
}

// testRanks counts equal elements before each in runs of several lengths, and takes elements at computed places.
func testRanks(s *suite, threads int) {
	x, y := s.random(weft.I32, 4, 256), s.random(weft.F16, 8, 16)
	s.agree(func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: threads})
		view, halves := k.In("x", weft.I32, 2), k.In("y", weft.F16, 2)
		ranks, taken, few := k.Out("ranks", weft.I32, 3), k.Out("taken", weft.F16, 1), k.Out("few", weft.I32, 1)
		v := view.Block(4, 256).Load(0, 0)
		for i, run := range []int{1, 16, 32, 128, 256, 1024} {
			ranks.Block(1, 4, 256).Store(v.Rank(run, 1+2*i).Expand(0), i, 0, 0)
		}
		table := halves.Block(8, 16).Load(0, 0)
		taken.Block(1024).Store(table.Transpose().Take(v.Reshape(1024)), 0)
		few.Block(8).Store(k.Arange(512).Mul(3).Take(v.Rank(8, 2).Reshape(1024).Take(k.Arange(8).Mul(100))), 0)
	}, nil, in(x), in(y), out(weft.I32, 6, 4, 256), out(weft.F16, 1024), out(weft.I32, 8))
}

// testReorder moves elements to computed places, also from distributions that hold an element more than once, and back.
func testReorder(s *suite, elem weft.DType, threads int) {
	x := s.random(elem, 16, 32)
	s.agree(func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: threads})
		view, turned, few, back := k.In("x", elem, 2), k.Out("turned", elem, 2), k.Out("few", elem, 1), k.Out("back", weft.I32, 5)
		v := view.Block(16, 32).Load(0, 0)
		place := k.Iota(0, 16, 32).Mul(32).Add(k.Iota(1, 16, 32)) // its number
		moved := v.Reorder(place.Mul(37).Add(1030))
		turned.Block(16, 32).Store(moved, 0, 0)
		few.Block(8).Store(view.Block(1, 8).Load(3, 1).Reshape(8).Reorder(k.Arange(8).Xor(5)), 0)
		inverse := place.Reorder(place.Mul(37).Add(1030)) // which element is at each place
		back.Block(2, 2, 4, 2, 16).Store(inverse.Reorder(inverse).Reorder(place).Sub(place).Reshape(2, 2, 4, 2, 16), 0, 0, 0, 0, 0)
	}, nil, in(x), out(elem, 16, 32), out(elem, 8), out(weft.I32, 2, 2, 4, 2, 16))
}
