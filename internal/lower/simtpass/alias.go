package simtpass

import "github.com/weftgpu/weft/simt"

// aliasEpilogue lets shared arrays that are used only after a kernel's pipeline stages alias those (see
// simt.Shared.Late): those of layout conversions of results before they are stored. A barrier separates the uses.
// An outer loop uses its circular buffers again in the next iteration, so nothing aliases those.
//
// In a kernel with roles the threads that multiply have waited for all copies then. They alias stages only where the arrays have no room beside them: the barrier
// lets warpgroups that store their own results wait for each other.
func aliasEpilogue(r *Context) {
	k, b := r.Kernel, r.Kernel.Body
	if n := len(b.Ops); n > 0 && b.Ops[n-1].Kind == simt.Roles {
		if k.Consumers > 1 || r.Caps.SharedBytes == 0 || k.SharedBytes() <= r.Caps.SharedBytes {
			return
		}
		b = b.Ops[n-1].Else
	}
	first, late := lateArrays(b, func(s *simt.Shared) bool { return s.Stages > 0 })
	found := false
	for s := range late {
		found = found || !s.Late
		s.Late = true
	}
	if !found {
		return
	}
	at := b.Ops[first]
	b.Insert(at, &simt.Op{Kind: simt.Barrier, Line: at.Line})
}

// lateArrays finds the arrays that are used only after the last op of a kernel's outermost block that uses pipeline stages, and the first
// op there that uses one of them.
func lateArrays(b *simt.Block, isCircular func(s *simt.Shared) bool) (first int, late map[*simt.Shared]bool) {
	last := -1
	early, uses := map[*simt.Shared]bool{}, make([]map[*simt.Shared]bool, len(b.Ops))
	for i, op := range b.Ops {
		uses[i] = map[*simt.Shared]bool{}
		simt.Walk(&simt.Block{Ops: []*simt.Op{op}}, func(inner *simt.Op) {
			if inner.Shared == nil {
				return
			}
			uses[i][inner.Shared] = true
			if isCircular(inner.Shared) {
				last = i
			}
		})
	}
	if last < 0 {
		return 0, nil
	}
	for _, used := range uses[:last+1] {
		for s := range used {
			early[s] = true
		}
	}
	late = map[*simt.Shared]bool{}
	for i, used := range uses {
		for s := range used {
			if i > last && !early[s] {
				if len(late) == 0 {
					first = i
				}
				late[s] = true
			}
		}
	}
	return first, late
}
