//go:build linux && (amd64 || arm64)

package cuda

import (
	"errors"
	"testing"

	"github.com/weftgpu/weft/fault"
)

// Kernels that are known to take something take it: few registers under a bound (where a
// multiprocessor holds 2048 threads) force a spill, an array indexed at run
// time is in local memory.
func TestResourceUsage(t *testing.T) {
	needNVRTC(t)
	const text = `
extern "C" __global__ void empty() {}
extern "C" __global__ void shared(float *x) {
    __shared__ float s[1000];
    s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = s[999 - threadIdx.x];
}
extern "C" __global__ void local(float *x, int i) {
    float a[64];
    for (int k = 0; k < 64; k++) a[(k * i) & 63] = x[k];
    x[0] = a[i & 63];
}
extern "C" __global__ void __launch_bounds__(1024, 2) tight(float *x) {
    float a[64];
    #pragma unroll
    for (int k = 0; k < 64; k++) a[k] = x[k * 1024 + threadIdx.x];
    __syncthreads();
    #pragma unroll
    for (int k = 0; k < 64; k++) x[k * 1024 + threadIdx.x] = a[63 - k] * a[k];
}`
	for _, arch := range []string{"sm_80", "sm_89", "sm_90a"} {
		cubin, _, err := CompileNVRTC(arch, "usage.cu", text)
		if err != nil {
			t.Fatal(err)
		}
		list, err := ResourceUsage(cubin)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]Usage{}
		for _, u := range list {
			got[u.Kernel] = u
		}
		reserved := map[string]int{"sm_90a": 1024}[arch]
		if len(got) != 4 || got["shared"].Shared != 4000+reserved || got["empty"].Shared != 0 || got["empty"].Stack != 0 || got["shared"].Stack != 0 ||
			got["local"].Stack < 256 || arch != "sm_89" && (got["tight"].Stack == 0 || got["tight"].Registers != 32) || got["empty"].Registers < 1 || got["empty"].Registers > 24 {
			t.Errorf("%s: %+v", arch, list)
		}
		for cut := 0; cut < len(cubin); cut += 1 + len(cubin)/211 { // whatever is left gives an error or the same, no panic
			if part, err := ResourceUsage(cubin[:cut]); err != nil && !errors.Is(err, fault.ErrKernel) || err == nil && len(part) != len(list) {
				t.Fatalf("%s: of %d bytes %d: %+v, %v", arch, len(cubin), cut, part, err)
			}
		}
	}
}
