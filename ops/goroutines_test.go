package ops_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/cachedir"
	"github.com/weftgpu/weft/internal/recent"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// worker is one goroutine's tensors on a device that all share; x, w and the others are shared, too.
type worker struct {
	dev  *weft.Device
	x, w *weft.Tensor
	q    *ops.Quantized
}

var doubled = weft.NewKernel("doubled", func(k *tile.Builder, block int) {
	y := k.InOut("y", weft.F32, 1)
	at := k.ProgramTile(y, block)
	v := y.Block(block).Load(at...)
	y.Block(block).Store(v.Add(v), at...)
})

// round does what a program does between reading its input and its results: ops that remember what they launched, with and
// without workspaces, a bound kernel, and a recording of its own goroutine. It returns what came of them.
func (w worker) round() (results []float32, err error) {
	out, err := weft.Empty(w.dev, weft.F32, 24, 24)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	flat, err := out.Reshape(24 * 24)
	if err != nil {
		return nil, err
	}
	defer flat.Close()
	take := func(err error) error {
		if err != nil {
			return err
		}
		got, err := weft.ToSlice[float32](out)
		results = append(results, got...)
		return err
	}
	p, err := doubled.Bind(64, nil, flat)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	for _, run := range []func() error{
		func() error { return ops.MatMulInto(out, w.x, w.w, ops.Fuse(ops.ReLUMap)) },
		func() error { return ops.SoftmaxInto(out, w.x) },
		func() error { return ops.LayerNormInto(out, w.x, nil, nil) },
		func() error { return ops.QuantizedMatMulInto(out, w.x, w.q) },
		func() error { return ops.UniformInto(out, ops.Stream{Seed: 5, Offset: 8}) },
		func() error { return ops.DropoutInto(out, w.x, 0.5, ops.Stream{Seed: 6}, nil) },
		func() error { return ops.AddInto(out, w.x, 2.5) },
		p.Launch,
	} {
		if err := take(run()); err != nil {
			return nil, err
		}
	}
	r, err := w.dev.Capture(func(rec *weft.Recorder) error {
		if err := ops.GELUInto(rec.Use(out), w.x); err != nil {
			return err
		}
		return rec.Launch(p)
	})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for range 2 {
		if err := take(r.Replay()); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// Many goroutines launch on one device, while configs are raced, forgotten and found in files: results are those of one alone, up to
// what another config may change in the last bits. Under the race detector this says that they share nothing without a lock.
func TestManyGoroutinesLaunch(t *testing.T) {
	t.Setenv(cachedir.Env, t.TempDir())
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	numbers := make([]float32, 24*24)
	for i := range numbers {
		numbers[i] = float32(i*37%101)/50 - 1
	}
	x, err := weft.FromSlice(dev, numbers, 24, 24)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(numbers)
	y, err := weft.FromSlice(dev, numbers, 24, 24)
	if err != nil {
		t.Fatal(err)
	}
	q, err := ops.Quantize(y, ops.QuantScheme{Bits: 4, Block: [2]int{8, 1}})
	if err != nil {
		t.Fatal(err)
	}
	w := worker{dev, x, y, q}
	want, err := w.round()
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for g := range 6 {
		all.Go(func() {
			for i := range 4 {
				switch {
				case g == 0:
					recent.Forget()
				case g == 1 && i == 1:
					defer tune.Auto(context.Background(), tune.Options{Trials: 3, Again: true})()
				case g == 2:
					dev.TrimPool()
					dev.MemoryStats()
				}
				got, err := w.round()
				if err != nil || len(got) != len(want) {
					t.Errorf("%d results, %v", len(got), err)
					return
				}
				for j := range want {
					if d := got[j] - want[j]; !(d <= 1e-4 && d >= -1e-4) {
						t.Errorf("goroutine %d, round %d: result %d is %v, want %v", g, i, j, got[j], want[j])
						return
					}
				}
			}
		})
	}
	all.Wait()
}
