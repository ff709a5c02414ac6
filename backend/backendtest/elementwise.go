package backendtest

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Every element-wise op of the language, on every element type it takes. One
// kernel computes all ops of a type: op i writes plane i of its output.

type unaryOp struct {
	name string
	f    func(*tile.Value) *tile.Value
	// The bound for floats: units in the last place of F32 and an absolute error,
	// as WGSL allows them; and what makes a number fit for the op.
	ulps, abs float64
	domain    func(x float64) float64
}

func anyNumber(x float64) float64 { return x }
func positive(x float64) float64  { return math.Abs(x) + 0.01 }

// within scales normally distributed numbers and cuts them off at a limit.
func within(limit float64) func(float64) float64 {
	return func(x float64) float64 { return min(max(x*limit/2, -limit), limit) }
}

// angles scales numbers by powers of two, some beyond what F16 holds.
func angles(x float64) float64 { return math.Ldexp(x, int(math.Abs(x)*4096)%4*5) }

var floatOps = []unaryOp{
	{"exp", (*tile.Value).Exp, 3 + 2*20, 0, within(20)},
	{"exp2", (*tile.Value).Exp2, 3 + 2*20, 0, within(20)},
	{"log", (*tile.Value).Log, 3, 0x1p-20, positive},
	{"log2", (*tile.Value).Log2, 3, 0x1p-20, positive},
	{"sqrt", (*tile.Value).Sqrt, 4, 0, positive},
	{"rsqrt", (*tile.Value).Rsqrt, 4, 0, positive},
	{"sin", (*tile.Value).Sin, 0, 0x1p-22, angles},
	{"cos", (*tile.Value).Cos, 0, 0x1p-22, angles},
	{"tanh", (*tile.Value).Tanh, 16, 1e-5, within(5)},
	{"floor", (*tile.Value).Floor, 0, 0, within(1000)},
	{"ceil", (*tile.Value).Ceil, 0, 0, within(1000)},
	{"round", func(v *tile.Value) *tile.Value { return v.Mul(0.5).Round() }, 0, 0, func(x float64) float64 { return math.Round(8 * x) }},
	{"erf", (*tile.Value).Erf, 4, 0x1p-24, within(5)},
	{"log1p", (*tile.Value).Log1p, 6, 0x1p-20, positive},
	{"expm1", (*tile.Value).Expm1, 12 + 2*10, 0x1p-24, within(10)},
	{"sigmoid", (*tile.Value).Sigmoid, 8 + 2*20, 0, within(20)},
	{"clamp", func(v *tile.Value) *tile.Value { return v.Clamp(-0.5, 0.25) }, 0, 0, anyNumber},
	{"gelu", tile.GELU, 8, 0x1p-20, within(5)},
	{"gelu_tanh", tile.GELUTanh, 16, 1e-4, within(5)},
	{"silu", tile.SiLU, 8 + 2*20, 0x1p-24, within(20)},
}

var (
	signedOps = []unaryOp{
		{"neg", (*tile.Value).Neg, 0, 0, anyNumber},
		{"abs", (*tile.Value).Abs, 0, 0, anyNumber},
	}
	bitOps = []unaryOp{{"not", (*tile.Value).Not, 0, 0, anyNumber}}
)

type binaryOp struct {
	name string
	f    func(v *tile.Value, x tile.Operand) *tile.Value
	ulps float64
}

var (
	arithmetic = []binaryOp{
		{"add", (*tile.Value).Add, 0}, {"sub", (*tile.Value).Sub, 0}, {"mul", (*tile.Value).Mul, 0},
		{"div", (*tile.Value).Div, 2.5}, {"min", (*tile.Value).Minimum, 0}, {"max", (*tile.Value).Maximum, 0},
	}
	logic = []binaryOp{
		{"and", (*tile.Value).And, 0}, {"or", (*tile.Value).Or, 0}, {"xor", (*tile.Value).Xor, 0},
	}
	integer = []binaryOp{
		{"rem", (*tile.Value).Rem, 0}, {"shl", (*tile.Value).Shl, 0}, {"shr", (*tile.Value).Shr, 0},
	}
	comparisons = []binaryOp{
		{"eq", (*tile.Value).Eq, 0}, {"ne", (*tile.Value).Ne, 0}, {"lt", (*tile.Value).Lt, 0},
		{"le", (*tile.Value).Le, 0}, {"gt", (*tile.Value).Gt, 0}, {"ge", (*tile.Value).Ge, 0},
	}
)

func unaryOps(e weft.DType) (ops []unaryOp) {
	if e.IsSigned() {
		ops = append(ops, signedOps...)
	}
	if e.IsFloat() {
		ops = append(ops, floatOps...)
	} else {
		ops = append(ops, bitOps...)
	}
	return ops
}

func binaryOps(e weft.DType) (ops []binaryOp) {
	if e != weft.Bool {
		ops = append(ops, arithmetic...)
	}
	if !e.IsFloat() {
		ops = append(ops, logic...)
	}
	if e.IsInt() {
		ops = append(ops, integer...)
	}
	if e == weft.U32 {
		ops = append(ops, binaryOp{"mulhi", (*tile.Value).MulHi, 0})
	}
	return ops
}

// ulpBound allows a rounding to the element type, units of F32 in the last place,
// and what is lost below the least number.
func ulpBound(elem weft.DType, ulps, abs, want float64) float64 {
	if !elem.IsFloat() {
		return 0
	}
	if abs != 0 || ulps != 0 {
		abs += map[weft.DType]float64{weft.F16: 0x1p-24, weft.BF16: 0x1p-126, weft.F32: 0x1p-126}[elem]
		return math.Abs(want)*(2*elem.Epsilon()+2*ulps*dtype.F32.Epsilon()) + abs
	}
	return 0
}

const rows, cols = 5, 61 // of the planes; tiles are 4 × 32

// planes describes a kernel that applies each of n functions to the tiles of its inputs
// [planes of input, rows, cols]; f gets the program's tile of an input.
func planes(elems []weft.DType, outElem weft.DType, n int, f func(i int, load func(input, plane int) *tile.Value) *tile.Value) func(*tile.Builder) {
	return func(k *tile.Builder) {
		views := make([]*tile.View, len(elems))
		for i, e := range elems {
			views[i] = k.In(fmt.Sprintf("x%d", i), e, 3)
		}
		o := k.Out("out", outElem, 3)
		k.Grid(k.CDiv(o.Dim(1), 4), k.CDiv(o.Dim(2), 32))
		r, c := k.ProgramID(0), k.ProgramID(1)
		for i := range n {
			v := f(i, func(input, plane int) *tile.Value { return views[input].Block(1, 4, 32).Load(plane, r, c) })
			o.Block(1, 4, 32).Store(v, i, r, c)
		}
	}
}

func testUnary(s *suite) {
	for _, elem := range s.types() {
		ops := unaryOps(elem)
		x := s.random(elem, len(ops), rows, cols).each(func(i int, x float64) float64 { return ops[i/(rows*cols)].domain(x) })
		for i := range ops {
			s.edges(elem, x.x[i*rows*cols:(i+1)*rows*cols], 0)
		}
		describe := planes([]weft.DType{elem}, elem, len(ops), func(i int, load func(int, int) *tile.Value) *tile.Value {
			return ops[i].f(load(0, i))
		})
		bound := func(i int, want float64) float64 {
			op := ops[i/(rows*cols)]
			return ulpBound(elem, op.ulps, op.abs, want)
		}
		where := func(i int) string { return fmt.Sprintf("%s(%v) of %v", ops[i/(rows*cols)].name, x.x[i], elem) }
		s.agreeWithin(bound, where, describe, nil, in(x), out(elem, len(ops), rows, cols))
	}
}

// integers at the edges of their types.
var edgeValues = map[weft.DType][]float64{
	weft.Bool: {0, 1},
	weft.I8:   {0, 1, -1, 2, 7, 8, -8, 31, 32, 33, 126, 127, -127, -128},
	weft.U8:   {0, 1, 2, 7, 8, 31, 32, 33, 127, 128, 254, 255},
	weft.I32:  {0, 1, -1, 2, -2, 7, 31, 32, 33, 65536, math.MaxInt32 - 1, math.MaxInt32, math.MinInt32 + 1, math.MinInt32},
	weft.U32:  {0, 1, 2, 7, 31, 32, 33, 65536, math.MaxInt32, math.MaxInt32 + 1, math.MaxUint32 - 1, math.MaxUint32},
	weft.I64:  {0, 1, -1, 7, 31, 32, 33, 63, 64, 65, math.MaxUint32, 1 << 40, -1 << 53, math.MinInt64, math.MinInt64 / 2},
	weft.U64:  {0, 1, 7, 31, 32, 33, 63, 64, 65, math.MaxUint32, 1 << 32, 1 << 53, 1 << 62, 1 << 63},
}

// edges overwrites the start of integers by all edge values; which chooses whether
// the first or the second of all pairs of them.
func (s *suite) edges(elem weft.DType, x []float64, which int) {
	values := edgeValues[elem]
	for i := range min(len(x), len(values)*len(values)) {
		if which == 0 {
			x[i] = values[i/len(values)]
		} else {
			x[i] = values[i%len(values)]
		}
	}
}

// pair makes two planes with all pairs of edge values and random ones.
func (s *suite) pair(elem weft.DType) host {
	x := s.random(elem, 2, rows, cols)
	s.edges(elem, x.x[:rows*cols], 0)
	s.edges(elem, x.x[rows*cols:], 1)
	if elem.IsFloat() {
		for i := range rows * cols / 4 { // equal operands, for the comparisons
			x.x[4*i] = x.x[rows*cols+4*i]
		}
	}
	return x
}

func testBinary(s *suite) {
	for _, elem := range s.types() {
		for _, group := range []struct {
			ops []binaryOp
			out weft.DType
		}{{binaryOps(elem), elem}, {comparing(elem), weft.Bool}} {
			x := s.pair(elem)
			describe := planes([]weft.DType{elem}, group.out, len(group.ops), func(i int, load func(int, int) *tile.Value) *tile.Value {
				return group.ops[i].f(load(0, 0), load(0, 1))
			})
			bound := func(i int, want float64) float64 {
				return ulpBound(group.out, group.ops[i/(rows*cols)].ulps, 0, want)
			}
			where := func(i int) string {
				at := i % (rows * cols)
				return fmt.Sprintf("%s(%v, %v) of %v", group.ops[i/(rows*cols)].name, x.x[at], x.x[rows*cols+at], elem)
			}
			s.agreeWithin(bound, where, describe, nil, in(x), out(group.out, len(group.ops), rows, cols))
		}
	}
}

// comparing lists the comparisons of an element type: bool has no order.
func comparing(elem weft.DType) []binaryOp {
	if elem == weft.Bool {
		return comparisons[:2]
	}
	return comparisons
}

func testTernary(s *suite) {
	for _, elem := range s.types() {
		x := s.pair(elem)
		s.agree(planes([]weft.DType{weft.Bool, elem}, elem, 3, func(i int, load func(int, int) *tile.Value) *tile.Value {
			c, a, b := load(0, 0), load(1, 0), load(1, 1)
			k := c.Builder()
			switch i {
			case 0:
				return k.Where(c, a, b)
			case 1:
				return k.Where(c, a, 1)
			default:
				return k.Where(a.Eq(b), a, b)
			}
		}), nil, in(s.random(weft.Bool, 1, rows, cols)), in(x), out(elem, 3, rows, cols))
	}
	for _, elem := range floatTypes {
		x := s.small(elem, 3, rows, cols)
		s.agree(planes([]weft.DType{elem}, elem, 2, func(i int, load func(int, int) *tile.Value) *tile.Value {
			if i == 0 {
				return load(0, 0).FMA(load(0, 1), load(0, 2))
			}
			return load(0, 0).FMA(3, load(0, 2))
		}), nil, in(x), out(elem, 2, rows, cols))
	}
}

// testCasts converts every type to every other.
func testCasts(s *suite) {
	for _, from := range s.types() {
		x := s.random(from, 1, rows, cols)
		s.edges(from, x.x, 1)
		if from.IsFloat() {
			x.each(func(i int, x float64) float64 { return x * math.Exp2(float64(i%48-12)) }) // up to 2^36, beyond all integers
			copy(x.x, []float64{0, 0.5, -0.5, 0.99, -0.99, 1.5, -1.5, 255.5, 256, -128.9, -129, 127.5, 65504, 65519, 65520, -65520,
				0x1p31, -0x1p31, -0x1p31 - 256, 0x1p32, 1e9, 0x1p-14, 0x1p-24, 0x1p-25, 0x1.8p-25, 1 + 0x1p-11, 1 + 0x1p-8, 1 + 0x1p-11 + 0x1p-20})
			rounded(from, x.x)
			for i := range x.x {
				if math.IsInf(x.x[i], 0) {
					x.x[i] = 1
				}
			}
		}
		for _, to := range s.types() {
			where := func(i int) string { return fmt.Sprintf("%v %v to %v", from, x.x[i], to) }
			exact := func(int, float64) float64 { return 0 }
			s.agreeWithin(exact, where, planes([]weft.DType{from}, to, 1, func(_ int, load func(int, int) *tile.Value) *tile.Value {
				return load(0, 0).Cast(to)
			}), nil, in(x), out(to, 1, rows, cols))
		}
	}
}

// testBits reads bits as other types and looks for NaN.
func testBits(s *suite) {
	for _, pair := range [][2]weft.DType{{weft.F32, weft.I32}, {weft.F32, weft.U32}, {weft.I32, weft.U32}, {weft.F16, weft.BF16}, {weft.I8, weft.U8}, {weft.I64, weft.U64}} {
		if !s.has(pair[0]) {
			continue
		}
		x := s.random(pair[0], 1, rows, cols)
		for i := range x.x {
			if pair[0] == weft.F16 && math.Abs(x.x[i]) < 0x1p-6 { // BF16 would be a denormal
				x.x[i] = 1
			}
		}
		back := func(i int, load func(int, int) *tile.Value) *tile.Value {
			return load(0, 0).Bitcast(pair[1])
		}
		s.agree(planes([]weft.DType{pair[0]}, pair[1], 1, back), nil, in(x), out(pair[1], 1, rows, cols))
		s.agree(planes([]weft.DType{pair[0]}, pair[0], 1, func(i int, load func(int, int) *tile.Value) *tile.Value {
			return back(i, load).Bitcast(pair[0])
		}), nil, in(x), out(pair[0], 1, rows, cols))
	}
	for _, elem := range floatTypes {
		x := s.random(elem, 1, rows, cols)
		for i := range x.x {
			switch i % 5 {
			case 1:
				x.x[i] = math.NaN()
			case 2:
				x.x[i] = math.Inf(i%2*2 - 1)
			}
		}
		s.agree(planes([]weft.DType{elem}, weft.Bool, 1, func(i int, load func(int, int) *tile.Value) *tile.Value {
			return load(0, 0).IsNaN()
		}), nil, in(x), out(weft.Bool, 1, rows, cols))
	}
}
