package simtpass

import "github.com/weftgpu/weft/simt"

// pipeline makes loops bring what an iteration needs before it begins (software pipelining): by asynchronous copies to shared memory, else
// by loads to registers, which cooperative matrices have stored to shared memory as well. What threads make of copies for products of warpgroups runs
// ahead, too.
func pipeline(r *Context) {
	if r.Stages < 2 {
		return
	}
	e := simt.Edit(r.Kernel)
	e.Rewrite(r.Kernel.Body, func(op *simt.Op) {
		if op.Kind != simt.For {
			e.Do(op)
			return
		}
		s := newSchedule(r, e, op)
		s.copyAhead(e.InLoop())
		s.transformAhead()
		s.outstanding()
		if !s.stepAhead() && !s.stageAhead() {
			s.prefetch()
		}
		before, after := s.expand()
		if s.copies != nil {
			rest, stores := lateStores(e.Take(), before, op)
			e.Append(rest...)
			before = append(before, stores...)
		}
		e.Append(before...)
		e.Do(op)
		e.Append(after...)
	})
}
