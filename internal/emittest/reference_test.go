package emittest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/simt"
)

// A lane is what a register holds, as bits; Bool is 0 or 1.
type lane = uint32

func float(x lane) float64 { return float64(math.Float32frombits(x)) }

func bits(x float64) lane { return math.Float32bits(float32(x)) }

// meaning computes one lane of an element-wise op on the host.
func meaning(v variant, x, y, z lane) lane {
	r, _ := machine.Elementwise(v.kind, v.from, v.to, v.elem)(machine.Lane(x), machine.Lane(y), machine.Lane(z))
	return lane(r)
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
				k := elementwise(v.kind, v.from, v.to, v.elem, width)
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
