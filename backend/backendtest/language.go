package backendtest

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

var languageCases = []testCase{
	{"LanguageOperands", testOperands},
	{"LanguageOffsets", testOffsets},
	{"LanguageFarOffsets", testFarOffsets},
	{"LanguageBlocks", testBlocks},
}

// testOperands computes with Go numbers of several types on either side of an op, and along axes counted from the last.
func testOperands(s *suite) {
	type count int16
	for _, elem := range s.elements(weft.F32, weft.I32, weft.U8) {
		if elem == weft.Bool {
			continue
		}
		// Small integers, so that any way of rounding gives the same.
		x := s.random(elem, 5, 29).each(func(_ int, x float64) float64 { return 1 + math.Mod(math.Abs(math.Trunc(4*x)), 8) })
		s.agree(func(k *tile.Builder) {
			view, o, r := k.In("x", elem, 2), k.Out("out", elem, 3), k.Out("rows", elem, 2)
			v := view.Block(8, 32).Fill(1).Load(0, 0)
			quotient := k.Div(count(64), k.Where(v.Gt(int8(4)), uint8(8), k.Where(v.Gt(2), float32(4), v)))
			if elem.IsInt() {
				quotient = quotient.Add(k.Rem(100, v)).Add(k.Shl(1, v.Minimum(3))).Add(k.Shr(int64(96), v))
			}
			for i, y := range []*tile.Value{k.Sub(uint16(20), v), quotient, k.Where(v.Gt(3), count(9), 1.0).Cast(elem), k.Where(v.Gt(3), 2, v)} {
				o.Block(1, 8, 32).Squeeze(0).Store(y, i, 0, 0)
			}
			r.Block(8, 1).Store(v.Sum(-1).Add(v.Max(-1)).Sub(v.ArgMin(-1).Cast(elem)), 0, 0)
		}, nil, in(x), out(elem, 4, 5, 29), out(elem, 5, 1))
	}
}

// testOffsets moves blocks from and to offsets that count elements, at the view's edges and beyond, in tensors of every form.
// The offsets are multiples of the block, of vectors, and of nothing, as the compiler knows it or not.
func testOffsets(s *suite) {
	for i, elem := range s.elements(weft.F32, weft.F16, weft.I8) {
		for j, shape := range [][]int{{37, 91}, {32, 96}} {
			f := forms[(i+j)%len(forms)]
			o := out(elem, 4, 48, 112)
			o.form = forms[(i+j+1)%len(forms)]
			s.agree(func(k *tile.Builder) {
				row, column := k.Scalar("row", weft.I32), k.Scalar("column", weft.I32)
				x, o := k.In("x", elem, 2), k.Out("out", elem, 3)
				k.Grid(3, 7)
				r, c := k.ProgramID(0).Mul(16), k.ProgramID(1).Mul(16)
				from, to := x.Block(16, 16).Fill(1), o.Block(1, 16, 16).Squeeze(0)
				for i, v := range []*tile.Value{from.LoadAt(r, c), from.LoadAt(r.Sub(1), c.Add(8)), from.LoadAt(r.Sub(row), c.Add(column)), from.LoadAt(r.Sub(24), c.Sub(4))} {
					to.StoreAt(v, i, r, c)
				}
			}, weft.Scalars{5, -3}, arg{s.random(elem, shape...), f, false}, o)
			o = out(elem, 41, 83)
			o.form = f
			s.agree(func(k *tile.Builder) { // consecutive tiles, from before the first element on
				row, column := k.Scalar("row", weft.I32), k.Scalar("column", weft.I32)
				x, o := k.In("x", elem, 2), k.Out("out", elem, 2)
				k.Grid(4, 7)
				r, c := k.ProgramID(0), k.ProgramID(1)
				o.Block(16, 16).StoreAt(x.Block(16, 16).Load(r, c), r.Mul(16).Sub(row), c.Mul(16).Sub(column))
			}, weft.Scalars{7, 5}, arg{s.random(elem, shape...), forms[(i+j+2)%len(forms)], false}, o)
		}
	}
}

// testFarOffsets reads and writes at offsets near the least and the largest number: nothing of the view is there.
func testFarOffsets(s *suite) {
	far := host{weft.I32, []int{8}, []float64{math.MaxInt32, math.MinInt32, math.MaxInt32 - 3, math.MinInt32 + 5, 1 << 30, -1 << 30, 3, -2}}
	for _, elem := range s.elements(weft.F32, weft.U8) {
		if elem == weft.Bool { // has no greatest element, nor 2
			continue
		}
		s.agree(func(k *tile.Builder) {
			x, at, o, y := k.In("x", elem, 1), k.In("at", weft.I32, 1), k.Out("out", elem, 2), k.Out("y", elem, 2)
			k.Grid(8)
			p := k.ProgramID(0)
			from := at.At(p).Gather()
			v := x.Block(16).Fill(1).LoadAt(from)
			o.Block(1, 16).Squeeze(0).Store(v.Maximum(x.Block(16).Fill(2).LoadAt(from.Shl(4))), p, 0)
			y.Block(1, 16).Squeeze(0).StoreAt(v, p, from)
		}, nil, in(s.random(elem, 24)), in(far), out(elem, 8, 16), out(elem, 8, 24))
	}
}

// testBlocks asks blocks for their indices and for what of them the view has, and changes their points by atomic ops.
func testBlocks(s *suite) {
	x := s.random(weft.I32, 50, 2, 27).each(func(_ int, x float64) float64 { return math.Mod(x, 1000) })
	far := host{weft.I32, []int{4}, []float64{0, 1, 1 << 20, -1 << 20}}
	s.agree(func(k *tile.Builder) {
		view, at, o, sums := k.In("x", weft.I32, 3), k.In("at", weft.I32, 1), k.Out("out", weft.I32, 3), k.InOut("sums", weft.I32, 2)
		k.Grid(4, 4)
		p, q := at.At(k.ProgramID(0)).Gather(), k.ProgramID(1)
		b := view.Block(32, 1, 8).Squeeze(-2).Fill(-5)
		v, inside := b.Load(p, 1, q), b.Inside(p, 1, q)
		where := b.Indices(0, p).Mul(1000).Add(b.Indices(-1, q)).Add(b.Indices(1, 1))
		o.Block(1, 32, 8).Squeeze(0).Store(v.Add(k.Where(inside, where, -7)), k.ProgramID(0), 0, q)
		sums.Block(32, 8).PointsAt(p.Minimum(1).Mul(7).Sub(3), q.Mul(8).Sub(2)).Mask(inside).AtomicAdd(v)
	}, nil, in(x), in(far), out(weft.I32, 4, 32, 32), inOut(filled(weft.I32, 3, 40, 27)))
}
