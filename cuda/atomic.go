package cuda

import (
	"fmt"

	"github.com/weftgpu/weft/internal/cstyle"
	"github.com/weftgpu/weft/simt"
)

var atomics = [simt.NumRMW]string{
	simt.RMWAdd: "atomicAdd", simt.RMWMax: "atomicMax", simt.RMWMin: "atomicMin", simt.RMWAnd: "atomicAnd", simt.RMWOr: "atomicOr",
	simt.RMWXor: "atomicXor", simt.RMWExchange: "atomicExch", simt.RMWCompare: "atomicCAS",
}

// Atomic calls CUDA's function.
func (w *writer) Atomic(op *simt.Op, index, value, compare cstyle.Expr, used bool) cstyle.Expr {
	place := cstyle.Prefix("&", cstyle.Index(cstyle.Atom(w.buffers[op.Buffer]), index))
	name := atomics[op.RMW]
	switch {
	case op.Order == simt.Relaxed && used && reads(op):
		// A load is no work for the units of atomic ops. Volatile, it is one that no other access stands for.
		t := w.typeName(simt.Scalar(op.Buffer.Elem))
		w.helpers.add("load_relaxed"+t, fmt.Sprintf("__device__ inline %[1]s load_relaxed(const volatile %[1]s* p) {\n    return *p;\n}\n", t))
		return cstyle.Call("load_relaxed", place)
	case op.Order != simt.Relaxed:
		if plain := w.ordered(op, used); plain != "" {
			if op.Order == simt.Acquire {
				return cstyle.Call(plain, place)
			}
			return cstyle.Call(plain, place, value)
		}
		if op.Order != simt.AcquireRelease {
			name += "_system"
		}
		if op.Order.Releases() {
			_, suffix := scopeOf(op.Order)
			place = cstyle.Call("released"+suffix, place)
		}
	}
	call := cstyle.Call(name, place, value)
	if op.RMW == simt.RMWCompare {
		call = cstyle.Call(name, place, compare, value)
	}
	if op.Order.Acquires() {
		_, suffix := scopeOf(op.Order)
		call = cstyle.Call("acquired"+suffix, call)
	}
	return call
}

// SharedAtomic calls CUDA's function.
func (w *writer) SharedAtomic(op *simt.Op, index, value cstyle.Expr) cstyle.Expr {
	return cstyle.Call(atomics[op.RMW], cstyle.Prefix("&", cstyle.Index(cstyle.Atom(w.shared[op.Shared]), index)), value)
}

// sharedRank calls a function that finds the lower threads of the warp with an index, by a ballot for each bit. The first thread of an index counts for all of them.
func (w *writer) sharedRank(op *simt.Op, index cstyle.Expr) cstyle.Expr {
	w.helpers.add("shared_rank", `template <int bits> __device__ inline int shared_rank(int* counts, int index) {
    unsigned same = 0xffffffffu;
    #pragma unroll
    for (int bit = 0; bit < bits; ++bit) {
        bool set = (index >> bit & 1) != 0;
        unsigned ballot = __ballot_sync(0xffffffffu, set);
        same &= set ? ballot : ~ballot;
    }
    unsigned before = same & ((1u << (threadIdx.x & 31u)) - 1u);
    int count = counts[index];
    __syncwarp();
    if (before == 0) {
        counts[index] = count + __popc(same);
    }
    __syncwarp();
    return count + __popc(before);
}
`)
	return cstyle.Call(fmt.Sprintf("shared_rank<%d>", op.Count), cstyle.Atom(w.shared[op.Shared]), index)
}

// reads reports whether an atomic op leaves its element as it is.
func reads(op *simt.Op) bool {
	x, known := simt.ConstOf(op.Args[1])
	return op.RMW == simt.RMWOr && known && x == 0
}

// ordered adds the function that orders an op: a load or a store that does all of it, whose name it returns, or a fence for the whole system (PTX ISA, "Memory
// Consistency Model").
func (w *writer) ordered(op *simt.Op, used bool) (plain string) {
	t := w.typeName(simt.Scalar(op.Buffer.Elem))
	switch {
	case op.Order == simt.Acquire && reads(op):
		plain = "load_acquire"
		w.helpers.add(plain+t, fmt.Sprintf(`__device__ inline %[1]s load_acquire(const %[1]s* p) {
    %[1]s x;
    asm volatile("ld.acquire.sys.global.b32 %%0, [%%1];" : "=r"(x) : "l"(p) : "memory");
    return x;
}
`, t))
	case op.Order == simt.Release && op.RMW == simt.RMWExchange && !used:
		plain = "store_release"
		w.helpers.add(plain+t, fmt.Sprintf(`__device__ inline void store_release(%[1]s* p, %[1]s x) {
    asm volatile("st.release.sys.global.b32 [%%0], %%1;" :: "l"(p), "r"(x) : "memory");
}
`, t))
	}
	if plain == "" {
		scope, suffix := scopeOf(op.Order)
		if op.Order.Acquires() {
			w.helpers.add("acquired"+suffix+t, fmt.Sprintf("__device__ inline %[1]s acquired%[2]s(%[1]s x) {\n    asm volatile(\"fence.acq_rel.%[3]s;\" ::: \"memory\");\n    return x;\n}\n", t, suffix, scope))
		}
		if op.Order.Releases() {
			w.helpers.add("released"+suffix+t, fmt.Sprintf("__device__ inline %[1]s* released%[2]s(%[1]s* p) {\n    asm volatile(\"fence.acq_rel.%[3]s;\" ::: \"memory\");\n    return p;\n}\n", t, suffix, scope))
		}
	}
	return plain
}

// scopeOf is where an order holds, and what the names of its functions end in.
func scopeOf(o simt.MemoryOrder) (scope, suffix string) {
	if o == simt.AcquireRelease {
		return "gpu", "_device"
	}
	return "sys", ""
}
