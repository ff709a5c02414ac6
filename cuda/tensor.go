package cuda

import (
	"fmt"
	"strings"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/cstyle"
	"github.com/weftgpu/weft/simt"
)

// Copies by tensor maps and the barriers that tell of them are inline PTX (PTX ISA, "cp.async.bulk.tensor" and "mbarrier"). A map is a
// parameter of the kernel, before all others.

// launchBounds is the threads of a workgroup and, if that is decided, how many workgroups there is room for.
func launchBounds(k *simt.Func) string {
	if k.Resident > 0 {
		return fmt.Sprintf("%d, %d", k.LaunchThreads(), k.Resident)
	}
	return fmt.Sprint(k.LaunchThreads())
}

// tensorType is what a map is passed as: an opaque CUtensorMap.
const tensorType = "struct alignas(64) tensor_map { u64 words[16]; };\n"

// initBarriers makes the barriers ready before any thread uses them.
func (w *writer) initBarriers() string {
	var b strings.Builder
	for _, s := range w.kernel.Shared {
		for i := range s.Len {
			if s.Arrivals == 0 {
				break
			}
			w.barrierHelper("barrier_init", ", int arrivals", `"mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(address), "r"(arrivals) : "memory"`)
			fmt.Fprintf(&b, "        barrier_init(%s, %d, %d);\n", w.shared[s], i, s.Arrivals)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "    if (threadIdx.x == 0) {\n" + b.String() + "        asm volatile(\"fence.mbarrier_init.release.cluster;\" ::: \"memory\");\n    }\n    __syncthreads();\n"
}

// barrierHelper declares a function on one barrier of an array.
func (w *writer) barrierHelper(name, params, instruction string) {
	head := fmt.Sprintf("__device__ inline void %s(const u64* barriers, int at%s)", name, params)
	w.helpers.add(name, fmt.Sprintf(`%s {
    unsigned address = (unsigned)__cvta_generic_to_shared(barriers + at);
    asm volatile(%s);
}
`, head, instruction))
}

// Tensor prints a copy by a tensor map, or a step of a barrier, also of those of a cluster.
func (w *writer) Tensor(op *simt.Op, args []cstyle.Expr) (string, error) {
	if w.helpers.arch != 90 {
		return "", fault.New(fault.ErrUnsupported, "cuda", "the op %v is not supported for compute capability %d", op.Kind, w.helpers.arch).At(op.Line)
	}
	array := cstyle.Atom(w.shared[op.Shared])
	switch op.Kind {
	case simt.StoreWait:
		return fmt.Sprintf(`if (%s == 0) asm volatile("cp.async.bulk.wait_group.read %d;" ::: "memory");`, w.threadNumber(), op.Pending), nil
	case simt.TensorStore:
		name := w.tensorHelper(op, "tensor_store", "", `"cp.async.bulk.tensor.%dd.global.shared::cta.bulk_group [%%1, {%s}], [%%0]; cp.async.bulk.commit_group;"`, 2, "")
		call := append([]cstyle.Expr{array, args[0], cstyle.Atom(w.maps[op.Map])}, args[1:]...)
		return fmt.Sprintf("if (%s == 0) %s;", w.threadNumber(), cstyle.Call(name, call...).Text), nil
	case simt.Expect:
		w.barrierHelper("barrier_expect", ", int bytes", `"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(address), "r"(bytes) : "memory"`)
		return cstyle.Call("barrier_expect", array, args[0], cstyle.Atom(fmt.Sprint(op.Bytes))).Text + ";", nil
	case simt.OrderBegin, simt.OrderEnd:
		return w.order(op.Kind), nil
	case simt.ClusterBarrier:
		if op.Cluster {
			return exchangeInCluster, nil
		}
		return meetCluster, nil
	case simt.Arrive:
		// One lane arrives for its warp. What the others loaded from the stage they have: it was an operand of products, which the warp begins
		// together (.sync) and has waited for, and no instruction begins before its operands are there.
		condition := ""
		if len(args) > 1 {
			condition = " && " + cstyle.Paren(args[1], cstyle.LogicalAnd)
		}
		if op.Cluster {
			return w.arriveInCluster(array, args[0], condition), nil
		}
		w.barrierHelper("barrier_arrive", "", `"mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(address) : "memory"`)
		return fmt.Sprintf("if ((threadIdx.x & 31) == 0%s) %s;", condition, cstyle.Call("barrier_arrive", array, args[0]).Text), nil
	case simt.Wait:
		w.barrierHelper("barrier_wait", ", int parity", `"{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @p bra done; bra again; done: }" :: "r"(address), "r"(parity) : "memory"`)
		return cstyle.Call("barrier_wait", array, args[0], args[1]).Text + ";", nil
	}
	if op.Multicast > 0 {
		return w.copyToCluster(op, array, args), nil
	}
	name := w.tensorHelper(op, "tensor_copy", ", const u64* barriers, int barrier",
		`"cp.async.bulk.tensor.%dd.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%%0], [%%1, {%s}], [%%2];"`, 3,
		`, "r"((unsigned)__cvta_generic_to_shared(barriers + barrier))`)
	call := append([]cstyle.Expr{array, args[0], cstyle.Atom(w.maps[op.Map]), cstyle.Atom(w.shared[op.Signals]), args[1]}, args[2:]...)
	return cstyle.Call(name, call...).Text + ";", nil
}

// tensorHelper declares a function that starts a copy between a shared array and a view. The instruction has places for the number of dimensions and
// for the coordinates, whose operands are numbered from first on; more are parameters and operands before them.
func (w *writer) tensorHelper(op *simt.Op, name, params, instruction string, first int, operands string) string {
	n := len(op.Map.Dims)
	name += fmt.Sprint(n)
	places := make([]string, n)
	for i := range n {
		params += fmt.Sprintf(", int c%d", i)
		places[i] = fmt.Sprintf("%%%d", first+i)
		operands += fmt.Sprintf(", \"r\"(c%d)", i)
	}
	head := fmt.Sprintf("__device__ inline void %s(const %s* array, int at, const tensor_map& map%s)", name, w.memoryType(op.Shared.Elem, 1), params)
	w.helpers.add(head, fmt.Sprintf(`%s {
    asm volatile(%s
        :: "r"((unsigned)__cvta_generic_to_shared(array + at)), "l"(&map)%s : "memory");
}
`, head, fmt.Sprintf(instruction, n, strings.Join(places, ", ")), operands))
	return name
}

// threadNumber is the number of a thread within the workgroup, or within its group of consumers.
func (w *writer) threadNumber() string {
	if w.kernel.Consumers > 1 {
		return fmt.Sprintf("threadIdx.x %% %d", w.kernel.Threads)
	}
	return "threadIdx.x"
}

// Roles moves registers from the role that needs few to the others.
func (w *writer) Roles(*simt.Op) (producer, consumers []string, err error) {
	k := w.kernel
	w.inRole = true
	begin, only := fmt.Sprintf("if (threadIdx.x >= %d) {", k.ConsumerThreads()), w.oneProducer()
	if k.Registers == (simt.Registers{}) {
		return []string{begin, only}, append([]string{"else {"}, w.openOrder()...), nil
	}
	set := func(direction string, n int) string {
		return fmt.Sprintf(`    asm volatile("setmaxnreg.%s.sync.aligned.u32 %d;");`, direction, n)
	}
	return []string{begin, set("dec", k.Registers.Producer), only}, append([]string{"else {", set("inc", k.Registers.Consumer)}, w.openOrder()...), nil
}

// oneProducer ends all threads of the producer's role but one, of the first warp, which is elected: then the compiler knows that one thread alone starts the copies, and
// does without a loop over threads for each of them (PTX ISA, "elect.sync").
func (w *writer) oneProducer() string {
	w.helpers.add("elected", `__device__ inline bool elected() {
    unsigned is;
    asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(is));
    return is != 0;
}
`)
	others := ""
	if w.kernel.Producers > simt.WarpThreads {
		others = fmt.Sprintf("threadIdx.x / %d != %d || ", simt.WarpThreads, w.kernel.ConsumerThreads()/simt.WarpThreads)
	}
	return fmt.Sprintf("    if (%s!elected()) return;", others)
}

// orderBarrier is the number of the barrier at which the first warpgroup waits in an OrderBegin; others have those that follow. Those with lower
// numbers are for the threads of roles and of groups of consumers.
const orderBarrier = 8

// order waits at the warpgroup's barrier, or arrives at that of the next warpgroup (PTX ISA, "bar").
func (w *writer) order(kind simt.Kind) string {
	size := simt.WarpgroupMMA.Threads
	if kind == simt.OrderBegin {
		return fmt.Sprintf(`asm volatile("bar.sync %%0, %d;" :: "r"(%d + threadIdx.x / %d) : "memory");`, 2*size, orderBarrier, size)
	}
	return fmt.Sprintf(`asm volatile("bar.arrive %%0, %d;" :: "r"(%d + (threadIdx.x / %d + 1) %% %d) : "memory");`, 2*size, orderBarrier, size, w.kernel.Threads/size)
}

// openOrder arrives at the first warpgroup's barrier as the last warpgroup, if the kernel orders them.
func (w *writer) openOrder() (lines []string) {
	size, found := simt.WarpgroupMMA.Threads, false
	simt.Walk(w.kernel.Body, func(op *simt.Op) { found = found || op.Kind == simt.OrderBegin })
	if found {
		lines = append(lines, fmt.Sprintf(`    if (threadIdx.x / %d == %d) asm volatile("bar.arrive %d, %d;" ::: "memory");`, size, w.kernel.Threads/size-1, orderBarrier, 2*size))
	}
	return lines
}
