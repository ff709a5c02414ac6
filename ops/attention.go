package ops

import (
	"math"
	"slices"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
)

// attentionCall is one call: its tensors and what its options ask for.
type attentionCall struct {
	attentionOptions
	q, k, v, out  *weft.Tensor
	mask, lengths *weft.Tensor // nil for none
	table         *weft.Tensor // nil for none
	lse           *weft.Tensor // nil for none
	batch, heads  int
	groups        int // heads of k and v
	queries, keys int
	head          int
}

// attentionOptions are a call's options without their tensors.
type attentionOptions struct {
	given
	scale           float64
	scaled          bool // by scale, not by what follows from the head
	before, after   int  // keys that a query sees before and after its own; negative for all
	causal          bool // no key after its own, whatever after says
	start           bool // query 0 stands at key 0, not the last query at the last key
	tiles           AttentionConfig
	wrong           wrongTiles
	hasMask, hasLSE bool // given, be it nil
	hasLengths      bool
	hasTable        bool
}

// Attention returns softmax(q @ kᵀ / √D) @ v as a new tensor [B,Hq,Sq,D], for q [B,Hq,Sq,D] and k
// and v [B,Hkv,Sk,D] of one type, F32, F16 or BF16, in any views. Hkv divides Hq: query head h
// takes the head h / (Hq/Hkv) of k and v, as in grouped-query and multi-query attention. D is at
// most 256. The scores are never stored.
//
// Scores, softmax and sums are F32; the softmax is rounded to the element type before it
// is multiplied with v. A query that sees no key gives 0, with a log-sum-exp of
// -infinity; without keys all do. A score that is NaN or +infinity gives NaN.
//
// A key that a query does not see (by Causal, SlidingWindow, false in a mask of Bool or -infinity in
// an added one) has no part in its result, whatever k and v hold there. Of the values that it sees, NaN makes
// the same element of its result NaN, infinities of one sign make it that infinity, and of both signs NaN. Two cases are left
// open: an infinity whose weight rounds to 0 may make it NaN, and so may any value that is not
// finite if its score is -infinity without a mask that says so. Programs in which keys are hidden and whose sums are not finite
// compute them twice, the second time at a fraction of the speed.
//
// The algorithm is that of Dao, FlashAttention-2: Faster Attention with Better Parallelism and
// Work Partitioning, 2023, with the online softmax of Milakov and Gimelshein, 2018. Where there are few queries and many keys, as in a
// decoding step, several programs share the keys and a second kernel adds what they give (Dao, Haziza, Massa and Sizov, Flash-Decoding for
// Long-Context Inference, 2023); heads that share keys are rows of one tile, so that each key is read once for all of them. Without
// instructions for large tiles the weights of few queries are not rounded.
//
// Errors: ErrShape for shapes that do not fit, ErrArgument for nil, element types that do not fit or a scale that is not finite,
// ErrUnsupported for other element types or larger heads, ErrLimit for more than 2^29 queries or keys, ErrDevice, ErrClosed.
func Attention(q, k, v *weft.Tensor, options ...AttentionOption) (*weft.Tensor, error) {
	c := newAttention(options)
	return attentions.new(c.attentionOptions, q, k, v, c.mask, c.lengths, c.table, c.lse)
}

// AttentionInto writes the attention of q, k and v into out [B,Hq,Sq,D], which may be the
// same view as q.
//
// Errors: as for Attention, and ErrUnsupported if out or the tensor of LogSumExp repeats elements or
// overlaps another argument.
func AttentionInto(out, q, k, v *weft.Tensor, options ...AttentionOption) error {
	c := newAttention(options)
	return attentions.into(c.attentionOptions, out, q, k, v, c.mask, c.lengths, c.table, c.lse)
}

// newAttention is what options ask for.
func newAttention(options []AttentionOption) attentionCall {
	call := attentionCall{attentionOptions: attentionOptions{given: given{op: "attention"}, before: -1, after: -1}}
	return applied(&attentionPool, call, options, AttentionOption.setAttention)
}

var attentionPool sync.Pool

var attentions = declare(declaration[attentionOptions]{
	inputs: []string{"q", "k", "v", "mask", "lengths", "table"}, needed: 3, alike: 3, more: []string{"lse"}, inPlace: true,
	check: (*attentionOptions).check, launch: (*attentionOptions).launch,
})

// call is the call with its tensors.
func (o *attentionOptions) call(out *weft.Tensor, in []*weft.Tensor) attentionCall {
	q, k := in[0], in[1]
	c := attentionCall{attentionOptions: *o, q: q, k: k, v: in[2], out: out, mask: in[3], lengths: in[4], table: in[5], lse: in[6],
		batch: q.Dim(0), heads: q.Dim(1), groups: k.Dim(1), queries: q.Dim(2), keys: k.Dim(2), head: q.Dim(3)}
	if c.table != nil && c.table.Rank() == 2 { // else it is refused
		c.keys *= c.table.Dim(1)
	}
	return c
}

func (o *attentionOptions) check(in []*weft.Tensor) ([]int, error) {
	if err := checkAttention(in[0], in[1], in[2], o.hasTable); err != nil {
		return nil, err
	}
	c := o.call(nil, in)
	if o.hasTable {
		if err := c.checkPages(); err != nil {
			return nil, err
		}
	}
	if max(c.queries, c.keys) > kernels.AttentionKeys {
		return nil, fault.New(weft.ErrLimit, "attention", "%d queries and %d keys, want at most 2^29 of either", c.queries, c.keys).For("q")
	}
	if !c.scaled {
		o.scale = 1 / math.Sqrt(float64(max(c.head, 1)))
	}
	if err := c.wrong.check("attention"); err != nil {
		return nil, err
	}
	if math.IsNaN(o.scale) || math.IsInf(o.scale, 0) {
		return nil, fault.New(weft.ErrArgument, "attention", "%v, want a finite number", o.scale).For("scale")
	}
	return c.q.Shape(), c.checkTensors()
}

// checkAttention checks the shapes of the operands. Those of a paged cache have pages in place of batches.
func checkAttention(q, k, v *weft.Tensor, paged bool) error {
	list := []operand{{"q", q}, {"k", k}, {"v", v}}
	for _, o := range list {
		if o.tensor.Rank() != 4 {
			return fault.New(weft.ErrShape, "attention", "shape %v has %s, want 4: batch, heads, length, head size",
				o.tensor.Shape(), fault.Count(o.tensor.Rank(), "dimension")).For(o.name)
		}
	}
	if !slices.Equal(v.Shape(), k.Shape()) {
		return fault.New(weft.ErrShape, "attention", "shape %v, want that of k: %v", v.Shape(), k.Shape()).For("v")
	}
	heads, groups := q.Dim(1), k.Dim(1)
	switch {
	case paged && k.Dim(3) != q.Dim(3):
		return fault.New(weft.ErrShape, "attention", "shape %v does not fit q's %v: head size must be equal", k.Shape(), q.Shape()).For("k")
	case !paged && k.Dim(0) != q.Dim(0) || k.Dim(3) != q.Dim(3):
		return fault.New(weft.ErrShape, "attention", "shape %v does not fit q's %v: batch and head size must be equal", k.Shape(), q.Shape()).For("k")
	case groups == 0 && heads > 0 || groups > 0 && heads%groups != 0:
		return fault.New(weft.ErrShape, "attention", "%d heads do not divide q's %s", groups, fault.Count(heads, "head")).For("k")
	case q.Dim(3) > kernels.AttentionHead:
		return fault.New(weft.ErrUnsupported, "attention", "head size %d, want at most %d", q.Dim(3), kernels.AttentionHead).For("q")
	}
	return nil
}

// checkPages checks a paged cache.
func (c *attentionCall) checkPages() error {
	if err := c.checkOption("table", c.table, isI32); err != nil {
		return err
	}
	pages, size := c.k.Dim(0), c.k.Dim(2)
	switch {
	case c.table.Rank() != 2 || c.table.Dim(0) != c.batch:
		return fault.New(weft.ErrShape, "attention", "shape %v, want a row of pages for each batch: [%d,MaxPages]", c.table.Shape(), c.batch).For("table")
	case kernels.NoPage(size) != "":
		return fault.New(weft.ErrUnsupported, "attention", "shape %v has %s", c.k.Shape(), kernels.NoPage(size)).For("k")
	case pages == 0 && c.table.Len() > 0:
		return fault.New(weft.ErrShape, "attention", "shape %v has no pages, the table has %v", c.k.Shape(), c.table.Shape()).For("k")
	case c.table.Dim(1) > kernels.AttentionKeys/size:
		return fault.New(weft.ErrLimit, "attention", "%d pages of %d keys, want at most 2^29 keys", c.table.Dim(1), size).For("table")
	}
	return nil
}

func isI32(t weft.DType) bool { return t == weft.I32 }

// checkTensors checks the tensors that options gave.
func (c *attentionCall) checkTensors() error {
	if c.hasMask {
		if err := c.checkOption("mask", c.mask, func(t weft.DType) bool { return t.IsFloat() || t == weft.Bool }); err != nil {
			return err
		}
		if _, err := c.mask.Layout().Broadcast(c.scores()...); err != nil {
			return fault.New(weft.ErrShape, "attention", "shape %v does not broadcast to %v", c.mask.Shape(), c.scores()).For("mask")
		}
	}
	if c.hasLengths {
		if err := c.checkOption("lengths", c.lengths, isI32); err != nil {
			return err
		}
		if err := checkShape("attention", operand{"lengths", c.lengths}, []int{c.batch}); err != nil {
			return err
		}
	}
	if !c.hasLSE {
		return nil
	}
	if err := c.checkOption("lse", c.lse, func(t weft.DType) bool { return t == weft.F32 }); err != nil {
		return err
	}
	return checkShape("attention", operand{"lse", c.lse}, c.scores()[:3])
}

// checkOption checks a tensor that an option gave: that it is there, its device and its type.
func (c *attentionCall) checkOption(name string, t *weft.Tensor, allowed func(weft.DType) bool) error {
	if err := checkOperands("attention", allowed, operand{name, t}); err != nil {
		return err
	}
	return t.CheckDevice("attention", name, c.q, "q")
}

// scores is the shape of the scores, which are never there.
func (c *attentionCall) scores() []int { return []int{c.batch, c.heads, c.queries, c.keys} }

// band is the first and the last key that query 0 sees; those of query i are i further on. none
// reports whether a bound hides nothing from any query.
func (c *attentionCall) band() (first, last int, noFirst, noLast bool) {
	at, most, after := 0, c.queries+c.keys, c.after
	if c.causal {
		after = 0
	}
	if !c.start {
		at = c.keys - c.queries
	}
	first = max(at-min(c.before, most), -c.queries)
	last = min(at+min(after, most), c.keys)
	noFirst = c.before < 0 || c.queries-1+first <= 0
	noLast = after < 0 || last >= c.keys-1
	return first, last, noFirst, noLast
}

// launch starts the kernel.
func (o *attentionOptions) launch(out *weft.Tensor, in []*weft.Tensor) error {
	c := o.call(out, in)
	first, last, noFirst, noLast := c.band()
	views, folded := c.folded(c.views())
	problem := kernels.AttentionProblem{Elem: c.q.DType(), Q: viewOf(views[0].Layout), K: viewOf(views[1].Layout), First: !noFirst, Last: !noLast}
	problem.V, problem.Out = viewOf(views[2].Layout).Unlike(problem.K), viewOf(views[c.outAt()].Layout).Unlike(problem.Q)
	if c.table != nil {
		problem = problem.Pages(c.k.Dim(2), c.table.Dim(1))
	}
	cfg := pick(attentionTune, c.q.Device(), problem)
	cfg.First, cfg.Last, cfg.LSE = !noFirst, !noLast, c.hasLSE
	cfg.Folded = folded && (cfg.First || cfg.Last)
	if c.hasMask {
		cfg.Mask = c.mask.DType()
	}
	cfg.Lengths, cfg.Start = c.hasLengths, c.hasLengths && c.start
	cfg.Replace(c.tiles)
	scalars := weft.Scalars{cfg.SetScale(c.scale), first, last}
	if cfg.Folded {
		scalars = append(scalars, c.queries)
	}
	return c.run(cfg, scalars, views)
}

// run starts the kernels of a config for views.
func (c *attentionCall) run(cfg AttentionConfig, scalars weft.Scalars, views []weft.TensorView) error {
	first, parts := cfg.Passes()
	if !first.Split {
		return kernels.Attention.LaunchViews(first, scalars, views...)
	}
	dev := c.q.Device()
	second := kernels.AttentionPartsConfigFor(dev.Caps(), cfg.Elem, parts, views[0].Layout.Size(2), c.head)
	second.LSE = cfg.LSE
	if _, err := kernels.AttentionParts.Build(second); err != nil { // before anything is launched
		return err
	}
	ends := views[c.outAt():]
	shape := append([]int{parts}, ends[0].Layout.Shape()...)
	results, err := weft.Empty(dev, weft.F32, shape...)
	if err != nil {
		return err
	}
	defer results.Close()
	sums, err := weft.Empty(dev, weft.F32, shape[:4]...)
	if err != nil {
		return err
	}
	defer sums.Close()
	first.LSE = false
	between := []weft.TensorView{ownView(results), ownView(sums)}
	if err := kernels.Attention.LaunchViews(first, scalars, slices.Concat(views[:c.outAt()], between)...); err != nil {
		return err
	}
	return kernels.AttentionParts.LaunchViews(second, nil, slices.Concat(between, ends)...)
}

// ownView is a tensor as its own layout shows it.
func ownView(t *weft.Tensor) weft.TensorView { return weft.TensorView{Tensor: t, Layout: t.Layout()} }

// outAt is which of the views is the result.
func (c *attentionCall) outAt() int {
	at := 3
	for _, given := range []bool{c.hasMask, c.hasLengths, c.hasTable} {
		if given {
			at++
		}
	}
	return at
}

// views are the kernel's views in order.
func (c *attentionCall) views() []weft.TensorView {
	views := []weft.TensorView{ownView(c.q), ownView(c.k), ownView(c.v)}
	if c.hasMask {
		l, _ := c.mask.Layout().Broadcast(c.scores()...) // checked before
		views = append(views, weft.TensorView{Tensor: c.mask, Layout: l})
	}
	if c.hasLengths {
		views = append(views, ownView(c.lengths))
	}
	if c.hasTable {
		views = append(views, ownView(c.table))
	}
	views = append(views, ownView(c.out))
	if c.hasLSE {
		views = append(views, ownView(c.lse))
	}
	return views
}

// folded takes the heads that share keys as further queries of one head, so that few queries,
// such as the one of a decoding step, fill a tile and each key is read once for all of them. Where strides do not allow it the views stay.
func (c *attentionCall) folded(views []weft.TensorView) ([]weft.TensorView, bool) {
	group := c.heads / max(c.groups, 1)
	if group <= 1 || c.queries >= 64 {
		return views, false
	}
	out := slices.Clone(views)
	for i, v := range views {
		if i == 1 || i == 2 || v.Tensor == c.lengths || v.Tensor == c.table {
			continue // of which queries have no rows
		}
		shape := v.Layout.Shape()
		shape[1], shape[2] = c.groups, group*c.queries
		var err error
		if out[i].Layout, err = v.Layout.Reshape(shape...); err != nil {
			return views, false
		}
	}
	return out, true
}
