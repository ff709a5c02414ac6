package emit

import (
	"slices"

	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/memory"
	"github.com/weftgpu/weft/internal/lower/mma"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// tensorOperand is an operand of the current product that a tensor map copies, nil if none does.
func (l *emitter) tensorOperand(name string, which int, m mma.Product) *memory.TensorOperand {
	t, reason := l.assigned.Costs.TensorOperandOf(l.op, which, m)
	if reason != "" {
		l.note("%s: no tensor map: %s", name, reason)
	}
	if t != nil {
		t.Map.Buffer = l.buffers[l.facts.Views[t.Blocks[0].Load.View.Index].Buffer]
	}
	return t
}

// stageTensor stages an operand by copies of its tensor map, of a right one some columns alone, 0 for all.
func (l *emitter) stageTensor(name string, t *memory.TensorOperand, shape []int, m mma.Product, k, columns int) stagedMatrix {
	s := stagedMatrix{along: t.Along, k: k, at: distribution.Swizzled128(shape, t.Along, m.Elem.Size())}
	n, rows, kMajor := shape[t.Along], shape[1-t.Along], t.Along == k
	elements := n * rows
	if columns > 0 {
		elements = plan.KeptElements(m.Elem, n, rows, columns, kMajor)
	}
	if columns > 0 && kMajor {
		t.Map.Box[1] = columns
	} else if columns > 0 {
		n = min(n, columns)
	}
	s.array = l.newShared(name, m.Elem, elements, "operand %s of the product", name[len(name)-1:])
	l.mapped++
	l.copyTensor(s.array, t, n, rows)
	l.note("%s by a tensor map, boxes of %v", name, t.Map.Box)
	return s
}

// copyTensor copies the blocks of an operand to an array, n elements along the lines of so many rows in all.
func (l *emitter) copyTensor(array *simt.Shared, t *memory.TensorOperand, n, rows int) {
	m := l.tensorMap(t.Map)
	if l.arrived == nil {
		l.arrived = l.b.NewSignals("arrived", 1, 1)
	}
	line, each := m.Box[0], rows/len(t.Blocks)
	for i, s := range t.Blocks {
		for first := 0; first < n; first += line {
			args := append([]*simt.Value{l.b.Int(first*rows + i*each*line), l.b.Int(0)}, l.mapCoords(m, s.Load, s.At, first)...)
			l.b.Do(&simt.Op{Kind: simt.TensorCopy, Map: m, Shared: array, Signals: l.arrived, Args: args})
		}
	}
}

// tensorMap is a map of the kernel: an equal one if the kernel has it.
func (l *emitter) tensorMap(m *simt.TensorMap) *simt.TensorMap { return l.b.Func.MapLike(m) }

// mapCoords are the coordinates, by a map's dimensions, of the block of a load or a store, from given elements on along the first of them. It begins at
// offsets that count elements, or at the op's coordinates if those are nil. A block that is outside along a dimension that the map does not have goes to where nothing of the view is.
func (l *emitter) mapCoords(m *simt.TensorMap, op *tile.Op, offsets []*tile.Value, first ...int) (list []*simt.Value) {
	shape, coords := op.AccessType().Shape, op.Args[len(op.Args)-op.View.Rank:]
	if offsets != nil {
		coords = offsets
	}
	for i, d := range m.Dims {
		at := l.scalars[coords[d]]
		if offsets == nil {
			at = l.blockStart(op, d, at, shape[d])
		}
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
