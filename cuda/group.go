package cuda

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/cstyle"
	"github.com/weftgpu/weft/simt"
)

// Products of warpgroups are wgmma of inline PTX (PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions"), which
// begins and ends within one statement here. What threads stored in shared memory is made visible to it before
// each barrier.

// groupAlignment is the alignment of shared arrays whose chunks are exchanged as wgmma has it, by bits of the address.
const groupAlignment = 1024

// hasGroups reports whether a kernel has products of warpgroups.
func hasGroups(k *simt.Kernel) bool {
	var within func(b *simt.Block) bool
	within = func(b *simt.Block) bool {
		return slices.ContainsFunc(b.Ops, func(op *simt.Op) bool {
			return op.Kind == simt.GroupMMA || slices.ContainsFunc(op.Blocks(), within)
		})
	}
	return within(k.Body)
}

// place is the descriptor of a matrix in lines of 128 bytes.
func (w *writer) matrixPlace(op *simt.Op, index cstyle.Expr) cstyle.Expr {
	elem := w.memoryType(op.Shared.Elem, 1)
	head := fmt.Sprintf("__device__ inline u64 matrix_place(const %s* array, int at, int lead)", elem)
	w.helpers.add(head, head+` {
    unsigned address = (unsigned)__cvta_generic_to_shared(array) + 2u * at;
    return u64((address & 0x3ffff) >> 4) | u64(lead * 8) << 16 | u64(64) << 32 | u64(1) << 62;
}
`)
	return cstyle.Call("matrix_place", cstyle.Atom(w.shared[op.Shared]), index, cstyle.Atom(fmt.Sprint(op.Index)))
}

// Group prints the products.
func (w *writer) Group(op *simt.Op, products [][2]cstyle.Expr, sums []string) error {
	if w.helpers.arch != 90 {
		return fault.New(fault.ErrUnsupported, "cuda", "%v for compute capability %d", op.Kind, w.helpers.arch).At(op.Line)
	}
	w.Line("%s", `asm volatile("wgmma.fence.sync.aligned;" ::: "memory");`)
	pairs, _ := op.Products()
	for i, p := range products {
		name := w.groupProduct(dtype.Type(op.Index), len(sums), pairs[i])
		w.Line("%s(%s, %s, %s);", name, strings.Join(sums, ", "), p[0].Text, p[1].Text)
	}
	w.Line("%s", `asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");`)
	w.Line("%s", `asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");`)
	return nil
}

// groupProduct declares the function of one product of 64 rows and 8n columns.
func (w *writer) groupProduct(e dtype.Type, n int, p [2]*simt.Value) string {
	bit := func(v *simt.Value) string {
		if v.Op.Across {
			return "1"
		}
		return "0"
	}
	inMemory := p[0].Op != nil && p[0].Op.Kind == simt.MatrixPlace
	sum := w.typeName(simt.Type{Elem: dtype.F32, Width: 4})
	var params, places, registers []string
	for i := range n {
		params = append(params, fmt.Sprintf("%s& c%d", sum, i))
		registers = append(registers, operands("+f", fmt.Sprintf("c%d", i), 4))
		for j := range 4 {
			places = append(places, fmt.Sprintf("%%%d", 4*i+j))
		}
	}
	next := 4 * n
	name, a, kind, in := fmt.Sprintf("group_mma_%v_%d", e, 8*n), "", "u64 a", `"l"(a)`
	trans := bit(p[1])
	if inMemory {
		a, next = fmt.Sprintf("%%%d", next), next+1
		trans = bit(p[0]) + ", " + trans
		name += "_" + bit(p[0])
	} else {
		a = fmt.Sprintf("{%%%d, %%%d, %%%d, %%%d}", next, next+1, next+2, next+3)
		kind, in, next = w.typeName(simt.Type{Elem: dtype.U32, Width: 4})+" a", operands("r", "a", 4), next+4
	}
	name += "_" + bit(p[1])
	head := fmt.Sprintf("__device__ inline void %s(%s, %s, u64 b)", name, strings.Join(params, ", "), kind)
	w.helpers.add(head, fmt.Sprintf(`%s {
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %%%d, 0; wgmma.mma_async.sync.aligned.m64n%dk16.f32.%v.%v {%s}, %s, %%%d, p, 1, 1, %s; }"
        : %s
        : %s, "l"(b), "r"(1));
}
`, head, next+1, 8*n, e, e, strings.Join(places, ", "), a, next, trans, strings.Join(registers, ", "), in))
	return name
}
