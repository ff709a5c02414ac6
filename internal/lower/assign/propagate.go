package assign

import (
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// propagation says how an op hands distributions on. The op itself works in one; its operands
// have to be in, and its results come out in, one that follows from it. A nil function is
// the identity; the ways back say whether there is one.
type propagation struct {
	operand     func(op *tile.Op, at layout.Linear) layout.Linear
	result      func(op *tile.Op, at layout.Linear) layout.Linear
	fromOperand func(op *tile.Op, l layout.Linear) (layout.Linear, bool)
	fromResult  func(op *tile.Op, l layout.Linear) (layout.Linear, bool)
	// View: the op only names the elements anew that registers hold, so that it works in
	// whatever distribution its result is used in
	View bool
}

// Propagations lists the ops whose operands or results are in another distribution than the
// op. Element-wise ops, accesses to memory and scans have one for all.
var Propagations = [tile.NumKinds]propagation{
	tile.OpBroadcast: {View: true,
		operand: func(op *tile.Op, at layout.Linear) layout.Linear {
			return distribution.Project(at, op.Args[0].Type().Shape)
		},
		fromOperand: nowhere},
	tile.OpReshape: {View: true,
		operand: func(op *tile.Op, at layout.Linear) layout.Linear {
			return distribution.Reshape(at, op.Args[0].Type().Shape)
		},
		fromOperand: surely(func(op *tile.Op, l layout.Linear) layout.Linear {
			return distribution.Reshape(l, op.Result().Type().Shape)
		})},
	tile.OpPermute: {View: true,
		operand:     func(op *tile.Op, at layout.Linear) layout.Linear { return at.Transpose(distribution.Inverse(op.Perm)) },
		fromOperand: surely(func(op *tile.Op, l layout.Linear) layout.Linear { return l.Transpose(op.Perm) })},

	tile.OpJoin: {
		result:     func(_ *tile.Op, at layout.Linear) layout.Linear { return distribution.Joined(at) },
		fromResult: ifJoined},
	tile.OpSplit: {
		operand:     func(_ *tile.Op, at layout.Linear) layout.Linear { return distribution.Joined(at) },
		fromOperand: ifJoined},

	tile.OpHistogram: {
		result: func(op *tile.Op, at layout.Linear) layout.Linear {
			return distribution.Blocked(op.Result().Type().Shape, at.Size(layout.Thread), 0, distribution.RegisterLanes)
		},
		fromResult: nowhere},

	tile.OpReduceSum: reduction, tile.OpReduceProd: reduction, tile.OpReduceMax: reduction, tile.OpReduceMin: reduction,
	tile.OpReduceAny: reduction, tile.OpReduceAll: reduction, tile.OpReduce: reduction,
}

// reduction works in its operand's distribution; many lead to one result's.
var reduction = propagation{
	result:     func(op *tile.Op, at layout.Linear) layout.Linear { return at.Drop(op.Axis) },
	fromResult: nowhere,
}

// reduces reports whether an op reduces tiles along its axis.
func reduces(kind tile.Kind) bool {
	return Propagations[kind].result != nil && kind != tile.OpJoin && kind != tile.OpHistogram
}

func nowhere(*tile.Op, layout.Linear) (layout.Linear, bool) { return layout.Linear{}, false }

func surely(f func(*tile.Op, layout.Linear) layout.Linear) func(*tile.Op, layout.Linear) (layout.Linear, bool) {
	return func(op *tile.Op, l layout.Linear) (layout.Linear, bool) { return f(op, l), true }
}

func ifJoined(_ *tile.Op, l layout.Linear) (layout.Linear, bool) {
	if !distribution.IsJoined(l) {
		return layout.Linear{}, false
	}
	return distribution.Unjoined(l), true
}

// OperandIn is the distribution in which an op that works in at requires its operand.
func OperandIn(op *tile.Op, at layout.Linear) layout.Linear {
	if f := Propagations[op.Kind].operand; f != nil {
		return f(op, at)
	}
	return at
}

// resultIn is the distribution of the results of an op that works in at.
func resultIn(op *tile.Op, at layout.Linear) layout.Linear {
	if f := Propagations[op.Kind].result; f != nil {
		return f(op, at)
	}
	return at
}

// atFromOperand is the distribution in which an op works if its operand is in l.
func atFromOperand(op *tile.Op, l layout.Linear) (layout.Linear, bool) {
	if f := Propagations[op.Kind].fromOperand; f != nil {
		return f(op, l)
	}
	return l, true
}

// atFromResult is the distribution in which an op works if its result is in l.
func atFromResult(op *tile.Op, l layout.Linear) (layout.Linear, bool) {
	if f := Propagations[op.Kind].fromResult; f != nil {
		return f(op, l)
	}
	return l, true
}

// Source follows a value back through ops that only rename elements: a value v used in
// l means that its source is used in the distribution returned.
func Source(v *tile.Value, l layout.Linear) (*tile.Value, layout.Linear) {
	for op := v.Op(); op != nil && Propagations[op.Kind].View; op = v.Op() {
		v, l = op.Args[0], OperandIn(op, l)
	}
	return v, l
}

// seen is the way forward: the distribution of v where its source is in l. There
// is none through a broadcast.
func seen(v *tile.Value, l layout.Linear) (layout.Linear, bool) {
	op := v.Op()
	if op == nil || !Propagations[op.Kind].View {
		return l, true
	}
	l, ok := seen(op.Args[0], l)
	if !ok {
		return l, false
	}
	return atFromOperand(op, l)
}

// maxRecomputed is the most ops that compute a value again rather than move it.
const maxRecomputed = 8

// recomputed is how many ops it takes to compute a tile again in any distribution, from
// nothing but scalars: an arange, a constant, and a few cheap ops on them. It is 0
// for values that are not worth it.
func recomputed(v *tile.Value, known map[*tile.Value]int) int {
	op := v.Op()
	if op == nil || v.Type().IsScalar() {
		return 0
	}
	if n, ok := known[v]; ok {
		return n
	}
	n := 0
	switch {
	case op.Kind == tile.OpIota || op.Kind == tile.OpConst || op.Kind == tile.OpSplat:
		n = 1
	case Propagations[op.Kind].View:
		n = recomputed(op.Args[0], known)
	case isCheap(op.Kind):
		n = 1
		for _, a := range op.Args {
			m := recomputed(a, known)
			if m == 0 {
				n = 0
				break
			}
			n += m
		}
	}
	if n > maxRecomputed {
		n = 0
	}
	known[v] = n
	return n
}

// isCheap reports whether an element-wise op is an instruction or two.
func isCheap(k tile.Kind) bool {
	switch k {
	case tile.OpDiv, tile.OpRem:
		return false
	case tile.OpNeg, tile.OpNot, tile.OpAbs, tile.OpCast, tile.OpBitcast, tile.OpSelect:
		return true
	}
	c := k.Fact().Class
	return c == tile.Binary || c == tile.Compare
}
