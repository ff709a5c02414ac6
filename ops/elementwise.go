package ops

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tile"
)

// ElementwiseOp is a function of single elements: what it computes, on which element
// types, and how exactly.
type ElementwiseOp struct {
	Name   string
	Inputs []string
	Types  func(weft.DType) bool     // that the inputs may share
	Out    weft.DType                // of the result, Invalid for the shared one
	Cond   bool                      // the first input is Bool whatever the others are
	Exact  func(x []float64) float64 // in float64, before integers wrap
	// In place of Exact, for a function of the bits of integers.
	ExactAs func(elem weft.DType, x []float64) float64
	Ulps    func(x []float64) float64       // of F32, in the last place, by which floats may be off, and of F64 for F64
	Abs     float64                         // and an absolute error, 2^29 times less for F64
	Within  float64                         // floats from -Within to Within are what the bound holds for; 0 for all
	Above   float64                         // if not 0, floats from Above on
	Tiles   func([]*tile.Value) *tile.Value // the same on tiles
	Map     *weft.Map
	Made    bool // of several ops of the language
}

// Want is the exact result of a function for operands of an element type, before integers wrap.
func (o *ElementwiseOp) Want(elem weft.DType, x []float64) float64 {
	if o.ExactAs != nil {
		return o.ExactAs(elem, x)
	}
	return o.Exact(x)
}

// Bound is the largest error of an element, given the exact result of its rounded
// operands, which are within Within. Integers and comparisons are exact. Floats are rounded once
// to their type and are off by what WGSL allows its functions in F32 ("Accuracy of
// Concrete Floating Point Expressions"), the loosest of what backends promise.
func (o *ElementwiseOp) Bound(elem weft.DType, x []float64, want float64) float64 {
	if !elem.IsFloat() || o.Out == weft.Bool {
		return 0
	}
	ulps := 0.0
	if o.Ulps != nil {
		ulps = o.Ulps(x)
	}
	if ulps == 0 && o.Abs == 0 {
		return elem.Epsilon()*math.Abs(want) + bounds.Smallest(elem)
	}
	unit := elem.Accumulator().Epsilon() // of what is computed in
	return math.Abs(want)*(2*elem.Epsilon()+2*ulps*unit) + o.Abs*unit/dtype.F32.Epsilon() + 2*bounds.Smallest(elem)
}

// Elementwise lists the element-wise functions. Each is a function of this package, and its
// Map a part of other kernels (see Fuse).
func Elementwise() []*ElementwiseOp { return slices.Clone(elementwiseOps) }

func float(t weft.DType) bool { return t.IsFloat() }

func integer(t weft.DType) bool { return t.IsInt() }

func signed(t weft.DType) bool { return t.IsSigned() }

func bits(t weft.DType) bool { return !t.IsFloat() }

func anyType(weft.DType) bool { return true }

func times(n float64) func([]float64) float64 { return func([]float64) float64 { return n } }

func byExponent([]float64) float64 { return 3 + 2*20 } // 3 + 2|x| for |x| up to 20

var (
	unaryInput   = []string{"x"}
	binaryInputs = []string{"a", "b"}
)

func unary(f func(*tile.Value) *tile.Value) func([]*tile.Value) *tile.Value {
	return func(in []*tile.Value) *tile.Value { return f(in[0]) }
}

func binary(f func(*tile.Value, tile.Operand) *tile.Value) func([]*tile.Value) *tile.Value {
	return func(in []*tile.Value) *tile.Value { return f(in[0], in[1]) }
}

func exact1(f func(float64) float64) func([]float64) float64 {
	return func(x []float64) float64 { return f(x[0]) }
}

func exact2(f func(a, b float64) float64) func([]float64) float64 {
	return func(x []float64) float64 { return f(x[0], x[1]) }
}

func exactInts(f func(a, b int64) int64) func([]float64) float64 {
	return func(x []float64) float64 { return float64(f(int64(x[0]), int64(x[1]))) }
}

func exactBool(f func(a, b float64) bool) func([]float64) float64 {
	return func(x []float64) float64 {
		if f(x[0], x[1]) {
			return 1
		}
		return 0
	}
}

func relu(x *tile.Value) *tile.Value { return x.Maximum(0) }

// softplus is ln(1 + e^x) without an exponential that overflows.
func softplus(x *tile.Value) *tile.Value {
	if e := x.Type().Elem; e != e.Accumulator() {
		return softplus(x.Cast(e.Accumulator())).Cast(e)
	}
	return x.Maximum(0).Add(x.Abs().Neg().Exp().Log1p())
}

// swiglu is silu(gate)·up, rounded once.
func swiglu(in []*tile.Value) *tile.Value {
	elem := in[0].Type().Elem
	gate, up := in[0].Cast(elem.Accumulator()), in[1].Cast(elem.Accumulator())
	return tile.SiLU(gate).Mul(up).Cast(elem)
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// elementwiseOps is the one table of what there is. Add, which has constants and a bound of its own, stands in add.go.
var elementwiseOps = withMaps(slices.Concat(singleOps, made(composedOps)))

// singleOps are those that are an op of the language each, and activations.
var singleOps = []*ElementwiseOp{
	{Name: "neg", Inputs: unaryInput, Types: signed, Tiles: unary((*tile.Value).Neg), Exact: exact1(func(x float64) float64 { return -x })},
	{Name: "abs", Inputs: unaryInput, Types: signed, Tiles: unary((*tile.Value).Abs), Exact: exact1(math.Abs)},
	{Name: "exp", Inputs: unaryInput, Types: float, Tiles: unary((*tile.Value).Exp), Exact: exact1(math.Exp), Ulps: byExponent, Within: 10},
	{Name: "exp2", Inputs: unaryInput, Types: float, Tiles: unary((*tile.Value).Exp2), Exact: exact1(math.Exp2), Ulps: byExponent, Within: 14},
	{Name: "expm1", Inputs: unaryInput, Types: float, Tiles: unary((*tile.Value).Expm1), Exact: exact1(math.Expm1), Ulps: byExponent, Abs: 0x1p-24, Within: 10},
	{Name: "log", Inputs: unaryInput, Types: float, Tiles: unary((*tile.Value).Log), Exact: exact1(math.Log), Ulps: times(3), Abs: 0x1p-20, Above: 0.01},
	{Name: "log2", Inputs: unaryInput, Types: float, Tiles: unary((*tile.Value).Log2), Exact: exact1(math.Log2), Ulps: times(3), Abs: 0x1p-20, Above: 0.01},
	{Name: "log1p", Inputs: unaryInput, Types: float, Tiles: unary((*tile.Value).Log1p), Exact: exact1(math.Log1p), Ulps: times(6), Abs: 0x1p-20, Above: 0.01},
	{Name: "sqrt", Inputs: unaryInput, Types: float, Tiles: unary((*tile.Value).Sqrt), Exact: exact1(math.Sqrt), Ulps: times(4), Above: 0.01},
	{Name: "rsqrt", Inputs: unaryInput, Types: float, Tiles: unary((*tile.Value).Rsqrt), Exact: exact1(func(x float64) float64 { return 1 / math.Sqrt(x) }), Ulps: times(4), Above: 0.01},
	{Name: "sin", Inputs: unaryInput, Types: float, Tiles: unary((*tile.Value).Sin), Exact: exact1(math.Sin), Abs: 0x1p-22},
	{Name: "cos", Inputs: unaryInput, Types: float, Tiles: unary((*tile.Value).Cos), Exact: exact1(math.Cos), Abs: 0x1p-22},
	{Name: "tanh", Inputs: unaryInput, Types: float, Tiles: unary((*tile.Value).Tanh), Exact: exact1(math.Tanh), Ulps: times(16), Abs: 1e-5, Within: 5},
	{Name: "sigmoid", Inputs: unaryInput, Types: float, Tiles: unary((*tile.Value).Sigmoid), Exact: exact1(sigmoid), Ulps: times(8 + 2*20), Within: 10},
	{Name: "erf", Inputs: unaryInput, Types: float, Tiles: unary((*tile.Value).Erf), Exact: exact1(math.Erf), Ulps: times(4), Abs: 0x1p-24, Within: 5},
	{Name: "relu", Inputs: unaryInput, Types: kernels.Numeric, Tiles: unary(relu), Exact: exact1(func(x float64) float64 { return max(x, 0) })},
	{Name: "gelu", Inputs: unaryInput, Types: float, Tiles: unary(tile.GELU), Exact: exact1(func(x float64) float64 { return x / 2 * math.Erfc(-x/math.Sqrt2) }), Ulps: times(8), Abs: 0x1p-20, Within: 5},
	{Name: "gelu_tanh", Inputs: unaryInput, Types: float, Tiles: unary(tile.GELUTanh), Exact: exact1(func(x float64) float64 {
		return x / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
	}), Ulps: times(16), Abs: 1e-4, Within: 5},
	{Name: "silu", Inputs: unaryInput, Types: float, Tiles: unary(tile.SiLU), Exact: exact1(func(x float64) float64 { return x * sigmoid(x) }), Ulps: times(8 + 2*20), Abs: 0x1p-24, Within: 10},
	{Name: "softplus", Inputs: unaryInput, Types: float, Tiles: unary(softplus), Exact: exact1(func(x float64) float64 {
		return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x)))
	}), Ulps: times(8), Abs: 0x1p-19, Within: 10},
	{Name: "floor", Inputs: unaryInput, Types: float, Tiles: unary((*tile.Value).Floor), Exact: exact1(math.Floor)},
	{Name: "ceil", Inputs: unaryInput, Types: float, Tiles: unary((*tile.Value).Ceil), Exact: exact1(math.Ceil)},
	{Name: "round", Inputs: unaryInput, Types: float, Tiles: unary((*tile.Value).Round), Exact: exact1(math.RoundToEven)},
	{Name: "not", Inputs: unaryInput, Types: bits, Tiles: unary((*tile.Value).Not), Exact: exact1(func(x float64) float64 { return -1 - x })},

	{Name: "sub", Inputs: binaryInputs, Types: kernels.Numeric, Tiles: binary((*tile.Value).Sub), Exact: exact2(func(a, b float64) float64 { return a - b })},
	{Name: "mul", Inputs: binaryInputs, Types: kernels.Numeric, Tiles: binary((*tile.Value).Mul), Exact: exact2(func(a, b float64) float64 { return a * b })},
	{Name: "div", Inputs: binaryInputs, Types: kernels.Numeric, Tiles: binary((*tile.Value).Div), Exact: exact2(func(a, b float64) float64 { return a / b }), Ulps: times(2.5)},
	{Name: "rem", Inputs: binaryInputs, Types: narrowNumber, Made: true, Tiles: rem, Exact: exact2(math.Mod)},
	{Name: "pow", Inputs: binaryInputs, Types: kernels.Numeric, Tiles: pow, Exact: exactPow, Ulps: powUlps, Above: 0.01, Within: 10},
	{Name: "maximum", Inputs: binaryInputs, Types: kernels.Numeric, Tiles: binary((*tile.Value).Maximum), Exact: exact2(math.Max)},
	{Name: "minimum", Inputs: binaryInputs, Types: kernels.Numeric, Tiles: binary((*tile.Value).Minimum), Exact: exact2(math.Min)},
	{Name: "and", Inputs: binaryInputs, Types: bits, Tiles: binary((*tile.Value).And), Exact: exactInts(func(a, b int64) int64 { return a & b })},
	{Name: "or", Inputs: binaryInputs, Types: bits, Tiles: binary((*tile.Value).Or), Exact: exactInts(func(a, b int64) int64 { return a | b })},
	{Name: "xor", Inputs: binaryInputs, Types: bits, Tiles: binary((*tile.Value).Xor), Exact: exactInts(func(a, b int64) int64 { return a ^ b })},
	{Name: "shl", Inputs: binaryInputs, Types: integer, Tiles: binary((*tile.Value).Shl), Exact: exactInts(func(a, b int64) int64 { return a << b })},
	{Name: "shr", Inputs: binaryInputs, Types: integer, Tiles: binary((*tile.Value).Shr), Exact: exactInts(func(a, b int64) int64 { return a >> b })},

	{Name: "eq", Inputs: binaryInputs, Types: anyType, Out: weft.Bool, Tiles: binary((*tile.Value).Eq), Exact: exactBool(func(a, b float64) bool { return a == b })},
	{Name: "ne", Inputs: binaryInputs, Types: anyType, Out: weft.Bool, Tiles: binary((*tile.Value).Ne), Exact: exactBool(func(a, b float64) bool { return a != b })},
	{Name: "lt", Inputs: binaryInputs, Types: kernels.Numeric, Out: weft.Bool, Tiles: binary((*tile.Value).Lt), Exact: exactBool(func(a, b float64) bool { return a < b })},
	{Name: "le", Inputs: binaryInputs, Types: kernels.Numeric, Out: weft.Bool, Tiles: binary((*tile.Value).Le), Exact: exactBool(func(a, b float64) bool { return a <= b })},
	{Name: "gt", Inputs: binaryInputs, Types: kernels.Numeric, Out: weft.Bool, Tiles: binary((*tile.Value).Gt), Exact: exactBool(func(a, b float64) bool { return a > b })},
	{Name: "ge", Inputs: binaryInputs, Types: kernels.Numeric, Out: weft.Bool, Tiles: binary((*tile.Value).Ge), Exact: exactBool(func(a, b float64) bool { return a >= b })},

	{Name: "swiglu", Inputs: []string{"gate", "up"}, Types: float, Tiles: swiglu, Exact: exact2(func(gate, up float64) float64 { return gate * sigmoid(gate) * up }),
		Ulps: times(9 + 2*20), Abs: 0x1p-20, Within: 10},
	{Name: "where", Inputs: []string{"cond", "x", "y"}, Types: anyType, Cond: true,
		Tiles: func(in []*tile.Value) *tile.Value { return in[0].Builder().Where(in[0], in[1], in[2]) },
		Exact: func(x []float64) float64 {
			if x[0] != 0 {
				return x[1]
			}
			return x[2]
		}},
	{Name: "clamp", Inputs: []string{"x", "lo", "hi"}, Types: kernels.Numeric,
		Tiles: func(in []*tile.Value) *tile.Value { return in[0].Clamp(in[1], in[2]) },
		Exact: func(x []float64) float64 { return min(max(x[0], x[1]), x[2]) }},
}

func made(table []*ElementwiseOp) []*ElementwiseOp {
	for _, o := range table {
		o.Made = true
	}
	return table
}

// withMaps makes the kernel of each function.
func withMaps(table []*ElementwiseOp) []*ElementwiseOp {
	for _, o := range table {
		o.Map = weft.NewMap(o.Name, o.Inputs, o.Tiles).Takes(o.Types).Returns(o.Out).Exact()
		if o.Cond {
			o.Map = o.Map.InputTypes(weft.Bool)
		}
	}
	return table
}

var elementwiseMaps = func() map[string]*weft.Map {
	maps := map[string]*weft.Map{}
	for _, o := range elementwiseOps {
		maps[o.Name] = o.Map
	}
	return maps
}()

func apply(name string, in ...weft.TensorOrNumber) (*weft.Tensor, error) {
	return elementwiseMaps[name].Apply(in...)
}

func applyInto(name string, out *weft.Tensor, in ...weft.TensorOrNumber) error {
	return elementwiseMaps[name].Into(out, in...)
}
