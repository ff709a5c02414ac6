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
//	  wait for its phase
//	  multiply               (store the previous tile)
//	  arrive for the next    wait for its phase
//	  store the tile         multiply
//
// The producer fills the circular buffers for all groups, tile by tile. A group that has finished a tile skips the stages of the other
// groups' tiles. Its wait also ensures that the earlier phases of the stages' barriers are over.
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
	inside := simt.UsesIn(t.tiles.Body)
	for _, loop := range t.loops {
		if len(loop.path) != 2 || loop.path[0] != t.tiles {
			return "copies are not all in loops of one loop over tiles"
		}
		for _, bound := range loop.path[1].Args[:3] {
			if inside.Block(bound) != nil {
				return "tiles differ in how many copies they take"
			}
		}
	}
	for _, op := range t.Kernel.Body.Ops {
		if op != t.tiles && !op.Kind.IsPure() && op.Kind != simt.Exit && op.Kind != simt.StoreWait {
			return fmt.Sprintf("%v is outside the loop over tiles", op.Kind)
		}
	}
	threads := t.groups * t.Kernel.Threads
	threads += producersFor(threads)
	switch {
	case t.Caps.MaxThreads > 0 && threads > t.Caps.MaxThreads:
		return fmt.Sprintf("%d threads, the device has at most %d", threads, t.Caps.MaxThreads)
	case t.copyStages(t.loops, true) < 1:
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
	yield := loop.Body.Yield()
	before, end := t.edit.New(), t.edit.New() // of the loop, of an iteration
	group := before.Name("consumer", before.Emit(&simt.Op{Kind: simt.ConsumerID}, simt.Scalar(dtype.I32)))
	lo, step := loop.Args[0], loop.Args[2]
	loop.Args[0] = before.Binary(simt.Add, lo, before.Binary(simt.Mul, group, step))
	loop.Args[2] = before.Binary(simt.Mul, step, before.Int(t.groups))
	for i, inner := range t.loops { // whose stage and phase the loop carries
		n := iterations(before, inner.path[1])
		first, next := loop.Args[3+2*i:][:2], yield.Args[2*i:][:2]
		buffer := schedules[i].buffers[0]
		first[0], first[1] = buffer.skip(before, first[0], first[1], before.Binary(simt.Mul, group, n))
		next[0], next[1] = buffer.skip(end, next[0], next[1], before.Binary(simt.Mul, n, before.Int(t.groups-1)))
	}
	t.alternate(before, end, group)
	loop.Body.Insert(yield, end.Take()...)
	role.Insert(loop, before.Take()...)
	t.apart(role, group)
	t.Kernel.Consumers = t.groups
	t.Notes = append(t.Notes, fmt.Sprintf("%s: %d groups of %d threads alternate", loop.Line, t.groups, t.Kernel.Threads))
}

// iterations is how many a loop has.
func iterations(e *simt.Editor, loop *simt.Op) *simt.Value {
	lo, hi, step := loop.Args[0], loop.Args[1], loop.Args[2]
	span := e.Binary(simt.Sub, hi, lo)
	if one, ok := simt.ConstOf(step); !ok || one != 1 {
		last := e.Binary(simt.Sub, step, e.Int(1))
		span = e.Binary(simt.Div, e.Binary(simt.Add, span, last), step)
	}
	return e.Name("iterations", e.Binary(simt.Max, span, e.Int(0)))
}

// alternate lets one group after the other multiply. Each group has an mbarrier, at which the previous group arrives when it has multiplied.
// The first group's first wait passes without an arrival.
func (t *pingPong) alternate(before, end *simt.Editor, group *simt.Value) {
	loop, zero, one := t.tiles, before.Int(0), before.Int(1)
	barrier := t.edit.NewSignals("multiplying", t.groups, t.Kernel.Threads/simt.WarpThreads)
	barrier.Line, barrier.Note = loop.Line, "which group multiplies"
	parity := before.Name("parity", before.Select(before.Binary(simt.Eq, group, zero), one, zero))
	next := before.Binary(simt.Add, group, one)
	next = before.Name("next", before.Select(before.Binary(simt.Eq, next, before.Int(t.groups)), zero, next))
	now, _ := before.Carry(loop, parity, "parity")
	yield := loop.Body.Yield()
	yield.Args = append(yield.Args, end.Name("parity", end.Binary(simt.Xor, now, one)))
	first, last := t.loops[0].path[1], t.loops[len(t.loops)-1].path[1]
	loop.Body.Insert(first, &simt.Op{Kind: simt.Wait, Shared: barrier, Args: []*simt.Value{group, now}, Line: loop.Line})
	loop.Body.InsertAfter(last, &simt.Op{Kind: simt.Arrive, Shared: barrier, Args: []*simt.Value{next}, Line: loop.Line})
}

// apart gives each group a part of its own of the arrays that are no circular buffers.
func (t *pingPong) apart(role *simt.Block, group *simt.Value) {
	offsets := map[*simt.Shared]*simt.Value{}
	e := t.edit.New()
	for _, s := range t.Kernel.Shared {
		if s.Stages == 0 && s.Arrivals == 0 {
			offsets[s] = e.Name(s.Name, e.Binary(simt.Mul, group, e.Int(s.Len)))
			s.Len *= t.groups
		}
	}
	at := slices.Index(role.Ops, group.Op) + 1
	role.Ops = slices.Concat(role.Ops[:at], e.Take(), shiftAccesses(e, role.Ops[at:], offsets))
}
