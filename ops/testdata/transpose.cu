struct alignas(16) u32x4 { unsigned x, y, z, w; };

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
__device__ inline u32x4 operator>>(u32x4 a, u32x4 b) {
    return {a.x >> b.x, a.y >> b.y, a.z >> b.z, a.w >> b.w};
}

extern "C" __global__ void __launch_bounds__(256) copy_squares(
    const unsigned* src,
    unsigned* __restrict__ out,
    int src_offset,
    int src_size0,
    int src_size1,
    int src_size2,
    int src_stride1,
    int src_stride2,
    int out_offset,
    int out_size1,
    int out_size2,
    int out_stride0,
    int out_stride2) {
    __shared__ alignas(16) unsigned exchange[1024]; // elementwise/copy.go: elements change threads
    __shared__ alignas(16) unsigned exchange_0[1024]; // elementwise/copy.go: elements change threads
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // elementwise/copy.go
    int quotient = (out_size1 + 31) / 32;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int quotient_0 = program / chosen;
    // elementwise/copy.go
    int src_start0 = quotient_0 * 32;
    int both = thread & 7;
    int lane = both << 2;
    int src_start1 = remainder_0 * 32;
    int lane_0 = thread >> 3;
    int index = src_offset + src_start0 + lane + (src_start1 + lane_0) * src_stride1;
    unsigned bits = unsigned(src_size2);
    bool both_0 = unsigned(src_start0) < unsigned(src_size0) && unsigned(src_start1) < unsigned(src_size1);
    u32x4 src_0 = both_0 && 0u < bits ? *(const u32x4*)&src[index] : splat4(0u);
    u32x4 src_1 = both_0 && 1u < bits ? *(const u32x4*)&src[index + src_stride2] : splat4(0u);
    u32x4 src_2 = both_0 && 2u < bits ? *(const u32x4*)&src[index + 2 * src_stride2] : splat4(0u);
    u32x4 src_3 = both_0 && 3u < bits ? *(const u32x4*)&src[index + 3 * src_stride2] : splat4(0u);
    // elementwise/copy.go
    u32x4 either = (src_0 & splat4(65535u)) | ((src_2 & splat4(65535u)) << splat4(16u));
    // elementwise/copy.go
    u32x4 either_0 = ((src_0 >> splat4(16u)) & splat4(65535u)) | (src_2 & splat4(4294901760u));
    // elementwise/copy.go
    u32x4 either_1 = (src_1 & splat4(65535u)) | ((src_3 & splat4(65535u)) << splat4(16u));
    // elementwise/copy.go
    u32x4 either_2 = ((src_1 >> splat4(16u)) & splat4(65535u)) | (src_3 & splat4(4294901760u));
    // elementwise/copy.go
    u32x4 either_3 = (either & splat4(16711935u)) | ((either_1 & splat4(16711935u)) << splat4(8u));
    // elementwise/copy.go
    u32x4 either_4 = ((either >> splat4(8u)) & splat4(16711935u)) | (either_1 & splat4(4278255360u));
    // elementwise/copy.go
    u32x4 either_5 = (either_0 & splat4(16711935u)) | ((either_2 & splat4(16711935u)) << splat4(8u));
    // elementwise/copy.go
    u32x4 either_6 = ((either_0 >> splat4(8u)) & splat4(16711935u)) | (either_2 & splat4(4278255360u));
    // elementwise/copy.go
    int lane_1 = (lane + (both << 7)) ^ lane_0;
    int index_0 = lane_1 + 32;
    int index_1 = lane_1 + 64;
    int index_2 = lane_1 + 96;
    exchange[lane_1] = either_3.x;
    exchange[index_0] = either_3.y;
    exchange[index_1] = either_3.z;
    exchange[index_2] = either_3.w;
    int lane_2 = (thread << 2) ^ (lane_0 & 28);
    __syncthreads();
    u32x4 exchange_1 = *(const u32x4*)&exchange[lane_2];
    int index_3 = out_offset + (src_start0 + lane_0) * out_stride0 + src_start1 + lane;
    unsigned bits_0 = unsigned(out_size2);
    if (0u < bits_0) {
        *(u32x4*)&out[index_3] = exchange_1;
    }
    exchange_0[lane_1] = either_4.x;
    exchange_0[index_0] = either_4.y;
    exchange_0[index_1] = either_4.z;
    exchange_0[index_2] = either_4.w;
    __syncthreads();
    u32x4 exchange_2 = *(const u32x4*)&exchange_0[lane_2];
    if (1u < bits_0) {
        *(u32x4*)&out[index_3 + out_stride2] = exchange_2;
    }
    exchange[lane_1] = either_5.x;
    exchange[index_0] = either_5.y;
    exchange[index_1] = either_5.z;
    exchange[index_2] = either_5.w;
    __syncthreads();
    u32x4 exchange_3 = *(const u32x4*)&exchange[lane_2];
    if (2u < bits_0) {
        *(u32x4*)&out[index_3 + 2 * out_stride2] = exchange_3;
    }
    exchange_0[lane_1] = either_6.x;
    exchange_0[index_0] = either_6.y;
    exchange_0[index_1] = either_6.z;
    exchange_0[index_2] = either_6.w;
    __syncthreads();
    u32x4 exchange_4 = *(const u32x4*)&exchange_0[lane_2];
    if (3u < bits_0) {
        *(u32x4*)&out[index_3 + 3 * out_stride2] = exchange_4;
    }
}
