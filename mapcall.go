package weft

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/elementwise"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
)

// mapCall is one call of a Map whose operands' element types fit.
type mapCall struct {
	*Map
	elem    DType     // that inputs share
	tensors []*Tensor // held; nil for a number
	numbers uint16    // which inputs are numbers
	words   []uint32  // the numbers as the kernel's parameters
}

func (c *mapCall) release() {
	for _, t := range c.tensors {
		if t != nil {
			t.mem.release()
		}
	}
}

// first is the first tensor among the inputs, nil if there is none.
func (c *mapCall) first() *Tensor {
	for _, t := range c.tensors {
		if t != nil {
			return t
		}
	}
	return nil
}

// result is the element type of the result.
func (c *mapCall) result() DType {
	if c.types.out.Valid() {
		return c.types.out
	}
	return c.elem
}

// check holds the inputs and looks at their element types and at out's, which is nil
// if it is to be made.
func (m *Map) check(in []TensorOrNumber, out *Tensor) (_ *mapCall, err error) {
	if len(in) != len(m.inputs) {
		return nil, fault.New(ErrArgument, m.name, "%s given, want %d", fault.Count(len(in), "input"), len(m.inputs))
	}
	c := &mapCall{Map: m}
	defer func() {
		if err != nil {
			c.release()
		}
	}()
	for i, x := range in {
		t, isTensor := x.(*Tensor)
		if x == nil || isTensor {
			if err := t.hold(m.name, m.inputs[i]); err != nil {
				return nil, err
			}
		}
		c.tensors = append(c.tensors, t)
	}
	for i, t := range c.tensors {
		if t != nil && t.mem.dev != c.first().mem.dev {
			return nil, t.CheckDevice(m.name, m.inputs[i], c.first(), m.inputs[slices.Index(c.tensors, c.first())])
		}
	}
	if out == nil && c.first() == nil {
		return nil, fault.New(ErrArgument, m.name, "no input is a tensor, want at least 1")
	}
	if err := c.checkTypes(out); err != nil {
		return nil, err
	}
	for i, t := range c.tensors {
		if t != nil {
			continue
		}
		if c.words, err = appendNumber(c.words, m.typeOf(i, c.elem), in[i]); err != nil {
			return nil, fault.New(ErrArgument, m.name, "%v", err).For(m.inputs[i])
		}
		c.numbers |= 1 << i
	}
	return c, nil
}

// checkTypes finds the shared element type and compares all others with what they must be.
func (c *mapCall) checkTypes(out *Tensor) error {
	from := "" // the input that sets the type
	for i, t := range c.tensors {
		name := c.inputs[i]
		if t == nil {
			continue
		}
		if own := c.own(i); own.Valid() {
			if t.elem != own {
				return fault.New(ErrArgument, c.name, "the tensor holds %v, want %v", t.elem, own).For(name)
			}
			continue
		}
		switch {
		case c.types.shared != nil && !c.types.shared(t.elem):
			return fault.New(ErrUnsupported, c.name, "the tensor holds %v, want %s", t.elem, dtype.OneOf(c.types.shared)).For(name)
		case from == "":
			from, c.elem = name, t.elem
		case t.elem != c.elem:
			return fault.New(ErrArgument, c.name, "the tensor holds %v, %s holds %v: cast one with Cast", t.elem, from, c.elem).For(name)
		}
	}
	if from == "" && out != nil && !c.types.out.Valid() {
		if c.types.shared != nil && !c.types.shared(out.elem) {
			return fault.New(ErrUnsupported, c.name, "the tensor holds %v, want %s", out.elem, dtype.OneOf(c.types.shared)).For("out")
		}
		c.elem = out.elem
	}
	if !c.elem.Valid() {
		return fault.New(ErrArgument, c.name, "all inputs are numbers, want a tensor to take the element type from")
	}
	if out != nil && out.elem != c.result() && (c.types.exact || c.types.out.Valid()) {
		return fault.New(ErrArgument, c.name, "the tensor holds %v, want %v", out.elem, c.result()).For("out")
	}
	return nil
}

// shape is the shape that the inputs broadcast to.
func (c *mapCall) shape() ([]int, error) {
	var shapes [][]int
	for _, t := range c.tensors {
		if t != nil {
			shapes = append(shapes, t.Shape())
		}
	}
	shape, err := layout.BroadcastShapes(shapes...)
	if err != nil {
		return nil, fault.New(ErrShape, c.name, "the shapes %s do not broadcast", fmt.Sprint(shapes))
	}
	return shape, nil
}

// into checks the tensors against out and launches.
func (c *mapCall) into(out *Tensor) error {
	var tensors []*Tensor
	var layouts []layout.Layout
	for i, t := range append(slices.Clone(c.tensors), out) {
		if t == nil {
			continue
		}
		if t.mem.dev != out.mem.dev {
			return out.CheckDevice(c.name, "out", t, c.inputs[i])
		}
		l, err := t.layout.Broadcast(out.Shape()...)
		if err != nil {
			return fault.New(ErrShape, c.name, "shape %v does not broadcast to out's %v", t.Shape(), out.Shape()).For(c.inputs[i])
		}
		if t.Overlaps(out) && !same(l, out.layout) {
			return fault.New(ErrUnsupported, c.name, "it overlaps out, want separate memory or the same view").For(c.inputs[i])
		}
		tensors, layouts = append(tensors, t), append(layouts, l)
	}
	layouts = elementwise.Merge(layouts)
	if c.moves && c.numbers == 0 && c.elem == out.elem {
		tensors, layouts = asWords(tensors, layouts)
		c.elem = tensors[0].elem
		if cfg, views, ok := elementwise.Squares(out.mem.dev.Caps(), c.elem, layouts); ok {
			words := seenAs(U32, tensors)
			return copySquares.LaunchViews(cfg, nil, TensorView{Tensor: words[0], Layout: views[0]}, TensorView{Tensor: words[1], Layout: views[1]})
		}
	}
	return c.launch(tensors, layouts)
}

// launch runs the kernel; dimensions beyond those that a kernel can have are
// walked here.
func (c *mapCall) launch(tensors []*Tensor, layouts []layout.Layout) error {
	out := layouts[len(layouts)-1]
	if out.Rank() > elementwise.MaxRank {
		for i := range out.Size(0) {
			part := make([]layout.Layout, len(layouts))
			for j, l := range layouts {
				part[j], _ = l.Select(0, i)
			}
			if err := c.launch(tensors, part); err != nil {
				return err
			}
		}
		return nil
	}
	views := make([]TensorView, len(tensors))
	for i, t := range tensors {
		views[i] = TensorView{Tensor: t, Layout: layouts[i]}
	}
	cfg := c.config(tensors, layouts)
	cfg.Numbers = c.numbers
	return c.Kernel.launchWords(cfg, c.words, views)
}
