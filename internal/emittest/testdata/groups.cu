typedef long long i64;
typedef unsigned long long u64;

struct alignas(64) tensor_map { u64 words[16]; };

__device__ inline bool elected() {
    unsigned is;
    asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(is));
    return is != 0;
}
__device__ inline void barrier_expect(const u64* barriers, int at, int bytes) {
    unsigned address = (unsigned)__cvta_generic_to_shared(barriers + at);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(address), "r"(bytes) : "memory");
}
__device__ inline void tensor_copy2(const float* array, int at, const tensor_map& map, const u64* barriers, int barrier, int c0, int c1) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
        :: "r"((unsigned)__cvta_generic_to_shared(array + at)), "l"(&map), "r"((unsigned)__cvta_generic_to_shared(barriers + barrier)), "r"(c0), "r"(c1) : "memory");
}
__device__ inline void barrier_wait(const u64* barriers, int at, int parity) {
    unsigned address = (unsigned)__cvta_generic_to_shared(barriers + at);
    asm volatile("{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @p bra done; bra again; done: }" :: "r"(address), "r"(parity) : "memory");
}
__device__ inline void barrier_init(const u64* barriers, int at, int arrivals) {
    unsigned address = (unsigned)__cvta_generic_to_shared(barriers + at);
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(address), "r"(arrivals) : "memory");
}

extern "C" __global__ void __launch_bounds__(384, 1) groups(
    const __grid_constant__ tensor_map from,
    const float* x,
    float* __restrict__ y) {
    __shared__ alignas(1024) float tile[256];
    __shared__ alignas(16) u64 full[1];
    if (threadIdx.x == 0) {
        barrier_init(full, 0, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    if (threadIdx.x >= 256) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        if (threadIdx.x / 32 != 8 || !elected()) return;
        barrier_expect(full, 0, 1024);
        tensor_copy2(tile, 0, from, full, 0, 0, 0);
    }
    else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        int group = int(__shfl_sync(0xffffffffu, threadIdx.x / 128, 0));
        int thread = int(threadIdx.x % 128);
        int first = group * 128;
        int at = first + thread;
        barrier_wait(full, 0, 0);
        float x_0 = tile[at];
        y[at] = x_0;
    }
}
