package cuda

import (
	"fmt"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/cstyle"
	"github.com/weftgpu/weft/simt"
)

// wrapped are the kinds of which C++ gives a signed one that overflows no meaning, as operations on unsigned.
var wrapped = map[simt.Kind]string{
	simt.Neg: "%[2]s(0) - %[2]s(a)", simt.Add: "%[2]s(a) + %[2]s(b)",
	simt.Sub: "%[2]s(a) - %[2]s(b)", simt.Mul: "%[2]s(a) * %[2]s(b)",
}

// wrapping prints an op on signed integers by a helper that does it on unsigned ones.
func (w *writer) wrapping(kind simt.Kind, e dtype.Type, args []cstyle.Expr) cstyle.Expr {
	name, signed, unsigned := "wrap_"+kind.String(), registers[e], registers[dtype.U32]
	if e == dtype.I64 {
		unsigned = registers[dtype.U64]
	}
	params := strings.Join([]string{signed + " a", signed + " b"}[:len(args)], ", ")
	head := fmt.Sprintf("__device__ inline %s %s(%s)", signed, name, params)
	w.helpers.add(head, fmt.Sprintf(head+" {\n    return %[1]s("+wrapped[kind]+");\n}\n", signed, unsigned))
	return cstyle.Call(name, args...)
}

// lanesOf are scalars of the values' element types.
func lanesOf(vs []*simt.Value) []*simt.Value {
	scalars := make([]*simt.Value, len(vs))
	for i, v := range vs {
		scalars[i] = &simt.Value{Type: simt.Scalar(v.Type.Elem)}
	}
	return scalars
}
