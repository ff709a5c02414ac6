package weft

import (
	"slices"

	"github.com/weftgpu/weft/elementwise"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/recent"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// Map is a function of one element of each input, applied to whole tensors of
// any shape: they are broadcast to one another as in NumPy, and any view will do.
// Inputs may be numbers, which are parameters of the kernel.
type Map struct {
	// Kernel is the map's kernel; its views are the inputs that are tensors and then "out".
	Kernel *Kernel[elementwise.Config]

	name   string
	inputs []string
	types  mapTypes
	moves  bool // the function is the identity: bits may move instead of elements
	f      func(in []*tile.Value) *tile.Value
	id     recent.ID // of its plans; see Device.Memoize
}

// mapTypes says which element types a map takes. One type is shared: that of all inputs
// and of the output, except for those that have a type of their own.
type mapTypes struct {
	shared func(DType) bool // whether the shared type may be this one; nil for any
	inputs []DType          // the types of the first inputs, Invalid for those that share
	out    DType            // the type of the output, Invalid if it shares
	exact  bool             // Into converts the result to no other type
}

// NewMap makes a map from a function over tiles, which receives one value for each
// of the named inputs:
//
//	swish := weft.NewMap("swish", []string{"x"}, func(in []*tile.Value) *tile.Value {
//		x := in[0]
//		return x.Div(x.Neg().Exp().Add(1))
//	})
//
// The inputs have one element type, and so has the output unless Into is given
// an output of another; the function's result is then converted. Takes, InputTypes, Returns and
// Exact give maps of other types:
//
//	inside := weft.NewMap("inside", []string{"x", "lo", "hi"}, func(in []*tile.Value) *tile.Value {
//		return in[0].Ge(in[1]).And(in[0].Le(in[2]))
//	}).Returns(weft.Bool)
//
// The function computes each element of the result from the inputs' elements at the same place. Which
// elements are in a tile depends on device and shape, so calls fail with ErrKernel, the op and its line if it uses
// anything else: reductions, scans, products, other shapes or orders, coordinates and so random numbers, loads
// and stores, assertions (which elements beyond an edge would have to pass). Print works. A result of another shape is ErrShape.
func NewMap(name string, inputs []string, f func(in []*tile.Value) *tile.Value) *Map {
	m := &Map{name: name, inputs: inputs, f: f, id: recent.NewID()}
	m.Kernel = NewKernel(name, m.describe)
	return m
}

// with is a map of the same function with other types.
func (m *Map) with(set func(t *mapTypes)) *Map {
	if m.there() != nil {
		return m // which every use reports
	}
	c := NewMap(m.name, m.inputs, m.f)
	c.types = m.types
	set(&c.types)
	return c
}

// Takes returns the map limited to element types for which ok is true; others are ErrUnsupported. ok is asked about
// the type that the inputs share.
func (m *Map) Takes(ok func(DType) bool) *Map {
	return m.with(func(t *mapTypes) { t.shared = ok })
}

// InputTypes returns the map with element types for its first inputs, which then do not have the type of the others. The
// zero DType stands for an input that has the shared type.
func (m *Map) InputTypes(elems ...DType) *Map {
	return m.with(func(t *mapTypes) { t.inputs = slices.Clone(elems) })
}

// Returns returns the map with an element type for its output, such as Bool for a comparison. Into then takes
// no output of another type. The zero DType stands for the type that the inputs share.
func (m *Map) Returns(elem DType) *Map {
	return m.with(func(t *mapTypes) { t.out = elem })
}

// Exact returns the map without conversion of its result: Into takes only an output of the result's type.
func (m *Map) Exact() *Map {
	return m.with(func(t *mapTypes) { t.exact = true })
}

func (m *Map) describe(k *tile.Builder, cfg elementwise.Config) {
	block := cfg.Block[:cfg.Rank]
	views, values := make([]*tile.View, len(m.inputs)), make([]*tile.Value, len(m.inputs))
	for i, name := range m.inputs {
		if elem := m.typeOf(i, cfg.Elem); cfg.Numbers>>i&1 != 0 {
			values[i] = numberParameter(k, name, elem).Splat(block...)
		} else {
			views[i] = k.In(name, elem, cfg.Rank)
		}
	}
	out := k.Out("out", cfg.Out, cfg.Rank)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	at := k.ProgramTile(out, block...)
	for i, v := range views {
		if v != nil {
			values[i] = v.Block(block...).Load(at...)
		}
	}
	out.Block(block...).Store(k.Map(m.name, m.f, values...).Cast(cfg.Out), at...)
}

// typeOf is the element type of input i, given the shared one.
func (m *Map) typeOf(i int, shared DType) DType {
	if own := m.own(i); own.Valid() {
		return own
	}
	return shared
}

// own is the element type of input i alone, Invalid if it shares.
func (m *Map) own(i int) DType {
	if i < len(m.types.inputs) {
		return m.types.inputs[i]
	}
	return 0
}

// Inputs are the names of the map's inputs.
func (m *Map) Inputs() []string {
	if m == nil {
		return nil
	}
	return slices.Clone(m.inputs)
}

// there reports a map that is nil, one that no function of this package made, or one without a function.
func (m *Map) there() error {
	switch {
	case m == nil || m.Kernel == nil:
		return fault.New(ErrArgument, "map", "the map is nil")
	case m.f == nil:
		return fault.New(ErrArgument, m.name, "the function is nil").For("f")
	}
	return nil
}

// Tiles applies the map within a kernel, to tiles or scalars of one type, one for each
// input. Ops use it to make a map a part of their own kernels. See tile.Builder.Map for what a kernel refuses.
func (m *Map) Tiles(in ...*tile.Value) *tile.Value {
	for _, v := range in {
		if v != nil {
			if len(in) != len(m.inputs) {
				v.Builder().Fail(m.name, "%s given, want %d", fault.Count(len(in), "input"), len(m.inputs))
			}
			return v.Builder().Map(m.name, m.f, in...)
		}
	}
	return nil
}

// TensorOrNumber is an input of a Map: a *Tensor, or a Go number or bool, which takes the
// input's element type. Floats are rounded to it; an integer type must hold the number.
type TensorOrNumber = any

// Apply returns a new dense tensor with the inputs' common shape; at least one input is a tensor.
// Errors: as for Into.
func (m *Map) Apply(in ...TensorOrNumber) (*Tensor, error) {
	if err := m.there(); err != nil {
		return nil, err
	}
	call, err := m.check(in, nil)
	if err != nil {
		return nil, err
	}
	defer call.release()
	shape, err := call.shape()
	if err != nil {
		return nil, err
	}
	out, err := empty(m.name, call.first().mem.dev, call.result(), shape)
	if err != nil {
		return nil, err
	}
	if err := m.Into(out, in...); err != nil {
		out.Close()
		return nil, err
	}
	return out, nil
}

// Into writes the result into out, whose shape the inputs must broadcast to. out may
// be the same view as an input, to work in place.
//
// Errors: ErrKernel or ErrShape for a function that does not work on single elements (see NewMap), ErrShape for shapes that do not fit, ErrArgument for nil, element types that do not fit or a number that
// is not a value of its type, ErrUnsupported for an element type that the map does not take, ErrDevice for
// tensors of different devices, ErrClosed, ErrUnsupported if out repeats
// elements or overlaps an input otherwise.
func (m *Map) Into(out *Tensor, in ...TensorOrNumber) error {
	if err := m.there(); err != nil {
		return err
	}
	c := newCall()
	defer c.done()
	return c.mapInto(m, out, in)
}

// into is Into without looking for remembered calls. It returns the element type that the inputs share.
func (m *Map) into(out *Tensor, in []TensorOrNumber) (DType, error) {
	if err := out.hold(m.name, "out"); err != nil {
		return 0, err
	}
	defer out.mem.release()
	call, err := m.check(in, out)
	if err != nil {
		return 0, err
	}
	defer call.release()
	if _, err := call.shape(); err != nil {
		return 0, err
	}
	return call.elem, call.into(out)
}

// same reports whether two layouts of one shape are the same elements in the
// same order; strides of dimensions of size 1 do not matter.
func same(l, m layout.Layout) bool {
	both := layout.CoalesceTogether(l, m)
	return both[0].Equal(both[1])
}
