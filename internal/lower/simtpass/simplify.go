package simtpass

import "github.com/weftgpu/weft/simt"

// simplify folds what became constant since the ops were built.
func simplify(r *Context) {
	b := simt.Edit(r.Kernel)
	replaced := map[*simt.Value]*simt.Value{}
	simt.Walk(r.Kernel.Body, func(op *simt.Op) {
		op.Replace(replaced)
		if op.Kind.IsElementwise() && len(op.Args) == 2 {
			if v := b.Fold(op.Kind, op.Args[0], op.Args[1]); v != nil {
				replaced[op.Result()] = v
			}
		}
	})
}
