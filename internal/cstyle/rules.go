package cstyle

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// Operator is an infix operator.
type Operator struct {
	Text string
	Prec Prec
}

// operators are the kinds that every C-like language writes as operators
// between integers and floats.
var operators = map[simt.Kind]Operator{
	simt.Add: {"+", Additive}, simt.Sub: {"-", Additive},
	simt.Mul: {"*", Multiplicative}, simt.Div: {"/", Multiplicative}, simt.Rem: {"%", Multiplicative},
	simt.And: {"&", BitAnd}, simt.Or: {"|", BitOr}, simt.Xor: {"^", BitXor},
	simt.Shl: {"<<", Shift}, simt.Shr: {">>", Shift},
	simt.Eq: {"==", Compare}, simt.Ne: {"!=", Compare},
	simt.Lt: {"<", Compare}, simt.Le: {"<=", Compare}, simt.Gt: {">", Compare}, simt.Ge: {">=", Compare},
}

// logical are the operators between scalar truth values. Vectors of them take
// the operators of integers, except that WGSL has no "^" for them.
var logical = map[simt.Kind]Operator{
	simt.And: {"&&", LogicalAnd}, simt.Or: {"||", LogicalOr}, simt.Xor: {"!=", Compare},
}

// OperatorOf returns the infix operator of a kind on operands of type t.
func OperatorOf(kind simt.Kind, t simt.Type) (Operator, bool) {
	if t.Elem == dtype.Bool && (t.Width == 1 || kind == simt.Xor) {
		if o, ok := logical[kind]; ok {
			return o, true
		}
	}
	o, ok := operators[kind]
	return o, ok
}

// Operation prints a kind with an infix or prefix operator; ok is false for
// kinds that have none.
func Operation(kind simt.Kind, t simt.Type, args []Expr) (e Expr, ok bool) {
	switch {
	case kind == simt.Neg:
		return Prefix("-", args[0]), true
	case kind == simt.Not && t.Elem == dtype.Bool:
		return Prefix("!", args[0]), true
	case kind == simt.Not:
		return Prefix("~", args[0]), true
	}
	o, ok := OperatorOf(kind, t)
	if !ok {
		return Expr{}, false
	}
	return Infix(o.Text, o.Prec, !t.Elem.IsFloat(), args[0], args[1]), true
}
