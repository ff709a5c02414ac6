package simtpass

import (
	"slices"

	"github.com/weftgpu/weft/simt"
)

// pipeline makes loops bring what an iteration needs before it begins (software pipelining): by asynchronous copies to shared memory, else
// by loads to registers. What threads make of copies for products of warpgroups runs ahead, too.
func pipeline(r *Context) {
	if r.Stages > 1 {
		r.pipelineBlock(r.Kernel.Body, simt.Edit(r.Kernel), false)
	}
}

// pipelineBlock does so with the loops of a block, which runs more than once if again says so.
func (r *Context) pipelineBlock(b *simt.Block, ids *simt.Builder, again bool) {
	var out []*simt.Op
	ops := b.Ops
	for _, op := range ops {
		for _, body := range op.Blocks() {
			r.pipelineBlock(body, ids, again || op.Kind.IsLoop())
		}
		if op.Kind == simt.For {
			s := newSchedule(r, ids, op)
			s.copyAhead(again)
			s.transformAhead()
			s.outstanding()
			s.prefetch()
			before, after := s.expand()
			var stores []*simt.Op
			if s.copies != nil {
				out, stores = lateStores(out, before, op)
			}
			out = append(slices.Concat(out, before, stores, []*simt.Op{op}), after...)
			continue
		}
		out = append(out, op)
	}
	constants := b.Ops[:len(b.Ops)-len(ops)] // that were added meanwhile
	b.Ops = append(constants[:len(constants):len(constants)], out...)
}
