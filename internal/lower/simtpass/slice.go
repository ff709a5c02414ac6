package simtpass

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/simt"
)

// slicer finds what some ops of a block need: the loops around them and all that their operands are computed from.
type slicer struct {
	parents map[*simt.Op]*simt.Op // the op in whose body another stands
	slots   map[*simt.Value]loopSlot
	ops     map[*simt.Op]bool
	values  map[*simt.Value]bool
	refused string // why there is no such slice, "" if there is one
}

// loopSlot says that a value is what a loop carries: the argument of its body or its result number i.
type loopSlot struct {
	loop *simt.Op
	i    int // -1 for the index
}

func newSlicer(b *simt.Block, wanted map[*simt.Op]bool) *slicer {
	s := &slicer{parents: map[*simt.Op]*simt.Op{}, slots: map[*simt.Value]loopSlot{}, ops: map[*simt.Op]bool{}, values: map[*simt.Value]bool{}}
	s.index(b, nil)
	simt.Walk(b, func(op *simt.Op) {
		if wanted[op] {
			s.need(op)
		}
	})
	return s
}

func (s *slicer) index(b *simt.Block, parent *simt.Op) {
	for _, op := range b.Ops {
		s.parents[op] = parent
		if op.Kind == simt.For {
			_, params := op.Carried()
			s.slots[op.Body.Args[0]] = loopSlot{op, -1}
			for i, out := range op.Out {
				s.slots[out], s.slots[params[i]] = loopSlot{op, i}, loopSlot{op, i}
			}
		}
		for _, body := range op.Blocks() {
			s.index(body, op)
		}
	}
}

// need marks an op, all that its operands come from, and the loops around it.
func (s *slicer) need(op *simt.Op) {
	if s.ops[op] {
		return
	}
	s.ops[op] = true
	parent, inside := s.parents[op]
	switch {
	case !inside: // it stands before the block
		return
	case op.Kind == simt.For:
		s.all(op.Args[:3])
	case op.Kind.IsPure() || op.Kind >= simt.TensorCopy && op.Kind <= simt.Wait:
		s.all(op.Args)
	default:
		s.refused = fmt.Sprintf("copies depend on %v, which takes all threads", op.Kind)
	}
	if parent != nil {
		s.need(parent)
	}
}

func (s *slicer) all(values []*simt.Value) {
	for _, v := range values {
		s.value(v)
	}
}

func (s *slicer) value(v *simt.Value) {
	if s.values[v] {
		return
	}
	s.values[v] = true
	slot, carried := s.slots[v]
	switch {
	case carried:
		s.need(slot.loop)
		if slot.i < 0 {
			return
		}
		initial, params := slot.loop.Carried()
		s.all([]*simt.Value{params[slot.i], initial[slot.i], slot.loop.Yields(slot.i)[0]})
	case v.Op != nil:
		s.need(v.Op)
	}
}

// carries reports whether the slice needs what a loop carries as number i.
func (s *slicer) carries(loop *simt.Op, i int) bool {
	_, params := loop.Carried()
	return s.values[params[i]]
}

// clone copies the slice.
func (s *slicer) clone(b *simt.Block, ids *simt.Builder) *simt.Block {
	return s.block(b, ids, map[*simt.Value]*simt.Value{})
}

func (s *slicer) block(b *simt.Block, ids *simt.Builder, copies map[*simt.Value]*simt.Value) *simt.Block {
	at := func(v *simt.Value) *simt.Value {
		if c := copies[v]; c != nil {
			return c
		}
		return v
	}
	out := &simt.Block{}
	for _, op := range b.Ops {
		if !s.ops[op] {
			continue
		}
		c := *op
		c.Args, c.Out = nil, nil
		define := func(v *simt.Value, of *simt.Op) *simt.Value {
			copies[v] = ids.NewValue(v.Type, v.Hint)
			copies[v].Op = of
			return copies[v]
		}
		if op.Kind == simt.For {
			s.loop(op, &c, ids, copies, at, define)
		} else {
			for _, a := range op.Args {
				c.Args = append(c.Args, at(a))
			}
			for _, v := range op.Out {
				c.Out = append(c.Out, define(v, &c))
			}
		}
		out.Ops = append(out.Ops, &c)
	}
	return out
}

// loop copies a loop into c, without what nobody in the slice needs of what it carries.
func (s *slicer) loop(op, c *simt.Op, ids *simt.Builder, copies map[*simt.Value]*simt.Value, at func(*simt.Value) *simt.Value,
	define func(*simt.Value, *simt.Op) *simt.Value) {
	initial, params := op.Carried()
	for _, a := range op.Args[:3] {
		c.Args = append(c.Args, at(a))
	}
	args := []*simt.Value{define(op.Body.Args[0], nil)}
	var kept []int
	for i, a := range initial {
		if s.carries(op, i) {
			kept = append(kept, i)
			c.Args = append(c.Args, at(a))
			args = append(args, define(params[i], nil))
		}
	}
	c.Body = s.block(op.Body, ids, copies)
	c.Body.Args = args
	yield := &simt.Op{Kind: simt.Yield}
	for _, i := range kept {
		yield.Args = append(yield.Args, at(op.Yields(i)[0]))
		c.Out = append(c.Out, define(op.Out[i], c))
	}
	c.Body.Ops = append(slices.Clip(c.Body.Ops), yield)
}
