package backendtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

var reduceWindowCases = []testCase{
	{"WindowPools", windowPools},
	{"WindowWhole", windowWhole},
	{"WindowRandom", windowRandom},
	{"WindowTypes", windowTypes},
	{"WindowEdges", windowEdges},
	{"WindowGradients", windowGradients},
	{"WindowAdaptive", windowAdaptive},
	{"WindowAdaptiveGradients", windowAdaptiveGradients},
	{"WindowLarge", windowLarge},
	{"WindowF64", windowF64},
}

// positions calls f for each element of a shape, in row-major order.
func positions(shape []int, f func(i int, at []int)) {
	at := make([]int, len(shape))
	for i := range size(shape) {
		rest := i
		for d := len(shape) - 1; d >= 0; d-- {
			at[d] = rest % shape[d]
			rest /= shape[d]
		}
		f(i, at)
	}
}

func offsetOf(shape, at []int) int {
	i := 0
	for d, n := range shape {
		i = i*n + at[d]
	}
	return i
}

// whole is a window with all lists, for all dimensions of a rank.
func whole(w ops.Window, rank int) ops.Window {
	fill := func(list []int, with []int) []int {
		if list == nil {
			list = with
		}
		return append(slices.Repeat([]int{1}, rank-len(w.Size)), list...)
	}
	one := slices.Repeat([]int{1}, len(w.Size))
	pad := w.Padding
	if pad == nil {
		pad = make([][2]int, len(w.Size))
	}
	return ops.Window{Size: fill(w.Size, nil), Stride: fill(w.Stride, w.Size), Dilation: fill(w.Dilation, one), BaseDilation: fill(w.BaseDilation, one),
		Padding: append(make([][2]int, rank-len(w.Size)), pad...)}
}

// windowed is the shape of what windows of a shape give, and the elements of each of them.
func windowed(shape []int, w ops.Window) (results []int, elements [][]int) {
	w = whole(w, len(shape))
	for d, n := range shape {
		length := (n-1)*w.BaseDilation[d] + 1 + w.Padding[d][0] + w.Padding[d][1]
		results = append(results, (length-(w.Size[d]-1)*w.Dilation[d]-1)/w.Stride[d]+1)
	}
	elements = make([][]int, size(results))
	positions(results, func(i int, at []int) {
		positions(w.Size, func(_ int, place []int) {
			from := make([]int, len(shape))
			for d := range shape {
				p := at[d]*w.Stride[d] + place[d]*w.Dilation[d] - w.Padding[d][0]
				if p < 0 || p%w.BaseDilation[d] != 0 || p/w.BaseDilation[d] >= shape[d] {
					return
				}
				from[d] = p / w.BaseDilation[d]
			}
			elements[i] = append(elements[i], offsetOf(shape, from))
		})
	})
	return results, elements
}

// windowFold is a reduction of what is in a window, with its bound, of so many places.
func windowFold(r ops.WindowReduction, elem weft.DType, x []float64, places int) (want, bound float64) {
	sum, magnitude, product := 0.0, 0.0, 1.0
	for _, v := range x {
		sum, magnitude, product = sum+v, magnitude+math.Abs(v), product*v
	}
	n := float64(max(len(x), 1))
	switch r {
	case ops.WindowSum:
		return sum, bounds.Sum(elem, len(x), sum, magnitude)
	case ops.WindowMean:
		return sum / n, bounds.Mean(elem, len(x), sum/n, magnitude/n)
	case ops.WindowMeanPadded:
		return sum / float64(places), bounds.Mean(elem, places, sum/float64(places), magnitude/float64(places))
	case ops.WindowProd:
		return product, bounds.Prod(elem, len(x), product)
	}
	return x[firstOf(r, x)], 0
}

// firstOf is the place of the first largest or smallest element, or of the first NaN.
func firstOf(r ops.WindowReduction, x []float64) int {
	best := 0
	for i, v := range x {
		if math.IsNaN(x[best]) {
			break
		}
		if math.IsNaN(v) || r == ops.WindowMax && v > x[best] || r == ops.WindowMin && v < x[best] {
			best = i
		}
	}
	return best
}

// extremeOfNothing is the largest or the smallest one of no elements, as near as float64 has it.
func extremeOfNothing(r ops.WindowReduction, elem weft.DType) float64 {
	low, high := 0.0, math.Ldexp(1, 8*elem.Size())-1
	switch {
	case elem.IsFloat():
		low, high = -inf, inf
	case elem.IsSigned():
		low, high = -math.Ldexp(1, 8*elem.Size()-1), math.Ldexp(1, 8*elem.Size()-1)-1
	}
	if r == ops.WindowMax {
		return low
	}
	return high
}

func windowNumbers(elem weft.DType) func(x float64) float64 {
	return func(x float64) float64 { return kept(elem, x) }
}

// windows checks a reduction of windows of x.
func (s *suite) windows(x host, r ops.WindowReduction, w ops.Window, from, to form) {
	s.Helper()
	s.op("ReduceWindow")
	shape, elements := windowed(x.shape, w)
	want, limits, wrap := make([]float64, len(elements)), make([]float64, len(elements)), windowNumbers(x.elem)
	for i, list := range elements {
		in := make([]float64, len(list))
		for j, at := range list {
			in[j] = x.x[at]
		}
		if len(in) == 0 && (r == ops.WindowMax || r == ops.WindowMin) {
			want[i] = extremeOfNothing(r, x.elem)
			continue
		}
		want[i], limits[i] = windowFold(r, x.elem, in, size(w.Size))
		if x.elem.IsInt() {
			want[i], limits[i] = wrap(want[i]), 0
		}
	}
	out := s.output(to, x.elem, shape...)
	s.try(ops.ReduceWindowInto(out.Tensor, s.input(from, x), r, w))
	if err := out.verify(want, func(i int) float64 { return limits[i] }); err != nil {
		s.Error(fmt.Errorf("%d of %v%v, %s to %s, by %+v: %w", r, x.elem, x.shape, from, to, w, err))
	}
}

// Windows that are all of some dimensions, as those of global pools are, with NaN and infinities; and such that almost are.
func windowWhole(s *suite) {
	for i, c := range []struct {
		shape []int
		w     ops.Window
	}{
		{[]int{2, 33, 7, 9}, ops.Window{Size: []int{7, 9}}},
		{[]int{2, 7, 9, 5}, ops.Window{Size: []int{7, 9, 1}, Stride: []int{1, 3, 1}}},
		{[]int{3, 40, 11}, ops.Window{Size: []int{40, 1}, Padding: [][2]int{{0, 3}, {0, 0}}, Stride: []int{5, 1}}},
		{[]int{3, 5, 1, 301}, ops.Window{Size: []int{5, 1, 301}, Dilation: []int{1, 2, 1}}},
		{[]int{2, 8, 8}, ops.Window{Size: []int{8, 8}, Padding: [][2]int{{1, 0}, {0, 0}}, Stride: []int{2, 1}}},
		{[]int{2, 8, 8}, ops.Window{Size: []int{8, 4}, Dilation: []int{1, 2}}},
		{[]int{77}, ops.Window{Size: []int{77}}},
	}[:either(s, 4, 7)] {
		elem := append(slices.Clone(floatTypes), weft.I32)[i%(len(floatTypes)+1)]
		x := s.random(elem, c.shape...)
		if elem.IsFloat() && i%2 == 1 {
			x.x[0], x.x[len(x.x)-1] = inf, nan
		}
		for r := ops.WindowSum; r <= ops.WindowProd; r++ {
			if elem.IsInt() && (r == ops.WindowMean || r == ops.WindowMeanPadded || r == ops.WindowProd) {
				continue // floats do not hold products of so many
			}
			s.windows(x, r, c.w, forms[i%len(forms)], forms[(i+1)%len(forms)])
		}
	}
}

// The pools of networks for sequences, images and volumes, with the channels first and last.
func windowPools(s *suite) {
	for i, c := range []struct {
		shape []int
		w     ops.Window
	}{
		{[]int{2, 3, 14, 17}, ops.Window{Size: []int{2, 2}}},
		{[]int{2, 3, 15, 17}, ops.Window{Size: []int{3, 3}, Stride: []int{2, 2}, Padding: [][2]int{{1, 1}, {1, 1}}}},
		{[]int{2, 9, 9, 5}, ops.Window{Size: []int{3, 2, 1}, Stride: []int{2, 2, 1}}},
		{[]int{3, 4, 40}, ops.Window{Size: []int{4}, Stride: []int{3}, Dilation: []int{2}, Padding: [][2]int{{2, 3}}}},
		{[]int{1, 2, 7, 8, 9}, ops.Window{Size: []int{2, 3, 3}, Stride: []int{1, 2, 2}, Padding: [][2]int{{1, 0}, {0, 1}, {1, 1}}}},
	}[:either(s, 3, 5)] {
		x := s.random(floatTypes[i%3], c.shape...)
		s.windows(x, ops.WindowMax, c.w, forms[i%len(forms)], dense)
		s.windows(x, []ops.WindowReduction{ops.WindowMean, ops.WindowMeanPadded}[i%2], c.w, dense, forms[i%len(forms)])
	}
	s.op("MaxPool")
	x := s.random(weft.F32, 2, 3, 6, 6)
	_, elements := windowed(x.shape, ops.Window{Size: []int{2, 2}})
	largest, mean := make([]float64, len(elements)), make([]float64, len(elements))
	for i, list := range elements {
		largest[i] = -inf
		for _, at := range list {
			largest[i], mean[i] = max(largest[i], x.x[at]), mean[i]+x.x[at]/4
		}
	}
	s.compare(s.ok(ops.MaxPool(s.tensor(x), ops.Window{Size: []int{2, 2}})), largest, nil)
	s.op("AvgPool")
	s.compare(s.ok(ops.AvgPool(s.tensor(x), ops.Window{Size: []int{2, 2}})), mean, func(int) float64 { return 1e-6 })
}

// randomWindow draws windows of a shape that there are some of.
func (s *suite) randomWindow(shape []int, base bool) ops.Window {
	for {
		n := 1 + s.rng.IntN(len(shape))
		var w ops.Window
		for range n {
			w.Size = append(w.Size, 1+s.rng.IntN(3))
			w.Stride = append(w.Stride, 1+s.rng.IntN(3))
			w.Dilation = append(w.Dilation, 1+s.rng.IntN(2))
			w.BaseDilation = append(w.BaseDilation, 1)
			if base {
				w.BaseDilation[len(w.BaseDilation)-1] += s.rng.IntN(3)
			}
			w.Padding = append(w.Padding, [2]int{s.rng.IntN(4) - 1, s.rng.IntN(4) - 1})
		}
		fits, full := true, whole(w, len(shape))
		for d, n := range shape {
			fits = fits && (n-1)*full.BaseDilation[d]+1+full.Padding[d][0]+full.Padding[d][1] >= (full.Size[d]-1)*full.Dilation[d]+1
		}
		if fits {
			return w
		}
	}
}

func (s *suite) randomShape() []int {
	shape := make([]int, 1+s.rng.IntN(4))
	for d := range shape {
		shape[d] = 2 + s.rng.IntN(7)
	}
	return shape
}

// All numbers of windows, of any rank, in any views.
func windowRandom(s *suite) {
	for i := range either(s, 6, 60) {
		shape := s.randomShape()
		r := []ops.WindowReduction{ops.WindowSum, ops.WindowMax, ops.WindowMean, ops.WindowMin, ops.WindowMeanPadded}[i%5]
		s.windows(s.random(weft.F32, shape...), r, s.randomWindow(shape, true), forms[s.rng.IntN(len(forms))], forms[s.rng.IntN(len(forms))])
	}
}

func windowTypes(s *suite) {
	w := ops.Window{Size: []int{2, 3}, Stride: []int{1, 2}, Padding: [][2]int{{1, 0}, {0, 1}}}
	types := []weft.DType{weft.I32, weft.U8, weft.F16, weft.I8, weft.BF16, weft.U32}
	for i, elem := range types[:either(s, 3, 6)] {
		for j, r := range []ops.WindowReduction{ops.WindowSum, ops.WindowMax, ops.WindowMin, ops.WindowProd} {
			if s.full || (i+j)%2 == 0 {
				x := s.random(elem, 3, 5, 8).each(func(_ int, x float64) float64 {
					if elem.IsFloat() {
						return x
					}
					return math.Mod(math.Trunc(x), 100)
				})
				s.windows(x, r, w, forms[(i+j)%len(forms)], dense)
			}
		}
	}
	for _, elem := range []weft.DType{weft.U64, weft.I64} { // whose greatest numbers are no constants
		if !s.has(elem) {
			continue
		}
		x := s.random(elem, 3, 9).each(func(_ int, x float64) float64 { return math.Trunc(x / 0x1p20) })
		s.windows(x, ops.WindowMin, ops.Window{Size: []int{3}, Stride: []int{2}, Padding: [][2]int{{1, 1}}}, dense, dense)
		s.windows(x, ops.WindowMin, ops.Window{Size: []int{1}, Padding: [][2]int{{2, 1}}}, dense, dense)
	}
}

// Windows of nothing, infinities and NaN.
func windowEdges(s *suite) {
	x := s.random(weft.F32, 3, 20)
	x.x[3], x.x[4], x.x[27], x.x[50] = nan, inf, -inf, nan
	for _, r := range []ops.WindowReduction{ops.WindowMax, ops.WindowMin} {
		s.windows(x, r, ops.Window{Size: []int{3}, Stride: []int{1}, Padding: [][2]int{{5, 4}}}, dense, dense)
	}
	s.windows(s.random(weft.F32, 4, 6), ops.WindowMean, ops.Window{Size: []int{2}, Stride: []int{1}, Padding: [][2]int{{4, 4}}}, dense, dense)
	// Windows of one element, with padding or fewer elements at the end alone.
	for _, after := range []int{2, -1} {
		w := ops.Window{Size: []int{1, 2}, Stride: []int{1, 1}, Padding: [][2]int{{0, after}, {1, 1}}}
		for _, r := range []ops.WindowReduction{ops.WindowMean, ops.WindowMax} {
			s.windows(s.random(weft.F32, 2, 5, 6), r, w, dense, dense)
			s.windows(s.random(weft.F32, 2, 3, 6), r, w, dense, dense)
			s.gradient(s.random(weft.F32, 2, 5, 6), r, w, dense, dense)
		}
	}
	s.windows(s.random(weft.F32, 1, 4), ops.WindowSum, ops.Window{Size: []int{1, 1}, Padding: [][2]int{{0, 2}, {0, 0}}}, dense, dense)
	s.windows(s.random(weft.F32), ops.WindowSum, ops.Window{}, dense, dense)
	if out := s.ok(ops.MaxPool(s.tensor(filled(weft.F32, 0, 0, 2, 4)), ops.Window{Size: []int{2}})); !slices.Equal(out.Shape(), []int{0, 2, 2}) {
		s.Errorf("pools of no images have shape %v", out.Shape())
	}
}

// gradient checks the gradient of windows of x.
func (s *suite) gradient(x host, r ops.WindowReduction, w ops.Window, from, to form) {
	s.Helper()
	s.op("ReduceWindowGrad")
	shape, elements := windowed(x.shape, w)
	dy := s.random(x.elem, shape...)
	want, magnitude := make([]float64, len(x.x)), make([]float64, len(x.x))
	for i, list := range elements {
		in := make([]float64, len(list))
		for j, at := range list {
			in[j] = x.x[at]
		}
		for j, at := range list {
			part := dy.x[i]
			switch {
			case r == ops.WindowMean:
				part /= float64(len(list))
			case r == ops.WindowMeanPadded:
				part /= float64(size(w.Size))
			case (r == ops.WindowMax || r == ops.WindowMin) && firstOf(r, in) != j:
				continue
			}
			want[at], magnitude[at] = want[at]+part, magnitude[at]+math.Abs(part)
		}
	}
	out := s.output(to, x.elem, x.shape...)
	s.try(ops.ReduceWindowGradInto(out.Tensor, s.input(from, x), s.input(to, dy), r, w))
	err := out.verify(want, func(i int) float64 {
		return bounds.Mean(x.elem, size(w.Size), want[i], magnitude[i]) + 2*x.elem.Epsilon()*magnitude[i] // means are divided before they are added
	})
	if err != nil {
		s.Error(fmt.Errorf("gradient of %d of %v%v, %s to %s, by %+v: %w", r, x.elem, x.shape, from, to, w, err))
	}
}

func windowGradients(s *suite) {
	all := []ops.WindowReduction{ops.WindowMax, ops.WindowMean, ops.WindowMin, ops.WindowSum, ops.WindowMeanPadded}
	for i := range either(s, 5, 40) {
		shape := s.randomShape()
		x := s.random(s.real(i), shape...)
		if i%2 == 0 { // with equal elements
			x.each(func(_ int, x float64) float64 { return math.Round(x) })
		}
		s.gradient(x, all[i%len(all)], s.randomWindow(shape, i%4 == 3), forms[s.rng.IntN(len(forms))], forms[s.rng.IntN(4)])
	}
	x := s.random(weft.F32, 2, 3, 9, 9)
	x.x[40], x.x[41], x.x[90] = nan, nan, -inf
	s.gradient(x, ops.WindowMax, ops.Window{Size: []int{3, 3}, Stride: []int{2, 2}, Padding: [][2]int{{1, 1}, {1, 1}}}, dense, dense)
	low := filled(weft.F32, -inf, 1, 1, 4, 4) // as small as what padding reads as
	s.gradient(low, ops.WindowMax, ops.Window{Size: []int{3, 3}, Stride: []int{2, 2}, Padding: [][2]int{{1, 1}, {1, 1}}}, dense, dense)
}

// Parts that are as equal as can be.
func windowAdaptive(s *suite) {
	s.op("AdaptivePool")
	for i, c := range [][]int{{2, 3, 7, 10, 3, 4}, {1, 4, 3, 4, 7, 8}, {1, 4, 8, 6, 1, 1}, {3, 2, 5, 9, 5, 3}, {2, 2, 13, 11, 8, 11}}[:either(s, 2, 5)] {
		x, h, w := s.random(s.real(i), c[:4]...), c[4], c[5]
		for _, r := range []ops.WindowReduction{ops.WindowMax, ops.WindowMean} {
			shape := []int{c[0], c[1], h, w}
			want, limits := make([]float64, size(shape)), make([]float64, size(shape))
			positions(shape, func(i int, at []int) {
				var in []float64
				for y := at[2] * c[2] / h; y < ((at[2]+1)*c[2]+h-1)/h; y++ {
					for z := at[3] * c[3] / w; z < ((at[3]+1)*c[3]+w-1)/w; z++ {
						in = append(in, x.x[offsetOf(c[:4], []int{at[0], at[1], y, z})])
					}
				}
				want[i], limits[i] = windowFold(r, x.elem, in, len(in))
			})
			out := s.output(forms[i%4], x.elem, shape...)
			s.try(ops.AdaptivePoolInto(out.Tensor, s.input(forms[(i+1)%len(forms)], x), r, h, w))
			if err := out.verify(want, func(i int) float64 { return limits[i] }); err != nil {
				s.Error(fmt.Errorf("parts %d×%d of %v: %w", h, w, c[:4], err))
			}
		}
	}
}

// Gradients of parts that are as equal as can be, of which there may be more than elements.
func windowAdaptiveGradients(s *suite) {
	s.op("AdaptivePoolGrad")
	for i, c := range [][]int{{2, 3, 7, 10, 3, 4}, {3, 2, 5, 9, 8, 3}, {1, 4, 8, 6, 1, 2}, {2, 2, 13, 11, 8, 11}}[:either(s, 3, 4)] {
		h, w, shape := c[4], c[5], c[:4]
		dy := s.random(s.real(i), c[0], c[1], h, w)
		for _, r := range []ops.WindowReduction{ops.WindowSum, ops.WindowMean} {
			want, magnitudes := make([]float64, size(shape)), make([]float64, size(shape))
			positions(dy.shape, func(j int, at []int) {
				top, bottom, left, right := at[2]*c[2]/h, ((at[2]+1)*c[2]+h-1)/h, at[3]*c[3]/w, ((at[3]+1)*c[3]+w-1)/w
				v := dy.x[j]
				if r == ops.WindowMean {
					v /= float64((bottom - top) * (right - left))
				}
				for y := top; y < bottom; y++ {
					for z := left; z < right; z++ {
						k := offsetOf(shape, []int{at[0], at[1], y, z})
						want[k], magnitudes[k] = want[k]+v, magnitudes[k]+math.Abs(v)
					}
				}
			})
			out := s.output(forms[i%4], dy.elem, shape...)
			s.try(ops.AdaptivePoolGradInto(out.Tensor, s.input(forms[(i+1)%len(forms)], dy), r, c[2], c[3]))
			limit := func(i int) float64 { // shares are rounded to the type, too
				return bounds.Sum(dy.elem, h*w, want[i], magnitudes[i]) + 2*dy.elem.Epsilon()*magnitudes[i]
			}
			if err := out.verify(want, limit); err != nil {
				s.Error(fmt.Errorf("gradients of parts %d×%d of %v: %w", h, w, shape, err))
			}
		}
	}
}

// Windows of so many places that the kernel has loops over them.
func windowLarge(s *suite) {
	s.windows(s.random(weft.F32, 2, 3, 20, 20), ops.WindowMean, ops.Window{Size: []int{9, 8}, Stride: []int{3, 2}, Padding: [][2]int{{4, 4}, {0, 3}}}, transposed, dense)
	x := s.random(weft.F32, 1, 2, 30, 17)
	s.gradient(x, ops.WindowMax, ops.Window{Size: []int{7, 7}, Stride: []int{3, 3}, Padding: [][2]int{{3, 3}, {3, 3}}}, dense, dense)
	s.windows(s.random(weft.F16, 400, 3), ops.WindowMax, ops.Window{Size: []int{100, 1}, Stride: []int{1, 1}}, dense, dense)
}

// Windows of F64, of all reductions.
func windowF64(s *suite) {
	if !s.has(weft.F64) {
		return
	}
	w := ops.Window{Size: []int{2, 3}, Stride: []int{1, 2}, Padding: [][2]int{{1, 0}, {0, 1}}}
	for i, r := range []ops.WindowReduction{ops.WindowSum, ops.WindowMean, ops.WindowMeanPadded, ops.WindowMax, ops.WindowMin, ops.WindowProd} {
		s.windows(s.random(weft.F64, 3, 5, 8), r, w, forms[i%len(forms)], dense)
	}
}
