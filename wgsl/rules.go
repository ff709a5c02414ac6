package wgsl

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/cstyle"
	"github.com/weftgpu/weft/simt"
)

// functions are the kinds that are calls of built-in functions, for scalars
// and vectors alike.
var functions = map[simt.Kind]string{
	simt.Abs: "abs", simt.Exp: "exp", simt.Exp2: "exp2", simt.Log: "log", simt.Log2: "log2",
	simt.Sqrt: "sqrt", simt.Rsqrt: "inverseSqrt",
	simt.Floor: "floor", simt.Ceil: "ceil", simt.Min: "min", simt.Max: "max", simt.FMA: "fma",
	simt.Round: "round", // ties to even
}

func scalarName(e dtype.Type) string { return e.String() } // bool, i32, u32 and f32 are WGSL's names too

func typeName(t simt.Type) string {
	if t.Matrix.Use != simt.NoMatrix {
		return matrixName(t)
	}
	if t.Width == 1 {
		return scalarName(t.Elem)
	}
	return fmt.Sprintf("vec%d<%s>", t.Width, scalarName(t.Elem))
}

// Const prints a constant.
func (w *writer) Const(t simt.Type, x float64) cstyle.Expr {
	e := w.number(t.Elem, x)
	if t.Width == 1 && t.Matrix.Use == simt.NoMatrix {
		return e
	}
	return cstyle.Call(typeName(t), e)
}

func (w *writer) number(elem dtype.Type, x float64) cstyle.Expr {
	switch elem {
	case dtype.Bool:
		return cstyle.Atom(strconv.FormatBool(x != 0))
	case dtype.I32:
		return cstyle.Integer(int(int32(x)))
	case dtype.U32:
		return cstyle.Atom(strconv.FormatUint(uint64(uint32(x)), 10) + "u")
	}
	f := float32(x)
	if bits := math.Float32bits(f); f != f || math.IsInf(float64(f), 0) || bits == 1<<31 {
		// A constant expression may be neither infinite nor NaN.
		return w.help("f32_from_bits", cstyle.Atom(fmt.Sprintf("0x%08xu", bits)))
	}
	return cstyle.Literal(decimal(f))
}

// decimal prints a finite number so that every compiler reads it exactly.
func decimal(f float32) string {
	text := strconv.FormatFloat(float64(f), 'g', -1, 32)
	mark := ""
	if size := math.Abs(float64(f)); size > 1e38 || f != 0 && size < 1e-37 {
		// Near the ends of the range f32's own shortest decimal may count as beyond it.
		text, mark = strconv.FormatFloat(float64(f), 'g', -1, 64), "f"
	}
	mantissa, exponent, found := strings.Cut(text, "e")
	if !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	if !found {
		return mantissa + mark
	}
	return mantissa + "e" + strings.TrimPrefix(exponent, "+") + mark
}

// Op prints a pure op.
func (w *writer) Op(op *simt.Op, args []cstyle.Expr) (cstyle.Expr, error) {
	t := op.Result().Type
	if constant(op) {
		args = append([]cstyle.Expr{}, args...)
		args[0] = w.Name(args[0], op.Args[0].Type, "value")
	}
	if name := functions[op.Kind]; name != "" {
		return cstyle.Call(name, args...), nil
	}
	if op.Kind == simt.Shl || op.Kind == simt.Shr {
		left := args[0]
		if _, ok := simt.ConstOf(op.Args[0]); ok && !constant(op) && op.Args[0].Type == simt.Scalar(dtype.I32) {
			left = cstyle.Call("i32", left) // wgpu's compiler takes no untyped number there
		}
		args = []cstyle.Expr{left, w.unsigned(op.Args[1], args[1])}
	}
	if len(op.Args) > 0 {
		if e, ok := cstyle.Operation(op.Kind, op.Args[0].Type, args); ok {
			return e, nil
		}
	}
	switch op.Kind {
	case simt.Param:
		return cstyle.Atom(w.params + "." + w.members[op.Word]), nil
	case simt.ThreadID:
		w.builtin(&w.thread, "thread_id")
		return cstyle.Call("i32", cstyle.Atom(w.thread)), nil
	case simt.WorkgroupID:
		w.builtin(&w.group, "workgroup")
		return cstyle.Call("i32", cstyle.Atom(w.group+"."+cstyle.Lane(op.Axis))), nil
	case simt.Sin, simt.Cos:
		quarters := 0.0
		if op.Kind == simt.Cos {
			quarters = 1
		}
		return w.help("sine"+suffix(t.Width), args[0], w.Const(simt.Vector(dtype.I32, t.Width), quarters)), nil
	case simt.Tanh, simt.Erf, simt.Log1p, simt.Expm1:
		return w.help(op.Kind.String()+"_of"+suffix(t.Width), args[0]), nil
	case simt.BitCount:
		return cstyle.Call("countOneBits", args[0]), nil
	case simt.MulHi:
		return w.help("mulhi"+suffix(t.Width), args...), nil
	case simt.Convert:
		return w.convert(op.Args[0].Type, t, args[0]), nil
	case simt.Bitcast:
		return cstyle.Call("bitcast<"+typeName(t)+">", args[0]), nil
	case simt.Round16:
		return w.round(op.Elem, t.Width, args[0]), nil
	case simt.Select:
		return cstyle.Call("select", args[2], args[1], args[0]), nil
	case simt.Unpack:
		return w.unpack(packed(op.Elem), args[0], t), nil
	case simt.Pack:
		return w.pack(packed(op.Elem), args[0], op.Args[0]), nil
	case simt.Compose:
		if e, ok := w.swizzle(op); ok {
			return e, nil
		}
		return cstyle.Call(typeName(t), args...), nil
	case simt.Splat:
		return cstyle.Call(typeName(t), args...), nil
	case simt.Extract:
		return cstyle.Member(args[0], cstyle.Lane(op.Lane)), nil
	case simt.ShuffleXor:
		return w.shuffle(op, args[0])
	case simt.CooperativeLoad:
		return w.loadMatrix(op, args[0]), nil
	case simt.CooperativeMulAdd:
		return cstyle.Call("subgroupMatrixMultiplyAccumulate", args...), nil
	}
	return cstyle.Expr{}, fault.New(fault.ErrUnsupported, "wgsl", "the op %v is not supported", op.Kind).At(op.Line)
}

// shuffle exchanges a value between the threads of a subgroup; truths travel as numbers.
func (w *writer) shuffle(op *simt.Op, x cstyle.Expr) (cstyle.Expr, error) {
	if size := w.caps.Subgroup(w.kernel.Threads); op.LaneMask >= size {
		return x, fault.New(fault.ErrUnsupported, "wgsl", "the op %v over %d lanes is not supported in subgroups of %d", op.Kind, op.LaneMask, size).At(op.Line)
	}
	w.subgroups = true
	t, mask := op.Result().Type, cstyle.Atom(strconv.Itoa(op.LaneMask)+"u")
	if t.Elem != dtype.Bool {
		return cstyle.Call("subgroupShuffleXor", x, mask), nil
	}
	bits := simt.Vector(dtype.U32, t.Width)
	return w.convert(bits, t, cstyle.Call("subgroupShuffleXor", w.convert(t, bits, x), mask)), nil
}

// swizzle prints the lanes of one vector, where nothing else names them, as "v.xy".
func (w *writer) swizzle(op *simt.Op) (cstyle.Expr, bool) {
	var from *simt.Value
	lanes := ""
	for _, a := range op.Args {
		_, inline := w.Inline(a)
		if !inline || a.Op == nil || a.Op.Kind != simt.Extract || from != nil && a.Op.Args[0] != from {
			return cstyle.Expr{}, false
		}
		from = a.Op.Args[0]
		lanes += cstyle.Lane(a.Op.Lane)
	}
	return cstyle.Member(w.Expr(from), lanes), true
}

// constant reports whether an op has constant operands alone. WGSL would
// evaluate it in the compiler and reject what overflows there.
func constant(op *simt.Op) bool {
	for _, a := range op.Args {
		if _, ok := simt.ConstOf(a); !ok {
			return false
		}
	}
	return op.Kind.IsElementwise()
}

// builtin names an argument of the entry point at its first use.
func (w *writer) builtin(name *string, hint string) {
	if *name == "" {
		*name = w.names.Unique(hint)
	}
}

// unsigned prints a shift's amount, which WGSL takes as u32.
func (w *writer) unsigned(v *simt.Value, e cstyle.Expr) cstyle.Expr {
	t := simt.Vector(dtype.U32, v.Type.Width)
	if x, ok := simt.ConstOf(v); ok {
		return w.Const(t, x)
	}
	if v.Type.Elem == dtype.U32 {
		return e
	}
	return cstyle.Call(typeName(t), e)
}

// convert prints a conversion between register types.
func (w *writer) convert(from, to simt.Type, x cstyle.Expr) cstyle.Expr {
	switch {
	case from == to:
		return x
	case to.Elem == dtype.Bool && from.Elem != dtype.F32:
		return cstyle.Infix("!=", cstyle.Compare, false, x, w.Const(from, 0))
	case from.Elem == dtype.F32:
		return w.help("f32_to_"+to.Elem.String()+suffix(to.Width), x)
	}
	return cstyle.Call(typeName(to), x)
}

// suffix tells apart the helpers for scalars and vectors.
func suffix(width int) string {
	if width == 1 {
		return ""
	}
	return "_x" + strconv.Itoa(width)
}
