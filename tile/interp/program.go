package interp

import (
	"math"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// Program is what the cpu backend launches: a kernel and, for each of its
// views, the index of its buffer; views may share one. It compiles itself on
// first use, may run many times and by many goroutines, and must not be copied.
type Program struct {
	Kernel  *tile.Kernel
	Buffers []int
	Options Options // set before the first use

	once    sync.Once
	code    *code
	err     error
	workers sync.Pool // of *worker
}

// Compile prepares the program; Check and Run do it on first use. Its error is
// that of tile.Verify, or fault.ErrKernel.
func (p *Program) Compile() error {
	p.once.Do(func() {
		if p.Kernel == nil || len(p.Buffers) != len(p.Kernel.Views) {
			p.err = fault.New(fault.ErrKernel, "interp", "a program is a kernel and a buffer index for each of its views")
			return
		}
		p.code, p.err = compile(p.Kernel, &p.Options)
	})
	return p.err
}

// Check validates a launch without running it: sizes are the buffers' lengths
// in bytes, words the launch's words (see tile.Kernel.Words). A view that
// reaches beyond its buffer, a missing buffer, a wrong number of words or a
// negative grid is fault.ErrShape.
func (p *Program) Check(grid [3]int, sizes []int64, words []uint32) error {
	if err := p.Compile(); err != nil {
		return err
	}
	if _, err := p.programs(grid); err != nil {
		return err
	}
	_, err := p.views(sizes, words)
	return err
}

// Run executes the grid's programs and returns when all are done. buffers hold
// little-endian elements; words are encoded by tile.Kernel.Words. The error is
// that of Check, with nothing run, or fault.ErrKernel for a loop whose step
// turned out not to be positive, for an assertion that does not hold, and for what
// Options.Check finds, with the kernel's line.
func (p *Program) Run(grid [3]int, buffers [][]byte, words []uint32) error {
	if err := p.Compile(); err != nil {
		return err
	}
	sizes := make([]int64, len(buffers))
	for i, b := range buffers {
		sizes[i] = int64(len(b))
	}
	views, err := p.views(sizes, words)
	if err != nil {
		return err
	}
	for i := range views {
		views[i].data = buffers[p.Buffers[i]]
	}
	total, err := p.programs(grid)
	if err != nil || total == 0 {
		return err
	}
	l := &launch{grid: grid, views: views, args: words[len(words)-len(p.Kernel.Scalars):]}
	if p.Options.Check {
		l.shadow = newShadow(&p.Options, p.Buffers)
	}
	p.clear(l)
	return p.spread(l, total)
}

// programs is the number of programs of a grid.
func (p *Program) programs(grid [3]int) (int64, error) {
	total := uint64(1)
	for _, n := range grid {
		if n < 0 {
			return 0, fault.New(fault.ErrShape, p.Kernel.Name, "grid %v is negative", grid)
		}
		if n > math.MaxInt32 {
			return 0, fault.New(fault.ErrLimit, p.Kernel.Name, "grid %v: a dimension is beyond 2^31-1", grid)
		}
	}
	for _, n := range grid {
		hi, lo := bits.Mul64(total, uint64(n))
		if hi != 0 || lo > math.MaxInt64/2 {
			return 0, fault.New(fault.ErrLimit, p.Kernel.Name, "grid %v has more than 2^62 programs", grid)
		}
		total = lo
	}
	return int64(total), nil
}

// launch is what the programs of one Run share.
type launch struct {
	grid  [3]int
	views []view
	args  []uint32

	shadow *shadow // of Options.Check, else nil
}

// view is a view's layout and memory in one launch, in elements.
type view struct {
	data         []byte
	offset       int
	size, stride [5]int
}

// views decodes the words and checks that each view lies within its buffer.
func (p *Program) views(sizes []int64, words []uint32) ([]view, error) {
	k := p.Kernel
	if len(words) != k.WordCount() {
		return nil, fault.New(fault.ErrShape, k.Name, "%d words given, the kernel has %d", len(words), k.WordCount())
	}
	views := make([]view, len(k.Views))
	for i, v := range k.Views {
		at := p.Buffers[i]
		if at < 0 || at >= len(sizes) {
			return nil, fault.New(fault.ErrShape, k.Name, "buffer %d of %d", at, len(sizes)).For(v.Name)
		}
		w := words[k.ViewWord(v):]
		view := &views[i]
		view.offset = int(w[0])
		for d := range v.Rank {
			view.size[d] = int(w[1+d])
			view.stride[d] = int(int32(w[1+v.Rank+d]))
		}
		l, err := layout.Strided(view.size[:v.Rank], view.stride[:v.Rank], view.offset)
		if err != nil {
			return nil, fault.New(fault.ErrShape, k.Name, "its layout").For(v.Name).Because(err)
		}
		for d := range v.Rank {
			if view.size[d] > math.MaxInt32 {
				return nil, fault.New(fault.ErrLimit, k.Name, "size %d of dimension %d is beyond 2^31-1", view.size[d], d).For(v.Name)
			}
		}
		lo, hi := l.Bounds()
		if lo <= hi && (lo < 0 || int64(hi) >= sizes[at]/int64(v.Elem.Size())) {
			return nil, fault.New(fault.ErrShape, k.Name, "layout %v of %v reaches elements %d to %d, its buffer has %d bytes",
				l, v.Elem, lo, hi, sizes[at]).For(v.Name)
		}
	}
	return views, nil
}

// worker runs one program after the other on registers of its own.
type worker struct {
	*launch
	f  [][]float32
	i  [][]int32
	u  [][]uint32
	l  [][]int64
	ul [][]uint64
	b  [][]bool
	id [3]int // of the program that runs

	sums []float64 // scratch of reductions
	gemm []float32 // scratch of dot
	stop bool      // the While at hand ends
	exit bool      // the program ends
	err  error
}

// fail notes the first error; the worker stops after the program that runs.
func (w *worker) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (p *Program) worker(l *launch) *worker {
	w, _ := p.workers.Get().(*worker)
	if w == nil {
		w = &worker{}
		for class, lengths := range p.code.lengths {
			banks[class].alloc(w, lengths)
		}
	}
	w.launch, w.err = l, nil
	return w
}

// spread runs all programs on as many workers as there are cores. Each takes
// the next chunk of the linear index until none is left.
func (p *Program) spread(l *launch, total int64) error {
	n := int(min(int64(runtime.GOMAXPROCS(0)), total))
	if l.shadow != nil {
		n = 1
	}
	chunk := max(1, total/int64(n*8))
	var next atomic.Int64
	errs := make([]error, n)
	work := func(i int) {
		w := p.worker(l)
		for w.err == nil {
			lo := next.Add(chunk) - chunk
			if lo >= total {
				break
			}
			w.run(p.code.steps, lo, min(lo+chunk, total))
		}
		if errs[i] = w.err; w.err != nil {
			next.Store(total) // the others stop, too
		}
		w.launch = nil // keeps no buffer alive
		p.workers.Put(w)
	}
	var group sync.WaitGroup
	for i := 1; i < n; i++ {
		group.Go(func() { work(i) })
	}
	work(0)
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// run executes the programs from lo to before hi; the first dimension of the grid varies fastest.
func (w *worker) run(steps []step, lo, hi int64) {
	x, y := int64(w.grid[0]), int64(w.grid[1])
	for n := lo; n < hi && w.err == nil; n++ {
		w.id = [3]int{int(n % x), int(n / x % y), int(n / x / y)}
		for _, s := range steps {
			if s(w); w.exit {
				w.exit = false
				break
			}
		}
	}
}
