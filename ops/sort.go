package ops

import (
	"math"
	"slices"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
)

// SortOption changes the order of Sort and ArgSort.
type SortOption interface{ setSort(*sortOptions) }

type sortOption func(*sortOptions)

func (f sortOption) setSort(o *sortOptions) { f(o) }

// Descending sorts from the largest element to the smallest one.
func Descending() SortOption { return sortOption(func(o *sortOptions) { o.descending = true }) }

// sortOptions is what a call asks for.
type sortOptions struct {
	given
	dim        int // may be out of its range, which check refuses
	descending bool
}

func newSort(op string, dim int, options []SortOption) sortOptions {
	o := sortOptions{given: given{op: op}, dim: dim}
	return applied(&sortPool, o, options, SortOption.setSort)
}

var sortPool sync.Pool

func sorts(_ sortOptions, t weft.DType) bool { return t.IsFloat() || t.IsInt() || t == weft.Bool }

var sortings = declare(declaration[sortOptions]{
	inputs: []string{"x"}, needed: 1, output: "values", more: []string{"indices"},
	types: sorts, check: checkSort,
	launch: func(o *sortOptions, values *weft.Tensor, in []*weft.Tensor) error {
		return o.launch(in[0], values, in[1])
	},
})

var argSorts = declare(declaration[sortOptions]{
	inputs: []string{"x"}, needed: 1, output: "indices",
	types: sorts, check: checkSort,
	result: func(sortOptions, weft.DType) weft.DType { return weft.I32 },
	launch: func(o *sortOptions, indices *weft.Tensor, in []*weft.Tensor) error {
		return o.launch(in[0], nil, indices)
	},
})

// Sort returns the elements of x in rising order along a dimension, of which a negative one counts from the end, and the indices in that dimension, of I32, that they had in
// x: two new tensors of x's shape. See Descending. x is of any element type that the device has, in any views, and its rows may have any length.
//
// The sort is stable: equal elements, 0 and -0 among them, stay in their order, also in descending order. NaN is after all
// numbers in either order, and all NaNs are equal. The result is the same on all devices. Rows that fit shared memory are sorted in one launch; longer ones take some for
// each 8 bits of the elements, and memory for two more copies of elements and indices.
//
// Errors: ErrShape for a tensor without dimensions, ErrArgument for nil and for a dimension that x does not have, ErrUnsupported for 64-bit types where the device
// has none, for 2^31 elements along the dimension and for more than 3 other dimensions that do not merge, ErrClosed.
func Sort(x *weft.Tensor, dim int, options ...SortOption) (values, indices *weft.Tensor, err error) {
	o := newSort("sort", dim, options)
	shape, err := sortings.checkInputs(&o, []*weft.Tensor{x, nil})
	if err != nil {
		return nil, nil, err
	}
	if indices, err = newResult(o.op, "indices", x.Device(), weft.I32, shape...); err != nil {
		return nil, nil, err
	}
	if values, err = sortings.new(o, x, indices); err != nil {
		indices.Close()
		return nil, nil, err
	}
	return values, indices, nil
}

// SortInto writes the sorted elements into values and their indices into indices, which may be nil: without them elements alone are moved, which is faster.
//
// Errors: as for Sort, ErrShape for other shapes, ErrArgument for other types, ErrDevice, and ErrUnsupported if values or indices repeats elements or
// overlaps another argument.
func SortInto(values, indices, x *weft.Tensor, dim int, options ...SortOption) error {
	return sortings.into(newSort("sort", dim, options), values, x, indices)
}

// ArgSort returns the indices, of I32, of the elements of x in rising order along a dimension. For the rest see Sort.
func ArgSort(x *weft.Tensor, dim int, options ...SortOption) (*weft.Tensor, error) {
	return argSorts.new(newSort("arg_sort", dim, options), x)
}

// ArgSortInto writes the indices into indices; see SortInto.
func ArgSortInto(indices, x *weft.Tensor, dim int, options ...SortOption) error {
	return argSorts.into(newSort("arg_sort", dim, options), indices, x)
}

func checkSort(o *sortOptions, in []*weft.Tensor) ([]int, error) {
	x := in[0]
	if x.Rank() == 0 {
		return nil, fault.New(weft.ErrShape, o.op, "a scalar has no rows, want at least 1 dimension").For("x")
	}
	dim, err := dimension(o.op, o.dim, operand{"x", x})
	if err != nil {
		return nil, err
	}
	if n := x.Dim(dim); n > math.MaxInt32 {
		return nil, fault.New(weft.ErrUnsupported, o.op, "%d elements along dimension %d, want at most %d", n, dim, math.MaxInt32).For("x")
	}
	if len(in) == 1 || in[1] == nil {
		return x.Shape(), nil
	}
	to := operand{"indices", in[1]}
	if err := checkGiven(o.op, to, operand{"x", x}, weft.I32); err != nil {
		return nil, err
	}
	return x.Shape(), checkShape(o.op, to, x.Shape())
}

// launch sorts x; values or indices may be nil.
func (o *sortOptions) launch(x, values, indices *weft.Tensor) error {
	dim, err := dimension(o.op, o.dim, operand{"x", x})
	if err != nil {
		return err
	}
	views := []weft.TensorView{ownView(x)}
	for _, t := range []*weft.Tensor{values, indices} {
		if t != nil {
			views = append(views, ownView(t))
		}
	}
	if views, err = rowsLast(dim, views...); err != nil {
		return err
	}
	if views[0].Layout.Rank() == 1 {
		for i := range views {
			if views[i].Layout, err = views[i].Layout.Unsqueeze(0); err != nil {
				return err
			}
		}
	}
	from := views[0].Layout
	if from.Rank()+1 > kernels.MaxRank {
		return fault.New(weft.ErrUnsupported, o.op, "shape %v has too many dimensions, want at most %d that do not merge", x.Shape(), kernels.MaxRank-1).For("x")
	}
	p := kernels.SortProblem{Elem: x.DType(), Descending: o.descending, Values: values != nil, Indices: indices != nil, X: viewOf(from)}
	return runSort(p, pick(sortTune, x.Device(), p), views)
}

// runSort launches the kernels on rows of x and of the results that are wanted.
func runSort(p kernels.SortProblem, sizes kernels.SortSizes, views []weft.TensorView) error {
	if p.Tiles(sizes) == 1 {
		return kernels.SortRows.LaunchViews(p.Config(sizes), p.Scalars(sizes, 0), views...)
	}
	made := scratch{}
	defer made.close()
	s := newLongSort(&made, p, sizes, views[0])
	if made.err != nil {
		return made.err
	}
	from := views[:1]
	for pass := range p.Passes() {
		to := s.between[pass%2]
		if pass == p.Passes()-1 {
			to = views[1:]
		}
		if err := s.pass(pass, from, to); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// longSort is what the passes over rows of several tiles share.
type longSort struct {
	p                       kernels.SortProblem
	sizes                   kernels.SortSizes
	counts, before, offsets *weft.Tensor
	between                 [2][]weft.TensorView // elements and indices, which passes read and write in turn
}

func newLongSort(made *scratch, p kernels.SortProblem, sizes kernels.SortSizes, x weft.TensorView) longSort {
	s, dev, shape := longSort{p: p, sizes: sizes}, x.Tensor.Device(), x.Layout.Shape()
	table := append(slices.Clone(shape[:len(shape)-1]), p.Tiles(sizes), kernels.SortRadix)
	for _, t := range []**weft.Tensor{&s.counts, &s.before, &s.offsets} {
		*t = made.keep(weft.Empty(dev, weft.I32, table...))
	}
	moved := []weft.DType{p.Elem}
	if p.Indices {
		moved = append(moved, weft.I32)
	}
	for i := range min(p.Passes()-1, 2) {
		for _, elem := range moved {
			t := made.keep(weft.Empty(dev, elem, shape...))
			if made.err != nil {
				return s
			}
			s.between[i] = append(s.between[i], ownView(t))
		}
	}
	return s
}

// pass sorts by the digit of a pass.
func (s *longSort) pass(pass int, from, to []weft.TensorView) error {
	first := s.p.Scalars(s.sizes, pass)
	if err := kernels.SortCount.LaunchViews(s.p.Count(s.sizes), first, from[0], ownView(s.counts)); err != nil {
		return err
	}
	sums := newScan("cumsum", kernels.ReduceSum, s.counts.Rank()-2, []ScanOption{Exclusive()})
	if err := sums.launch(s.before, []*weft.Tensor{s.counts}); err != nil {
		return err
	}
	offsets := s.p.Offsets(s.counts.Device().Caps())
	if err := kernels.SortOffsets.LaunchViews(offsets, nil, ownView(s.counts), ownView(s.before), ownView(s.offsets)); err != nil {
		return err
	}
	views := append(slices.Clone(from), ownView(s.offsets))
	return kernels.SortScatter.LaunchViews(s.p.Pass(s.sizes, pass), first, append(views, to...)...)
}
