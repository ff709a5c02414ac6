package backendtest

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

var embeddingCases = []testCase{
	{"EmbeddingShapes", embeddingShapes},
	{"EmbeddingViews", embeddingViews},
	{"EmbeddingRanges", embeddingRanges},
	{"EmbeddingBits", embeddingBits},
	{"EmbeddingEmpty", embeddingEmpty},
	{"EmbeddingGrad", embeddingGrads},
}

// ids makes an array of ids of a table of so many rows; some of them it does not have.
func (s *suite) ids(rows int, shape ...int) host {
	outside := []float64{-1, float64(rows), math.MinInt32, math.MaxInt32}
	return filled(weft.I32, 0, shape...).each(func(i int, _ float64) float64 {
		if i%7 == 3 || rows == 0 {
			return outside[s.rng.IntN(len(outside))]
		}
		return float64(s.rng.IntN(rows))
	})
}

// embeds looks ids up in a table, in tensors of the forms of table, ids and out.
func (s *suite) embeds(table, ids host, f [3]form) {
	s.Helper()
	rows, cols := table.shape[0], table.shape[1]
	shape := append(slices.Clone(ids.shape), cols)
	out := s.output(f[2], table.elem, shape...)
	s.try(ops.EmbeddingInto(out.Tensor, s.input(f[0], table), s.input(f[1], ids)))
	want := make([]float64, size(shape))
	for i, id := range ids.x {
		if id >= 0 && id < float64(rows) {
			copy(want[i*cols:], table.x[int(id)*cols:][:cols])
		}
	}
	out.check(want, nil)
}

// embeddingShapes has rows of all lengths, shorter and longer than a tile.
func embeddingShapes(s *suite) {
	for i, elem := range s.reals() {
		for j, c := range more(s, [][3]int{{50, 64, 33}, {7, 4099, 5}, {3, 1, 100}, {1000, 24, 300}}, [][3]int{{2, 20_000, 3}, {65, 33, 1}, {70_000, 8, 1000}, {9, 4096, 130}}...) {
			if !s.full && j > 1 && i != j%3 {
				continue
			}
			s.embeds(s.random(elem, c[0], c[1]), s.ids(c[0], c[2]), [3]form{dense, dense, dense})
		}
	}
}

// embeddingViews has ids of any rank, in any views.
func embeddingViews(s *suite) {
	shapes := [][]int{{}, {5, 7}, {2, 3, 9}, {3, 1, 2, 5}}
	for i, f := range forms {
		for j, g := range forms {
			if !s.full && (i+j)%3 != 0 {
				continue
			}
			table := s.random(floatTypes[(i+2*j)%3], 11, 20+i)
			s.embeds(table, s.ids(11, shapes[(i+2*j)%4]...), [3]form{f, g, forms[(i+2*j)%4]})
		}
	}
	// A row that repeats one element, and one id for all places.
	column, one := s.random(weft.F16, 9, 1), filled(weft.I32, 4)
	wide, same := s.ok(s.input(sliced, column).Broadcast(9, 6)), s.ok(s.input(dense, one).Broadcast(3, 5))
	out := s.output(sliced, weft.F16, 3, 5, 6)
	s.trace.part(weft.F16, repeated)
	s.trace.part(weft.I32, repeated)
	s.try(ops.EmbeddingInto(out.Tensor, wide, same))
	out.check(slices.Repeat([]float64{column.x[4]}, 90), nil)
}

// embeddingRanges has elements of all magnitudes, which stay as they are.
func embeddingRanges(s *suite) {
	for _, elem := range floatTypes {
		table := s.random(elem, 6, 8).each(func(i int, x float64) float64 {
			return []float64{x, math.Inf(1), math.Inf(-1), largest[elem], -largest[elem], math.Copysign(0, -1), 1 + elem.Epsilon(), 0x1p-14}[i%8]
		})
		s.embeds(table, s.ids(6, 20), [3]form{dense, dense, dense})
	}
}

// embeddingBits has all halves, in rows of whole words.
func embeddingBits(s *suite) {
	const rows, cols = 256, 256
	halves := make([]weft.Float16, rows*cols)
	for i := range halves {
		halves[i] = weft.Float16(i)
	}
	ids := filled(weft.I32, 0, rows).each(func(i int, _ float64) float64 { return float64(i * 77 % rows) })
	out := s.output(dense, weft.F16, rows, cols)
	s.try(ops.EmbeddingInto(out.Tensor, s.ok(weft.FromSlice(s.dev, halves, rows, cols)), s.tensor(ids)))
	for i, got := range must[[]weft.Float16](s)(weft.ToSlice[weft.Float16](out.Tensor)) {
		if want := halves[i/cols*77%rows*cols+i%cols]; got != want {
			s.Fatalf("element %d is %#x, want %#x", i, got, want)
		}
	}
}

func embeddingEmpty(s *suite) {
	for _, c := range [][3]int{{0, 5, 4}, {5, 0, 4}, {5, 3, 0}} {
		s.embeds(s.random(weft.F32, c[0], c[1]), s.ids(c[0], c[2]), [3]form{dense, dense, dense})
	}
}

// embeddingGrads has ids of any rank, few and many of one row, in any views, with sums in any order and in one order.
func embeddingGrads(s *suite) {
	for i, c := range []struct {
		rows, columns int
		ids           []int
	}{{11, 20, []int{5, 7}}, {3, 1, []int{200}}, {40, 65, []int{2, 3, 9}}, {2, 4, nil}, {300, 8, []int{1000}}, {6, 5, []int{0}}, {0, 5, []int{4}}} {
		for j, elem := range []weft.DType{weft.F32, weft.F16, weft.BF16} {
			if !s.full && (i+j)%3 != 0 {
				continue
			}
			ids := s.ids(c.rows, c.ids...)
			dy := s.random(elem, append(slices.Clone(c.ids), c.columns)...)
			want, sizes, terms := make([]float64, c.rows*c.columns), make([]float64, c.rows*c.columns), make([]int, c.rows*c.columns)
			for k, v := range dy.x {
				if id := ids.x[k/c.columns]; id >= 0 && id < float64(c.rows) {
					p := int(id)*c.columns + k%c.columns
					want[p], sizes[p], terms[p] = want[p]+v, sizes[p]+math.Abs(v), terms[p]+1
				}
			}
			bound := func(p int) float64 { return bounds.Sum(elem, terms[p], want[p], sizes[p]) }
			for n, options := range [][]ops.ScatterOption{nil, {ops.Deterministic()}} {
				out := s.output(forms[(i+n)%4], elem, c.rows, c.columns)
				s.try(ops.EmbeddingGradInto(out.Tensor, s.input(forms[(i+j+n)%4], dy), s.input(forms[(j+2*n)%4], ids), options...))
				out.check(want, bound)
			}
			s.compare(s.ok(ops.EmbeddingGrad(s.tensor(dy), s.tensor(ids), c.rows)), want, bound)
		}
	}
}
