package cuda

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// clusterKernel copies one block of 16 lines to both workgroups of a cluster.
const clusterKernel = `workgroup both threads=256 producers=128 cluster=2 resident=1 registers=40, 232 {
	buffer 0 x : f16 read
	buffer 1 y : f32 write
	map 0 m : x of view 0 dims 1, 0 box 64, 8
	shared 0 tile : f16[1024]
	shared 1 full : u64[1] arrivals=1
	shared 2 empty : u64[1] arrivals=16
	%zero.0 = const 0 : i32
	%thread.1 = thread : i32
	cluster.barrier
	roles {
		barrier.expect 2048 full %zero.0
		tensor.copy m tile full multicast=2 %zero.0, %zero.0, %zero.0, %zero.0
		barrier.wait empty %zero.0, %zero.0
	} else {
		barrier.wait full %zero.0, %zero.0
		%v.2 = shared.load tile %thread.1 : f32
		barrier.arrive empty cluster %zero.0
		store y %thread.1, %v.2
	}
}
`

// TestClusters shows what clusters are made of, and that nothing of it is asked of GPUs that have none.
func TestClusters(t *testing.T) {
	k, err := simt.Parse(clusterKernel)
	if err != nil {
		t.Fatal(err)
	}
	text := emit(t, k, "sm_90a")
	for _, want := range []string{
		`__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(384, 1) both(`,
		`barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.acquire.aligned;`,
		`tensor_copy_cluster2_1(tile, 0, m, full, 0, 512, 8, 0, 0);`,
		`.multicast::cluster [%0], [%1, {%4, %5}], [%2], %3;`,
		`c1 += rank * step;`,
		`"h"((unsigned short)3)`,
		`if ((threadIdx.x & 31) < 2) barrier_arrive_cluster(empty, 0, threadIdx.x & 31);`,
		`setmaxnreg.dec.sync.aligned.u32 40;`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if _, err := Emit(k, target.Caps{Arch: "sm_80"}); !errors.Is(err, fault.ErrUnsupported) {
		t.Errorf("a cluster for sm_80: %v", err)
	}
	k.Cluster = 0
	if err := simt.Verify(k); !errors.Is(err, fault.ErrKernel) {
		t.Errorf("a copy for a cluster that there is not: %v", err)
	}
}

// TestExchange shows a load from another workgroup between barriers that order it, which GPUs without clusters are not asked for.
func TestExchange(t *testing.T) {
	text, err := os.ReadFile("../simt/testdata/exchange.simt")
	if err != nil {
		t.Fatal(err)
	}
	k, err := simt.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	src, err := Emit(k, target.Caps{Arch: "sm_90a"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"__cluster_dims__(2, 1, 1)", "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;", "ld.shared::cluster.v2.f32 {%0, %1}, [there];", "load_peer_f32x2(given, "} {
		if !strings.Contains(src, want) {
			t.Errorf("no %s in\n%s", want, src)
		}
	}
	if _, err := Emit(k, target.Caps{Arch: "sm_80"}); !errors.Is(err, fault.ErrUnsupported) {
		t.Errorf("an exchange for sm_80: %v", err)
	}
}
