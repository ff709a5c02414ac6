package simtpass

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// opaque marks left operands of wgmma in registers that the loop around leaves as they are, so that the printer makes
// an opaque copy of them in each iteration.
//
// ptxas (seen in 12.8, 12.9 and 13.0, at all levels of optimisation) loses such operands: it gives their registers to
// another product's operand in the loop, so that they are right in its first iteration alone. Moves and what is known
// to change nothing it removes before; what it cannot know to change nothing makes it keep them.
func opaque(r *Context) {
	multiplies := false
	simt.Walk(r.Kernel.Body, func(op *simt.Op) { multiplies = multiplies || op.Kind == simt.GroupMMA })
	if multiplies {
		opaqueBlock(r.Kernel.Body, nil)
	}
}

// opaqueBlock marks those of a block. Within the innermost loop around it varying are the values that may be others in
// each iteration; it is nil outside of loops.
func opaqueBlock(b *simt.Block, varying map[*simt.Value]bool) {
	for _, op := range b.Ops {
		if varying != nil && varies(op, varying) {
			for _, v := range op.Out {
				varying[v] = true
			}
		}
		inner := varying
		if op.Kind.IsLoop() {
			inner = map[*simt.Value]bool{}
			for _, a := range op.Body.Args {
				inner[a] = true
			}
			_, params := op.Carried()
			for i, a := range params { // which the loop carries as it is
				inner[a] = op.Yields(i)[0] != a
			}
		}
		for _, body := range op.Blocks() {
			opaqueBlock(body, inner)
		}
		if op.Kind == simt.GroupMMA && varying != nil {
			op.Opaque = nil // what an earlier run found
			products, _ := op.Products()
			for i, p := range products {
				if p[0].Type.Elem == dtype.U32 && holdsSame(p[0], varying) {
					op.Opaque = append(op.Opaque, i)
				}
			}
		}
	}
}

// varies reports whether an op, or one in its bodies, may compute something else in each iteration. Compilers hoist
// loads of what is constant, too.
func varies(op *simt.Op, varying map[*simt.Value]bool) bool {
	if slices.ContainsFunc(op.Args, func(a *simt.Value) bool { return varying[a] }) {
		return true
	}
	blocks := op.Blocks()
	for _, body := range blocks {
		if slices.ContainsFunc(body.Ops, func(inner *simt.Op) bool { return varies(inner, varying) }) {
			return true
		}
	}
	control := len(blocks) > 0 || op.Kind == simt.Yield || op.Kind == simt.Break
	return !control && !op.Kind.IsPure() && (op.Kind != simt.Load || op.Buffer.Write)
}

// holdsSame reports whether a word of a value is the same in all iterations.
func holdsSame(v *simt.Value, varying map[*simt.Value]bool) bool {
	if v.Op == nil || v.Op.Kind != simt.Compose {
		return !varying[v]
	}
	return slices.ContainsFunc(v.Op.Args, func(a *simt.Value) bool { return holdsSame(a, varying) })
}
