package emulated_test

import (
	"math"
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/backend/backendtest"
	"github.com/weftgpu/weft/internal/emulated"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/target"
)

// small is a GPU with the limits that Vulkan 1.1 guarantees, of a phone or a single-board computer, but for the number of buffers, which is WebGPU's.
var small = target.Caps{
	Language: target.WGSL, MaxThreads: 128, MaxGrid: [3]int{65535, 65535, 65535}, SharedBytes: 16 << 10, MaxBindings: 8,
	MaxBindingBytes: 128 << 20, MaxBufferBytes: 1 << 30, Machine: target.MachineOf("", target.Integrated), Fingerprint: "small",
}

// odd are GPUs that no preset is like: with the least that is guaranteed, and with subgroups of other sizes.
func odd() []emulated.Device {
	wide, narrow := small, small
	wide.MaxThreads, wide.SharedBytes, wide.SubgroupSize, wide.F16, wide.MaxBindings = 1024, 32<<10, 64, true, 16
	narrow.Language, narrow.SubgroupSize, narrow.MaxGrid[0] = target.SPIRV, 4, math.MaxInt32
	return []emulated.Device{{Name: "small", Caps: small}, {Name: "wide", Caps: wide}, {Name: "narrow", Caps: narrow}}
}

func init() {
	var devices []emulated.Device
	for _, name := range []string{"h200", "a100", "t4", "vulkan-nvidia+spirv", "vulkan-amd+spirv", "arc-a770+spirv", "webgpu", "apple-m2", "webgpu-amd"} {
		d, ok := emulated.Preset(name)
		if !ok {
			panic(name)
		}
		devices = append(devices, d)
	}
	backend.Register(emulated.New(append(devices, odd()...)...))
}

// TestConformance runs what is drawn at random, and in the full suite all cases, which takes ten minutes for each GPU.
func TestConformance(t *testing.T) {
	backendtest.RunBackendWith(t, "emulated", backendtest.Options{Drawn: !testenv.Full()})
}
