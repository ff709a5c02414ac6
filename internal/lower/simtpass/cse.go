package simtpass

import "github.com/weftgpu/weft/simt"

// cse replaces pure ops by equal ones that stand before them in the same or an enclosing block.
func cse(r *Context) {
	e := simt.Edit(r.Kernel)
	e.Rewrite(r.Kernel.Body, func(op *simt.Op) {
		if op.Kind.IsPure() {
			if v := e.Same(op); v != nil {
				v.Suggest(op.Result().Hint)
				e.Replace(op.Result(), v)
			}
		}
		e.Do(op)
	})
}
