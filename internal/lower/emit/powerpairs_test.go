package emit

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// power is what kernels make of a byte that is the exponent of a scale.
func (m pairMaker) power(exponent *simt.Value) *simt.Value {
	bits := m.with(simt.Max, m.with(simt.Shl, exponent, 23), 1<<22)
	nan := m.b.Const(bits.Type, 0x7fc00000)
	return m.bitsAs(m.b.Select(m.with(simt.Eq, exponent, 255), nan, bits), dtype.F32)
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
