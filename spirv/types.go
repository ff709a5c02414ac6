package spirv

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// Types of ids that are no values of the kernel.
var (
	boolean = simt.Scalar(dtype.Bool)
	i32     = simt.Scalar(dtype.I32)
	u32     = simt.Scalar(dtype.U32)
)

// scalars are the types of elements, in registers and in memory. BF16 is what memory has of it, a word of 16 bits.
var scalars = map[dtype.Type]struct{ name, text, capability string }{
	dtype.Bool: {"bool", "OpTypeBool", ""},
	dtype.I8:   {"i8", "OpTypeInt 8 1", "Int8"},
	dtype.U8:   {"u8", "OpTypeInt 8 0", "Int8"},
	dtype.I16:  {"i16", "OpTypeInt 16 1", "Int16"},
	dtype.U16:  {"u16", "OpTypeInt 16 0", "Int16"},
	dtype.BF16: {"u16", "OpTypeInt 16 0", "Int16"},
	dtype.F16:  {"f16", "OpTypeFloat 16", "Float16"},
	dtype.I32:  {"i32", "OpTypeInt 32 1", ""},
	dtype.U32:  {"u32", "OpTypeInt 32 0", ""},
	dtype.F32:  {"f32", "OpTypeFloat 32", ""},
	dtype.I64:  {"i64", "OpTypeInt 64 1", "Int64"},
	dtype.U64:  {"u64", "OpTypeInt 64 0", "Int64"},
	dtype.F64:  {"f64", "OpTypeFloat 64", "Float64"},
}

func typeName(t simt.Type) string {
	if t.Width == 1 {
		return scalars[t.Elem].name
	}
	return fmt.Sprintf("%sx%d", scalars[t.Elem].name, t.Width)
}

// typ is the id of a type.
func (w *writer) typ(t simt.Type) string {
	if t.Matrix != (simt.MatrixShape{}) {
		return w.matrix(t)
	}
	s := scalars[t.Elem]
	if s.capability != "" {
		w.needs(s.capability, "")
	}
	scalar := w.global(s.name, s.text)
	if t.Width == 1 {
		return scalar
	}
	return w.global(typeName(t), fmt.Sprintf("OpTypeVector %s %d", scalar, t.Width))
}

// pointer is the id of a type of pointers.
func (w *writer) pointer(class, to string) string {
	return w.global("pointer_"+class+"_"+to[1:], "OpTypePointer "+class+" "+to)
}

// constant is the id of a number in all lanes.
func (w *writer) constant(t simt.Type, x float64) string {
	if t.Matrix != (simt.MatrixShape{}) {
		return w.matrixConstant(t, x)
	}
	name, text := number(t.Elem, x)
	switch {
	case t.Width > 1:
		lane := w.constant(simt.Scalar(t.Elem), x)
		return w.global(typeName(t)+"_"+name, "OpConstantComposite "+w.typ(t)+strings.Repeat(" "+lane, t.Width))
	case t.Elem == dtype.Bool:
		return w.global(name, text+" "+w.typ(t))
	}
	return w.global(typeName(t)+"_"+name, "OpConstant "+w.typ(t)+" "+text)
}

func (w *writer) int(n int) string { return w.constant(i32, float64(n)) }

func (w *writer) word(n uint32) string { return w.constant(u32, float64(n)) }

// number is a constant's name and its text.
func number(e dtype.Type, x float64) (name, text string) {
	switch {
	case e == dtype.Bool && x != 0:
		return "true", "OpConstantTrue"
	case e == dtype.Bool:
		return "false", "OpConstantFalse"
	case e == dtype.F32:
		text = floatText(float64(float32(x)), 32)
	case e == dtype.F64:
		text = floatText(x, 64)
	case e.IsSigned():
		text = strconv.FormatInt(int64(dtype.Integer(e, x)), 10)
		if e != dtype.I64 {
			text = strconv.FormatInt(int64(x), 10)
		}
	default:
		text = strconv.FormatUint(dtype.Integer(e, x), 10)
	}
	return strings.NewReplacer("-", "n", ".", "_", "+", "").Replace(text), text
}

// floatText is a float of so many bits as it is read back exactly. Infinities and NaN are hexadecimal, with an exponent beyond that of numbers.
func floatText(x float64, bits int) string {
	beyond := "p+128"
	if bits == 64 {
		beyond = "p+1024"
	}
	switch {
	case x != x:
		return "0x1.8" + beyond
	case math.IsInf(x, 1):
		return "0x1" + beyond
	case math.IsInf(x, -1):
		return "-0x1" + beyond
	}
	return strconv.FormatFloat(x, 'g', -1, bits)
}

// compose makes a vector of scalars and vectors.
func (w *writer) compose(t simt.Type, parts ...string) string {
	if len(parts) == 1 {
		return parts[0]
	}
	return w.pure("", "OpCompositeConstruct", t, parts...)
}

// lanes are n lanes of a vector of a type.
func (w *writer) lanes(t simt.Type, id string, from, n int) string {
	switch {
	case n == t.Width:
		return id
	case n == 1:
		return w.pure("", "OpCompositeExtract", simt.Scalar(t.Elem), id, strconv.Itoa(from))
	}
	operands := []string{id, id}
	for i := range n {
		operands = append(operands, strconv.Itoa(from+i))
	}
	return w.pure("", "OpVectorShuffle", simt.Type{Elem: t.Elem, Width: n}, operands...)
}

// splat is a scalar in all lanes.
func (w *writer) splat(t simt.Type, id string) string {
	parts := make([]string, t.Width)
	for i := range parts {
		parts[i] = id
	}
	return w.compose(t, parts...)
}
