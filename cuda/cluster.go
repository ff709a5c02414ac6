package cuda

import (
	"fmt"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/cstyle"
	"github.com/weftgpu/weft/simt"
)

// Workgroups of a cluster are neighbours along the first axis of the grid, whose size the host sees to be a multiple of the cluster's. They reach
// each other's shared memory by addresses of one window of them all: a copy writes to the same place in several workgroups, and counts at the
// same barrier of each (PTX ISA, "cp.async.bulk.tensor", ".multicast::cluster"); an arrival names the workgroup ("mapa").
//
// Arrivals at others and waits for them have no scope of the cluster, which on Hopper costs a fence of the whole GPU each (MEMBAR.ALL.GPU) and a flush
// of the first-level cache (CCTL.IVALL): no thread reads what another workgroup's wrote, they only tell that matrix instructions are done
// with what the next copy overwrites.

// clusterDims is what a kernel says of its clusters.
func clusterDims(k *simt.Func) string {
	if k.Cluster < 2 {
		return ""
	}
	return fmt.Sprintf("__cluster_dims__(%d, 1, 1) ", k.Cluster)
}

// meetCluster is a barrier of all threads of a cluster that have not ended. What it has to tell others of, that barriers are ready, the fence after them
// releases (PTX ISA, "fence.mbarrier_init"), so that it need not wait for the memory of the GPU.
const meetCluster = `asm volatile("barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");`

// arriveInCluster arrives at a barrier of each workgroup, the first threads of a warp at one of them each, if a further condition holds.
func (w *writer) arriveInCluster(barriers, at cstyle.Expr, condition string) string {
	w.barrierHelper("barrier_arrive_cluster", ", unsigned rank", `"{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1; `+
		`mbarrier.arrive.shared::cluster.b64 _, [there]; }" :: "r"(address), "r"(rank) : "memory"`)
	lane := cstyle.Atom("threadIdx.x & 31")
	return fmt.Sprintf("if ((threadIdx.x & 31) < %d%s) %s;", w.kernel.Cluster, condition, cstyle.Call("barrier_arrive_cluster", barriers, at, lane).Text)
}

// exchangeInCluster is such a barrier that orders accesses to shared memory.
var exchangeInCluster = strings.Replace(meetCluster, "arrive.relaxed", "arrive.release", 1)

// loadPeer loads from a shared array of the other workgroup of a cluster of two.
func (w *writer) loadPeer(op *simt.Op, index cstyle.Expr) cstyle.Expr {
	t, elem := op.Result().Type, w.memoryType(op.Shared.Elem, 1)
	kind, letter := "u32", "r"
	if t.Elem == dtype.F32 {
		kind, letter = "f32", "f"
	}
	lanes := []string{"x"}
	if t.Width > 1 {
		lanes = []string{"x.x", "x.y", "x.z", "x.w"}[:t.Width]
	}
	vector, places, outputs := "", "%0", fmt.Sprintf(`"=%s"(%s)`, letter, strings.Join(lanes, fmt.Sprintf(`), "=%s"(`, letter)))
	if t.Width > 1 {
		vector, places = fmt.Sprintf("v%d.", t.Width), "{%0, %1, %2, %3}"[:4*t.Width-1]+"}"
	}
	name := fmt.Sprintf("load_peer_%v", t)
	w.helpers.add(name, fmt.Sprintf(`__device__ inline %s %s(const %s* array, int at) {
    %s x;
    asm volatile("{ .reg .b32 there; mov.u32 there, %%%%cluster_ctarank; xor.b32 there, there, 1; mapa.shared::cluster.u32 there, %%%d, there; ld.shared::cluster.%s%s %s, [there]; }"
        : %s : "r"((unsigned)__cvta_generic_to_shared(array + at)) : "memory");
    return x;
}
`, w.typeName(t), name, elem, w.typeName(t), t.Width, vector, kind, places, outputs))
	return cstyle.Call(name, cstyle.Atom(w.shared[op.Shared]), index)
}

// copyToCluster copies this workgroup's part of a block to all workgroups.
func (w *writer) copyToCluster(op *simt.Op, array cstyle.Expr, args []cstyle.Expr) string {
	m, n := op.Map, len(op.Map.Dims)
	name := fmt.Sprintf("tensor_copy_cluster%d_%d", n, op.Multicast-1)
	var params, places, operands strings.Builder
	for i := range n {
		fmt.Fprintf(&params, ", int c%d", i)
		fmt.Fprintf(&places, "%s%%%d", strings.Repeat(", ", min(i, 1)), 4+i)
		fmt.Fprintf(&operands, `, "r"(c%d)`, i)
	}
	head := fmt.Sprintf("__device__ inline void %s(const %s* array, int at, const tensor_map& map, const u64* barriers, int barrier, int elements, int step%s)",
		name, w.memoryType(op.Shared.Elem, 1), params.String())
	w.helpers.add(head, fmt.Sprintf(`%s {
    int rank;
    asm("mov.u32 %%0, %%%%cluster_ctarank;" : "=r"(rank));
    at += rank * elements;
    c%d += rank * step;
    asm volatile("cp.async.bulk.tensor.%dd.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%%0], [%%1, {%s}], [%%2], %%3;"
        :: "r"((unsigned)__cvta_generic_to_shared(array + at)), "l"(&map), "r"((unsigned)__cvta_generic_to_shared(barriers + barrier)), "h"((unsigned short)%d)%s : "memory");
}
`, head, op.Multicast-1, n, places.String(), 1<<w.kernel.Cluster-1, operands.String()))
	elements, step := m.Bytes()/m.Buffer.Elem.Size(), m.Box[op.Multicast-1]
	call := []cstyle.Expr{array, args[0], cstyle.Atom(w.maps[m]), cstyle.Atom(w.shared[op.Signals]), args[1],
		cstyle.Atom(fmt.Sprint(elements)), cstyle.Atom(fmt.Sprint(step))}
	return cstyle.Call(name, append(call, args[2:]...)...).Text + ";"
}
