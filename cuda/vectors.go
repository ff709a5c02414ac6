package cuda

import (
	"fmt"
	"strings"

	"github.com/weftgpu/weft/internal/cstyle"
	"github.com/weftgpu/weft/simt"
)

// lift prints an element-wise op of vectors: an operator, or a call, that is
// overloaded to do the scalar op lane by lane.
func (w *writer) lift(op *simt.Op, args []cstyle.Expr) (cstyle.Expr, error) {
	types := make([]simt.Type, len(op.Args))
	for i, a := range op.Args {
		types[i] = a.Type
	}
	t := op.Args[0].Type
	if _, ok := cstyle.Operation(op.Kind, t, args[:min(len(args), 2)]); ok && len(args) <= 2 && (len(args) == 2 || isPrefix(op.Kind)) {
		e, _ := cstyle.Operation(op.Kind, t, args)
		w.overload("operator"+operatorText(op.Kind, t), op, types)
		return e.Overloaded(), nil
	}
	name := w.overloadName(op)
	w.overload(name, op, types)
	return cstyle.Call(name, args...), nil
}

// overload is a function on vectors, of at most three.
type overload struct {
	name   string
	result simt.Type
	params [3]simt.Type
}

func isPrefix(k simt.Kind) bool { return k == simt.Neg || k == simt.Not }

// operatorText is the operator of a kind on vectors.
func operatorText(k simt.Kind, t simt.Type) string {
	if o, ok := cstyle.OperatorOf(k, t); ok {
		return o.Text
	}
	e, _ := cstyle.Operation(k, t, []cstyle.Expr{cstyle.Atom("")})
	return e.Text
}

// overloadName is the function that does a kind on vectors.
func (w *writer) overloadName(op *simt.Op) string {
	switch op.Kind {
	case simt.Convert:
		return "to_" + op.Result().Type.Elem.String()
	case simt.Bitcast:
		return "as_" + op.Result().Type.Elem.String()
	case simt.Round16:
		return "round_" + op.Elem.String()
	case simt.Select:
		return "select"
	case simt.BitCount:
		return "bit_count"
	case simt.ShuffleXor:
		return fmt.Sprintf("shuffle_xor_%d", op.LaneMask)
	}
	return functionOf(op.Kind, op.Args[0].Type.Elem)
}

// overload declares a function on vectors by what it does to one lane.
func (w *writer) overload(name string, op *simt.Op, types []simt.Type) {
	result := op.Result().Type
	key := overload{name: name, result: result}
	copy(key.params[:], types)
	if w.overloads[key] {
		return
	}
	w.overloads[key] = true
	params := make([]string, len(types))
	for i, t := range types {
		params[i] = w.typeName(t) + " " + "abc"[i:i+1]
	}
	lanes := make([]string, result.Width)
	for lane := range lanes {
		operands := make([]cstyle.Expr, len(types))
		for i := range operands {
			operands[i] = cstyle.Member(cstyle.Atom("abc"[i:i+1]), cstyle.Lane(lane))
		}
		scalar := *op
		scalar.Args, scalar.Out = lanesOf(op.Args), lanesOf(op.Out)
		scalar.Wraps = wrapped[op.Kind] != "" // one overload is for all
		e, _ := w.scalar(&scalar, operands)
		lanes[lane] = e.Text
	}
	resultName := w.typeName(result)
	head := fmt.Sprintf("__device__ inline %s %s(%s)", resultName, name, strings.Join(params, ", "))
	w.helpers.add(head, fmt.Sprintf("%s {\n    return {%s};\n}\n", head, strings.Join(lanes, ", ")))
}
