package interp

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
)

// Problem is a kind of finding.
type Problem string

// The problems that Check looks for.
const (
	Uninitialized Problem = "uninitialized" // an element is read that nothing wrote
	Race          Problem = "race"          // two programs touch an element, one writes, not both by atomic ops, and no atomic ops order them
	OutOfBounds   Problem = "out of bounds" // a point, of no block, that its mask does not leave out is outside of the view
	NaN           Problem = "nan"           // a NaN is loaded, or made from numbers
	Unwritten     Problem = "unwritten"     // the launch is over, and no program wrote an element of a view that is declared by Out
)

// Finding is what Check found.
type Finding struct {
	Problem Problem
	Pos     tile.Pos  // of the op, or of the view that is Unwritten
	Op      tile.Kind // tile.Invalid for Unwritten, which no op does
	View    string    // whose elements the op touches, or that is Unwritten
	Program [3]int    // that runs the op
	Text    string
}

// Error says everything.
func (f Finding) Error() string { return f.fault().Error() }

// fault is the error that a launch ends with.
func (f Finding) fault() error {
	if f.Op == tile.Invalid {
		return fault.New(fault.ErrKernel, "view "+f.View, "%s: %s", f.Problem, f.Text).At(f.Pos.String())
	}
	return fault.New(fault.ErrKernel, f.Op.String(), "%s: %s in program %v", f.Problem, f.Text, f.Program).At(f.Pos.String())
}

// shadow is what Check knows of one launch.
type shadow struct {
	options  *Options
	buffers  []int // of the views
	elements []map[int]*history
	fresh    []bool // by buffer: its contents before the launch count as unwritten
	reported map[reportKey]bool
	orders   orders
}

type reportKey struct {
	problem Problem
	op      *tile.Op
}

// history says which programs touched an element: up to two of each kind, since two
// are enough for a third to be another. A visit takes the place of one that comes before it.
type history struct {
	written                  bool
	readers, writers, atomic [2]visit
}

type visit struct {
	program  int64 // from 1; 0 for none
	op       *tile.Op
	releases int64 // how often the program had released
}

func newShadow(o *Options, buffers []int) *shadow {
	s := &shadow{options: o, buffers: buffers, reported: map[reportKey]bool{}}
	for range slices.Max(append(buffers, -1)) + 1 {
		s.elements = append(s.elements, map[int]*history{})
	}
	s.fresh = make([]bool, len(s.elements))
	for _, i := range o.Uninitialized {
		if i >= 0 && i < len(s.fresh) {
			s.fresh[i] = true
		}
	}
	return s
}

// find reports a problem, once for each op.
func (w *worker) find(p Problem, op *tile.Op, format string, args ...any) {
	s := w.shadow
	if key := (reportKey{p, op}); s.reported[key] {
		return
	} else {
		s.reported[key] = true
	}
	f := Finding{Problem: p, Pos: op.Pos, Op: op.Kind, Program: w.id, Text: fmt.Sprintf(format, args...)}
	if op.View != nil {
		f.View = op.View.Name
	}
	if err := s.report(f); err != nil {
		w.fail(err)
	}
}

// report tells Options.Report of a finding, or returns it as an error.
func (s *shadow) report(f Finding) error {
	if s.options.Report == nil {
		return f.fault()
	}
	s.options.Report(f)
	return nil
}

// touch notes an access to the element at a position of a view's buffer.
func (w *worker) touch(op *tile.Op, at int) {
	s := w.shadow
	buffer := s.buffers[op.View.Index]
	h := s.elements[buffer][at]
	if h == nil {
		h = &history{}
		s.elements[buffer][at] = h
	}
	me := visit{program: w.number(), op: op}
	me.releases = s.orders.releases(me.program)
	reads := op.Kind == tile.OpLoad || op.Kind == tile.OpGather || op.Kind == tile.OpAtomic
	if reads && s.fresh[buffer] && !h.written {
		w.find(Uninitialized, op, "%s, element %d of the buffer, was not written", op.View.Name, at)
	}
	mine, others := &h.readers, [][2]visit{h.writers, h.atomic}
	switch op.Kind {
	case tile.OpStore, tile.OpScatter:
		mine, others = &h.writers, [][2]visit{h.readers, h.writers, h.atomic}
	case tile.OpAtomic:
		mine, others = &h.atomic, [][2]visit{h.readers, h.writers}
	}
	for _, visits := range others {
		for _, v := range visits {
			if v.program != 0 && v.program != me.program && !s.orders.before(v, me.program) {
				n := v.program - 1
				x, y := int64(w.grid[0]), int64(w.grid[1])
				w.find(Race, op, "%s, element %d of the buffer, is also touched by program %v, %v at %v",
					op.View.Name, at, []int64{n % x, n / x % y, n / x / y}, v.op.Kind, v.op.Pos)
			}
		}
	}
	h.written = h.written || op.Kind != tile.OpLoad && op.Kind != tile.OpGather
	for i := range mine {
		if mine[i].program == 0 || mine[i].program == me.program || s.orders.before(mine[i], me.program) {
			mine[i] = me
			break
		}
	}
	if op.Kind == tile.OpAtomic {
		s.orders.note(me.program, op.Order, location{buffer, at})
	}
}

// number counts the program that runs, from 1.
func (w *worker) number() int64 {
	return 1 + int64(w.id[0]) + int64(w.grid[0])*(int64(w.id[1])+int64(w.grid[1])*int64(w.id[2]))
}

// wrote notes that the launch itself wrote the element at a position of a buffer.
func (s *shadow) wrote(buffer, at int) { s.elements[buffer][at] = &history{written: true} }

// checked wraps an op's step with the checks of Options.Check.
func (c *compiler) checked(op *tile.Op, args []reg, s step) step {
	switch op.Kind {
	case tile.OpLoad, tile.OpStore:
		coords, shape := op.Args, []int(nil)
		if op.Kind == tile.OpStore {
			coords, shape = op.Args[1:], op.Args[0].Type().Shape
			args = args[1:]
		} else {
			shape = op.Result().Type().Shape
		}
		regs := make([]int, len(coords))
		for i := range coords {
			regs[i] = args[i].index
		}
		s = then(func(w *worker) { w.touchBlock(op, shape, regs) }, s)
	case tile.OpGather, tile.OpScatter, tile.OpAtomic:
		at, n := c.pointsOf(op), op.Args[len(op.Args)-1].Type().Len()
		s = then(func(w *worker) { w.touchPoints(op, &at, n) }, s)
	}
	r := op.Result()
	if r == nil || op.Body != nil || !r.Type().Elem.IsFloat() {
		return s
	}
	dst, inner := c.where[r], s
	return func(w *worker) {
		before := false
		for _, a := range args {
			before = before || w.firstNaN(a) >= 0
		}
		inner(w)
		if i := w.firstNaN(dst); i >= 0 && !before {
			w.find(NaN, op, "%v at %v", r, unravel(r.Type().Shape, i))
		}
	}
}

// firstNaN is the first NaN of a register, -1 if there is none.
func (w *worker) firstNaN(r reg) int {
	switch r.class {
	case floats:
		return slices.IndexFunc(w.f[r.index], func(x float32) bool { return x != x })
	case doubles:
		return slices.IndexFunc(w.d[r.index], func(x float64) bool { return x != x })
	}
	return -1
}

func (w *worker) touchBlock(op *tile.Op, shape, coords []int) {
	win, inside := w.window(&w.views[op.View.Index], shape, coords, op.ByElement)
	if !inside {
		return
	}
	last := win.rank - 1
	win.rows(func(mem, _ int) {
		for i := range win.n[last] {
			w.touch(op, mem+i*win.mem[last])
		}
	})
}

func (w *worker) touchPoints(op *tile.Op, at *points, n int) {
	at.runs(w, n, func(first, m, n int) {
		for i := first; i < first+n; i++ {
			switch {
			case m >= 0:
				w.touch(op, m+i-first)
			case !op.OfBlock && (!at.masked || w.b[at.mask.register][i]): // what is checked has a number for each point
				index := make([]int32, len(at.indices))
				for d, s := range at.indices {
					index[d] = w.i[s.register][i]
				}
				w.find(OutOfBounds, op, "point %v of %s, which has size %v", index, op.View.Name, w.views[at.view].size[:len(index)])
			}
		}
	})
}
