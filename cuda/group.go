package cuda

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/cstyle"
	"github.com/weftgpu/weft/simt"
)

// Products of warpgroups are wgmma of inline PTX (PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions"), which
// begins with one op here and ends with another. What threads stored in shared memory is made visible to it before
// each barrier.

// matrixPlace is the descriptor of a matrix in lines of 128 bytes. It counts chunks of 16 bytes; those up to the matrix are computed apart from the array's, so that
// descriptors of one stage are a number and constants that are added to it. In a cluster addresses have the workgroup's number above bit 23, which the mask leaves out.
func (w *writer) matrixPlace(op *simt.Op, index cstyle.Expr) cstyle.Expr {
	elem := w.memoryType(op.Shared.Elem, 1)
	head := fmt.Sprintf("__device__ inline u64 matrix_place(const %s* array, int at, int lead)", elem)
	w.helpers.add(head, head+fmt.Sprintf(` {
    unsigned chunk = ((unsigned)__cvta_generic_to_shared(array) & 0x3ffff) / 16 + (at >> %d);
    u64 place;
    asm("mov.b64 %%0, {%%1, %%2};" : "=l"(place) : "r"(chunk + (lead * 8 << 16)), "r"(64 | 1 << 30));
    return place;
}
`, bits.TrailingZeros(uint(16/op.Shared.Elem.Size()))))
	return cstyle.Call("matrix_place", cstyle.Atom(w.shared[op.Shared]), index, cstyle.Atom(fmt.Sprint(op.Lead)))
}

// Group prints products, or a wait for them.
func (w *writer) Group(op *simt.Op, products [][2]cstyle.Expr, sums []string) error {
	if w.helpers.arch != 90 {
		return fault.New(fault.ErrUnsupported, "cuda", "the op %v is not supported for compute capability %d", op.Kind, w.helpers.arch).At(op.Line)
	}
	if op.Kind == simt.GroupWait {
		if len(sums) == 0 {
			w.Line(`asm volatile("wgmma.wait_group.sync.aligned %d;" ::: "memory");`, op.Pending)
			return nil
		}
		w.groupOrder(fmt.Sprintf("group_wait_%d", op.Pending), fmt.Sprintf("wgmma.wait_group.sync.aligned %d;", op.Pending), op.Out[0].Type, sums, nil)
		return nil
	}
	pairs, _ := op.Products()
	t := op.Out[0].Type
	if w.inRole && w.copiesByMaps() && !slices.ContainsFunc(pairs, func(p [2]*simt.Value) bool { return inRegisters(p[0]) }) {
		args := slices.Clone(sums)
		for _, p := range products {
			args = append(args, p[0].Text, p[1].Text)
		}
		w.Line("%s(%s);", w.groupProducts(op), strings.Join(args, ", "))
		return nil
	}
	var words []string // of the left operands that are in registers
	fresh := map[*simt.Value]string{}
	for i, p := range pairs {
		if inRegisters(p[0]) {
			switch {
			case slices.Contains(op.Opaque, i):
				if name := fresh[p[0]]; name == "" {
					fresh[p[0]] = w.renewed(products[i][0].Text)
				}
				products[i][0] = cstyle.Atom(fresh[p[0]])
			default:
				if words, inline := w.Inline(p[0]); inline {
					products[i][0] = w.Name(words, p[0].Type, "words")
				}
			}
			if !slices.Contains(words, products[i][0].Text) {
				words = append(words, products[i][0].Text)
			}
		}
	}
	anew, before := beginsAnew(op), sums
	if anew {
		before = nil
	}
	w.groupOrder("group_begin", "wgmma.fence.sync.aligned;", t, before, words)
	next := 0
	op.EachMatrix(func(first, n int, pairs [][2]*simt.Value) {
		for i, pair := range pairs {
			name, p := w.groupProduct(op.Elem, n, pair, anew && i == 0), products[next]
			w.Line("%s(%s, %s, %s);", name, strings.Join(sums[first:first+n], ", "), p[0].Text, p[1].Text)
			next++
		}
	})
	w.groupOrder("group_end", "wgmma.commit_group.sync.aligned;", t, sums, words)
	return nil
}

// inRegisters reports whether a left operand is words of threads, and no place in shared memory.
func inRegisters(v *simt.Value) bool { return v.Type.Elem == dtype.U32 }

// groupOrder prints an instruction that orders the accesses to the sums, and to words that are operands: what was computed is in them before, and what uses
// them, or takes their registers, comes after. The compiler sees that by the operands alone.
func (w *writer) groupOrder(name, instruction string, t simt.Type, sums, words []string) {
	name = fmt.Sprintf("%s_%v_%d", name, t.Elem, len(sums))
	params, registers := w.groupSums(t, len(sums))
	inputs := ":"
	for i := range words {
		params += fmt.Sprintf(", const %s& a%d", w.typeName(simt.Vector(dtype.U32, 4)), i)
		inputs += ", " + operands("r", fmt.Sprintf("a%d", i), 4)
	}
	if len(words) > 0 {
		name, inputs = name+fmt.Sprintf("_%d", len(words)), strings.Replace(inputs, ",", "", 1)+" "
	}
	params = strings.TrimPrefix(params, ", ") // without sums
	w.helpers.add(name, fmt.Sprintf("__device__ inline void %s(%s) {\n    asm volatile(%q : %s %s: \"memory\");\n}\n",
		name, params, instruction, registers, inputs))
	w.Line("%s(%s);", name, strings.Join(append(slices.Clone(sums), words...), ", "))
}

// groupSums are n parts of the sums as parameters, and as operands of PTX.
func (w *writer) groupSums(t simt.Type, n int) (params, registers string) {
	sum, constraint := w.typeName(t), "+f"
	if t.Elem == dtype.I32 {
		constraint = "+r"
	}
	p, r := make([]string, n), make([]string, n)
	for i := range n {
		p[i], r[i] = fmt.Sprintf("%s& c%d", sum, i), operands(constraint, fmt.Sprintf("c%d", i), 4)
	}
	return strings.Join(p, ", "), strings.Join(r, ", ")
}
