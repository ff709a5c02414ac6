package cstyle

import "github.com/weftgpu/weft/simt"

// liveness is which ops and values matter to what a kernel stores.
type liveness struct {
	ops    map[*simt.Op]bool
	values map[*simt.Value]bool
	slots  map[*simt.Value]slot          // results and carried values, by what they are known as
	yields map[*simt.Block][]*simt.Value // of blocks that yield: the values that decide what is assigned
}

// slot is one result of a loop or a Branch.
type slot struct {
	op *simt.Op
	i  int
}

func findLive(k *simt.Func) *liveness {
	l := &liveness{ops: map[*simt.Op]bool{}, values: map[*simt.Value]bool{}, slots: map[*simt.Value]slot{}, yields: map[*simt.Block][]*simt.Value{}}
	l.index(k.Body)
	l.effects(k.Body, nil)
	return l
}

// index finds the results and carried values.
func (l *liveness) index(b *simt.Block) {
	for _, op := range b.Ops {
		_, params := op.Carried()
		for i, out := range op.Out {
			if op.Body == nil {
				break
			}
			l.slots[out] = slot{op, i}
			if params != nil {
				l.slots[params[i]] = slot{op, i}
			}
		}
		for _, body := range op.Blocks() {
			l.yields[body] = params
			if op.Kind == simt.Branch {
				l.yields[body] = op.Out
			}
			l.index(body)
		}
	}
}

// effects marks the ops that do something, with the loops and conditions
// around them.
func (l *liveness) effects(b *simt.Block, around []*simt.Op) {
	for _, op := range b.Ops {
		if op.HasEffect() {
			l.mark(op)
			for _, outer := range around {
				l.mark(outer)
			}
		}
		for _, body := range op.Blocks() {
			l.effects(body, append(around[:len(around):len(around)], op))
		}
	}
}

// mark makes an op live, and the operands that it needs in any case.
func (l *liveness) mark(op *simt.Op) {
	if l.ops[op] {
		return
	}
	l.ops[op] = true
	for _, a := range op.Args[:always(op)] {
		l.need(a)
	}
}

// always is how many operands an op needs in any case; initial values are
// needed with what they start.
func always(op *simt.Op) int {
	switch op.Kind {
	case simt.For:
		return 3
	case simt.While, simt.Yield:
		return 0
	}
	return len(op.Args)
}

// need makes a value live, and with a carried value or a result what it starts and goes on as.
func (l *liveness) need(v *simt.Value) {
	if l.values[v] {
		return
	}
	l.values[v] = true
	s, found := l.slots[v]
	switch {
	case found:
		l.mark(s.op)
		l.need(s.op.Out[s.i])
		if initial, params := s.op.Carried(); initial != nil {
			l.need(params[s.i])
			l.need(initial[s.i])
		}
		for _, next := range s.op.Yields(s.i) {
			l.need(next)
		}
	case v.Op != nil:
		l.mark(v.Op)
	}
}

// operands are the operands of a live op that are live.
func (l *liveness) operands(op *simt.Op, b *simt.Block) []*simt.Value {
	first, slots := always(op), l.yields[b]
	if _, params := op.Carried(); params != nil {
		slots = params
	}
	used := append([]*simt.Value{}, op.Args[:first]...)
	for i, a := range op.Args[first:] {
		if l.values[slots[i]] {
			used = append(used, a)
		}
	}
	return used
}
