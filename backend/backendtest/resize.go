package backendtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

var resizeCases = []testCase{
	{"ResizeModes", resizeModes},
	{"ResizeRandom", resizeRandom},
	{"ResizeMoves", resizeMoves},
	{"ResizeScales", resizeScales},
	{"ResizeLong", resizeLong},
	{"ResizeInfinite", resizeInfinite},
	{"ResizeF64", resizeF64},
}

// resizing is a case: a shape whose last dimensions get other sizes.
type resizing struct {
	elem    weft.DType
	shape   []int
	to      []int
	mode    ops.ResizeMode
	corners bool
	scales  [][2]int // fractions
	forms   [4]form
}

func (r resizing) options() (list []ops.ResizeOption) {
	if r.corners {
		list = append(list, ops.AlignCorners())
	}
	if r.scales != nil {
		var scales []float64
		for _, s := range r.scales {
			scales = append(scales, float64(s[0])/float64(s[1]))
		}
		list = append(list, ops.ResizeScales(scales...))
	}
	return list
}

// tapOf is an element of the tensor with its weight.
type tapOf struct {
	index  int
	weight float64
}

// tapsOf are those of element o of m along a dimension of n, at a place that is num/den elements further for each. Places are quotients of integers.
func (r resizing) tapsOf(o, n, m, num, den int) []tapOf {
	edge := func(i int) int { return min(max(i, 0), n-1) }
	at, unit := (2*o+1)*num-den, 2*den // (o + ½)·num/den - ½
	switch {
	case r.mode == ops.ResizeNearest:
		return []tapOf{{edge(o * num / den), 1}}
	case r.mode == ops.ResizeNearestExact:
		return []tapOf{{edge((2*o + 1) * num / (2 * den)), 1}}
	case r.corners && m == 1:
		at, unit = 0, 1
	case r.corners:
		at, unit = o*(n-1), m-1
	}
	if r.mode == ops.ResizeLinear {
		at = min(max(at, 0), (n-1)*unit)
	}
	first := int(math.Floor(float64(at) / float64(unit)))
	for first*unit > at {
		first--
	}
	for (first+1)*unit <= at {
		first++
	}
	x, y := float64(at-first*unit)/float64(unit), float64((first+1)*unit-at)/float64(unit)
	if r.mode == ops.ResizeLinear {
		return []tapOf{{edge(first), y}, {edge(first + 1), x}}
	}
	near := func(x float64) float64 { return (1.25*x-2.25)*x*x + 1 }
	far := func(x float64) float64 { return ((-0.75*x+3.75)*x-6)*x + 3 }
	if r.elem == weft.F64 { // the same, without cancellation
		weight := func(x, y float64) (near, far float64) { return y * (1 + x*(1-1.25*x)), -0.75 * x * y * y }
		near0, far0 := weight(x, y)
		near1, far1 := weight(y, x)
		return []tapOf{{edge(first - 1), far0}, {edge(first), near0}, {edge(first + 1), near1}, {edge(first + 2), far1}}
	}
	return []tapOf{{edge(first - 1), far(1 + x)}, {edge(first), near(x)}, {edge(first + 1), near(1 - x)}, {edge(first + 2), far(2 - x)}}
}

// result is the shape of the result.
func (r resizing) result() []int {
	return append(slices.Clone(r.shape[:len(r.shape)-len(r.to)]), r.to...)
}

// each calls f for each element of the result with the elements that it is made of and their weights.
func (r resizing) each(f func(o, i int, weight float64)) {
	out, first := r.result(), len(r.shape)-len(r.to)
	lists := make([][][]tapOf, len(out))
	for d, m := range out {
		for o := range m {
			if d < first || r.to[d-first] == r.shape[d] && r.scales == nil {
				lists[d] = append(lists[d], []tapOf{{o, 1}})
				continue
			}
			num, den := r.shape[d], m
			if r.scales != nil {
				num, den = r.scales[d-first][1], r.scales[d-first][0]
			}
			lists[d] = append(lists[d], r.tapsOf(o, r.shape[d], m, num, den))
		}
	}
	positions(out, func(o int, at []int) {
		var walk func(d, i int, weight float64)
		walk = func(d, i int, weight float64) {
			if d == len(out) {
				f(o, i, weight)
				return
			}
			for _, t := range lists[d][at[d]] {
				walk(d+1, i*r.shape[d]+t.index, weight*t.weight)
			}
		}
		walk(0, 0, 1)
	})
}

// changed is how many dimensions are not what they were.
func (r resizing) changed() (dims int) {
	for i, m := range r.to {
		if m != r.shape[len(r.shape)-len(r.to)+i] || r.scales != nil {
			dims++
		}
	}
	return dims
}

func (r resizing) String() string {
	return fmt.Sprintf("%v%v to %v, %v, corners %v, scales %v, %v", r.elem, r.shape, r.to, r.mode, r.corners, r.scales, r.forms)
}

// resize checks a case, and its gradient for floats.
func (s *suite) resize(r resizing) {
	s.Helper()
	s.op("Resize")
	shape, taps := r.result(), r.mode.Taps()
	x, want, magnitudes := s.random(r.elem, r.shape...), make([]float64, size(shape)), make([]float64, size(shape))
	r.each(func(o, i int, w float64) { want[o], magnitudes[o] = want[o]+w*x.x[i], magnitudes[o]+math.Abs(w*x.x[i]) })
	var sizes []int
	if r.scales == nil {
		sizes = r.to
	}
	out := s.output(r.forms[0], r.elem, shape...)
	s.try(ops.ResizeInto(out.Tensor, s.input(r.forms[1], x), r.mode, sizes, r.options()...))
	limit := func(i int) float64 { return bounds.Resize(r.elem, taps, r.changed(), want[i], magnitudes[i]) }
	if taps == 1 {
		limit = nil
	}
	if err := out.verify(want, limit); err != nil {
		s.Error(fmt.Errorf("resized %v: %w", r, err))
	}
	if r.elem.IsFloat() {
		s.resizeGrad(r)
	}
}

func (s *suite) resizeGrad(r resizing) {
	s.Helper()
	s.op("ResizeGrad")
	shape, n := r.result(), size(r.shape)
	dy, want, magnitudes, terms := s.random(r.elem, shape...), make([]float64, n), make([]float64, n), make([]int, n)
	r.each(func(o, i int, w float64) {
		want[i], magnitudes[i], terms[i] = want[i]+w*dy.x[o], magnitudes[i]+math.Abs(w*dy.x[o]), terms[i]+1
	})
	out := s.output(r.forms[2], r.elem, r.shape...)
	s.try(ops.ResizeGradInto(out.Tensor, s.input(r.forms[3], dy), r.mode, r.shape[len(r.shape)-len(r.to):], r.options()...))
	if err := out.verify(want, func(i int) float64 { // what is added without weight counts, too
		return bounds.ResizeGrad(r.elem, r.mode.Taps(), r.changed(), terms[i], want[i], magnitudes[i])
	}); err != nil {
		s.Error(fmt.Errorf("gradient of resized %v: %w", r, err))
	}
}

var resizeModesOf = []ops.ResizeMode{ops.ResizeNearest, ops.ResizeNearestExact, ops.ResizeLinear, ops.ResizeCubic}

// Each mode of one to three dimensions, up and down, with channels first and last.
func resizeModes(s *suite) {
	dense4 := [4]form{dense, dense, dense, dense}
	for i, c := range []struct{ shape, to []int }{
		{[]int{2, 3, 7, 10}, []int{14, 20}}, {[]int{3, 31}, []int{13}}, {[]int{1, 2, 3, 4, 5}, []int{6, 3, 9}},
		{[]int{2, 6, 5, 3}, []int{4, 13, 3}}, {[]int{2, 1, 9, 1}, []int{3, 4}}, {[]int{2, 5, 6}, []int{1, 1}}, {[]int{2, 3, 8, 8}, []int{1, 40}},
	}[:either(s, 4, 7)] {
		for j, mode := range resizeModesOf {
			for _, corners := range []bool{false, true}[:min(mode.Taps(), 2)] {
				if !s.full && corners && (i+j)%2 == 0 {
					continue
				}
				s.resize(resizing{elem: floatTypes[(i+j)%len(floatTypes)], shape: c.shape, to: c.to, mode: mode, corners: corners, forms: dense4})
			}
		}
	}
}

// Random shapes in all views.
func resizeRandom(s *suite) {
	for i := range either(s, 6, 40) {
		rank := 1 + s.rng.IntN(4)
		r := resizing{elem: floatTypes[i%len(floatTypes)], mode: resizeModesOf[i%4]}
		for range rank {
			r.shape = append(r.shape, 1+s.rng.IntN([]int{200, 24, 10, 7}[rank-1]))
		}
		for range 1 + s.rng.IntN(min(rank, 3)) {
			r.to = append(r.to, 1+s.rng.IntN([]int{300, 30, 14, 9}[rank-1]))
		}
		r.corners = r.mode.Taps() > 1 && s.rng.IntN(2) == 0
		for j := range r.forms {
			r.forms[j] = forms[s.rng.IntN(len(forms))]
		}
		s.resize(r)
	}
}

// Elements of all types only move in the modes nearest.
func resizeMoves(s *suite) {
	for i, elem := range append(s.types(), weft.Bool) {
		mode := resizeModesOf[i%2]
		s.resize(resizing{elem: elem, shape: []int{2, 5, 9, 3}, to: []int{7, 4, 3}, mode: mode, forms: [4]form{forms[i%4], forms[(i+1)%4], dense, dense}})
		s.resize(resizing{elem: elem, shape: []int{3, 4, 5}, to: []int{8, 10}, mode: mode, forms: [4]form{dense, dense, dense, dense}})
	}
}

// Scales are fractions, and places follow from them where the sizes say something else.
func resizeScales(s *suite) {
	for i, c := range []struct {
		shape, to []int
		scales    [][2]int
	}{{[]int{2, 9, 5}, []int{9, 7}, [][2]int{{11, 10}, {3, 2}}}, {[]int{3, 10}, []int{3}, [][2]int{{1, 3}}}, {[]int{2, 7, 6}, []int{7, 13}, [][2]int{{8, 7}, {9, 4}}}}[:either(s, 2, 3)] {
		for j, mode := range resizeModesOf {
			to := slices.Clone(c.to)
			for d := range to { // as floats have it
				to[d] = int(float64(c.shape[len(c.shape)-len(to)+d]) * (float64(c.scales[d][0]) / float64(c.scales[d][1])))
			}
			s.resize(resizing{elem: floatTypes[(i+j)%3], shape: c.shape, to: to, mode: mode, scales: c.scales, forms: [4]form{dense, forms[(i+j)%4], forms[i], dense}})
		}
	}
}

// Long dimensions, of which places take more than 31 bits, and ratios of any size.
func resizeLong(s *suite) {
	line := [4]form{dense, dense, dense, dense}
	for i, c := range [][2]int{{4000, 8191}, {8191, 4000}, {65_537, 40_009}, {40_009, 65_537}, {3, 5000}, {5000, 3}}[:either(s, 4, 6)] {
		for j, mode := range resizeModesOf {
			for _, corners := range []bool{false, true}[:min(mode.Taps(), 2)] {
				if s.full || (i+j)%2 == 0 != corners {
					s.resize(resizing{elem: weft.F32, shape: []int{c[0]}, to: []int{c[1]}, mode: mode, corners: corners, forms: line})
				}
			}
		}
	}
}

// An element that has a weight of 0 is not read: infinities stay where they are.
func resizeInfinite(s *suite) {
	s.op("Resize")
	inf := math.Inf(1)
	for _, mode := range []ops.ResizeMode{ops.ResizeLinear, ops.ResizeCubic} {
		x := host{weft.F32, []int{5}, []float64{inf, 1, 2, 3, inf}}
		out := s.output(dense, weft.F32, 9)
		s.try(ops.ResizeInto(out.Tensor, s.input(sliced, x), mode, []int{9}, ops.AlignCorners()))
		got, err := weft.ToFloats(out.Tensor)
		s.try(err)
		for i, want := range map[int]float64{0: inf, 2: 1, 4: 2, 6: 3, 8: inf} {
			if got[i] != want {
				s.Errorf("%v: element %d is %v, want %v", mode, i, got[i], want)
			}
		}
	}
	s.op("ResizeGrad")
	dy := host{weft.F32, []int{9}, []float64{1, 1, inf, 1, 1, 1, 1, 1, 1}}
	out := s.output(dense, weft.F32, 5)
	s.try(ops.ResizeGradInto(out.Tensor, s.input(dense, dy), ops.ResizeLinear, []int{5}, ops.AlignCorners()))
	out.check([]float64{1.5, inf, 2, 2, 1.5}, nil)
}

func resizeF64(s *suite) {
	if !s.has(weft.F64) {
		return
	}
	for i, mode := range resizeModesOf {
		for _, corners := range []bool{false, true}[:min(mode.Taps(), 2)] {
			s.resize(resizing{elem: weft.F64, shape: []int{2, 7, 30}, to: []int{9, 13}, mode: mode, corners: corners, forms: [4]form{forms[i], dense, forms[i], sliced}})
		}
	}
}
