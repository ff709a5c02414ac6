package lower

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// Operands of products that a loop loads as blocks of a view come to shared memory by tensor maps (simt.TensorMap) where a schedule asks for
// producers: no thread computes their addresses, and what lies outside of the view is filled with zeros on the way. The lowering
// puts the copies where the operand is needed; the pass roles gives them to a thread of their own.

// sourceBlock is the block of a view that an operand is, seen through ops that only name its elements anew.
type sourceBlock struct {
	load *tile.Op
	dims []int // of the view, by the operand's
}

// sourceOf finds the block behind a value of two dimensions.
func sourceOf(v *tile.Value) (s sourceBlock, ok bool) {
	op := v.Op()
	if op == nil {
		return s, false
	}
	switch op.Kind {
	case tile.OpLoad:
		return sourceBlock{op, counting(len(op.Result().Type().Shape))}, true
	case tile.OpPermute:
		if s, ok = sourceOf(op.Args[0]); ok {
			dims := make([]int, len(op.Perm))
			for d, from := range op.Perm {
				dims[d] = s.dims[from]
			}
			s.dims = dims
		}
		return s, ok
	case tile.OpReshape: // that adds or drops dimensions of size 1
		if s, ok = sourceOf(op.Args[0]); !ok {
			return s, false
		}
		from, to := op.Args[0].Type().Shape, op.Result().Type().Shape
		var dims []int
		at := 0
		for _, n := range to {
			for n > 1 && at < len(from) && from[at] == 1 {
				at++
			}
			switch {
			case n > 1 && at < len(from) && from[at] == n:
				dims = append(dims, s.dims[at])
				at++
			case n > 1:
				return s, false
			default:
				dims = append(dims, -1)
			}
		}
		s.dims = dims
		return s, true
	}
	return s, false
}

func counting(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// tensorMapOf is the map that copies the block of a load or a store, which is the matrix whose dimensions are those of the view; along is the
// one of the two along which lines lie in shared memory. The reason says why there is none.
func tensorMapOf(f axis.ViewFacts, op *tile.Op, dims []int) (along int, m *simt.TensorMap, reason string) {
	size, shape := op.View.Elem.Size(), op.AccessType().Shape
	along = slices.IndexFunc(dims, func(d int) bool { return d >= 0 && f.Dims[d].Kind == axis.UnitStride })
	refuse := func(format string, args ...any) (int, *simt.TensorMap, string) {
		return 0, nil, fmt.Sprintf(format, args...)
	}
	switch {
	case along < 0 || dims[1-along] < 0:
		return refuse("no dimension of the block has stride 1, or only one is longer than 1")
	case op.Number != 0:
		return refuse("the fill is %v, want 0", op.Number)
	case f.Offset*size%accessBytes != 0:
		return refuse("the offset is known to be a multiple of %d elements, not of %d bytes", f.Offset, accessBytes)
	}
	line, rows := simt.LineBytes/size, shape[dims[1-along]]
	switch {
	case shape[dims[along]] < line || rows < 8:
		return refuse("a block of %v is smaller than 8 rows of %d bytes", shape, simt.LineBytes)
	case rows > simt.MaxBox:
		return refuse("the block has %d rows, a box has at most %d", rows, simt.MaxBox)
	}
	m = &simt.TensorMap{Name: op.View.Name + "_map", View: op.View.Index, Dims: []int{dims[along], dims[1-along]}, Box: []int{line, rows}}
	for d := range f.Dims {
		if slices.Contains(m.Dims, d) {
			continue
		}
		if shape[d] != 1 {
			return refuse("a block of %v is not a matrix", shape)
		}
		if f.Dims[d].Kind != axis.ZeroStride {
			m.Dims, m.Box = append(m.Dims, d), append(m.Box, 1)
		}
	}
	if len(m.Dims) > simt.MaxMapDims {
		return refuse("the block has %s, want at most %d", fault.Count(len(m.Dims), "dimension"), simt.MaxMapDims)
	}
	for _, d := range m.Dims[1:] {
		switch dim := f.Dims[d]; {
		case dim.Kind == axis.ZeroStride:
			return refuse("dimension %d repeats its elements", d)
		case dim.Kind == axis.NegativeStride:
			return refuse("dimension %d has a negative stride", d)
		case dim.Stride*size%accessBytes != 0:
			return refuse("the stride of dimension %d is known to be a multiple of %d elements, not of %d bytes", d, dim.Stride, accessBytes)
		}
	}
	return along, m, ""
}

// tensorOperand is an operand that a tensor map copies.
type tensorOperand struct {
	load  *tile.Op
	along int // the dimension along which lines lie in shared memory
	m     *simt.TensorMap
}

// tensorOperandOf is an operand of the product at hand that a tensor map copies, nil if it is none. k is the dimension that is summed over.
func (l *lowerer) tensorOperandOf(name string, v *tile.Value, m matrix, k int) *tensorOperand {
	if !l.caps.TensorMaps || l.kernel.Schedule.Producers == 0 || !inLoops(l.kernel.Body, l.op, 0) {
		return nil
	}
	from, found := sourceOf(v)
	reason, t := "it is not what the loop loads", &tensorOperand{load: from.load}
	if found && slices.Contains(l.body.Ops, from.load) {
		f := l.facts.Views[from.load.View.Index]
		if t.along, t.m, reason = tensorMapOf(f, from.load, from.dims); reason == "" {
			switch t.m.Buffer = l.buffers[f.Buffer]; {
			case t.m.Buffer.Write:
				reason = "the kernel writes the buffer"
			case !m.takesLines(v.Type().Shape, t.along, k):
				reason = fmt.Sprintf("elements of %v have to lie along the sums", m.elem)
			}
		}
	}
	if reason != "" {
		l.note("%s: no tensor map: %s", name, reason)
		return nil
	}
	return t
}

// stageTensor stages an operand by copies of its tensor map.
func (l *lowerer) stageTensor(name string, t *tensorOperand, shape []int, m matrix, k int) stagedMatrix {
	s := stagedMatrix{along: t.along, k: k, at: groupRows(shape, t.along, m.elem.Size())}
	s.array = l.newShared(name, m.elem, shape[0]*shape[1], "operand %s of the product", name[len(name)-1:])
	l.copyTensor(s.array, t, shape[t.along], shape[1-t.along])
	l.note("%s by a tensor map, boxes of %v", name, t.m.Box)
	return s
}

// copyTensor copies the block of an operand to an array, n elements along the lines of so many rows.
func (l *lowerer) copyTensor(array *simt.Shared, t *tensorOperand, n, rows int) {
	m := l.tensorMap(t.m)
	if l.arrived == nil {
		l.arrived = l.b.NewSignals("arrived", 1, 1)
	}
	line := m.Box[0]
	for first := 0; first < n; first += line {
		args := append([]*simt.Value{l.b.Int(first * rows), l.b.Int(0)}, l.mapCoords(m, t.load, first)...)
		l.b.Do(&simt.Op{Kind: simt.TensorCopy, Map: m, Shared: array, Signals: l.arrived, Args: args})
	}
}

// tensorMap is a map of the kernel: the one that is there already, if there is one like it.
func (l *lowerer) tensorMap(m *simt.TensorMap) *simt.TensorMap { return l.b.Func.MapLike(m) }

// mapCoords are the coordinates, by a map's dimensions, of the block of a load or a store, from given elements on along the first of them. A
// block that lies outside along a dimension that the map has not goes to where nothing of the view is.
func (l *lowerer) mapCoords(m *simt.TensorMap, op *tile.Op, first ...int) (list []*simt.Value) {
	shape, coords := op.AccessType().Shape, op.Args[len(op.Args)-op.View.Rank:]
	for i, d := range m.Dims {
		at := l.blockStart(op, d, l.scalars[coords[d]], shape[d])
		if i < len(first) {
			at = l.b.Binary(simt.Add, at, l.b.Int(first[i]))
		}
		list = append(list, at)
	}
	var inside *simt.Value
	for d, c := range coords {
		if !slices.Contains(m.Dims, d) && op.Inside>>d&1 == 0 {
			inside = l.and(inside, l.below(l.scalars[c], l.param(l.sizeWord(op.View, d))))
		}
	}
	if inside != nil {
		list[0] = l.b.Emit(&simt.Op{Kind: simt.Select, Args: []*simt.Value{inside, list[0], l.b.Int(-m.Box[0])}}, list[0].Type)
	}
	return list
}

// inLoops reports whether all that stands around an op are loops with a count, one at least.
func inLoops(r *tile.Region, op *tile.Op, around int) bool {
	for _, o := range r.Ops {
		if o == op {
			return around > 0
		}
		if o.Kind == tile.OpFor && inLoops(o.Body, op, around+1) {
			return true
		}
	}
	return false
}
