package backendtest

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// Every element-wise op of the language, on every element type it takes. One
// kernel computes all ops of a type: op i writes plane i of its output.

// angles scales numbers by powers of two, some beyond what F16 holds.
func angles(x float64) float64 { return math.Ldexp(x, int(math.Abs(x)*4096)%4*5) }

// unlisted are ops of the language that the library's table has no function for, or has it for other operands.
var unlisted = []*ops.ElementwiseOp{
	{Name: "add", Inputs: []string{"a", "b"}, Types: kernels.Numeric, Tiles: func(in []*tile.Value) *tile.Value { return in[0].Add(in[1]) }},
	{Name: "mulhi", Inputs: []string{"a", "b"}, Types: func(e weft.DType) bool { return e == weft.U32 },
		Tiles: func(in []*tile.Value) *tile.Value { return in[0].MulHi(in[1]) }},
	{Name: "clamp", Inputs: []string{"x"}, Types: weft.DType.IsFloat, Tiles: func(in []*tile.Value) *tile.Value { return in[0].Clamp(-0.5, 0.25) }},
	{Name: "round of halves", Inputs: []string{"x"}, Types: weft.DType.IsFloat,
		Tiles: func(in []*tile.Value) *tile.Value { return in[0].Mul(8).Round().Mul(0.5).Round() }},
}

// planeOps are the ops of so many inputs of an element type, comparisons or others. (Pow and others are no ops of the language but made of many.)
func planeOps(elem weft.DType, inputs int, comparing bool) (list []*ops.ElementwiseOp) {
	for _, o := range append(ops.Elementwise(), unlisted...) {
		if len(o.Inputs) == inputs && o.Types(elem) && (o.Out == weft.Bool) == comparing && o.Name != "pow" && !o.Made {
			list = append(list, o)
		}
	}
	return list
}

// planeBound is how far an op may be from the interpreter, which computes most of them as devices do.
func planeBound(o *ops.ElementwiseOp, elem weft.DType, want float64, x ...float64) float64 {
	if o.Ulps == nil && o.Abs == 0 {
		return 0
	}
	return o.Bound(elem, x, want)
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
	const plane = rows * cols
	for _, elem := range s.types() {
		list, x := planeOps(elem, 1, false), host{elem: elem}
		for _, o := range list {
			one := s.operands(o, elem, []int{rows, cols})[0]
			s.edges(elem, one.x, 0)
			x.x = append(x.x, one.x...)
		}
		x.shape = []int{len(list), rows, cols}
		describe := planes([]weft.DType{elem}, elem, len(list), func(i int, load func(int, int) *tile.Value) *tile.Value {
			return list[i].Tiles([]*tile.Value{load(0, i)})
		})
		bound := func(i int, want float64) float64 { return planeBound(list[i/plane], elem, want, x.x[i]) }
		where := func(i int) string { return fmt.Sprintf("%s(%v) of %v", list[i/plane].Name, x.x[i], elem) }
		s.agreeWithin(bound, where, describe, nil, in(x), out(elem, len(list), rows, cols))
	}
}

// integers at the edges of their types.
var edgeValues = map[weft.DType][]float64{
	weft.Bool: {0, 1},
	weft.I8:   {0, 1, -1, 2, 7, 8, -8, 31, 32, 33, 126, 127, -127, -128},
	weft.U8:   {0, 1, 2, 7, 8, 31, 32, 33, 127, 128, 254, 255},
	weft.I16:  {0, 1, -1, 2, 15, 16, 31, 32, 33, 255, 256, 32766, 32767, -32767, -32768},
	weft.U16:  {0, 1, 2, 15, 16, 31, 32, 33, 255, 256, 32767, 32768, 65534, 65535},
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
	const plane = rows * cols
	for _, elem := range s.types() {
		for _, comparing := range []bool{false, true} {
			list, to := planeOps(elem, 2, comparing), elem
			if comparing {
				to = weft.Bool
			}
			x := s.pair(elem)
			describe := planes([]weft.DType{elem}, to, len(list), func(i int, load func(int, int) *tile.Value) *tile.Value {
				return list[i].Tiles([]*tile.Value{load(0, 0), load(0, 1)})
			})
			bound := func(i int, want float64) float64 {
				return planeBound(list[i/plane], elem, want, x.x[i%plane], x.x[plane+i%plane])
			}
			where := func(i int) string {
				return fmt.Sprintf("%s(%v, %v) of %v", list[i/plane].Name, x.x[i%plane], x.x[plane+i%plane], elem)
			}
			s.agreeWithin(bound, where, describe, nil, in(x), out(to, len(list), rows, cols))
		}
	}
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
	for _, elem := range s.reals() {
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
	pairs := [][2]weft.DType{{weft.F32, weft.I32}, {weft.F32, weft.U32}, {weft.I32, weft.U32}, {weft.F16, weft.BF16}, {weft.I8, weft.U8}, {weft.I64, weft.U64}, {weft.F64, weft.I64}, {weft.U64, weft.F64},
		{weft.I16, weft.U16}, {weft.I16, weft.F16}, {weft.U16, weft.BF16}}
	for _, pair := range pairs {
		if !s.has(pair[0]) || !s.has(pair[1]) {
			continue
		}
		x := s.random(pair[0], 1, rows, cols)
		for i := range x.x {
			if pair[0] == weft.F16 && math.Abs(x.x[i]) < 0x1p-6 { // BF16 would be a denormal
				x.x[i] = 1
			}
			if pair[0].IsInt() && pair[1].IsFloat() && pair[0].Size() == 2 { // bits of numbers: no denormals, which end at 0x400
				if x.x[i] = float64(0x400 + int(math.Abs(x.x[i]))%0x7000); i%2 == 1 { // and a sign
					x.x[i] = wrapped(pair[0], x.x[i]+0x8000)
				}
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
	for _, elem := range s.reals() {
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
