package compile_test

import (
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/backend/cuda"
	_ "github.com/weftgpu/weft/backend/vulkan"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/internal/cachedir"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/target"
)

// compilers is a device of NVIDIA's compiler alone: it loads nothing.
type compilers struct {
	backend.Device
	caps target.Caps
}

type nothing struct{}

func (nothing) Close() error { return nil }

func (c compilers) Caps() target.Caps  { return c.caps }
func (c compilers) Info() backend.Info { return backend.Info{Backend: "cuda"} }

func (c compilers) Compile(src backend.Source) ([]byte, error) {
	cubin, _, err := cuda.CompileNVRTC(c.caps.Arch, src.Entry+".cu", src.Text)
	return cubin, err
}

func (c compilers) Load(backend.Source, []byte) (backend.Program, error) { return nothing{}, nil }

// BenchmarkLoad is the way from tile IR to a loaded program by where it is found: nowhere, in a
// file, in memory. On Vulkan the driver's part is in it, on CUDA there is none.
func BenchmarkLoad(b *testing.B) {
	b.Setenv(cachedir.Env, b.TempDir())
	b.Run("cuda", func(b *testing.B) {
		h200, _ := target.PresetNamed("h200")
		if _, _, err := cuda.NVRTCVersion(); err != nil {
			b.Skip(err)
		}
		benchmarkLoad(b, compilers{caps: h200.Caps})
	})
	b.Run("vulkan", func(b *testing.B) {
		dev, err := backend.Open("vulkan")
		if err != nil {
			b.Skip(err)
		}
		defer dev.Close()
		benchmarkLoad(b, dev)
	})
}

func benchmarkLoad(b *testing.B, dev backend.Device) {
	for _, l := range launches(b, dev.Caps()) {
		for _, where := range []string{"nowhere", "disk", "memory"} {
			b.Run(l.Kernel.Name+"/"+where, func(b *testing.B) {
				c := compile.New(dev)
				if err := c.Build(l.Kernel, l.Facts); err != nil { // so that it is on disk and in memory
					b.Fatal(err)
				}
				for b.Loop() {
					if where != "memory" {
						b.StopTimer()
						c.Forget(where == "disk")
						b.StartTimer()
					}
					if err := c.Build(l.Kernel, l.Facts); err != nil {
						b.Fatal(err)
					}
				}
				if err := c.Close(); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

// launches are those of a product and of attention, which has the largest kernel.
func launches(b *testing.B, caps target.Caps) []offline.Launch {
	dev, record := offline.Open("offline", caps)
	defer dev.Close()
	made := func(shape ...int) *weft.Tensor {
		t, err := weft.Empty(dev, weft.F32, shape...)
		if err != nil {
			b.Fatal(err)
		}
		return t
	}
	x, q := made(4096, 4096), made(1, 8, 4096, 128)
	_, err := ops.MatMul(x, x)
	if err == nil {
		_, err = ops.Attention(q, q, q)
	}
	if err != nil {
		b.Fatal(err)
	}
	return record.Take()
}
