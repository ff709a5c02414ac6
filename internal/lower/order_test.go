package lower

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weftgpu/weft/cuda"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/spirv/assembly"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/internal/testenv/compilers"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/spirv"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// signals stores a block, releases a word, acquires another and reads what a program whose number is another one may have stored.
func signals(k *tile.Builder) {
	x, flags, y, out := k.In("x", dtype.F32, 1), k.InOut("flags", dtype.I32, 1), k.InOut("y", dtype.F32, 1), k.Out("out", dtype.F32, 1)
	k.Grid(2)
	p := k.ProgramID(0)
	y.Block(64).Store(x.Block(64).Load(p), p)
	flags.At(p).Release().AtomicExchange(7)
	seen := flags.At(p.Add(2)).Release().AtomicAdd(1) // whose old value is used
	for range k.While(func() *tile.Value { return flags.At(p.Add(4)).Acquire().AtomicMax(5).Lt(5) }) {
	}
	for range k.While(func() *tile.Value { return flags.At(p).Acquire().AtomicOr(0).Lt(7) }) {
	}
	out.Block(64).Store(y.At(k.Arange(64).Xor(9).Add(p.Mul(64))).Gather().Add(seen.Sub(seen).Cast(dtype.F32)), p)
}

// Atomic ops that order accesses give what the interpreter gives, whatever the number of threads, and barriers stand where the order needs them: the
// emulator misses none.
func TestMemoryOrder(t *testing.T) {
	dense := func(n int) layout.Layout { return axistest.Strided(t, []int{n}, []int{1}, 0) }
	for _, c := range []struct {
		name     string
		describe func(k *tile.Builder)
		sizes    []int
		zeros    bool // in view 1
	}{{"signals", signals, []int{128, 6, 128, 128}, false}, {"arrivals", arrivals, []int{128, 2, 128, 32}, true}} {
		for _, threads := range []int{1, 32, 128} {
			k := axistest.Build(t, c.name, func(k *tile.Builder) {
				k.Schedule(tile.Schedule{Threads: threads})
				c.describe(k)
			})
			var args []tensor
			for i, n := range c.sizes {
				args = append(args, tensor{dense(n), i})
			}
			spoil := func(buffers [][]byte) {
				if c.zeros {
					clear(buffers[1])
				}
			}
			t.Run(fmt.Sprint(c.name, threads), func(t *testing.T) {
				ordering := maps.Clone(lowertest.Targets)
				for name, caps := range ordering {
					caps.SystemOrder, caps.DeviceOrder = true, true
					ordering[name] = caps
				}
				for _, c := range casesOf(t, ordering, k, c.sizes, args, false, 0, spoil) {
					if err := c.run(lowertest.ReadBack(t, c.kernel)); err != nil {
						t.Errorf("%s: %v\n%v", c.target, err, c.kernel)
					}
					if err := c.run(withoutBarriers(c.kernel)); threads > 1 && (err == nil || !strings.Contains(err.Error(), "since the last barrier")) {
						t.Errorf("%s, without barriers: %v", c.target, err)
					}
				}
			})
		}
	}
}

// arrivals has the last of some programs add what all of them stored.
func arrivals(k *tile.Builder) {
	x, count, y, out := k.In("x", dtype.F32, 1), k.InOut("count", dtype.I32, 1), k.InOut("y", dtype.F32, 1), k.Out("out", dtype.F32, 1)
	k.Grid(4)
	y.Block(32).Store(x.Block(32).Load(k.ProgramID(0)), k.ProgramID(0))
	k.If(count.At(1).AcquireRelease().AtomicAdd(1).Eq(3), func() {
		sum := k.Var(k.Zeros(dtype.F32, 32))
		for i := range k.Range(4) {
			sum.Set(sum.Get().Add(y.Block(32).Load(i)))
		}
		out.Block(32).Store(sum.Get(), 0)
		count.At(1).AtomicExchange(0)
	})
}

// withoutBarriers is a kernel whose barriers next to ordered ops are left out.
func withoutBarriers(k *simt.Func) *simt.Func {
	e := simt.Edit(k)
	e.Rewrite(k.Body, func(op *simt.Op) {
		if op.Kind != simt.Barrier || !op.Buffers {
			e.Do(op)
		}
	})
	return k
}

// A loop that acquires in each iteration does not load ahead what others may store, and a device without such an order is refused.
func TestMemoryOrderInLoop(t *testing.T) {
	k := axistest.Build(t, "loop", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 64, Stages: 3})
		flags, y, out := k.InOut("flags", dtype.I32, 1), k.InOut("y", dtype.F32, 1), k.Out("out", dtype.F32, 1)
		sum := k.Var(k.Zeros(dtype.F32, 64))
		for i := range k.Range(y.Dim(0).Div(64)) {
			for range k.While(func() *tile.Value { return flags.At(i).Acquire().AtomicOr(0).Eq(0) }) {
			}
			sum.Set(sum.Get().Add(y.Block(64).Load(i)))
		}
		out.Block(64).Store(sum.Get(), 0)
	})
	preset, _ := target.PresetNamed("h200")
	line := axistest.Strided(t, []int{256}, []int{1}, 0)
	facts := axis.FactsOf([]layout.Layout{axistest.Strided(t, []int{4}, []int{1}, 0), line, line}, []int{0, 1, 2})
	s, err := Lower(k, facts, preset.Caps)
	if err != nil {
		t.Fatal(err)
	}
	text, err := cuda.Emit(s.Kernel, preset.Caps)
	if err != nil {
		t.Fatal(err)
	}
	loop, wait, load := strings.Index(text, "for ("), strings.Index(text, "load_acquire(&"), strings.LastIndex(text, "y[")
	if loop < 0 || wait < loop || load < wait || strings.Contains(text[:wait], "y[") {
		t.Errorf("the loop at %d waits at %d and loads at %d:\n%s", loop, wait, load, text)
	}
	vulkan, _ := target.PresetNamed("vulkan-nvidia")
	for _, caps := range []target.Caps{vulkan.Caps, *vulkan.SPIRV} {
		if _, err := Lower(k, facts, caps); !errors.Is(err, fault.ErrUnsupported) || !strings.Contains(err.Error(), "acquire") {
			t.Errorf("Vulkan: %v", err)
		}
	}
}

// The text of every ordered op compiles, and has a load or a store that orders by itself where that is all there is to do.
func TestMemoryOrderText(t *testing.T) {
	preset, _ := target.PresetNamed("h200")
	dense, words := axistest.Strided(t, []int{128}, []int{1}, 0), axistest.Strided(t, []int{6}, []int{1}, 0)
	r, err := Lower(axistest.Build(t, "signals", signals), axis.FactsOf([]layout.Layout{dense, words, dense, dense}, []int{0, 1, 2, 3}), preset.Caps)
	if err != nil {
		t.Fatal(err)
	}
	text, err := cuda.Emit(r.Kernel, preset.Caps)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"store_release(&flags[", "atomicAdd_system(released(&flags[", "acquired(atomicMax_system(&flags[", "load_acquire(&flags["} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if strings.Contains(text, "__restrict__") {
		t.Errorf("a promise that nobody else writes in\n%s", text)
	}
	compilers.RequireNVRTC(t)
	if _, _, log, err := compilers.NVRTC(t, preset.Caps.Arch, r.Kernel.Name, text); err != nil {
		t.Errorf("%v\n%s\n%s", err, log, text)
	}
}

// The order of one device is fences of the GPU in CUDA, and semantics of the atomic op in SPIR-V, whose accesses to what is exchanged say so, in a module
// that validators accept. WGSL has no such order.
func TestDeviceOrderText(t *testing.T) {
	h200, _ := target.PresetNamed("h200")
	vulkan, _ := target.PresetNamed("vulkan-nvidia")
	k := axistest.Build(t, "arrivals", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 64})
		arrivals(k)
	})
	line := func(n int) layout.Layout { return axistest.Strided(t, []int{n}, []int{1}, 0) }
	facts := axis.FactsOf([]layout.Layout{line(128), line(2), line(128), line(32)}, []int{0, 1, 2, 3})
	for _, c := range []struct {
		caps target.Caps
		emit func(*simt.Func, target.Caps) (string, error)
		want []string
		not  string
	}{
		{h200.Caps, cuda.Emit, []string{"acquired_device(atomicAdd(released_device(&count[", "fence.acq_rel.gpu", "float* y,"}, ".sys"},
		{*vulkan.SPIRV, spirv.Emit, []string{"OpMemoryModel Logical Vulkan", "%u32_24648 = OpConstant", "MakePointerVisible|NonPrivatePointer", "MakePointerAvailable|NonPrivatePointer"}, "Coherent"},
	} {
		r, err := Lower(k, facts, c.caps)
		if err != nil {
			t.Fatal(err)
		}
		text, err := c.emit(r.Kernel, c.caps)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("no %s in\n%s", want, text)
			}
		}
		if strings.Contains(text, c.not) {
			t.Errorf("%s in\n%s", c.not, text)
		}
		if c.caps.Language == target.SPIRV {
			validate(t, text)
		}
	}
	if _, err := Lower(k, facts, vulkan.Caps); !errors.Is(err, fault.ErrUnsupported) || !strings.Contains(err.Error(), "acquire_release") {
		t.Errorf("WGSL: %v", err)
	}
}

// validate has spirv-val read a module.
func validate(t *testing.T, text string) {
	t.Helper()
	validator, err := exec.LookPath("spirv-val")
	if err != nil {
		testenv.Skip(t, "spirv-val", err.Error())
	}
	binary, err := assembly.Assemble(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	path := filepath.Join(t.TempDir(), "kernel.spv")
	if err := os.WriteFile(path, binary, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(validator, "--target-env", "vulkan1.3", path).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\n%s", err, out, text)
	}
}

// An atomic op that leaves its element as it is, is a load of it, as often as the kernel has it.
func TestRelaxedLoadText(t *testing.T) {
	preset, _ := target.PresetNamed("h200")
	k := axistest.Build(t, "polls", func(k *tile.Builder) {
		flags, out := k.InOut("flags", dtype.I32, 1), k.Out("out", dtype.I32, 1)
		k.Grid(1)
		seen := k.Var(k.Zeros(dtype.I32, 64))
		for range k.While(func() *tile.Value { return seen.Get().Min(0).At(0).Eq(0) }) {
			seen.Set(flags.At(k.Arange(64)).AtomicOr(0))
		}
		flags.At(k.Arange(64)).AtomicOr(0) // whose result nothing needs
		out.Block(64).Store(seen.Get().Add(flags.At(k.Arange(64)).AtomicOr(1)), 0)
	})
	line := axistest.Strided(t, []int{64}, []int{1}, 0)
	r, err := Lower(k, axis.FactsOf([]layout.Layout{line, line}, []int{0, 1}), preset.Caps)
	if err != nil {
		t.Fatal(err)
	}
	text, err := cuda.Emit(r.Kernel, preset.Caps)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(text, "load_relaxed(&flags["); n != 1 || strings.Index(text, "while (") > strings.Index(text, "load_relaxed(&") {
		t.Errorf("%d loads, want 1, in the loop:\n%s", n, text)
	}
	if n := strings.Count(text, "atomicOr(&flags["); n != 2 {
		t.Errorf("%d atomic ops, want 2:\n%s", n, text)
	}
	compilers.RequireNVRTC(t)
	if _, _, log, err := compilers.NVRTC(t, preset.Caps.Arch, r.Kernel.Name, text); err != nil {
		t.Errorf("%v\n%s\n%s", err, log, text)
	}
}
