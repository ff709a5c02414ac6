package backendtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/ops"
)

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

// updates updates slices along a dimension, at indices of a shape, in tensors of forms: x and the result, indices, updates.
func (s *suite) updates(kind ops.ScatterKind, elem weft.DType, shape []int, dim int, index weft.DType, indices []int, f [3]form) {
	s.Helper()
	x, at := s.numbersFor(elem, kind, shape...), s.distinct(kind, index, shape[dim], indices...)
	updates := s.numbersFor(elem, kind, slices.Replace(slices.Clone(shape), dim, dim+1, indices...)...)
	v, which := s.input(f[2], updates), s.input(f[1], at)
	s.updated("IndexUpdate", x, updates, kind, f[0],
		func(out, x *weft.Tensor) error { return ops.IndexUpdateInto(out, x, dim, which, v, kind) },
		func(k []int) ([]int, bool) {
			n := at.x[position(at.shape, k[dim:dim+len(indices)])]
			return slices.Replace(slices.Clone(k), dim, dim+len(indices), int(n)), n >= 0 && n < float64(shape[dim])
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
				s.updates(kind, elem, shape, dim, indexTypes[(i+j)%3], []int{3, 5}, [3]form{forms[(i+2*j)%4], forms[j%4], forms[(i+j)%4]})
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
