package simtpass

import (
	"slices"

	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// issueLoads has loops issue the loads of an iteration before they compute, where cooperative matrices take what was loaded from registers. Nothing but these loads hides
// their latency then, and NVIDIA's compiler (seen in 580.159) sinks each to its first use, so that fewer registers are needed.
func issueLoads(r *Context) {
	if r.Caps.Language != target.SPIRV {
		return
	}
	simt.Walk(r.Kernel.Body, func(loop *simt.Op) {
		if !loop.Kind.IsLoop() {
			return
		}
		ops := loop.Body.Ops
		product := slices.IndexFunc(ops, func(op *simt.Op) bool { return op.Kind == simt.CooperativeMulAdd })
		if product < 0 || slices.ContainsFunc(ops, func(op *simt.Op) bool { return op.StoresShared() || op.Kind == simt.Barrier || op.Kind == simt.Issue }) {
			return
		}
		for i, op := range slices.Backward(ops[:product]) {
			if op.Kind == simt.Load {
				loop.Body.Ops = slices.Insert(ops, i+1, &simt.Op{Kind: simt.Issue, Line: op.Line})
				return
			}
		}
	})
}
