package memory

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/mma"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// Operands of products that a loop loads as blocks of a view come to shared memory by tensor maps (simt.TensorMap) where a schedule asks for
// producers: no thread computes their addresses, and what is outside of the view is filled with zeros. The lowering
// puts the copies where the operand is needed; the pass specialise gives them to a thread of their own.

// Block is the block of a view that an operand is, seen through ops that only name its elements anew.
type Block struct {
	Load *tile.Op
	Dims []int         // of the view, by the operand's
	At   []*tile.Value // its first element, of a block at offsets that count elements; nil of one at coordinates
	Most []int         // elements along the view's dimensions that may be others than zeros, of a block at offsets; nil if all may
}

// leavesColumns reports whether the mask of a right operand leaves whole columns of instructions of warpgroups.
func (s Block) leavesColumns() bool {
	k, columns := s.Dims[0], s.Most[s.Dims[1]]
	return s.Most[k] == s.Load.AccessType().Shape[k] && columns > 0 && columns%simt.WarpgroupMMA.Columns == 0
}

// like reports whether a block differs from another one in its coordinates alone.
func (s Block) like(x Block) bool {
	return s.Load.Kind == x.Load.Kind && s.Load.View == x.Load.View && s.Load.Number == x.Load.Number && slices.Equal(s.Dims, x.Dims) && s.At == nil && x.At == nil && s.Most == nil && x.Most == nil &&
		slices.Equal(s.Load.AccessType().Shape, x.Load.AccessType().Shape)
}

// BlockOf finds the block that is a value of two dimensions.
func BlockOf(v *tile.Value) (s Block, ok bool) {
	op := v.Op()
	if op == nil {
		return s, false
	}
	switch op.Kind {
	case tile.OpLoad:
		return Block{Load: op, Dims: counting(len(op.Result().Type().Shape))}, true
	case tile.OpGather:
		at, most := offsetsOf(op)
		return Block{op, counting(len(at)), at, most}, at != nil
	case tile.OpPermute:
		if s, ok = BlockOf(op.Args[0]); ok {
			dims := make([]int, len(op.Perm))
			for d, from := range op.Perm {
				dims[d] = s.Dims[from]
			}
			s.Dims = dims
		}
		return s, ok
	case tile.OpReshape: // that adds or drops dimensions of size 1
		if s, ok = BlockOf(op.Args[0]); !ok {
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
				dims = append(dims, s.Dims[at])
				at++
			case n > 1:
				return s, false
			default:
				dims = append(dims, -1)
			}
		}
		s.Dims = dims
		return s, true
	}
	return s, false
}

// offsetsOf is where the block of points begins that a load at offsets was made of (see the pass offsets), nil of other points, and how many elements along each dimension
// its mask leaves, nil without a mask.
func offsetsOf(op *tile.Op) (at []*tile.Value, most []int) {
	_, indices, mask := op.Points()
	if !op.OfBlock {
		return nil, nil
	}
	if mask != nil {
		if most = leftBy(mask); most == nil {
			return nil, nil
		}
	}
	for _, v := range indices {
		var x *tile.Value
		if all := opOf(v, tile.OpBroadcast); all != nil {
			if sum := opOf(all.Args[0], tile.OpAdd); sum != nil && opOf(sum.Args[0], tile.OpIota) != nil {
				if splat := opOf(sum.Args[1], tile.OpSplat); splat != nil {
					x = splat.Args[0]
				}
			}
		}
		if x == nil {
			return nil, nil
		}
		at = append(at, x)
	}
	return at, most
}

// leftBy is how many elements along each dimension a mask leaves that holds for the first ones along one, nil for other masks.
func leftBy(mask *tile.Value) []int {
	shape := mask.Type().Shape
	if all := opOf(mask, tile.OpBroadcast); all != nil {
		mask = all.Args[0]
	}
	below := opOf(mask, tile.OpLt)
	if below == nil {
		return nil
	}
	index := opOf(below.Args[0], tile.OpIota)
	n, known := axis.Integer(below.Args[1])
	if index == nil || !known || n < 0 {
		return nil
	}
	most := slices.Clone(shape)
	most[index.Axis] = min(most[index.Axis], int(n))
	return most
}

// alignedAt reports whether an offset is known to be one of a tensor map's boxes in rows of elements of some bytes.
func (p *Accesses) alignedAt(offset *tile.Value, size int) bool {
	return p.axes().Of(offset).All()*size%plan.MapBytes == 0
}

// opOf is the op of a kind that a value is of, nil if it is of none.
func opOf(v *tile.Value, kind tile.Kind) *tile.Op {
	if op := v.Op(); op != nil && op.Kind == kind {
		return op
	}
	return nil
}

func counting(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// TensorMapOf is the map that copies the block of a load or a store, which is the matrix whose dimensions are those of the view; along is the
// one of the two along which swizzle rows are in shared memory. With three dimensions of the view the first two are the rows of the matrix. The reason says why there is none.
func TensorMapOf(f axis.ViewFacts, op *tile.Op, dims []int) (along int, m *simt.TensorMap, reason string) {
	outer, lines := -1, 1
	if len(dims) == 3 {
		outer, lines, dims = dims[0], op.AccessType().Shape[dims[0]], dims[1:]
	}
	elem, shape := op.View.Elem, op.AccessType().Shape
	along = slices.IndexFunc(dims, func(d int) bool { return d >= 0 && f.Dims[d].Kind == axis.UnitStride })
	refuse := func(format string, args ...any) (int, *simt.TensorMap, string) {
		return 0, nil, fmt.Sprintf(format, args...)
	}
	switch {
	case along < 0 || dims[1-along] < 0:
		return refuse("no dimension of the block has stride 1, or only one is longer than 1")
	case op.Number != 0:
		return refuse("the fill is %v, want 0", op.Number)
	case !plan.MapAligns(elem, f.Offset):
		return refuse("the offset is known to be a multiple of %d elements, not of %d bytes", f.Offset, plan.MapBytes)
	}
	line, rows := simt.LineBytes/elem.Size(), shape[dims[1-along]]
	if reason = plan.NoBox(elem, shape[dims[along]], rows*lines); reason != "" {
		return 0, nil, reason
	}
	m = &simt.TensorMap{Name: op.View.Name + "_map", View: op.View.Index, Dims: []int{dims[along], dims[1-along]}, Box: []int{line, rows}}
	if outer >= 0 {
		if along != 1 {
			return refuse("rows along two dimensions, of which the columns are not contiguous")
		}
		m.Dims, m.Box = append(m.Dims, outer), append(m.Box, lines)
	}
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
		case !plan.MapAligns(elem, dim.Stride):
			return refuse("the stride of dimension %d is known to be a multiple of %d elements, not of %d bytes", d, dim.Stride, plan.MapBytes)
		}
	}
	return along, m, ""
}

// stackOf finds the blocks of one shape that are a value of two dimensions, one after the other along its first dimension, or along its second one if it is
// transposed: joined in pairs, of which the new dimension is the outer one. (x.Join(y).Permute(2, 0, 1).Reshape(2*rows, columns).)
func stackOf(v *tile.Value) (list []Block, dim int) {
	if s, ok := BlockOf(v); ok {
		return []Block{s}, 0
	}
	op := v.Op()
	if op == nil {
		return nil, 0
	}
	if op.Kind == tile.OpPermute && slices.Equal(op.Perm, []int{1, 0}) {
		list, dim = stackOf(op.Args[0])
		for i, s := range list {
			list[i].Dims = []int{s.Dims[1], s.Dims[0]}
		}
		return list, 1 - dim
	}
	outer := opOf(v, tile.OpReshape)
	if outer == nil {
		return nil, 0
	}
	from, to := outer.Args[0].Type().Shape, v.Type().Shape
	if len(from) != 3 || len(to) != 2 || from[0] != 2 || from[2] != to[1] {
		return nil, 0
	}
	order := opOf(outer.Args[0], tile.OpPermute)
	if order == nil || !slices.Equal(order.Perm, []int{2, 0, 1}) {
		return nil, 0
	}
	pair := opOf(order.Args[0], tile.OpJoin)
	if pair == nil {
		return nil, 0
	}
	for _, half := range pair.Args {
		blocks, along := stackOf(half)
		if len(blocks) == 0 || along != 0 && len(blocks) > 1 {
			return nil, 0
		}
		list = append(list, blocks...)
	}
	return list, 0
}

// TensorOperand is an operand of a product that a tensor map copies to shared memory.
type TensorOperand struct {
	Blocks []Block // of one shape, one after the other across the lines
	Along  int     // the dimension along which lines are in shared memory
	Map    *simt.TensorMap
}

// TensorOperandOf is how a tensor map copies an operand of a Dot of warpgroups, the left one (0) or the right one (1): nil if none does, with the reason if
// the kernel asks for one. All that asks whether there is one asks here.
func (p *Accesses) TensorOperandOf(dot *tile.Op, which int, m mma.Product) (*TensorOperand, string) {
	at := p.bodies[dot]
	if !p.Caps.TensorMaps || !p.Producers || !at.counted {
		return nil, ""
	}
	v := dot.Args[which]
	list, stacked := stackOf(v)
	if len(list) == 0 || slices.ContainsFunc(list, func(s Block) bool { return p.bodies[s.Load].region != at.region }) {
		return nil, "it is not what the loop loads"
	}
	from := list[0]
	f := p.Facts.Views[from.Load.View.Index]
	along, t, reason := TensorMapOf(f, from.Load, from.Dims)
	switch {
	case reason != "":
	case len(list) > 1 && (along == stacked || slices.ContainsFunc(list, func(s Block) bool { return !from.like(s) })):
		reason = "its blocks are not of one view and shape, or not one after the other across the lines"
	case from.Most != nil && (which == 0 || len(list) > 1 || !from.leavesColumns()):
		reason = "it has a mask, which leaves no whole columns of instructions"
	case from.At != nil && !p.alignedAt(from.At[from.Dims[along]], from.Load.View.Elem.Size()):
		reason = "it may begin anywhere in its rows"
	case p.Written[f.Buffer]:
		reason = "the kernel writes the buffer"
	case !m.TakesLines(v.Type().Shape, along, 1-which):
		reason = fmt.Sprintf("an operand of %v must be K-major", m.Elem)
	default:
		return &TensorOperand{list, along, t}, ""
	}
	return nil, reason
}
