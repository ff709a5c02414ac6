package cuda

import (
	"fmt"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/cstyle"
	"github.com/weftgpu/weft/simt"
)

// The matrix instructions and asynchronous copies are inline PTX in helpers that the text declares
// (PTX ISA, "mma", "ldmatrix", "stmatrix" and "cp.async").

// mmaForms are the shapes and types of mma.sync by the operands' element type.
var mmaForms = map[dtype.Type]string{
	dtype.F16:  "m16n8k16.row.col.f32.f16.f16.f32",
	dtype.BF16: "m16n8k16.row.col.f32.bf16.bf16.f32",
	dtype.F32:  "m16n8k8.row.col.f32.tf32.tf32.f32",
	dtype.I8:   "m16n8k32.row.col.s32.s8.s8.s32",
	dtype.U8:   "m16n8k32.row.col.s32.u8.u8.s32",
}

// mma multiplies and adds.
func (w *writer) mma(op *simt.Op, args []cstyle.Expr) cstyle.Expr {
	e, sums := op.Elem, op.Result().Type
	name := "mma_" + e.String()
	constraint := "f"
	if sums.Elem == dtype.I32 {
		constraint = "r"
	}
	t := w.typeName(sums)
	head := fmt.Sprintf("__device__ inline %s %s(%s a, %s b, %s c)", t, name,
		w.typeName(op.Args[0].Type), w.typeName(op.Args[1].Type), t)
	w.helpers.add(head, fmt.Sprintf(`%s {
    asm volatile("mma.sync.aligned.%s {%%0, %%1, %%2, %%3}, {%%4, %%5, %%6, %%7}, {%%8, %%9}, {%%0, %%1, %%2, %%3};"
        : %s
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y));
    return c;
}
`, head, mmaForms[e], operands("+"+constraint, "c", sums.Width)))
	return cstyle.Call(name, args...)
}

// operands lists a vector's lanes as operands of PTX.
func operands(constraint, vector string, width int) string {
	list := make([]string, width)
	for i := range list {
		list[i] = fmt.Sprintf("%q(%s)", constraint, lane(vector, simt.Type{Width: width}, i))
	}
	return strings.Join(list, ", ")
}

// loadMatrix reads matrices of 8 rows of 16 bytes.
func (w *writer) loadMatrix(op *simt.Op, index cstyle.Expr) cstyle.Expr {
	t, elem := op.Result().Type, w.memoryType(op.Shared.Elem, 1)
	name, form := "load_matrix", ""
	if op.Transpose {
		name, form = "load_matrix_transposed", ".trans"
	}
	name += fmt.Sprintf("%d", t.Width)
	places := make([]string, t.Width)
	for i := range places {
		places[i] = fmt.Sprintf("%%%d", i)
	}
	head := fmt.Sprintf("__device__ inline %s %s(const %s* array, int at)", w.typeName(t), name, elem)
	w.helpers.add(head, fmt.Sprintf(`%s {
    unsigned address = (unsigned)__cvta_generic_to_shared(array) + %du * at;
    %s a;
    asm volatile("ldmatrix.sync.aligned.m8n8.x%d%s.shared.b16 {%s}, [%%%d];" : %s : "r"(address) : "memory");
    return a;
}
`, head, op.Shared.Elem.Size(), w.typeName(t), t.Width, form, strings.Join(places, ", "), t.Width, operands("=r", "a", t.Width)))
	return cstyle.Call(name, cstyle.Atom(w.shared[op.Shared]), index)
}

// storeMatrix prints a store of matrices of 8 rows of 16 bytes.
func (w *writer) storeMatrix(op *simt.Op, index, words cstyle.Expr) error {
	if w.helpers.arch < 90 {
		return fault.New(fault.ErrUnsupported, "cuda", "the op %v is not supported for compute capability %d", op.Kind, w.helpers.arch).At(op.Line)
	}
	t, elem := op.Args[1].Type, w.memoryType(op.Shared.Elem, 1)
	name, form := "store_matrix", ""
	if op.Transpose {
		name, form = "store_matrix_transposed", ".trans"
	}
	name += fmt.Sprintf("%d", t.Width)
	places := make([]string, t.Width)
	for i := range places {
		places[i] = fmt.Sprintf("%%%d", i+1)
	}
	head := fmt.Sprintf("__device__ inline void %s(%s* array, int at, %s a)", name, elem, w.typeName(t))
	w.helpers.add(head, fmt.Sprintf(`%s {
    unsigned address = (unsigned)__cvta_generic_to_shared(array) + %du * at;
    asm volatile("stmatrix.sync.aligned.m8n8.x%d%s.shared.b16 [%%0], {%s};" :: "r"(address), %s : "memory");
}
`, head, op.Shared.Elem.Size(), t.Width, form, strings.Join(places, ", "), operands("r", "a", t.Width)))
	w.Line("%s;", cstyle.Call(name, cstyle.Atom(w.shared[op.Shared]), index, words).Text)
	return nil
}

// Copy prints a step of asynchronous copies.
func (w *writer) Copy(op *simt.Op, index, from, mask cstyle.Expr) (string, error) {
	if w.helpers.arch < 80 {
		return "", fault.New(fault.ErrUnsupported, "cuda", "the op %v is not supported for compute capability %d", op.Kind, w.helpers.arch).At(op.Line)
	}
	switch op.Kind {
	case simt.CopyCommit:
		return `asm volatile("cp.async.commit_group;" ::: "memory");`, nil
	case simt.CopyWait:
		return fmt.Sprintf(`asm volatile("cp.async.wait_group %d;" ::: "memory");`, op.Pending), nil
	}
	elem, bytes := w.memoryType(op.Buffer.Elem, 1), op.Count*op.Buffer.Elem.Size()
	cache := "ca"
	if bytes == 16 {
		cache = "cg" // past the first level of cache, which holds no element for another thread
	}
	name := fmt.Sprintf("copy_async%d", bytes)
	head := fmt.Sprintf("__device__ inline void %s(%s* array, int at, const %s* from, bool inside)", name, elem, elem)
	w.helpers.add(head, fmt.Sprintf(`%s {
    unsigned address = (unsigned)__cvta_generic_to_shared(array) + %du * at;
    asm volatile("cp.async.%s.shared.global [%%0], [%%1], %d, %%2;" :: "r"(address), "l"(from), "r"(inside ? %d : 0) : "memory");
}
`, head, op.Buffer.Elem.Size(), cache, bytes, bytes))
	if mask.Text == "" {
		mask = cstyle.Atom("true")
	}
	place := cstyle.Prefix("&", cstyle.Index(cstyle.Atom(w.buffers[op.Buffer]), from))
	return cstyle.Call(name, cstyle.Atom(w.shared[op.Shared]), index, place, mask).Text + ";", nil
}
