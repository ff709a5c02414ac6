package kernelgen

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/bounds"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp"
)

// Arg is what a view is at launch: a layout over the elements of a buffer. Views
// that share a buffer have one element type.
type Arg struct {
	Layout layout.Layout
	Buffer int
}

// Case is a kernel with its arguments.
type Case struct {
	Kernel  *tile.Func
	Args    []Arg        // of the views
	Elems   []dtype.Type // of the buffers
	Start   [][]byte     // contents of the buffers
	Scalars []uint32

	allowed [][]bounds.Value
}

// Layouts and Buffers list the layouts and the buffers of the views.
func (c *Case) Layouts() []layout.Layout {
	out := make([]layout.Layout, len(c.Args))
	for i, a := range c.Args {
		out[i] = a.Layout
	}
	return out
}

// Buffers lists the buffers of the views.
func (c *Case) Buffers() []int {
	out := make([]int, len(c.Args))
	for i, a := range c.Args {
		out[i] = a.Buffer
	}
	return out
}

// Memory is a copy of the buffers' contents before the first program runs, with what a
// launch clears (tile.View.Cleared) cleared.
func (c *Case) Memory() [][]byte {
	out := make([][]byte, len(c.Start))
	for i, b := range c.Start {
		out[i] = bytes.Clone(b)
	}
	for i, v := range c.Kernel.Views {
		if !v.Cleared {
			continue
		}
		for at := range c.Args[i].Layout.Offsets() {
			n := v.Elem.Size()
			clear(out[c.Args[i].Buffer][at*n : (at+1)*n])
		}
	}
	return out
}

// Word is the memory of a word of a launch.
func Word(bits uint32) []byte { return binary.LittleEndian.AppendUint32(nil, bits) }

// Launch returns the grid and the words of the launch.
func (c *Case) Launch() (grid [3]int, words []uint32, err error) {
	sizes := make([][]int, len(c.Args))
	for i, a := range c.Args {
		sizes[i] = a.Layout.Shape()
	}
	if grid, err = c.Kernel.GridAt(sizes, c.Scalars); err != nil {
		return grid, nil, err
	}
	words, err = c.Kernel.Words(c.Layouts(), c.Scalars)
	return grid, words, err
}

// Bound computes what the results may be, once. The error is bounds.ErrUndecided, or that
// of a kernel that is not well formed.
func (c *Case) Bound() error {
	if c.allowed != nil {
		return nil
	}
	grid, _, err := c.Launch()
	if err != nil {
		return err
	}
	c.allowed, err = bounds.Run(bounds.Launch{Kernel: c.Kernel, Grid: grid, Layouts: c.Layouts(), Buffers: c.Buffers(),
		Scalars: c.Scalars, Start: c.Memory()})
	return err
}

// Interpret runs the kernel in the interpreter and returns the buffers. With check set, a race and a read of what
// nothing wrote are errors; NaN, points out of bounds and outputs that are written in part
// are what random kernels have.
func (c *Case) Interpret(check bool) ([][]byte, error) {
	grid, words, err := c.Launch()
	if err != nil {
		return nil, err
	}
	var found error
	p := &interp.Program{Kernel: c.Kernel, Buffers: c.Buffers()}
	p.Options.Print = new(strings.Builder)
	p.Options.Check = check
	p.Options.Report = func(f interp.Finding) {
		if (f.Problem == interp.Race || f.Problem == interp.Uninitialized) && found == nil {
			found = f
		}
	}
	memory := c.Memory()
	if err := p.Run(grid, memory, words); err != nil {
		return nil, err
	}
	return memory, found
}

// Compare checks what a device left in the buffers, the padding around the views
// included, and counts what it compared in r.
func (c *Case) Compare(got [][]byte, r *Report) error {
	if err := c.Bound(); err != nil {
		return err
	}
	for i, e := range c.Elems {
		values := bounds.Decode(e, got[i])
		if len(values) != len(c.allowed[i]) {
			return fmt.Errorf("buffer %d has %s, want %d", i, fault.Count(len(values), "element"), len(c.allowed[i]))
		}
		for j, v := range values {
			want := c.allowed[i][j]
			if !want.Allows(e, v) {
				return fmt.Errorf("element %d of buffer %d (%s) is %v, want %v", j, i, c.names(i), v, want)
			}
			if c.isWritten(i) {
				r.Elements[want.Kind(e)]++
			}
		}
	}
	return nil
}

// isWritten reports whether a view writes to a buffer.
func (c *Case) isWritten(buffer int) bool {
	for i, a := range c.Args {
		if a.Buffer == buffer && c.Kernel.Views[i].Access&tile.Out != 0 {
			return true
		}
	}
	return false
}

// names lists the views over a buffer.
func (c *Case) names(buffer int) string {
	var list []string
	for i, a := range c.Args {
		if a.Buffer == buffer {
			list = append(list, fmt.Sprintf("%s %v", c.Kernel.Views[i].Name, a.Layout))
		}
	}
	return strings.Join(list, ", ")
}

// String prints the kernel and its arguments.
func (c *Case) String() string {
	var b strings.Builder
	for i, e := range c.Elems {
		fmt.Fprintf(&b, "buffer %d: %d × %v, views %s\n", i, len(c.Start[i])/e.Size(), e, c.names(i))
	}
	if len(c.Scalars) > 0 {
		fmt.Fprintf(&b, "scalars %v\n", c.Scalars)
	}
	grid, _, err := c.Launch()
	fmt.Fprintf(&b, "grid %v %v\n%v", grid, err, c.Kernel)
	return b.String()
}
