package ops

import (
	"slices"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/memo"
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

// maxTensors is how many tensors a call has at most: those of a product with a quantised matrix and all that an epilogue takes, or those of attention.
const maxTensors = max(1+productInputs+kernels.MaxInputs, attentionTensors)

// calls are remembered calls of an op. Tensors that a call lacks are nil.
type calls[O comparable] struct{ memo *memo.Memo[callKey[O]] }

// callKey is what a call depends on in addition to its tensors.
type callKey[O comparable] struct {
	options O
	tensors uint8
	missing uint16 // a bit for each tensor that is nil and has others after it
}

// newCalls are calls of a function that gets all tensors, and words of scalars, by which it does not choose.
func newCalls[O comparable](run func(o O, words []uint32, t []*weft.Tensor) error) calls[O] {
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

// run runs a call with words of scalars, which may differ from call to call.
func (c calls[O]) run(o *O, words []uint32, tensors ...*weft.Tensor) error {
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
