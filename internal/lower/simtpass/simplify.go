package simtpass

import "github.com/weftgpu/weft/simt"

// simplify folds what became constant since the ops were built.
func simplify(r *Context) {
	b := simt.Edit(r.Kernel)
	replaced := map[*simt.Value]*simt.Value{}
	simt.Walk(r.Kernel.Body, func(op *simt.Op) {
		for i, a := range op.Args {
			if v := replaced[a]; v != nil {
				op.Args[i] = v
			}
		}
		if op.Kind.IsElementwise() && len(op.Args) == 2 {
			if v := b.Fold(op.Kind, op.Args[0], op.Args[1]); v != nil {
				replaced[op.Result()] = v
			}
		}
	})
}
