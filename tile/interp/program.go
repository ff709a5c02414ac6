package interp

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp/internal/gemm"
)

// Program is what the cpu backend launches: a kernel and, for each of its
// views, the index of its buffer; views may share one. It compiles itself on
// first use, may run many times and by many goroutines, and must not be copied.
type Program struct {
	Kernel  *tile.Func
	Buffers []int
	Options Options // set before the first use

	once sync.Once
	code *code
	err  error

	far     sync.Once
	farCode *code // for buffers beyond the reach of the code's gathers

	pace atomic.Int64 // nanoseconds of a program, as the last launch had them; 0 before
}

// Compile prepares the program; Check and Run do it on first use. Its error is
// that of tile.Verify, or fault.ErrKernel.
func (p *Program) Compile() error {
	p.once.Do(func() {
		if p.Kernel == nil || len(p.Buffers) != len(p.Kernel.Views) {
			p.err = fault.New(fault.ErrKernel, "interp", "the program needs a kernel and the index of a buffer for each of its views")
			return
		}
		p.code, p.err = compile(p.Kernel, &p.Options)
	})
	return p.err
}

// reach is how many elements a buffer may have of which machine code gathers; a variable for tests.
var reach = math.MaxInt32

// codeFor is the code for buffers as the views of a launch have them.
func (p *Program) codeFor(views []view) *code {
	for _, v := range p.code.gathered {
		if len(views[v].data)/p.Kernel.Views[v].Elem.Size() > reach {
			p.far.Do(func() {
				if p.farCode, _ = compileAs(p.Kernel, &p.Options, inMachineCode); p.farCode == nil {
					p.farCode, _ = compileAs(p.Kernel, &p.Options, copying)
				}
			})
			return p.farCode
		}
	}
	return p.code
}

// Check validates a launch without binding it: sizes are the buffers' lengths
// in bytes, words the launch's words (see tile.Func.Words). A view that
// reaches beyond its buffer, a missing buffer, a wrong number of words or a
// negative grid is fault.ErrShape.
func (p *Program) Check(grid [3]int, sizes []int64, words []uint32) error {
	if err := p.Compile(); err != nil {
		return err
	}
	if _, err := p.programs(grid); err != nil {
		return err
	}
	_, err := p.decode(nil, words, func(i int) (int64, bool) {
		if i < 0 || i >= len(sizes) {
			return 0, false
		}
		return sizes[i], true
	})
	return err
}

// Run executes the grid's programs and returns when all are done: Bind and Run of a Launch.
func (p *Program) Run(grid [3]int, buffers [][]byte, words []uint32) error {
	var l Launch
	if err := p.Bind(&l, grid, buffers, words); err != nil {
		return err
	}
	return l.Run()
}

// Launch is one launch of a program, checked and ready to run. It may run many times, one after the other, and be bound
// again, for which it keeps its memory.
type Launch struct {
	Stop *Stop // that may end it; set before Run

	program *Program
	code    *code
	grid    [3]int
	views   []view
	args    []uint32
	total   int64 // programs

	shadow       *shadow      // of Options.Check, else nil
	shares       shares       // of the programs
	participants participants // who runs them
	failed       sync.Mutex
	err          error // the first of the workers'
}

// Bind makes a launch ready. buffers hold little-endian elements; words are encoded by tile.Func.Words. The error is
// that of Check.
func (p *Program) Bind(l *Launch, grid [3]int, buffers [][]byte, words []uint32) (err error) {
	if err := p.Compile(); err != nil {
		return err
	}
	if l.total, err = p.programs(grid); err != nil {
		return err
	}
	if l.views, err = p.decode(l.views[:0], words, func(i int) (int64, bool) {
		if i < 0 || i >= len(buffers) {
			return 0, false
		}
		return int64(len(buffers[i])), true
	}); err != nil {
		return err
	}
	for i := range l.views {
		l.views[i].data = buffers[p.Buffers[i]]
	}
	l.program, l.code, l.grid = p, p.codeFor(l.views), grid
	l.args = append(l.args[:0], words[len(words)-len(p.Kernel.Scalars):]...)
	return nil
}

// Run executes the programs and returns when all are done, or when Stop ended them. The error is that of Stop, or fault.ErrKernel for a
// loop whose step turned out not to be positive, for an assertion that does not hold, and for what
// Options.Check finds, with the kernel's line.
func (l *Launch) Run() error {
	p := l.program
	if p == nil {
		return nil
	}
	if p.Options.Check {
		l.shadow = newShadow(&p.Options, p.Buffers)
	}
	if l.total > 0 {
		p.clear(l)
		if err := l.spread(); err != nil {
			return err
		}
	}
	if l.shadow != nil {
		return l.shadow.unwritten(l)
	}
	return nil
}

// Release drops the memory that the launch is bound to.
func (l *Launch) Release() {
	clear(l.views)
	l.program, l.views, l.shadow, l.Stop = nil, l.views[:0], nil, nil
}

// Overwrites reports whether a view that is only written is all of a buffer, and no view reads that.
func (l *Launch) Overwrites(buffer int) (all bool) {
	for i, v := range l.program.Kernel.Views {
		if l.program.Buffers[i] != buffer {
			continue
		}
		if v.Access&tile.In != 0 {
			return false
		}
		w := &l.views[i]
		shape, err := layout.Strided(w.size[:v.Rank], w.stride[:v.Rank], w.offset)
		all = all || err == nil && shape.IsInjective() && int64(shape.Len())*int64(v.Elem.Size()) == int64(len(w.data))
	}
	return all
}

// programs is the number of programs of a grid.
func (p *Program) programs(grid [3]int) (int64, error) {
	total, empty := int64(1), false
	for _, n := range grid {
		empty = empty || n == 0
		if n < 0 {
			return 0, fault.New(fault.ErrShape, p.Kernel.Name, "grid %v has a negative dimension", grid)
		}
		if n > math.MaxInt32 {
			return 0, fault.New(fault.ErrLimit, p.Kernel.Name, "grid %v has a dimension beyond 2^31-1", grid).At(p.Kernel.GridPos(grid).String())
		}
	}
	for _, n := range grid {
		if total *= int64(n); total > math.MaxInt32 && !empty {
			return 0, fault.New(fault.ErrLimit, p.Kernel.Name, "grid %v has more than 2^31-1 programs", grid).At(p.Kernel.GridPos(grid).String())
		}
		total = min(total, math.MaxInt32) // of an empty grid
	}
	return total, nil
}

// view is a view's layout and memory in one launch, in elements.
type view struct {
	data         []byte
	offset       int
	size, stride [5]int
}

// decode decodes the words and checks that each view is within its buffer, whose length in bytes size tells.
func (p *Program) decode(views []view, words []uint32, size func(buffer int) (int64, bool)) ([]view, error) {
	k := p.Kernel
	if len(words) != k.WordCount() {
		return nil, fault.New(fault.ErrArgument, k.Name, "%s given, the kernel has %d", fault.Count(len(words), "word"), k.WordCount())
	}
	for i, v := range k.Views {
		bytes, ok := size(p.Buffers[i])
		if !ok {
			return nil, fault.New(fault.ErrArgument, k.Name, "the program takes buffer %d, which the launch does not have", p.Buffers[i]).For(v.Name)
		}
		w := words[k.ViewWord(v):]
		views = append(views, view{offset: int(w[0])})
		view := &views[len(views)-1]
		for d := range v.Rank {
			view.size[d] = int(w[1+d])
			view.stride[d] = int(int32(w[1+v.Rank+d]))
		}
		if !view.inside(v.Rank, bytes/int64(v.Elem.Size())) {
			if err := view.check(k.Name, v, bytes); err != nil {
				return nil, err
			}
		}
	}
	return views, nil
}

// inside reports whether a view is within that many elements: never if it does not, and
// always for sizes and strides as they are used. See check.
func (w *view) inside(rank int, elements int64) bool {
	lo, hi, count, empty := int64(w.offset), int64(w.offset), int64(1), false
	for d := range rank {
		n := int64(w.size[d])
		if n > math.MaxInt32 || count > math.MaxInt32 {
			return false
		}
		if n == 0 {
			empty = true
			continue
		}
		count *= n
		if extent := (n - 1) * int64(w.stride[d]); extent < 0 { // of 2^62 at most, as is what was added up before
			lo += extent
		} else {
			hi += extent
		}
		if lo < 0 || hi >= elements {
			return false
		}
	}
	return empty || hi < elements
}

// check says why a view is not within its buffer, nil if it is.
func (w *view) check(op string, v *tile.View, bytes int64) error {
	l, err := layout.Strided(w.size[:v.Rank], w.stride[:v.Rank], w.offset)
	if err != nil {
		return fault.New(fault.ErrShape, op, "its layout is not valid").For(v.Name).Because(err)
	}
	for d := range v.Rank {
		if w.size[d] > math.MaxInt32 {
			return fault.New(fault.ErrLimit, op, "size %d of dimension %d is beyond 2^31-1", w.size[d], d).For(v.Name)
		}
	}
	lo, hi := l.Bounds()
	if lo <= hi && (lo < 0 || int64(hi) >= bytes/int64(v.Elem.Size())) {
		return fault.New(fault.ErrShape, op, "layout %v of %v reaches elements %d to %d, its buffer has %d bytes",
			l, v.Elem, lo, hi, bytes).For(v.Name)
	}
	return nil
}

// worker runs one program after the other on registers of its own.
type worker struct {
	*Launch
	f  [][]float32
	d  [][]float64
	i  [][]int32
	u  [][]uint32
	l  [][]int64
	ul [][]uint64
	b  [][]bool
	id [3]int // of the program that runs

	peer *worker // runs the other program of the cluster at hand

	polls uint // of words that others write

	sums      []float64 // scratch of reductions
	products  gemm.Multiplier
	positions [pointsAtOnce]int // scratch of ops on points

	loops []*loopState // of the kernel's nests
	stop  bool         // the While at hand ends
	exit  bool         // the program ends
	err   error
}

// fail notes the first error; the worker stops after the program that runs.
func (w *worker) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (l *Launch) worker() *worker {
	w, _ := l.code.workers.Get().(*worker)
	if w == nil {
		w = &worker{}
		for class, lengths := range l.code.lengths {
			banks[class].alloc(w, lengths)
		}
	}
	w.Launch, w.err = l, nil
	return w
}

// run executes the programs from lo to before hi; the first dimension of the grid varies fastest.
func (w *worker) run(steps []step, lo, hi int64) {
	for n := lo; n < hi && w.goesOn(); n++ {
		w.id = w.programAt(n)
		for _, s := range steps {
			if s(w); w.exit {
				w.exit = false
				break
			}
		}
	}
}

// programAt is a program's place in the grid.
func (w *worker) programAt(n int64) [3]int {
	x, y := int64(w.grid[0]), int64(w.grid[1])
	return [3]int{int(n % x), int(n / x % y), int(n / x / y)}
}
