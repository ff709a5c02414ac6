package ops

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// What ops launched for operands of certain layouts is remembered by weft.Memo, so that a call like one
// before costs the launches and nothing else. A memo's key is what a call's options say, as a plain
// value; the tensors that options bring along are operands.

// softmaxCalls are calls with out and x.
var softmaxCalls = weft.NewMemo(func(s softmaxCall, t []*weft.Tensor) error { return s.into(t[0], t[1]) })

// normKey is a normCall without its tensors.
type normKey struct {
	op           string
	weight, bias bool
	epsilon      float64
	dims         int
}

// normCalls are calls with out, x and the weight and the bias that there are.
var normCalls = weft.NewMemo(func(k normKey, t []*weft.Tensor) error {
	n := normCall{op: k.op, epsilon: k.epsilon, dims: k.dims}
	rest := t[2:]
	if k.weight {
		n.weight, rest = rest[0], rest[1:]
	}
	if k.bias {
		n.bias = rest[0]
	}
	return n.into(t[0], t[1])
})

// run writes the normalised x into out.
func (n normCall) run(out, x *weft.Tensor) error {
	var all [4]*weft.Tensor
	tensors := append(all[:0], out, x)
	if n.weight != nil {
		tensors = append(tensors, n.weight)
	}
	if n.bias != nil {
		tensors = append(tensors, n.bias)
	}
	return normCalls.Run(normKey{n.op, n.weight != nil, n.bias != nil, n.epsilon, n.dims}, tensors...)
}

// reduceKey is a reduction with its options.
type reduceKey struct {
	op         ReduceOp
	axes       [8]int
	some       int // of them are given, -1 for all
	keep       bool
	correction int
	corrected  bool
}

// reduceCalls are calls with out and x.
var reduceCalls = weft.NewMemo(func(k reduceKey, t []*weft.Tensor) error {
	o := reduceOptions{keep: k.keep, some: k.some >= 0, axes: k.axes[:max(k.some, 0)]}
	if k.corrected {
		o.correction = &k.correction
	}
	return reduceInto(k.op, t[0], t[1], o)
})

// run reduces x into out.
func (o reduceOptions) run(op ReduceOp, out, x *weft.Tensor) error {
	k := reduceKey{op: op, some: -1, keep: o.keep, corrected: o.correction != nil}
	if len(o.axes) > len(k.axes) {
		return reduceInto(op, out, x, o)
	}
	if o.some {
		k.some = copy(k.axes[:], o.axes)
	}
	if k.corrected {
		k.correction = *o.correction
	}
	return reduceCalls.Run(k, out, x)
}

// productKey is the options of a product.
type productKey struct {
	linear, bias bool // Linear, with a bias
	result       weft.DType
	alpha, beta  float64
	precision    tile.Precision
	steps        [maxSteps]stepKey
	tiled        bool
	tiles        MatMulConfig
	packs        packMode
}

// stepKey is a step without its tensors.
type stepKey struct {
	m      *weft.Map
	inputs int
	bias   bool // made by Bias
	used   bool
}

// productCalls are calls with out, the operands, Linear's bias and the tensors of the steps.
var productCalls = weft.NewMemo(func(k productKey, t []*weft.Tensor) error {
	n := 3
	if k.bias {
		n++
	}
	return k.into(t[:n], k.options(t[n:]))
})

// into computes the product of tensors that are out, the operands and Linear's bias.
func (k productKey) into(t []*weft.Tensor, options []MatMulOption) error {
	if !k.linear {
		return matMulInto(t[0], t[1], t[2], options)
	}
	bias := (*weft.Tensor)(nil)
	if k.bias {
		bias = t[3]
	}
	return linearInto(t[0], t[1], t[2], bias, options)
}

// run computes a product with options, of tensors that begin with out and the operands.
func (k productKey) run(options []MatMulOption, tensors ...*weft.Tensor) error {
	k.alpha = 1
	if len(options) == 0 {
		return productCalls.Run(k, tensors...)
	}
	p := &product{alpha: 1}
	for _, option := range options {
		option(p)
	}
	if len(p.steps) > maxSteps || len(p.tiles) > 1 {
		return k.into(tensors, options) // more than there can be, or than is worth remembering
	}
	k.result, k.alpha, k.beta, k.precision = p.result, p.alpha, p.beta, p.precision
	k.packs = p.packs
	for _, t := range p.tiles {
		k.tiled, k.tiles = true, t
	}
	tensors = slices.Clone(tensors)
	for i, s := range p.steps {
		k.steps[i] = stepKey{m: s.m, inputs: len(s.in), bias: s.bias, used: true}
		for _, in := range s.in {
			tensors = append(tensors, in.tensor)
		}
	}
	return productCalls.Run(k, tensors...)
}

// options are the options of the key again, with the steps' tensors.
func (k productKey) options(t []*weft.Tensor) (list []MatMulOption) {
	if k.result.Valid() {
		list = append(list, ResultType(k.result))
	}
	list = append(list, Alpha(k.alpha), Beta(k.beta), Precision(k.precision), func(p *product) { p.packs = k.packs })
	if k.tiled {
		list = append(list, Tiles(k.tiles))
	}
	for _, s := range k.steps {
		switch {
		case s.bias:
			list = append(list, Bias(t[0]))
		case s.used:
			list = append(list, Fuse(s.m, t[:s.inputs]...))
		}
		t = t[s.inputs:]
	}
	return list
}
