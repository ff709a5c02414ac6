package weft

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// maxRank is the largest rank of a kernel's view.
const maxRank = 5

// Map is a function of one element of each input, applied to whole tensors of
// any shape: they are broadcast to one another as in NumPy, and any view will do.
type Map struct {
	// Kernel is the kernel behind the map; its views are the inputs and then "out".
	Kernel *Kernel[MapConfig]

	name   string
	inputs []string
	f      func(in []*tile.Value) *tile.Value
}

// MapConfig is what the kernel of a Map is built for.
type MapConfig struct {
	Elem, Out DType        // element types of the inputs and of the output
	Rank      int          // dimensions after merging, 1 to 5
	Block     [maxRank]int // sizes of one program's tile, the first Rank of them
	Threads   int          // of a workgroup; 0 lets the compiler choose
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
// an output of another; the function's result is then converted.
func NewMap(name string, inputs []string, f func(in []*tile.Value) *tile.Value) *Map {
	describe := func(k *tile.Builder, cfg MapConfig) {
		views := make([]*tile.View, len(inputs))
		for i, in := range inputs {
			views[i] = k.In(in, cfg.Elem, cfg.Rank)
		}
		out := k.Out("out", cfg.Out, cfg.Rank)
		k.Schedule(tile.Schedule{Threads: cfg.Threads})
		block := cfg.Block[:cfg.Rank]
		at := k.ProgramTile(out, block...)
		values := make([]*tile.Value, len(inputs))
		for i, v := range views {
			values[i] = v.Block(block...).Load(at...)
		}
		out.Block(block...).Store(f(values).Cast(cfg.Out), at...)
	}
	return &Map{Kernel: NewKernel(name, describe), name: name, inputs: inputs, f: f}
}

// Inputs are the names of the map's inputs.
func (m *Map) Inputs() []string { return slices.Clone(m.inputs) }

// Tiles applies the map within a kernel, to tiles or scalars of one type, one for each
// input: how an op makes a map a part of its own kernel.
func (m *Map) Tiles(in ...*tile.Value) *tile.Value { return m.f(in) }

func identity(in []*tile.Value) *tile.Value { return in[0] }

// Apply returns a new dense tensor with the inputs' common shape and element type.
// Errors: as for Into.
func (m *Map) Apply(in ...*Tensor) (*Tensor, error) {
	shape, err := m.shape(in)
	if err != nil {
		return nil, err
	}
	out, err := Empty(in[0].mem.dev, in[0].elem, shape...)
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
// be the very view that is an input, to work in place.
//
// Errors: ErrShape for shapes or element types that do not fit, ErrDevice for
// tensors of different devices, ErrClosed, ErrUnsupported if out repeats
// elements or overlaps an input otherwise.
func (m *Map) Into(out *Tensor, in ...*Tensor) error {
	if _, err := m.shape(in); err != nil {
		return err
	}
	if err := out.hold(m.name, "out"); err != nil {
		return err
	}
	defer out.mem.release()
	tensors := append(slices.Clone(in), out)
	layouts := make([]layout.Layout, len(tensors))
	for i, t := range tensors {
		if t.mem.dev != out.mem.dev {
			return fault.New(ErrDevice, m.name, "the tensor is on %v, out on %v", t.mem.dev, out.mem.dev).For(m.inputs[i])
		}
		l, err := t.layout.Broadcast(out.Shape()...)
		if err != nil {
			return fault.New(ErrShape, m.name, "shape %v does not broadcast to out's %v", t.Shape(), out.Shape()).For(m.inputs[i])
		}
		if t.Overlaps(out) && !same(l, out.layout) {
			return fault.New(ErrUnsupported, m.name, "out overlaps it and is not the same view").For(m.inputs[i])
		}
		layouts[i] = l
	}
	return m.launch(tensors, merged(layouts))
}

// same reports whether two layouts of one shape are the same elements in the
// same order; strides of dimensions of size 1 do not matter.
func same(l, m layout.Layout) bool {
	both := layout.CoalesceTogether(l, m)
	return both[0].Equal(both[1])
}

// shape checks the inputs and returns the shape that they broadcast to.
func (m *Map) shape(in []*Tensor) ([]int, error) {
	if len(in) != len(m.inputs) {
		return nil, fault.New(ErrShape, m.name, "%d inputs given, want %d", len(in), len(m.inputs))
	}
	shapes := make([][]int, len(in))
	for i, t := range in {
		if err := t.hold(m.name, m.inputs[i]); err != nil {
			return nil, err
		}
		defer t.mem.release()
		if t.elem != in[0].elem {
			return nil, fault.New(ErrShape, m.name, "the tensor holds %v, %s holds %v", t.elem, m.inputs[0], in[0].elem).For(m.inputs[i])
		}
		shapes[i] = t.Shape()
	}
	shape, err := layout.BroadcastShapes(shapes...)
	if err != nil {
		return nil, fault.New(ErrShape, m.name, "shapes %s do not fit together", fmt.Sprint(shapes))
	}
	return shape, nil
}

// launch runs the kernel; dimensions beyond those that a kernel can have are
// walked here.
func (m *Map) launch(tensors []*Tensor, layouts []layout.Layout) error {
	out := layouts[len(layouts)-1]
	if out.Rank() > maxRank {
		for i := range out.Size(0) {
			part := make([]layout.Layout, len(layouts))
			for j, l := range layouts {
				part[j], _ = l.Select(0, i)
			}
			if err := m.launch(tensors, part); err != nil {
				return err
			}
		}
		return nil
	}
	views := make([]View, len(tensors))
	for i, t := range tensors {
		views[i] = View{t, layouts[i]}
	}
	last := tensors[len(tensors)-1]
	cfg := MapConfigFor(last.mem.dev.Caps(), tensors[0].elem, last.elem, layouts...)
	return m.Kernel.LaunchViews(cfg, nil, views...)
}

// merged brings the layouts of an element-wise kernel, the output last, into the
// fewest dimensions: it orders them by the output's strides and merges neighbours
// that are one run everywhere.
func merged(layouts []layout.Layout) []layout.Layout {
	out := layouts[len(layouts)-1]
	order := make([]int, out.Rank())
	for d := range order {
		order[d] = d
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(magnitude(out.Stride(b)), magnitude(out.Stride(a)))
	})
	sorted := make([]layout.Layout, len(layouts))
	for i, l := range layouts {
		sorted[i], _ = l.Permute(order...)
	}
	return layout.CoalesceTogether(sorted...)
}

func magnitude(x int) int { return max(x, -x) }

// MapConfigFor chooses the config of a map for merged layouts, the output last.
// A GPU gets tiles that give each of 256 threads a few elements, the CPU tiles
// that fill its second-level cache; small tensors get smaller ones, so that
// there is work for the whole machine.
func MapConfigFor(caps target.Caps, elem, out DType, layouts ...layout.Layout) MapConfig {
	l := layouts[len(layouts)-1]
	cfg := MapConfig{Elem: elem, Out: out, Rank: l.Rank()}
	var size int
	if caps.Language == target.TileIR {
		size = min(max(pow2.Floor(l.Len()/16), 1<<12), 1<<15)
	} else {
		cfg.Threads = 256
		if caps.MaxThreads > 0 {
			cfg.Threads = min(cfg.Threads, pow2.Floor(caps.MaxThreads))
		}
		perThread := max(16/max(elem.Size(), out.Size()), 1)
		size = min(max(pow2.Floor(l.Len()/1024), cfg.Threads), cfg.Threads*perThread)
	}
	fillBlock(&cfg, size, layouts)
	return cfg
}

// fillBlock spreads the elements of a tile over the dimensions, the last one
// first. If an input runs along another dimension the tile is kept square, since
// both memories are then read in runs.
func fillBlock(cfg *MapConfig, size int, layouts []layout.Layout) {
	out := layouts[len(layouts)-1]
	last := cfg.Rank - 1
	for d := last; d >= 0; d-- {
		room := size
		if d == last && crossed(layouts) {
			room = min(size, 32)
		}
		cfg.Block[d] = min(pow2.Ceil(out.Size(d)), room)
		size /= cfg.Block[d]
	}
	if crossed(layouts) { // what the other dimensions could not take
		cfg.Block[last] = min(pow2.Ceil(out.Size(last)), cfg.Block[last]*size)
	}
}

// crossed reports whether a layout has its unit stride in another dimension than
// the last.
func crossed(layouts []layout.Layout) bool {
	for _, l := range layouts {
		last := l.Rank() - 1
		for d := range last {
			if l.Size(d) > 1 && l.Stride(d) == 1 && magnitude(l.Stride(last)) > 1 {
				return true
			}
		}
	}
	return false
}
