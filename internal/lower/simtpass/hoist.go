package simtpass

import "github.com/weftgpu/weft/simt"

// hoist moves pure ops out of loops whose bodies they do not depend on.
func hoist(r *Context) {
	e := simt.Edit(r.Kernel)
	e.Rewrite(r.Kernel.Body, func(op *simt.Op) {
		if op.Kind.IsLoop() {
			e.Append(extractInvariant(op.Body, starts(op))...)
		}
		e.Do(op)
	})
}

// starts reports whether a loop's body is known to start at least once.
func starts(loop *simt.Op) bool {
	if loop.Kind == simt.While {
		return true
	}
	lo, okLo := simt.ConstOf(loop.Args[0])
	hi, okHi := simt.ConstOf(loop.Args[1])
	return okLo && okHi && lo < hi
}

// extractInvariant removes from a loop's body, and returns, the pure ops that
// depend on nothing defined in it; those that may trap only up to where the
// body is sure to be executed.
func extractInvariant(body *simt.Block, sure bool) (moved []*simt.Op) {
	var inside simt.Table[bool]
	for _, a := range body.Args {
		*inside.At(a) = true
	}
	rest := body.Ops[:0]
	for _, op := range body.Ops {
		invariant := op.Kind.IsPure() && (sure || !op.MayTrap())
		sure = sure && op.Kind != simt.Break && op.Kind != simt.Exit
		for _, a := range op.Args {
			invariant = invariant && !*inside.At(a)
		}
		if invariant {
			moved = append(moved, op)
			continue
		}
		rest = append(rest, op)
		for _, v := range op.Out {
			*inside.At(v) = true
		}
	}
	clear(body.Ops[len(rest):])
	body.Ops = rest
	return moved
}
