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

// attentionCall is one call: its tensors and what its options ask for.
type attentionCall struct {
	attentionOptions
	q, k, v, out  *weft.Tensor
	mask, lengths *weft.Tensor // nil for none
	table         *weft.Tensor // nil for none
	queryStarts   *weft.Tensor // nil for none
	keyStarts     *weft.Tensor // nil for none
	lse           *weft.Tensor // nil for none
	batch, heads  int          // of packed sequences their number
	groups        int          // heads of k and v
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
	hasQueryStarts  bool
	hasKeyStarts    bool
}

// Attention returns softmax(q @ kᵀ / √D) @ v as a new tensor [B,Hq,Sq,D], for q [B,Hq,Sq,D] and k
// and v [B,Hkv,Sk,D] of one type, F32, F16 or BF16, in any views. Hkv divides Hq: query head h
// takes the head h / (Hq/Hkv) of k and v, as in grouped-query and multi-query attention. D is at
// most 256. The scores are never stored.
//
// Scores, softmax and sums are F32; the softmax is rounded to the element type before it
// is multiplied with v. A query that sees no key gives 0, with a log-sum-exp of
// -infinity, as one whose scores all are -infinity; without keys all do. Values are multiplied by weights up to 1 and added before the sum is divided
// by that of the weights: where that exceeds F32, as it may for values above its largest number divided by that of the keys, results are infinite. A score that is NaN or +infinity gives NaN. Scores are to stay below 10^8 in magnitude: of larger ones, as those of
// F16 near its largest numbers are, only F32's leading digits are left of the differences that exponentials are of, and results may be NaN or 0.
//
// Serving has forms of its own: KeyLengths for batches of different lengths, BlockTable for keys and values in the pages of a pool, and QueryStarts and KeyStarts for
// sequences that are packed in one batch. What the device reads of them may change between replays of captured launches.
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
// decoding step, several programs share the keys, and the last of them or a second kernel adds what they give (Dao, Haziza, Massa and Sizov, Flash-Decoding for
// Long-Context Inference, 2023); heads that share keys are rows of one tile, so that each key is read once for all of them. Without
// instructions for large tiles the weights of few queries are not rounded.
//
// Errors: ErrShape for shapes that do not fit, ErrArgument for nil, element types that do not fit or a scale from 2^127 on,
// ErrUnsupported for other element types or larger heads, ErrLimit for more than 2^29 queries or keys, ErrDevice, ErrClosed.
func Attention(q, k, v *weft.Tensor, options ...AttentionOption) (*weft.Tensor, error) {
	c := newAttention(options)
	return attentions.new(c.attentionOptions, c.tensors(q, k, v)...)
}

// AttentionInto writes the attention of q, k and v into out [B,Hq,Sq,D], which may be the
// same view as q.
//
// Errors: as for Attention, and ErrUnsupported if out or the tensor of LogSumExp repeats elements or
// overlaps another argument.
func AttentionInto(out, q, k, v *weft.Tensor, options ...AttentionOption) error {
	c := newAttention(options)
	return attentions.into(c.attentionOptions, out, c.tensors(q, k, v)...)
}

// tensors are a call's, as the declaration has them.
func (c *attentionCall) tensors(q, k, v *weft.Tensor) []*weft.Tensor {
	return []*weft.Tensor{q, k, v, c.mask, c.lengths, c.table, c.queryStarts, c.keyStarts, c.lse}
}

// newAttention is what options ask for.
func newAttention(options []AttentionOption) attentionCall {
	call := attentionCall{attentionOptions: attentionOptions{given: given{op: "attention"}, before: -1, after: -1}}
	return applied(&attentionPool, call, options, AttentionOption.setAttention)
}

var attentionPool sync.Pool

// attentionTensors are the results and the inputs.
const attentionTensors = 2 + 8

var attentions = declare(declaration[attentionOptions]{
	inputs: []string{"q", "k", "v", "mask", "lengths", "table", "query_starts", "key_starts"}, needed: 3, alike: 3, more: []string{"lse"}, inPlace: true, evenEmpty: true,
	check: (*attentionOptions).check, launch: (*attentionOptions).launch,
})

// call is the call with its tensors.
func (o *attentionOptions) call(out *weft.Tensor, in []*weft.Tensor) attentionCall {
	q, k := in[0], in[1]
	c := attentionCall{attentionOptions: *o, q: q, k: k, v: in[2], out: out, mask: in[3], lengths: in[4], table: in[5], queryStarts: in[6], keyStarts: in[7], lse: in[8],
		batch: q.Dim(0), heads: q.Dim(1), groups: k.Dim(1), queries: q.Dim(2), keys: k.Dim(2), head: q.Dim(3)}
	if c.queryStarts != nil && c.queryStarts.Rank() == 1 { // else it is refused
		c.batch = c.queryStarts.Dim(0) - 1
	}
	if c.table != nil && c.table.Rank() == 2 {
		c.keys *= c.table.Dim(1)
	}
	return c
}

// mostScale is what scales are below, so that their products with log2(e) are finite in F32.
const mostScale = 0x1p127

func (o *attentionOptions) check(in []*weft.Tensor) ([]int, error) {
	if err := checkAttention(in[0], in[1], in[2]); err != nil {
		return nil, err
	}
	c := o.call(nil, in)
	if err := c.checkBatches(); err != nil {
		return nil, err
	}
	if max(c.queries, c.keys) > kernels.AttentionKeys {
		return nil, fault.New(weft.ErrLimit, "attention", "%d queries and %d keys, want at most 2^29 of either", c.queries, c.keys).For("q")
	}
	if !c.scaled {
		o.scale = 1 / math.Sqrt(float64(max(c.head, 1)))
	}
	if err := cmp.Or(c.wrong.check("attention"), checkPrecision("attention", "Tiles.Precision", c.tiles.Precision, in[0].DType())); err != nil {
		return nil, err
	}
	if !(math.Abs(o.scale) < mostScale) {
		return nil, fault.New(weft.ErrArgument, "attention", "%v, want less than 2^127 in magnitude", o.scale).For("scale")
	}
	return c.q.Shape(), c.checkTensors()
}

// checkAttention checks the shapes of the operands, but for batches.
func checkAttention(q, k, v *weft.Tensor) error {
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
	case k.Dim(3) != q.Dim(3):
		return fault.New(weft.ErrShape, "attention", "shape %v does not fit q's %v: head size must be equal", k.Shape(), q.Shape()).For("k")
	case groups == 0 && heads > 0 || groups > 0 && heads%groups != 0:
		return fault.New(weft.ErrShape, "attention", "%d heads do not divide q's %s", groups, fault.Count(heads, "head")).For("k")
	case q.Dim(3) > kernels.AttentionHead:
		return fault.New(weft.ErrUnsupported, "attention", "head size %d, want at most %d", q.Dim(3), kernels.AttentionHead).For("q")
	}
	return nil
}

// scores is the shape of the scores, which are never there.
func (c *attentionCall) scores() []int { return []int{c.batch, c.heads, c.queries, c.keys} }

// band is the first and the last key that query 0 sees; those of query i are i further on. none
// reports whether a bound hides nothing from any query.
func (c *attentionCall) band() (first, last int, noFirst, noLast bool) {
	at, most, before, after := 0, c.queries+c.keys, max(c.before, -1), max(c.after, -1) // of which any negative number means all
	if c.causal {
		after = 0
	}
	if c.hasQueryStarts { // the kernel adds where a sequence's query 0 stands
		return -min(before, most), min(after, most), before < 0, after < 0
	}
	if !c.start {
		at = c.keys - c.queries
	}
	first = max(at-min(before, most), -c.queries)
	last = min(at+min(after, most), c.keys)
	noFirst = before < 0 || c.queries-1+first <= 0
	noLast = after < 0 || last >= c.keys-1
	return first, last, noFirst, noLast
}

// launch starts the kernel.
func (o *attentionOptions) launch(out *weft.Tensor, in []*weft.Tensor) error {
	c := o.call(out, in)
	if out.Len() == 0 && (c.lse == nil || c.lse.Len() == 0) {
		return nil
	}
	first, last, noFirst, noLast := c.band()
	views, folded := c.folded(c.views())
	problem := kernels.AttentionProblem{Elem: c.q.DType(), Q: viewOf(views[0].Layout), K: viewOf(views[1].Layout), First: !noFirst, Last: !noLast}
	problem.V, problem.Out = viewOf(views[2].Layout).Unlike(problem.K), viewOf(views[c.outAt()].Layout).Unlike(problem.Q)
	if c.hasQueryStarts {
		problem = problem.Packed(c.batch, c.hasKeyStarts, folded)
	}
	if c.table != nil {
		problem = problem.Pages(c.k.Dim(2), c.table.Dim(1))
	}
	cfg := pick(attentionTune, c.q.Device(), problem)
	cfg.First, cfg.Last, cfg.LSE = !noFirst, !noLast, c.hasLSE
	cfg.Folded = folded && (cfg.First || cfg.Last || c.hasQueryStarts)
	if c.hasMask {
		cfg.Mask = c.mask.DType()
	}
	cfg.Lengths, cfg.QueryStarts, cfg.KeyStarts = c.hasLengths, c.hasQueryStarts, c.hasKeyStarts
	cfg.Start = c.start && (cfg.Lengths || cfg.QueryStarts || cfg.KeyStarts)
	cfg.StepByStep()
	if c.tiles != (AttentionConfig{}) {
		cfg.Replace(c.tiles)
		if err := cfg.Consistent(c.q.Device().Caps()); err != nil {
			return fault.New(weft.ErrUnsupported, c.op, "%v", err).For("Tiles")
		}
	}
	if c.head == 0 {
		cfg.Parts = 0 // which have no elements to combine, and the log-sum-exp is left
	}
	if cfg.TileHeads > 0 {
		if err := c.group(views, cfg.TileHeads); err != nil {
			return err
		}
	}
	scalars := weft.Scalars{cfg.SetScale(c.scale), first, last}
	switch {
	case cfg.QueryStarts:
		scalars = append(scalars, kernels.Halvings(c.batch))
	case cfg.Folded:
		scalars = append(scalars, c.queries)
	}
	return c.run(cfg, scalars, views)
}

// run starts the kernels of a config for views.
func (c *attentionCall) run(cfg AttentionConfig, scalars weft.Scalars, views []weft.TensorView) error {
	if cfg.PacksMask() {
		bits, err := c.packMask(views[maskAt])
		if err != nil {
			return err
		}
		defer bits.Tensor.Close()
		views = slices.Clone(views)
		views[maskAt] = bits
	}
	first, parts := cfg.Passes()
	if !first.Split {
		return kernels.Attention.LaunchViews(first, scalars, views...)
	}
	dev, ends := c.q.Device(), views[c.outAt():]
	var made scratch
	defer made.close()
	shape := append([]int{parts}, ends[0].Layout.Shape()...)
	results, sums := made.keep(weft.Empty(dev, weft.F32, shape...)), made.keep(weft.Empty(dev, weft.F32, shape[:4]...))
	if made.err != nil {
		return made.err
	}
	between := []weft.TensorView{ownView(results), ownView(sums)}
	if first.Combines = first.CombinesOn(dev.Caps(), shape[3], parts); first.Combines {
		tiles := []int{shape[1], shape[2], kernels.CeilDiv(shape[3], first.BM)}
		counts := made.keep(dev.Counters(tiles[0] * tiles[1] * tiles[2]))
		if made.err != nil {
			return made.err
		}
		l, err := counts.Layout().Reshape(tiles...)
		if err != nil {
			return err
		}
		return kernels.Attention.LaunchViews(first, scalars, slices.Concat(views[:c.outAt()], between, []weft.TensorView{{Tensor: counts, Layout: l}}, ends)...)
	}
	second := kernels.AttentionPartsConfigFor(dev.Caps(), cfg.Elem, parts, views[0].Layout.Size(2), c.head)
	second.LSE = cfg.LSE
	if _, err := kernels.AttentionParts.Build(second); err != nil { // before anything is launched
		return err
	}
	first.LSE = false
	if err := kernels.Attention.LaunchViews(first, scalars, slices.Concat(views[:c.outAt()], between)...); err != nil {
		return err
	}
	return kernels.AttentionParts.LaunchViews(second, nil, slices.Concat(between, ends)...)
}

// maskAt is which of the views is the mask, where there is one.
const maskAt = 3

// packMask packs a mask of Booleans to bits. What is repeated in memory is packed once.
func (c *attentionCall) packMask(mask weft.TensorView) (weft.TensorView, error) {
	l, shape := mask.Layout, mask.Layout.Shape()
	keys := len(shape) - 1
	once := slices.Clone(shape)
	for d := range keys {
		if l.Stride(d) == 0 && l.Size(d) > 1 {
			var err error
			if l, err = l.Slice(d, 0, 1, 1); err != nil {
				return mask, err
			}
			once[d] = 1
		}
	}
	once[keys] = kernels.BitWords(shape[keys])
	dev := c.q.Device()
	bits, err := weft.Empty(dev, weft.U32, once...)
	if err != nil {
		return mask, err
	}
	cfg := kernels.AttentionBitsConfigFor(dev.Caps(), once[keys-1], once[keys])
	if err := kernels.AttentionBits.LaunchViews(cfg, nil, weft.TensorView{Tensor: mask.Tensor, Layout: l, Elem: weft.U8}, ownView(bits)); err != nil {
		return mask, errors.Join(err, bits.Close())
	}
	shape[keys] = once[keys]
	packed := ownView(bits)
	packed.Layout, err = packed.Layout.Broadcast(shape...)
	return packed, err
}

// ownView is a tensor as its own layout shows it.
func ownView(t *weft.Tensor) weft.TensorView { return weft.TensorView{Tensor: t, Layout: t.Layout()} }

// outAt is which of the views is the result.
func (c *attentionCall) outAt() int {
	at := 3
	for _, given := range []bool{c.hasMask, c.hasLengths, c.hasTable, c.hasQueryStarts, c.hasKeyStarts} {
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
	for _, t := range []*weft.Tensor{c.lengths, c.table, c.queryStarts, c.keyStarts} {
		if t != nil {
			views = append(views, ownView(t))
		}
	}
	views = append(views, ownView(c.out))
	if c.hasLSE {
		views = append(views, ownView(c.lse))
	}
	return views
}

// group gives views of queries a dimension more, of so many heads that share keys, or of all of them if they are fewer.
func (c *attentionCall) group(views []weft.TensorView, heads int) error {
	all := c.heads / max(c.groups, 1)
	n := min(heads, all)
	if all%n != 0 {
		return fault.New(weft.ErrUnsupported, c.op, "%d of %d heads that share keys in a tile", heads, all).For("Tiles.TileHeads")
	}
	for i := range views {
		if i > 0 && i < c.outAt() {
			continue
		}
		shape := views[i].Layout.Shape()
		l, err := views[i].Layout.Reshape(append([]int{shape[0], shape[1] / n, n}, shape[2:]...)...)
		if err != nil {
			return err
		}
		order := []int{0, 1, 3, 2, 4}
		if views[i].Layout, err = l.Permute(order[:l.Rank()]...); err != nil {
			return err
		}
	}
	return nil
}

// leastPacked are the fewest heads that share keys that are folded whatever their queries are, if these are packed and warpgroups multiply them: sequences fill their last tiles better. (16 sequences of 300 queries in the mean, 8 heads
// share keys, on an H200: 141 µs, 179 head by head; 4 heads and 100 to 1500 queries 0.84 to 1.02; 2 heads and 120 queries 1.14.)
const leastPacked = 3

// folded takes the heads that share keys as further queries of one head, so that few queries,
// such as the one of a decoding step, fill a tile and each key is read once for all of them. Where strides do not allow it the views stay.
func (c *attentionCall) folded(views []weft.TensorView) ([]weft.TensorView, bool) {
	group := c.heads / max(c.groups, 1)
	each := c.queries // of a batch, or of a sequence in the mean
	if c.hasQueryStarts {
		each = kernels.CeilDiv(c.queries, max(c.batch, 1))
	}
	few := each < 64 || c.hasQueryStarts && group >= leastPacked && c.q.Device().Caps().TensorMaps
	if group <= 1 || !few || c.tiles.TileHeads > 0 {
		return views, false
	}
	if c.hasQueryStarts { // the kernel finds them
		return views, c.queries <= kernels.AttentionKeys/group
	}
	out := slices.Clone(views)
	for i, v := range views {
		if i == 1 || i == 2 || v.Tensor == c.lengths || v.Tensor == c.table || v.Tensor == c.keyStarts {
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
