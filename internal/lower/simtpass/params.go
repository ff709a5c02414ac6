package simtpass

import "github.com/weftgpu/weft/simt"

// compactParams drops the launch words that the kernel does not read.
func compactParams(r *Context) {
	used := make([]bool, len(r.Kernel.Words))
	simt.Walk(r.Kernel.Body, func(op *simt.Op) {
		if op.Kind == simt.Param {
			used[op.Word] = true
		}
	})
	at := make([]int, len(used))
	var words []simt.Word
	r.Words = nil
	for i, w := range r.Kernel.Words {
		if used[i] {
			at[i] = len(words)
			words = append(words, w)
			r.Words = append(r.Words, i)
		}
	}
	r.Kernel.Words = words
	simt.Walk(r.Kernel.Body, func(op *simt.Op) {
		if op.Kind == simt.Param {
			op.Word = at[op.Word]
		}
	})
}
