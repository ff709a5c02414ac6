struct alignas(16) f32x4 { float x, y, z, w; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline f32x4 operator+(f32x4 a, f32x4 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

extern "C" __global__ void __launch_bounds__(256) add(
    const float* a,
    const float* b,
    float* __restrict__ out,
    int a_offset,
    int a_size0,
    int a_size1,
    int a_stride0,
    int b_offset,
    int b_size0,
    int b_size1,
    int b_stride0,
    int out_offset,
    int out_size1,
    int out_stride0) {
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // weft/map.go
    int quotient = (out_size1 + 1023) / 1024;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int a_start0 = program / chosen;
    // weft/map.go
    unsigned bits = unsigned(a_start0);
    int a_start1 = remainder_0 * 1024;
    int lane = thread << 2;
    int offset = a_start1 + lane;
    unsigned bits_0 = unsigned(offset);
    f32x4 a_0 = bits < unsigned(a_size0) && bits_0 < unsigned(a_size1) ? *(const f32x4*)&a[a_offset + a_start0 * a_stride0 + offset] : splat4(0.0f);
    f32x4 b_0 = bits < unsigned(b_size0) && bits_0 < unsigned(b_size1) ? *(const f32x4*)&b[b_offset + a_start0 * b_stride0 + offset] : splat4(0.0f);
    // ops/add.go
    f32x4 sum = a_0 + b_0;
    // weft/map.go
    if (bits_0 < unsigned(out_size1)) {
        *(f32x4*)&out[out_offset + a_start0 * out_stride0 + offset] = sum;
    }
}
