package backendtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/ops"
)

var moveCases = []testCase{
	{"ConcatShapes", concatShapes},
	{"ConcatViews", concatViews},
	{"ConcatMany", concatMany},
	{"ConcatEmpty", concatEmpty},
	{"StackShapes", stackShapes},
	{"PadShapes", padShapes},
	{"PadModes", padModes},
	{"PadViews", padViews},
	{"PadValues", padValues},
	{"RollShapes", rollShapes},
}

// coordinates are those of element i of a shape.
func coordinates(shape []int, i int) []int {
	at := make([]int, len(shape))
	for d := len(shape) - 1; d >= 0; d-- {
		at[d] = i % shape[d]
		i /= shape[d]
	}
	return at
}

// position is the number of the element at coordinates.
func position(shape, at []int) (i int) {
	for d, n := range shape {
		i = i*n + at[d]
	}
	return i
}

// joins joins arrays along a dimension and compares the result with them.
func (s *suite) joins(dim int, to form, from []form, arrays ...host) {
	s.Helper()
	s.op("Concat")
	shape := slices.Clone(arrays[0].shape)
	d := (dim + len(shape)) % len(shape)
	shape[d] = 0
	tensors := make([]*weft.Tensor, len(arrays))
	for i, h := range arrays {
		shape[d] += h.shape[d]
		tensors[i] = s.input(from[i%len(from)], h)
	}
	want := make([]float64, size(shape))
	for i := range want {
		at := coordinates(shape, i)
		for _, h := range arrays {
			if at[d] < h.shape[d] {
				want[i] = h.x[position(h.shape, at)]
				break
			}
			at[d] -= h.shape[d]
		}
	}
	out := s.output(to, arrays[0].elem, shape...)
	s.try(ops.ConcatInto(out.Tensor, dim, tensors...))
	if err := out.verify(want, nil); err != nil {
		s.Error(fmt.Errorf("%v%v along %d, %s to %s: %w", arrays[0].elem, shape, dim, from, to, err))
	}
}

// Parts shorter and longer than a tile, with odd sizes and with those that vectors divide.
func concatShapes(s *suite) {
	for i, elem := range dtype.All() {
		for j, c := range more(s, [][]int{{0, 3, 700, 64}, {1, 5, 37, 129}, {1, 40, 64, 32, 1, 7}}, []int{1, 3, 4000, 4096}, []int{0, 1, 1, 1, 20_000}) {
			if !s.full && j != i%3 {
				continue
			}
			var arrays []host
			for _, n := range c[2:] {
				shape := []int{c[1], c[1]}
				shape[c[0]] = n
				arrays = append(arrays, s.random(elem, shape...))
			}
			s.joins(c[0], dense, []form{dense}, arrays...)
		}
	}
}

// Any dimension of any views.
func concatViews(s *suite) {
	for i, f := range forms {
		for j, g := range forms {
			if !s.full && (i+j)%3 != 0 {
				continue
			}
			for dim := range 3 {
				elem := dtype.All()[(3*i+j+5*dim)%len(dtype.All())]
				shapes := [][]int{{3, 4, 6}, {3, 4, 6}, {3, 4, 6}}
				shapes[0][dim], shapes[2][dim] = 5, 1
				s.joins(dim-3, g, []form{f, forms[(i+1)%4], g}, s.random(elem, shapes[0]...), s.random(elem, shapes[1]...), s.random(elem, shapes[2]...))
			}
		}
	}
	// A tensor that repeats an element, and one twice.
	x := s.random(weft.F32, 1, 5)
	row := s.input(dense, x)
	rows := s.ok(row.Broadcast(4, 5))
	out := s.output(sliced, weft.F32, 6, 5)
	s.part(weft.F32, repeated)
	s.op("Concat")
	s.try(ops.ConcatInto(out.Tensor, 0, row, rows, row))
	out.check(slices.Repeat(x.x, 6), nil)
	// More dimensions than kernels have.
	h := s.random(weft.I32, 2, 3, 2, 3, 2, 3)
	s.joins(3, transposed, []form{sliced}, h, h)
}

// More tensors than one launch takes.
func concatMany(s *suite) {
	var arrays []host
	for i := range 17 {
		arrays = append(arrays, s.random(weft.F16, 3, i%4))
	}
	s.joins(1, dense, []form{dense, sliced}, arrays...)
}

func concatEmpty(s *suite) {
	s.joins(0, dense, []form{dense}, s.random(weft.F32, 0, 3), s.random(weft.F32, 2, 3), s.random(weft.F32, 0, 3))
	s.joins(0, dense, []form{dense}, s.random(weft.F32, 2, 0), s.random(weft.F32, 3, 0))
	s.joins(0, dense, []form{dense}, s.random(weft.U8, 5))
}

func stackShapes(s *suite) {
	for i, elem := range dtype.All() {
		if !s.full && i%3 != 0 {
			continue
		}
		a, b, c := s.random(elem, 3, 14), s.random(elem, 3, 14), s.random(elem, 3, 14)
		for dim, shape := range [][]int{{3, 3, 14}, {3, 3, 14}, {3, 14, 3}} {
			want := make([]float64, 3*len(a.x))
			for i := range want {
				at := coordinates(shape, i)
				from := [][]float64{a.x, b.x, c.x}[at[dim]]
				want[i] = from[position(a.shape, slices.Delete(at, dim, dim+1))]
			}
			out := s.output(forms[(i+dim)%4], elem, shape...)
			s.op("Stack")
			s.try(ops.StackInto(out.Tensor, dim-3, s.input(dense, a), s.input(forms[dim], b), s.input(transposed, c)))
			out.check(want, nil)
		}
	}
	one := s.upload(filled(weft.F32, 4))
	s.compare(s.ok(ops.Stack(0, one, one)), []float64{4, 4}, nil)
}

// paddedFrom is the element of n that stands at i where a tensor is padded by a mode, -1 for the value.
func paddedFrom(mode ops.PadMode, i, n int) int {
	switch mode {
	case ops.PadEdge:
		return min(max(i, 0), n-1)
	case ops.PadWrap:
		return ((i % n) + n) % n
	case ops.PadReflect, ops.PadSymmetric:
		for step := 0; i < 0 || i >= n; step++ { // reflected at one end and the other
			end := 0
			if i >= n {
				end = 2 * (n - 1)
			}
			beyond := 0
			if mode == ops.PadSymmetric {
				beyond = 1
			}
			if i < 0 {
				beyond = -beyond
			}
			if i = end - i + beyond; n == 1 && mode == ops.PadReflect {
				i = 0
			}
		}
		return i
	}
	return i
}

// pads pads an array and compares the result with one that is made element by element.
func (s *suite) pads(h host, sizes []ops.PadSize, mode ops.PadMode, value float64, from, to form, options ...ops.PadOption) {
	s.Helper()
	s.op("Pad")
	shape := slices.Clone(h.shape)
	for d, p := range sizes {
		if shape[d] > 0 {
			shape[d] += (shape[d] - 1) * p.Interior
		}
		shape[d] += p.Low + p.High
	}
	want := make([]float64, size(shape))
	for i := range want {
		at, inside := coordinates(shape, i), true
		for d, p := range sizes {
			j := at[d] - p.Low
			if mode == ops.PadConstant {
				inside = inside && j >= 0 && j%(p.Interior+1) == 0 && j/(p.Interior+1) < h.shape[d]
				at[d] = j / (p.Interior + 1)
			} else {
				at[d] = paddedFrom(mode, j, h.shape[d])
			}
		}
		if want[i] = value; inside {
			want[i] = h.x[position(h.shape, at)]
		}
	}
	if mode != ops.PadConstant {
		options = append(options, ops.PadWith(mode))
	}
	out := s.output(to, h.elem, shape...)
	s.try(ops.PadInto(out.Tensor, s.input(from, h), sizes, options...))
	if err := out.verify(want, nil); err != nil {
		s.Error(fmt.Errorf("%v%v, %s to %s, by %v %v: %w", h.elem, h.shape, from, to, mode, sizes, err))
	}
}

// padSizes are sizes of all signs, that leave something.
func (s *suite) padSizes(shape []int, mode ops.PadMode) (list []ops.PadSize) {
	for _, n := range shape {
		p := ops.PadSize{Low: s.rng.IntN(5) - 1, High: s.rng.IntN(5) - 1}
		if mode == ops.PadConstant {
			p.Interior = s.rng.IntN(3)
		}
		if s.rng.IntN(3) == 0 || n+p.Low+p.High < 1 {
			p = ops.PadSize{}
		}
		list = append(list, p)
	}
	return list
}

// Dimensions longer and shorter than a tile, and sizes that leave elements out.
func padShapes(s *suite) {
	type sizes = []ops.PadSize
	for i, c := range []struct {
		shape []int
		sizes sizes
	}{
		{[]int{3000}, sizes{{Low: 5, High: 100}}}, {[]int{7}, sizes{{Low: -2, High: -3, Interior: 4}}}, {[]int{64, 96}, sizes{{Low: 4, High: 4}, {Low: 8, High: 24}}},
		{[]int{2, 3, 20, 30}, sizes{{}, {}, {Low: 1, High: 1}, {Low: 2, High: 2}}}, {[]int{50, 5}, sizes{{Low: 3, High: -10}, {}}},
		{[]int{5, 4}, sizes{{Low: -5, High: 3}, {High: 0}}}, {[]int{3, 0}, sizes{{}, {Low: 4, High: 1}}}, {[]int{1, 1}, sizes{{Interior: 7}, {Low: 3, Interior: 7}}},
		{[]int{40, 40}, sizes{{High: 0}, {High: 0}}}, {[]int{1, 1}, sizes{{}, {}}}, {[]int{}, sizes{}}, {[]int{20, 100}, sizes{{Interior: 2}, {Low: -7, High: -9, Interior: 1}}},
	} {
		for j, elem := range either(s, []weft.DType{dtype.All()[i%len(dtype.All())], weft.F32}, dtype.All()) {
			s.pads(s.random(elem, c.shape...), c.sizes, ops.PadConstant, 0, dense, forms[j%2])
		}
	}
}

// All modes, with fewer elements around than there are, and with many more.
func padModes(s *suite) {
	for i, mode := range []ops.PadMode{ops.PadEdge, ops.PadReflect, ops.PadSymmetric, ops.PadWrap} {
		for j, elem := range either(s, []weft.DType{weft.F32, dtype.All()[i], dtype.All()[9-i]}, dtype.All()) {
			s.pads(s.random(elem, 9, 30), []ops.PadSize{{Low: 3, High: 8}, {Low: 10, High: 5}}, mode, 0, forms[j%4], forms[i])
			s.pads(s.random(elem, 2, 3, 4), []ops.PadSize{{Low: 1}, {Low: 25, High: 31}, {}}, mode, 0, dense, dense)
			s.pads(s.random(elem, 20, 1), []ops.PadSize{{Low: -3, High: 2}, {Low: 4, High: 2}}, mode, 0, dense, dense)
		}
	}
}

// Random sizes in all views.
func padViews(s *suite) {
	for i, f := range forms {
		for j, g := range forms {
			if !s.full && (i+j)%2 != 0 {
				continue
			}
			mode := ops.PadMode((i + 2*j) % 5)
			h := s.random(dtype.All()[(4*i+j)%len(dtype.All())], 3, 4, 5, 6)
			s.pads(h, s.padSizes(h.shape, mode), mode, 0, f, g)
		}
	}
}

// Values are numbers, exactly those of the type, or tensors of one element.
func padValues(s *suite) {
	for _, elem := range dtype.All() {
		h, v := s.random(elem, 3, 5), s.random(elem, 1)
		var number any = v.x[0]
		if elem == weft.Bool {
			number, v.x[0] = true, 1
		}
		sizes := []ops.PadSize{{Low: 1}, {High: 3, Interior: 1}}
		if elem.Size() == 8 {
			s.pads(h, sizes, ops.PadConstant, math.Floor(v.x[0]/2), dense, dense, ops.PadValue(math.Floor(v.x[0]/2)))
		} else {
			s.pads(h, sizes, ops.PadConstant, v.x[0], dense, dense, ops.PadValue(number))
		}
		s.pads(h, sizes, ops.PadConstant, v.x[0], transposed, sliced, ops.PadValue(s.input(sliced, v)))
	}
	s.pads(s.random(weft.I64, 3), []ops.PadSize{{Low: 1}}, ops.PadConstant, -1<<40, dense, dense, ops.PadValue(int64(-1)<<40))
	s.pads(s.random(weft.U64, 3), []ops.PadSize{{High: 2}}, ops.PadConstant, 1<<63, dense, dense, ops.PadValue(uint64(1)<<63))
}

// Shifts of all signs, also by more than a dimension has, along some dimensions.
func rollShapes(s *suite) {
	for i, c := range []struct {
		shape, shifts, dims []int
	}{
		{[]int{3000}, []int{700}, nil}, {[]int{30, 40}, []int{-3, 100}, nil}, {[]int{6, 50, 4}, []int{7}, []int{-2}},
		{[]int{64, 8, 8}, []int{16}, []int{0}}, {[]int{2, 3, 4, 5}, []int{1, -2, 3}, []int{3, 1, 0}}, {[]int{0, 4}, []int{1, 1}, nil}, {[]int{5, 6}, []int{0, 12}, nil},
	} {
		for j, elem := range either(s, []weft.DType{dtype.All()[i%len(dtype.All())]}, dtype.All()) {
			h := s.random(elem, c.shape...)
			by := make([]int, len(c.shape))
			for k, n := range c.shifts {
				d := k
				if c.dims != nil {
					d = (c.dims[k] + len(c.shape)) % len(c.shape)
				}
				by[d] = n
			}
			want := make([]float64, len(h.x))
			for k := range want {
				at := coordinates(c.shape, k)
				for d, n := range c.shape {
					at[d] = ((at[d]-by[d])%n + n) % n
				}
				want[k] = h.x[position(c.shape, at)]
			}
			out := s.output(forms[(i+j)%4], elem, c.shape...)
			s.op("Roll")
			s.try(ops.RollInto(out.Tensor, s.input(forms[(i+2*j)%4], h), c.shifts, c.dims...))
			out.check(want, nil)
		}
	}
}
