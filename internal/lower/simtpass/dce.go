package simtpass

import (
	"slices"

	"github.com/weftgpu/weft/simt"
)

// dce drops ops whose results nothing uses and that have no effect, among them stores to arrays that nothing reads, and
// what loops carry and branches give though nothing uses it.
func dce(r *Context) {
	l := newLiveness(r.Kernel.Body)
	l.keepAll(l.effects)
	l.sweep(r.Kernel.Body)
	r.Kernel.Shared = usedShared(r.Kernel)
}

// newLiveness knows the ops of a block, of which none is kept yet.
func newLiveness(b *simt.Block) *liveness {
	l := &liveness{kept: map[*simt.Op]bool{}, around: map[*simt.Op]*simt.Op{}, read: map[*simt.Shared]bool{}, stores: map[*simt.Shared][]*simt.Op{}}
	l.values.Hold(b)
	l.slots.Hold(b)
	l.index(b, nil)
	return l
}

func (l *liveness) keepAll(ops []*simt.Op) {
	for _, op := range ops {
		l.keep(op)
	}
}

// liveness is what those ops of a kernel use that have to stay.
type liveness struct {
	values  simt.Table[bool]
	slots   simt.Table[slot] // of results and of what loops carry
	effects []*simt.Op
	kept    map[*simt.Op]bool     // of ops with effects or bodies; others stay for their results
	around  map[*simt.Op]*simt.Op // the op in whose body one of those stands
	read    map[*simt.Shared]bool
	stores  map[*simt.Shared][]*simt.Op // to arrays that nothing reads, as far as is known
}

// slot is one result of an op with bodies; op is nil for none.
type slot struct {
	op *simt.Op
	i  int
}

// index finds the ops that may have to stay, and the slots.
func (l *liveness) index(b *simt.Block, around *simt.Op) {
	for _, op := range b.Ops {
		switch {
		case op.StoresShared():
			l.stores[op.Shared], l.around[op] = append(l.stores[op.Shared], op), around
		case op.HasEffect() && op.Kind != simt.Break:
			l.effects, l.around[op] = append(l.effects, op), around
		case op.Body != nil:
			l.around[op] = around
		}
		if op.Body == nil {
			continue
		}
		_, params := op.Carried()
		for i, out := range op.Out {
			*l.slots.At(out) = slot{op, i}
			if params != nil {
				*l.slots.At(params[i]) = slot{op, i}
			}
		}
		for _, body := range op.Blocks() {
			l.index(body, op)
		}
	}
}

// keep makes an op with an effect or bodies stay, and those around it.
func (l *liveness) keep(op *simt.Op) {
	if l.kept[op] {
		return
	}
	l.kept[op] = true
	if around := l.around[op]; around != nil {
		l.keep(around)
	}
	l.uses(op)
	if op.Kind == simt.While {
		for _, inner := range op.Body.Ops {
			if inner.Kind == simt.Break {
				l.uses(inner)
			}
		}
	}
}

// uses notes what an op uses in any case.
func (l *liveness) uses(op *simt.Op) {
	n := len(op.Args)
	switch op.Kind {
	case simt.For:
		n = 3
	case simt.While:
		n = 0
	}
	for _, a := range op.Args[:n] {
		l.need(a)
	}
	if op.Shared != nil && !op.StoresShared() && !l.read[op.Shared] {
		l.read[op.Shared] = true
		for _, store := range l.stores[op.Shared] {
			l.keep(store)
		}
	}
}

// need makes a value live, and with a result or what a loop carries what it starts and goes on as.
func (l *liveness) need(v *simt.Value) {
	if l.live(v) {
		return
	}
	*l.values.At(v) = true
	s := *l.slots.At(v)
	if s.op == nil {
		if v.Op != nil {
			l.uses(v.Op)
		}
		return
	}
	l.keep(s.op)
	l.need(s.op.Out[s.i])
	if initial, params := s.op.Carried(); initial != nil {
		l.need(params[s.i])
		l.need(initial[s.i])
	}
	for _, b := range s.op.Blocks() {
		l.need(b.Yield().Args[s.i])
	}
}

func (l *liveness) live(v *simt.Value) bool { return *l.values.At(v) }

func (l *liveness) sweep(b *simt.Block) {
	simt.Erase(b, func(op *simt.Op) bool {
		return op.Kind != simt.Yield && op.Kind != simt.Break && !l.kept[op] && !slices.ContainsFunc(op.Out, l.live)
	})
	simt.Walk(b, func(op *simt.Op) {
		if dead := func(v *simt.Value) bool { return !l.live(v) }; op.Body != nil && slices.ContainsFunc(op.Out, dead) {
			out := op.Out
			op.DropResults(func(i int) bool { return dead(out[i]) })
		}
	})
}

func usedShared(k *simt.Func) (used []*simt.Shared) {
	seen := map[*simt.Shared]bool{}
	simt.Walk(k.Body, func(op *simt.Op) {
		seen[op.Shared], seen[op.Signals] = true, true
	})
	for _, s := range k.Shared {
		if seen[s] {
			used = append(used, s)
		}
	}
	return used
}
