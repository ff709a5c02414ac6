package emittest

import (
	"errors"
	"testing"

	"github.com/weftgpu/weft/cuda"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// roleKernels copy by tensor maps in a role of its own: for two warpgroups of each workgroup of a cluster, which begin products one after the other, and
// for two groups of consumers.
var roleKernels = map[string]string{
	"ordered": `workgroup ordered threads=256 producers=128 cluster=2 resident=1 registers=40, 232 {
	buffer 0 x : f16 read
	buffer 1 y : f16 write
	map 0 from : x of view 0 dims 1, 0 box 64, 64
	map 1 to : y of view 1 dims 1, 0 box 64, 64
	shared 0 tile : f16[8192]
	shared 1 full : u64[1] arrivals=1
	shared 2 empty : u64[1] arrivals=16
	%zero.0 = const 0 : i32
	%thread.1 = thread : i32
	%one.2 = const 1 : f32
	cluster.barrier
	roles {
		barrier.expect 16384 full %zero.0
		tensor.copy from tile full multicast=2 %zero.0, %zero.0, %zero.0, %zero.0
	} else {
		barrier.wait full %zero.0, %zero.0
		order.begin
		%x.3 = shared.load tile %thread.1 : f32
		order.end
		barrier.arrive empty cluster %zero.0
		%y.4 = add %x.3, %one.2 : f32
		barrier
		shared.store tile %thread.1, %y.4
		barrier
		tensor.store to tile %zero.0, %zero.0, %zero.0
		store.wait 0
	}
}
`,
	"groups": `workgroup groups threads=128 producers=128 consumers=2 {
	buffer 0 x : f32 read
	buffer 1 y : f32 write
	map 0 from : x of view 0 dims 0, 1 box 32, 8
	shared 0 tile : f32[256]
	shared 1 full : u64[1] arrivals=1
	%zero.0 = const 0 : i32
	%threads.1 = const 128 : i32
	roles {
		barrier.expect 1024 full %zero.0
		tensor.copy from tile full %zero.0, %zero.0, %zero.0, %zero.0
	} else {
		%group.2 = consumer : i32
		%thread.3 = thread : i32
		%first.4 = mul %group.2, %threads.1 : i32
		%at.5 = add %first.4, %thread.3 : i32
		barrier.wait full %zero.0, %zero.0
		%x.6 = shared.load tile %at.5 : f32
		store y %at.5, %x.6
	}
}
`,
}

// roleKernel is one of them, verified.
func roleKernel(t *testing.T, name string) *simt.Func {
	t.Helper()
	k, err := simt.Parse(roleKernels[name])
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if err := simt.Verify(k); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return k
}

// TestRoles compiles kernels whose threads have roles, which one architecture has and no shading language.
func TestRoles(t *testing.T) {
	kernels := map[string]*simt.Func{}
	for name := range roleKernels {
		k := roleKernel(t, name)
		kernels[name] = k
		refusedByShaders(t, name, k)
		if _, err := cuda.Emit(k, target.Caps{Arch: "sm_80"}); !errors.Is(err, fault.ErrUnsupported) {
			t.Errorf("%s for sm_80: %v", name, err)
		}
		compare(t, name+".cu", emitCUDA(t, k, "sm_90a"))
	}
	checkCUDA(t, kernels, "sm_90a")
}
