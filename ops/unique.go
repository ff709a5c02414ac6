package ops

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

// uniqueMore are the further results.
var uniqueMore = []string{"number", "inverse", "counts"}

var uniques = declare(declaration[given]{
	inputs: []string{"x"}, needed: 1, output: "values", more: uniqueMore, evenEmpty: true,
	types: func(_ given, t weft.DType) bool { return sorts(sortOptions{}, t) },
	check: checkUnique, launch: launchUnique,
})

// Unique returns the different elements of x in rising order, as NumPy has it: values, a tensor [N] for the N elements of x, which has these first and then zeros, and number [1] of I32, which
// says on the device how many they are: nothing waits for the device. x is of any element type that the device has, in any views.
//
// 0 and -0 are one element, and so are all NaNs, which are last, as in NumPy from 1.21 on. Of equal elements the first one in x's row-major order is in values. The result is the same on all devices. The elements are
// sorted, as Sort does, and take memory for some copies of x.
//
// Errors: ErrArgument for nil, ErrUnsupported for 64-bit types where the device has none and for 2^31 elements or more, ErrClosed, ErrOutOfMemory.
func Unique(x *weft.Tensor) (values, number *weft.Tensor, err error) {
	if _, err := uniques.checkInputs(&given{op: "unique"}, []*weft.Tensor{x, nil, nil, nil}); err != nil {
		return nil, nil, err
	}
	if number, err = newResult("unique", "number", x.Device(), weft.I32, 1); err != nil {
		return nil, nil, err
	}
	if values, err = uniques.new(given{op: "unique"}, x, number, nil, nil); err != nil {
		number.Close()
		return nil, nil, err
	}
	return values, number, nil
}

// UniqueInto writes the different elements into values [N], how many they are into number [1], for each element of x the place in values of that
// which it equals into inverse, of x's shape, and how often each of values is in x into counts [N], which ends with zeros as values does. number, inverse and counts are of
// I32, and each may be nil.
//
// Errors: as for Unique, ErrShape for other shapes, ErrArgument for other types, ErrDevice, and ErrUnsupported if a result repeats elements or
// overlaps another argument.
func UniqueInto(values, number, inverse, counts, x *weft.Tensor) error {
	return uniques.into(given{op: "unique"}, values, x, number, inverse, counts)
}

func checkUnique(o *given, in []*weft.Tensor) ([]int, error) {
	x := in[0]
	if x.Len() > math.MaxInt32 {
		return nil, fault.New(weft.ErrUnsupported, o.op, "%d elements, want less than 2^31", x.Len()).For("x")
	}
	all := []int{x.Len()}
	for i, shape := range [][]int{{1}, x.Shape(), all} {
		further := operand{uniqueMore[i], in[1+i]}
		if further.tensor == nil {
			continue
		}
		if err := checkGiven(o.op, further, operand{"x", x}, weft.I32); err != nil {
			return nil, err
		}
		if err := checkShape(o.op, further, shape); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func launchUnique(_ *given, values *weft.Tensor, in []*weft.Tensor) error {
	x, number, inverse, counts := in[0], in[1], in[2], in[3]
	if counts != nil {
		if err := counts.Fill(0); err != nil {
			return err
		}
	}
	if x.Len() == 0 {
		if number != nil {
			return number.Fill(0)
		}
		return nil
	}
	made := scratch{}
	defer made.close()
	u := unique{made: &made, dev: x.Device(), n: x.Len()}
	if err := u.sort(x, inverse != nil); err != nil {
		return err
	}
	return u.write(values, number, inverse, counts)
}

// unique are the steps of a call: elements in order, and how many different ones there are up to each.
type unique struct {
	made                *scratch
	dev                 *weft.Device
	n                   int
	sorted, order, upto *weft.Tensor
}

// empty is a vector of a type.
func (u *unique) empty(elem weft.DType) *weft.Tensor {
	return u.made.keep(weft.Empty(u.dev, elem, u.n))
}

// flat is a tensor as a vector in row-major order: a view of it, or a copy if there is no such view. copied has x's shape, and is nil for a view.
func (u *unique) flat(t *weft.Tensor) (v weft.TensorView, copied *weft.Tensor, err error) {
	l := layout.CoalesceTogether(t.Layout())[0]
	if l.Rank() > 1 {
		if copied = u.made.keep(weft.Empty(u.dev, t.DType(), t.Shape()...)); u.made.err != nil {
			return v, nil, u.made.err
		}
		t, l = copied, layout.CoalesceTogether(copied.Layout())[0]
	}
	if l.Rank() == 0 {
		if l, err = l.Unsqueeze(0); err != nil {
			return v, nil, err
		}
	}
	return weft.TensorView{Tensor: t, Layout: l}, copied, nil
}

// sort brings elements into order and counts the different ones.
func (u *unique) sort(x *weft.Tensor, ordered bool) error {
	from, copied, err := u.flat(x)
	if err != nil {
		return err
	}
	if copied != nil {
		if err := copyInto(copied, x); err != nil {
			return err
		}
	}
	if u.sorted = u.empty(x.DType()); ordered {
		u.order = u.empty(weft.I32)
	}
	cfg := kernels.UniqueConfigFor(u.dev.Caps(), x.DType(), u.n)
	if u.upto = u.made.keep(weft.Empty(u.dev, weft.I32, cfg.Tiles(u.n))); u.made.err != nil {
		return u.made.err
	}
	views := []weft.TensorView{from, ownView(u.sorted)}
	if ordered {
		views = append(views, ownView(u.order))
	}
	for i := range views {
		if views[i].Layout, err = views[i].Layout.Unsqueeze(0); err != nil {
			return err
		}
	}
	p := kernels.SortProblem{Elem: x.DType(), Values: true, Indices: ordered, X: viewOf(views[0].Layout)}
	if err := runSort(p, pick(sortTune, u.dev, p), views); err != nil {
		return err
	}
	if err := kernels.UniqueCount.Launch(cfg, u.sorted, u.upto); err != nil {
		return err
	}
	return CumsumInto(u.upto, u.upto, 0)
}

// write writes what is wanted.
func (u *unique) write(values, number, inverse, counts *weft.Tensor) error {
	cfg := kernels.UniqueConfigFor(u.dev.Caps(), values.DType(), u.n)
	cfg.Number, cfg.Inverse, cfg.Counts = number != nil, inverse != nil, counts != nil
	views := []weft.TensorView{ownView(u.sorted), ownView(u.upto)}
	var places weft.TensorView
	var copied *weft.Tensor
	if inverse != nil {
		var err error
		if places, copied, err = u.flat(inverse); err != nil {
			return err
		}
		views = append(views, ownView(u.order))
	}
	views = append(views, ownView(values))
	if number != nil {
		views = append(views, ownView(number))
	}
	if inverse != nil {
		views = append(views, places)
	}
	if counts != nil {
		views = append(views, ownView(counts))
	}
	if err := kernels.UniqueWrite.LaunchViews(cfg, nil, views...); err != nil || copied == nil {
		return err
	}
	return copyInto(inverse, copied)
}
