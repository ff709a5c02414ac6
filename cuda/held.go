package cuda

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// ptxas (seen in 12.8, 12.9 and 13.0, at all levels of optimisation) loses left operands of wgmma that are in registers and that a loop leaves as they are: it
// gives their registers to another product's operand in the loop, so that they are right in its first iteration alone. Moves and what is known to
// change nothing it removes before; what it cannot know to change nothing makes it keep them.

// renewal is such an operand of a product.
type renewal struct {
	product *simt.Op
	words   *simt.Value
}

// renewals finds them in a block. Within the innermost loop around it varying are the values that may be others in each iteration; it is nil outside of loops.
func renewals(b *simt.Block, varying map[*simt.Value]bool, found map[renewal]bool) {
	for _, op := range b.Ops {
		if varying != nil && varies(op, varying) {
			for _, v := range op.Out {
				varying[v] = true
			}
		}
		inner := varying
		if _, params := op.Carried(); op.Kind == simt.For || op.Kind == simt.While {
			inner = map[*simt.Value]bool{}
			for _, a := range op.Body.Args {
				inner[a] = true
			}
			for i, a := range params { // which the loop carries as it is
				inner[a] = op.Yields(i)[0] != a
			}
		}
		for _, body := range op.Blocks() {
			renewals(body, inner, found)
		}
		if op.Kind == simt.GroupMMA && varying != nil {
			products, _ := op.Products()
			for _, p := range products {
				if inRegisters(p[0]) && holdsSame(p[0], varying) {
					found[renewal{op, p[0]}] = true
				}
			}
		}
	}
}

// varies reports whether an op, or one in its bodies, may compute something else in each iteration. Compilers hoist loads of what is constant, too.
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
	for _, a := range v.Op.Args {
		if holdsSame(a, varying) {
			return true
		}
	}
	return false
}

// renewed is a name of words that the compiler cannot know to be those of the iteration before.
func (w *writer) renewed(words string) string {
	t := w.typeName(simt.Type{Elem: dtype.U32, Width: 4})
	head := fmt.Sprintf("__device__ inline %s renewed(%s a)", t, t)
	w.helpers.add(head, head+` {
    unsigned zero = threadIdx.y; // unknown to ptxas, which in 12.8 to 13.0 overwrites left operands of wgmma that a loop does not change
    asm volatile("xor.b32 %0, %0, %4; xor.b32 %1, %1, %4; xor.b32 %2, %2, %4; xor.b32 %3, %3, %4;"
        : "+r"(a.x), "+r"(a.y), "+r"(a.z), "+r"(a.w) : "r"(zero));
    return a;
}
`)
	name := w.Names.Unique("words")
	w.Line("const %s %s = renewed(%s);", t, name, strings.TrimSpace(words))
	return name
}
