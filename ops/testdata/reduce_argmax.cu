struct f16 { unsigned short bits; };
struct alignas(16) i32x4 { int x, y, z, w; };
struct alignas(8) f16x4 { f16 x, y, z, w; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(4) boolx4 { bool x, y, z, w; };

__device__ inline i32x4 splat4(int a) {
    return {a, a, a, a};
}
__device__ inline float to_f32(f16 a) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(a.bits));
    return x;
}
__device__ inline f32x4 to_f32(f16x4 a) {
    return {to_f32(a.x), to_f32(a.y), to_f32(a.z), to_f32(a.w)};
}
__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline i32x4 as_i32(f32x4 a) {
    return {__float_as_int(a.x), __float_as_int(a.y), __float_as_int(a.z), __float_as_int(a.w)};
}
__device__ inline i32x4 operator&(i32x4 a, i32x4 b) {
    return {a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w};
}
__device__ inline i32x4 operator>>(i32x4 a, i32x4 b) {
    return {a.x >> b.x, a.y >> b.y, a.z >> b.z, a.w >> b.w};
}
__device__ inline i32x4 operator^(i32x4 a, i32x4 b) {
    return {a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w};
}
__device__ inline boolx4 operator==(i32x4 a, i32x4 b) {
    return {a.x == b.x, a.y == b.y, a.z == b.z, a.w == b.w};
}
__device__ inline i32x4 select(boolx4 a, i32x4 b, i32x4 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y, a.z ? b.z : c.z, a.w ? b.w : c.w};
}
__device__ inline boolx4 operator>(i32x4 a, i32x4 b) {
    return {a.x > b.x, a.y > b.y, a.z > b.z, a.w > b.w};
}
__device__ inline int wrap_add(int a, int b) {
    return int(unsigned(a) + unsigned(b));
}
__device__ inline i32x4 operator+(i32x4 a, i32x4 b) {
    return {wrap_add(a.x, b.x), wrap_add(a.y, b.y), wrap_add(a.z, b.z), wrap_add(a.w, b.w)};
}
__device__ inline boolx4 operator<(i32x4 a, i32x4 b) {
    return {a.x < b.x, a.y < b.y, a.z < b.z, a.w < b.w};
}
__device__ inline boolx4 operator&(boolx4 a, boolx4 b) {
    return {a.x && b.x, a.y && b.y, a.z && b.z, a.w && b.w};
}
__device__ inline boolx4 operator|(boolx4 a, boolx4 b) {
    return {a.x || b.x, a.y || b.y, a.z || b.z, a.w || b.w};
}

extern "C" __global__ void __launch_bounds__(256) reduce(
    const f16* __restrict__ x,
    int* __restrict__ key,
    int* __restrict__ place,
    int x_offset,
    int x_size0,
    int x_size1,
    int key_offset,
    int key_size0,
    int key_size1,
    int place_offset,
    int place_size0,
    int place_size1) {
    __shared__ alignas(16) int parts[8]; // reduce_states.go:164: partial results of reduce
    __shared__ alignas(16) int parts_0[8]; // reduce_states.go:164: partial results of reduce
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // reduce_kernel.go:54
    int chosen = key_size1 == 0 ? 1 : key_size1;
    int key_start1 = program % chosen;
    int x_start0 = program / chosen;
    // reduce_kernel.go:150
    int quotient = (x_size1 + 2047) / 2048;
    // reduce_kernel.go:153
    int quotient_0 = (quotient + key_size1 - 1) / chosen;
    // reduce_kernel.go:154
    int offset = key_start1 * quotient_0;
    // reduce_kernel.go:155
    int least = min(offset + quotient_0, quotient);
    // reduce_kernel.go:197
    unsigned bits = unsigned(x_start0);
    bool less = bits < unsigned(x_size0);
    int lane = thread << 2;
    unsigned bits_0 = unsigned(x_size1);
    // reduce_kernel.go:204
    i32x4 lanes = i32x4{lane, lane + 1, lane + 2, lane + 3};
    i32x4 lanes_0 = i32x4{lane + 1024, lane + 1025, lane + 1026, lane + 1027};
    // reduce_kernel.go:157
    i32x4 carried = splat4((-2147483647 - 1));
    i32x4 carried_0 = splat4((-2147483647 - 1));
    i32x4 carried_1 = splat4(0);
    i32x4 carried_2 = splat4(0);
    for (int i = offset; i < least; ++i) {
        // reduce_kernel.go:197
        int x_start1 = i * 2048;
        int offset_0 = x_start1 + lane;
        int index = x_offset + offset_0;
        f32x4 x_0 = less && unsigned(offset_0) < bits_0 ? to_f32(*(const f16x4*)&x[index]) : splat4(__int_as_float(0xff800000));
        f32x4 x_1 = less && unsigned(offset_0 + 1024) < bits_0 ? to_f32(*(const f16x4*)&x[index + 1024]) : splat4(__int_as_float(0xff800000));
        // reduce_states.go:143
        i32x4 bits_1 = as_i32(x_0);
        i32x4 bits_2 = as_i32(x_1);
        i32x4 both = bits_1 & splat4(2147483647);
        i32x4 both_0 = bits_2 & splat4(2147483647);
        i32x4 chosen_0 = select((both == splat4(0)), both, bits_1 ^ ((bits_1 >> splat4(31)) & splat4(2147483647)));
        i32x4 chosen_1 = select((both_0 == splat4(0)), both_0, bits_2 ^ ((bits_2 >> splat4(31)) & splat4(2147483647)));
        i32x4 chosen_2 = select((both > splat4(2139095040)), splat4(2147483647), chosen_0);
        i32x4 chosen_3 = select((both_0 > splat4(2139095040)), splat4(2147483647), chosen_1);
        // reduce_kernel.go:206
        i32x4 offset_1 = lanes + splat4(x_start1);
        i32x4 offset_2 = lanes_0 + splat4(x_start1);
        // reduce_states.go:159
        boolx4 greater = chosen_2 > carried;
        boolx4 greater_0 = chosen_3 > carried_0;
        // reduce_states.go:160
        carried_1 = select(greater, offset_1, carried_1);
        carried_2 = select(greater_0, offset_2, carried_2);
        carried = select(greater, chosen_2, carried);
        carried_0 = select(greater_0, chosen_3, carried_0);
    }
    // reduce_states.go:164
    boolx4 either = (carried_0 > carried) | ((carried_0 == carried) & (carried_2 < carried_1));
    i32x4 chosen_4 = select(either, carried_0, carried);
    i32x4 chosen_5 = select(either, carried_2, carried_1);
    bool either_0 = chosen_4.z > chosen_4.x || (chosen_4.z == chosen_4.x && chosen_5.z < chosen_5.x);
    int chosen_6 = either_0 ? chosen_4.z : chosen_4.x;
    int chosen_7 = either_0 ? chosen_5.z : chosen_5.x;
    bool either_1 = chosen_4.w > chosen_4.y || (chosen_4.w == chosen_4.y && chosen_5.w < chosen_5.y);
    int chosen_8 = either_1 ? chosen_4.w : chosen_4.y;
    int chosen_9 = either_1 ? chosen_5.w : chosen_5.y;
    bool either_2 = chosen_8 > chosen_6 || (chosen_8 == chosen_6 && chosen_9 < chosen_7);
    int chosen_10 = either_2 ? chosen_8 : chosen_6;
    int chosen_11 = either_2 ? chosen_9 : chosen_7;
    int other = __shfl_xor_sync(0xffffffffu, chosen_10, 1);
    int other_0 = __shfl_xor_sync(0xffffffffu, chosen_11, 1);
    bool unequal = (thread & 1) != 0;
    int chosen_12 = unequal ? other : chosen_10;
    int chosen_13 = unequal ? other_0 : chosen_11;
    int chosen_14 = unequal ? chosen_10 : other;
    int chosen_15 = unequal ? chosen_11 : other_0;
    bool either_3 = chosen_14 > chosen_12 || (chosen_14 == chosen_12 && chosen_15 < chosen_13);
    int chosen_16 = either_3 ? chosen_14 : chosen_12;
    int chosen_17 = either_3 ? chosen_15 : chosen_13;
    int other_1 = __shfl_xor_sync(0xffffffffu, chosen_16, 2);
    int other_2 = __shfl_xor_sync(0xffffffffu, chosen_17, 2);
    bool unequal_0 = (thread & 2) != 0;
    int chosen_18 = unequal_0 ? other_1 : chosen_16;
    int chosen_19 = unequal_0 ? other_2 : chosen_17;
    int chosen_20 = unequal_0 ? chosen_16 : other_1;
    int chosen_21 = unequal_0 ? chosen_17 : other_2;
    bool either_4 = chosen_20 > chosen_18 || (chosen_20 == chosen_18 && chosen_21 < chosen_19);
    int chosen_22 = either_4 ? chosen_20 : chosen_18;
    int chosen_23 = either_4 ? chosen_21 : chosen_19;
    int other_3 = __shfl_xor_sync(0xffffffffu, chosen_22, 4);
    int other_4 = __shfl_xor_sync(0xffffffffu, chosen_23, 4);
    bool unequal_1 = (thread & 4) != 0;
    int chosen_24 = unequal_1 ? other_3 : chosen_22;
    int chosen_25 = unequal_1 ? other_4 : chosen_23;
    int chosen_26 = unequal_1 ? chosen_22 : other_3;
    int chosen_27 = unequal_1 ? chosen_23 : other_4;
    bool either_5 = chosen_26 > chosen_24 || (chosen_26 == chosen_24 && chosen_27 < chosen_25);
    int chosen_28 = either_5 ? chosen_26 : chosen_24;
    int chosen_29 = either_5 ? chosen_27 : chosen_25;
    int other_5 = __shfl_xor_sync(0xffffffffu, chosen_28, 8);
    int other_6 = __shfl_xor_sync(0xffffffffu, chosen_29, 8);
    bool unequal_2 = (thread & 8) != 0;
    int chosen_30 = unequal_2 ? other_5 : chosen_28;
    int chosen_31 = unequal_2 ? other_6 : chosen_29;
    int chosen_32 = unequal_2 ? chosen_28 : other_5;
    int chosen_33 = unequal_2 ? chosen_29 : other_6;
    bool either_6 = chosen_32 > chosen_30 || (chosen_32 == chosen_30 && chosen_33 < chosen_31);
    int chosen_34 = either_6 ? chosen_32 : chosen_30;
    int chosen_35 = either_6 ? chosen_33 : chosen_31;
    int other_7 = __shfl_xor_sync(0xffffffffu, chosen_34, 16);
    int other_8 = __shfl_xor_sync(0xffffffffu, chosen_35, 16);
    bool unequal_3 = (thread & 16) != 0;
    int chosen_36 = unequal_3 ? other_7 : chosen_34;
    int chosen_37 = unequal_3 ? other_8 : chosen_35;
    int chosen_38 = unequal_3 ? chosen_34 : other_7;
    int chosen_39 = unequal_3 ? chosen_35 : other_8;
    bool either_7 = chosen_38 > chosen_36 || (chosen_38 == chosen_36 && chosen_39 < chosen_37);
    bool in_bounds = (thread & 31) == 0;
    int index_0 = thread >> 5;
    if (in_bounds) {
        parts[index_0] = either_7 ? chosen_38 : chosen_36;
        parts_0[index_0] = either_7 ? chosen_39 : chosen_37;
    }
    __syncthreads();
    int parts_1 = parts[0];
    int parts_2 = parts_0[0];
    int parts_3 = parts[1];
    int parts_4 = parts_0[1];
    bool either_8 = parts_3 > parts_1 || (parts_3 == parts_1 && parts_4 < parts_2);
    int chosen_40 = either_8 ? parts_3 : parts_1;
    int chosen_41 = either_8 ? parts_4 : parts_2;
    int parts_5 = parts[2];
    int parts_6 = parts_0[2];
    bool either_9 = parts_5 > chosen_40 || (parts_5 == chosen_40 && parts_6 < chosen_41);
    int chosen_42 = either_9 ? parts_5 : chosen_40;
    int chosen_43 = either_9 ? parts_6 : chosen_41;
    int parts_7 = parts[3];
    int parts_8 = parts_0[3];
    bool either_10 = parts_7 > chosen_42 || (parts_7 == chosen_42 && parts_8 < chosen_43);
    int chosen_44 = either_10 ? parts_7 : chosen_42;
    int chosen_45 = either_10 ? parts_8 : chosen_43;
    int parts_9 = parts[4];
    int parts_10 = parts_0[4];
    bool either_11 = parts_9 > chosen_44 || (parts_9 == chosen_44 && parts_10 < chosen_45);
    int chosen_46 = either_11 ? parts_9 : chosen_44;
    int chosen_47 = either_11 ? parts_10 : chosen_45;
    int parts_11 = parts[5];
    int parts_12 = parts_0[5];
    bool either_12 = parts_11 > chosen_46 || (parts_11 == chosen_46 && parts_12 < chosen_47);
    int chosen_48 = either_12 ? parts_11 : chosen_46;
    int chosen_49 = either_12 ? parts_12 : chosen_47;
    int parts_13 = parts[6];
    int parts_14 = parts_0[6];
    bool either_13 = parts_13 > chosen_48 || (parts_13 == chosen_48 && parts_14 < chosen_49);
    int chosen_50 = either_13 ? parts_13 : chosen_48;
    int chosen_51 = either_13 ? parts_14 : chosen_49;
    int parts_15 = parts[7];
    int parts_16 = parts_0[7];
    bool either_14 = parts_15 > chosen_50 || (parts_15 == chosen_50 && parts_16 < chosen_51);
    int chosen_52 = either_14 ? parts_15 : chosen_50;
    int chosen_53 = either_14 ? parts_16 : chosen_51;
    // reduce_kernel.go:92
    unsigned bits_3 = unsigned(key_start1);
    bool equal = (thread & 255) == 0;
    bool in_bounds_0 = equal && bits < unsigned(key_size0) && bits_3 < unsigned(key_size1);
    if (in_bounds_0) {
        key[key_offset + key_start1] = chosen_52;
    }
    bool in_bounds_1 = equal && bits < unsigned(place_size0) && bits_3 < unsigned(place_size1);
    if (in_bounds_1) {
        place[place_offset + key_start1] = chosen_53;
    }
}
