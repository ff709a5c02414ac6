package backendtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/ops"
)

var indexedCases = []testCase{
	{"IndexSelectShapes", selectShapes},
	{"IndexSelectViews", selectViews},
	{"TakeAlongShapes", takeShapes},
	{"TakeAlongViews", takeViews},
	{"GatherWindows", gatherCases},
	{"DynamicSliceShapes", sliceShapes},
	{"DynamicUpdateSliceShapes", updateShapes},
	{"IndexUpdateKinds", updateKinds},
	{"ScatterAlongViews", scatterViews},
	{"ScatterWindows", scatterCases},
	{"ScatterLastWins", scatterLast},
	{"ScatterFixed", scatterFixed},
}

// indexTypes are the element types of indices.
var indexTypes = []weft.DType{weft.I32, weft.U32, weft.I64}

// places makes indices of a dimension of size n, of a type, some of them outside.
func (s *suite) places(elem weft.DType, n int, shape ...int) host {
	outside := map[weft.DType][]float64{
		weft.I32: {-1, float64(n), math.MinInt32, math.MaxInt32}, weft.U32: {float64(n), 1 << 31, math.MaxUint32},
		weft.I64: {-1, float64(n), -1 << 40, 1 << 32, 1<<33 + 1, -1<<32 + 1},
	}[elem]
	return filled(elem, 0, shape...).each(func(i int, _ float64) float64 {
		if i%7 == 3 || n == 0 {
			return outside[s.rng.IntN(len(outside))]
		}
		return float64(s.rng.IntN(n))
	})
}

// looked is a call of an op with indices: f says which element of x each element of the result is, and whether there is one.
func (s *suite) looked(op string, x host, shape []int, to form, run func(out *weft.Tensor) error, f func(at []int) (from []int, ok bool)) {
	s.Helper()
	s.op(op)
	want := make([]float64, size(shape))
	for i := range want {
		if from, ok := f(coordinates(shape, i)); ok {
			want[i] = x.x[position(x.shape, from)]
		}
	}
	out := s.output(to, x.elem, shape...)
	s.try(run(out.Tensor))
	if err := out.verify(want, nil); err != nil {
		s.Error(fmt.Errorf("%s of %v%v to %v %s: %w", op, x.elem, x.shape, shape, to, err))
	}
}

// selects takes slices along a dimension.
func (s *suite) selects(x, indices host, dim int, f [3]form) {
	s.Helper()
	from, at := s.input(f[0], x), s.input(f[1], indices)
	shape := slices.Replace(slices.Clone(x.shape), dim, dim+1, indices.shape...)
	s.looked("IndexSelect", x, shape, f[2], func(out *weft.Tensor) error { return ops.IndexSelectInto(out, from, dim-len(x.shape), at) },
		func(at []int) ([]int, bool) {
			i := indices.x[position(indices.shape, at[dim:dim+len(indices.shape)])]
			return slices.Replace(slices.Clone(at), dim, dim+len(indices.shape), int(i)), i >= 0 && i < float64(x.shape[dim])
		})
}

// Slices of all lengths, of all element types, by indices of all types.
func selectShapes(s *suite) {
	for i, elem := range dtype.All() {
		for j, c := range more(s, []struct{ shape, indices []int }{{[]int{50, 64}, []int{33}}, {[]int{5, 40, 36}, []int{3, 7}}, {[]int{9, 21, 5}, []int{1}}},
			struct{ shape, indices []int }{[]int{7, 5000}, []int{100}}, struct{ shape, indices []int }{[]int{4000, 3}, []int{5000}}) {
			if !s.full && (j != i%3 || i%2 != 0) && elem != weft.F32 { // software takes a second to compile a kernel
				continue
			}
			for dim := range c.shape {
				s.selects(s.random(elem, c.shape...), s.places(indexTypes[(i+dim)%3], c.shape[dim], c.indices...), dim, [3]form{dense, dense, dense})
			}
		}
	}
	s.selects(s.random(weft.F32, 5), s.places(weft.I32, 5), 0, [3]form{dense, dense, dense}) // a scalar index
	s.selects(s.random(weft.F16, 0, 4), s.places(weft.I32, 0, 6), 0, [3]form{dense, dense, dense})
	s.selects(s.random(weft.F16, 3, 4), s.places(weft.I32, 3, 0), 0, [3]form{dense, dense, dense})
	s.selects(s.random(weft.I32, 2, 3, 2, 3, 2, 3), s.places(weft.I64, 3, 2, 2), 3, [3]form{sliced, dense, transposed})
}

func selectViews(s *suite) {
	for i, f := range forms {
		for j, g := range forms {
			if !s.full && (i+j)%3 != 0 {
				continue
			}
			for dim := range 3 {
				shape := []int{6, 5, 8}
				s.selects(s.random(dtype.All()[(3*i+5*j+dim)%len(dtype.All())], shape...), s.places(indexTypes[(i+dim)%3], shape[dim], 3, 4), dim, [3]form{f, g, forms[(i+j+dim)%4]})
			}
		}
	}
	row, one := s.input(dense, s.random(weft.F32, 1, 7)), filled(weft.I32, 2)
	rows, same := s.ok(row.Broadcast(4, 7)), s.ok(s.input(dense, one).Broadcast(5))
	s.part(weft.F32, repeated)
	s.op("IndexSelect")
	out := s.output(sliced, weft.F32, 5, 7)
	s.try(ops.IndexSelectInto(out.Tensor, rows, 0, same))
	out.check(slices.Repeat(s.floats(row), 5), nil)
}

// takes takes elements along a dimension.
func (s *suite) takes(x, indices host, dim int, f [3]form) {
	s.Helper()
	from, at := s.input(f[0], x), s.input(f[1], indices)
	s.looked("TakeAlong", x, indices.shape, f[2], func(out *weft.Tensor) error { return ops.TakeAlongInto(out, from, dim, at) },
		func(at []int) ([]int, bool) {
			i := indices.x[position(indices.shape, at)]
			at = slices.Clone(at)
			at[dim] = int(i)
			return at, i >= 0 && i < float64(x.shape[dim])
		})
}

func takeShapes(s *suite) {
	for i, elem := range dtype.All() {
		for j, c := range [][2][]int{{{40, 30}, {40, 30}}, {{7, 500}, {5, 60}}, {{3, 20, 9}, {3, 33, 8}}, {{300}, {700}}} {
			if !s.full && (j != i%4 || i%2 == 0) && elem != weft.F32 {
				continue
			}
			for dim := range c[0] {
				at := slices.Clone(c[1])
				for d := range at {
					if d != dim {
						at[d] = min(at[d], c[0][d])
					}
				}
				s.takes(s.random(elem, c[0]...), s.places(indexTypes[(i+j)%3], c[0][dim], at...), dim, [3]form{dense, dense, dense})
			}
		}
	}
	s.takes(s.random(weft.F32, 0, 4), s.places(weft.I32, 0, 3, 4), 0, [3]form{dense, dense, dense})
}

func takeViews(s *suite) {
	for i, f := range forms {
		for j, g := range forms {
			if !s.full && (i+j)%3 != 1 {
				continue
			}
			for dim := range 3 {
				shape := []int{4, 5, 6}
				s.takes(s.random(dtype.All()[(5*i+3*j+dim)%len(dtype.All())], shape...), s.places(indexTypes[(j+dim)%3], shape[dim], shape...), dim, [3]form{f, g, forms[(i+dim)%4]})
			}
		}
	}
}

// windowCase is a call of Gather or Scatter.
type windowCase struct {
	x, indices []int
	w          ops.Windows
}

var windowCases = []windowCase{
	// Rows of a matrix, and elements of it by pairs.
	{[]int{20, 24}, []int{7}, ops.Windows{Vector: 1, Map: []int{0}, Dims: []int{1}, Dropped: []int{0}, Sizes: []int{1, 24}}},
	{[]int{9, 11}, []int{30, 2}, ops.Windows{Vector: 1, Map: []int{0, 1}, Dropped: []int{0, 1}, Sizes: []int{1, 1}}},
	{[]int{9, 11}, []int{2, 30}, ops.Windows{Vector: 0, Map: []int{1, 0}, Dropped: []int{0, 1}, Sizes: []int{1, 1}}},
	// Windows within images, whose dimensions stand before, between and after those of the indices.
	{[]int{3, 12, 14}, []int{5, 2}, ops.Windows{Vector: 1, Map: []int{1, 2}, Dims: []int{1, 2, 3}, Sizes: []int{3, 4, 6}}},
	{[]int{3, 12, 14}, []int{4, 2, 3}, ops.Windows{Vector: 1, Map: []int{2, 1}, Dims: []int{0, 2}, Dropped: []int{0}, Sizes: []int{1, 5, 4}}},
	{[]int{6, 5, 8, 7}, []int{3, 3}, ops.Windows{Vector: 1, Map: []int{0, 3, 1}, Dims: []int{0, 1, 2, 4}, Sizes: []int{2, 3, 8, 1}}},
	// Batches.
	{[]int{4, 10, 6}, []int{4, 5}, ops.Windows{Vector: 2, Map: []int{1}, Dims: []int{2}, Dropped: []int{1}, Batch: []int{0}, IndexBatch: []int{0}, Sizes: []int{1, 1, 6}}},
	{[]int{10, 3, 4, 6}, []int{4, 2, 3, 2}, ops.Windows{Vector: 3, Map: []int{0, 3}, Dims: []int{0, 2}, Batch: []int{2, 1}, IndexBatch: []int{0, 2}, Sizes: []int{3, 1, 1, 5}}},
	// No indices at all.
	{[]int{4, 5}, []int{3, 0}, ops.Windows{Vector: 1, Dims: []int{0, 2}, Sizes: []int{2, 4}}},
	{[]int{2, 2, 3, 2, 2, 3}, []int{5, 3}, ops.Windows{Vector: 1, Map: []int{5, 2, 0}, Dims: []int{0, 1, 3, 4}, Dropped: []int{0, 3}, Sizes: []int{1, 2, 1, 1, 2, 2}}},
}

// place is where an element of the windows is in x, and whether that is so of the whole window.
func (c windowCase) place(indices host, at []int, clamp bool) (from []int, within bool) {
	within = true
	from = make([]int, len(c.x))
	var batch []int
	d := 0
	for i := range c.x {
		if slices.Contains(c.w.Dropped, i) || slices.Contains(c.w.Batch, i) {
			continue
		}
		from[i] = at[c.w.Dims[d]]
		d++
	}
	for i, n := range at {
		if !slices.Contains(c.w.Dims, i) {
			batch = append(batch, n)
		}
	}
	for i, of := range c.w.Batch {
		j := c.w.IndexBatch[i]
		if j > c.w.Vector {
			j--
		}
		from[of] = batch[j]
	}
	for i, of := range c.w.Map {
		which := batch
		if c.w.Vector < len(c.indices) {
			which = slices.Insert(slices.Clone(batch), c.w.Vector, i)
		}
		start, most := indices.x[position(c.indices, which)], float64(c.x[of]-c.w.Sizes[of])
		if within = within && start >= 0 && start <= most; clamp {
			start = min(max(start, 0), most)
		}
		if within || clamp {
			from[of] += int(start)
		}
	}
	return from, within
}

// shape is that of the windows.
func (c windowCase) shape() []int {
	shape := make([]int, len(c.w.Dims))
	rest := slices.Clone(c.indices)
	if c.w.Vector < len(rest) {
		rest = slices.Delete(rest, c.w.Vector, c.w.Vector+1)
	}
	shape = append(shape, rest...)
	d := 0
	for i, n := range c.x {
		if !slices.Contains(c.w.Dropped, i) && !slices.Contains(c.w.Batch, i) {
			shape[c.w.Dims[d]] = c.w.Sizes[i]
			d++
		}
		_ = n
	}
	for i := range shape {
		if !slices.Contains(c.w.Dims, i) {
			shape[i], rest = rest[0], rest[1:]
		}
	}
	return shape
}

// starts makes indices of windows.
func (c windowCase) starts(s *suite, elem weft.DType) host {
	least := 1 << 20
	for _, of := range c.w.Map {
		least = min(least, c.x[of]-c.w.Sizes[of]+1)
	}
	return s.places(elem, least, c.indices...)
}

func gatherCases(s *suite) {
	for i, c := range windowCases {
		for j, elem := range either(s, []weft.DType{weft.F32, dtype.All()[(3*i+1)%len(dtype.All())]}, dtype.All()) {
			x, indices := s.random(elem, c.x...), c.starts(s, indexTypes[(i+j)%3])
			from, at := s.input(forms[(i+2*j)%4], x), s.input(forms[j%4], indices)
			s.looked("Gather", x, c.shape(), forms[(i+j)%4], func(out *weft.Tensor) error { return ops.GatherInto(out, from, at, c.w) },
				func(at []int) ([]int, bool) { from, _ := c.place(indices, at, true); return from, true })
		}
	}
}

func sliceShapes(s *suite) {
	for i, c := range [][2][]int{{{5000}, {1234}}, {{30, 40}, {30, 7}}, {{20, 30, 8}, {4, 9, 8}}, {{2, 3, 4, 5, 6, 7}, {1, 2, 3, 5, 4, 3}}, {{4, 6}, {0, 3}}, {{64, 64}, {32, 32}}} {
		for j, elem := range either(s, []weft.DType{weft.F32, dtype.All()[(5*i+2)%len(dtype.All())]}, dtype.All()) {
			x, starts := s.random(elem, c[0]...), s.places(indexTypes[(i+j)%3], 5, len(c[0]))
			from, at := s.input(forms[(i+j)%4], x), s.input(forms[(j+2)%4], starts)
			s.looked("DynamicSlice", x, c[1], forms[(i+2*j)%4], func(out *weft.Tensor) error { return ops.DynamicSliceInto(out, from, at, c[1]...) },
				func(at []int) ([]int, bool) { return shifted(c, starts, at), true })
		}
	}
	one := s.upload(filled(weft.F32, 3))
	s.compare(s.ok(ops.DynamicSlice(one, s.ok(weft.Zeros(s.dev, weft.I32, 0)))), []float64{3}, nil)
}

// shifted is where an element of a part is in the whole.
func shifted(c [2][]int, starts host, at []int) []int {
	at = slices.Clone(at)
	for d := range at {
		at[d] += int(min(max(starts.x[d], 0), float64(c[0][d]-c[1][d])))
	}
	return at
}

func updateShapes(s *suite) {
	for i, c := range [][2][]int{{{5000}, {1234}}, {{30, 40}, {30, 7}}, {{20, 30, 8}, {4, 9, 8}}, {{2, 3, 4, 5, 6, 7}, {1, 2, 3, 5, 4, 3}}, {{4, 6}, {0, 3}}} {
		for j, elem := range either(s, []weft.DType{weft.F32, dtype.All()[(7*i+3)%len(dtype.All())]}, dtype.All()) {
			x, update, starts := s.random(elem, c[0]...), s.random(elem, c[1]...), s.places(indexTypes[(i+j)%3], 5, len(c[0]))
			want := slices.Clone(x.x)
			for k, v := range update.x {
				want[position(c[0], shifted(c, starts, coordinates(c[1], k)))] = v
			}
			s.op("DynamicUpdateSlice")
			from, by := s.input(forms[(i+j)%4], update), s.input(forms[(j+2)%4], starts)
			out := s.output(forms[(i+2*j)%4], elem, c[0]...)
			s.try(ops.DynamicUpdateSliceInto(out.Tensor, s.input(forms[j%4], x), from, by))
			out.check(want, nil)
			same := s.outputOf(forms[(i+j)%4], x) // in place
			s.try(ops.DynamicUpdateSliceInto(same.Tensor, same.Tensor, from, by))
			same.check(want, nil)
		}
	}
}
