package simtpass

import "github.com/weftgpu/weft/simt"

// fences lets barriers make what threads stored in shared memory visible to wgmma and to TensorStores, which read it
// through another proxy (PTX ISA, "Async proxy"), in kernels in which they read what threads store.
func fences(r *Context) {
	read, stored := map[*simt.Shared]bool{}, false
	simt.Walk(r.Kernel.Body, func(op *simt.Op) {
		read[op.Shared] = read[op.Shared] || op.Kind == simt.MatrixPlace || op.Kind == simt.TensorStore
	})
	simt.Walk(r.Kernel.Body, func(op *simt.Op) {
		stored = stored || (op.StoresShared() || op.Kind == simt.CopyAsync) && read[op.Shared]
	})
	simt.Walk(r.Kernel.Body, func(op *simt.Op) {
		if op.Kind == simt.Barrier {
			op.Async = stored
		}
	})
}
