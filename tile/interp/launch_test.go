package interp

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// counter stores each program's linear index and adds 1 to a guard view never stored to twice.
func counter(t testing.TB) *Program {
	k := build(t, "counter", func(k *tile.Builder) {
		y := k.InOut("y", dtype.I32, 3)
		k.Grid(y.Dim(2), y.Dim(1), y.Dim(0))
		x, yy, z := k.ProgramID(0), k.ProgramID(1), k.ProgramID(2)
		at := y.Block(1, 1, 1)
		n := z.Mul(k.NumPrograms(1)).Add(yy).Mul(k.NumPrograms(0)).Add(x)
		at.Store(at.Load(z, yy, x).Add(n).Add(1), z, yy, x)
	})
	return &Program{Kernel: k, Buffers: []int{0}}
}

// Every program of a grid runs exactly once, for any number of workers.
func TestGridCoverage(t *testing.T) {
	p := counter(t)
	for _, grid := range [][3]int{{1, 1, 1}, {1000, 1, 1}, {1, 1, 77}, {7, 11, 13}, {0, 5, 5}, {5, 0, 1}, {3, 3, 0}} {
		n := grid[0] * grid[1] * grid[2]
		data := make([]byte, 4*n)
		l := contiguous(t, grid[2], grid[1], grid[0])
		words, err := p.Kernel.Words([]layout.Layout{l}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Run(grid, [][]byte{data}, words); err != nil {
			t.Fatal(err)
		}
		x := make([]float64, n)
		dtype.Floats(dtype.I32, x, data)
		for i := range x {
			if x[i] != float64(i+1) {
				t.Fatalf("grid %v: program %d left %v", grid, i, x[i])
			}
		}
	}
}

func TestLaunchErrors(t *testing.T) {
	p := counter(t)
	words := func(change ...uint32) []uint32 {
		w := []uint32{0, 2, 3, 4, 12, 4, 1} // 2×3×4 elements
		for i := 0; i < len(change); i += 2 {
			w[change[i]] = change[i+1]
		}
		return w
	}
	minus := func(x int32) uint32 { return uint32(-x) }
	data := [][]byte{make([]byte, 4*24)}
	one := [3]int{1, 1, 1}
	for name, c := range map[string]struct {
		grid    [3]int
		buffers [][]byte
		words   []uint32
		kind    error
	}{
		"short buffer":     {one, [][]byte{make([]byte, 4*24-1)}, words(), fault.ErrShape},
		"no buffer":        {one, nil, words(), fault.ErrArgument},
		"empty buffer":     {one, [][]byte{nil}, words(), fault.ErrShape},
		"few words":        {one, data, words()[1:], fault.ErrArgument},
		"many words":       {one, data, append(words(), 0), fault.ErrArgument},
		"offset":           {one, data, words(0, 1), fault.ErrShape},
		"far offset":       {one, data, words(0, math.MaxUint32), fault.ErrShape},
		"size":             {one, data, words(1, 3), fault.ErrShape},
		"huge size":        {one, data, words(1, 1<<31, 4, 0), fault.ErrLimit},
		"overflowing size": {one, data, words(1, math.MaxUint32, 2, math.MaxUint32, 3, math.MaxUint32), fault.ErrShape},
		"negative":         {one, data, words(4, minus(12)), fault.ErrShape},
		"stride":           {one, data, words(6, 5), fault.ErrShape},
		"negative grid":    {[3]int{1, -1, 1}, data, words(), fault.ErrShape},
		"huge grid":        {[3]int{math.MaxInt32, math.MaxInt32, 16}, data, words(), fault.ErrLimit},
		"huge dimension":   {[3]int{1 << 31, 1, 1}, data, words(), fault.ErrLimit},
		"huge empty grid":  {[3]int{1 << 31, 0, 1}, data, words(), fault.ErrLimit},
	} {
		if err := p.Run(c.grid, c.buffers, c.words); !errors.Is(err, c.kind) {
			t.Errorf("%s: error %v, want %v", name, err, c.kind)
		} else if strings.Contains(name, "grid") && c.kind == fault.ErrLimit && !strings.Contains(err.Error(), "launch_test.go:") {
			t.Errorf("%s: %v does not name the line of the grid", name, err)
		}
		for _, b := range data[0] {
			if b != 0 {
				t.Fatalf("%s: something ran", name)
			}
		}
	}
	for name, w := range map[string][]uint32{
		"all":                 words(),
		"reversed":            words(0, 12, 4, minus(12)),
		"zero size, anywhere": words(0, math.MaxUint32, 1, 0, 4, 1<<30),
	} {
		if err := p.Check(one, []int64{4 * 24}, w); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, bad := range []*Program{{}, {Kernel: p.Kernel}, {Kernel: p.Kernel, Buffers: []int{0, 0}}} {
		if err := bad.Run(one, data, words()); !errors.Is(err, fault.ErrKernel) {
			t.Errorf("program %+v: %v", bad.Buffers, err)
		}
	}
	for _, at := range []int{-1, 1} {
		bad := &Program{Kernel: p.Kernel, Buffers: []int{at}}
		if err := bad.Run(one, data, words()); !errors.Is(err, fault.ErrArgument) {
			t.Errorf("buffer %d: %v", at, err)
		}
	}
}

// A step that turns out to be zero or negative ends the launch with the loop's line.
func TestStep(t *testing.T) {
	k := build(t, "step", func(k *tile.Builder) {
		y := k.Out("y", dtype.I32, 1)
		k.Grid(100)
		for i := range k.RangeStep(5, 10, k.Scalar("step", dtype.I32)) {
			y.Block(1).Store(i, 0)
		}
	})
	p := &Program{Kernel: k, Buffers: []int{0}}
	for _, step := range []int32{0, -1, math.MinInt32} {
		err := p.Run([3]int{100, 1, 1}, [][]byte{make([]byte, 4)}, []uint32{0, 1, 1, uint32(step)})
		var f *fault.Error
		if !errors.As(err, &f) || f.Kind != fault.ErrKernel || f.Pos == "" {
			t.Errorf("step %d: %v", step, err)
		}
	}
	// 5 + the step does not wrap.
	if err := p.Run([3]int{1, 1, 1}, [][]byte{make([]byte, 4)}, []uint32{0, 1, 1, math.MaxInt32}); err != nil {
		t.Error(err)
	}
}

// Two views of one buffer see each other's elements: y[i] = x[i] + 1 with y one element further, in one program.
func TestViewsShareABuffer(t *testing.T) {
	k := build(t, "shared", func(k *tile.Builder) {
		x, y := k.In("x", dtype.I32, 1), k.Out("y", dtype.I32, 1)
		for i := range k.Range(x.Dim(0)) {
			y.Block(1).Store(x.Block(1).Load(i).Add(1), i)
		}
	})
	data := make([]byte, 4*10)
	p := &Program{Kernel: k, Buffers: []int{0, 0}}
	if err := p.Run([3]int{1, 1, 1}, [][]byte{data}, []uint32{0, 9, 1, 1, 9, 1}); err != nil {
		t.Fatal(err)
	}
	x := make([]float64, 10)
	dtype.Floats(dtype.I32, x, data)
	for i := range x {
		if x[i] != float64(i) {
			t.Fatalf("elements %v", x)
		}
	}
}

// One Program runs in many goroutines at once, on different data.
func TestConcurrentRuns(t *testing.T) {
	p := matmul(t, 16, 32, 16)
	l := contiguous(t, 40, 40)
	grid, words := launchOf(t, p, []layout.Layout{l, l, l})
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			x := randomFloats(rand.New(rand.NewPCG(uint64(g), 1)), 40*40)
			unit := make([]float32, 40*40)
			for i := range 40 {
				unit[i*41] = 1
			}
			out := make([]byte, 4*40*40)
			for range 10 {
				if err := p.Run(grid, [][]byte{f32Bytes(x), f32Bytes(unit), out}, words); err != nil {
					t.Error(err)
					return
				}
				for i, y := range f32Of(out) {
					if y != x[i] {
						t.Errorf("goroutine %d: element %d is %v, want %v", g, i, y, x[i])
						return
					}
				}
			}
		})
	}
	group.Wait()
}

// What a launch allocates does not grow with its programs.
func TestAllocations(t *testing.T) {
	k := build(t, "many", func(k *tile.Builder) {
		x := k.InOut("x", dtype.F16, 2)
		k.Grid(k.CDiv(x.Dim(0), 4), k.CDiv(x.Dim(1), 32))
		i, j := k.ProgramID(0), k.ProgramID(1)
		v := k.Var(x.Block(4, 32).Load(i, j))
		for range k.Range(3) {
			v.Set(v.Get().Exp().Sub(v.Get().Max(1)).Div(v.Get().Sum(0)))
		}
		x.Block(4, 32).Store(v.Get(), i, j)
	})
	p := &Program{Kernel: k, Buffers: []int{0}}
	data := [][]byte{make([]byte, 2*1000*90)}
	words := []uint32{0, 1000, 90, 1, 1000} // transposed
	per := func(grid [3]int) float64 {
		return testing.AllocsPerRun(10, func() {
			if err := p.Run(grid, data, words); err != nil {
				t.Fatal(err)
			}
		})
	}
	// The garbage collector may empty the pool of workers once in a while.
	if few, many := per([3]int{2, 1, 1}), per([3]int{250, 3, 1}); many > few+20 {
		t.Errorf("%v allocations for 2 programs, %v for 750", few, many)
	}
}
