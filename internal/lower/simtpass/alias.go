package simtpass

import (
	"slices"

	"github.com/weftgpu/weft/simt"
)

// aliasEpilogue lets shared arrays that are used only after a kernel's pipeline stages alias those (see
// simt.Shared.Late): those of layout conversions of results before they are stored. A barrier separates the uses.
// An outer loop uses its circular buffers again in the next iteration, so nothing aliases those.
func aliasEpilogue(r *Context) {
	k := r.Kernel
	first, late := lateArrays(k, func(s *simt.Shared) bool { return s.Stages > 0 })
	found := false
	for s := range late {
		found = found || !s.Late
		s.Late = true
	}
	if !found {
		return
	}
	at := k.Body.Ops[first]
	k.Body.Insert(at, &simt.Op{Kind: simt.Barrier, Line: at.Line})
}

// lateArrays finds the arrays that are used only after the last op of the kernel's body that uses pipeline stages, and the first
// op there that uses one of them.
func lateArrays(k *simt.Func, isCircular func(s *simt.Shared) bool) (first int, late map[*simt.Shared]bool) {
	if !slices.ContainsFunc(k.Shared, isCircular) {
		return 0, nil
	}
	last := -1
	early, uses := map[*simt.Shared]bool{}, make([]map[*simt.Shared]bool, len(k.Body.Ops))
	for i, op := range k.Body.Ops {
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
