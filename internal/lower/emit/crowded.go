package emit

import (
	"slices"

	"github.com/weftgpu/weft/internal/lower/assign"
	"github.com/weftgpu/weft/internal/lower/mma"
	"github.com/weftgpu/weft/tile"
)

// crowded reports whether padded operands surely take more shared memory than there is. Those of two products share none
// if no barrier stands between the loads of the first and the stores of the second, which none has to
// where only registers change in between. Copies that pass registers by are left to the passes, which know their stages.
func (l *emitter) crowded(r *tile.Region) bool {
	if l.caps.SharedBytes == 0 || l.caps.TensorMaps || l.assigned.Costs.Async {
		return false
	}
	before := 0 // bytes of the operands of the product before, since which no barrier may stand
	for _, op := range r.Ops {
		switch {
		case !l.needed[op]:
		case l.multiplies(op):
			left, right := l.operands(op)
			need := left.bytes() + right.bytes()
			if before > 0 && before+need > l.caps.SharedBytes && !l.converts(op) {
				return true
			}
			before = need
		case slices.ContainsFunc(op.Regions(), l.crowded):
			return true
		case !l.inRegisters(op):
			before = 0
		}
	}
	return false
}

// multiplies reports whether an op is a Dot of fused multiply-adds.
func (l *emitter) multiplies(op *tile.Op) bool {
	if op.Kind.Fact().Class != tile.Matrix {
		return false
	}
	_, reason := mma.Choose(op, l.caps, l.threads)
	return reason != ""
}

// inRegisters reports whether an op changes registers alone, and reads none of the buffers that the kernel writes.
func (l *emitter) inRegisters(op *tile.Op) bool {
	switch op.Kind.Fact().Class {
	case tile.Leaf, tile.Unary, tile.Binary, tile.Compare, tile.Ternary, tile.Hint:
	case tile.Memory:
		if op.Kind != tile.OpLoad || l.buffers[l.facts.Views[op.View.Index].Buffer].Write {
			return false
		}
	default:
		if !assign.Propagations[op.Kind].View {
			return false
		}
	}
	return !l.converts(op)
}

// converts reports whether an op takes a tile in another distribution than that in which it is made.
func (l *emitter) converts(op *tile.Op) bool {
	sites := []*assign.Site{l.assigned.At[op]}
	if stages, ok := l.assigned.Stages[op]; ok {
		sites = append(sites, stages[:]...)
	}
	for _, s := range sites {
		if s != nil && slices.ContainsFunc(s.Uses, func(u *assign.Use) bool {
			_, to := assign.Source(u.Value, u.Required(l.assigned.In(s)))
			return l.assigned.Made[u.Source] != nil && !l.assigned.Of(u.Source).Equal(to)
		}) {
			return true
		}
	}
	return false
}
