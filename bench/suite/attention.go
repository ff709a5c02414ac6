package suite

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

// heads describes the work of an attention.
type heads struct {
	elem                 weft.DType
	batch, heads, groups int // groups are the heads of keys and values
	queries, keys, size  int
	causal               bool // as many queries as keys, each with those up to its own
	mask                 mask
}

// mask says which scores have a Boolean of their own that hides half of the keys.
type mask int

const (
	noMask     mask = iota
	maskOfAll       // all
	maskShared      // those of the first head of each batch, whose mask the other heads share
)

// work counts the operations of the scores that are needed.
func (h heads) work() Work {
	kind, pairs := "full", float64(h.queries)*float64(h.keys)
	if h.causal {
		kind, pairs = "causal", float64(h.keys)*float64(h.keys+1)/2
	}
	if h.groups != h.heads {
		kind += fmt.Sprintf(" gqa%d", h.groups)
	}
	switch h.mask {
	case maskOfAll:
		kind += " masked"
	case maskShared:
		kind += " masked alike"
	}
	lengths := size(h.batch, h.heads, h.queries, h.size)
	if h.queries != h.keys {
		lengths = size(h.batch, h.heads, h.queries) + fmt.Sprintf(":%dx%d", h.keys, h.size)
	}
	const pair = 8 + 8 // bytes of an element of a key and of its value in float64
	results := computedAtOnce[reference.AttentionResult]{keys: h.sampled(), bytes: pair * h.keys * h.size}
	w := listed("attention", h.elem, size(h.batch, h.heads, h.queries, h.keys, h.size), func(o *catalog.Options) { o.Causal, o.KVHeads = h.causal, h.groups })
	w.Name, w.Params = name("attention", h.elem, lengths, " ", kind), map[string]any{"causal": h.causal}
	if h.mask != noMask {
		w.Inputs = append(w.Inputs, uniform(0, 2, weft.Bool, h.batch, h.masks(), h.queries, h.keys))
		w.Run = func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.AttentionInto(out, in[0], in[1], in[2], ops.AttentionMask(in[3]))
		}
	}
	w.Flop, w.Terms = 4*float64(h.batch*h.heads*h.size)*pairs, h.keys
	w.Want = func(in []Values, i int) (want, bound float64) {
		row, d := i/h.size, i%h.size
		r := results.of(row, func(row int) reference.AttentionResult { return h.query(in, row) })
		_, keys := h.visible(row)
		return r.Out[d], bounds.Attention(h.elem, keys, h.size, r.Out[d], r.Magnitudes[d], r.Scores[0], r.Values)
	}
	w.sample = func() (list []int) {
		for _, row := range h.sampled() {
			for d := range h.size {
				list = append(list, row*h.size+d)
			}
		}
		return list
	}
	return w
}

// masks are the heads that have a mask.
func (h heads) masks() int {
	if h.mask == maskOfAll {
		return h.heads
	}
	return 1
}

// sampled lists the queries that are compared.
func (h heads) sampled() []int {
	rng := rand.New(rand.NewPCG(10, 11))
	list := make([]int, 20)
	for i := range list {
		list[i] = rng.IntN(h.batch * h.heads * h.queries)
	}
	return list
}

// visible is the first element of the keys of a query's head, and how many keys the query sees.
func (h heads) visible(row int) (from, keys int) {
	head, keys := row/h.queries, h.keys
	if h.causal {
		keys = row%h.queries + 1
	}
	batch, within := head/h.heads, head%h.heads
	return (batch*h.groups + within/(h.heads/h.groups)) * h.keys * h.size, keys
}

// query is the exact result of one query.
func (h heads) query(in []Values, row int) reference.AttentionResult {
	from, keys := h.visible(row)
	a := reference.Attention{B: 1, Hq: 1, Hkv: 1, Sq: 1, Sk: keys, D: h.size, Scale: 1 / math.Sqrt(float64(h.size))}
	if h.mask != noMask {
		head := row / h.queries
		rows := (head/h.heads*h.masks()+head%h.heads%h.masks())*h.queries + row%h.queries
		a.Mask = func(_, _, _, j int) float64 { return math.Log(in[3](rows*h.keys + j)) }
	}
	return a.Compute(in[0].slice(row*h.size, h.size), in[1].slice(from, keys*h.size), in[2].slice(from, keys*h.size))
}
