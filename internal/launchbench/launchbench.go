package launchbench

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/internal/trace"
	"github.com/weftgpu/weft/internal/tracedev"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// Case is an op with tensors that exist.
type Case struct {
	Name   string
	Launch func() error
	Allocs int // that a launch like one before may make, in addition to those of the device
}

// Cases lists ops on small tensors of a device: the shapes are those of one kernel, but for a few,
// which take two and a workspace.
func Cases(dev *weft.Device) ([]Case, error) {
	var failed error
	tensor := func(shape ...int) *weft.Tensor {
		t, err := weft.Zeros(dev, weft.F32, shape...)
		if failed == nil {
			failed = err
		}
		return t
	}
	a, b, out := tensor(64, 64), tensor(64, 64), tensor(64, 64)
	row, column, scalar := tensor(64), tensor(64, 1), tensor()
	long, longOut := tensor(1<<16), tensor(1<<16)
	q, k, v, heads := tensor(1, 2, 64, 64), tensor(1, 2, 64, 64), tensor(1, 2, 64, 64), tensor(1, 2, 64, 64)
	images, filters, maps := tensor(1, 8, 16, 16), tensor(8, 8, 3, 3), tensor(1, 8, 16, 16)
	depthwise, bias, columns := tensor(8, 1, 3, 3), tensor(8), tensor(1, 72, 256)
	if failed != nil {
		return nil, failed
	}
	w, err := ops.Quantize(b, ops.QuantScheme{Bits: 4, Block: [2]int{1, 32}, Asymmetric: true})
	if err != nil {
		return nil, err
	}
	stream := ops.Stream{Seed: 1}
	next := func() ops.Stream { stream = stream.Skip(1 << 12); return stream }
	padding, groups, withBias := ops.Padding(1, 1), ops.Groups(8), ops.Bias(bias)
	return []Case{
		{"AddInto", func() error { return ops.AddInto(out, a, b) }, 0},
		{"AddInto/row", func() error { return ops.AddInto(out, a, row) }, 0},
		{"AddInto/number", func() error { return ops.AddInto(out, a, 2.5) }, 0},
		{"GELUInto", func() error { return ops.GELUInto(out, a) }, 0},
		{"MatMulInto", func() error { return ops.MatMulInto(out, a, b) }, 0},
		{"SoftmaxInto", func() error { return ops.SoftmaxInto(out, a) }, 0},
		{"LayerNormInto", func() error { return ops.LayerNormInto(out, a, row, row) }, 0},
		{"SumInto/rows", func() error { return ops.SumInto(column, a, ops.Axis(1), ops.KeepDims()) }, 1},
		{"SumInto/two passes", func() error { return ops.SumInto(scalar, long) }, 3},
		{"SoftmaxInto/two passes", func() error { return ops.SoftmaxInto(longOut, long) }, 5},
		{"AttentionInto", func() error { return ops.AttentionInto(heads, q, k, v) }, 0},
		{"AttentionInto/causal", func() error { return ops.AttentionInto(heads, q, k, v, ops.Causal()) }, 0},
		{"Conv2DInto", func() error { return ops.Conv2DInto(maps, images, filters, padding, withBias) }, 0},
		{"Conv2DInto/depthwise", func() error { return ops.Conv2DInto(maps, images, depthwise, padding, groups) }, 0},
		{"Im2ColInto", func() error { return ops.Im2ColInto(columns, images, 3, 3, padding) }, 0},
		{"QuantizedMatMulInto", func() error { return ops.QuantizedMatMulInto(out, a, w) }, 0},
		{"QuantizeInto", func() error { return ops.QuantizeInto(w, b) }, 5},
		{"DequantizeInto", func() error { return ops.DequantizeInto(out, w) }, 0},
		{"UniformInto", func() error { return ops.UniformInto(out, next()) }, 0},
		{"NormalInto", func() error { return ops.NormalInto(out, next()) }, 0},
		{"DropoutInto", func() error { return ops.DropoutInto(out, a, 0.5, next(), nil) }, 0},
	}, nil
}

// Kernels is how many launches the recording of Run has.
const Kernels = 100

// program is a bound kernel that adds vectors.
func program(dev *weft.Device) (*weft.Program, error) {
	k := weft.NewKernel("add", func(k *tile.Builder, block int) {
		x, y := k.In("x", weft.F32, 1), k.InOut("y", weft.F32, 1)
		k.Schedule(tile.Schedule{Threads: 128})
		at := k.ProgramTile(y, block)
		y.Block(block).Store(y.Block(block).Load(at...).Add(x.Block(block).Load(at...)), at...)
	})
	x, err := weft.Zeros(dev, weft.F32, 4096)
	if err != nil {
		return nil, err
	}
	y, err := weft.Zeros(dev, weft.F32, 4096)
	if err != nil {
		return nil, err
	}
	return k.Bind(512, nil, x, y)
}

// Run measures the cases, a bound kernel, and the replay of a recording of that, whose time for one of its launches it
// reports as ns/kernel. All is done again while a trace is written (WEFT_TRACE), by another device.
func Run(b *testing.B, open func(testing.TB) backend.Device) {
	run(b, weft.NewDevice(open(b)))
	b.Run("traced", func(b *testing.B) {
		stop, err := trace.Start(filepath.Join(b.TempDir(), "trace.json"))
		if err != nil {
			b.Fatal(err)
		}
		defer stop()
		run(b, weft.NewDevice(tracedev.Wrap(open(b))))
	})
}

// Open opens a device by name for Run and Load. Without one the benchmark is skipped.
func Open(name string) func(testing.TB) backend.Device {
	return func(t testing.TB) backend.Device {
		t.Helper()
		dev, err := backend.Open(name)
		if err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() { dev.Close() })
		return dev
	}
}

func run(b *testing.B, dev *weft.Device) {
	b.Cleanup(func() { dev.Close() })
	cases, err := Cases(dev)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range cases {
		b.Run(c.Name, func(b *testing.B) { Measure(b, dev, c.Launch) })
	}
	p, err := program(dev)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { p.Close() })
	b.Run("Program", func(b *testing.B) { Measure(b, dev, p.Launch) })
	r, err := dev.Capture(func(rec *weft.Recorder) error {
		for range Kernels {
			if err := rec.Launch(p); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { r.Close() })
	b.Run("Recording", func(b *testing.B) { replay(b, dev, r) })
}

// replay measures a recording, the kernels' own time included.
func replay(b *testing.B, dev *weft.Device, r *weft.Recording) {
	if err := dev.Synchronize(); err != nil {
		b.Fatal(err)
	}
	start := time.Now()
	for range b.N {
		if err := r.Replay(); err != nil {
			b.Fatal(err)
		}
	}
	if err := dev.Synchronize(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(time.Since(start))/float64(b.N)/Kernels, "ns/kernel")
}

// Measure measures one kind of launch.
func Measure(b *testing.B, dev *weft.Device, launch func() error) {
	if err := launch(); err != nil { // compiles
		b.Fatal(err)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := launch(); err != nil {
			b.Fatal(err)
		}
		if i%128 == 127 { // before a queue is full
			b.StopTimer()
			if err := dev.Synchronize(); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
	}
}
