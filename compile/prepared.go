package compile

import (
	"encoding/binary"
	"runtime"
	"slices"
	"sync"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Prepared is a kernel made ready for arguments of certain layouts: checked, compiled, with its grid and its
// words worked out. It may be launched on any buffers that are large enough and are shared among the
// arguments as those were that it was prepared for. Its methods may be called from many goroutines.
type Prepared struct {
	kernel   *tile.Func
	clears   []clearing
	entry    *entry // nil if the grid holds no program
	grid     [3]int
	words    []uint32         // of the program, with the scalars that it was prepared with
	patches  []patch          // which of them are scalars
	maps     []backend.Region // of the program's tensor maps
	bindings []int            // the argument whose buffer each binding is
	ranges   []backend.Range  // what each binding reaches
	reach    []int64          // the bytes that each argument's buffer has at least
	shaped   []uint32         // the scalars, if the grid depends on them
	watched  *watched         // nil without a watcher
}

// clearing is the launch that clears an argument's view before the kernel's own.
type clearing struct {
	arg   int
	zeros *Prepared
}

// patch says that a word is a scalar.
type patch struct{ word, scalar int }

// Queue is what launches are handed to: a stream, or what stands for one.
type Queue interface {
	// Launch keeps neither of the launch's slices.
	Launch(p backend.Program, l backend.Launch) error
}

// Launch runs a kernel on arguments, one for each of its views in order, and
// scalar parameters as 32-bit words. It returns once the launch is queued. The
// grid is what the kernel declares; a grid without programs is nothing to do. Views
// that the kernel needs cleared are cleared before, by separate launches.
//
// A launch like one before allocates nothing.
func (c *Compiler) Launch(k *tile.Func, args []Arg, scalars []uint32) error {
	if err := c.usable(k); err != nil {
		return err
	}
	p := c.Find(k, args, scalars)
	if p == nil {
		var err error
		if p, err = c.Prepare(k, args, scalars); err != nil {
			return err
		}
	}
	s := newScratch()
	defer s.done()
	for _, a := range args {
		s.args = append(s.args, a.Buffer)
	}
	return p.Launch(c.dev.Stream(), s.args, scalars)
}

// Find is a kernel that was prepared for arguments like these, whose buffers it checks to be large enough; nil if there is none.
func (c *Compiler) Find(k *tile.Func, args []Arg, scalars []uint32) *Prepared {
	if c.usable(k) != nil || len(args) != len(k.Views) || len(scalars) != len(k.Scalars) {
		return nil
	}
	s := newScratch()
	defer s.done()
	s.key = appendKey(s.key, k, args)
	p, _ := c.prepared.Get(s.key)
	if p == nil || p.shaped != nil && !slices.Equal(p.shaped, scalars) {
		return nil
	}
	for i, a := range args {
		if a.Buffer == nil || a.Buffer.Bytes() < p.reach[i] {
			return nil
		}
	}
	return p
}

// appendKey appends what a Prepared depends on: the kernel, the layouts and which arguments share a buffer.
func appendKey(key []byte, k *tile.Func, args []Arg) []byte {
	hash := k.Hash()
	key = append(key, hash[:]...)
	for i, a := range args {
		first := i
		for j := range i {
			if args[j].Buffer == a.Buffer {
				first = j
				break
			}
		}
		key = append(binary.AppendUvarint(key, uint64(first)), byte(a.Elem))
		key = a.Layout.AppendKey(key)
	}
	return key
}

// Prepare checks arguments and scalars, and makes the kernel ready for them.
//
// Errors: ErrShape and ErrArgument if they do not fit the kernel's views, ErrUnsupported for buffers shared in a way that
// it does not allow, ErrLimit for a grid beyond the device, ErrClosed, and what lowering and the device's compiler say.
func (c *Compiler) Prepare(k *tile.Func, args []Arg, scalars []uint32) (*Prepared, error) {
	p, err := c.Begin(k, args, scalars)
	if err == nil {
		err = p.wait()
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Begin is Prepare that does not wait for the device's compiler, which works meanwhile, on several kernels at once. The first launch waits for it, and
// returns its error.
func (c *Compiler) Begin(k *tile.Func, args []Arg, scalars []uint32) (*Prepared, error) {
	if err := c.usable(k); err != nil {
		return nil, err
	}
	facts, err := FactsOf(k, args)
	if err != nil {
		return nil, err
	}
	if len(scalars) != len(k.Scalars) {
		return nil, fault.New(fault.ErrArgument, k.Name, "%s given, the kernel has %d", fault.Count(len(scalars), "scalar"), len(k.Scalars))
	}
	p := &Prepared{kernel: k, reach: make([]int64, len(args))}
	sizes, layouts := make([][]int, len(args)), make([]layout.Layout, len(args))
	for i, a := range args {
		sizes[i], layouts[i] = a.Layout.Shape(), a.Layout
		if lo, hi := a.Layout.Bounds(); lo <= hi {
			p.reach[i] = (int64(hi) + 1) * int64(a.Elem.Size())
		}
	}
	words, err := k.Words(layouts, scalars)
	if err != nil {
		return nil, err
	}
	grid, err := k.GridAt(sizes, scalars)
	if err != nil {
		return nil, err
	}
	if k.GridReadsScalars() {
		p.shaped = slices.Clone(scalars)
	}
	if grid[0] > 0 && grid[1] > 0 && grid[2] > 0 {
		if err := c.bind(p, facts, grid, words, args); err != nil {
			return nil, err
		}
	}
	c.prepared.Put(appendKey(nil, k, args), p)
	return p, nil
}

// Compiled reports whether a launch would not wait for the device's compiler.
func (p *Prepared) Compiled() bool {
	if p == nil || p.entry == nil {
		return true
	}
	for _, clear := range p.clears {
		if !clear.zeros.Compiled() {
			return false
		}
	}
	return p.entry.isLoaded()
}

// wait waits for the device's compiler.
func (p *Prepared) wait() error {
	if p.entry == nil {
		return nil
	}
	for _, clear := range p.clears {
		if err := clear.zeros.wait(); err != nil {
			return err
		}
	}
	return p.entry.wait()
}

// GridReadsScalars reports whether the grid depends on the scalars, which then must be those that the kernel was prepared with.
func (p *Prepared) GridReadsScalars() bool { return p != nil && p.shaped != nil }

// Writes reports whether the kernel writes an argument.
func (p *Prepared) Writes(arg int) bool {
	return p != nil && p.kernel != nil && p.kernel.Views[arg].Access&tile.Out != 0
}

// bind begins to compile the kernel for a grid that is not empty, and the kernels that clear its views.
func (c *Compiler) bind(p *Prepared, facts Facts, grid [3]int, words []uint32, args []Arg) (err error) {
	k := p.kernel
	if p.grid, facts.Folded, err = fold(k.Name, grid, c.dev.Caps().MaxGrid); err != nil {
		return err.(*fault.Error).At(k.GridPos(grid).String())
	}
	p.ranges, facts.DeviceAddresses = c.reaches(args)
	e, err := c.entry(k, facts)
	if err != nil {
		return err
	}
	if p.clears, err = c.clears(k, args); err != nil {
		return err
	}
	p.entry = e
	p.maps = e.artifact.regions(k, words)
	words = append(words, uint32(grid[0]), uint32(grid[1]), uint32(grid[2]), uint32(p.grid[0]))
	rebase(k, p.ranges, words, args)
	firstScalar := k.WordCount() - len(k.Scalars)
	for i, w := range e.artifact.words {
		p.words = append(p.words, words[w])
		if w >= firstScalar && w < k.WordCount() {
			p.patches = append(p.patches, patch{word: i, scalar: w - firstScalar})
		}
	}
	if w, ok := c.dev.(Watcher); ok {
		p.watched = &watched{w, Launched{Kernel: k, Facts: facts, Artifact: e.artifact, Args: slices.Clone(args), Programs: grid}}
	}
	_, index := distinct(args)
	for i, at := range index {
		if at == len(p.bindings) {
			p.bindings = append(p.bindings, i)
		}
	}
	return nil
}

// clears prepares the launches that set the views that a kernel's programs add to to zero. The
// interpreter does so itself.
func (c *Compiler) clears(k *tile.Func, args []Arg) (list []clearing, err error) {
	for i, v := range k.Views {
		if !v.Cleared || c.dev.Caps().Language == target.TileIR {
			continue
		}
		out := args[i]
		out.Layout = layout.CoalesceTogether(out.Layout)[0]
		kernel, err := zeros(zerosConfigFor(v.Elem, out.Layout))
		if err != nil {
			return nil, err
		}
		zeros := c.Find(kernel, []Arg{out}, nil)
		if zeros == nil {
			if zeros, err = c.Begin(kernel, []Arg{out}, nil); err != nil {
				return nil, err
			}
		}
		list = append(list, clearing{i, zeros})
	}
	return list, nil
}

// Launch hands the kernel to a queue, with the buffers of the arguments and the scalars. What clears views goes before it. It allocates nothing.
// A queue that keeps the program to launch it later must keep p: the program is closed when no Prepared refers to it.
//
// Errors: ErrArgument for a number of buffers or scalars, ErrShape for a buffer that is too small, ErrUnsupported for scalars
// that change the grid, what the device's compiler says after Begin, and what the queue says.
func (p *Prepared) Launch(to Queue, args []backend.Buffer, scalars []uint32) error {
	switch {
	case p == nil || p.kernel == nil:
		return errNil("prepared kernel")
	case to == nil:
		return errNil("queue")
	}
	if err := p.check(args, scalars); err != nil || p.entry == nil {
		return err
	}
	if err := p.wait(); err != nil {
		return err
	}
	s := newScratch()
	defer s.done()
	for _, clear := range p.clears {
		s.buffers = append(s.buffers[:0], args[clear.arg])
		if err := clear.zeros.Launch(to, s.buffers, nil); err != nil {
			return err
		}
	}
	s.buffers = s.buffers[:0]
	for _, at := range p.bindings {
		s.buffers = append(s.buffers, args[at])
	}
	s.words = append(s.words, p.words...)
	for _, w := range p.patches {
		s.words[w.word] = scalars[w.scalar]
	}
	if p.watched != nil {
		p.watched.tell(args, scalars)
	}
	err := to.Launch(p.entry.owner().program, backend.Launch{Grid: p.grid, Buffers: s.buffers, Ranges: p.ranges, Maps: p.maps, Words: s.words})
	runtime.KeepAlive(p.entry) // until here the program must not be closed
	return err
}

func (p *Prepared) check(args []backend.Buffer, scalars []uint32) error {
	k := p.kernel
	if len(args) != len(k.Views) || len(scalars) != len(k.Scalars) {
		return fault.New(fault.ErrArgument, k.Name, "%s and %s given, the kernel has %s and %s",
			fault.Count(len(args), "tensor"), fault.Count(len(scalars), "scalar"), fault.Count(len(k.Views), "view"), fault.Count(len(k.Scalars), "scalar"))
	}
	if p.shaped != nil && !slices.Equal(p.shaped, scalars) {
		return fault.New(fault.ErrUnsupported, k.Name, "the grid depends on the scalars, which are not those that the kernel was prepared for")
	}
	for i, b := range args {
		if b == nil || b.Bytes() < p.reach[i] {
			return fault.New(fault.ErrShape, k.Name, "the buffer is smaller than the %d bytes that the kernel was prepared for", p.reach[i]).For(k.Views[i].Name)
		}
	}
	return nil
}

// scratch is what a launch needs for as long as it takes.
type scratch struct {
	key     []byte
	args    []backend.Buffer // of the arguments
	buffers []backend.Buffer // of the bindings
	words   []uint32
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func newScratch() *scratch { return scratches.Get().(*scratch) }

// done gives the scratch back, without what it refers to.
func (s *scratch) done() {
	clear(s.args)
	clear(s.buffers)
	s.key, s.args, s.buffers, s.words = s.key[:0], s.args[:0], s.buffers[:0], s.words[:0]
	scratches.Put(s)
}
