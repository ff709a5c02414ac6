package ops

import (
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/memo"
	"github.com/weftgpu/weft/ops/kernels"
	"github.com/weftgpu/weft/tile"
)

// What ops launched for operands of certain layouts is remembered by package memo, so that a call like one
// before costs the launches and nothing else. A memo's key is what a call's options say, as a plain
// value; the tensors that options bring along are operands.

// applied is what options make of a value. They get a pointer, which would put a value of the caller's on the heap: they work on one
// that a pool keeps.
func applied[T any, P interface {
	*T
	miss(i int)
}, O any](pool *sync.Pool, v T, options []O, set func(O, *T)) T {
	if len(options) == 0 {
		return v
	}
	p, ok := pool.Get().(*T)
	if !ok {
		p = new(T)
	}
	*p = v
	for i, option := range options {
		if any(option) == nil {
			P(p).miss(i)
			continue
		}
		set(option, p)
	}
	var zero T
	v, *p = *p, zero // which keeps no tensors alive
	pool.Put(p)
	return v
}

// softmaxCalls are calls with out and x.
var softmaxCalls = memo.New(func(s softmaxCall, t []*weft.Tensor) error { return s.into(t[0], t[1]) })

// normKey is a normCall without its tensors.
type normKey struct {
	normOptions
	weight, bias bool
}

// normCalls are calls with out, x and the weight and the bias that there are.
var normCalls = memo.New(func(k normKey, t []*weft.Tensor) error {
	n := normCall{normOptions: k.normOptions}
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
	return normCalls.Run(normKey{n.normOptions, n.weight != nil, n.bias != nil}, tensors...)
}

// reduceKey is a reduction with its options.
type reduceKey struct {
	op kernels.ReduceOp
	reduceOptions
}

// reduceCalls are calls with out and x.
var reduceCalls = memo.New(func(k reduceKey, t []*weft.Tensor) error {
	return reduceInto(k.op, t[0], t[1], k.reduceOptions)
})

// run reduces x into out.
func (o reduceOptions) run(op kernels.ReduceOp, out, x *weft.Tensor) error {
	return reduceCalls.Run(reduceKey{op, o}, out, x)
}

// productKey is the options of a product.
type productKey struct {
	linear, bias bool // Linear, with a bias
	result       weft.DType
	alpha, beta  float64
	precision    tile.Precision
	steps        [kernels.MaxSteps]stepKey
	tiled        bool
	tiles        kernels.MatMulConfig
	packs        packMode
	weights      quantKey // the second operand, if it is quantised
}

// stepKey is a step without its tensors.
type stepKey struct {
	m      *weft.Map
	inputs int
	bias   bool // made by Bias
	used   bool
}

// productCalls are calls with out, the operands, Linear's bias and the tensors of the steps.
var productCalls = memo.New(func(k productKey, t []*weft.Tensor) error {
	n := 3
	switch {
	case k.weights.given:
		n = 2 + k.weights.tensors()
	case k.bias:
		n++
	}
	return k.into(t[:n], k.options(t[n:]))
})

// into computes the product of tensors that are out, the operands and Linear's bias.
func (k productKey) into(t []*weft.Tensor, options []MatMulOption) error {
	switch {
	case k.weights.given:
		return quantizedMatMulInto(t[0], t[1], k.weights.matrix(t[2:]), options)
	case !k.linear:
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
	p := productPool.Get().(*product)
	defer p.recycle()
	p.alpha = 1
	p.set(options)
	if len(p.steps) > kernels.MaxSteps || len(p.tiles) > 1 || p.wrong != (wrongTiles{}) || p.nilOption != 0 {
		return k.into(tensors, options) // more than there can be, or than is worth remembering
	}
	k.result, k.alpha, k.beta, k.precision = p.result, p.alpha, p.beta, p.precision
	k.packs = p.packs
	for _, t := range p.tiles {
		k.tiled, k.tiles = true, t
	}
	var all [5 + kernels.MaxInputs]*weft.Tensor
	operands := append(all[:0], tensors...)
	for i, s := range p.steps {
		k.steps[i] = stepKey{m: s.m, inputs: len(s.in), bias: s.bias, used: true}
		for _, in := range s.in {
			operands = append(operands, in.tensor)
		}
	}
	return productCalls.Run(k, operands...)
}

// productPool has products on which options work that say nothing but a key.
var productPool = sync.Pool{New: func() any { return new(product) }}

func (p *product) recycle() {
	clear(p.steps) // which keep no tensors alive
	*p = product{steps: p.steps[:0]}
	productPool.Put(p)
}

// options are the options of the key again, with the steps' tensors.
func (k productKey) options(t []*weft.Tensor) (list []MatMulOption) {
	if k.result.Valid() {
		list = append(list, ResultType(k.result))
	}
	list = append(list, Alpha(k.alpha), Beta(k.beta), Precision(k.precision), matMulOption(func(p *product) { p.packs = k.packs }))
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

// quantKey is a quantised matrix without its tensors.
type quantKey struct {
	QuantScheme
	shape  [2]int
	packed int
	zeros  bool
	given  bool
}

func (q *Quantized) key() quantKey {
	if q == nil {
		return quantKey{}
	}
	return quantKey{q.QuantScheme, q.Shape, q.Packed, q.Zeros != nil, true}
}

// appendTo appends the tensors that matrix takes.
func (q *Quantized) appendTo(list []*weft.Tensor) []*weft.Tensor {
	if q == nil {
		return list
	}
	list = append(list, q.Data, q.Scales)
	if q.Zeros != nil {
		list = append(list, q.Zeros)
	}
	return list
}

// tensors is how many the matrix has.
func (k quantKey) tensors() int {
	if k.zeros {
		return 3
	}
	return 2
}

// matrix is the matrix of tensors.
func (k quantKey) matrix(t []*weft.Tensor) *Quantized {
	if !k.given {
		return nil
	}
	q := &Quantized{QuantScheme: k.QuantScheme, Shape: k.shape, Packed: k.packed, Data: t[0], Scales: t[1]}
	if k.zeros {
		q.Zeros = t[2]
	}
	return q
}

// Calls with a matrix of real numbers and the tensors of a quantised one.
var (
	quantizeCalls   = quantizeMemo(quantizeInto)
	roundCalls      = quantizeMemo(roundInto)
	dequantizeCalls = quantizeMemo(dequantizeInto)
)

func quantizeMemo(run func(q *Quantized, x *weft.Tensor) error) *memo.Memo[quantKey] {
	return memo.New(func(k quantKey, t []*weft.Tensor) error { return run(k.matrix(t[1:]), t[0]) })
}

// run makes one of these calls.
func (q *Quantized) run(calls *memo.Memo[quantKey], x *weft.Tensor) error {
	var all [4]*weft.Tensor
	return calls.Run(q.key(), q.appendTo(append(all[:0], x))...)
}

// attentionCalls are calls with out, q, k, v, and the mask and the tensor of LogSumExp that there are.
var attentionCalls = memo.New(func(o attentionOptions, t []*weft.Tensor) error {
	c := attentionCall{attentionOptions: o, out: t[0], q: t[1], k: t[2], v: t[3]}
	rest := t[4:]
	if o.hasMask {
		c.mask, rest = rest[0], rest[1:]
	}
	if o.hasLSE {
		c.lse = rest[0]
	}
	return c.compute()
})

// run computes the attention.
func (c attentionCall) run() error {
	var all [6]*weft.Tensor
	tensors := append(all[:0], c.out, c.q, c.k, c.v)
	if c.hasMask {
		tensors = append(tensors, c.mask)
	}
	if c.hasLSE {
		tensors = append(tensors, c.lse)
	}
	return attentionCalls.Run(c.attentionOptions, tensors...)
}

// convCalls are calls with out, x, the weights and the bias if there is one; the key is the convolution without them.
var convCalls = memo.New(func(c convolution, t []*weft.Tensor) error {
	c.x, c.weight = t[1], t[2]
	if c.hasBias {
		c.bias = t[3]
	}
	if err := c.prepare(); err != nil {
		return err
	}
	return c.launch(t[0])
})

// run writes the convolution into out.
func (c convolution) run(out *weft.Tensor) error {
	var all [4]*weft.Tensor
	tensors := append(all[:0], out, c.x, c.weight)
	if c.hasBias {
		tensors = append(tensors, c.bias)
	}
	c.x, c.weight, c.bias = nil, nil, nil
	return convCalls.Run(c, tensors...)
}

// columnsKey is a convolution without its tensors, of which the columns are wanted, and the size of the kernel.
type columnsKey struct {
	convolution
	rows, columns int
}

// columnsCalls are calls with out and x.
var columnsCalls = memo.New(func(k columnsKey, t []*weft.Tensor) error {
	c := k.convolution
	c.x = t[1]
	if err := c.prepareColumns(k.rows, k.columns); err != nil {
		return err
	}
	return c.launchIm2Col(t[0])
})

// runColumns writes the columns under a kernel of rows × columns into out.
func (c convolution) runColumns(out *weft.Tensor, rows, columns int) error {
	x := c.x
	c.x, c.bias = nil, nil
	return columnsCalls.Run(columnsKey{c, rows, columns}, out, x)
}

// randomCalls are calls with out and a stream's words, for normal numbers or uniform ones.
var randomCalls = memo.NewWith(func(normal bool, words []uint32, t []*weft.Tensor) error {
	return randomInto(normal, t[0], words)
})

// dropoutCalls are calls with out, x and the mask if there is one, and the words of the kernel's scalars.
var dropoutCalls = memo.NewWith(func(_ struct{}, words []uint32, t []*weft.Tensor) error {
	if len(t) < 3 {
		return dropoutInto(t[0], t[1], nil, words)
	}
	return dropoutInto(t[0], t[1], t[2], words)
})
