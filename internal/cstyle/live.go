package cstyle

import "github.com/weftgpu/weft/simt"

// liveness is which ops and values matter to what a kernel stores.
type liveness struct {
	ops    map[*simt.Op]bool
	values map[*simt.Value]bool
	loops  map[*simt.Value]carry // carried values by their arguments and results
}

// carry is one carried value of a loop.
type carry struct {
	loop *simt.Op
	slot int
}

func findLive(k *simt.Kernel) *liveness {
	l := &liveness{ops: map[*simt.Op]bool{}, values: map[*simt.Value]bool{}, loops: map[*simt.Value]carry{}}
	l.index(k.Body)
	l.effects(k.Body, nil)
	return l
}

// index finds the carried values.
func (l *liveness) index(b *simt.Block) {
	for _, op := range b.Ops {
		if op.Body == nil {
			continue
		}
		for i, out := range op.Out {
			l.loops[out] = carry{op, i}
			l.loops[op.Body.Args[1+i]] = carry{op, i}
		}
		l.index(op.Body)
	}
}

// effects marks the ops that do something, with the loops and conditions
// around them.
func (l *liveness) effects(b *simt.Block, around []*simt.Op) {
	for _, op := range b.Ops {
		switch op.Kind {
		case simt.For, simt.If:
			l.effects(op.Body, append(around[:len(around):len(around)], op))
		case simt.Store, simt.SharedStore, simt.Atomic, simt.Barrier, simt.Exit:
			l.mark(op)
			for _, outer := range around {
				l.mark(outer)
			}
		}
	}
}

// mark makes an op live, and the operands that it needs in any case.
func (l *liveness) mark(op *simt.Op) {
	if l.ops[op] {
		return
	}
	l.ops[op] = true
	args := op.Args
	if op.Kind == simt.For {
		args = args[:3]
	}
	for _, a := range args {
		l.need(a)
	}
}

// need makes a value live, and with a carried value what it starts and goes on as.
func (l *liveness) need(v *simt.Value) {
	if l.values[v] {
		return
	}
	l.values[v] = true
	c, carried := l.loops[v]
	switch {
	case carried:
		body := c.loop.Body
		l.mark(c.loop)
		l.need(c.loop.Out[c.slot])
		l.need(body.Args[1+c.slot])
		l.need(c.loop.Args[3+c.slot])
		l.need(body.Ops[len(body.Ops)-1].Args[c.slot])
	case v.Op != nil:
		l.mark(v.Op)
	}
}

// operands are the operands of a live op that are live.
func (l *liveness) operands(op *simt.Op, b *simt.Block) []*simt.Value {
	first, slots := len(op.Args), b.Args
	switch op.Kind {
	case simt.For:
		first, slots = 3, op.Body.Args
	case simt.Yield:
		first = 0
	}
	used := append([]*simt.Value{}, op.Args[:first]...)
	for i, a := range op.Args[first:] {
		if l.values[slots[1+i]] {
			used = append(used, a)
		}
	}
	return used
}
