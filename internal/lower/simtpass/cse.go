package simtpass

import "github.com/weftgpu/weft/simt"

// cse replaces pure ops by equal ones that stand before them in the same or an enclosing block.
func cse(r *Context) {
	cseBlock(r.Kernel.Body, &simt.Exprs{}, map[*simt.Value]*simt.Value{})
}

func cseBlock(b *simt.Block, known *simt.Exprs, replaced map[*simt.Value]*simt.Value) {
	n := known.Enter()
	for _, op := range b.Ops {
		op.Replace(replaced)
		for _, body := range op.Blocks() {
			cseBlock(body, known, replaced)
		}
		if !op.Kind.IsPure() {
			continue
		}
		if v := known.Same(op); v != nil {
			v.Suggest(op.Result().Hint)
			replaced[op.Result()] = v
		}
	}
	known.Leave(n)
}
