package backendtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/ops"
)

var scanCases = []testCase{
	{"ScanShapes", scanShapes},
	{"ScanViews", scanViews},
	{"ScanTypes", scanTypes},
	{"ScanLong", scanLong},
	{"ScanEdges", scanEdges},
	{"ScanInPlace", scanInPlace},
}

// scanForm is which options a call has.
type scanForm struct{ exclusive, reverse bool }

var scanForms = []scanForm{{}, {true, false}, {false, true}, {true, true}}

func (f scanForm) options() (list []ops.ScanOption) {
	if f.exclusive {
		list = append(list, ops.Exclusive())
	}
	if f.reverse {
		list = append(list, ops.Reverse())
	}
	return list
}

// scanned is what a cumulative op should give along a dimension, with bounds.
func scanned(c catalog.Scan, x host, dim int, f scanForm) (want, bound []float64) {
	n, inner := x.shape[dim], size(x.shape[dim+1:])
	want, bound = make([]float64, len(x.x)), make([]float64, len(x.x))
	row := make([]float64, n)
	for r := range len(x.x) / max(n, 1) {
		at := func(i int) int { return (r/inner*n+i)*inner + r%inner }
		for i := range row {
			row[i] = x.x[at(i)]
		}
		w, b := c.Exact(x.elem, row, f.exclusive, f.reverse)
		for i := range row {
			want[at(i)], bound[at(i)] = kept(c.Result(x.elem), w[i]), b[i]
		}
	}
	return want, bound
}

// scans checks a cumulative op of a tensor of a form into one of another.
func (s *suite) scans(c catalog.Scan, x host, dim int, f scanForm, from, to form) {
	s.Helper()
	s.op(c.Function)
	want, bound := scanned(c, x, dim, f)
	out := s.output(to, c.Result(x.elem), x.shape...)
	s.try(c.Into(out.Tensor, s.input(from, x), dim, f.options()...))
	if err := out.verify(want, func(i int) float64 { return bound[i] }); err != nil {
		s.Error(fmt.Errorf("%s of %v%v, %s to %s, along %d, %+v: %w", c.Name, x.elem, x.shape, from, to, dim, f, err))
	}
}

// Rows of one element, in one tile and in several, along the last dimension and before others.
func scanShapes(s *suite) {
	i := 0
	for _, c := range catalog.Scans {
		for _, shape := range [][]int{{5, 203}, {3, 9001}, {301, 37}, {9001, 3}, {70, 61}, {7, 1}, {1, 1}, {2, 300, 5}}[:either(s, 3, 8)] {
			for dim := range shape {
				s.scans(c, s.fitting(c.ReduceOp.String(), weft.F32, shape...), dim, scanForms[i%4], dense, dense)
				i++
			}
		}
	}
}

// Any dimension of tensors of any rank, in any views.
func scanViews(s *suite) {
	for i := range either(s, 10, 120) {
		shape := make([]int, 1+s.rng.IntN(4))
		for d := range shape {
			shape[d] = 1 + s.rng.IntN(9)
		}
		c := catalog.Scans[i%len(catalog.Scans)]
		x := s.fitting(c.ReduceOp.String(), floatTypes[i%3], shape...)
		s.scans(c, x, s.rng.IntN(len(shape)), scanForms[s.rng.IntN(4)], forms[s.rng.IntN(len(forms))], forms[s.rng.IntN(len(forms))])
	}
	// Of one element that a view repeats, and of no elements.
	c := catalog.Scans[0]
	s.op(c.Function)
	wide := s.ok(s.tensor(filled(weft.F32, 3, 2, 1)).Broadcast(2, 50))
	s.compare(s.ok(ops.Cumsum(wide, -1)), slices.Concat(rising(50, 3), rising(50, 3)), func(int) float64 { return 0 })
	for i, scan := range []func(*weft.Tensor, int, ...ops.ScanOption) (*weft.Tensor, error){ops.Cumsum, ops.Cumprod, ops.Cummax, ops.Cummin} {
		for _, shape := range [][]int{{3, 0}, {0, 3}, {0}} {
			if out := s.ok(scan(s.tensor(filled(weft.F32, 0, shape...)), 0)); !slices.Equal(out.Shape(), shape) {
				s.Errorf("%s of shape %v has shape %v", catalog.Scans[i].Function, shape, out.Shape())
			}
		}
	}
}

// rising are n multiples of a number from 1 on.
func rising(n int, of float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i+1) * of
	}
	return x
}

// Every element type: integers wrap, and start from the ends of their types.
func scanTypes(s *suite) {
	for i, elem := range s.andLong(weft.I32, weft.F16, weft.I8, weft.U8, weft.U32, weft.BF16, weft.I16, weft.U16) {
		for j, c := range catalog.Scans {
			if !s.full && (i+j)%2 == 1 {
				continue
			}
			f := scanForms[(i/2+j)%4]
			if elem.Size() == 8 && elem.IsInt() && c.Function != "Cumsum" && c.Function != "Cumprod" {
				f.exclusive = false // float64 does not hold the ends
			}
			s.scans(c, s.fitting(c.ReduceOp.String(), elem, 9, 77), 1, f, dense, sliced)
			s.scans(c, s.fitting(c.ReduceOp.String(), elem, 77, 9), 0, f, sliced, dense)
		}
	}
	if !s.dev.Caps().Int64 {
		return
	}
	x := s.ok(weft.FromSlice(s.dev, []int64{5, -3, math.MaxInt64}, 3))
	var got []int64
	for _, scan := range []func(*weft.Tensor, int, ...ops.ScanOption) (*weft.Tensor, error){ops.Cummax, ops.Cummin} {
		list, err := weft.ToSlice[int64](s.ok(scan(x, 0, ops.Exclusive())))
		s.try(err)
		got = append(got, list...)
	}
	if want := []int64{math.MinInt64, 5, 5, math.MaxInt64, 5, -3}; !slices.Equal(got, want) {
		s.Errorf("exclusive largest and smallest elements %d, want %d", got, want)
	}
}

// Rows so long that programs share them, and a few adjacent ones.
func scanLong(s *suite) {
	for i, n := range more(s, []int{100_003}, 1<<20, 3_000_017) {
		for j, c := range catalog.Scans[:either(s, 3, 4)] {
			s.scans(c, s.fitting(c.ReduceOp.String(), weft.F32, n), 0, scanForms[(i+j)%4], dense, dense)
		}
		s.scans(catalog.Scans[0], s.fitting("sum", weft.I32, n/3, 3), 0, scanForms[(i+1)%4], dense, dense)
		s.scans(catalog.Scans[0], s.fitting("sum", weft.F16, 2, n/3), 1, scanForms[(i+2)%4], dense, dense)
	}
	if s.dev.Caps().SystemOrder { // programs of one pass wait for each other
		s.scans(catalog.Scans[0], s.fitting("sum", weft.F32, 3_000_017), 0, scanForms[0], dense, dense)
	}
	// Every run gives the same bits.
	x := s.tensor(s.random(weft.F32, 100_003))
	first, again := s.floats(s.ok(ops.Cumsum(x, 0))), s.floats(s.ok(ops.Cumsum(x, 0)))
	if !slices.Equal(first, again) {
		s.Errorf("cumulative sums of one tensor differ from run to run")
	}
}

// NaN and infinities are in all that comes after them, in short rows, and in rows that programs share, whose other elements they leave alone.
func scanEdges(s *suite) {
	for i, n := range []int{1, 2, 40, 300, 9000, 100_003}[:either(s, 5, 6)] {
		elem := s.reals()[i%len(s.reals())]
		x := s.random(elem, 4, n)
		at := s.rng.IntN(n)
		x.x[at], x.x[n+s.rng.IntN(n)], x.x[2*n+at] = nan, inf, -inf
		for j := range n {
			x.x[3*n+j] = math.Copysign(nan, -1)
		}
		for j, c := range catalog.Scans {
			if c.Function != "Cumprod" {
				s.scans(c, x, 1, scanForms[(i+j)%4], dense, dense)
				s.scans(c, x, 1, scanForms[(i+j+2)%4], dense, dense)
			}
		}
	}
}

// The result may take the place of x.
func scanInPlace(s *suite) {
	for i, shape := range [][]int{{30, 70}, {2, 70_001}, {5000, 7}} {
		c, f := catalog.Scans[i%len(catalog.Scans)], scanForms[i]
		x := s.fitting(c.ReduceOp.String(), weft.F32, shape...)
		s.op(c.Function)
		want, bound := scanned(c, x, i%2, f)
		out := s.outputOf(forms[i], x)
		s.try(c.Into(out.Tensor, out.Tensor, i%2, f.options()...))
		if err := out.verify(want, func(i int) float64 { return bound[i] }); err != nil {
			s.Error(fmt.Errorf("%s in place of %v: %w", c.Name, shape, err))
		}
	}
}
