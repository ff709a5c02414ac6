extern "C" __global__ void __launch_bounds__(32) names(
    const float* float_0,
    const float* fn,
    float* __restrict__ x_y_0,
    int fn_0,
    int loop,
    int nd_size) {
    __shared__ alignas(16) float float_1[32];
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int int_0 = int(threadIdx.x);
    int f_r_alle = int_0 + nd_size;
    float float_2 = float_0[f_r_alle];
    float max_0 = fn[f_r_alle];
    float_1[int_0] = float_2;
    float float_3 = float_1[int_0];
    x_y_0[f_r_alle] = fmaxf(float_3, max_0);
}
