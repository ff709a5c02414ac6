package simtpass

import "github.com/weftgpu/weft/simt"

// cse replaces pure ops by equal ones that stand before them in the same or an enclosing block.
func cse(r *Context) {
	cseBlock(r.Kernel.Body, map[simt.Expr]*simt.Value{}, map[*simt.Value]*simt.Value{})
}

func cseBlock(b *simt.Block, known map[simt.Expr]*simt.Value, replaced map[*simt.Value]*simt.Value) {
	var added []simt.Expr
	for _, op := range b.Ops {
		op.Replace(replaced)
		for _, body := range op.Blocks() {
			cseBlock(body, known, replaced)
		}
		if !op.Kind.IsPure() {
			continue
		}
		key := op.Expr()
		if v, ok := known[key]; ok {
			if v.Hint == "" {
				v.Hint = op.Result().Hint
			}
			replaced[op.Result()] = v
			continue
		}
		known[key] = op.Result()
		added = append(added, key)
	}
	for _, key := range added {
		delete(known, key)
	}
}
