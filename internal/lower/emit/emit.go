package emit

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/assign"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/codes"
	"github.com/weftgpu/weft/internal/lower/tilepass"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Emitted is a kernel in thread-level IR, before its passes.
type Emitted struct {
	Kernel *simt.Func
	// Notes are the choices made, one a line.
	Notes    []string
	Tables   int  // bytes of tables of pairs in shared memory
	Distinct bool // no two stores go to one element
	Padded   bool // operands have elements between rows
	Together bool // runs of a scan exchange their totals together, and take more than half of the shared memory
}

// Emit translates a kernel after its passes over tile IR to thread-level IR, by an assignment. dense says that the rows of
// operands in shared memory have no elements between them, as they have none where those surely do not fit, and that scans take half of that memory; tabled that pairs of numbers of code books
// may be looked up in shared memory.
func Emit(passed *tilepass.Kernel, a *assign.Assignment, dense, tabled bool) (*Emitted, error) {
	l := start(passed, a)
	l.tabled = tabled && passed.Func.Schedule.Producers == 0
	l.inParts = dense
	if l.dense = dense; !dense && l.crowded(passed.Func.Body) {
		l.dense, l.placed = true, nil
	}
	return l.emit()
}

// start is an emitter that has declared what a kernel takes.
func start(passed *tilepass.Kernel, a *assign.Assignment) *emitter {
	l := newEmitter(passed.Func, passed.Facts, passed.Caps, passed.Threads, a)
	l.axes, l.told, l.notes = passed.Axes, passed.Told, slices.Clone(passed.Notes)
	l.declare()
	return l
}

// emit lowers the body.
func (l *emitter) emit() (*Emitted, error) {
	k := l.kernel
	l.region(k.Body)
	if l.err != nil {
		return nil, l.err
	}
	l.fillPairTables()
	if l.storesTensors { // which read shared memory, that lasts as long as the kernel
		l.b.Do(&simt.Op{Kind: simt.StoreWait})
	}
	l.noteRegisters()
	l.b.Func.Cluster = l.clusterOf()
	l.b.Func.Resident = k.Schedule.Resident
	return &Emitted{Kernel: l.b.Func, Tables: len(l.pairTables) * pairTableBytes, Notes: l.notes, Distinct: l.assigned.Costs.AllUnaliased(), Padded: l.padded, Together: l.together}, nil
}

// emitter holds the state of one kernel's lowering.
type emitter struct {
	kernel        *tile.Func
	facts         axis.Facts
	caps          target.Caps
	threads       int
	assigned      *assign.Assignment
	b             *simt.Builder
	buffers       []*simt.Buffer // by buffer index
	scalars       map[*tile.Value]*simt.Value
	tiles         map[*tile.Value]regs         // in the distributions in which they are made
	copies        map[*tile.Value][]regs       // in others
	invariants    map[*tile.Value]stagedMatrix // left operands that loops leave as they are, in the body at hand
	uses          map[*tile.Value][]*tile.Op
	needed        map[*tile.Op]bool
	exchanges     map[string]layout.Exchange
	placed        []staged         // of operands of products so far
	sets          int              // sets of stores so far: see newSet
	aliases       map[string]int   // alias classes of buffers so far
	disjoint      map[*tile.Op]int // disjoint write sets of buffers so far, by their first store
	thread        *simt.Value      // this thread's number
	grid          [3]*simt.Value   // this program's coordinates
	op            *tile.Op         // being lowered
	storesTensors bool             // tensor maps do
	mapped, dots  int              // arrays that tensor maps fill, and products, so far

	arrived          *simt.Shared            // barrier of copies by tensor maps, nil if there are none
	promised         promises                // by hints, here
	integers         map[*simt.Value]integer // what integerFloats has made
	tables           codes.Tables            // of functions of 4 bits and of bytes
	tabled           bool                    // pairs of them may be in shared memory
	pairTables       []pairTable             // that are
	ofBytes          map[*simt.Shared]bool   // arrays of floats that are all integers of 8 bits, see isByte
	axes             func() *axis.Analysis
	dense, inParts   bool                // see Emit, and exchangedRuns
	padded, together bool                // see Emitted
	told             map[*tile.Op]string // of accesses, by passes over tile IR
	notes            []string
	err              error
}

func newEmitter(k *tile.Func, facts axis.Facts, caps target.Caps, threads int, a *assign.Assignment) *emitter {
	caps.SubgroupSize = caps.Subgroup(threads)
	l := &emitter{
		kernel: k, facts: facts, caps: caps, threads: threads, assigned: a,
		b:          simt.NewBuilder(k.Name, threads),
		scalars:    map[*tile.Value]*simt.Value{},
		tiles:      map[*tile.Value]regs{},
		copies:     map[*tile.Value][]regs{},
		invariants: map[*tile.Value]stagedMatrix{},
		uses:       map[*tile.Value][]*tile.Op{},
		exchanges:  map[string]layout.Exchange{},
		ofBytes:    map[*simt.Shared]bool{},
		aliases:    map[string]int{},
		disjoint:   map[*tile.Op]int{},
		tables:     codes.Tables{Bytes: true},
		promised:   noPromises(),
	}
	l.needed = tilepass.Needed(k)
	l.collectUses(k.Body)
	return l
}

func (l *emitter) collectUses(r *tile.Region) {
	for _, op := range r.Ops {
		if !l.needed[op] {
			continue
		}
		for _, a := range op.Args {
			l.uses[a] = append(l.uses[a], op)
		}
		for _, body := range op.Regions() {
			l.collectUses(body)
		}
	}
}

// fail keeps the first error, with the line of the op at hand.
func (l *emitter) fail(kind error, format string, args ...any) {
	if l.err == nil {
		l.err = fault.New(kind, l.op.Kind.String(), format, args...).At(l.op.Pos.String())
	}
}

// newSet numbers a set of stores: a disjoint write set, or unordered accesses to a buffer.
func (l *emitter) newSet() int { l.sets++; return l.sets }

// alias is the alias class of the accesses to blocks of a view: those of one shape and one
// distribution reach each element by one thread, wherever the blocks are. Loads have none where
// several threads load copies of an element; one of those threads alone stores.
func (l *emitter) alias(op *tile.Op, shape []int, dist layout.Linear) int {
	if op.Kind == tile.OpLoad && dist.FreeBits(layout.Thread) != 0 {
		return 0
	}
	return l.aliasOf(fmt.Sprint(op.View.Index, shape, dist))
}

func (l *emitter) aliasOf(key string) int {
	if l.aliases[key] == 0 {
		l.aliases[key] = len(l.aliases) + 1
	}
	return l.aliases[key]
}

// note records a choice for readers.
func (l *emitter) note(format string, args ...any) {
	l.notes = append(l.notes, fmt.Sprintf("%s: %v: %s", l.op.Pos, l.op.Kind, fmt.Sprintf(format, args...)))
}

// declare sets up buffers, launch words and the program's coordinates.
func (l *emitter) declare() {
	k := l.b.Func
	for i := range l.facts.Buffers() {
		buf := &simt.Buffer{}
		for j, v := range l.kernel.Views {
			if l.facts.Views[j].Buffer != i {
				continue
			}
			if buf.Name == "" {
				buf.Name, buf.Elem, buf.Streamed = v.Name, v.Elem, true
			}
			buf.Streamed = buf.Streamed && v.Streamed
			buf.Read = buf.Read || v.Access&tile.In != 0
			buf.Write = buf.Write || v.Access&tile.Out != 0
		}
		k.Buffers = append(k.Buffers, buf)
	}
	l.buffers = k.Buffers
	for _, v := range l.kernel.Views {
		k.Words = append(k.Words, simt.Word{Name: v.Name + "_offset", Elem: dtype.I32})
		for d := range v.Rank {
			k.Words = append(k.Words, simt.Word{Name: fmt.Sprintf("%s_size%d", v.Name, d), Elem: dtype.I32, Size: true})
		}
		for d := range v.Rank {
			k.Words = append(k.Words, simt.Word{Name: fmt.Sprintf("%s_stride%d", v.Name, d), Elem: dtype.I32})
		}
	}
	for _, s := range l.kernel.Scalars {
		k.Words = append(k.Words, simt.Word{Name: s.Name, Elem: s.Elem})
	}
	for _, name := range []string{"grid_x", "grid_y", "grid_z", "grid_width"} {
		k.Words = append(k.Words, simt.Word{Name: name, Elem: dtype.I32})
	}
	l.thread = l.b.Emit(&simt.Op{Kind: simt.ThreadID}, simt.Scalar(dtype.I32))
	l.thread.Hint = "thread"
	l.programID()
}

// param reads a launch word.
func (l *emitter) param(word int) *simt.Value {
	return l.b.Emit(&simt.Op{Kind: simt.Param, Word: word}, simt.Scalar(l.b.Func.Words[word].Elem))
}

func (l *emitter) gridSize(axis int) *simt.Value { return l.param(l.kernel.WordCount() + axis) }

func (l *emitter) workgroupID(axis int) *simt.Value {
	return l.b.Emit(&simt.Op{Kind: simt.WorkgroupID, Axis: axis}, simt.Scalar(dtype.I32))
}

// programID finds this program's coordinates in the grid. A folded grid is a
// rectangle of workgroups, read row by row; those beyond the last program exit.
func (l *emitter) programID() {
	if !l.facts.Folded {
		for axis := range l.grid {
			l.grid[axis] = l.workgroupID(axis)
			l.grid[axis].Suggest("program")
		}
		return
	}
	width := l.param(l.kernel.WordCount() + 3)
	linear := l.b.Binary(simt.Add, l.b.Binary(simt.Mul, l.workgroupID(1), width), l.workgroupID(0))
	linear.Suggest("program")
	last := 0
	for axis := range l.grid {
		if l.kernel.Grid[axis] != nil {
			last = axis
		}
	}
	rest, total := linear, l.b.Int(1)
	for axis := range l.grid {
		switch {
		case axis < last: // sizes are positive, since the grid is not empty
			size := l.gridSize(axis)
			l.grid[axis] = l.b.Binary(simt.Rem, rest, size)
			rest = l.b.Binary(simt.Div, rest, size)
			total = l.b.Binary(simt.Mul, total, size)
		case axis == last:
			l.grid[axis] = rest
			total = l.b.Binary(simt.Mul, total, l.gridSize(axis))
		default:
			l.grid[axis] = l.b.Int(0)
		}
	}
	l.b.Do(&simt.Op{Kind: simt.Exit, Args: []*simt.Value{l.b.Binary(simt.Ge, linear, total)}})
}
