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

// combined is an element with an update, as the element type has it.
func combined(elem weft.DType, kind ops.ScatterKind, x, v float64) float64 {
	switch kind {
	case ops.ScatterAdd:
		x += v
	case ops.ScatterMul:
		x *= v
	case ops.ScatterMin:
		x = min(x, v)
	case ops.ScatterMax:
		x = max(x, v)
	default:
		x = v
	}
	if bits := 8 * elem.Size(); elem.IsInt() && bits < 64 { // which wraps
		n := int64(x) << (64 - bits)
		if x = float64(n >> (64 - bits)); !elem.IsSigned() {
			x = float64(uint64(n) >> (64 - bits))
		}
	}
	return x
}

// updated is a call of an op with updates: f says which element of x each update is of, and whether there is one.
func (s *suite) updated(op string, x, updates host, kind ops.ScatterKind, to form, run func(out, x *weft.Tensor) error, f func(at []int) (place []int, ok bool)) {
	s.Helper()
	s.op(op)
	want := slices.Clone(x.x)
	for i, v := range updates.x {
		if at, ok := f(coordinates(updates.shape, i)); ok {
			p := position(x.shape, at)
			want[p] = combined(x.elem, kind, want[p], v)
		}
	}
	out := s.output(to, x.elem, x.shape...)
	s.try(run(out.Tensor, s.input(to, x)))
	same := s.outputOf(to, x)
	s.try(run(same.Tensor, same.Tensor))
	for _, o := range []output{out, same} {
		if err := o.verify(want, nil); err != nil {
			s.Error(fmt.Errorf("%s %v of %v%v by %v %s: %w", op, kind, x.elem, x.shape, updates.shape, to, err))
		}
	}
}

// kindsOf are the kinds that an element type has.
func kindsOf(elem weft.DType) []ops.ScatterKind {
	switch {
	case elem == weft.Bool:
		return []ops.ScatterKind{ops.ScatterSet, ops.ScatterMin, ops.ScatterMax}
	case elem == weft.F64:
		return []ops.ScatterKind{ops.ScatterSet}
	case elem.Size() == 8:
		return []ops.ScatterKind{ops.ScatterSet, ops.ScatterAdd}
	}
	return []ops.ScatterKind{ops.ScatterSet, ops.ScatterAdd, ops.ScatterMul, ops.ScatterMin, ops.ScatterMax}
}

// numbersFor makes small numbers, of which sums and products are exact, whatever their order.
func (s *suite) numbersFor(elem weft.DType, kind ops.ScatterKind, shape ...int) host {
	return s.random(elem, shape...).each(func(i int, x float64) float64 {
		switch {
		case elem == weft.Bool:
			return x
		case kind == ops.ScatterMul:
			return []float64{1, 1, 1, 2, 1}[s.rng.IntN(5)]
		case elem.Size() == 8 && elem.IsSigned():
			return float64(s.rng.IntN(1<<40) - 1<<39)
		case elem.Size() == 8:
			return float64(s.rng.IntN(1 << 40))
		case elem.IsSigned():
			return float64(s.rng.IntN(9) - 4)
		}
		return float64(s.rng.IntN(9))
	})
}

// distinct makes indices that name no element twice, for kinds that take one of several updates.
func (s *suite) distinct(kind ops.ScatterKind, elem weft.DType, n int, shape ...int) host {
	h := s.places(elem, n, shape...)
	if kind != ops.ScatterSet {
		return h
	}
	free := s.rng.Perm(n)
	return h.each(func(_ int, x float64) float64 {
		if x < 0 || x >= float64(n) || len(free) == 0 {
			return float64(n)
		}
		x, free = float64(free[0]), free[1:]
		return x
	})
}

// All kinds of all element types, with many updates of one element.
func updateKinds(s *suite) {
	for i, elem := range dtype.All() {
		for j, kind := range kindsOf(elem) {
			for dim, shape := range [][]int{{6, 40}, {5, 9, 4}} {
				if !s.full && (i+j+dim)%4 != 0 && (elem != weft.F32 || dim == 1) {
					continue
				}
				x := s.numbersFor(elem, kind, shape...)
				at := s.distinct(kind, indexTypes[(i+j)%3], shape[dim], 3, 5)
				updates := s.numbersFor(elem, kind, slices.Replace(slices.Clone(shape), dim, dim+1, at.shape...)...)
				v, which := s.input(forms[(i+j)%4], updates), s.input(forms[j%4], at)
				s.updated("IndexUpdate", x, updates, kind, forms[(i+2*j)%4],
					func(out, x *weft.Tensor) error { return ops.IndexUpdateInto(out, x, dim, which, v, kind) },
					func(k []int) ([]int, bool) {
						n := at.x[position(at.shape, k[dim:dim+2])]
						return slices.Replace(slices.Clone(k), dim, dim+2, int(n)), n >= 0 && n < float64(shape[dim])
					})
			}
		}
	}
	// One element takes all, as many as programs of several workgroups have; and nothing is updated.
	for _, kind := range []ops.ScatterKind{ops.ScatterAdd, ops.ScatterMax} {
		updates := s.small(weft.F32, 9000)
		want := 0.0
		for _, v := range updates.x {
			want = combined(weft.F32, kind, want, v)
		}
		zero := s.ok(weft.Zeros(s.dev, weft.F32, 1))
		s.op("IndexUpdate")
		s.compare(s.ok(ops.IndexUpdate(zero, 0, s.ok(weft.Zeros(s.dev, weft.I32, 9000)), s.tensor(updates), kind)), []float64{want}, nil)
		s.compare(s.ok(ops.IndexUpdate(zero, 0, s.ok(weft.Zeros(s.dev, weft.I32, 0)), s.ok(weft.Zeros(s.dev, weft.F32, 0)), kind)), []float64{0}, nil)
	}
	// A NaN stays, and takes the place of a number.
	x := host{weft.F32, []int{4}, []float64{math.NaN(), 1, math.Inf(-1), 3}}
	updates := host{weft.F32, []int{4}, []float64{2, math.NaN(), math.Inf(1), -3}}
	at := s.upload(host{weft.I32, []int{4}, []float64{0, 1, 2, 3}})
	for kind, want := range map[ops.ScatterKind][]float64{ops.ScatterMin: {math.NaN(), math.NaN(), math.Inf(-1), -3}, ops.ScatterMax: {math.NaN(), math.NaN(), math.Inf(1), 3}} {
		s.compare(s.ok(ops.IndexUpdate(s.upload(x), 0, at, s.upload(updates), kind)), want, nil)
	}
}

func scatterViews(s *suite) {
	for i, f := range forms {
		for j, g := range forms {
			if !s.full && (i+j)%3 != 2 {
				continue
			}
			for dim := range 3 {
				elem := dtype.All()[(3*i+7*j+dim)%len(dtype.All())]
				kinds := kindsOf(elem)
				if len(kinds) == 1 {
					continue
				}
				kind := kinds[1+(i+j+dim)%(len(kinds)-1)]
				shape, to := []int{4, 5, 6}, []int{4, 3, 5}
				to[dim] += 4
				for d := range to {
					if d != dim {
						to[d] = min(to[d], shape[d])
					}
				}
				x, at, updates := s.numbersFor(elem, kind, shape...), s.places(indexTypes[(i+dim)%3], shape[dim], to...), s.numbersFor(elem, kind, to...)
				v, which := s.input(f, updates), s.input(g, at)
				s.updated("ScatterAlong", x, updates, kind, forms[(i+j+dim)%4],
					func(out, x *weft.Tensor) error { return ops.ScatterAlongInto(out, x, dim, which, v, kind) },
					func(k []int) ([]int, bool) {
						n := at.x[position(to, k)]
						k = slices.Clone(k)
						k[dim] = int(n)
						return k, n >= 0 && n < float64(shape[dim])
					})
			}
		}
	}
}

// Windows that overlap are added, and those that do not are set; one that would reach beyond x is left out.
func scatterCases(s *suite) {
	for i, c := range windowCases {
		for j, elem := range either(s, []weft.DType{weft.F32, dtype.All()[(3*i+2)%len(dtype.All())]}, dtype.All()) {
			kinds := kindsOf(elem)
			if len(kinds) == 1 {
				continue
			}
			kind := kinds[1+(i+j)%(len(kinds)-1)]
			x, indices, updates := s.numbersFor(elem, kind, c.x...), c.starts(s, indexTypes[(i+j)%3]), s.numbersFor(elem, kind, c.shape()...)
			v, which := s.input(forms[(i+j)%4], updates), s.input(forms[j%4], indices)
			s.updated("Scatter", x, updates, kind, forms[(i+2*j)%4],
				func(out, x *weft.Tensor) error { return ops.ScatterInto(out, x, which, v, c.w, kind) },
				func(at []int) ([]int, bool) { return c.place(indices, at, false) })
		}
	}
}

// The last update of an element wins where that is asked for, whichever programs come first.
func scatterLast(s *suite) {
	for i, elem := range dtype.All() {
		if !s.full && i%3 != 0 && elem.Size() < 8 {
			continue
		}
		x, updates := s.random(elem, 20, 6), s.random(elem, 900, 6)
		at := s.places(indexTypes[i%3], 20, 900)
		v, which := s.input(forms[i%4], updates), s.input(dense, at)
		s.updated("IndexUpdate", x, updates, ops.ScatterSet, forms[(i+1)%4],
			func(out, x *weft.Tensor) error {
				return ops.IndexUpdateInto(out, x, 0, which, v, ops.ScatterSet, ops.LastWins())
			},
			func(k []int) ([]int, bool) { return []int{int(at.x[k[0]]), k[1]}, at.x[k[0]] >= 0 && at.x[k[0]] < 20 })
	}
	c := windowCases[3] // windows that overlap
	x, indices, updates := s.random(weft.F16, c.x...), c.starts(s, weft.I32), s.random(weft.F16, c.shape()...)
	for i, n := range indices.x {
		indices.x[i] = math.Floor(n / 3)
	}
	v, which := s.input(dense, updates), s.input(dense, indices)
	want := slices.Clone(x.x)
	for row := range c.indices[0] { // in the order of the indices
		for i, n := range updates.x {
			if at := coordinates(updates.shape, i); at[0] == row {
				if p, ok := c.place(indices, at, false); ok {
					want[position(x.shape, p)] = n
				}
			}
		}
	}
	s.op("Scatter")
	s.compare(s.ok(ops.Scatter(s.tensor(x), which, v, c.w, ops.ScatterSet, ops.LastWins())), want, nil)
}
