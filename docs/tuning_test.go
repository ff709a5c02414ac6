package docs_test

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/cachedir"
	weftops "github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// The code of tuning.md.

// TestMain keeps what the guides measure out of the user's own cache.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "weft")
	if err != nil {
		panic(err)
	}
	os.Setenv(cachedir.Env, dir)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// tuneModel races what a model's layers need, for at most a minute, and writes a table to ship.
func tuneModel(dev *weft.Device, layer func() error, path string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	stop := tune.Auto(ctx, tune.Options{})
	err := layer() // every op races what is new to the device
	stop()
	if err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	fingerprint := dev.Caps().Fingerprint
	return tune.Export(file, func(e tune.Entry) bool { return e.Caps.Fingerprint == fingerprint })
}

// scaleProblem is what the block size of scale depends on, scaleConfig what there is to choose.
type scaleProblem struct{ N int }

type scaleConfig struct{ Block, Threads int }

var scale = weft.NewKernel("scale", func(k *tile.Builder, cfg scaleConfig) {
	x, y := k.In("x", weft.F32, 1), k.Out("y", weft.F32, 1)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	at := k.ProgramTile(y, cfg.Block)
	y.Block(cfg.Block).Store(x.Block(cfg.Block).Load(at...).Mul(2), at...)
})

var scaleSpace = &tune.Space[scaleProblem, scaleConfig]{
	Op: "example.com/scale",
	List: func(caps target.Caps, p scaleProblem) iter.Seq[scaleConfig] {
		return func(yield func(scaleConfig) bool) {
			for block := 256; block <= 16384; block *= 2 {
				for _, threads := range []int{0, 64, 128, 256} { // 0 is the compiler's choice, and the CPU's only one
					if !yield(scaleConfig{block, threads}) {
						return
					}
				}
			}
		}
	},
	Legal: func(caps target.Caps, p scaleProblem, c scaleConfig) error {
		switch {
		case caps.WholeTiles && c.Threads != 0:
			return fmt.Errorf("the interpreter has no threads")
		case c.Threads > caps.MaxThreads && caps.MaxThreads > 0:
			return fmt.Errorf("%d threads, the device has %d", c.Threads, caps.MaxThreads)
		case c.Block <= 0 || c.Block&(c.Block-1) != 0 || c.Threads > 0 && c.Block > 64*c.Threads:
			return fmt.Errorf("blocks of %d in %d threads", c.Block, c.Threads)
		}
		return nil
	},
	Work: func(_ target.Caps, p scaleProblem, c scaleConfig) tune.Work {
		return tune.Work{Programs: (p.N + c.Block - 1) / c.Block, Threads: c.Threads, Memory: 8 * float64(p.N), Flops: float64(p.N)}
	},
	Needs: func(_ target.Caps, p scaleProblem) tune.Needs {
		return tune.Needs{Read: 4 * float64(p.N), Written: 4 * float64(p.N)}
	},
	Bucket: func(p scaleProblem) scaleProblem { return scaleProblem{tune.Bucket(p.N)} },
	Kernel: func(_ target.Caps, _ scaleProblem, c scaleConfig) (*tile.Func, error) { return scale.Build(c) },
}

// scaled is 2x, by the best config that is known, or that a race finds where one is asked for.
func scaled(y, x *weft.Tensor) error {
	p := scaleProblem{x.Len()}
	cfg := scaleSpace.PickOrTune(x.Device(), p, func() (*tune.Trial[scaleConfig], error) { return scaleTrial(x.Device(), p) })
	return scale.Launch(cfg, x, y)
}

// scaleTrial makes the tensors of a race.
func scaleTrial(dev *weft.Device, p scaleProblem) (*tune.Trial[scaleConfig], error) {
	value := float32(1)
	x, err := weft.Full(dev, weft.F32, value, p.N)
	if err != nil {
		return nil, err
	}
	y, err := weft.Empty(dev, weft.F32, p.N)
	if err != nil {
		x.Close()
		return nil, err
	}
	t := &tune.Trial[scaleConfig]{Close: func() { x.Close(); y.Close() }}
	t.Run = func(c scaleConfig) error { return scale.Launch(c, x, y) }
	t.Check = func(c scaleConfig) error {
		if err := y.Fill(0); err != nil {
			return err
		}
		if err := t.Run(c); err != nil {
			return err
		}
		got, err := weft.ToSlice[float32](y)
		for i, v := range got {
			if v != 2*value {
				return fmt.Errorf("%w: element %d is %v", tune.ErrWrong, i, v)
			}
		}
		return err
	}
	t.Renew = func() error {
		value++
		return x.Fill(value)
	}
	return t, nil
}

func Example_tunedKernel() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	x := need(weft.Full(dev, weft.F32, 3, 5000))
	y := need(weft.Empty(dev, weft.F32, 5000))
	stop := tune.Auto(context.Background(), tune.Options{Done: func(e tune.Entry) {
		fmt.Println(e.Op, string(e.Problem), len(e.Timings) > 1)
	}})
	defer stop()
	for range 2 { // the second time knows
		if err := scaled(y, x); err != nil {
			fmt.Println(err)
		}
	}
	first := need(y.Slice(0, 0, 3))
	fmt.Println(weft.ToSlice[float32](first))
	// Output:
	// example.com/scale {"N":5112} true
	// [6 6 6] <nil>
}

// A table is written by one program and read by another.
func TestTuneModel(t *testing.T) {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	a := need(weft.Full(dev, weft.F32, 1, 33, 70))
	path := filepath.Join(t.TempDir(), "tuned.json")
	err := tuneModel(dev, func() error {
		_, err := weftops.MatMul(a, a.T())
		return err
	}, path)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(data, []byte(`"matmul"`)) {
		t.Fatalf("%s, %v", data, err)
	}
	if n, err := tune.Import(data); n < 1 || err != nil {
		t.Errorf("%d entries, %v", n, err)
	}
}
