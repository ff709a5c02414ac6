package cuda

import (
	"strings"
	"testing"

	"github.com/weftgpu/weft/simt"
)

const orderedKernel = `workgroup ordered threads=256 producers=128 {
	buffer 0 x : f32 read
	map 0 m : x of view 0 dims 0, 1 box 32, 8
	shared 0 tile : f32[256]
	shared 1 full : u64[1] arrivals=1
	%zero.0 = const 0 : i32
	roles {
		barrier.expect 1024 full %zero.0
		tensor.copy m tile full %zero.0, %zero.0, %zero.0, %zero.0
	} else {
		order.begin
		barrier.wait full %zero.0, %zero.0
		order.end
	}
}
`

// TestOrder: the first of two warpgroups may go on at once, and each lets the other go on.
func TestOrder(t *testing.T) {
	k, err := simt.Parse(orderedKernel)
	if err != nil {
		t.Fatal(err)
	}
	text := emit(t, k, "sm_90a")
	for _, want := range []string{
		`if (threadIdx.x / 128 == 1) asm volatile("bar.arrive 8, 256;" ::: "memory");`,
		`asm volatile("bar.sync %0, 256;" :: "r"(8 + threadIdx.x / 128) : "memory");`,
		`asm volatile("bar.arrive %0, 256;" :: "r"(8 + (threadIdx.x / 128 + 1) % 2) : "memory");`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
