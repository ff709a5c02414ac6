package ops_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/target"
)

// draws are what a test draws at random.
type draws struct{ *rand.Rand }

// of is one of some numbers.
func (d draws) of(from ...int) int { return from[d.IntN(len(from))] }

// size is a number up to 1<<bits, a power of two in half of the cases.
func (d draws) size(bits int) int {
	if n := 1 << d.IntN(bits+1); d.IntN(2) == 0 {
		return n
	}
	return 1 + d.IntN(1<<d.IntN(bits+1))
}

// machine is a GPU that may not exist: one of NVIDIA's architectures, or a preset of other vendors, with more or less of everything.
func (d draws) machine() target.Caps {
	units := d.of(1, 2, 3, 5, 8, 16, 20, 24, 46, 84, 128, 142, 148, 170, 200)
	presets := target.Presets()
	if p := presets[d.IntN(len(presets))]; !p.Caps.WholeTiles && p.Caps.Language != target.CUDA {
		return d.variant(p, units)
	}
	all := target.Architectures()
	a := all[d.IntN(len(all))]
	arch := fmt.Sprintf("sm_%d", a.Capability)
	if a.Variants != "" {
		arch += a.Variants[:1]
	}
	caps := target.Caps{
		Language: target.CUDA, Arch: arch, MaxThreads: 1024, MaxGrid: [3]int{math.MaxInt32, 65535, 65535}, SharedBytes: d.of(a.MostShared, a.MostShared, 48<<10),
		Registers: 255, SubgroupSize: 32, Int64: true, Float64: true,
	}.WithCapability(a.Capability)
	caps.TensorMaps = caps.TensorMaps && d.IntN(4) > 0
	told := target.Machine{Units: units, Threads: a.Threads, Workgroups: a.Workgroups, Registers: a.Registers, Shared: a.Shared, L2: int64(units) << 18}
	if d.IntN(4) > 0 { // else the driver tells no rates
		told.Clock, told.Memory = 0.5e9+2e9*d.Float64(), 5e10+8e12*d.Float64()*d.Float64()
	}
	caps.Machine = target.NVIDIA("drawn", a.Capability, told)
	return caps
}

// variant is a preset with other limits, of any that Vulkan and WebGPU allow.
func (d draws) variant(p target.Preset, units int) target.Caps {
	caps := p.Caps
	if p.SPIRV != nil && d.IntN(3) > 0 {
		caps = *p.SPIRV
	}
	m := *caps.Facts()
	m.Units = d.of(m.Units, units)
	caps.Machine, caps.MaxBindingBytes, caps.MaxBufferBytes = &m, 0, 0
	caps.SharedBytes, caps.MaxThreads = d.of(16, 32, 48, 64, 128)<<10, d.of(128, 256, 512, 1024)
	if len(caps.Cooperative.Rows()) == 0 || caps.SharedBytes < 32<<10 || d.IntN(3) == 0 {
		caps.SubgroupSize, caps.Cooperative = d.of(0, 8, 16, 32, 64, 128), target.CooperativeList{}
	}
	if caps.Registers != target.SoftwareRegisters {
		caps.Registers = d.of(0, 128, 255, 256)
	}
	return caps
}

// call is an op whose rule goes by the machine, with its shape.
func (d draws) call() (name, shape string, o catalog.Options) {
	o = catalog.DefaultOptions()
	o.DType = []string{"f32", "f16", "bf16"}[d.IntN(3)]
	switch d.IntN(3) {
	case 0:
		groups := d.of(1, 1, 2, 4, 8)
		o.Causal, o.KVHeads = d.IntN(2) == 0, groups
		return "attention", fmt.Sprintf("%dx%dx%dx%dx%d", d.size(4), groups*d.of(1, 1, 2, 4, 8), d.of(1, 1, 2, 7, 8, 16, 64, 100, d.size(13)), d.size(14),
			d.of(64, 128, 80, 96, 112, 192, 256, 1+d.IntN(256))), o
	case 1:
		k := d.size(14)
		o.Bits, o.Block = d.of(4, 8), d.of(0, 16, 32, 48, 64, 128, 256)
		if o.Block > 0 {
			k = o.Block * d.size(7)
		}
		if o.Asymmetric = d.IntN(4) == 0; !o.Asymmetric && d.IntN(3) == 0 {
			o.Codes = "fp8"
			if o.Bits == 4 {
				o.Codes = []string{"nf4", "fp4"}[d.IntN(2)]
			}
		}
		return "quantized_matmul", fmt.Sprintf("%dx%dx%d", d.of(1, 1, 2, 3, 4, 8, 9, 16, 17, 32, 33, 64, 65, 128, 256, 500, d.size(12)), d.size(12), k), o
	}
	if o.TopP = 0.9; d.IntN(2) == 0 {
		o.TopK, o.TopP = d.size(10), []float64{0, 0.9}[d.IntN(2)]
	}
	return "sample", fmt.Sprintf("%dx%d", d.size(8), d.size(18)), o
}

// Whatever the machine and the sizes, rules choose what the machine has room for, and the kernels are emitted.
func TestRulesOfUnknownMachines(t *testing.T) {
	t.Parallel()
	testenv.Sample(t)
	d, calls := draws{rand.New(rand.NewPCG(31, 7))}, map[string]int{}
	for range 120 {
		caps := d.machine()
		name, shape, o := d.call()
		op, err := catalog.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		call, err := op.Parse(shape, o)
		if errors.Is(err, weft.ErrShape) || errors.Is(err, weft.ErrArgument) { // blocks that the length is no multiple of
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		sizes := make([]int, len(call.Sizes))
		for i, s := range call.Sizes {
			sizes[i] = s.Value
		}
		dev, record := offline.Open("drawn", caps)
		p := call.Problem(sizes)
		tensors, err := p.Empty(dev)
		if err == nil {
			err = p.Run(tensors.Out, tensors.In)
		}
		if err != nil {
			t.Errorf("%s %s %+v on %+v of %+v: %v", name, shape, o, caps, *caps.Facts(), err)
		}
		calls[name] += min(len(record.Take()), 1)
		if err := dev.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"attention", "quantized_matmul", "sample"} {
		if calls[name] < 20 {
			t.Errorf("%d calls of %s", calls[name], name)
		}
	}
}
