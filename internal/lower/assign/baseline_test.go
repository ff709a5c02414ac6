package assign

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/memory"
	"github.com/weftgpu/weft/internal/lower/tilepass"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// What stands here is the rule that assignment has replaced, one distribution for each shape of tile in
// a kernel: the yardstick that it must not cost more than.

// onePerShape gives the sites of a kernel the distributions of that rule.
func onePerShape(a *Assignment, k *tile.Func) {
	d := distribute(k, a.Costs.Facts, a.Costs.Threads, a.Costs.Caps)
	onlyDots := func(s *Site) (stage *Site) {
		for _, u := range a.Uses[s.op.Result()] {
			if u.Value != s.op.Result() || u.Site.operand < 0 {
				return nil
			}
			stage = u.Site
		}
		return stage
	}
	put := func(s *Site, l layout.Linear) {
		n := a.Costs.Number(l)
		if s.Chosen = slices.Index(s.Candidates, n); s.Chosen < 0 {
			s.Chosen = len(s.Candidates)
			s.Candidates = append(s.Candidates, n)
		}
	}
	for _, s := range a.Sites {
		l := d.of(s.shape)
		if s.op.Kind == tile.OpScan {
			if _, ok := distribution.ScanOf(l, s.op.Axis); !ok {
				l = distribution.ScanTile(s.shape, s.op.Axis, d.threads)
			}
		}
		put(s, l)
	}
	for _, s := range a.Sites {
		if stage := onlyDots(s); s.op.Kind == tile.OpLoad && stage != nil && len(s.shape) == 2 {
			l := distribution.Operand(s.shape, d.threads, 1-stage.operand, memory.ContiguousDim(d.facts.Views[s.op.View.Index]))
			put(s, l)
			for _, u := range a.Uses[s.op.Result()] {
				put(u.Site, l)
			}
		}
	}
}

// distributions gives every shape of tile in a kernel one distribution, so that
// element-wise ops never move data: only ops that change shapes may have to.
type distributions struct {
	threads int
	caps    target.Caps
	facts   axis.Facts
	byShape map[string]layout.Linear
}

func shapeKey(shape []int) string { return fmt.Sprint(shape) }

// of returns the distribution of a shape, a row-major one if nothing in the kernel chose it.
func (d *distributions) of(shape []int) layout.Linear {
	key := shapeKey(shape)
	if l, ok := d.byShape[key]; ok {
		return l
	}
	l := distribution.Blocked(shape, d.threads, len(shape)-1, distribution.RegisterLanes)
	d.byShape[key] = l
	return l
}

// distribute chooses the distributions of a kernel, in this order: a Dot's
// accumulator gets a register tile for each thread; shapes that are loaded or stored follow
// the memory's contiguous dimension, the largest first; shapes reached from
// those by reducing or broadcasting are their projections.
func distribute(k *tile.Func, facts axis.Facts, threads int, caps target.Caps) distributions {
	d := distributions{threads: threads, caps: caps, facts: facts, byShape: map[string]layout.Linear{}}
	var ops []*tile.Op
	flatten(k.Body, &ops)
	needed := tilepass.Needed(k)
	ops = slices.DeleteFunc(ops, func(op *tile.Op) bool { return !needed[op] })
	for _, op := range ops {
		if op.Kind == tile.OpDot {
			s := op.Result().Type().Shape
			d.set(s, distribution.Accumulator(s, threads))
		}
	}
	d.project(ops)
	for _, op := range largestFirst(memoryOps(ops)) {
		s := op.AccessType().Shape
		v := d.facts.Views[op.View.Index]
		d.set(s, distribution.Blocked(s, d.threads, memory.ContiguousDim(v), memory.MaxVector(op.View.Elem)))
		d.project(ops)
	}
	return d
}

// set keeps the first choice for a shape.
func (d *distributions) set(shape []int, l layout.Linear) {
	if key := shapeKey(shape); !d.has(shape) {
		d.byShape[key] = l
	}
}

func (d *distributions) has(shape []int) bool {
	_, ok := d.byShape[shapeKey(shape)]
	return ok
}

// project derives distributions along reductions and broadcasts, from the
// larger shape to the smaller one, until nothing changes.
func (d *distributions) project(ops []*tile.Op) {
	for changed := true; changed; {
		changed = false
		for _, op := range ops {
			var large, small []int
			switch op.Kind.Fact().Class {
			case tile.Reduction, tile.Combine:
				if op.Kind == tile.OpScan {
					continue
				}
				large, small = op.Args[0].Type().Shape, op.Result().Type().Shape
			case tile.Shape:
				changed = d.relabel(op) || changed
				if op.Kind != tile.OpBroadcast {
					continue
				}
				large, small = op.Result().Type().Shape, op.Args[0].Type().Shape
			default:
				continue
			}
			if d.has(large) && !d.has(small) {
				d.set(small, distribution.Project(d.of(large), small))
				changed = true
			}
		}
	}
}

func flatten(r *tile.Region, out *[]*tile.Op) {
	for _, op := range r.Ops {
		*out = append(*out, op)
		for _, body := range op.Regions() {
			flatten(body, out)
		}
	}
}

func memoryOps(ops []*tile.Op) (out []*tile.Op) {
	for _, op := range ops {
		if op.Kind == tile.OpLoad || op.Kind == tile.OpStore {
			out = append(out, op)
		}
	}
	return out
}

func largestFirst(ops []*tile.Op) []*tile.Op {
	slices.SortStableFunc(ops, func(a, b *tile.Op) int { return b.AccessType().Len() - a.AccessType().Len() })
	return ops
}

// relabel derives the distribution of one side of such an op from the other's and
// reports whether it did.
func (d *distributions) relabel(op *tile.Op) bool {
	var there, back func(layout.Linear) layout.Linear
	splits := func(layout.Linear) bool { return true }
	from, to := op.Args[0].Type().Shape, []int(nil)
	if r := op.Result(); r != nil {
		to = r.Type().Shape
	}
	switch op.Kind {
	case tile.OpReshape:
		there = func(l layout.Linear) layout.Linear { return distribution.Reshape(l, to) }
		back = func(l layout.Linear) layout.Linear { return distribution.Reshape(l, from) }
	case tile.OpPermute:
		there = func(l layout.Linear) layout.Linear { return l.Transpose(op.Perm) }
		back = func(l layout.Linear) layout.Linear { return l.Transpose(distribution.Inverse(op.Perm)) }
	case tile.OpJoin:
		there, back, splits = distribution.Joined, distribution.Unjoined, distribution.IsJoined
	case tile.OpSplit:
		from, to = to, from
		there, back, splits = distribution.Joined, distribution.Unjoined, distribution.IsJoined
	default:
		return false
	}
	switch {
	case d.has(from) && !d.has(to):
		d.set(to, there(d.of(from)))
	case d.has(to) && !d.has(from) && splits(d.of(to)):
		d.set(from, back(d.of(to)))
	default:
		return false
	}
	return true
}
