package simtpass

import "github.com/weftgpu/weft/simt"

// simplify folds what became constant since the ops were built.
func simplify(r *Context) {
	e := simt.Edit(r.Kernel)
	e.Rewrite(r.Kernel.Body, func(op *simt.Op) {
		if op.Kind.IsElementwise() && len(op.Args) == 2 {
			if v := e.Fold(op.Kind, op.Args[0], op.Args[1]); v != nil {
				e.Replace(op.Result(), v)
			}
		}
		e.Do(op)
	})
}
