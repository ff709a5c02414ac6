package ops

import "github.com/weftgpu/weft"

// The functions of the table in elementwise.go. For all of them: operands are broadcast to one
// shape as in NumPy, any views will do, and a Go number stands for an operand of the others'
// element type (but not for all operands). Element types are those that Elementwise lists.
// The form with Into writes into out, of the result's shape and element type, which
// may be the same view as an operand of its type.
//
// Errors: ErrShape for shapes that do not fit, ErrArgument for nil, element types that do not fit or a
// number that is none of its type, ErrUnsupported for an element type that the function does not take, or
// if out repeats elements or overlaps an operand otherwise, ErrDevice, ErrClosed, ErrLimit, ErrOutOfMemory.

// Neg returns -x; integers wrap.
func Neg(x *weft.Tensor) (*weft.Tensor, error) { return apply("neg", x) }

// NegInto is Neg into a given tensor.
func NegInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("neg", out, x) }

// Abs returns |x|; for the least integer of a type, the result is that integer.
func Abs(x *weft.Tensor) (*weft.Tensor, error) { return apply("abs", x) }

// AbsInto is Abs into a given tensor.
func AbsInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("abs", out, x) }

// Exp returns e to the power x.
func Exp(x *weft.Tensor) (*weft.Tensor, error) { return apply("exp", x) }

// ExpInto is Exp into a given tensor.
func ExpInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("exp", out, x) }

// Exp2 returns 2 to the power x.
func Exp2(x *weft.Tensor) (*weft.Tensor, error) { return apply("exp2", x) }

// Exp2Into is Exp2 into a given tensor.
func Exp2Into(out *weft.Tensor, x *weft.Tensor) error { return applyInto("exp2", out, x) }

// Expm1 returns e to the power x, minus 1, accurate near 0.
func Expm1(x *weft.Tensor) (*weft.Tensor, error) { return apply("expm1", x) }

// Expm1Into is Expm1 into a given tensor.
func Expm1Into(out *weft.Tensor, x *weft.Tensor) error { return applyInto("expm1", out, x) }

// Log returns the natural logarithm of x.
func Log(x *weft.Tensor) (*weft.Tensor, error) { return apply("log", x) }

// LogInto is Log into a given tensor.
func LogInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("log", out, x) }

// Log2 returns the logarithm of x to base 2.
func Log2(x *weft.Tensor) (*weft.Tensor, error) { return apply("log2", x) }

// Log2Into is Log2 into a given tensor.
func Log2Into(out *weft.Tensor, x *weft.Tensor) error { return applyInto("log2", out, x) }

// Log1p returns the natural logarithm of 1 + x, accurate near 0.
func Log1p(x *weft.Tensor) (*weft.Tensor, error) { return apply("log1p", x) }

// Log1pInto is Log1p into a given tensor.
func Log1pInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("log1p", out, x) }

// Sqrt returns the square root of x.
func Sqrt(x *weft.Tensor) (*weft.Tensor, error) { return apply("sqrt", x) }

// SqrtInto is Sqrt into a given tensor.
func SqrtInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("sqrt", out, x) }

// Rsqrt returns 1/√x.
func Rsqrt(x *weft.Tensor) (*weft.Tensor, error) { return apply("rsqrt", x) }

// RsqrtInto is Rsqrt into a given tensor.
func RsqrtInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("rsqrt", out, x) }

// Sin returns the sine of x radians, of any finite number within 2^-22 and a rounding to the type, and NaN
// of infinities.
func Sin(x *weft.Tensor) (*weft.Tensor, error) { return apply("sin", x) }

// SinInto is Sin into a given tensor.
func SinInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("sin", out, x) }

// Cos returns the cosine of x radians; see Sin.
func Cos(x *weft.Tensor) (*weft.Tensor, error) { return apply("cos", x) }

// CosInto is Cos into a given tensor.
func CosInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("cos", out, x) }

// Tanh returns the hyperbolic tangent of x.
func Tanh(x *weft.Tensor) (*weft.Tensor, error) { return apply("tanh", x) }

// TanhInto is Tanh into a given tensor.
func TanhInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("tanh", out, x) }

// Sigmoid returns 1/(1 + exp(-x)).
func Sigmoid(x *weft.Tensor) (*weft.Tensor, error) { return apply("sigmoid", x) }

// SigmoidInto is Sigmoid into a given tensor.
func SigmoidInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("sigmoid", out, x) }

// Erf returns the error function of x.
func Erf(x *weft.Tensor) (*weft.Tensor, error) { return apply("erf", x) }

// ErfInto is Erf into a given tensor.
func ErfInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("erf", out, x) }

// ReLU returns the larger of x and 0; of a NaN it is either.
func ReLU(x *weft.Tensor) (*weft.Tensor, error) { return apply("relu", x) }

// ReLUInto is ReLU into a given tensor.
func ReLUInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("relu", out, x) }

// GELU returns x·Φ(x), Φ being the normal distribution (Hendrycks and Gimpel, "Gaussian Error Linear
// Units", 2016).
func GELU(x *weft.Tensor) (*weft.Tensor, error) { return apply("gelu", x) }

// GELUInto is GELU into a given tensor.
func GELUInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("gelu", out, x) }

// GELUTanh returns the approximation of GELU by tanh.
func GELUTanh(x *weft.Tensor) (*weft.Tensor, error) { return apply("gelu_tanh", x) }

// GELUTanhInto is GELUTanh into a given tensor.
func GELUTanhInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("gelu_tanh", out, x) }

// SiLU returns x·sigmoid(x), also called swish.
func SiLU(x *weft.Tensor) (*weft.Tensor, error) { return apply("silu", x) }

// SiLUInto is SiLU into a given tensor.
func SiLUInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("silu", out, x) }

// SwiGLU returns gate·sigmoid(gate)·up, what stands between the layers of the MLP of a Llama (Shazeer, GLU
// Variants Improve Transformer, 2020), rounded once. gate and up may be views of one tensor, the result of
// one product with the weights of both:
//
//	both, err := ops.Linear(x, weights, nil) // […,2·F]
//	gate, err := both.Slice(-1, 0, f)
//	up, err := both.Slice(-1, f, 2*f)
//	y, err := ops.SwiGLU(gate, up)
//
// Where the weights are two tensors, the second product applies it before it stores:
//
//	up, err := ops.Linear(x, wUp, nil)
//	y, err := ops.Linear(x, wGate, nil, ops.Fuse(ops.SwiGLUMap, up))
func SwiGLU(gate, up weft.TensorOrNumber) (*weft.Tensor, error) { return apply("swiglu", gate, up) }

// SwiGLUInto is SwiGLU into a given tensor.
func SwiGLUInto(out *weft.Tensor, gate, up weft.TensorOrNumber) error {
	return applyInto("swiglu", out, gate, up)
}

// Softplus returns ln(1 + eˣ), a smooth ReLU.
func Softplus(x *weft.Tensor) (*weft.Tensor, error) { return apply("softplus", x) }

// SoftplusInto is Softplus into a given tensor.
func SoftplusInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("softplus", out, x) }

// Floor returns the largest integer that is not above x.
func Floor(x *weft.Tensor) (*weft.Tensor, error) { return apply("floor", x) }

// FloorInto is Floor into a given tensor.
func FloorInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("floor", out, x) }

// Ceil returns the smallest integer that is not below x.
func Ceil(x *weft.Tensor) (*weft.Tensor, error) { return apply("ceil", x) }

// CeilInto is Ceil into a given tensor.
func CeilInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("ceil", out, x) }

// Round returns the integer nearest to x, ties to the even one.
func Round(x *weft.Tensor) (*weft.Tensor, error) { return apply("round", x) }

// RoundInto is Round into a given tensor.
func RoundInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("round", out, x) }

// Not returns the complement: of the bits of an integer, or the negation of a Bool.
func Not(x *weft.Tensor) (*weft.Tensor, error) { return apply("not", x) }

// NotInto is Not into a given tensor.
func NotInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("not", out, x) }

// Sub returns a - b; integers wrap.
func Sub(a, b weft.TensorOrNumber) (*weft.Tensor, error) { return apply("sub", a, b) }

// SubInto is Sub into a given tensor.
func SubInto(out *weft.Tensor, a, b weft.TensorOrNumber) error { return applyInto("sub", out, a, b) }

// Mul returns a · b; integers wrap.
func Mul(a, b weft.TensorOrNumber) (*weft.Tensor, error) { return apply("mul", a, b) }

// MulInto is Mul into a given tensor.
func MulInto(out *weft.Tensor, a, b weft.TensorOrNumber) error { return applyInto("mul", out, a, b) }

// Div returns a / b. Integers truncate toward zero, and x / 0 is x.
func Div(a, b weft.TensorOrNumber) (*weft.Tensor, error) { return apply("div", a, b) }

// DivInto is Div into a given tensor.
func DivInto(out *weft.Tensor, a, b weft.TensorOrNumber) error { return applyInto("div", out, a, b) }

// Rem returns the remainder of a / b with the sign of a, as Go's % does; of integers by 0 it is 0. That of floats is exact, whatever
// their sizes, as C's fmod is; by 0 and of infinities it is NaN.
func Rem(a, b weft.TensorOrNumber) (*weft.Tensor, error) { return apply("rem", a, b) }

// RemInto is Rem into a given tensor.
func RemInto(out *weft.Tensor, a, b weft.TensorOrNumber) error { return applyInto("rem", out, a, b) }

// Maximum returns the larger of a and b; of one NaN it is the other or NaN.
func Maximum(a, b weft.TensorOrNumber) (*weft.Tensor, error) { return apply("maximum", a, b) }

// MaximumInto is Maximum into a given tensor.
func MaximumInto(out *weft.Tensor, a, b weft.TensorOrNumber) error {
	return applyInto("maximum", out, a, b)
}

// Minimum returns the smaller of a and b; of one NaN it is the other or NaN.
func Minimum(a, b weft.TensorOrNumber) (*weft.Tensor, error) { return apply("minimum", a, b) }

// MinimumInto is Minimum into a given tensor.
func MinimumInto(out *weft.Tensor, a, b weft.TensorOrNumber) error {
	return applyInto("minimum", out, a, b)
}

// And returns the conjunction of Bools or of the bits of integers.
func And(a, b weft.TensorOrNumber) (*weft.Tensor, error) { return apply("and", a, b) }

// AndInto is And into a given tensor.
func AndInto(out *weft.Tensor, a, b weft.TensorOrNumber) error { return applyInto("and", out, a, b) }

// Or returns the disjunction of Bools or of the bits of integers.
func Or(a, b weft.TensorOrNumber) (*weft.Tensor, error) { return apply("or", a, b) }

// OrInto is Or into a given tensor.
func OrInto(out *weft.Tensor, a, b weft.TensorOrNumber) error { return applyInto("or", out, a, b) }

// Xor returns the exclusive disjunction of Bools or of the bits of integers.
func Xor(a, b weft.TensorOrNumber) (*weft.Tensor, error) { return apply("xor", a, b) }

// XorInto is Xor into a given tensor.
func XorInto(out *weft.Tensor, a, b weft.TensorOrNumber) error { return applyInto("xor", out, a, b) }

// Shl returns a << b for integers, b taken modulo the bits of 32, or 64, that hold them.
func Shl(a, b weft.TensorOrNumber) (*weft.Tensor, error) { return apply("shl", a, b) }

// ShlInto is Shl into a given tensor.
func ShlInto(out *weft.Tensor, a, b weft.TensorOrNumber) error { return applyInto("shl", out, a, b) }

// Shr returns a >> b for integers, with the sign of a.
func Shr(a, b weft.TensorOrNumber) (*weft.Tensor, error) { return apply("shr", a, b) }

// ShrInto is Shr into a given tensor.
func ShrInto(out *weft.Tensor, a, b weft.TensorOrNumber) error { return applyInto("shr", out, a, b) }

// Eq returns a == b as Bool.
func Eq(a, b weft.TensorOrNumber) (*weft.Tensor, error) { return apply("eq", a, b) }

// EqInto is Eq into a given tensor.
func EqInto(out *weft.Tensor, a, b weft.TensorOrNumber) error { return applyInto("eq", out, a, b) }

// Ne returns a != b as Bool.
func Ne(a, b weft.TensorOrNumber) (*weft.Tensor, error) { return apply("ne", a, b) }

// NeInto is Ne into a given tensor.
func NeInto(out *weft.Tensor, a, b weft.TensorOrNumber) error { return applyInto("ne", out, a, b) }

// Lt returns a < b as Bool.
func Lt(a, b weft.TensorOrNumber) (*weft.Tensor, error) { return apply("lt", a, b) }

// LtInto is Lt into a given tensor.
func LtInto(out *weft.Tensor, a, b weft.TensorOrNumber) error { return applyInto("lt", out, a, b) }

// Le returns a <= b as Bool.
func Le(a, b weft.TensorOrNumber) (*weft.Tensor, error) { return apply("le", a, b) }

// LeInto is Le into a given tensor.
func LeInto(out *weft.Tensor, a, b weft.TensorOrNumber) error { return applyInto("le", out, a, b) }

// Gt returns a > b as Bool.
func Gt(a, b weft.TensorOrNumber) (*weft.Tensor, error) { return apply("gt", a, b) }

// GtInto is Gt into a given tensor.
func GtInto(out *weft.Tensor, a, b weft.TensorOrNumber) error { return applyInto("gt", out, a, b) }

// Ge returns a >= b as Bool.
func Ge(a, b weft.TensorOrNumber) (*weft.Tensor, error) { return apply("ge", a, b) }

// GeInto is Ge into a given tensor.
func GeInto(out *weft.Tensor, a, b weft.TensorOrNumber) error { return applyInto("ge", out, a, b) }

// Where returns x where the Bool cond holds and y elsewhere.
func Where(cond, x, y weft.TensorOrNumber) (*weft.Tensor, error) { return apply("where", cond, x, y) }

// WhereInto is Where into a given tensor.
func WhereInto(out *weft.Tensor, cond, x, y weft.TensorOrNumber) error {
	return applyInto("where", out, cond, x, y)
}

// Clamp returns the smaller of hi and the larger of lo and x.
func Clamp(x, lo, hi weft.TensorOrNumber) (*weft.Tensor, error) { return apply("clamp", x, lo, hi) }

// ClampInto is Clamp into a given tensor.
func ClampInto(out *weft.Tensor, x, lo, hi weft.TensorOrNumber) error {
	return applyInto("clamp", out, x, lo, hi)
}
