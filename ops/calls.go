package ops

import (
	"slices"
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

// maxTensors is how many tensors a call has at most: those of a product with a quantised matrix and all that an epilogue takes.
const maxTensors = 5 + kernels.MaxInputs

// calls are remembered calls of an op. Tensors that a call lacks are nil.
type calls[O comparable] struct{ memo *memo.Memo[callKey[O]] }

// callKey is what a call depends on in addition to its tensors.
type callKey[O comparable] struct {
	options O
	tensors uint8
	missing uint16 // a bit for each tensor that is nil and has others after it
}

// newCalls are calls of a function, which gets all tensors.
func newCalls[O comparable](run func(o O, t []*weft.Tensor) error) calls[O] {
	return newCallsWith(func(o O, _ []uint32, t []*weft.Tensor) error { return run(o, t) })
}

// newCallsWith are calls of a function that gets words of scalars, too, by which it does not choose.
func newCallsWith[O comparable](run func(o O, words []uint32, t []*weft.Tensor) error) calls[O] {
	return calls[O]{memo.NewWith(func(k callKey[O], words []uint32, t []*weft.Tensor) error {
		all := make([]*weft.Tensor, k.tensors)
		for i := range all {
			if k.missing>>i&1 == 0 && len(t) > 0 {
				all[i], t = t[0], t[1:]
			}
		}
		return run(k.options, words, all)
	})}
}

func (c calls[O]) run(o *O, tensors ...*weft.Tensor) error { return c.runWith(o, nil, tensors...) }

// runWith is run with the words of scalars, which may differ from call to call.
func (c calls[O]) runWith(o *O, words []uint32, tensors ...*weft.Tensor) error {
	k := callKey[O]{options: *o, tensors: uint8(len(tensors))} // a pointer, since options are large and there are few copies to spare
	for len(tensors) > 0 && tensors[len(tensors)-1] == nil {
		tensors = tensors[:len(tensors)-1]
	}
	if !slices.Contains(tensors, nil) {
		return c.memo.RunWith(k, words, tensors...)
	}
	var all [maxTensors]*weft.Tensor
	list := all[:0]
	for i, t := range tensors {
		if t == nil {
			k.missing |= 1 << i
			continue
		}
		list = append(list, t)
	}
	return c.memo.RunWith(k, words, list...)
}

// productKey is the options of a product.
type productKey struct {
	linear      bool // Linear
	result      weft.DType
	alpha, beta float64
	precision   tile.Precision
	steps       [kernels.MaxSteps]stepKey
	tiled       bool
	tiles       kernels.MatMulConfig
	packs       packMode
	weights     quantKey // the second operand, if it is quantised
}

// stepKey is a step without its tensors.
type stepKey struct {
	m      *weft.Map
	inputs int
	bias   bool // made by Bias
	used   bool
}

// productCalls are calls with out, the left operand, what makes up the right one, in three places, and the tensors of the steps. The right
// operand is a matrix and Linear's bias, or the tensors of a quantised matrix.
var productCalls = newCalls(func(k productKey, t []*weft.Tensor) error {
	return k.into(t[0], t[1], [3]*weft.Tensor(t[2:]), k.options(t[5:]))
})

// plan is the product of an operand and what makes up the right one. It is to be closed.
func (k productKey) plan(a *weft.Tensor, right [3]*weft.Tensor, options []MatMulOption) (*product, error) {
	switch {
	case k.weights.given:
		return newQuantizedProduct(a, k.weights.matrix(right[:]), options)
	case k.linear:
		return newLayer(a, right[0], right[1], options)
	}
	return newProduct("matmul", [2]operand{{"a", a}, {"b", right[0]}}, options)
}

// into computes the product.
func (k productKey) into(out, a *weft.Tensor, right [3]*weft.Tensor, options []MatMulOption) error {
	p, err := k.plan(a, right, options)
	if err != nil {
		return err
	}
	defer p.close()
	return p.launch(out)
}

// new computes a product with options as a new tensor.
func (k productKey) new(options []MatMulOption, a *weft.Tensor, right ...*weft.Tensor) (*weft.Tensor, error) {
	var all [3]*weft.Tensor
	copy(all[:], right)
	p, err := k.plan(a, all, options)
	if err != nil {
		return nil, err
	}
	defer p.close()
	return p.new(func(out *weft.Tensor) error { return k.run(options, out, a, right...) })
}

// run computes a product with options.
func (k productKey) run(options []MatMulOption, out, a *weft.Tensor, right ...*weft.Tensor) error {
	var all [maxTensors]*weft.Tensor
	all[0], all[1] = out, a
	copy(all[2:5], right)
	k.alpha = 1
	if len(options) == 0 {
		return productCalls.run(&k, all[:5]...)
	}
	p := productPool.Get().(*product)
	defer p.recycle()
	p.alpha = 1
	p.set(options)
	inputs := 0
	for _, s := range p.steps {
		inputs += len(s.in)
	}
	if len(p.steps) > kernels.MaxSteps || inputs > kernels.MaxInputs || len(p.tiles) > 1 || p.wrong != (wrongTiles{}) || p.nilOption != 0 {
		return k.into(out, a, [3]*weft.Tensor(all[2:]), options) // more than there can be, or than is worth remembering
	}
	k.result, k.alpha, k.beta, k.precision = p.result, p.alpha, p.beta, p.precision
	k.packs = p.packs
	for _, t := range p.tiles {
		k.tiled, k.tiles = true, t
	}
	tensors := all[:5]
	for i, s := range p.steps {
		k.steps[i] = stepKey{m: s.m, inputs: len(s.in), bias: s.bias, used: true}
		for _, in := range s.in {
			tensors = append(tensors, in.tensor)
		}
	}
	return productCalls.run(&k, tensors...)
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
	given  bool
}

func (q *Quantized) key() quantKey {
	if q == nil {
		return quantKey{}
	}
	return quantKey{q.QuantScheme, q.Shape, q.Packed, true}
}

// matrix is the matrix of its three tensors.
func (k quantKey) matrix(t []*weft.Tensor) *Quantized {
	if !k.given {
		return nil
	}
	return &Quantized{QuantScheme: k.QuantScheme, Shape: k.shape, Packed: k.packed, Data: t[0], Scales: t[1], Zeros: t[2]}
}

// Calls with a matrix of real numbers and the tensors of a quantised one.
var (
	quantizeCalls   = quantizedCalls(quantizeInto)
	roundCalls      = quantizedCalls(roundInto)
	dequantizeCalls = quantizedCalls(dequantizeInto)
)

func quantizedCalls(run func(q *Quantized, x *weft.Tensor) error) calls[quantKey] {
	return newCalls(func(k quantKey, t []*weft.Tensor) error { return run(k.matrix(t[1:]), t[0]) })
}

// run makes one of these calls.
func (q *Quantized) run(c calls[quantKey], x *weft.Tensor) error {
	k := q.key()
	if q == nil {
		return c.run(&k, x)
	}
	return c.run(&k, x, q.Data, q.Scales, q.Zeros)
}
