package emit

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/codes"
	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// power is what kernels make of a byte that is the exponent of a scale.
func (m pairMaker) power(exponent *simt.Value) *simt.Value {
	bits := m.with(simt.Max, m.with(simt.Shl, exponent, 23), 1<<22)
	nan := m.b.Const(bits.Type, 0x7fc00000)
	return m.bitsAs(m.b.Select(m.with(simt.Eq, exponent, 255), nan, bits), dtype.F32)
}

// float8 is what kernels make of a byte that is a float E4M3.
func (m pairMaker) float8(at int) *simt.Value {
	code := m.byteOf(at/8, dtype.U8)
	magnitude := m.with(simt.And, code, 127)
	normal := m.bitsAs(m.with(simt.Shl, m.with(simt.Add, magnitude, 120<<3), 20), dtype.F32)
	subnormal := m.b.Binary(simt.Sub, m.bitsAs(m.with(simt.Or, magnitude, 0x46800000), dtype.F32), m.b.Const(normal.Type, 0x1p14))
	x := m.b.Select(m.with(simt.Lt, magnitude, 8), subnormal, normal)
	return m.bitsAs(m.b.Binary(simt.Xor, m.bitsAs(x, dtype.U32), m.with(simt.And, m.with(simt.Shl, code, 24), 1<<31)), dtype.F32)
}

// Products of floats of 8 bits, or of eight times as large ones, and scales of F32 are rounded once, or twice in BF16, from all scales; without a scale pairs are the numbers. None
// are looked up.
func TestFloat8Pairs(t *testing.T) {
	for i := range 4 {
		e, times := []dtype.Type{dtype.F16, dtype.BF16}[i%2], float64(1+i/2*7)
		m := pairMaker{emitter: &emitter{b: simt.NewBuilder("pairs", 1), caps: target.Caps{Language: target.CUDA}, tables: codes.Tables{Bytes: true}}}
		buffers := []*simt.Buffer{{Name: "word", Elem: dtype.U32, Read: true}, {Name: "scale", Elem: dtype.F32, Read: true}, {Name: "pairs", Elem: dtype.U32, Write: true}}
		m.b.Func.Buffers = buffers
		at := m.b.Int(0)
		m.word, m.scale = m.b.Load(buffers[0], at, nil, 1, 0), m.b.Load(buffers[1], at, nil, 1, 0)
		for i, byte := range []int{0, 8} {
			x, y := m.float8(byte), m.float8(byte+16)
			if times != 1 {
				by := m.b.Const(x.Type, times)
				x, y = m.b.Binary(simt.Mul, x, by), m.b.Binary(simt.Mul, y, by)
			}
			m.b.Store(buffers[2], m.b.Int(2*i), m.integerPairs([]*simt.Value{x, y}, e)[0], nil)
			x, y = m.b.Binary(simt.Mul, x, m.scale), m.b.Binary(simt.Mul, y, m.scale)
			m.b.Store(buffers[2], m.b.Int(2*i+1), m.integerPairs([]*simt.Value{x, y}, e)[0], nil)
		}
		simt.Walk(m.b.Func.Body, func(op *simt.Op) {
			if op.Kind == simt.PickBytes {
				t.Fatalf("%v: numbers are looked up", e)
			}
		})
		rng := rand.New(rand.NewPCG(8, 5))
		for i := range 300 {
			scale := float64(float32(math.Ldexp(1+rng.Float64(), i%256-128)))
			if i%8 < 4 {
				scale = math.Ldexp(1, i%256-126)
			}
			switch i {
			case 1, 2, 3, 5:
				scale = []float64{0, math.NaN(), 0, math.Inf(1), 0, -0x1p126}[i]
			}
			if rng.IntN(3) == 0 {
				scale = -scale
			}
			for code := rng.IntN(3); code < 256; code += 3 {
				word := [4]int{code, 255 - code, code ^ 0x55, (code + 77) & 255}
				memory := [][]byte{make([]byte, 16), make([]byte, 16), make([]byte, 16)}
				binary.LittleEndian.PutUint32(memory[0], uint32(word[0]|word[1]<<8|word[2]<<16|word[3]<<24))
				dtype.PutFloats(dtype.F32, memory[1], []float64{scale})
				if err := machine.Run(m.b.Func, [3]int{1, 1, 1}, memory, nil); err != nil {
					t.Fatal(err)
				}
				var got [8]float64
				dtype.Floats(e, got[:], memory[2])
				for j, v := range got {
					number := times * reference.Float8(word[[8]int{0, 2, 0, 2, 1, 3, 1, 3}[j]])
					want, bound := number, 0.0
					if j%4 >= 2 {
						exact := float64(float32(number) * float32(scale))
						if want = float64(dtype.Round(e, exact)); e == dtype.BF16 {
							bound = math.Ldexp(math.Abs(exact), -7) + 0x1p-123 // of n·low and of the sum, and of scales of which parts are subnormal
						}
					}
					same := v == want || math.IsNaN(v) && math.IsNaN(want) || math.Abs(v-want) <= bound || math.IsInf(scale, 0) && e == dtype.BF16 || math.Abs(want) > 0x1p126
					if !same {
						t.Fatalf("%v: element %d, %v times %v is %v, want %v", e, j, number, scale, v, want)
					}
				}
			}
		}
	}
}

// In SPIR-V bits are moved where the device keeps denormals, which they may be; integers and scales that are rounded twice stay as they are.
func TestMovedBitsOfShaders(t *testing.T) {
	for _, keeps := range []target.Types{0, target.TypesOf(dtype.F16)} {
		caps := target.Caps{Language: target.SPIRV, F16: true, KeepsDenormals: keeps}
		m := pairMaker{emitter: &emitter{b: simt.NewBuilder("pairs", 1), caps: caps, tables: codes.Tables{Bytes: true}}}
		m.b.Func.Buffers = []*simt.Buffer{{Name: "words", Elem: dtype.U32, Read: true}, {Name: "scale", Elem: dtype.F32, Read: true}}
		at := m.b.Int(0)
		m.word, m.scale = m.b.Load(m.b.Func.Buffers[0], at, nil, 1, 0), m.b.Load(m.b.Func.Buffers[1], at, nil, 1, 0)
		power := m.power(m.byteOf(1, dtype.U8))
		fp4, fp8 := m.signed, m.float8
		small := func(at int) *simt.Value {
			return m.b.Binary(simt.Mul, fp4(at), m.b.Const(simt.Scalar(dtype.F32), 1.0/64))
		}
		for name, c := range map[string]struct {
			number func(at int) *simt.Value
			scale  *simt.Value
			pairs  bool
		}{
			"FP4": {fp4, nil, true}, "FP4 by powers of two": {fp4, power, true}, "FP4 by floats": {fp4, m.scale, false},
			"small numbers by powers of two": {small, power, false}, // CUDA scales their table, and picks bytes of it
			"FP8":                            {fp8, nil, true}, "FP8 by floats": {fp8, m.scale, true},
			"table": {func(at int) *simt.Value { return m.chosen(m.bits(at, 4), 0.3) }, nil, false},
		} {
			x, y := c.number(8), c.number(24)
			if c.scale != nil {
				x, y = m.b.Binary(simt.Mul, x, c.scale), m.b.Binary(simt.Mul, y, c.scale)
			}
			if got, want := m.integerPairs([]*simt.Value{x, y}, dtype.F16) != nil, c.pairs && keeps != 0; got != want {
				t.Errorf("%s, keeps denormals of %v: pairs %v, want %v", name, keeps, got, want)
			}
		}
	}
}

// Products of numbers of 4 bits and powers of two in pairs are rounded once, from all scales, and infinite where they are beyond what the type holds; each pair of numbers takes two products at most.
func TestPowerPairs(t *testing.T) {
	for name, number := range map[string]func(m pairMaker, at int) *simt.Value{
		"FP4":      func(m pairMaker, at int) *simt.Value { return m.signed(at) },
		"integers": func(m pairMaker, at int) *simt.Value { return m.less(m.bits(at, 4), simt.Xor, 8, 8) },
	} {
		for _, e := range []dtype.Type{dtype.F16, dtype.BF16} {
			m := pairMaker{emitter: &emitter{b: simt.NewBuilder("pairs", 1), caps: target.Caps{Language: target.CUDA}}}
			buffers := []*simt.Buffer{{Name: "word", Elem: dtype.U32, Read: true}, {Name: "scale", Elem: dtype.U32, Read: true}, {Name: "each", Elem: dtype.F32, Write: true}, {Name: "pair", Elem: dtype.U32, Write: true}}
			m.b.Func.Buffers = buffers
			at := m.b.Int(0)
			m.word, m.scale = m.b.Load(buffers[0], at, nil, 1, 0), m.power(m.b.Load(buffers[1], at, nil, 1, 0))
			x, y := m.b.Binary(simt.Mul, number(m, 8), m.scale), m.b.Binary(simt.Mul, number(m, 24), m.scale)
			m.b.Store(buffers[2], at, number(m, 8), nil)
			m.b.Store(buffers[3], at, m.integerPairs([]*simt.Value{x, y}, e)[0], nil)
			products := 0
			simt.Walk(m.b.Func.Body, func(op *simt.Op) {
				if op.Kind == simt.PairFMA {
					products++
				}
			})
			if most := 2; name == "FP4" && products > most { // what integers take of it is the same for all pairs
				t.Errorf("%s of %v: %d products of a pair, want %d", name, e, products, most)
			}
			for exponent := range 256 {
				for code := range uint32(16) {
					memory := [][]byte{make([]byte, 16), make([]byte, 16), make([]byte, 16), make([]byte, 16)}
					binary.LittleEndian.PutUint32(memory[0], code*0x1111_1111)
					binary.LittleEndian.PutUint32(memory[1], uint32(exponent))
					if err := machine.Run(m.b.Func, [3]int{1, 1, 1}, memory, nil); err != nil {
						t.Fatal(err)
					}
					var n [1]float64
					var got [2]float64
					dtype.Floats(dtype.F32, n[:], memory[2])
					dtype.Floats(e, got[:], memory[3])
					scale := math.Ldexp(1, exponent-127)
					if exponent == 255 {
						scale = math.NaN()
					}
					want := float64(dtype.Round(e, n[0]*scale))
					for _, v := range got {
						if same := v == want && math.Signbit(v) == math.Signbit(want); !same && !(math.IsNaN(v) && math.IsNaN(want)) {
							t.Fatalf("%s of %v: %v times 2^%d is %v, want %v", name, e, n[0], exponent-127, v, want)
						}
					}
				}
			}
		}
	}
}
