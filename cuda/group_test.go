package cuda

import (
	"strings"
	"testing"

	"github.com/weftgpu/weft/simt"
)

// groupKernel multiplies words of threads, first in place of the sums, for two matrices, and then for one of them with the sums added.
const groupKernel = `workgroup group threads=128 {
    buffer 0 x : u32 read
    buffer 1 y : f32 write
    shared 0 tile : f16[8192]
    %none.0 = const 0 : f32
    %zero.1 = splat %none.0 : f32x4
    %at.2 = const 0 : i32
    %thread.3 = thread : i32
    %words.4 = load x %at.2 : u32x4
    %place.5 = matrix.place tile lead=64 %at.2 : u64
    %acc.6, %acc.7 = group.mma f16 matrices=2 %words.4, %place.5, %words.4, %place.5, %words.4, %place.5, %words.4, %place.5, %zero.1, %zero.1 : f32x4
    %acc.8 = group.mma f16 %words.4, %place.5, %acc.6 : f32x4
    %acc.9, %acc.10 = group.wait 0 %acc.8, %acc.7 : f32x4
    store y %thread.3, %acc.9
    store y %thread.3, %acc.10
}
`

// TestGroupAnew shows that the first product of each matrix takes the place of sums that are zeros, which need no registers before, and that others are added.
func TestGroupAnew(t *testing.T) {
	k, err := simt.Parse(groupKernel)
	if err != nil {
		t.Fatal(err)
	}
	text := emit(t, k, "sm_90a")
	lines := strings.Split(text[strings.Index(text, "__global__"):], "\n")
	var calls []string
	for _, line := range lines {
		if name, rest, ok := strings.Cut(strings.TrimSpace(line), "("); ok && strings.HasPrefix(name, "group_") {
			first, _, _ := strings.Cut(rest, ",")
			calls = append(calls, name+" "+strings.TrimSuffix(first, ");"))
		}
	}
	want := []string{
		"group_begin_f32_0_1 words", "group_mma_f16_8_r_0_new acc", "group_mma_f16_8_r_0 acc", "group_mma_f16_8_r_0_new acc_0", "group_mma_f16_8_r_0 acc_0", "group_end_f32_2_1 acc",
		"group_begin_f32_1_1 acc_1", "group_mma_f16_8_r_0 acc_1", "group_end_f32_1_1 acc_1", "group_wait_0_f32_2 acc_1",
	}
	if strings.Join(calls, "\n") != strings.Join(want, "\n") {
		t.Errorf("calls\n%s\nwant\n%s\nin\n%s", strings.Join(calls, "\n"), strings.Join(want, "\n"), text)
	}
	for _, part := range []string{
		`: "=f"(c0.x), "=f"(c0.y), "=f"(c0.z), "=f"(c0.w)` + "\n" + `        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "l"(b), "r"(0));`,
		`: "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w)` + "\n" + `        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "l"(b), "r"(1));`,
		`asm volatile("wgmma.fence.sync.aligned;" :  : "r"(a0.x)`,
	} {
		if !strings.Contains(text, part) {
			t.Errorf("no %s in\n%s", part, text)
		}
	}
}
