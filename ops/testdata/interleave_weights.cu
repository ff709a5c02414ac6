struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(4) u8x4 { unsigned char x, y, z, w; };

__device__ inline u32x4 splat4(unsigned a) {
    return {a, a, a, a};
}
__device__ inline u32x4 operator&(u32x4 a, u32x4 b) {
    return {a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w};
}
__device__ inline u32x4 operator<<(u32x4 a, u32x4 b) {
    return {a.x << b.x, a.y << b.y, a.z << b.z, a.w << b.w};
}
__device__ inline u32x4 operator|(u32x4 a, u32x4 b) {
    return {a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w};
}
__device__ inline u8x4 to_u8(u32x4 a) {
    return {(unsigned char)a.x, (unsigned char)a.y, (unsigned char)a.z, (unsigned char)a.w};
}

extern "C" __global__ void __launch_bounds__(128) interleave(
    const unsigned char* a,
    unsigned char* __restrict__ out,
    int a_offset,
    int a_size0,
    int a_size1,
    int a_stride0,
    int out_offset,
    int out_size1,
    int out_stride0) {
    __shared__ alignas(16) unsigned char exchange[512]; // kernels/interleave.go: elements change threads
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/interleave.go
    int quotient = (out_size1 + 511) / 512;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int a_start0 = program / chosen;
    // kernels/interleave.go
    int a_start1 = remainder_0 * 512;
    int lane = thread << 2;
    int offset = a_start1 + lane;
    unsigned bits = unsigned(offset);
    bool in_bounds = unsigned(a_start0) < unsigned(a_size0) && bits < unsigned(a_size1);
    unsigned a_0 = in_bounds ? *(const unsigned*)&a[a_offset + a_start0 * a_stride0 + offset] : 0u;
    // kernels/interleave.go
    *(unsigned*)&exchange[lane] = a_0;
    int lane_0 = ((thread & 3) << 4) + ((thread >> 2) & 3) + ((thread & 112) << 2);
    __syncthreads();
    unsigned exchange_0 = exchange[lane_0];
    unsigned exchange_1 = exchange[lane_0 + 4];
    unsigned exchange_2 = exchange[lane_0 + 8];
    unsigned exchange_3 = exchange[lane_0 + 12];
    int converted = int(exchange_0);
    int converted_0 = int(exchange_1);
    int converted_1 = int(exchange_2);
    int converted_2 = int(exchange_3);
    u32x4 lanes = u32x4{unsigned(converted & 15) & 255u, unsigned(converted_1 & 15) & 255u, unsigned((converted >> 4) & 15) & 255u, unsigned((converted_1 >> 4) & 15) & 255u};
    u32x4 lanes_0 = u32x4{unsigned(converted_0 & 15) & 255u, unsigned(converted_2 & 15) & 255u, unsigned((converted_0 >> 4) & 15) & 255u, unsigned((converted_2 >> 4) & 15) & 255u};
    u32x4 both = ((lanes & splat4(15u)) | ((lanes_0 & splat4(15u)) << splat4(4u))) & splat4(255u);
    // kernels/interleave.go
    if (bits < unsigned(out_size1)) {
        *(u8x4*)&out[out_offset + a_start0 * out_stride0 + offset] = to_u8(both);
    }
}
