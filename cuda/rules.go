package cuda

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/cstyle"
	"github.com/weftgpu/weft/simt"
)

// functions are the kinds that are calls, for floats and for integers.
var functions = map[simt.Kind]struct{ float, integer string }{
	simt.Abs: {"fabsf", "abs"}, simt.Min: {"fminf", "min"}, simt.Max: {"fmaxf", "max"}, simt.MulHi: {"", "__umulhi"},
	simt.Exp: {"expf", ""}, simt.Exp2: {"exp2_flushed", ""}, simt.Log: {"logf", ""}, simt.Log2: {"log2f", ""},
	simt.Sqrt: {"sqrtf", ""}, simt.Rsqrt: {"rsqrtf", ""}, simt.Sin: {"sinf", ""}, simt.Cos: {"cosf", ""},
	simt.Tanh: {"tanhf", ""}, simt.Floor: {"floorf", ""}, simt.Ceil: {"ceilf", ""}, simt.FMA: {"fmaf", ""},
	simt.Round: {"rintf", ""}, simt.Erf: {"erff", ""}, simt.Log1p: {"log1pf", ""}, simt.Expm1: {"expm1f", ""},
}

// exp2 gives 0 for subnormal results: exp2f is the same instruction with a scaling around it for those, three instructions more.
const exp2 = `__device__ inline float exp2_flushed(float a) {
    float x;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(a));
    return x;
}
`

// doubles are the functions of F64 whose names are not those of F32 without the last letter.
var doubles = map[simt.Kind]string{simt.Exp2: "exp2", simt.Min: "fmin", simt.Max: "fmax"}

// functionOf is what computes a kind on an element type.
func functionOf(kind simt.Kind, e dtype.Type) string {
	f := functions[kind]
	switch name := doubles[kind]; {
	case !e.IsFloat():
		return f.integer
	case e != dtype.F64:
		return f.float
	case name != "":
		return name
	}
	return strings.TrimSuffix(f.float, "f")
}

// Const prints a constant.
func (w *writer) Const(t simt.Type, x float64) cstyle.Expr {
	return w.splat(t, number(t.Elem, x))
}

// splat repeats a scalar.
func (w *writer) splat(t simt.Type, x cstyle.Expr) cstyle.Expr {
	if t.Width == 1 {
		return x
	}
	name := fmt.Sprintf("splat%d", t.Width)
	head := fmt.Sprintf("__device__ inline %s %s(%s a)", w.typeName(t), name, registers[t.Elem])
	w.helpers.add(head, fmt.Sprintf("%s {\n    return {%s};\n}\n", head, strings.Join(slices.Repeat([]string{"a"}, t.Width), ", ")))
	return cstyle.Call(name, x)
}

func (w *writer) compose(t simt.Type, lanes []cstyle.Expr) cstyle.Expr {
	texts := make([]string, len(lanes))
	for i, e := range lanes {
		texts[i] = e.Text
	}
	return cstyle.Atom(w.typeName(t) + "{" + strings.Join(texts, ", ") + "}")
}

func number(elem dtype.Type, x float64) cstyle.Expr {
	switch elem {
	case dtype.Bool:
		return cstyle.Atom(strconv.FormatBool(x != 0))
	case dtype.I32:
		if x == math.MinInt32 {
			return cstyle.Atom("(-2147483647 - 1)").Computed() // 2147483648 is no int
		}
		return cstyle.Literal(strconv.Itoa(int(int32(x))))
	case dtype.U32:
		return cstyle.Atom(strconv.FormatUint(uint64(uint32(x)), 10) + "u")
	}
	if isLong(elem) {
		return long(elem, x)
	}
	if elem == dtype.F64 {
		return double(x)
	}
	f := float32(x)
	if f != f || math.IsInf(float64(f), 0) {
		return cstyle.Atom(fmt.Sprintf("__int_as_float(0x%08x)", math.Float32bits(f))).Computed()
	}
	text := strconv.FormatFloat(float64(f), 'g', -1, 32)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return cstyle.Literal(text + "f")
}

// sameInWarp is an unsigned number that all threads of a warp agree on, taken from one of them: the compiler keeps it in registers that a warp has once, as
// descriptors of matrices need it.
func sameInWarp(number string) cstyle.Expr {
	return cstyle.Call("int", cstyle.Call("__shfl_sync", cstyle.Atom("0xffffffffu"), cstyle.Atom(number), cstyle.Atom("0")))
}

// Op prints a pure op or a shuffle. Element-wise ops on vectors call, or are,
// overloads that do what the scalar op does lane by lane.
func (w *writer) Op(op *simt.Op, args []cstyle.Expr) (cstyle.Expr, error) {
	switch t := op.Result().Type; op.Kind {
	case simt.Splat:
		return w.splat(t, args[0]), nil
	case simt.Compose:
		return w.compose(t, args), nil
	case simt.Extract:
		return cstyle.Member(args[0], cstyle.Lane(op.Lane)), nil
	case simt.Param:
		return cstyle.Atom(w.words[op.Word]), nil
	case simt.ThreadID:
		return cstyle.Call("int", cstyle.Atom(w.threadNumber())), nil
	case simt.ConsumerID:
		return sameInWarp(fmt.Sprintf("threadIdx.x / %d", w.kernel.Threads)), nil
	case simt.WarpgroupID:
		return sameInWarp(fmt.Sprintf("%s / %d", w.threadNumber(), simt.WarpgroupMMA.Threads)), nil
	case simt.WorkgroupID:
		return cstyle.Call("int", cstyle.Atom("blockIdx."+cstyle.Lane(op.Axis))), nil
	case simt.Unpack:
		return w.unpack(op.Elem, t, args[0]), nil
	case simt.Pack:
		return w.pack(op.Elem, op.Args[0].Type, args[0]), nil
	case simt.PairFMA:
		return w.pairFMA(op.Elem, args), nil
	case simt.PickBytes:
		return w.pickBytes(op, args), nil
	case simt.AndXor:
		return w.andXor(args), nil
	case simt.MMA:
		return w.mma(op, args), nil
	case simt.MatrixPlace:
		return w.matrixPlace(op, args[0]), nil
	case simt.LoadMatrix:
		return w.loadMatrix(op, args[0]), nil
	case simt.Convert, simt.Bitcast:
		if t == op.Args[0].Type {
			return args[0], nil
		}
	}
	e, ok := w.scalar(op, args)
	if !ok {
		return e, fault.New(fault.ErrUnsupported, "cuda", "the op %v is not supported", op.Kind).At(op.Line)
	}
	if op.Result().Type.Width == 1 {
		return e, nil
	}
	return w.lift(op, args)
}

// scalar prints an element-wise op of scalars.
func (w *writer) scalar(op *simt.Op, args []cstyle.Expr) (cstyle.Expr, bool) {
	from := op.Result().Type.Elem
	if len(op.Args) > 0 {
		from = op.Args[0].Type.Elem
	}
	if f, ok := functions[op.Kind]; ok {
		if op.Kind == simt.Exp2 && from == dtype.F32 {
			w.helpers.add(f.float, exp2)
		}
		return cstyle.Call(functionOf(op.Kind, from), args...), true
	}
	if from.IsSigned() && from.IsInt() && op.Wraps {
		return w.wrapping(op.Kind, from, args), true
	}
	if e, ok := cstyle.Operation(op.Kind, simt.Scalar(from), args); ok {
		return e, true
	}
	switch op.Kind {
	case simt.Convert:
		if to := op.Result().Type.Elem; from == dtype.F32 && isLong(to) || from == dtype.F64 && to.IsInt() {
			return w.truncate(from, to, args[0]), true
		}
		return convert(from, op.Result().Type.Elem, args[0]), true
	case simt.Bitcast:
		return bitcast(from, op.Result().Type.Elem, args[0]), true
	case simt.BitCount:
		return cstyle.Call("unsigned", cstyle.Call("__popc", args[0])), true
	case simt.Round16:
		e := op.Elem
		if e == dtype.BF16 && w.helpers.arch >= 80 {
			w.helpers.add("round_bf16", roundBF16)
			return cstyle.Call("round_bf16", args[0]), true
		}
		w.memoryType(e, 1)
		return w.widen(e, 1, w.narrow(e, 1, args[0])), true
	case simt.Select:
		return conditional(args[0], args[1], args[2]), true
	case simt.ShuffleXor:
		return w.shuffle(op, args[0]), true
	case simt.Ballot:
		return cstyle.Call("__ballot_sync", cstyle.Atom("0xffffffffu"), args[0]), true
	case simt.SharedRank:
		return w.sharedRank(op, args[0]), true
	}
	return cstyle.Expr{}, false
}

func conditional(cond, x, y cstyle.Expr) cstyle.Expr {
	text := fmt.Sprintf("%s ? %s : %s", cstyle.Paren(cond, cstyle.LogicalOr), cstyle.Paren(x, cstyle.LogicalOr), cstyle.Paren(y, cstyle.LogicalOr))
	return cstyle.Expr{Text: text, Prec: cstyle.Ternary}
}

func convert(from, to dtype.Type, x cstyle.Expr) cstyle.Expr {
	switch {
	case to == dtype.Bool:
		return cstyle.Infix("!=", cstyle.Compare, false, x, number(from, 0))
	case from == dtype.F32 && to == dtype.I32:
		return cstyle.Call("__float2int_rz", x)
	case from == dtype.F32 && to == dtype.U32:
		return cstyle.Call("__float2uint_rz", x)
	}
	return cstyle.Call(registers[to], x)
}

func bitcast(from, to dtype.Type, x cstyle.Expr) cstyle.Expr {
	switch {
	case from == dtype.F32 && to == dtype.I32:
		return cstyle.Call("__float_as_int", x)
	case from == dtype.F32:
		return cstyle.Call("__float_as_uint", x)
	case from == dtype.F64:
		return cstyle.Call(registers[to], cstyle.Call("__double_as_longlong", x))
	case to == dtype.F64:
		return cstyle.Call("__longlong_as_double", cstyle.Call("i64", x))
	case to == dtype.F32 && from == dtype.I32:
		return cstyle.Call("__int_as_float", x)
	case to == dtype.F32:
		return cstyle.Call("__uint_as_float", x)
	}
	return cstyle.Call(registers[to], x)
}

// shuffle exchanges a value between the threads of a warp.
func (w *writer) shuffle(op *simt.Op, x cstyle.Expr) cstyle.Expr {
	members := uint64(1)<<min(32, w.kernel.Threads) - 1
	e := cstyle.Call("__shfl_xor_sync", cstyle.Atom(fmt.Sprintf("0x%xu", members)), x, cstyle.Atom(strconv.Itoa(op.LaneMask)))
	if op.Result().Type.Elem == dtype.Bool {
		return cstyle.Infix("!=", cstyle.Compare, false, e, cstyle.Atom("0"))
	}
	return e
}
