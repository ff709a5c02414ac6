package simtpass

import (
	"math"

	"github.com/weftgpu/weft/simt"
)

// exprKey is equal for pure ops that compute the same value.
type exprKey struct {
	kind   simt.Kind
	t      simt.Type
	index  int
	number uint64 // its bits: 0 and -0 are two constants
	args   [4]*simt.Value
}

// cse replaces pure ops by equal ones that stand before them in the same or an enclosing block.
func cse(r *Context) {
	cseBlock(r.Kernel.Body, map[exprKey]*simt.Value{}, map[*simt.Value]*simt.Value{})
}

func cseBlock(b *simt.Block, known map[exprKey]*simt.Value, replaced map[*simt.Value]*simt.Value) {
	var added []exprKey
	for _, op := range b.Ops {
		for i, a := range op.Args {
			if to, ok := replaced[a]; ok {
				op.Args[i] = to
			}
		}
		for _, body := range op.Blocks() {
			cseBlock(body, known, replaced)
		}
		if !op.Kind.IsPure() {
			continue
		}
		key := exprKey{kind: op.Kind, t: op.Result().Type, index: op.Index, number: math.Float64bits(op.Number)}
		copy(key.args[:], op.Args)
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
