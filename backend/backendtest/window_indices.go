package backendtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var windowIndexCases = []testCase{
	{"WindowIndices", windowIndices},
	{"WindowIndexEdges", windowIndexEdges},
	{"WindowUnpools", windowUnpools},
}

// indexedPool checks the largest elements of windows and their numbers in planes.
func (s *suite) indexedPool(x host, w ops.Window, from, to, places form) (shape []int, indices []float64) {
	s.Helper()
	s.op("MaxPoolIndices")
	shape, elements := windowed(x.shape, w)
	plane := size(x.shape[len(x.shape)-len(w.Size):])
	values := make([]float64, len(elements))
	indices = make([]float64, len(elements))
	for i, list := range elements {
		if len(list) == 0 {
			values[i], indices[i] = -inf, -1
			continue
		}
		in := make([]float64, len(list))
		for j, at := range list {
			in[j] = x.x[at]
		}
		best := firstOf(ops.WindowMax, in)
		values[i], indices[i] = in[best], float64(list[best]%plane)
	}
	out, index := s.output(to, x.elem, shape...), s.output(places, weft.I32, shape...)
	s.try(ops.MaxPoolIndicesInto(out.Tensor, index.Tensor, s.input(from, x), w))
	for _, err := range []error{out.verify(values, nil), index.verify(indices, nil)} {
		if err != nil {
			s.Error(fmt.Errorf("%v%v, %s to %s, by %+v: %w", x.elem, x.shape, from, to, w, err))
		}
	}
	return shape, indices
}

// Pools of sequences, images and volumes, and random windows of random types in any views.
func windowIndices(s *suite) {
	for i, c := range []struct {
		shape []int
		w     ops.Window
	}{
		{[]int{2, 3, 15, 17}, ops.Window{Size: []int{3, 3}, Stride: []int{2, 2}, Padding: [][2]int{{1, 1}, {1, 1}}}},
		{[]int{2, 9, 9, 5}, ops.Window{Size: []int{3, 2, 1}, Stride: []int{2, 2, 1}}},
		{[]int{3, 4, 40}, ops.Window{Size: []int{4}, Stride: []int{3}, Dilation: []int{2}, Padding: [][2]int{{2, 3}}}},
		{[]int{2, 2, 14, 16}, ops.Window{Size: []int{2, 2}}},
		{[]int{1, 2, 7, 8, 9}, ops.Window{Size: []int{2, 3, 3}, Stride: []int{1, 2, 2}, Padding: [][2]int{{1, 0}, {0, 1}, {1, 1}}}},
		{[]int{1, 1, 20, 21}, ops.Window{Size: []int{7, 6}, Stride: []int{3, 4}}}, // whose places are walked by loops
	}[:either(s, 4, 6)] {
		x := s.random(floatTypes[i%3], c.shape...)
		if i%2 == 1 { // with equal elements
			x.each(func(_ int, x float64) float64 { return math.Round(x) })
		}
		s.indexedPool(x, c.w, forms[i%len(forms)], dense, forms[(i+1)%len(forms)])
	}
	types := append(slices.Clone(s.reals()), weft.I32, weft.U8, weft.I8, weft.U32)
	for i := range either(s, 9, 60) {
		shape := s.randomShape()
		any := func() form { return forms[s.rng.IntN(len(forms))] }
		w := s.randomWindow(shape, i%3 == 0)
		elem := types[i%len(types)]
		if !elem.IsFloat() { // the least number of which is another
			w.Padding, w.BaseDilation = nil, nil
			for d, n := range w.Size {
				w.Size[d] = min(n, shape[len(shape)-len(w.Size)+d])
				w.Dilation[d] = 1
			}
		}
		s.indexedPool(s.random(elem, shape...), w, any(), any(), any())
	}
}

// Windows of padding, of the least elements that there are, and of NaN.
func windowIndexEdges(s *suite) {
	pool := ops.Window{Size: []int{3, 3}, Stride: []int{2, 2}, Padding: [][2]int{{1, 1}, {1, 1}}}
	x := s.random(weft.F32, 2, 3, 9, 9)
	x.x[40], x.x[41], x.x[90] = nan, nan, -inf
	s.indexedPool(x, pool, dense, dense, dense)
	for _, c := range []host{filled(weft.F32, -inf, 1, 1, 5, 5), filled(weft.I32, math.MinInt32, 1, 5, 5), filled(weft.U8, 0, 5, 5)} {
		s.indexedPool(c, pool, dense, dense, dense)
	}
	s.indexedPool(s.random(weft.F32, 3, 20), ops.Window{Size: []int{3}, Stride: []int{1}, Padding: [][2]int{{5, 4}}}, dense, dense, dense)
	s.indexedPool(s.random(weft.F16, 2, 5, 6), ops.Window{Size: []int{1, 2}, Stride: []int{1, 1}, Padding: [][2]int{{0, 2}, {1, 1}}}, dense, dense, dense)
	values, indices, err := ops.MaxPoolIndices(s.tensor(filled(weft.F32, 0, 0, 2, 4)), ops.Window{Size: []int{2}})
	s.try(err)
	if want := []int{0, 2, 2}; !slices.Equal(values.Shape(), want) || !slices.Equal(indices.Shape(), want) {
		s.Errorf("pools of no images have shapes %v and %v", values.Shape(), indices.Shape())
	}
	s.try(ops.MaxPoolIndicesInto(s.ok(weft.Empty(s.dev, weft.F32, 1, 2)), nil, s.tensor(s.random(weft.F32, 1, 4)), ops.Window{Size: []int{2}}))
}

// Elements go back to where they came from; those whose indices are beyond their planes are left out.
func windowUnpools(s *suite) {
	pool := ops.Window{Size: []int{2, 2}}
	for i, elem := range []weft.DType{weft.F32, weft.F16, weft.I32, weft.BF16, weft.U8}[:either(s, 3, 5)] {
		x := s.random(elem, 2, 3, 6, 10)
		shape, indices := s.indexedPool(x, pool, dense, dense, dense)
		s.op("MaxUnpool")
		given := host{indexTypes[i%3], shape, indices}
		planes := size(shape[2:])
		if given.elem != weft.U32 {
			given.x[1] = -1
		}
		given.x[2] = 60
		values, want := s.random(elem, shape...), filled(elem, 0, x.shape...)
		for j, at := range given.x {
			if at >= 0 && at < 60 {
				want.x[j/planes*60+int(at)] = values.x[j]
			}
		}
		out := s.output(forms[i%len(forms)], elem, x.shape...)
		s.try(ops.MaxUnpoolInto(out.Tensor, s.input(forms[(i+1)%len(forms)], values), s.input(forms[(i+2)%len(forms)], given), 6, 10))
		out.check(want.x, nil)
	}
	s.op("MaxUnpool")
	none, at := s.tensor(filled(weft.F32, 0, 2, 0)), s.tensor(filled(weft.I32, 0, 2, 0))
	s.compare(s.ok(ops.MaxUnpool(none, at, 3)), make([]float64, 6), nil)
}
