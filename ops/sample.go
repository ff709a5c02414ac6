package ops

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
)

// SampleOption changes which tokens Sample draws from.
type SampleOption interface{ setSample(*sampleCall) }

type sampleOption func(*sampleCall)

func (f sampleOption) setSample(c *sampleCall) { f(c) }

// SampleTopK keeps the tokens that fewer than k others have larger logits than (Fan, Lewis and Dauphin,
// Hierarchical Neural Story Generation, 2018): k tokens, and those with the same logit as the least of
// them. k is at least 1; any k from the length of a row on keeps all.
func SampleTopK(k int) SampleOption {
	return sampleOption(func(c *sampleCall) { c.k, c.filtered = k, true })
}

// SampleTopP keeps the tokens of which those with larger logits have a probability below p in all, after
// the temperature: the fewest that have p together, and those with the same logit as the least of them
// (Holtzman et al., The Curious Case of Neural Text Degeneration, 2020). p is above 0 and at most 1, which
// keeps all, and is rounded to a multiple of 2^-32.
func SampleTopP(p float64) SampleOption {
	return sampleOption(func(c *sampleCall) { c.p, c.filtered = p, true })
}

// SampleSteps gives the number of the step that each row is in: steps is a tensor of I32 in the shape of
// the result, and row i draws by the numbers that it would draw by from s.Skip(4·rows·steps[i]). A step below
// 0 is before s. The kernel reads the steps, so that a sequence that is captured draws anew in each
// replay, if something before it counts them: the positions of the tokens will do.
func SampleSteps(steps *weft.Tensor) SampleOption {
	return sampleOption(func(c *sampleCall) { c.steps, c.stepped = steps, true })
}

// sampleCall is what options ask for.
type sampleCall struct {
	sampleOptions
	steps       *weft.Tensor
	k           int
	p           float64
	temperature float64
}

// sampleOptions are a call's options without their numbers, which are scalars of the kernel.
type sampleOptions struct {
	given
	filtered bool
	stepped  bool // steps are given, be they nil
}

// Sample draws a token from each row of logits, F32, F16 or BF16, which is their last dimension: a new
// tensor of I32 without that dimension, of the indices of the tokens. Token i has the probability exp(logit
// i / temperature) / sum over all, by Temperature, or such a share of the tokens that are kept. With
// SampleTopK and SampleTopP a token is kept if both keep it, each by itself: the probabilities that
// SampleTopP adds up are those among all tokens of the row. The token with the largest logit is always
// kept; a temperature near 0 draws it alone, as ArgMax does.
//
// A row with NaN, +infinity or nothing but -infinity has no distribution: its token is -1. Rows may have
// any length. There is one kernel, or, for long rows and SampleTopK or SampleTopP, a second one that goes on with the few tokens
// that the first has listed. Where long rows are fewer than twice the units of a GPU, several programs share each, in three launches or, with these options, in ten and two more
// for each time that there are four times as many rows.
//
// Row i, in row-major order, draws by numbers s.Offset + 4i to s.Offset + 4i + 3 of the stream, so that
// s.Skip(4·rows) is the stream for the next call: SampleSteps counts such calls on the device. What it draws depends on them and on its logits alone,
// not on the device, the other rows or the layout: probabilities are counted in integers. (All devices that
// were tested round the difference of two logits and its product with a number to the nearest, on which
// this rests.) These integers are right to 2^-18 of a probability and V · 2^-31 of the largest one, V being
// the length of a row.
//
// Errors: ErrShape for logits without dimensions or with rows of no elements, ErrArgument for nil, an
// offset that is not a multiple of 4, and options out of their ranges, ErrUnsupported for other element
// types or more than 5 dimensions that do not merge, ErrClosed.
func Sample(logits *weft.Tensor, s Stream, options ...SampleOption) (*weft.Tensor, error) {
	c := newSample(options)
	words, err := c.words(s)
	if err != nil {
		return nil, err
	}
	return samples.newWith(c.sampleOptions, words[:], logits, c.steps)
}

// SampleInto writes the tokens into out, of I32.
//
// Errors: as for Sample, and ErrUnsupported if out repeats elements or overlaps logits.
func SampleInto(out, logits *weft.Tensor, s Stream, options ...SampleOption) error {
	c := newSample(options)
	words, err := c.words(s)
	if err != nil {
		return err
	}
	return samples.intoWith(c.sampleOptions, words[:], out, logits, c.steps)
}

func newSample(options []SampleOption) sampleCall {
	call := sampleCall{sampleOptions: sampleOptions{given: given{op: "sample"}}, k: math.MaxInt32, p: 1, temperature: 1}
	return applied(&samplePool, call, options, SampleOption.setSample)
}

var samplePool sync.Pool

// words are those of the kernel's scalars.
func (c *sampleCall) words(s Stream) (words [7]uint32, err error) {
	refuse := func(name, format string, x any) error { return fault.New(weft.ErrArgument, c.op, format, x).For(name) }
	switch {
	case c.k < 1:
		return words, refuse("k", "%d, want 1 or more", c.k)
	case !(c.p > 0 && c.p <= 1):
		return words, refuse("p", "%v, want more than 0 and at most 1", c.p)
	}
	if err := checkTemperature(c.op, c.temperature); err != nil {
		return words, err
	}
	share := uint32(0) // all
	if c.p < 1 {
		share = uint32(min(max(math.RoundToEven(c.p*0x1p32), 1), math.MaxUint32))
	}
	scale := float32(min(math.Log2E*sampleSteps/c.temperature, 0x1p126)) // a larger one would make weights of differences that devices may take for 0
	w := s.words()
	return [7]uint32{math.Float32bits(scale), w[0], w[1], w[2], w[3], uint32(min(c.k, math.MaxInt32)), share}, checkStream(c.op, s)
}

// sampleSteps is how many steps of weight halve it.
const sampleSteps = 1 << 20

var samples = declare(declaration[sampleOptions]{
	inputs: []string{"logits", "steps"}, needed: 1, alike: 1, check: checkSample, launchWith: launchSample,
	result: func(sampleOptions, weft.DType) weft.DType { return weft.I32 },
})

func checkSample(o *sampleOptions, in []*weft.Tensor) ([]int, error) {
	shape := in[0].Shape()
	if len(shape) == 0 {
		return nil, fault.New(weft.ErrShape, o.op, "a scalar has no rows, want at least 1 dimension").For("logits")
	}
	last := len(shape) - 1
	if shape[last] == 0 {
		return nil, fault.New(weft.ErrShape, o.op, "shape %v has rows of no elements", shape).For("logits")
	}
	if o.stepped {
		steps := operand{"steps", in[1]}
		if err := checkGiven(o.op, steps, operand{"logits", in[0]}, weft.I32); err != nil {
			return nil, err
		}
		if err := checkShape(o.op, steps, shape[:last]); err != nil {
			return nil, err
		}
	}
	return shape[:last], nil
}

func launchSample(o *sampleOptions, w []uint32, out *weft.Tensor, in []*weft.Tensor) error {
	logits := in[0]
	last := logits.Rank() - 1
	views := []weft.TensorView{ownView(logits)}
	for _, t := range append(in[1:2:2], out) { // each with an element for each row
		if t == nil {
			continue
		}
		column, err := t.Layout().Unsqueeze(last)
		if err != nil {
			return err
		}
		views = append(views, weft.TensorView{Tensor: t, Layout: column})
	}
	views, err := rowsLast(last, views...)
	if err != nil {
		return err
	}
	rows := views[0].Layout
	if rows.Rank() > kernels.MaxRank {
		return fault.New(weft.ErrUnsupported, o.op, "shape %v has too many dimensions, want at most %d that do not merge", logits.Shape(), kernels.MaxRank).For("logits")
	}
	scalars := weft.Scalars{math.Float32frombits(w[0]), w[1], w[2], w[3], w[4]}
	if o.filtered {
		scalars = append(scalars, int(w[5]), w[6])
	}
	p := kernels.SampleProblem{Elem: logits.DType(), Filtered: o.filtered, Stepped: o.stepped, X: viewOf(rows)}
	return startSample(pick(sampleTune, logits.Device(), p), scalars, views)
}

// startSample starts the kernels of a config, or the one that needs no other memory, if there is no room for what they pass on. Views are those of that kernel.
func startSample(cfg kernels.SampleConfig, scalars weft.Scalars, views []weft.TensorView) error {
	if cfg.List == 0 && cfg.Lanes == 0 {
		return kernels.Sample.LaunchViews(cfg, scalars, views...)
	}
	c := &sampleLaunches{cfg: cfg, scalars: scalars, logits: views[0], steps: views[1 : len(views)-1], out: views[len(views)-1]}
	c.rows = c.out.Layout.Len()
	defer c.made.close()
	start := c.listed
	if cfg.Lanes > 0 {
		start = c.shared
	}
	switch err := start(); {
	case errors.Is(c.made.err, weft.ErrOutOfMemory) || errors.Is(c.made.err, weft.ErrLimit):
		return kernels.Sample.LaunchViews(cfg.Alone().Unlisted(), scalars, views...)
	default:
		return cmp.Or(c.made.err, err)
	}
}

// sampleLaunches are the launches of a draw whose kernels pass on what they found.
type sampleLaunches struct {
	cfg         kernels.SampleConfig
	scalars     weft.Scalars
	logits, out weft.TensorView
	steps       []weft.TensorView // or none
	rows        int
	made        scratch
}

// empty is memory between launches, nil if there is no room for it.
func (c *sampleLaunches) empty(elem weft.DType, shape ...int) weft.TensorView {
	t := c.made.keep(weft.Empty(c.logits.Tensor.Device(), elem, shape...))
	if t == nil {
		return weft.TensorView{}
	}
	return view(t)
}

// listed starts the kernel that lists tokens and the one that goes on with them.
func (c *sampleLaunches) listed() error {
	list, state := c.empty(weft.I32, c.rows, c.cfg.List), c.empty(weft.U32, c.rows, kernels.SampleWords)
	if c.made.err != nil {
		return nil
	}
	err := kernels.Sample.LaunchViews(c.cfg, c.scalars, slices.Concat([]weft.TensorView{c.logits}, c.steps, []weft.TensorView{list, state, c.out})...)
	if err != nil {
		return err
	}
	return kernels.SampleListed.LaunchViews(c.cfg, c.later(), c.logits, list, state, c.out)
}

// later are the scalars without the stream's first counter.
func (c *sampleLaunches) later() weft.Scalars {
	return append(slices.Clone(c.scalars[:3]), c.scalars[5:]...)
}

// shared starts the kernels whose programs share a row.
func (c *sampleLaunches) shared() error {
	cfg, draws := c.cfg.Passes()
	count := cfg.Parts()
	places := c.logits.Layout.Shape()
	places[len(places)-1] = count
	parts := c.empty(weft.I32, places...)
	sums, lanes := c.empty(weft.U32, c.rows, 3, count), c.empty(weft.U32, c.rows, 2, count*cfg.Lanes)
	state := c.empty(weft.U32, c.rows, kernels.SampleWords)
	var list, numbers, next weft.TensorView
	if cfg.Filtered {
		list, next = c.empty(weft.I32, c.rows, cfg.List), c.empty(weft.U32, c.rows, kernels.SampleWords)
		numbers = c.empty(weft.I32, c.rows, count*cfg.Lanes)
	}
	if c.made.err != nil {
		return nil
	}
	if err := kernels.SampleTops.LaunchViews(cfg, nil, c.logits, parts); err != nil {
		return err
	}
	first := slices.Concat([]weft.TensorView{c.logits, parts}, c.steps, []weft.TensorView{sums, lanes, state})
	if err := kernels.SampleSums.LaunchViews(kernels.SampleSumsConfig{SampleConfig: cfg, First: true}, weft.Scalars{c.scalars[0], c.scalars[3], c.scalars[4]}, first...); err != nil {
		return err
	}
	if !cfg.Filtered {
		return kernels.SampleDraw.LaunchViews(cfg, c.later(), c.logits, parts, sums, lanes, state, c.out)
	}
	for range draws {
		if err := kernels.SampleDraw.LaunchViews(cfg, c.later(), c.logits, parts, sums, lanes, state, numbers, next); err != nil {
			return err
		}
		if err := kernels.SampleSums.LaunchViews(kernels.SampleSumsConfig{SampleConfig: cfg}, c.scalars[:1], c.logits, parts, numbers, next, sums, lanes, list, state); err != nil {
			return err
		}
	}
	if err := kernels.SampleRest.LaunchViews(cfg, c.later(), c.logits, list, state, c.out); err != nil {
		return err
	}
	return kernels.SampleListed.LaunchViews(cfg, c.later(), c.logits, list, state, c.out)
}
