package emit

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/memory"
	"github.com/weftgpu/weft/internal/lower/mma"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// tensorOperand is an operand that a tensor map copies.
type tensorOperand struct {
	load  *tile.Op
	along int // the dimension along which lines lie in shared memory
	m     *simt.TensorMap
}

// tensorOperandOf is an operand of the product at hand that a tensor map copies, nil if it is none. k is the dimension that is summed over.
func (l *emitter) tensorOperandOf(name string, v *tile.Value, m mma.Product, k int) *tensorOperand {
	if !l.caps.TensorMaps || l.kernel.Schedule.Producers == 0 || !inLoops(l.kernel.Body, l.op, 0) {
		return nil
	}
	from, found := memory.BlockOf(v)
	reason, t := "it is not what the loop loads", &tensorOperand{load: from.Load}
	if found && slices.Contains(l.body.Ops, from.Load) {
		f := l.facts.Views[from.Load.View.Index]
		if t.along, t.m, reason = memory.TensorMapOf(f, from.Load, from.Dims); reason == "" {
			switch t.m.Buffer = l.buffers[f.Buffer]; {
			case t.m.Buffer.Write:
				reason = "the kernel writes the buffer"
			case !m.TakesLines(v.Type().Shape, t.along, k):
				reason = fmt.Sprintf("elements of %v have to lie along the sums", m.Elem)
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
func (l *emitter) stageTensor(name string, t *tensorOperand, shape []int, m mma.Product, k int) stagedMatrix {
	s := stagedMatrix{along: t.along, k: k, at: distribution.Swizzled128(shape, t.along, m.Elem.Size())}
	s.array = l.newShared(name, m.Elem, shape[0]*shape[1], "operand %s of the product", name[len(name)-1:])
	l.copyTensor(s.array, t, shape[t.along], shape[1-t.along])
	l.note("%s by a tensor map, boxes of %v", name, t.m.Box)
	return s
}

// copyTensor copies the block of an operand to an array, n elements along the lines of so many rows.
func (l *emitter) copyTensor(array *simt.Shared, t *tensorOperand, n, rows int) {
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
func (l *emitter) tensorMap(m *simt.TensorMap) *simt.TensorMap { return l.b.Func.MapLike(m) }

// mapCoords are the coordinates, by a map's dimensions, of the block of a load or a store, from given elements on along the first of them. A
// block that lies outside along a dimension that the map has not goes to where nothing of the view is.
func (l *emitter) mapCoords(m *simt.TensorMap, op *tile.Op, first ...int) (list []*simt.Value) {
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
