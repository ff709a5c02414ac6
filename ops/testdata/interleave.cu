struct f16 { unsigned short bits; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(8) f32x2 { float x, y; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(8) u32x2 { unsigned x, y; };

__device__ inline u32x4 splat4(unsigned a) {
    return {a, a, a, a};
}
__device__ inline unsigned pick_bytes(unsigned a, unsigned b, unsigned c) {
    unsigned x;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    return x;
}
__device__ inline float to_f32(f16 a) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(a.bits));
    return x;
}
__device__ inline f32x2 unpack_f16(unsigned a) {
    return {to_f32(f16{(unsigned short)a}), to_f32(f16{(unsigned short)(a >> 16)})};
}
__device__ inline f16 to_f16(float a) {
    f16 x;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}
__device__ inline u32x2 pack_f16(f32x4 a) {
    return {unsigned(to_f16(a.x).bits) | (unsigned(to_f16(a.y).bits) << 16), unsigned(to_f16(a.z).bits) | (unsigned(to_f16(a.w).bits) << 16)};
}

extern "C" __global__ void __launch_bounds__(128) interleave(
    const f16* a,
    f16* __restrict__ out,
    int a_offset,
    int a_size0,
    int a_size1,
    int a_stride0,
    int out_offset,
    int out_size1,
    int out_stride0) {
    __shared__ alignas(16) f16 exchange[1024]; // kernels/interleave.go: elements change threads
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/interleave.go
    int quotient = (out_size1 + 1023) / 1024;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int a_start0 = program / chosen;
    // kernels/interleave.go
    int a_start1 = remainder_0 * 1024;
    int lane = thread << 3;
    int offset = a_start1 + lane;
    unsigned bits = unsigned(offset);
    bool in_bounds = unsigned(a_start0) < unsigned(a_size0) && bits < unsigned(a_size1);
    u32x4 a_0 = in_bounds ? *(const u32x4*)&a[a_offset + a_start0 * a_stride0 + offset] : splat4(0u);
    // kernels/interleave.go
    int offset_0 = ((thread & 99) << 3) + ((thread >> 1) & 6) + ((thread & 12) << 4);
    int lane_0 = offset_0 + ((thread & 16) << 1);
    *(unsigned*)&exchange[lane_0] = pick_bytes(a_0.x, a_0.z, 21520u);
    *(unsigned*)&exchange[lane_0 ^ 2] = pick_bytes(a_0.x, a_0.z, 30258u);
    *(unsigned*)&exchange[lane_0 ^ 4] = pick_bytes(a_0.y, a_0.w, 21520u);
    *(unsigned*)&exchange[lane_0 ^ 6] = pick_bytes(a_0.y, a_0.w, 30258u);
    int lane_1 = ((thread & 31) << 1) + ((thread & 96) << 3);
    __syncthreads();
    unsigned exchange_0 = *(const unsigned*)&exchange[lane_1];
    f32x2 exchange_1 = unpack_f16(exchange_0);
    unsigned exchange_2 = *(const unsigned*)&exchange[lane_1 ^ 66];
    f32x2 exchange_3 = unpack_f16(exchange_2);
    unsigned exchange_4 = *(const unsigned*)&exchange[lane_1 ^ 132];
    f32x2 exchange_5 = unpack_f16(exchange_4);
    unsigned exchange_6 = *(const unsigned*)&exchange[lane_1 ^ 198];
    f32x2 exchange_7 = unpack_f16(exchange_6);
    f32x4 lanes = f32x4{exchange_1.x, exchange_1.y, exchange_3.x, exchange_3.y};
    f32x4 lanes_0 = f32x4{exchange_5.x, exchange_5.y, exchange_7.x, exchange_7.y};
    // kernels/interleave.go
    u32x2 value = pack_f16(lanes);
    u32x2 value_0 = pack_f16(lanes_0);
    if (bits < unsigned(out_size1)) {
        *(u32x4*)&out[out_offset + a_start0 * out_stride0 + offset] = u32x4{value.x, value.y, value_0.x, value_0.y};
    }
}
