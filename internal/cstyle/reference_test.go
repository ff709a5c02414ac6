package cstyle_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// A lane is what a register holds, as bits; Bool is 0 or 1.
type lane = uint32

func float(x lane) float64 { return float64(math.Float32frombits(x)) }

func bits(x float64) lane { return math.Float32bits(float32(x)) }

func truth(c bool) lane {
	if c {
		return 1
	}
	return 0
}

var unaryFloat = map[simt.Kind]func(float64) float64{
	simt.Neg: func(x float64) float64 { return -x }, simt.Abs: math.Abs,
	simt.Exp: math.Exp, simt.Exp2: math.Exp2, simt.Log: math.Log, simt.Log2: math.Log2,
	simt.Sqrt: math.Sqrt, simt.Rsqrt: func(x float64) float64 { return 1 / math.Sqrt(x) },
	simt.Sin: math.Sin, simt.Cos: math.Cos, simt.Tanh: math.Tanh, simt.Floor: math.Floor, simt.Ceil: math.Ceil,
	simt.Round: math.RoundToEven, simt.Erf: math.Erf, simt.Log1p: math.Log1p, simt.Expm1: math.Expm1,
}

var binaryFloat = map[simt.Kind]func(x, y float64) float64{
	simt.Add: func(x, y float64) float64 { return x + y }, simt.Sub: func(x, y float64) float64 { return x - y },
	simt.Mul: func(x, y float64) float64 { return x * y }, simt.Div: func(x, y float64) float64 { return x / y },
	simt.Min: math.Min, simt.Max: math.Max,
}

type integer interface{ int32 | uint32 }

func integerOp[T integer](kind simt.Kind, x, y T) lane {
	var r T
	switch kind {
	case simt.Neg:
		r = -x
	case simt.Not:
		r = ^x
	case simt.Abs:
		r = max(x, -x)
	case simt.Add:
		r = x + y
	case simt.Sub:
		r = x - y
	case simt.Mul:
		r = x * y
	case simt.Div:
		r = x / y
	case simt.Rem:
		r = x % y
	case simt.Min:
		r = min(x, y)
	case simt.Max:
		r = max(x, y)
	case simt.And:
		r = x & y
	case simt.Or:
		r = x | y
	case simt.Xor:
		r = x ^ y
	case simt.Shl:
		r = x << (uint32(y) & 31)
	case simt.Shr:
		r = x >> (uint32(y) & 31)
	default:
		panic(fmt.Sprintf("no meaning of %v", kind))
	}
	return lane(r)
}

func compareOp[T int32 | uint32 | float64](kind simt.Kind, x, y T) lane {
	return truth(map[simt.Kind]bool{
		simt.Eq: x == y, simt.Ne: x != y, simt.Lt: x < y, simt.Le: x <= y, simt.Gt: x > y, simt.Ge: x >= y,
	}[kind])
}

// meaning computes one lane of an element-wise op on the host.
func meaning(v variant, x, y, z lane) lane {
	switch {
	case v.kind == simt.Select:
		if x != 0 {
			return y
		}
		return z
	case v.kind == simt.FMA:
		return bits(math.FMA(float(x), float(y), float(z)))
	case v.kind == simt.Bitcast:
		return x
	case v.kind == simt.Round16:
		return math.Float32bits(dtype.Round(dtype.Type(v.index), math.Float32frombits(x)))
	case v.kind == simt.Convert:
		return convertLane(v.from, v.to, x)
	}
	switch v.from {
	case dtype.F32:
		if f := unaryFloat[v.kind]; f != nil {
			return bits(f(float(x)))
		}
		if f := binaryFloat[v.kind]; f != nil {
			return bits(f(float(x), float(y)))
		}
		return compareOp(v.kind, float(x), float(y))
	case dtype.Bool:
		if v.kind == simt.Not {
			return 1 - x
		}
	}
	switch {
	case v.kind.IsCompare() && v.from == dtype.I32:
		return compareOp(v.kind, int32(x), int32(y))
	case v.kind.IsCompare():
		return compareOp(v.kind, x, y)
	case v.from == dtype.I32:
		return integerOp(v.kind, int32(x), int32(y))
	}
	return integerOp(v.kind, x, y)
}

// convertLane converts as dtype does on the host; integers keep their bits.
func convertLane(from, to dtype.Type, x lane) lane {
	switch {
	case to == dtype.Bool && from == dtype.F32:
		return truth(float(x) != 0)
	case to == dtype.Bool:
		return truth(x != 0)
	case from != dtype.F32 && to != dtype.F32:
		return x
	}
	var y [1]float64
	dtype.Floats(from, y[:], memoryOf(from, []lane{x}))
	out := make([]byte, 4)
	dtype.PutFloats(to, out, y[:])
	return lanesOf(to, out)[0]
}

// memoryOf lays lanes out as elements of a register type's memory.
func memoryOf(e dtype.Type, ls []lane) []byte {
	if e != dtype.Bool {
		return wordsOf(ls)
	}
	b := make([]byte, len(ls))
	for i, l := range ls {
		b[i] = byte(l)
	}
	return b
}

func lanesOf(e dtype.Type, b []byte) []lane {
	ls := make([]lane, len(b)/e.Size())
	for i := range ls {
		for j := range e.Size() {
			ls[i] |= lane(b[i*e.Size()+j]) << (8 * j)
		}
	}
	return ls
}

// operandLanes are n random values for an operand at a position, within what
// the kind promises to work for, the edges included.
func operandLanes(rng *rand.Rand, v variant, position, n int) []lane {
	e := v.from
	if v.kind == simt.Select && position == 0 {
		e = dtype.Bool
	}
	edges := map[dtype.Type][]lane{
		dtype.I32: {0, 1, 0xffffffff, 0x7fffffff, 0x80000000, 31},
		dtype.U32: {0, 1, 0xffffffff, 0x7fffffff, 0x80000000, 31},
		dtype.F32: {bits(0), bits(1), bits(-1), bits(0.5), bits(-7.25), bits(3)},
	}[e]
	if v.kind == simt.Convert && e == dtype.F32 {
		for _, x := range []float64{math.Inf(1), math.Inf(-1), math.NaN(), 0x1p31, -0x1p31, 0x1.fffffep30, 0x1p32, 0x1.fffffep31, -0.75, 2.5, 1e30, -1e30} {
			edges = append(edges, bits(x))
		}
	}
	if v.kind == simt.Erf {
		edges = append(edges, bits(100), bits(-100), bits(math.Inf(1)), bits(math.Inf(-1)), bits(math.NaN()), bits(1e-30), bits(1e30))
	}
	if v.kind == simt.Tanh {
		edges = append(edges, bits(100), bits(-100), bits(math.Inf(1)), bits(math.Inf(-1)), bits(math.NaN()), bits(1e30))
	}
	ls := make([]lane, n)
	for i := range ls {
		switch {
		case i < 2*len(edges):
			ls[i] = edges[(i+position*i/len(edges))%len(edges)]
		case e == dtype.Bool:
			ls[i] = rng.Uint32() & 1
		case e == dtype.F32:
			ls[i] = bits(rng.Float64()*16 - 8)
		default:
			ls[i] = rng.Uint32() >> (rng.Uint32() & 31)
		}
		ls[i] = legal(v, position, ls[i])
	}
	return ls
}

// legal moves a value to where the op is defined.
func legal(v variant, position int, x lane) lane {
	if v.kind == simt.Rem && v.from == dtype.I32 {
		x &^= 1 << 31
	}
	switch v.kind {
	case simt.Div, simt.Rem:
		if v.from != dtype.F32 && position == 1 && (x == 0 || x == 0xffffffff) {
			return 3
		}
		if v.from == dtype.F32 && position == 1 && x<<1 == 0 {
			return bits(2)
		}
	case simt.Shl, simt.Shr:
		if position == 1 {
			return x & 31
		}
	case simt.Log1p:
		if float(x) <= -1 {
			return bits(-0.999)
		}
	case simt.Log, simt.Log2, simt.Sqrt, simt.Rsqrt:
		if x<<1 == 0 {
			return bits(2)
		}
		return x &^ (1 << 31)
	}
	return x
}

// bounds on the error relative to max(1, |result|) of the kinds that WGSL does
// not round correctly; division is 2.5 ulp.
var bounds = map[simt.Kind]float64{
	simt.Exp: 1e-5, simt.Exp2: 1e-5, simt.Log: 1e-5, simt.Log2: 1e-5, simt.Sqrt: 1e-6, simt.Rsqrt: 1e-6,
	simt.Sin: 5e-4, simt.Cos: 5e-4, simt.Tanh: 1e-4, simt.Div: 4e-7, simt.Erf: 2e-7, simt.Log1p: 1e-5, simt.Expm1: 1e-5, simt.FMA: 2e-5, simt.Add: 1e-6, simt.Sub: 1e-6, simt.Mul: 1e-6,
}

func agrees(v variant, got, want lane) bool {
	if v.to != dtype.F32 || v.kind == simt.Bitcast || v.kind == simt.Select {
		return got == want
	}
	x, y := float(got), float(want)
	return sameFloat(x, y) || math.Abs(x-y) <= bounds[v.kind]*max(1, math.Abs(y))
}

// TestMeaning runs every element-wise kind on every type, as scalars and as
// vectors, and compares with what the host computes.
func TestMeaning(t *testing.T) {
	eachDevice(t, func(t *testing.T, d backend.Device) {
		rng := rand.New(rand.NewPCG(5, 6))
		for _, v := range variants() {
			if v.long() {
				continue // see TestLong
			}
			for _, width := range []int{1, 4} {
				n := 64 * width * 2
				var operands [3][]lane
				var inputs [][]byte
				for i := range 3 {
					operands[i] = operandLanes(rng, v, i, n)
					if i < arity(v.kind) {
						e := v.from
						if v.kind == simt.Select && i == 0 {
							e = dtype.Bool
						}
						inputs = append(inputs, memoryOf(e, operands[i]))
					}
				}
				k := elementwise(v.kind, v.from, v.to, v.index, width)
				got := lanesOf(v.to, execute(t, d, k, 2, nil, n*v.to.Size(), inputs...))
				for i, g := range got {
					x, y, z := operands[0][i], operands[1][i], operands[2][i]
					if want := meaning(v, x, y, z); !agrees(v, g, want) {
						t.Errorf("%v width %d of %08x %08x %08x: %08x, want %08x", v, width, x, y, z, g, want)
						break
					}
				}
			}
		}
	})
}
