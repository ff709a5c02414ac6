package cuda

import (
	"math"
	"slices"
	"strconv"

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

// longConversions are those of floats, which saturate; the instructions make of a NaN what
// is none of the results that 32 bits have (PTX ISA, "cvt").
var longConversions = map[dtype.Type]string{
	dtype.I64: "__device__ inline i64 to_i64(float a) {\n    return a != a ? 0ll : __float2ll_rz(a);\n}\n",
	dtype.U64: "__device__ inline u64 to_u64(float a) {\n    return a != a ? 0ull : __float2ull_rz(a);\n}\n",
}

// toLong converts a float.
func (w *writer) toLong(e dtype.Type, x cstyle.Expr) cstyle.Expr {
	w.helpers.add("to_"+e.String()+" f32", longConversions[e])
	return cstyle.Call("to_"+e.String(), x)
}
