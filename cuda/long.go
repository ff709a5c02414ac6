package cuda

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/cstyle"
	"github.com/weftgpu/weft/simt"
)

// longTypes name the integers of 64 bits, for kernels that have some.
const longTypes = "typedef long long i64;\ntypedef unsigned long long u64;\n\n"

func isLong(e dtype.Type) bool { return e == dtype.I64 || e == dtype.U64 }

// hasLong reports whether a kernel computes with integers of 64 bits.
func hasLong(k *simt.Func) bool {
	long := func(v *simt.Value) bool { return isLong(v.Type.Elem) }
	var block func(b *simt.Block) bool
	block = func(b *simt.Block) bool {
		for _, op := range b.Ops {
			if slices.ContainsFunc(op.Out, long) || slices.ContainsFunc(op.Blocks(), block) {
				return true
			}
		}
		return false
	}
	return block(k.Body) || slices.ContainsFunc(k.Buffers, func(b *simt.Buffer) bool { return isLong(b.Elem) })
}

// long prints a constant of I64 or U64.
func long(e dtype.Type, x float64) cstyle.Expr {
	switch {
	case e == dtype.U64:
		return cstyle.Atom(strconv.FormatUint(dtype.Integer(e, x), 10) + "ull")
	case x == math.MinInt64:
		return cstyle.Atom("(-9223372036854775807ll - 1)").Computed() // 9223372036854775808 is no long long
	}
	return cstyle.Literal(strconv.FormatInt(int64(x), 10) + "ll")
}

// double prints a constant of F64.
func double(x float64) cstyle.Expr {
	if x != x || math.IsInf(x, 0) {
		return cstyle.Atom(fmt.Sprintf("__longlong_as_double(0x%016xll)", math.Float64bits(x))).Computed()
	}
	text := strconv.FormatFloat(x, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return cstyle.Literal(text)
}

// truncations are the functions that make integers of floats, and saturate. Of a NaN, these make what is none of the results that
// those of F32 to 32 bits have (PTX ISA, "cvt").
var truncations = map[[2]dtype.Type]string{
	{dtype.F32, dtype.I64}: "__float2ll_rz", {dtype.F32, dtype.U64}: "__float2ull_rz",
	{dtype.F64, dtype.I32}: "__double2int_rz", {dtype.F64, dtype.U32}: "__double2uint_rz",
	{dtype.F64, dtype.I64}: "__double2ll_rz", {dtype.F64, dtype.U64}: "__double2ull_rz",
}

// zeros are the integer 0 as C++ has it in each type.
var zeros = map[dtype.Type]string{dtype.I32: "0", dtype.U32: "0u", dtype.I64: "0ll", dtype.U64: "0ull"}

// truncate converts a float to an integer, NaN to 0.
func (w *writer) truncate(from, to dtype.Type, x cstyle.Expr) cstyle.Expr {
	name := "to_" + to.String()
	w.helpers.add(name+" "+from.String(), fmt.Sprintf("__device__ inline %s %s(%s a) {\n    return a != a ? %s : %s(a);\n}\n",
		registers[to], name, registers[from], zeros[to], truncations[[2]dtype.Type{from, to}]))
	return cstyle.Call(name, x)
}
