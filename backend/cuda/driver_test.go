//go:build linux && (amd64 || arm64)

package cuda

import (
	"errors"
	"strings"
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/launchbench"
)

func TestRegistered(t *testing.T) {
	n := 0
	for _, c := range backend.Candidates() {
		if c.Backend != "cuda" {
			continue
		}
		n++
		if (c.Refused == nil) == (c.Open == nil) {
			t.Errorf("candidate %d: refused %v, can open %v", c.Index, c.Refused, c.Open != nil)
		}
		if c.Refused != nil && len(c.Refused.Error()) < 20 {
			t.Errorf("candidate %d is refused without a reason: %v", c.Index, c.Refused)
		}
	}
	if n == 0 {
		t.Error("the driver lists no candidate")
	}
}

func TestNoDriver(t *testing.T) {
	_, err := loadDriver([]string{"libcuda-absent.so.1"})
	if !errors.Is(err, fault.ErrDevice) || !strings.Contains(err.Error(), "libcuda-absent.so.1") {
		t.Errorf("missing library: %v", err)
	}
	if _, err := loadDriver([]string{"libc.so.6"}); !errors.Is(err, fault.ErrUnsupported) || !strings.Contains(err.Error(), "cuInit") {
		t.Errorf("a library without the functions: %v", err)
	}
}

func TestCandidate(t *testing.T) {
	f := newFake(t)
	f.change(fakeCount, 2)
	list := candidates(f.driverLib, fakeNVRTC)
	if len(list) != 2 || list[1].Index != 1 {
		t.Fatalf("candidates %+v", list)
	}
	dev := f.open(t)
	info, caps := dev.Info(), dev.Caps()
	if info.Name != "Fake GPU" || info.Memory != 64<<20 || !strings.Contains(info.Driver, "CUDA 12.9") || info.Kind != backend.GPU {
		t.Errorf("info %+v", info)
	}
	if caps.Arch != "sm_90a" || caps.MaxThreads != 1024 || caps.SharedBytes != 227<<10 || !caps.Matrix.Has(dtype.BF16) || !caps.AsyncCopy || caps.SubgroupSize != 32 ||
		caps.MaxGrid != [3]int{1<<31 - 1, 65535, 65535} || caps.MaxBindings != 0 {
		t.Errorf("caps %+v", caps)
	}
	m := caps.Facts() // 10 multiprocessors of compute capability 9.0 at 1 GHz, and 1024 lines of memory at 2 GHz
	if m.Name != "Fake GPU" || m.Generic || m.Units != 10 || m.L2 != 3<<20 || m.Clock != 1e9 || m.Memory != 512e9 || m.Flops != 2560e9 || m.Matrix.F16 != 40960e9 || m.Shared != 228<<10 || m.Workgroups != 32 {
		t.Errorf("machine %+v", *m)
	}
	for _, part := range []string{"Fake GPU", "a0a0", "sm_90a", "CUDA 12.9", "NVRTC 12.9"} {
		if !strings.Contains(caps.Fingerprint, part) {
			t.Errorf("fingerprint %q lacks %q", caps.Fingerprint, part)
		}
	}
}

func TestRefusals(t *testing.T) {
	noNVRTC := func() (*nvrtcLib, error) { return nil, noNVRTC(nil) }
	for name, c := range map[string]struct {
		setting int
		value   int64
		nvrtc   func() (*nvrtcLib, error)
		want    string
	}{
		"cuInit fails":           {fakeInitStatus, 100, fakeNVRTC, "cuInit: CUDA_ERROR_NO_DEVICE"},
		"no GPU":                 {fakeCount, 0, fakeNVRTC, "finds no GPU"},
		"too old":                {fakeCapability, 61, fakeNVRTC, "compute capability 6.1 is too old"},
		"too old, without NVRTC": {fakeCapability, 61, noNVRTC, "compute capability 6.1 is too old"},
		"too new for NVRTC":      {fakeCapability, 120, fakeNVRTC, "cannot compile for compute capability 12.0"},
		"no NVRTC":               {fakeCapability, 90, noNVRTC, "NVRTC: not found"},
		"NVRTC too new":          {fakeVersion, 11080, fakeNVRTC, "NVRTC 12.9 (fake) is too new for the driver"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.change(c.setting, c.value)
			lib := *f.driverLib
			lib.version = int(f.value(fakeVersion))
			list := candidates(&lib, c.nvrtc)
			if len(list) != 1 || list[0].Open != nil || list[0].Refused == nil {
				t.Fatalf("candidates %+v, want one refused", list)
			}
			if err := list[0].Refused; !strings.Contains(err.Error(), c.want) ||
				!errors.Is(err, fault.ErrDevice) && !errors.Is(err, fault.ErrUnsupported) {
				t.Errorf("refused with %v, want %q", err, c.want)
			}
		})
	}
}

// TestLaunchAllocates nothing, so that launching leaves no work to the collector.
func TestLaunchAllocates(t *testing.T) {
	f := newFake(t)
	r := rig{f.open(t), f, f.open}
	p := r.program(t, "vadd")
	l := backend.Launch{Grid: [3]int{1, 1, 1}, Words: []uint32{100},
		Buffers: []backend.Buffer{r.buffer(t, noise(400)), r.buffer(t, noise(400)), r.buffer(t, noise(400))}}
	s := r.Stream()
	if n := testing.AllocsPerRun(1000, func() {
		if err := s.Launch(p, l); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("a launch makes %v allocations", n)
	}
}

// compiled is a device whose compiler gives what the fake driver takes.
type compiled struct{ backend.Device }

func (compiled) Compile(backend.Source) ([]byte, error) { return fakeCubin(), nil }

// nvrtc is a device of NVIDIA's compiler on the fake driver, which gets what it takes, whatever the compiler made.
type nvrtc struct{ backend.Device }

func (d nvrtc) Compile(src backend.Source) ([]byte, error) {
	image, _, err := CompileNVRTC(d.Caps().Arch, src.Entry+".cu", src.Text)
	return image, err
}

func (d nvrtc) Load(src backend.Source, _ []byte) (backend.Program, error) {
	return d.Device.Load(src, fakeCubin())
}

// fakeAny opens a fake driver that knows all kernels.
func fakeAny(t testing.TB) backend.Device {
	f := newFake(t)
	f.change(fakeAnyKernel, 1)
	return f.open(t)
}

// BenchmarkOps is the host's time for launches of ops. On the fake driver kernels do nothing, and what it
// costs is what weft adds to the driver's own cost. Built by go test -c, it needs nothing but a GPU.
func BenchmarkOps(b *testing.B) {
	b.Run("fake", func(b *testing.B) {
		launchbench.Run(b, func(t testing.TB) backend.Device { return compiled{fakeAny(t)} })
	})
	b.Run("gpu", func(b *testing.B) { launchbench.Run(b, openGPU) })
}

// BenchmarkDiskHit is the time until a kernel from the disk cache, or from NVRTC, can be launched.
// On the fake driver the driver's share is missing.
func BenchmarkDiskHit(b *testing.B) {
	b.Run("fake", func(b *testing.B) {
		if _, _, err := NVRTCVersion(); err != nil {
			b.Skip(err)
		}
		launchbench.Load(b, nvrtc{fakeAny(b)})
	})
	b.Run("gpu", func(b *testing.B) { launchbench.Load(b, openGPU(b)) })
}

// BenchmarkLaunch is the host's share of a launch. On the fake driver that is
// what this package adds to the driver's own cost.
func BenchmarkLaunch(b *testing.B) {
	run := func(b *testing.B, r rig) {
		p := r.program(b, "nothing")
		s := r.Stream()
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if err := s.Launch(p, backend.Launch{Grid: [3]int{1, 1, 1}}); err != nil {
				b.Fatal(err)
			}
			if i%512 == 511 { // before the queue is full
				if err := s.Synchronize(); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	b.Run("fake", func(b *testing.B) { f := newFake(b); run(b, rig{f.open(b), f, f.open}) })
	b.Run("gpu", func(b *testing.B) { run(b, rig{openGPU(b), nil, openGPU}) })
}
