package kernels

import (
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// A token over a cache takes one launch where programs are ordered and few parts are to be combined, and two where they are not, where there are many
// parts, for packed sequences, and in CUDA, where a second launch starts while the first one ends.
func TestOneLaunchOfFewQueries(t *testing.T) {
	view := func(shape ...int) tune.View { return contiguousView(t, shape...) }
	named := func(name string) target.Preset {
		p := preset(t, name)
		return p
	}
	spirv := *named("vulkan-nvidia").SPIRV
	spirv.Machine = target.MachineOf("NVIDIA H200", target.Discrete)
	wgsl := spirv
	wgsl.Language, wgsl.DeviceOrder, wgsl.Cooperative = target.WGSL, false, target.CooperativeList{}
	for name, c := range map[string]struct {
		caps target.Caps
		one  bool
	}{"cuda": {named("h200").Caps, false}, "spirv": {spirv, true}, "wgsl": {wgsl, false}, "cpu": {named("cpu").Caps, false}, "webgpu": {named("webgpu").Caps, false}} {
		p := AttentionProblem{Elem: weft.F16, Q: view(1, 8, 4, 128), K: view(1, 8, 1024, 128)}
		cfg := p.Rule(c.caps)
		if parts := max(cfg.Parts, 2); cfg.CombinesOn(c.caps, 4, parts) != c.one {
			t.Errorf("%s: %d parts are combined in one launch: %v, want %v", name, parts, !c.one, c.one)
		}
		if cfg.CombinesOn(c.caps, 4, MostParts) {
			t.Errorf("%s: one program combines %d parts", name, MostParts)
		}
		if cfg.QueryStarts = true; cfg.CombinesOn(c.caps, 4, 2) {
			t.Errorf("%s: parts of packed sequences are combined in one launch", name)
		}
	}
}

// A combination gives every thread something to load, and no thread more than it has outstanding at a time.
func TestCombination(t *testing.T) {
	for _, cfg := range []AttentionConfig{{BM: 1, Head: 128, Threads: 256}, {BM: 4, Head: 128, Threads: 256}, {BM: 64, Head: 128, Threads: 128}, {BM: 16, Head: 64, Threads: 64},
		{BM: 16, Head: 256, Threads: 64}, {BM: 8, Head: 96, Threads: 128}, {BM: 2, Head: 16, Threads: 1024}} {
		c := cfg.combination()
		if each := c.slots * c.rows * c.cols; each*c.parts > combineLoads*cfg.Threads && c.parts > 1 || each < 4*cfg.Threads || c.cols < cfg.Head || cfg.BM%c.rows != 0 {
			t.Errorf("%+v of %d rows of %d in %d threads", c, cfg.BM, cfg.Head, cfg.Threads)
		}
	}
}
