package cuda

import (
	"fmt"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// groupForms are the types and the depth of wgmma by the operands' element type, and what follows the scale of the accumulator: signs, and for
// elements of 16 bits in shared memory whether operands are K-major or MN-major.
var groupForms = map[dtype.Type]struct{ depth, types, rest string }{
	dtype.F16:  {"k16", "f32.f16.f16", ", 1, 1%s"},
	dtype.BF16: {"k16", "f32.bf16.bf16", ", 1, 1%s"},
	dtype.F32:  {"k8", "f32.tf32.tf32", ", 1, 1"},
	dtype.I8:   {"k32", "s32.s8.s8", ""},
	dtype.U8:   {"k32", "s32.u8.u8", ""},
}

// groupInstruction is the instruction of one product of 64 rows and 8n columns. The sums, from first on, and a and b are operands of the
// statement; adds is the predicate of whether the product is added to them, or takes their place; lines is the order of the lines of what is in shared memory.
func groupInstruction(e dtype.Type, first, n int, a, b, adds, lines string) string {
	form := groupForms[e]
	if e.Size() == 2 {
		form.rest = fmt.Sprintf(form.rest, lines)
	}
	return fmt.Sprintf("wgmma.mma_async.sync.aligned.m64n%d%s.%s {%s}, %s, %s, %s%s;", 8*n, form.depth, form.types, places(first, 4*n), a, b, adds, form.rest)
}

// places lists n operands of a statement.
func places(first, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("%%%d", first+i)
	}
	return strings.Join(list, ", ")
}

// lineOrder is the order of a matrix's lines in shared memory, in names and in the instruction.
func lineOrder(v *simt.Value) (name, operand string) {
	if v.Op.MNMajor {
		return "_1", ", 1"
	}
	return "_0", ", 0"
}

// copiesByMaps reports whether tensor maps copy two operands and the result. Else threads have places and predicates of elements
// in registers, which the compiler puts elsewhere around one statement than around several.
func (w *writer) copiesByMaps() bool {
	var read, written int
	for _, m := range w.kernel.Maps {
		if m.Buffer.Write {
			written++
		} else {
			read++
		}
	}
	return read >= 2 && written > 0
}

// groupProduct declares the function of one product of 64 rows and 8n columns, which takes the place of sums that begin anew, and is added to others.
func (w *writer) groupProduct(e dtype.Type, n int, p [2]*simt.Value, anew bool) string {
	name, left, lines := fmt.Sprintf("group_mma_%v_%d", e, 8*n), "u64 a", ""
	params, registers := w.groupSums(simt.Vector(simt.MMASums(e), 4), n)
	a, b, inputs := places(4*n, 1), 4*n+1, `"l"(a)`
	for _, v := range p {
		if inRegisters(v) {
			name, left, inputs = name+"_r", "const "+w.typeName(v.Type)+"& a", operands("r", "a", 4)
			a, b = "{"+places(4*n, 4)+"}", 4*n+4
			continue
		}
		order, operand := lineOrder(v)
		name, lines = name+order, lines+operand
	}
	adds := 1
	if anew {
		name, registers, adds = name+"_new", strings.ReplaceAll(registers, "+", "="), 0
	}
	head := fmt.Sprintf("__device__ inline void %s(%s, %s, u64 b)", name, params, left)
	w.helpers.add(head, fmt.Sprintf(`%s {
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %%%d, 0; %s }"
        : %s
        : %s, "l"(b), "r"(%d));
}
`, head, b+1, groupInstruction(e, 0, n, a, places(b, 1), "p", lines), registers, inputs, adds))
	return name
}

// groupProducts declares the function of a group's products of matrices in shared memory, with what orders them. It is one statement, for the compiler
// takes long for each that has all the sums as operands. The machine code is that of a statement for each if copiesByMaps.
func (w *writer) groupProducts(op *simt.Op) (name string) {
	params, registers := w.groupSums(op.Out[0].Type, len(op.Out))
	var text, inputs, begins, kind string
	var forms []string
	first := "p" // whether the first product of a matrix adds
	if beginsAnew(op) {
		registers, begins, kind, first = strings.ReplaceAll(registers, "+", "="), fmt.Sprintf(", q; setp.eq.b32 q, %%%d, 0", 4*len(op.Out)+len(op.Args)-len(op.Out)), "_new", "q"
	}
	at := 4 * len(op.Out)
	op.EachMatrix(func(part, n int, products [][2]*simt.Value) {
		adds := first
		for _, p := range products {
			i := len(forms)
			params += fmt.Sprintf(", u64 a%d, u64 b%d", i, i)
			inputs += fmt.Sprintf(`"l"(a%d), "l"(b%d), `, i, i)
			left, orderA := lineOrder(p[0])
			right, orderB := lineOrder(p[1])
			forms = append(forms, fmt.Sprintf("_%d%s%s", 8*n, left, right))
			text += fmt.Sprintf("\n        %q", groupInstruction(op.Elem, 4*part, n, places(at, 1), places(at+1, 1), adds, orderA+orderB)+" ")
			at, adds = at+2, "p"
		}
	})
	name = fmt.Sprintf("group_mma_%v_%d", op.Elem, len(op.Out)) + kind + runs(forms)
	head := fmt.Sprintf("__device__ inline void %s(%s)", name, params)
	w.helpers.add(head, fmt.Sprintf(`%s {
    asm volatile("{ .reg .pred p%s; setp.ne.b32 p, %%%d, 0; wgmma.fence.sync.aligned; "%s
        "wgmma.commit_group.sync.aligned; }"
        : %s
        : %s"r"(1) : "memory");
}
`, head, begins, at, text, registers, inputs))
	return name
}

// beginsAnew reports whether products are added to zeros, which need no registers then.
func beginsAnew(op *simt.Op) bool {
	_, c := op.Products()
	for _, part := range c {
		for i := range part.Type.Width {
			v, lane := simt.LaneOf(part, i)
			if x, known := simt.ConstOf(v); !known || x != 0 || lane != 0 {
				return false
			}
		}
	}
	return true
}

// runs joins forms, with how often each follows itself.
func runs(forms []string) (name string) {
	for i := 0; i < len(forms); {
		alike := 1
		for i+alike < len(forms) && forms[i+alike] == forms[i] {
			alike++
		}
		name += fmt.Sprintf("%sx%d", forms[i], alike)
		i += alike
	}
	return name
}
