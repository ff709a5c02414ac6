package target

import "testing"

func TestSubgroup(t *testing.T) {
	for _, c := range []struct {
		language      Language
		size, threads int
		want          int
	}{
		{CUDA, 32, 256, 32}, {CUDA, 32, 32, 32}, {CUDA, 32, 8, 8}, {CUDA, 32, 1, 1},
		{WGSL, 32, 256, 32}, {WGSL, 32, 32, 32}, {WGSL, 32, 16, 0}, {WGSL, 4, 8, 4}, {WGSL, 128, 64, 0},
		{WGSL, 0, 256, 0}, {CUDA, 0, 256, 0},
	} {
		if got := (Caps{Language: c.language, SubgroupSize: c.size}).Subgroup(c.threads); got != c.want {
			t.Errorf("%v, subgroups of %d, %d threads: %d exchange registers, want %d", c.language, c.size, c.threads, got, c.want)
		}
	}
}

// The largest power of two up to n and up to what the device has; n where it has no limit.
func TestFitThreads(t *testing.T) {
	for _, c := range []struct{ most, n, want int }{
		{0, 256, 256}, {1024, 256, 256}, {256, 256, 256}, {255, 256, 128}, {128, 256, 128}, {100, 128, 64}, {1, 64, 1}, {96, 64, 64},
	} {
		if got := (Caps{MaxThreads: c.most}).FitThreads(c.n); got != c.want {
			t.Errorf("%d of %d threads: %d, want %d", c.n, c.most, got, c.want)
		}
	}
}
