package tile

import (
	"iter"
	"strconv"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

// Split-K gives several programs the parts of one reduction: where a result has few
// tiles and a long reduction, a machine would be idle otherwise. The third dimension of
// the grid counts the parts. Their sums come together in one of two ways:
//
//   - Block.Accumulate adds them up in the result by atomic ops, in any order: no memory
//     and no second kernel, but F32 sums that are not reproducible bit by bit.
//   - Each program stores its part in a workspace with a dimension for SplitID, and
//     a second kernel adds the parts in their order: reproducible, and for any type.

// splitting is what a Builder knows of splits.
type splitting struct {
	read bool   // the schedule was read
	used bool   // the kernel divides its work, if it is split
	into *Value // how many parts there are, if the launch says so
	at   Pos    // where the kernel says so
}

// Splits is the number of programs that share a reduction, 1 at least.
func (k *Builder) Splits() int { return max(1, k.schedule().SplitK) }

// SplitInto is Schedule.SplitK with a number that is known before the launch (see Grid), such as the size of a workspace's dimension: one kernel then
// serves any number of programs that share a reduction. It comes before SplitID and SplitRange. Splits and Accumulate know nothing of it.
//
//	parts := k.Out("parts", dtype.F32, 3)
//	k.SplitInto(parts.Dim(0))
func (k *Builder) SplitInto(n Operand) {
	switch {
	case k.split.used:
		k.fail(fault.New(fault.ErrKernel, "", "the split is changed after its use: call it before SplitID and SplitRange"))
	case k.Splits() > 1 || k.split.into != nil:
		k.fail(fault.New(fault.ErrKernel, "", "the reduction is split already"))
	default:
		v := k.operand("n", n, dtype.I32)
		if v.typ.Elem != dtype.Invalid {
			if err := checkGrid(2, v); err != nil {
				k.failOp(err)
			}
		}
		k.split.into, k.split.at = v, callerPos()
	}
}

// splits reports whether several programs may share a reduction.
func (k *Builder) splits() bool {
	k.split.used = true
	return k.Splits() > 1 || k.split.into != nil
}

// SplitID is the number of this program's part of a reduction, from 0 on.
func (k *Builder) SplitID() *Value {
	if !k.splits() {
		return k.Int(0)
	}
	return k.ProgramID(2)
}

// SplitRange describes a loop over this program's part of the iterations i = 0, 1, … n-1 of
// a reduction, which Schedule.SplitK programs share: each takes a run of them, of one length
// but for the last. Programs beyond the iterations have none. With one program
// it is Range.
//
//	for i := range k.SplitRange(k.CDiv(a.Dim(1), 32)) {
//		sum.Set(tile.Dot(as.Load(row, i), bs.Load(i, column), sum.Get(), tile.IEEE))
//	}
//	out.Block(64, 64).Accumulate(sum.Get(), row, column)
func (k *Builder) SplitRange(n Operand) iter.Seq[*Value] {
	if !k.splits() {
		return k.Range(n)
	}
	total, parts := k.operand("n", n, dtype.I32), Operand(k.Splits())
	if k.split.into != nil {
		parts = k.split.into
	}
	return k.partRange(total, k.SplitID(), parts)
}

// partRange is the loop over one part of so many iterations, a run of them.
func (k *Builder) partRange(total, part *Value, parts Operand) iter.Seq[*Value] {
	run := k.CDiv(total, parts)
	first := part.Mul(run)
	k.Assume(first.Ge(0)) // it is at most about the total
	return k.RangeStep(first, first.Add(run).Minimum(total), 1)
}

// Accumulate writes this program's part of a reduction to the block at coordinates counted in
// tiles. With one program for each tile it is Store. Where Schedule.SplitK programs share
// a tile, each adds its part by an atomic op, and a launch clears the
// whole view before: so the view holds the sum after a launch, whatever it
// held before, and the kernel's programs must reach all of it. The view must then be
// F32, whose sums are not reproducible bit by bit (Func.Reproducible), I32 or U32, must not
// share elements with the launch's other views, and becomes InOut.
func (b Block) Accumulate(value *Value, coords ...Operand) {
	k := b.view.b
	if k.Splits() == 1 {
		b.Store(value, coords...)
		return
	}
	switch b.view.Elem {
	case dtype.F32, dtype.I32, dtype.U32:
	default:
		k.fail(fault.New(fault.ErrUnsupported, "", "%d programs add to %s of %v, want f32, i32 or u32",
			k.Splits(), b.view.Name, b.view.Elem))
		return
	}
	if b.view.Access&Out == 0 {
		k.fail(fault.New(fault.ErrKernel, "", "view %s is declared In, want Out or InOut to write it", b.view.Name))
		return
	}
	if value == nil {
		k.fail(fault.New(fault.ErrKernel, "", "the value is nil"))
		return
	}
	b.view.Access, b.view.Cleared = InOut, true
	b.AtomicAdd(value, coords...)
}

// finishSplit gives the grid the dimension that counts the parts of reductions.
func (k *Builder) finishSplit() {
	s, parts, at := k.kernel.Schedule, "several", k.split.at
	if s.SplitK > 1 {
		parts, at = strconv.Itoa(s.SplitK), k.kernel.SchedulePos
	}
	if s.SplitK <= 1 && k.split.into == nil || k.err != nil {
		return
	}
	fail := func(format string, args ...any) {
		k.fail(fault.New(fault.ErrKernel, "schedule", format, args...).At(at.String()))
	}
	grid := &k.kernel.Grid
	switch {
	case !k.split.used:
		fail("a split into %s, but the kernel divides no reduction: call SplitRange or SplitID", parts)
	case grid[2] != nil:
		fail("a split into %s needs the third dimension of the grid, which the kernel declares itself", parts)
	default:
		grid[2] = k.split.into
		for axis, n := range []int{1, 1, s.SplitK} {
			if grid[axis] == nil {
				grid[axis] = k.Int(n)
				grid[axis].op.Pos = at
			}
		}
	}
}
