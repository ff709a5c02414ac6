package backendtest

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

var rankCases = []testCase{
	{"Rank5Memory", testRank5Memory},
	{"Rank5Shapes", testRank5Shapes},
	{"Rank5Reductions", testRank5Reductions},
	{"KernelDotTF32", testDotTF32},
	{"KernelLibrary", testLibrary},
}

// testRank5Memory moves tiles of five dimensions by blocks, by points and by atomic ops, at the view's edges.
func testRank5Memory(s *suite) {
	shape, block := []int{2, 3, 2, 5, 9}, []int{1, 2, 2, 4, 4}
	for _, elem := range []weft.DType{weft.I32, weft.F32} {
		x := s.random(elem, shape...).each(func(_ int, x float64) float64 { return math.Trunc(math.Mod(x, 1000)) })
		s.agree(func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: 32})
			view, o := k.In("x", elem, 5), k.Out("out", elem, 5)
			moved, sums := k.Out("moved", elem, 5), k.InOut("sums", elem, 5)
			at := k.ProgramTile(o, block...)
			v := view.Block(block...).Fill(7).Load(at...)
			o.Block(block...).Store(v.Add(v.Maximum(3)), at...)
			sums.Block(block...).AtomicAdd(v, at...)
			var points []tile.Operand
			for d, n := range block {
				sizes := []int{1, 1, 1, 1, 1}
				sizes[d] = n
				points = append(points, k.Iota(d, sizes...).Add(at[d].(*tile.Value).Mul(n)))
			}
			moved.At(points...).Scatter(view.At(points...).Fill(3).Gather())
		}, nil, in(x), out(elem, shape...), out(elem, shape...), inOut(filled(elem, 5, shape...)))
	}
}

// testRank5Shapes changes shapes from and to five dimensions.
func testRank5Shapes(s *suite) {
	x := s.random(weft.I32, 2, 4, 2, 4, 8)
	s.agree(func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 64})
		view, o := k.In("x", weft.I32, 5), k.Out("out", weft.I32, 5)
		v := view.Block(2, 4, 2, 4, 8).Load(0, 0, 0, 0, 0)
		column := view.Block(1, 4, 1, 4, 1).Load(1, 0, 1, 0, 3).Broadcast(2, 4, 2, 4, 8)
		a, b := v.Reshape(2, 4, 2, 16, 2).Split()
		joined := b.Mul(3).Join(a.Sub(1)).Reshape(2, 4, 2, 4, 8)
		turned := v.Reshape(8, 2, 4, 4, 2).Permute(3, 4, 1, 2, 0).Reshape(2, 4, 2, 4, 8)
		sum := joined.Add(turned).Add(column).Xor(k.Iota(3, 2, 4, 2, 4, 8)).Add(k.Full(weft.I32, 11, 2, 4, 2, 4, 8))
		o.Block(2, 4, 2, 4, 8).Store(sum.Add(view.Dim(4)), 0, 0, 0, 0, 0)
	}, nil, in(x), out(weft.I32, 2, 4, 2, 4, 8))
}

// testRank5Reductions reduces and scans along dimensions of five.
func testRank5Reductions(s *suite) {
	shape := []int{2, 4, 2, 2, 8}
	axes := either(s, []int{1}, []int{0, 1, 2, 3, 4})
	x := s.random(weft.I32, shape...)
	for _, axis := range axes {
		s.agree(func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: 32})
			view, o := k.In("x", weft.I32, 5), k.Out("out", weft.I32, 5)
			v := view.Block(shape...).Load(0, 0, 0, 0, 0)
			truths := v.Gt(90).Any(axis).Xor(v.Gt(-90).All(axis))
			xor := tile.Reduce([]*tile.Value{v}, axis, func(x, y []*tile.Value) []*tile.Value { return []*tile.Value{x[0].Xor(y[0])} })[0]
			r := v.Sum(axis).Add(v.Max(axis).Mul(3)).Sub(v.Min(axis)).Xor(v.Or(1).Prod(axis)).Add(xor)
			r = k.Where(truths, r, r.Neg())
			c := v.CumSum(axis).Add(v.CumMin(axis, tile.Reverse)).Sub(v.CumMax(axis, tile.Exclusive).Maximum(-5))
			o.Block(shape...).Store(c.Add(r), 0, 0, 0, 0, 0)
		}, nil, in(x), out(weft.I32, shape...))
	}
}

// testDotTF32 allows products to round to TF32, in one part or in two, of operands that it holds exactly: a device without it
// gives IEEE, and the result is the same.
func testDotTF32(s *suite) {
	a, b := s.small(weft.F32, 16, 32), s.small(weft.F32, 32, 16)
	for _, precision := range []tile.Precision{tile.TF32, tile.TF32x3} {
		s.agree(func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: 64})
			va, vb, o := k.In("a", weft.F32, 2), k.In("b", weft.F32, 2), k.Out("out", weft.F32, 2)
			acc := k.Full(weft.F32, 3, 16, 16)
			o.Block(16, 16).Store(tile.Dot(va.Block(16, 32).Load(0, 0), vb.Block(32, 16).Load(0, 0), acc, precision), 0, 0)
		}, nil, in(a), in(b), out(weft.F32, 16, 16))
	}
}

// testLibrary computes what the language builds from its ops: CDiv of scalars and of tiles, Clamp, and the
// activations, with the bound that their errors have in F32.
func testLibrary(s *suite) {
	n := s.random(weft.U32, 64).each(func(_ int, x float64) float64 { return math.Mod(x, 1<<20) })
	s.agree(func(k *tile.Builder) {
		view, o := k.In("n", weft.U32, 1), k.Out("out", weft.U32, 1)
		v := view.Block(64).Load(0)
		up := k.CDiv(v, 7).Add(k.CDiv(1<<20, v.Add(1))).Add(k.CDiv(v, k.CDiv(view.Dim(0), 5).Cast(weft.U32)))
		o.Block(64).Store(up.Add(v.Clamp(100, 1000)), 0)
	}, nil, in(n), out(weft.U32, 64))

	x := s.random(weft.F32, 256)
	bound := func(_ int, want float64) float64 { return 2e-5 * (1 + math.Abs(want)) }
	s.agreeWithin(bound, nil, func(k *tile.Builder) {
		view, o := k.In("x", weft.F32, 1), k.Out("out", weft.F32, 2)
		v := view.Block(256).Load(0).Clamp(-8, 8)
		for i, y := range []*tile.Value{tile.GELU(v), tile.GELUTanh(v), tile.SiLU(v), v.Abs().Add(1).Rsqrt(), v.Erf()} {
			o.Block(1, 256).Store(y.Expand(0), i, 0)
		}
	}, nil, in(x), out(weft.F32, 5, 256))
}
