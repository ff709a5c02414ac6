package interp

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
)

// Options are aids for finding errors in kernels. The zero value runs a kernel as it is.
type Options struct {
	// Native lets ops on the elements of tiles run as machine code, where there is some for the processor, instead of in Go: see Program. Check runs all
	// of a kernel in Go.
	Native bool
	// Print is where Print ops write; nil is os.Stderr.
	Print io.Writer
	// Break is called at breakpoints, by one program at a time.
	Break func(Frame)
	// InOrder runs the programs one after the other, in the order of their numbers, so
	// that what they print and where they end is the same in every launch.
	InOrder bool
	// Check looks for what is wrong though it computes something: see Finding. The
	// programs then run in order, and slowly.
	Check bool
	// Uninitialized lists the buffers whose contents count as unwritten before the launch.
	Uninitialized []int
	// Report gets what Check finds, once for each kind and line. If it is nil, the first
	// finding ends the launch with fault.ErrKernel.
	Report func(Finding)
}

// Frame is what a breakpoint shows.
type Frame struct {
	Pos     tile.Pos
	Program [3]int
	Values  []Value
}

// Value is what a value of a kernel holds.
type Value struct {
	ID   int // of the tile.Value
	Type tile.Type
	Data []float64 // in row-major order; 64-bit integers rounded
}

// String prints "f32[2,2] [[1 2] [3 4]]". Of large tiles the first elements are shown.
func (v Value) String() string {
	var b strings.Builder
	b.WriteString(v.Type.String() + " ")
	v.write(&b, v.Type.Shape, 0)
	return b.String()
}

// shown is how many elements of a dimension are printed.
const shown = 16

func (v Value) write(b *strings.Builder, shape []int, at int) {
	if len(shape) == 0 {
		fmt.Fprint(b, v.Data[at])
		return
	}
	step := tile.Type{Shape: shape[1:]}.Len()
	b.WriteByte('[')
	for i := range min(shape[0], shown) {
		if i > 0 {
			b.WriteByte(' ')
		}
		v.write(b, shape[1:], at+i*step)
	}
	if shape[0] > shown {
		b.WriteString(" …")
	}
	b.WriteByte(']')
}

// console keeps the programs' lines and breakpoints apart.
var console sync.Mutex

// look reads a register.
func (w *worker) look(r reg, v *tile.Value) Value {
	out := Value{ID: v.ID(), Type: v.Type(), Data: make([]float64, v.Type().Len())}
	for i := range out.Data {
		switch r.class {
		case floats:
			out.Data[i] = float64(w.f[r.index][i])
		case doubles:
			out.Data[i] = w.d[r.index][i]
		case ints:
			out.Data[i] = float64(w.i[r.index][i])
		case words:
			out.Data[i] = float64(w.u[r.index][i])
		case longs:
			out.Data[i] = float64(w.l[r.index][i])
		case longWords:
			out.Data[i] = float64(w.ul[r.index][i])
		default:
			if w.b[r.index][i] {
				out.Data[i] = 1
			}
		}
	}
	return out
}

// debug compiles an aid.
func (c *compiler) debug(op *tile.Op) step {
	regs := make([]reg, len(op.Args))
	for i, a := range op.Args {
		regs[i] = c.where[a]
	}
	o, pos := c.options, op.Pos
	switch op.Kind {
	case tile.OpAssert:
		return func(w *worker) { w.assert(op, regs) }
	case tile.OpPrint:
		to := o.Print
		if to == nil {
			to = os.Stderr
		}
		return func(w *worker) {
			for _, r := range regs[1:] {
				if !w.b[r.index][0] {
					return
				}
			}
			console.Lock()
			defer console.Unlock()
			fmt.Fprintf(to, "%v: program %v: %s = %v\n", pos, w.id, op.Text, w.look(regs[0], op.Args[0]))
		}
	}
	if o.Break == nil {
		return func(*worker) {}
	}
	return func(w *worker) {
		f := Frame{Pos: pos, Program: w.id}
		for i, r := range regs {
			f.Values = append(f.Values, w.look(r, op.Args[i]))
		}
		console.Lock()
		defer console.Unlock()
		o.Break(f)
	}
}

// assert fails at the first element for which the condition does not hold.
func (w *worker) assert(op *tile.Op, regs []reg) {
	for i, ok := range w.b[regs[0].index] {
		if ok {
			continue
		}
		text := op.Text
		for j, r := range regs[1:] {
			v := w.look(r, op.Args[1+j])
			if len(v.Data) == len(w.b[regs[0].index]) {
				v = Value{Type: tile.ScalarOf(v.Type.Elem), Data: v.Data[i : i+1]}
			}
			text += fmt.Sprintf(", %v", v)
		}
		if shape := op.Args[0].Type().Shape; len(shape) > 0 {
			text += fmt.Sprintf(" at %v", unravel(shape, i))
		}
		w.fail(fault.New(fault.ErrKernel, "assert", "%s in program %v", text, w.id).At(op.Pos.String()))
		return
	}
}

// unravel is the coordinates of element i of a shape in row-major order.
func unravel(shape []int, i int) []int {
	at := make([]int, len(shape))
	for d := len(shape) - 1; d >= 0; d-- {
		at[d], i = i%shape[d], i/shape[d]
	}
	return at
}
