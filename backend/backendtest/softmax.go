package backendtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

var softmaxCases = []testCase{
	{"SoftmaxWidths", softmaxWidths},
	{"SoftmaxOddRows", softmaxOddRows},
	{"SoftmaxViews", softmaxViews},
	{"SoftmaxRanks", softmaxRanks},
	{"SoftmaxOnline", softmaxOnline},
	{"SoftmaxInfinities", softmaxInfinities},
	{"SoftmaxInPlace", softmaxInPlace},
	{"SoftmaxManyRows", softmaxManyRows},
	{"SoftmaxAxes", softmaxAxes},
	{"SoftmaxColumns", softmaxColumns},
	{"SoftmaxLong", softmaxLong},
	{"LogSoftmaxWidths", logSoftmaxWidths},
	{"SoftmaxTemperatures", softmaxTemperatures},
}

// softmaxOf is the softmax over the last dimension with the bound of its elements.
func softmaxOf(x host) (want []float64, bound func(int) float64) {
	cols := x.shape[len(x.shape)-1]
	want, spread := reference.Softmax(x.x, max(cols, 1))
	return want, func(i int) float64 { return bounds.Softmax(x.elem, cols, spread, want[i]) }
}

// scores are random numbers with a spread that would overflow a careless sum.
func (s *suite) scores(elem weft.DType, shape ...int) host {
	return s.random(elem, shape...).each(func(_ int, x float64) float64 { return 4*x + 100 })
}

func softmaxWidths(s *suite) {
	widths := more(s, []int{3, 1000, 20_001, 1, 2, 31, 33, 100, 140, 700, 1025, 5000, 8192, 8193}, 16_384, 65_537, 131_071, 1_000_003)
	for _, elem := range s.reals() {
		for _, n := range widths[:s.thorough(elem, len(widths), 3)] {
			x := s.scores(elem, 3, n)
			out := s.output(sliced, elem, 3, n)
			s.try(ops.SoftmaxInto(out.Tensor, s.input(dense, x)))
			out.check(softmaxOf(x))
		}
	}
}

// Rows of 16-bit elements that begin at any places within vectors of memory, which no form of views changes: in one tile, in two, and walked.
func softmaxOddRows(s *suite) {
	for i, n := range more(s, []int{1021, 2311, 9001}, 20_003, 43_975) {
		elem := []weft.DType{weft.F16, weft.BF16}[i%2]
		x := s.scores(elem, 9, n)
		out := s.output(dense, elem, 9, n)
		s.try(ops.SoftmaxInto(out.Tensor, s.input(dense, x)))
		out.check(softmaxOf(x))
	}
}

// softmaxViews takes a small config, which compiles quickly, for all pairs of views.
func softmaxViews(s *suite) {
	for _, elem := range floatTypes {
		cfg := kernels.SoftmaxConfig{Elem: elem, Rank: 2, Rows: 2, Cols: 64, Threads: 64}
		for i, fx := range forms {
			for j, fo := range forms[:s.thorough(elem, len(forms), 2)] {
				x := s.scores(elem, 37, 53)
				out := s.output(fo, elem, 37, 53)
				if (i+j)%4 == 0 || s.full {
					s.try(ops.SoftmaxInto(out.Tensor, s.input(fx, x)))
				} else {
					s.try(kernels.Softmax.Launch(cfg, s.input(fx, x), out.Tensor))
				}
				out.check(softmaxOf(x))
			}
		}
	}
}

// Rows in tensors of every rank, with leading dimensions that merge and that do not.
func softmaxRanks(s *suite) {
	for _, shape := range [][]int{{17}, {4, 1}, {2, 3, 19}, {2, 3, 4, 5}, {2, 3, 2, 3, 7}, {1, 1, 5, 1, 9}, {0, 5}, {5, 0}, {2, 0, 3}} {
		for _, f := range []form{dense, sliced, transposed} {
			x := s.scores(weft.F32, shape...)
			out := s.output(f, weft.F32, shape...)
			s.try(ops.SoftmaxInto(out.Tensor, s.input(sliced, x)))
			out.check(softmaxOf(x))
		}
	}
	// Rows along what was the first dimension.
	x := s.scores(weft.F32, 23, 3, 5)
	permuted := s.ok(s.tensor(x).Permute(1, 2, 0))
	s.result(s.ok(ops.Softmax(permuted))).check(softmaxOf(host{weft.F32, []int{3, 5, 23}, s.floats(permuted)}))

	s.refused("softmax of a scalar", weft.ErrShape, errorOf(ops.Softmax(s.tensor(filled(weft.F32, 1)))))
}

// The kernel for wide rows, with tiles so small that rows of any width take many.
func softmaxOnline(s *suite) {
	for _, elem := range s.reals() {
		for _, n := range []int{1, 63, 64, 65, 1000} {
			x := s.scores(elem, 5, n)
			for i := range x.x { // the largest element is the last
				x.x[i] += 0.1 * float64(i%n)
			}
			x.x[0], x.x[n-1] = math.Inf(-1), 200
			rounded(elem, x.x)
			out := s.output(sliced, elem, 5, n)
			cfg := kernels.SoftmaxConfig{Elem: elem, Rank: 2, Rows: 1, Cols: 64}
			s.try(kernels.SoftmaxOnline.Launch(cfg, s.input(sliced, x), out.Tensor))
			out.check(softmaxOf(x))
		}
	}
}

func softmaxInfinities(s *suite) {
	for _, elem := range s.reals() {
		for _, n := range []int{1, 3, 300, 9000} {
			x := s.scores(elem, 6, n)
			row := func(r int) []float64 { return x.x[r*n : (r+1)*n] }
			for i := range n {
				row(1)[i] = -inf
				if i != n/2 {
					row(2)[i] = -inf
				}
			}
			row(3)[n-1], row(4)[0], row(5)[n/3] = inf, nan, -inf
			out := s.ok(ops.Softmax(s.tensor(x)))
			s.result(out).check(softmaxOf(x))
			out.Close()
			out = s.ok(ops.LogSoftmax(s.tensor(x)))
			_, spread := reference.Softmax(x.x, n)
			want := reference.LogSoftmax(x.x, n)
			s.compare(out, want, func(i int) float64 { return bounds.LogSoftmax(elem, n, spread, want[i]) })
			out.Close()
		}
	}
}

func softmaxInPlace(s *suite) {
	for _, n := range []int{50, 9000} {
		for _, f := range []form{dense, stepped} {
			x := s.scores(weft.F32, 4, n)
			t := s.input(f, x)
			s.try(ops.SoftmaxInto(t, t))
			s.result(t).check(softmaxOf(x))
		}
	}
	x := s.random(weft.F32, 6, 6)
	t := s.tensor(x)
	s.refused("into its transpose", weft.ErrUnsupported, ops.SoftmaxInto(t, t.T()))
	s.compare(t, x.x, nil)
}

// More rows than a dimension of a GPU's grid takes, one program each.
func softmaxManyRows(s *suite) {
	x := s.scores(weft.F32, 70_000, 3)
	out := s.output(dense, weft.F32, 70_000, 3)
	s.try(ops.SoftmaxInto(out.Tensor, s.input(dense, x)))
	out.check(softmaxOf(x))

	out = s.output(dense, weft.F32, 70_000, 3)
	cfg := kernels.SoftmaxConfig{Elem: weft.F32, Rank: 2, Rows: 1, Cols: 4}
	s.try(kernels.Softmax.Launch(cfg, s.input(dense, x), out.Tensor))
	out.check(softmaxOf(x))
}

// softmaxNamed is an op by its function.
func softmaxNamed(function string) catalog.Softmax {
	return catalog.Softmaxes[slices.IndexFunc(catalog.Softmaxes, func(m catalog.Softmax) bool { return m.Function == function })]
}

// softmaxes checks an op along an axis from one form to another.
func (s *suite) softmaxes(op string, x host, from, to form, axis int, temperature float64) {
	s.Helper()
	divided := make([]float64, len(x.x))
	for i, v := range x.x {
		divided[i] = v / temperature
	}
	s.softmaxesTo(reference.Along(divided, x.shape, axis, softmaxNamed(op).Exact), op, x, from, to, axis, temperature)
}

func (s *suite) softmaxesTo(want []float64, op string, x host, from, to form, axis int, temperature float64) {
	s.Helper()
	s.op(op)
	options := []ops.SoftmaxOption{ops.Axis(axis - len(x.shape))}
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range x.x {
		low, high = min(low, v), max(high, v)
	}
	spread := (high - low) / temperature
	if temperature != 1 {
		options = append(options, ops.Temperature(temperature))
		if temperature > 1 {
			spread += 2 * max(-low, high) / temperature
		}
	}
	out := s.output(to, x.elem, x.shape...)
	s.try(softmaxNamed(op).Into(out.Tensor, s.input(from, x), options...))
	if err := out.verify(want, func(i int) float64 { return softmaxNamed(op).Bound(x.elem, x.shape[axis], spread, want[i]) }); err != nil {
		s.Error(fmt.Errorf("%s of %v%v, %s to %s, along %d, temperature %v: %w", op, x.elem, x.shape, from, to, axis, temperature, err))
	}
}

// Along any axis of tensors of any rank, in any views.
func softmaxAxes(s *suite) {
	for i := range either(s, 6, 60) {
		shape := make([]int, 1+s.rng.IntN(4))
		for d := range shape {
			shape[d] = 1 + s.rng.IntN(9)
		}
		op, temperature := "Softmax", 1.0
		if i%3 == 0 {
			op, temperature = "LogSoftmax", 2.5
		}
		s.softmaxes(op, s.scores(weft.F32, shape...), forms[s.rng.IntN(len(forms))], forms[s.rng.IntN(len(forms))], s.rng.IntN(len(shape)), temperature)
	}
}

// Columns that one tile holds and that it does not, which few programs share.
func softmaxColumns(s *suite) {
	shapes := more(s, [][]int{{300, 33}, {3000, 5}}, []int{20_000, 70}, []int{9000, 1025}, []int{3, 5000, 40})
	for i, shape := range shapes {
		s.softmaxes([]string{"Softmax", "LogSoftmax"}[i%2], s.scores(floatTypes[i%2], shape...), dense, sliced, len(shape)-2, 1)
	}
}

// Vectors so long that programs share them.
func softmaxLong(s *suite) {
	for i, n := range []int{100_003, 50_000, 1_000_003, 3 << 20}[:either(s, 1, 4)] {
		s.softmaxes("Softmax", s.scores(s.real(i), n), dense, dense, 0, 1)
		s.softmaxes("LogSoftmax", s.scores(s.real(i), 2, n), dense, dense, 1, 0.5)
	}
	for _, odd := range []float64{-inf, inf, nan} { // in one of the parts
		s.op("Softmax")
		x := s.scores(weft.F32, 100_003)
		x.x[77_777] = odd
		s.result(s.ok(ops.Softmax(s.tensor(x)))).check(softmaxOf(x))
	}
}

// softmaxTemperatures has the largest and the smallest temperatures, for elements whose quotients by them are near 1, of
// rows in a tile, walked by tiles, and shared by programs.
func softmaxTemperatures(s *suite) {
	for i, temperature := range []float64{math.MaxFloat32, 0x1p126, 0x1p-126, 0x1.01p-128, 1e20, 1e-20} {
		for j, n := range []int{77, 9001, 100_003} {
			if !s.full && j != i%3 {
				continue
			}
			x := s.random(weft.F32, 1, n)
			for k := range x.x {
				x.x[k] *= temperature / 8
			}
			rounded(weft.F32, x.x)
			for k, v := range x.x {
				if math.Abs(v) < 0x1p-126 { // which devices may take for 0
					x.x[k] = 0
				}
			}
			s.softmaxes([]string{"Softmax", "LogSoftmax"}[(i+j)%2], x, dense, sliced, 1, temperature)
		}
	}
}

func logSoftmaxWidths(s *suite) {
	for i, n := range []int{33, 9000, 1, 1025, 8193, 65_537}[:either(s, 2, 6)] {
		s.softmaxes("LogSoftmax", s.scores(s.real(i), 3, n), sliced, dense, 1, 1)
	}
}
