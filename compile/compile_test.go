package compile

import (
	"errors"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// recorder is a device that keeps what reaches it and runs nothing.
type recorder struct {
	backend.Device
	caps     target.Caps
	mu       sync.Mutex
	compiled int
	closed   int
	launches []backend.Launch
	sources  []backend.Source
	compiles chan struct{} // if not nil, a compilation waits for it
}

type program struct {
	r      *recorder
	closed bool
}

func (p *program) Close() error {
	p.r.mu.Lock()
	defer p.r.mu.Unlock()
	p.closed = true
	p.r.closed++
	return nil
}

func (r *recorder) Info() backend.Info { return backend.Info{Backend: "fake"} }

func (r *recorder) Caps() target.Caps      { return r.caps }
func (r *recorder) Stream() backend.Stream { return stream{r: r} }

func (r *recorder) Compile(src backend.Source) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.compiled++
	if r.compiles != nil {
		<-r.compiles
	}
	r.sources = append(r.sources, src)
	return []byte(src.Text), nil
}

func (r *recorder) Load(backend.Source, []byte) (backend.Program, error) { return &program{r: r}, nil }

type stream struct {
	backend.Stream
	r *recorder
}

func (s stream) Launch(_ backend.Program, l backend.Launch) error {
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	s.r.launches = append(s.r.launches, l)
	return nil
}

type buffer struct {
	backend.Buffer
	bytes int64
}

func (b *buffer) Bytes() int64 { return b.bytes }

func newRecorder() *recorder {
	return &recorder{caps: target.Caps{Language: target.WGSL, MaxThreads: 256, SharedBytes: 16 << 10, MaxGrid: [3]int{65535, 65535, 65535}}}
}

// copyKernel copies rows, one program a row and block of columns.
func copyKernel(t *testing.T, block int) *tile.Func { return copyKernelOf(t, block, 0) }

// copyKernelOf is copyKernel for one of many kernels, which add another number each.
func copyKernelOf(t *testing.T, block, number int) *tile.Func {
	t.Helper()
	k, err := tile.Build("copy", func(k *tile.Builder) {
		x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.F32, 2)
		k.Grid(y.Dim(0), k.CDiv(y.Dim(1), block))
		y.Block(1, block).Store(x.Block(1, block).Load(k.ProgramID(0), k.ProgramID(1)).Add(number), k.ProgramID(0), k.ProgramID(1))
	})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func arg(t *testing.T, b backend.Buffer, shape ...int) Arg {
	t.Helper()
	l, err := layout.Contiguous(shape...)
	if err != nil {
		t.Fatal(err)
	}
	return Arg{Buffer: b, Elem: dtype.F32, Layout: l}
}

func TestLaunchesShareProgramsByFacts(t *testing.T) {
	dev := newRecorder()
	c := New(dev)
	x, y := &buffer{bytes: 1 << 20}, &buffer{bytes: 1 << 20}
	launch := func(args ...Arg) {
		t.Helper()
		if err := c.Launch(copyKernel(t, 64), args, nil); err != nil {
			t.Fatal(err)
		}
	}
	launch(arg(t, x, 16, 256), arg(t, y, 16, 256))
	launch(arg(t, x, 16, 512), arg(t, y, 16, 512)) // divisible by the same powers of two, as far as they count
	if dev.compiled != 1 {
		t.Errorf("compiled %d times for equal facts", dev.compiled)
	}
	launch(arg(t, x, 3, 7), arg(t, y, 3, 7))
	launch(arg(t, x, 16, 256), arg(t, x, 16, 256))
	if dev.compiled != 3 {
		t.Errorf("compiled %d times for three kinds of facts", dev.compiled)
	}
	if l := dev.launches[3]; len(l.Buffers) != 1 || len(dev.sources[2].Bindings) != 1 || dev.sources[2].Bindings[0].Access != backend.ReadWrite {
		t.Errorf("views over one buffer: %d buffers, bindings %v", len(l.Buffers), dev.sources[2].Bindings)
	}
	if want := [3]int{3, 1, 1}; dev.launches[2].Grid != want {
		t.Errorf("grid %v, want %v", dev.launches[2].Grid, want)
	}
	if err := c.Close(); err != nil || dev.closed != 3 {
		t.Errorf("close: %v, %d programs closed", err, dev.closed)
	}
	if err := c.Launch(copyKernel(t, 64), []Arg{arg(t, x, 3, 7), arg(t, y, 3, 7)}, nil); !errors.Is(err, fault.ErrClosed) {
		t.Errorf("after close: %v", err)
	}
}

func TestConcurrentLaunchesCompileOnce(t *testing.T) {
	dev := newRecorder()
	c := New(dev)
	x, y := &buffer{bytes: 1 << 20}, &buffer{bytes: 1 << 20}
	k := copyKernel(t, 64)
	args := []Arg{arg(t, x, 5, 100), arg(t, y, 5, 100)}
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if err := c.Launch(k, args, nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if dev.compiled != 1 || len(dev.launches) != 16 {
		t.Errorf("compiled %d times for %d launches", dev.compiled, len(dev.launches))
	}
}

func TestGridsBeyondTheLimitAreFolded(t *testing.T) {
	dev := newRecorder()
	c := New(dev)
	x, y := &buffer{bytes: 1 << 30}, &buffer{bytes: 1 << 30}
	if err := c.Launch(copyKernel(t, 64), []Arg{arg(t, x, 70_000, 100), arg(t, y, 70_000, 100)}, nil); err != nil {
		t.Fatal(err)
	}
	g := dev.launches[0].Grid
	if n := g[0] * g[1] * g[2]; n < 140_000 || n > 140_000+g[1] || g[0] > 65535 || g[1] > 65535 {
		t.Errorf("grid %v for 140,000 programs", g)
	}
	if !strings.Contains(dev.sources[0].Text, "grid_width") {
		t.Errorf("the kernel does not unfold its grid:\n%s", dev.sources[0].Text)
	}
}

func TestFold(t *testing.T) {
	limit := [3]int{100, 50, 10}
	for _, c := range []struct {
		grid   [3]int
		folded bool
		err    error
	}{
		{[3]int{100, 50, 10}, false, nil},
		{[3]int{101, 1, 1}, true, nil},
		{[3]int{5000, 1, 1}, true, nil},
		{[3]int{1, 1, 5000}, true, nil},
		{[3]int{5001, 1, 1}, false, fault.ErrLimit},
		{[3]int{math.MaxInt32, math.MaxInt32, 2}, false, fault.ErrLimit},
	} {
		p, folded, err := fold("k", c.grid, limit)
		if folded != c.folded || !errors.Is(err, c.err) {
			t.Errorf("%v: %v, folded %v, %v", c.grid, p, folded, err)
		}
		if err == nil && (p[0]*p[1]*p[2] < c.grid[0]*c.grid[1]*c.grid[2] || p[0] > limit[0] || p[1] > limit[1] || p[2] > limit[2]) {
			t.Errorf("%v becomes %v within %v", c.grid, p, limit)
		}
	}
	if p, folded, err := fold("k", [3]int{1 << 28, 2, 3}, [3]int{}); folded || err != nil || p[0] != 1<<28 {
		t.Errorf("without limits: %v, %v, %v", p, folded, err)
	}
	if _, _, err := fold("k", [3]int{1 << 30, 2, 1}, [3]int{}); !errors.Is(err, fault.ErrLimit) {
		t.Errorf("2^31 programs without limits: %v", err)
	}
}

func TestBadArgumentsLaunchNothing(t *testing.T) {
	x, y := &buffer{bytes: 400}, &buffer{bytes: 400}
	good := []Arg{arg(t, x, 10, 10), arg(t, y, 10, 10)}
	half := good[1]
	half.Elem = dtype.F16
	beyond, err := layout.Strided([]int{10, 10}, []int{10, 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []Arg
		kind error
		says string
	}{
		{"too few", good[:1], fault.ErrArgument, "1 tensor given, the kernel has 2 views"},
		{"no buffer", []Arg{good[0], {Elem: dtype.F32, Layout: good[1].Layout}}, fault.ErrArgument, "y: the buffer is nil"},
		{"element type", []Arg{good[0], half}, fault.ErrArgument, "f16"},
		{"rank", []Arg{good[0], arg(t, y, 100)}, fault.ErrShape, "the tensor has 1 dimension, the kernel takes 2"},
		{"beyond the buffer", []Arg{good[0], {y, dtype.F32, beyond}}, fault.ErrShape, "100"},
	} {
		dev := newRecorder()
		err := New(dev).Launch(copyKernel(t, 64), c.args, nil)
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %v that says %q", c.name, err, c.kind, c.says)
		}
		if len(dev.launches)+dev.compiled != 0 {
			t.Errorf("%s: something was compiled or launched", c.name)
		}
	}
	dev := newRecorder()
	c := New(dev)
	if err := c.Launch(copyKernel(t, 64), good, []uint32{1}); !errors.Is(err, fault.ErrArgument) {
		t.Errorf("a scalar too many: %v", err)
	}
	if err := c.Launch(copyKernel(t, 64), []Arg{arg(t, x, 0, 10), arg(t, y, 0, 10)}, nil); err != nil || len(dev.launches) != 0 {
		t.Errorf("an empty grid: %v, %d launches", err, len(dev.launches))
	}
}

func TestLimitsNameTheNeed(t *testing.T) {
	dev := newRecorder()
	for name, k := range map[string]func(k *tile.Builder){
		"512 threads": func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: 512})
			k.Out("y", dtype.F32, 2).Block(1, 64).Store(k.Zeros(dtype.F32, 1, 64), 0, 0)
		},
		"bytes of shared memory": func(k *tile.Builder) {
			y := k.InOut("y", dtype.F32, 2).Block(64, 64)
			y.Store(tile.Dot(y.Load(0, 0), y.Load(0, 0), k.Zeros(dtype.F32, 64, 64), tile.IEEE), 0, 0)
		},
	} {
		built, err := tile.Build("limited", k)
		if err != nil {
			t.Fatal(err)
		}
		err = New(dev).Launch(built, []Arg{arg(t, &buffer{bytes: 400}, 10, 10)}, nil)
		if !errors.Is(err, fault.ErrLimit) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if dev.compiled != 0 {
		t.Error("compiled all the same")
	}
}
