package backendtest

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

var pointCases = []testCase{
	{"PointsGather", testGather},
	{"PointsScatter", testScatter},
	{"PointsOrder", testOrder},
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
		return dtype.All()
	}
	return quick
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
			o.Block(64).Store(view.At(r, c).Where(c.Ne(3)).Fill(1).Gather(), p)
			both := view.At(k.ArangeAlong(0, 8, 1).Mul(p.Add(1)), k.ArangeAlong(1, 1, 16).Sub(2)).Gather()
			table.Block(8, 16).Store(both.Max(view.At(p, 5).Gather()), p, 0)
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
			o.At(1, j).Where(j.Rem(3).Eq(0)).Scatter(v)
			o.At(2, p.Mul(7)).Scatter(view.At(p).Gather())
		}, nil, in(s.random(elem, 200)), in(s.permutation(200, -5)), o)
	}
}

// testOrder reads in one program what it wrote, by other threads and in other shapes.
func testOrder(s *suite) {
	x := s.random(weft.I32, 3, 64)
	s.agree(func(k *tile.Builder) {
		view, x, o := k.In("in", weft.I32, 2), k.InOut("x", weft.I32, 2), k.Out("out", weft.I32, 2)
		k.Grid(1)
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
