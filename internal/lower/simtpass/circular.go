package simtpass

import (
	"slices"

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
	e := s.edit.New()
	stage, phase := b.move(e, b.stage, b.phase, 1)
	b.next = e.Take()
	yield := s.loop.Body.Yield()
	if yield.Args = append(yield.Args, stage); phases {
		yield.Args = append(yield.Args, phase)
	}
	s.buffers = append(s.buffers, b)
	return b
}

// carry makes loops in each other carry one value more, which starts as 0, and returns what the innermost one's body has
// as it. The yield of that loop still lacks its next value.
func (s *schedule) carry(loops []*simt.Op, hint string) *simt.Value {
	now := s.edit.Int(0)
	for i, loop := range loops {
		inner, final := s.edit.Carry(loop, now, hint)
		if now = inner; i > 0 {
			yield := loops[i-1].Body.Yield()
			yield.Args = append(yield.Args, final)
		}
	}
	return now
}

// move is the stage and the phase some iterations after others, or before them, at most as many as there are stages.
func (b *circular) move(e *simt.Editor, stage, phase *simt.Value, by int) (*simt.Value, *simt.Value) {
	if now, ok := simt.ConstOf(stage); ok && phase == nil {
		return e.Int((int(now) + by + b.stages) % b.stages), nil
	}
	if phase == nil && by == b.stages-1 && by > 1 {
		by = -1
	}
	var round, moved, other *simt.Value // whether the buffer begins anew, and the stage if not and if so
	sum := func() *simt.Value { return e.Binary(simt.Add, stage, e.Int(by)) }
	switch {
	case by == 0:
		return stage, phase
	case by == 1:
		round = e.Binary(simt.Eq, stage, e.Int(b.stages-1))
		moved, other = sum(), e.Int(0)
	case by == -1:
		round = e.Binary(simt.Eq, stage, e.Int(0))
		moved, other = sum(), e.Int(b.stages-1)
	case by > 0:
		moved = sum()
		round = e.Binary(simt.Ge, moved, e.Int(b.stages))
		other = e.Binary(simt.Sub, moved, e.Int(b.stages))
	default:
		moved = sum()
		round = e.Binary(simt.Lt, moved, e.Int(0))
		other = e.Binary(simt.Add, moved, e.Int(b.stages))
	}
	next := e.Name("stage", e.Select(round, other, moved))
	if phase == nil {
		return next, nil
	}
	flip := e.Select(round, e.Int(1), e.Int(0))
	return next, e.Name("phase", e.Binary(simt.Xor, phase, flip))
}

// skip is the stage and the phase a number of iterations later that the kernel computes.
func (b *circular) skip(e *simt.Editor, stage, phase, by *simt.Value) (*simt.Value, *simt.Value) {
	position, n := e.Binary(simt.Add, stage, by), e.Int(b.stages)
	round := e.Binary(simt.Div, position, n)
	stage = e.Name("stage", e.Binary(simt.Sub, position, e.Binary(simt.Mul, round, n)))
	return stage, e.Name("phase", e.Binary(simt.Xor, phase, e.Binary(simt.And, round, e.Int(1))))
}

// shiftAccesses makes the accesses of ops to arrays, and those in their bodies, be to parts of them that begin at offsets.
func shiftAccesses(e *simt.Editor, ops []*simt.Op, offsets map[*simt.Shared]*simt.Value) []*simt.Op {
	b := &simt.Block{Ops: ops}
	e.Rewrite(b, func(op *simt.Op) {
		if by := offsets[op.Shared]; by != nil {
			op.Args[0] = shift(e, op.Args[0], by)
		}
		e.Do(op)
	})
	return b.Ops
}

// shift is an index moved by an offset. A constant part is added last: accesses add it for nothing, and no register holds
// the sum through a loop.
func shift(e *simt.Editor, index, by *simt.Value) *simt.Value {
	if op := index.Op; op != nil && op.Kind == simt.Add {
		if _, ok := simt.ConstOf(op.Args[1]); ok {
			return e.Binary(simt.Add, e.Binary(simt.Add, op.Args[0], by), op.Args[1])
		}
	}
	return e.Binary(simt.Add, index, by)
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
