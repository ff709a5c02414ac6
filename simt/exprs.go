package simt

import (
	"math"
	"slices"
)

// exprs finds pure ops that compute the same value as one before. What is found in a block is forgotten at its end: see enter and leave.
type exprs struct {
	heads []int32 // for each hash the number of the entry that was added last, counted from 1
	known []expr
}

type expr struct {
	op   *Op
	hash uint32
	next int32 // the entry of this hash before this one, as in heads
}

// enter is called before a block; leave takes what it returns.
func (e *exprs) enter() int { return len(e.known) }

// leave forgets what was added since an enter.
func (e *exprs) leave(n int) {
	for i := len(e.known) - 1; i >= n; i-- {
		x := e.known[i]
		e.heads[x.hash&uint32(len(e.heads)-1)] = x.next
	}
	e.known = e.known[:n]
}

// same is the result of an op that computes what a pure op does; nil if there is none, and the op is the first that does.
func (e *exprs) same(op *Op) *Value {
	if len(e.known) >= len(e.heads) {
		e.grow()
	}
	h := op.hash()
	head := &e.heads[h&uint32(len(e.heads)-1)]
	for i := *head; i > 0; i = e.known[i-1].next {
		if x := e.known[i-1]; x.hash == h && x.op.equal(op) {
			return x.op.Result()
		}
	}
	e.known = append(e.known, expr{op, h, *head})
	*head = int32(len(e.known))
	return nil
}

func (e *exprs) grow() {
	e.heads = make([]int32, max(256, 2*len(e.heads)))
	for i := range e.known {
		x := &e.known[i]
		head := &e.heads[x.hash&uint32(len(e.heads)-1)]
		x.next, *head = *head, int32(i+1)
	}
}

// hash is one number for all pure ops that compute the same value.
func (op *Op) hash() uint32 {
	const factor = 0x9e3779b97f4a7c15
	t := op.Result().Type
	h := uint64(op.Kind) | uint64(t.Elem)<<8 | uint64(t.Width)<<16 | uint64(op.Elem)<<24 | uint64(op.Lane)<<32
	h = h*factor + uint64(op.Word+op.Axis)
	h = h*factor + math.Float64bits(op.Number)
	for _, a := range op.Args {
		h = (h^h>>29)*factor + uint64(a.ID)
	}
	h *= factor
	return uint32(h >> 32)
}

// equal reports whether two pure ops compute the same value. 0 and -0 are two constants.
func (op *Op) equal(o *Op) bool {
	return op.Kind == o.Kind && op.Result().Type == o.Result().Type && math.Float64bits(op.Number) == math.Float64bits(o.Number) &&
		op.Word == o.Word && op.Axis == o.Axis && op.Lane == o.Lane && op.Elem == o.Elem && op.Wraps == o.Wraps && op.Multiple == o.Multiple && slices.Equal(op.Args, o.Args)
}
