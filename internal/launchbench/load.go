package launchbench

import (
	"crypto/sha256"
	"testing"
	"time"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/internal/cachedir"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/ops"
)

// Load measures the way of kernels from tile IR to a program that can be launched, as a program that starts goes it:
// "compiler" where the kernel is new, "disk" where a file holds it. The time for one kernel is all of that way. Of it
// driver-us is the device's part (cuModuleLoadData, the creation of a pipeline), compile-us that of the device's compiler,
// and weft-us the rest: the key, reading and checking the file, and lowering where there is none. What a driver puts off
// until a kernel is launched for the first time is in first-launch-us, which is no part of the others.
//
// Drivers keep caches of their own: see docs/caches.md for how they are turned off.
func Load(b *testing.B, dev backend.Device) {
	for _, k := range kernels(b, dev) {
		b.Run(k.name, func(b *testing.B) {
			buffers := k.allocate(b, dev)
			for _, from := range []string{"compiler", "disk"} {
				b.Run(from, func(b *testing.B) { load(b, dev, k.Launch, buffers, from == "disk") })
			}
		})
	}
}

type kernel struct {
	name string
	offline.Launch
}

// allocate gives the arguments memory of a device until the benchmark ends.
func (k kernel) allocate(b *testing.B, dev backend.Device) (buffers []backend.Buffer) {
	made := map[backend.Buffer]backend.Buffer{}
	for i, a := range k.Args {
		if made[a.Buffer] == nil {
			buf, err := dev.NewBuffer(a.Buffer.Bytes())
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { buf.Close() })
			made[a.Buffer] = buf
		}
		k.Args[i].Buffer = made[a.Buffer]
		buffers = append(buffers, made[a.Buffer])
	}
	return buffers
}

// kernels are those of an element-wise and a row-wise op, of products and of attention, which has the largest.
func kernels(b *testing.B, dev backend.Device) (list []kernel) {
	d, record := offline.Open("offline", dev.Caps())
	defer d.Close()
	made := func(elem weft.DType, shape ...int) *weft.Tensor {
		t, err := weft.Empty(d, elem, shape...)
		if err != nil {
			b.Fatal(err)
		}
		return t
	}
	x, h, q := made(weft.F32, 2048, 2048), made(weft.F16, 2048, 2048), made(weft.F32, 1, 4, 1024, 64)
	for _, op := range []struct {
		name string
		run  func() (*weft.Tensor, error)
	}{
		{"Add", func() (*weft.Tensor, error) { return ops.Add(x, x) }},
		{"Softmax", func() (*weft.Tensor, error) { return ops.Softmax(x) }},
		{"MatMul", func() (*weft.Tensor, error) { return ops.MatMul(x, x) }},
		{"MatMul f16", func() (*weft.Tensor, error) { return ops.MatMul(h, h.T()) }},
		{"Attention", func() (*weft.Tensor, error) { return ops.Attention(q, q, q) }},
	} {
		if _, err := op.run(); err != nil {
			b.Fatal(err)
		}
		for _, l := range record.Take() {
			list = append(list, kernel{op.name, l})
		}
	}
	return list
}

// load measures one kernel.
func load(b *testing.B, dev backend.Device, l offline.Launch, buffers []backend.Buffer, disk bool) {
	b.Setenv(cachedir.Env, "off")
	if disk {
		b.Setenv(cachedir.Env, b.TempDir())
	}
	parts := &timed{Device: dev}
	build := func() (*compile.Compiler, *compile.Prepared) {
		b.StopTimer()
		c := compile.New(parts)
		b.StartTimer()
		_ = sha256.Sum256([]byte(l.Kernel.String())) // which a kernel does once, and this one has done
		p, err := c.Prepare(l.Kernel, l.Args, l.Scalars)
		b.StopTimer()
		if err != nil {
			b.Fatal(err)
		}
		return c, p
	}
	stop := func(c *compile.Compiler) {
		if err := c.Close(); err != nil {
			b.Fatal(err)
		}
	}
	c, _ := build() // so that it is on disk
	stop(c)
	compiled := parts.compiling > 0
	*parts = timed{Device: dev}
	var launch time.Duration
	b.ResetTimer()
	for range b.N {
		c, p := build()
		start := time.Now()
		if err := p.Launch(oneGroup{dev.Stream()}, buffers, l.Scalars); err != nil {
			b.Fatal(err)
		}
		if err := dev.Stream().Synchronize(); err != nil {
			b.Fatal(err)
		}
		launch += time.Since(start)
		stop(c)
	}
	if disk && (parts.compiling > 0 || !compiled) {
		b.Fatal("the kernel was not found on disk")
	}
	report := func(d time.Duration, name string) {
		b.ReportMetric(float64(d.Nanoseconds())/1e3/float64(b.N), name)
	}
	report(parts.loading, "driver-us")
	report(parts.compiling, "compile-us")
	report(b.Elapsed()-parts.loading-parts.compiling, "weft-us")
	report(launch, "first-launch-us")
}

// timed is a device that notes how long its compiler and its driver take.
type timed struct {
	backend.Device
	compiling, loading time.Duration
}

func (t *timed) Compile(src backend.Source) ([]byte, error) {
	start := time.Now()
	image, err := t.Device.Compile(src)
	t.compiling += time.Since(start)
	return image, err
}

func (t *timed) Load(src backend.Source, image []byte) (backend.Program, error) {
	start := time.Now()
	p, err := t.Device.Load(src, image)
	t.loading += time.Since(start)
	return p, err
}

// oneGroup launches the first workgroup of a kernel alone.
type oneGroup struct{ stream backend.Stream }

func (q oneGroup) Launch(p backend.Program, l backend.Launch) error {
	l.Grid = [3]int{1, 1, 1}
	return q.stream.Launch(p, l)
}
