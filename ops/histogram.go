package ops

import (
	"math"
	mathbits "math/bits"
	"slices"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

// CountOption changes what Bincount and Histogram add up.
type CountOption interface{ setCount(*countCall) }

type countOption func(*countCall)

func (f countOption) setCount(c *countCall) { f(c) }

// Weights adds up weights instead of counting: a tensor of x's shape, of F32, F16 or BF16, whose sums are in F32, or of I32.
func Weights(w *weft.Tensor) CountOption {
	return countOption(func(c *countCall) { c.weights, c.weighted = w, true })
}

// countCall is what options ask for.
type countCall struct {
	countOptions
	weights *weft.Tensor
}

// countOptions is what a call asks for.
type countOptions struct {
	given
	ranges   bool
	lo, hi   float64
	bins     int        // may be out of its range, which check refuses
	weighted bool       // weights are given, be they nil
	weight   weft.DType // of weights, which check fills in
}

// result is the type of counts.
func (o countOptions) result(weft.DType) weft.DType { return kernels.HistogramSum(o.weight) }

// newCount refuses NaN at once: an option that is not equal to itself is never found among the calls before.
func newCount(op string, lo, hi float64, bins int, options []CountOption) (countCall, error) {
	call := countCall{countOptions: countOptions{given: given{op: op}, ranges: op == "histogram", lo: lo, hi: hi, bins: bins}}
	call = applied(&countPool, call, options, CountOption.setCount)
	if !call.ranges {
		return call, nil
	}
	width := hi - lo
	rate := float32(float64(max(bins, 1)) / width)
	step := float32(width / float64(max(bins, 1)))
	switch {
	case !(width > 0) || math.IsInf(float64(float32(lo)), 0) || math.IsInf(float64(float32(hi)), 0):
		return call, fault.New(weft.ErrArgument, op, "a range from %v to %v, want finite numbers of F32, the first one less than the other", lo, hi)
	case math.IsInf(float64(float32(width)), 0) || math.IsInf(float64(rate), 0) || float64(step) < 0x1p-126:
		return call, fault.New(weft.ErrArgument, op, "bins of size %v, want one that F32 has", width/float64(max(bins, 1)))
	}
	return call, nil
}

var countPool sync.Pool

const mostBins = 1 << 20 // of a histogram, whose bins are found by products of F32

var bincounts = declare(declaration[countOptions]{
	inputs: []string{"x", "weights"}, needed: 1, alike: 1,
	types: func(_ countOptions, t weft.DType) bool { return t.IsInt() },
	check: checkCount, launch: launchCount, result: countOptions.result,
})

var histograms = declare(declaration[countOptions]{
	inputs: []string{"x", "weights"}, needed: 1, alike: 1,
	check: checkCount, launch: launchCount, result: countOptions.result,
})

// Bincount returns how often each of the numbers 0 to bins-1 is an element of x: a new tensor [bins] of I32, or with Weights, which may be of floats,
// the sums of the weights of these elements, of F32 or I32. x is of integers, in any views. Elements below 0 and from bins on are left out: only the device sees them.
//
// Counts, and sums of integers, which wrap, are exact and the same in every run. Sums of floats are in F32, in an order that differs from run to run, and so do their
// last bits. Programs count in shared memory, up to some thousand bins. With more, neighbours in one bin are added up before they are counted and programs have counts of their own,
// so that it takes no longer where most elements are in one bin.
//
// Errors: ErrArgument for nil, for fewer bins than 1 and for weights of another type, ErrShape for weights of another shape, ErrUnsupported for x of another
// type, 64-bit integers where the device has none, 2^31 elements or more, and more than 5 dimensions that do not merge, ErrDevice, ErrClosed, ErrOutOfMemory.
func Bincount(x *weft.Tensor, bins int, options ...CountOption) (*weft.Tensor, error) {
	c, err := newCount("bincount", 0, 0, bins, options)
	if err != nil {
		return nil, err
	}
	return bincounts.new(c.countOptions, x, c.weights)
}

// BincountInto writes the counts into out [bins].
//
// Errors: as for Bincount, ErrShape for another shape, ErrArgument for another type, and ErrUnsupported if out repeats elements or overlaps x or the weights.
func BincountInto(out, x *weft.Tensor, bins int, options ...CountOption) error {
	c, err := newCount("bincount", 0, 0, bins, options)
	if err != nil {
		return err
	}
	return bincounts.into(c.countOptions, out, x, c.weights)
}

// Histogram returns how many elements of x are in each of bins of one size between lo and hi: a new tensor [bins] of I32, or with Weights
// the sums of their weights. As in NumPy a bin has its lower edge and not its upper one, but for the last one, which has hi; elements beyond lo and
// hi, and NaN, are left out. x is of F32, F16 or BF16, in any views.
//
// The edges are those of F32: an element that is as near to an inner edge as the roundings of F32 within the range may be on its other
// side. Otherwise it is as Bincount.
//
// Errors: ErrArgument for a range that is none or is not one of F32, for more than 2^20 bins, and as for Bincount.
func Histogram(x *weft.Tensor, lo, hi float64, bins int, options ...CountOption) (*weft.Tensor, error) {
	c, err := newCount("histogram", lo, hi, bins, options)
	if err != nil {
		return nil, err
	}
	return histograms.new(c.countOptions, x, c.weights)
}

// HistogramInto writes the counts into out [bins].
//
// Errors: as for Histogram and BincountInto.
func HistogramInto(out, x *weft.Tensor, lo, hi float64, bins int, options ...CountOption) error {
	c, err := newCount("histogram", lo, hi, bins, options)
	if err != nil {
		return err
	}
	return histograms.into(c.countOptions, out, x, c.weights)
}

func checkCount(o *countOptions, in []*weft.Tensor) ([]int, error) {
	x, weights := in[0], in[1]
	most := math.MaxInt32
	if o.ranges {
		most = mostBins
	}
	switch {
	case o.bins < 1 || o.bins > most:
		return nil, fault.New(weft.ErrArgument, o.op, "%d, want 1 to %d", o.bins, most).For("bins")
	case x.Len() > math.MaxInt32:
		return nil, fault.New(weft.ErrUnsupported, o.op, "%d elements, want less than 2^31", x.Len()).For("x")
	}
	shape := []int{o.bins}
	if !o.weighted {
		return shape, nil
	}
	w, like := operand{"weights", weights}, operand{"x", x}
	if weights == nil {
		return nil, checkGiven(o.op, w, like, weft.F32)
	}
	if o.weight = weights.DType(); o.weight != weft.I32 && !upToF32(o.weight) {
		return nil, fault.New(weft.ErrArgument, o.op, "the tensor holds %v, want f32, f16, bf16 or i32", o.weight).For("weights")
	}
	if err := checkGiven(o.op, w, like, o.weight); err != nil {
		return nil, err
	}
	return shape, checkShape(o.op, w, x.Shape())
}

func launchCount(o *countOptions, out *weft.Tensor, in []*weft.Tensor) error {
	p, views, err := o.problem(in[0], in[1])
	if err != nil {
		return err
	}
	if in[0].Len() == 0 {
		return out.Fill(0)
	}
	return o.run(p, pick(histogramTune, out.Device(), p), views, out)
}

// problem brings x and the weights into the fewest dimensions, in the order of x's memory.
func (o *countOptions) problem(x, weights *weft.Tensor) (p kernels.HistogramProblem, views []weft.TensorView, err error) {
	list := []*weft.Tensor{x}
	if weights != nil {
		list = append(list, weights)
	}
	layouts, order := make([]layout.Layout, len(list)), memoryOrder(x.Layout())
	for i, t := range list {
		if layouts[i], err = t.Layout().Permute(order...); err != nil {
			return p, nil, err
		}
	}
	layouts = layout.CoalesceTogether(layouts...)
	if err := checkMerged(o.op, x.Shape(), layouts[0].Rank()); err != nil {
		return p, nil, err
	}
	for i := range layouts {
		for layouts[i].Rank() < 2 {
			if layouts[i], err = layouts[i].Unsqueeze(0); err != nil {
				return p, nil, err
			}
		}
		views = append(views, weft.TensorView{Tensor: list[i], Layout: layouts[i]})
	}
	p = kernels.HistogramProblem{Elem: x.DType(), Weight: o.weight, Ranges: o.ranges, Bins: o.bins, X: viewOf(layouts[0])}
	if weights != nil {
		p.Weights = viewOf(layouts[1]).Unlike(p.X)
	}
	return p, views, nil
}

// run counts into rows of parts, and adds these up if there are several.
func (o *countOptions) run(p kernels.HistogramProblem, sizes kernels.HistogramSizes, views []weft.TensorView, out *weft.Tensor) error {
	made := scratch{}
	defer made.close()
	counts := ownView(out)
	if sizes.Parts > 1 {
		t := made.keep(weft.EmptyBeside(out, out.DType(), sizes.Parts, p.Bins)) // which each replay clears, too
		if made.err != nil {
			return made.err
		}
		counts = ownView(t)
	} else {
		var err error
		if counts.Layout, err = counts.Layout.Unsqueeze(0); err != nil {
			return err
		}
	}
	if err := counts.Tensor.Fill(0); err != nil {
		return err
	}
	if err := kernels.Histogram.LaunchViews(p.Config(sizes), o.scalars(), append(slices.Clip(views), counts)...); err != nil || sizes.Parts == 1 {
		return err
	}
	return SumInto(out, counts.Tensor, Axis(0))
}

// scalars are those of the kernel.
func (o *countOptions) scalars() weft.Scalars {
	if !o.ranges {
		return nil
	}
	width, bins := o.hi-o.lo, float64(o.bins)
	// Products of the first part of the size and the number of an edge are exact, whether they are rounded before a sum or not.
	step := math.Float32frombits(math.Float32bits(float32(width/bins)) &^ (1<<mathbits.Len32(uint32(o.bins)) - 1))
	rest := float32(width/bins - float64(step))
	return weft.Scalars{float32(o.lo), float32(o.hi), float32(bins / width), step, rest, float32(o.lo - bins*float64(rest))}
}
