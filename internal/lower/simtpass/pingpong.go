package simtpass

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// Groups of consumers share the loop over tiles of a persistent kernel (the ping-pong schedule of NVIDIA's CUTLASS, "Efficient GEMM"):
// group g has iterations g, g+n, g+2n, … of it, and what it stores is outstanding while another group multiplies.
//
//	one group              the next
//	  wait for its turn
//	  multiply               (store the tile before)
//	  give the turn away     wait for its turn
//	  store the tile         multiply
//
// The producer fills the circular buffers for all of them, tile by tile. So a group that has finished a tile goes on after what the buffers hold for the others'
// tiles; and only with the turn does it know that the phases of their barriers are over that came before its own.
type pingPong struct {
	*roleSplit
	groups int
	tiles  *simt.Op // the loop over tiles
	loops  []tensorLoop
}

// pingPong is how the groups of consumers that are asked for share a kernel, nil for one group.
func (sp *roleSplit) pingPong(loops []tensorLoop) *pingPong {
	if sp.Consumers < 2 {
		return nil
	}
	t := &pingPong{roleSplit: sp, groups: sp.Consumers, tiles: loops[0].path[0], loops: loops}
	if reason := t.refused(); reason != "" {
		sp.Consumers = 1
		sp.Notes = append(sp.Notes, fmt.Sprintf("%s: one group of consumers: %s", t.tiles.Line, reason))
		return nil
	}
	return t
}

// refused says why groups cannot share the kernel, "" if they can.
func (t *pingPong) refused() string {
	inside := map[*simt.Value]bool{}
	for _, a := range t.tiles.Body.Args {
		inside[a] = true
	}
	simt.Walk(t.tiles.Body, func(op *simt.Op) {
		for _, v := range op.Out {
			inside[v] = true
		}
	})
	for _, loop := range t.loops {
		if len(loop.path) != 2 || loop.path[0] != t.tiles {
			return "copies are not all in loops of one loop over tiles"
		}
		for _, bound := range loop.path[1].Args[:3] {
			if inside[bound] {
				return "tiles differ in how many copies they take"
			}
		}
	}
	for _, op := range t.Kernel.Body.Ops {
		if op != t.tiles && !op.Kind.IsPure() && op.Kind != simt.Exit && op.Kind != simt.StoreWait {
			return fmt.Sprintf("%v is beside the loop over tiles", op.Kind)
		}
	}
	threads := t.groups * t.Kernel.Threads
	threads += producersFor(threads)
	switch {
	case t.Caps.MaxThreads > 0 && threads > t.Caps.MaxThreads:
		return fmt.Sprintf("%d threads, the device has at most %d", threads, t.Caps.MaxThreads)
	case t.copyStages(t.loops) < 1:
		return fmt.Sprintf("%d bytes of shared memory have no room for what is each group's own", t.Caps.SharedBytes)
	case len(t.tiles.Out) > 0:
		return "a tile needs what the one before it computed"
	case !t.Distinct:
		return "tiles may store to one place, or load what others store"
	}
	return ""
}

// take makes the consumers' role that of several groups.
func (t *pingPong) take(schedules []*schedule) {
	role, loop := t.Kernel.Body.Ops[len(t.Kernel.Body.Ops)-1].Else, t.tiles
	body := loop.Body.Ops
	yield := body[len(body)-1]
	before, end := &cloner{ids: t.ids}, &cloner{ids: t.ids} // of the loop, of an iteration
	group := before.emit(&simt.Op{Kind: simt.ConsumerID}, simt.Scalar(dtype.I32), "consumer")
	lo, step := loop.Args[0], loop.Args[2]
	loop.Args[0] = before.binary(simt.Add, lo, before.binary(simt.Mul, group, step, ""), "")
	loop.Args[2] = before.binary(simt.Mul, step, t.ids.Int(t.groups), "")
	for i, inner := range t.loops { // whose stage and phase the loop carries
		n := before.iterations(inner.path[1])
		first, next := loop.Args[3+2*i:][:2], yield.Args[2*i:][:2]
		buffer := schedules[i].buffers[0]
		first[0], first[1] = buffer.skip(before, first[0], first[1], before.binary(simt.Mul, group, n, ""))
		next[0], next[1] = buffer.skip(end, next[0], next[1], before.binary(simt.Mul, n, t.ids.Int(t.groups-1), ""))
	}
	t.alternate(before, end, group)
	loop.Body.Ops = slices.Concat(loop.Body.Ops[:len(loop.Body.Ops)-1], end.ops, []*simt.Op{yield})
	at := slices.Index(role.Ops, loop)
	role.Ops = slices.Concat(role.Ops[:at], before.ops, role.Ops[at:])
	t.apart(role, group)
	t.Kernel.Consumers = t.groups
	t.Notes = append(t.Notes, fmt.Sprintf("%s: %d groups of %d threads alternate", loop.Line, t.groups, t.Kernel.Threads))
}

// iterations is how many a loop has.
func (c *cloner) iterations(loop *simt.Op) *simt.Value {
	lo, hi, step := loop.Args[0], loop.Args[1], loop.Args[2]
	span := c.binary(simt.Sub, hi, lo, "")
	if one, ok := simt.ConstOf(step); !ok || one != 1 {
		last := c.binary(simt.Sub, step, c.ids.Int(1), "")
		span = c.binary(simt.Div, c.binary(simt.Add, span, last, ""), step, "")
	}
	return c.binary(simt.Max, span, c.ids.Int(0), "iterations")
}

// alternate lets one group after the other multiply. Each has a barrier, at which the one before arrives when it has multiplied; the first
// group's first turn comes before any arrival.
func (t *pingPong) alternate(before, end *cloner, group *simt.Value) {
	loop, one := t.tiles, t.ids.Int(1)
	barrier := t.ids.NewSignals("multiplying", t.groups, t.Kernel.Threads/simt.WarpThreads)
	barrier.Line, barrier.Note = loop.Line, "whose turn it is"
	isFirst := before.emit(&simt.Op{Kind: simt.Eq, Args: []*simt.Value{group, t.ids.Int(0)}}, simt.Scalar(dtype.Bool), "")
	parity := before.emit(&simt.Op{Kind: simt.Select, Args: []*simt.Value{isFirst, one, t.ids.Int(0)}}, one.Type, "parity")
	next := before.binary(simt.Add, group, one, "")
	isLast := before.emit(&simt.Op{Kind: simt.Eq, Args: []*simt.Value{next, t.ids.Int(t.groups)}}, simt.Scalar(dtype.Bool), "")
	next = before.emit(&simt.Op{Kind: simt.Select, Args: []*simt.Value{isLast, t.ids.Int(0), next}}, one.Type, "next")

	now, final := t.ids.NewValue(one.Type, "parity"), t.ids.NewValue(one.Type, "parity")
	final.Op = loop
	loop.Args, loop.Body.Args, loop.Out = append(loop.Args, parity), append(loop.Body.Args, now), append(loop.Out, final)
	yield := loop.Body.Ops[len(loop.Body.Ops)-1]
	yield.Args = append(yield.Args, end.binary(simt.Xor, now, one, "parity"))

	var out []*simt.Op
	for _, op := range loop.Body.Ops {
		if op == t.loops[0].path[1] {
			out = append(out, &simt.Op{Kind: simt.Wait, Shared: barrier, Args: []*simt.Value{group, now}, Line: loop.Line})
		}
		out = append(out, op)
		if op == t.loops[len(t.loops)-1].path[1] {
			out = append(out, &simt.Op{Kind: simt.Arrive, Shared: barrier, Args: []*simt.Value{next}, Line: loop.Line})
		}
	}
	loop.Body.Ops = out
}

// apart gives each group a part of its own of the arrays that are no circular buffers.
func (t *pingPong) apart(role *simt.Block, group *simt.Value) {
	offsets := map[*simt.Shared]*simt.Value{}
	own := &cloner{ids: t.ids}
	for _, s := range t.Kernel.Shared {
		if s.Stages == 0 && s.Arrivals == 0 {
			offsets[s] = own.binary(simt.Mul, group, t.ids.Int(s.Len), s.Name)
			s.Len *= t.groups
		}
	}
	at := slices.Index(role.Ops, group.Op) + 1
	rest := shiftAccesses(role.Ops[at:], offsets, t.ids)
	role.Ops = slices.Concat(role.Ops[:at], own.ops, rest)
}
