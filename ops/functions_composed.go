package ops

import "github.com/weftgpu/weft"

// Further functions of the table, to which what functions.go says applies.

// IsNaN tells, as Bool, which elements are NaN, by their bits.
func IsNaN(x *weft.Tensor) (*weft.Tensor, error) { return apply("is_nan", x) }

// IsNaNInto is IsNaN into a given tensor.
func IsNaNInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("is_nan", out, x) }

// IsInf tells, as Bool, which elements are an infinity of either sign.
func IsInf(x *weft.Tensor) (*weft.Tensor, error) { return apply("is_inf", x) }

// IsInfInto is IsInf into a given tensor.
func IsInfInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("is_inf", out, x) }

// IsFinite tells, as Bool, which elements are neither NaN nor an infinity.
func IsFinite(x *weft.Tensor) (*weft.Tensor, error) { return apply("is_finite", x) }

// IsFiniteInto is IsFinite into a given tensor.
func IsFiniteInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("is_finite", out, x) }

// Sign returns -1, 0 or 1 by the sign of x; zeros and NaNs of floats are kept.
func Sign(x *weft.Tensor) (*weft.Tensor, error) { return apply("sign", x) }

// SignInto is Sign into a given tensor.
func SignInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("sign", out, x) }

// Square returns x·x; integers wrap.
func Square(x *weft.Tensor) (*weft.Tensor, error) { return apply("square", x) }

// SquareInto is Square into a given tensor.
func SquareInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("square", out, x) }

// Reciprocal returns 1 / x.
func Reciprocal(x *weft.Tensor) (*weft.Tensor, error) { return apply("reciprocal", x) }

// ReciprocalInto is Reciprocal into a given tensor.
func ReciprocalInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("reciprocal", out, x) }

// Trunc returns the next integer toward zero.
func Trunc(x *weft.Tensor) (*weft.Tensor, error) { return apply("trunc", x) }

// TruncInto is Trunc into a given tensor.
func TruncInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("trunc", out, x) }

// Cbrt returns the cube root.
func Cbrt(x *weft.Tensor) (*weft.Tensor, error) { return apply("cbrt", x) }

// CbrtInto is Cbrt into a given tensor.
func CbrtInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("cbrt", out, x) }

// Tan returns the tangent of radians.
func Tan(x *weft.Tensor) (*weft.Tensor, error) { return apply("tan", x) }

// TanInto is Tan into a given tensor.
func TanInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("tan", out, x) }

// Asin returns the arc sine, from -π/2 to π/2, and NaN outside of [-1,1].
func Asin(x *weft.Tensor) (*weft.Tensor, error) { return apply("asin", x) }

// AsinInto is Asin into a given tensor.
func AsinInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("asin", out, x) }

// Acos returns the arc cosine, from 0 to π, and NaN outside of [-1,1].
func Acos(x *weft.Tensor) (*weft.Tensor, error) { return apply("acos", x) }

// AcosInto is Acos into a given tensor.
func AcosInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("acos", out, x) }

// Atan returns the arc tangent, from -π/2 to π/2.
func Atan(x *weft.Tensor) (*weft.Tensor, error) { return apply("atan", x) }

// AtanInto is Atan into a given tensor.
func AtanInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("atan", out, x) }

// Sinh returns the hyperbolic sine.
func Sinh(x *weft.Tensor) (*weft.Tensor, error) { return apply("sinh", x) }

// SinhInto is Sinh into a given tensor.
func SinhInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("sinh", out, x) }

// Cosh returns the hyperbolic cosine.
func Cosh(x *weft.Tensor) (*weft.Tensor, error) { return apply("cosh", x) }

// CoshInto is Cosh into a given tensor.
func CoshInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("cosh", out, x) }

// Asinh returns the inverse hyperbolic sine.
func Asinh(x *weft.Tensor) (*weft.Tensor, error) { return apply("asinh", x) }

// AsinhInto is Asinh into a given tensor.
func AsinhInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("asinh", out, x) }

// Acosh returns the inverse hyperbolic cosine, and NaN below 1.
func Acosh(x *weft.Tensor) (*weft.Tensor, error) { return apply("acosh", x) }

// AcoshInto is Acosh into a given tensor.
func AcoshInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("acosh", out, x) }

// Atanh returns the inverse hyperbolic tangent, infinite at -1 and 1 and NaN beyond.
func Atanh(x *weft.Tensor) (*weft.Tensor, error) { return apply("atanh", x) }

// AtanhInto is Atanh into a given tensor.
func AtanhInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("atanh", out, x) }

// LogSigmoid returns the logarithm of the sigmoid, -log(1 + e^-x).
func LogSigmoid(x *weft.Tensor) (*weft.Tensor, error) { return apply("log_sigmoid", x) }

// LogSigmoidInto is LogSigmoid into a given tensor.
func LogSigmoidInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("log_sigmoid", out, x) }

// HardSigmoid returns x/6 + 1/2, not below 0 and not above 1.
func HardSigmoid(x *weft.Tensor) (*weft.Tensor, error) { return apply("hard_sigmoid", x) }

// HardSigmoidInto is HardSigmoid into a given tensor.
func HardSigmoidInto(out *weft.Tensor, x *weft.Tensor) error {
	return applyInto("hard_sigmoid", out, x)
}

// HardSwish returns x·HardSigmoid(x).
func HardSwish(x *weft.Tensor) (*weft.Tensor, error) { return apply("hard_swish", x) }

// HardSwishInto is HardSwish into a given tensor.
func HardSwishInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("hard_swish", out, x) }

// Mish returns x·tanh(log(1 + e^x)).
func Mish(x *weft.Tensor) (*weft.Tensor, error) { return apply("mish", x) }

// MishInto is Mish into a given tensor.
func MishInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("mish", out, x) }

// BitCount returns how many bits of an integer are set, in its type.
func BitCount(x *weft.Tensor) (*weft.Tensor, error) { return apply("bit_count", x) }

// BitCountInto is BitCount into a given tensor.
func BitCountInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("bit_count", out, x) }

// Clz returns how many bits of an integer before the first that is set are not, all of them for 0, in its type.
func Clz(x *weft.Tensor) (*weft.Tensor, error) { return apply("clz", x) }

// ClzInto is Clz into a given tensor.
func ClzInto(out *weft.Tensor, x *weft.Tensor) error { return applyInto("clz", out, x) }

// Mod returns the remainder of a / b with the sign of b, as Python's % does; of integers by 0 it is 0, of floats NaN.
func Mod(a, b weft.TensorOrNumber) (*weft.Tensor, error) { return apply("mod", a, b) }

// ModInto is Mod into a given tensor.
func ModInto(out *weft.Tensor, a, b weft.TensorOrNumber) error {
	return applyInto("mod", out, a, b)
}

// Hypot returns √(a² + b²) without overflow on the way.
func Hypot(a, b weft.TensorOrNumber) (*weft.Tensor, error) { return apply("hypot", a, b) }

// HypotInto is Hypot into a given tensor.
func HypotInto(out *weft.Tensor, a, b weft.TensorOrNumber) error {
	return applyInto("hypot", out, a, b)
}

// Atan2 returns the angle of the point (x, y), from -π to π; zeros and infinities as in C99, annex F.
func Atan2(y, x weft.TensorOrNumber) (*weft.Tensor, error) { return apply("atan2", y, x) }

// Atan2Into is Atan2 into a given tensor.
func Atan2Into(out *weft.Tensor, y, x weft.TensorOrNumber) error {
	return applyInto("atan2", out, y, x)
}

// LogAddExp returns log(e^a + e^b) without overflow on the way.
func LogAddExp(a, b weft.TensorOrNumber) (*weft.Tensor, error) { return apply("log_add_exp", a, b) }

// LogAddExpInto is LogAddExp into a given tensor.
func LogAddExpInto(out *weft.Tensor, a, b weft.TensorOrNumber) error {
	return applyInto("log_add_exp", out, a, b)
}

// LeakyReLU returns x, and slope·x where x is below 0.
func LeakyReLU(x, slope weft.TensorOrNumber) (*weft.Tensor, error) {
	return apply("leaky_relu", x, slope)
}

// LeakyReLUInto is LeakyReLU into a given tensor.
func LeakyReLUInto(out *weft.Tensor, x, slope weft.TensorOrNumber) error {
	return applyInto("leaky_relu", out, x, slope)
}

// ELU returns x, and alpha·(e^x - 1) where x is below 0.
func ELU(x, alpha weft.TensorOrNumber) (*weft.Tensor, error) { return apply("elu", x, alpha) }

// ELUInto is ELU into a given tensor.
func ELUInto(out *weft.Tensor, x, alpha weft.TensorOrNumber) error {
	return applyInto("elu", out, x, alpha)
}

// ShrLogical returns a >> b for integers, with zeros for the bits that come in, whatever the sign of a.
func ShrLogical(a, b weft.TensorOrNumber) (*weft.Tensor, error) { return apply("shr_logical", a, b) }

// ShrLogicalInto is ShrLogical into a given tensor.
func ShrLogicalInto(out *weft.Tensor, a, b weft.TensorOrNumber) error {
	return applyInto("shr_logical", out, a, b)
}
