package tilepass

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/tile"
)

// canonicalise brings expressions into one form, so that what follows has fewer to recognise:
// constants stand on the right, integer constants are folded and gathered, and what changes
// nothing is removed. Nothing is assumed that does not hold for NaN, -0 and wrapping integers.
func canonicalise(k *Kernel) {
	c := &canon{k: k, to: map[*tile.Value]*tile.Value{}}
	c.region(k.Func.Body)
	k.ReplaceGrid(c.to)
}

// canon rewrites the ops of regions one after the other, operands before their uses.
type canon struct {
	k   *Kernel
	to  map[*tile.Value]*tile.Value // values that are others
	out []*tile.Op                  // of the region at hand
	pos tile.Pos
}

func (c *canon) region(r *tile.Region) {
	outer := c.out
	c.out = make([]*tile.Op, 0, len(r.Ops))
	for _, op := range r.Ops {
		for i, a := range op.Args {
			if v := c.to[a]; v != nil {
				op.Args[i] = v
			}
		}
		for _, body := range op.Regions() {
			c.region(body)
		}
		c.pos = op.Pos
		if v := c.simpler(op); v != nil {
			c.to[op.Result()] = v
			continue
		}
		c.out = append(c.out, op)
	}
	r.Ops, c.out = c.out, outer
}

// simpler brings an op into canonical form and returns the value that its result is, if there
// is one without it.
func (c *canon) simpler(op *tile.Op) *tile.Value {
	switch op.Kind.Fact().Class {
	case tile.Binary, tile.Compare:
		return c.binary(op)
	case tile.Ternary:
		return c.choice(op)
	case tile.Unary:
		return c.unary(op)
	case tile.Shape:
		return c.spread(op)
	}
	return nil
}

// commutative kinds may exchange their operands; floats may not for Min and Max, which
// may tell 0 from -0 and one NaN from another.
var commutative = map[tile.Kind]bool{tile.OpAdd: true, tile.OpMul: true, tile.OpMin: true, tile.OpMax: true,
	tile.OpAnd: true, tile.OpOr: true, tile.OpXor: true}

func (c *canon) binary(op *tile.Op) *tile.Value {
	x, y := op.Args[0], op.Args[1]
	elem := x.Type().Elem
	exact := elem.IsInt() && elem.Size() <= 4
	a, left := axis.Integer(x)
	b, right := axis.Integer(y)
	if left && right && exact {
		return c.number(op.Result().Type(), wrapTo(op.Result().Type().Elem, tile.EvalInt(op.Kind, a, b)))
	}
	if left && !right {
		switch flip := axis.Flipped[op.Kind]; {
		case commutative[op.Kind] && (exact || elem == dtype.Bool || op.Kind == tile.OpAdd || op.Kind == tile.OpMul):
			op.Args = []*tile.Value{y, x}
		case flip != tile.Invalid:
			op.Kind, op.Args = flip, []*tile.Value{y, x}
		}
		x, y, right, b = op.Args[0], op.Args[1], op.Args[1] == x, a
	}
	switch {
	case x == y && !elem.IsFloat():
		if v := c.alike(op, x); v != nil {
			return v
		}
	case elem.IsFloat() && isNeutralFloat(op):
		return x
	}
	if !exact || !right {
		return nil
	}
	if op.Kind == tile.OpSub {
		op.Kind, b = tile.OpAdd, int64(wrapTo(elem, -b))
		op.Args = []*tile.Value{x, c.number(y.Type(), float64(b))}
	}
	b = c.gather(op, b)
	if n, ok := neutral[op.Kind]; ok && wrapTo(elem, n) == float64(b) {
		return op.Args[0]
	}
	if n, ok := absorbing[op.Kind]; ok && n == b {
		return c.number(op.Result().Type(), 0)
	}
	return nil
}

// neutral is the right operand that leaves the left one as it is.
var neutral = map[tile.Kind]int64{tile.OpAdd: 0, tile.OpMul: 1, tile.OpDiv: 1, tile.OpAnd: -1,
	tile.OpOr: 0, tile.OpXor: 0, tile.OpShl: 0, tile.OpShr: 0}

// absorbing is the right operand that makes the result 0.
var absorbing = map[tile.Kind]int64{tile.OpMul: 0, tile.OpAnd: 0, tile.OpRem: 1}

// isNeutralFloat reports whether the right operand of an op on floats leaves the left one
// as it is: not 0 in a sum, since -0 + 0 is 0.
func isNeutralFloat(op *tile.Op) bool {
	y := op.Args[1].Op()
	for y != nil && y.Kind == tile.OpSplat {
		y = y.Args[0].Op()
	}
	return y != nil && y.Kind == tile.OpConst && y.Number == 1 && (op.Kind == tile.OpMul || op.Kind == tile.OpDiv)
}

// alike is an op on a value and itself, of integers or Bool.
func (c *canon) alike(op *tile.Op, x *tile.Value) *tile.Value {
	t := op.Result().Type()
	switch op.Kind {
	case tile.OpMin, tile.OpMax, tile.OpAnd, tile.OpOr:
		return x
	case tile.OpSub, tile.OpXor, tile.OpNe, tile.OpLt, tile.OpGt:
		return c.number(t, 0)
	case tile.OpEq, tile.OpLe, tile.OpGe:
		return c.number(t, 1)
	}
	return nil
}

// gather applies one constant instead of two: (x + a) + b is x + (a+b), also where it wraps. It
// returns the constant.
func (c *canon) gather(op *tile.Op, b int64) int64 {
	inner := op.Args[0].Op()
	if inner == nil || inner.Kind != op.Kind || !slices.Contains([]tile.Kind{tile.OpAdd, tile.OpMul, tile.OpAnd, tile.OpOr, tile.OpXor}, op.Kind) {
		return b
	}
	if a, ok := axis.Integer(inner.Args[1]); ok {
		t := op.Result().Type()
		b = int64(wrapTo(t.Elem, tile.EvalInt(op.Kind, a, b)))
		op.Args = []*tile.Value{inner.Args[0], c.number(t, float64(b))}
	}
	return b
}

func (c *canon) choice(op *tile.Op) *tile.Value {
	if op.Kind != tile.OpSelect {
		return nil
	}
	if holds, ok := axis.Integer(op.Args[0]); ok {
		return op.Args[2-holds]
	}
	if op.Args[1] == op.Args[2] {
		return op.Args[1]
	}
	if not := op.Args[0].Op(); not != nil && not.Kind == tile.OpNot {
		op.Args = []*tile.Value{not.Args[0], op.Args[2], op.Args[1]}
	}
	return nil
}

// negated is the comparison that holds where another does not, without NaN.
var negated = map[tile.Kind]tile.Kind{tile.OpEq: tile.OpNe, tile.OpNe: tile.OpEq,
	tile.OpLt: tile.OpGe, tile.OpGe: tile.OpLt, tile.OpGt: tile.OpLe, tile.OpLe: tile.OpGt}

func (c *canon) unary(op *tile.Op) *tile.Value {
	x := op.Args[0]
	inner := x.Op()
	t := op.Result().Type()
	if n, ok := axis.Integer(x); ok && op.Kind == tile.OpCast && x.Type().Elem != dtype.Bool && t.Elem.IsInt() && t.Elem.Size() <= 4 {
		return c.number(t, wrapTo(t.Elem, n))
	}
	if inner == nil {
		return nil
	}
	switch {
	case inner.Kind == op.Kind && (op.Kind == tile.OpNeg || op.Kind == tile.OpNot):
		return inner.Args[0]
	case op.Kind == tile.OpNot && negated[inner.Kind] != tile.Invalid && !inner.Args[0].Type().Elem.IsFloat():
		op.Kind, op.Args = negated[inner.Kind], inner.Args
	case op.Kind == tile.OpCast && inner.Kind == tile.OpCast && keeps(inner.Args[0].Type().Elem, x.Type().Elem):
		if inner.Args[0].Type().Elem == t.Elem {
			return inner.Args[0]
		}
		op.Args = []*tile.Value{inner.Args[0]}
	}
	return nil
}

// keeps reports whether an element type holds all values of another.
func keeps(from, to dtype.Type) bool {
	switch {
	case from.IsFloat():
		return to == dtype.F64 || to == dtype.F32 && from != dtype.F64
	case from.IsInt() && to.IsInt():
		return to.Size() > from.Size() && (to.IsSigned() || !from.IsSigned())
	}
	return false
}

func (c *canon) spread(op *tile.Op) *tile.Value {
	if op.Kind != tile.OpSplat && op.Kind != tile.OpBroadcast && op.Kind != tile.OpReshape && op.Kind != tile.OpPermute {
		return nil
	}
	x := op.Args[0].Op()
	t := op.Result().Type()
	switch {
	case x == nil:
	case x.Kind == tile.OpConst:
		return c.number(t, x.Number)
	case x.Kind == tile.OpSplat:
		op.Kind, op.Args, op.Perm = tile.OpSplat, x.Args, nil
	case op.Args[0].Type().Equal(t) && op.Kind != tile.OpPermute:
		return op.Args[0]
	}
	return nil
}

// wrapTo is an integer as one of a type of up to 32 bits, or as Bool.
func wrapTo(e dtype.Type, x int64) float64 {
	switch e {
	case dtype.I8:
		return float64(int8(x))
	case dtype.U8:
		return float64(uint8(x))
	case dtype.I16:
		return float64(int16(x))
	case dtype.U16:
		return float64(uint16(x))
	case dtype.U32:
		return float64(uint32(x))
	}
	return float64(int32(x))
}

// number is a constant, made where the op at hand stands.
func (c *canon) number(t tile.Type, x float64) *tile.Value {
	ops, err := c.k.Describe(c.pos, func(b *tile.Builder) {
		if t.IsScalar() {
			b.Const(t.Elem, x)
		} else {
			b.Full(t.Elem, x, t.Shape...)
		}
	})
	if err != nil {
		c.k.err = err
		return nil
	}
	c.out = append(c.out, ops...)
	return ops[0].Result()
}
