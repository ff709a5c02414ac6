package simtpass

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// circular is shared arrays of several pipeline stages, of which each iteration of a loop has the next: circular buffers that
// go round together.
type circular struct {
	stages int
	sizes  map[*simt.Shared]int // elements of a stage
	stage  *simt.Value          // of an iteration, which the loop carries
	phase  *simt.Value          // the parity of how often the buffer began anew, which the loop carries; nil where no barrier counts phases
	next   []*simt.Op           // what computes both for the next iteration
}

// circular gives arrays several stages. Loops in each other, of which the schedule's is the innermost, carry the stage on, and the phase, if
// barriers count phases.
func (s *schedule) circular(loops []*simt.Op, stages int, arrays map[*simt.Shared]bool, phases bool) *circular {
	b := &circular{stages: stages, sizes: map[*simt.Shared]int{}}
	for a := range arrays {
		b.sizes[a] = a.Len
		a.Len, a.Stages = a.Len*stages, stages
	}
	b.stage = s.carry(loops, "stage")
	if phases {
		b.phase = s.carry(loops, "phase")
	}
	c := &cloner{ids: s.ids}
	stage, phase := b.move(c, b.stage, b.phase, 1)
	b.next = c.ops
	yield := yieldOf(s.loop.Body)
	if yield.Args = append(yield.Args, stage); phases {
		yield.Args = append(yield.Args, phase)
	}
	s.buffers = append(s.buffers, b)
	return b
}

// carry makes loops in each other carry one value more, which starts as 0, and returns what the innermost one's body has
// as it. The yield of that loop still lacks its next value.
func (s *schedule) carry(loops []*simt.Op, hint string) *simt.Value {
	now := s.ids.Int(0)
	for i, loop := range loops {
		inner, final := s.carryInto(loop, now, hint)
		if now = inner; i > 0 {
			yield := yieldOf(loops[i-1].Body)
			yield.Args = append(yield.Args, final)
		}
	}
	return now
}

// carryInto makes one loop carry a value more, and returns what its body has as it, and what it gives in the end. Its yield still lacks the next value.
func (s *schedule) carryInto(loop *simt.Op, initial *simt.Value, hint string) (now, final *simt.Value) {
	now, final = s.ids.NewValue(initial.Type, hint), s.ids.NewValue(initial.Type, hint)
	final.Op = loop
	loop.Args, loop.Body.Args, loop.Out = append(loop.Args, initial), append(loop.Body.Args, now), append(loop.Out, final)
	return now, final
}

func yieldOf(b *simt.Block) *simt.Op { return b.Ops[len(b.Ops)-1] }

// move is the stage and the phase some iterations after others, or before them, at most as many as there are stages.
func (b *circular) move(c *cloner, stage, phase *simt.Value, by int) (*simt.Value, *simt.Value) {
	if now, ok := simt.ConstOf(stage); ok && phase == nil {
		return c.ids.Int((int(now) + by + b.stages) % b.stages), nil
	}
	if phase == nil && by == b.stages-1 && by > 1 {
		by = -1
	}
	var round, moved, other *simt.Value // whether the buffer begins anew, and the stage if not and if so
	sum := func() *simt.Value { return c.binary(simt.Add, stage, c.ids.Int(by), "") }
	truth := simt.Scalar(dtype.Bool)
	switch {
	case by == 0:
		return stage, phase
	case by == 1:
		round = c.emit(&simt.Op{Kind: simt.Eq, Args: []*simt.Value{stage, c.ids.Int(b.stages - 1)}}, truth, "")
		moved, other = sum(), c.ids.Int(0)
	case by == -1:
		round = c.emit(&simt.Op{Kind: simt.Eq, Args: []*simt.Value{stage, c.ids.Int(0)}}, truth, "")
		moved, other = sum(), c.ids.Int(b.stages-1)
	case by > 0:
		moved = sum()
		round = c.emit(&simt.Op{Kind: simt.Ge, Args: []*simt.Value{moved, c.ids.Int(b.stages)}}, truth, "")
		other = c.binary(simt.Sub, moved, c.ids.Int(b.stages), "")
	default:
		moved = sum()
		round = c.emit(&simt.Op{Kind: simt.Lt, Args: []*simt.Value{moved, c.ids.Int(0)}}, truth, "")
		other = c.binary(simt.Add, moved, c.ids.Int(b.stages), "")
	}
	next := c.choose(round, other, moved, "stage")
	if phase == nil {
		return next, nil
	}
	flip := c.choose(round, c.ids.Int(1), c.ids.Int(0), "")
	return next, c.emit(&simt.Op{Kind: simt.Xor, Args: []*simt.Value{phase, flip}}, phase.Type, "phase")
}

// skip is the stage and the phase a number of iterations later that the kernel computes.
func (b *circular) skip(c *cloner, stage, phase, by *simt.Value) (*simt.Value, *simt.Value) {
	position, n := c.binary(simt.Add, stage, by, ""), c.ids.Int(b.stages)
	round := c.binary(simt.Div, position, n, "")
	stage = c.binary(simt.Sub, position, c.binary(simt.Mul, round, n, ""), "stage")
	return stage, c.binary(simt.Xor, phase, c.binary(simt.And, round, c.ids.Int(1), ""), "phase")
}

// shiftAccesses makes the accesses of ops to arrays, and those in their bodies, be to parts of them that begin at offsets.
func shiftAccesses(ops []*simt.Op, offsets map[*simt.Shared]*simt.Value, ids *simt.Builder) (out []*simt.Op) {
	for _, op := range ops {
		for _, body := range op.Blocks() {
			body.Ops = shiftAccesses(body.Ops, offsets, ids)
		}
		if by := offsets[op.Shared]; by != nil {
			c := cloner{ids: ids}
			op.Args[0] = c.shift(op.Args[0], by)
			out = append(out, c.ops...)
		}
		out = append(out, op)
	}
	return out
}

// fitStages is how many stages of arrays there is room for in shared memory, at most those that are asked for: a stage has bytes and the others
// need the rest of the room.
func (r *Context) fitStages(stageBytes, room, least int, rest func(room int) (bytes, late int)) int {
	stages := r.Stages
	for ; stages > least && r.Caps.SharedBytes > 0; stages-- {
		bytes, late := rest(room - stages*stageBytes)
		if bytes+max(stages*stageBytes, late) <= room {
			break
		}
	}
	return stages
}

// stageBytes is what a stage of arrays takes.
func stageBytes(arrays map[*simt.Shared]bool) (bytes int) {
	for a := range arrays {
		bytes += a.Bytes()
	}
	return bytes
}

// inTop reports whether an op stands in the kernel's body itself.
func (r *Context) inTop(op *simt.Op) bool { return slices.Contains(r.Kernel.Body.Ops, op) }
