package spirv

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/simt"
)

// by is an instruction for each class of operands: those that begin with Op, and others of the extended set.
type by struct{ float, signed, unsigned, boolean string }

// instructions are the kinds that are one, for scalars and vectors alike. Shifts of more than the width are arbitrary in both languages.
var instructions = map[simt.Kind]by{
	simt.Neg: {"OpFNegate", "OpSNegate", "", ""},
	simt.Not: {"", "OpNot", "OpNot", "OpLogicalNot"},
	simt.Abs: {"FAbs", "SAbs", "", ""}, simt.BitCount: {unsigned: "OpBitCount"},
	simt.Exp: {float: "Exp"}, simt.Exp2: {float: "Exp2"}, simt.Log: {float: "Log"}, simt.Log2: {float: "Log2"},
	simt.Sqrt: {float: "Sqrt"}, simt.Rsqrt: {float: "InverseSqrt"}, simt.Tanh: {float: "Tanh"},
	simt.Floor: {float: "Floor"}, simt.Ceil: {float: "Ceil"}, simt.Round: {float: "RoundEven"},

	simt.Add: {"OpFAdd", "OpIAdd", "OpIAdd", ""},
	simt.Sub: {"OpFSub", "OpISub", "OpISub", ""},
	simt.Mul: {"OpFMul", "OpIMul", "OpIMul", ""},
	simt.Div: {"OpFDiv", "OpSDiv", "OpUDiv", ""},
	simt.Rem: {unsigned: "OpUMod"},
	simt.Min: {"NMin", "SMin", "UMin", ""},
	simt.Max: {"NMax", "SMax", "UMax", ""},
	simt.And: {"", "OpBitwiseAnd", "OpBitwiseAnd", "OpLogicalAnd"},
	simt.Or:  {"", "OpBitwiseOr", "OpBitwiseOr", "OpLogicalOr"},
	simt.Xor: {"", "OpBitwiseXor", "OpBitwiseXor", "OpLogicalNotEqual"},
	simt.Shl: {"", "OpShiftLeftLogical", "OpShiftLeftLogical", ""},
	simt.Shr: {"", "OpShiftRightArithmetic", "OpShiftRightLogical", ""},

	simt.Eq: {"OpFOrdEqual", "OpIEqual", "OpIEqual", "OpLogicalEqual"},
	simt.Ne: {"OpFUnordNotEqual", "OpINotEqual", "OpINotEqual", "OpLogicalNotEqual"},
	simt.Lt: {"OpFOrdLessThan", "OpSLessThan", "OpULessThan", ""},
	simt.Le: {"OpFOrdLessThanEqual", "OpSLessThanEqual", "OpULessThanEqual", ""},
	simt.Gt: {"OpFOrdGreaterThan", "OpSGreaterThan", "OpUGreaterThan", ""},
	simt.Ge: {"OpFOrdGreaterThanEqual", "OpSGreaterThanEqual", "OpUGreaterThanEqual", ""},

	simt.Select: {"OpSelect", "OpSelect", "OpSelect", "OpSelect"},
	simt.FMA:    {float: "Fma"},
	simt.Splat:  {}, simt.Compose: {}, simt.Extract: {}, simt.Convert: {}, simt.Bitcast: {}, simt.MulHi: {},
	simt.Unpack: {}, simt.Pack: {}, simt.PairFMA: {}, simt.Param: {}, simt.ThreadID: {}, simt.WorkgroupID: {}, simt.ShuffleXor: {},
	simt.Sin: {}, simt.Cos: {}, simt.Erf: {}, simt.Log1p: {}, simt.Expm1: {}, simt.Round16: {},
}

func (b by) of(e dtype.Type) string {
	switch {
	case e == dtype.Bool:
		return b.boolean
	case e.IsFloat():
		return b.float
	case e.IsSigned():
		return b.signed
	}
	return b.unsigned
}

// value prints an op that computes a value of others.
func (w *writer) value(op *simt.Op) error {
	w.comment(op)
	id, err := w.compute(op, op.Result().Hint)
	w.set(op.Result(), id)
	return err
}

func (w *writer) compute(op *simt.Op, hint string) (string, error) {
	t, args := op.Result().Type, w.all(op.Args)
	if id, ok := w.call(op, args); ok {
		return id, nil
	}
	if t.Elem == dtype.F64 && op.Kind >= simt.Add && op.Kind <= simt.Div {
		return w.exact(instructions[op.Kind].float, t, args...), nil
	}
	if len(op.Args) > 0 {
		if name := instructions[op.Kind].of(op.Args[len(op.Args)-1].Type.Elem); name != "" {
			return w.math(hint, name, t, args...), nil
		}
	}
	switch op.Kind {
	case simt.Param:
		return w.param(op), nil
	case simt.ThreadID:
		return w.thread(), nil
	case simt.WorkgroupID:
		return w.workgroup(op.Axis), nil
	case simt.Rem: // Vulkan leaves OpSRem undefined for negative operands
		quotient := w.pure("", "OpSDiv", t, args...)
		return w.pure(hint, "OpISub", t, args[0], w.pure("", "OpIMul", t, quotient, args[1])), nil
	case simt.MulHi:
		return w.mulHi(t, args), nil
	case simt.Convert:
		return w.convert(op.Args[0].Type, t, args[0]), nil
	case simt.Bitcast:
		return w.bitcast(op.Args[0].Type, t, args[0]), nil
	case simt.Splat:
		if x, ok := simt.ConstOf(op.Args[0]); ok {
			return w.constant(t, x), nil
		}
		return w.splat(t, args[0]), nil
	case simt.Compose:
		if t.Matrix != (simt.MatrixShape{}) {
			return w.composeMatrix(op), nil
		}
		return w.compose(t, args...), nil
	case simt.Extract:
		if from := op.Args[0].Type; from.Matrix != (simt.MatrixShape{}) {
			return w.extractElement(from, args[0], op.Lane), nil
		}
		return w.lanes(op.Args[0].Type, args[0], op.Lane, 1), nil
	case simt.Unpack:
		return w.widen(op.Elem, t.Width, w.bitcast(op.Args[0].Type, w.inMemory(op.Elem, t.Width), args[0])), nil
	case simt.Pack:
		from := op.Args[0]
		return w.bitcast(w.inMemory(op.Elem, from.Type.Width), t, w.narrow(op.Elem, from, args[0])), nil
	case simt.PairFMA:
		if op.Elem != dtype.F16 || !w.caps.F16 {
			break
		}
		w.keepDenormals(op.Elem)
		pair := w.inMemory(op.Elem, 2)
		for i, x := range args {
			args[i] = w.bitcast(t, pair, x)
		}
		return w.bitcast(pair, t, w.math("", "Fma", pair, args...)), nil
	case simt.ShuffleXor:
		return w.shuffle(op, args[0])
	}
	return "", unsupported(op)
}

// math is an instruction, or one of the extended set.
func (w *writer) math(hint, name string, t simt.Type, args ...string) string {
	if strings.HasPrefix(name, "Op") {
		return w.pure(hint, name, t, args...)
	}
	return w.pure(hint, "OpExtInst", t, append([]string{"%glsl", name}, args...)...)
}

// mulHi is the high half of a product.
func (w *writer) mulHi(t simt.Type, args []string) string {
	word := w.typ(t)
	pair := w.global("product_"+typeName(t), fmt.Sprintf("OpTypeStruct %s %s", word, word))
	product := w.emit("", "OpUMulExtended", pair, args...)
	return w.pure("", "OpCompositeExtract", t, product, "1")
}

// Numbers of scopes, which instructions take as constants.
const (
	deviceScope    = 1
	workgroupScope = 2
	subgroupScope  = 3
)

// shuffle exchanges a value between the threads of a subgroup. Truths travel as numbers, and integers of 64 bits as words.
func (w *writer) shuffle(op *simt.Op, x string) (string, error) {
	if size := w.caps.Subgroup(w.kernel.Threads); op.LaneMask >= size {
		return "", fault.New(fault.ErrUnsupported, "spirv", "the op %v over %d lanes is not supported in subgroups of %d", op.Kind, op.LaneMask, size).At(op.Line)
	}
	w.needs("GroupNonUniform", "")
	w.needs("GroupNonUniformShuffle", "")
	t := op.Result().Type
	exchange := func(t simt.Type, x string) string {
		return w.emit("", "OpGroupNonUniformShuffleXor", w.typ(t), w.word(subgroupScope), x, w.word(uint32(op.LaneMask)))
	}
	words := simt.Type{Elem: dtype.U32, Width: t.Width}
	switch {
	case t.Elem == dtype.Bool:
		return w.convert(words, t, exchange(words, w.convert(t, words, x))), nil
	case t.Elem.Size() < 8:
		return exchange(t, x), nil
	}
	lane, pair := simt.Scalar(t.Elem), simt.Type{Elem: dtype.U32, Width: 2}
	parts := make([]string, t.Width)
	for i := range parts {
		parts[i] = w.bitcast(pair, lane, exchange(pair, w.bitcast(lane, pair, w.lanes(t, x, i, 1))))
	}
	return w.compose(t, parts...), nil
}

// atStart is what the entry point loads at its start, once for each key.
func (w *writer) atStart(what any, name string, lines func(id string) []string) string {
	id, ok := w.loaded[what]
	if !ok {
		id = w.id(name)
		w.loaded[what] = id
		w.fn.head = append(w.fn.head, lines(id)...)
	}
	return id
}

// input declares a variable that the device sets.
func (w *writer) input(builtin string, t simt.Type) string {
	typ := w.pointer("Input", w.typ(t))
	id := w.id(builtin)
	w.globals = append(w.globals, instruction(id, "OpVariable "+typ+" Input"))
	w.decorate("%s BuiltIn %s", id, builtin)
	w.inputs = append(w.inputs, id)
	return id
}

func (w *writer) thread() string {
	return w.atStart(simt.ThreadID, "thread", func(id string) []string {
		from, number := w.input("LocalInvocationIndex", u32), w.id("")
		return []string{instruction(number, "OpLoad "+w.typ(u32)+" "+from), instruction(id, "OpBitcast "+w.typ(i32)+" "+number)}
	})
}

func (w *writer) workgroup(axis int) string {
	three := w.global("u32x3", "OpTypeVector "+w.typ(u32)+" 3")
	all := w.atStart(simt.WorkgroupID, "workgroups", func(id string) []string {
		typ := w.pointer("Input", three)
		from := w.id("WorkgroupId")
		w.globals = append(w.globals, instruction(from, "OpVariable "+typ+" Input"))
		w.decorate("%s BuiltIn WorkgroupId", from)
		w.inputs = append(w.inputs, from)
		return []string{instruction(id, "OpLoad "+three+" "+from)}
	})
	return w.atStart(axis, "workgroup_"+"xyz"[axis:axis+1], func(id string) []string {
		number := w.id("")
		return []string{
			instruction(number, "OpCompositeExtract "+w.typ(u32)+" "+all+" "+strconv.Itoa(axis)),
			instruction(id, "OpBitcast "+w.typ(i32)+" "+number),
		}
	})
}

// param is a member of the uniform block.
func (w *writer) param(op *simt.Op) string {
	word := w.kernel.Words[op.Word]
	return w.atStart(&w.kernel.Words[op.Word], word.Name, func(id string) []string {
		block := w.paramBlock()
		t := w.typ(simt.Scalar(word.Elem))
		at := w.id("")
		return []string{
			instruction(at, fmt.Sprintf("OpAccessChain %s %s %s", w.pointer("Uniform", t), block, w.int(op.Word))),
			instruction(id, "OpLoad "+t+" "+at),
		}
	})
}

// paramBlock is the variable of the uniform block.
func (w *writer) paramBlock() string {
	members := make([]string, len(w.kernel.Words))
	for i, word := range w.kernel.Words {
		members[i] = w.typ(simt.Scalar(word.Elem))
	}
	if w.kernel.DeviceAddresses { // the addresses of buffers
		for range 2 * len(w.kernel.Buffers) {
			members = append(members, w.typ(u32))
		}
	}
	text := "OpTypeStruct " + strings.Join(members, " ")
	_, known := w.known[text]
	block := w.global("block_params", text)
	if !known {
		w.decorate("%s Block", block)
		for i := range members {
			w.decorations = append(w.decorations, instruction("", fmt.Sprintf("OpMemberDecorate %s %d Offset %d", block, i, 4*i)))
		}
		w.decorate("%%params DescriptorSet 0")
		w.decorate("%%params Binding %d", len(w.kernel.Buffers))
	}
	return w.global("params", "OpVariable "+w.pointer("Uniform", block)+" Uniform")
}
