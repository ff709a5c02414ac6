package emit

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// pairMaker describes floats as kernels do, from a word of random bits.
type pairMaker struct {
	*emitter
	word, zero   *simt.Value // zero is a float of an integer from 0 to 255
	scale, short *simt.Value // floats, of which memory has the second in F16
}

func (m pairMaker) with(kind simt.Kind, x *simt.Value, by uint32) *simt.Value {
	return m.b.Binary(kind, x, m.b.Const(x.Type, float64(by)))
}

// bits are so many bits of a byte of the word, from one of the word's on.
func (m pairMaker) bits(at, width int) *simt.Value {
	return m.with(simt.And, m.with(simt.Shr, m.byteOf(at/8, dtype.U8), uint32(at%8)), 1<<width-1)
}

// byteOf is a byte of the word as an integer of a type, extended to U32.
func (m pairMaker) byteOf(i int, e dtype.Type) *simt.Value {
	q := m.b.Extract(m.b.Unpack(m.word, e), i)
	if q.Type.Elem == dtype.U32 {
		return q
	}
	return m.b.Convert(q, dtype.U32)
}

// less is an integer below the exponent of 2^23 by an op, less a number.
func (m pairMaker) less(q *simt.Value, by simt.Kind, flip uint32, less float64) *simt.Value {
	x := m.bitsAs(m.with(by, q, exponent23|flip), dtype.F32)
	return m.b.Binary(simt.Sub, x, m.b.Const(x.Type, 1<<23+less))
}

// lessZero is an integer less the zero point and a constant.
func (m pairMaker) lessZero(q *simt.Value, less float64) *simt.Value {
	x := m.bitsAs(m.with(simt.Or, q, exponent23), dtype.F32)
	return m.b.Binary(simt.Sub, x, m.b.Binary(simt.Add, m.zero, m.b.Const(x.Type, 1<<23+less)))
}

// times are products of two integers and a scale.
func (m pairMaker) times(scale *simt.Value) (x, y *simt.Value) {
	of := func(at int) *simt.Value {
		return m.b.Binary(simt.Mul, m.less(m.bits(at, 4), simt.Xor, 8, 8), scale)
	}
	return of(0), of(16)
}

// chosen is a number by each value of some bits, chosen by one bit after the other; all are odd multiples of a step, from 1 on.
func (m pairMaker) chosen(q *simt.Value, step float64) *simt.Value {
	number := func(x float64) *simt.Value { return m.b.Const(simt.Scalar(dtype.F32), x) }
	var list []*simt.Value
	for i := range 16 {
		list = append(list, number(step*float64(2*i+1)))
	}
	for bit := uint32(1); len(list) > 1; bit *= 2 {
		set := m.with(simt.Ne, m.with(simt.And, q, bit), 0)
		for i := range len(list) / 2 {
			list[i] = m.b.Select(set, list[2*i+1], list[2*i])
		}
		list = list[:len(list)/2]
	}
	return m.b.FMA(list[0], number(2), number(step))
}

// signed is signedBy the integers whose halves FP4 has.
func (m pairMaker) signed(at int) *simt.Value { return m.signedBy(at, 0xc8643210) }

// signedBy is half an integer that three bits number, by a shift of a word of eight, with the sign of a fourth one.
func (m pairMaker) signedBy(at int, integers uint32) *simt.Value {
	q := m.bits(at, 4)
	word := m.b.Const(q.Type, float64(integers))
	x := m.with(simt.And, m.b.Binary(simt.Shr, word, m.with(simt.And, m.with(simt.Shl, q, 2), 31)), 15)
	half := m.b.Binary(simt.Sub, m.bitsAs(m.with(simt.Or, x, exponent23-1<<23), dtype.F32), m.b.Const(simt.Scalar(dtype.F32), 1<<22))
	return m.bitsAs(m.b.Binary(simt.Xor, m.bitsAs(half, dtype.U32), m.with(simt.And, m.with(simt.Shl, q, 28), 1<<31)), dtype.F32)
}

// Integers 16 bits apart in a word become floats together, of the same bits as one by one; others, which are something else, do not.
func TestIntegerPairs(t *testing.T) {
	half, both := []dtype.Type{dtype.F16}, []dtype.Type{dtype.F16, dtype.BF16}
	for name, c := range map[string]struct {
		of func(m pairMaker) (x, y *simt.Value)
		in []dtype.Type // types of which pairs are made
	}{
		"low nibbles": {func(m pairMaker) (x, y *simt.Value) {
			return m.less(m.bits(0, 4), simt.Xor, 8, 8), m.less(m.bits(16, 4), simt.Xor, 8, 8)
		}, both},
		"second nibbles": {func(m pairMaker) (x, y *simt.Value) {
			return m.less(m.bits(4, 4), simt.Xor, 8, 8), m.less(m.bits(20, 4), simt.Xor, 8, 8)
		}, both},
		"third nibbles": {func(m pairMaker) (x, y *simt.Value) {
			return m.less(m.bits(8, 4), simt.Or, 0, 0), m.less(m.bits(24, 4), simt.Or, 0, 0)
		}, both},
		"highest nibbles": {func(m pairMaker) (x, y *simt.Value) {
			return m.lessZero(m.bits(12, 4), 0), m.lessZero(m.bits(28, 4), 0)
		}, both},
		"fields of 6 bits": {func(m pairMaker) (x, y *simt.Value) {
			return m.less(m.bits(9, 6), simt.Xor, 9, 32), m.less(m.bits(25, 6), simt.Xor, 9, 32)
		}, both},
		"signed bytes": {func(m pairMaker) (x, y *simt.Value) {
			of := func(i int) *simt.Value {
				return m.less(m.with(simt.And, m.byteOf(i, dtype.I8), 255), simt.Xor, 128, 128)
			}
			return of(0), of(2)
		}, half},
		"bytes less zero points": {func(m pairMaker) (x, y *simt.Value) {
			return m.lessZero(m.byteOf(1, dtype.U8), 0), m.lessZero(m.byteOf(3, dtype.U8), 0)
		}, half},
		"halves of a byte": {func(m pairMaker) (x, y *simt.Value) {
			return m.less(m.bits(0, 4), simt.Xor, 8, 8), m.less(m.bits(4, 4), simt.Xor, 8, 8)
		}, both},
		"halves of the second byte": {func(m pairMaker) (x, y *simt.Value) {
			return m.lessZero(m.bits(8, 4), 0), m.lessZero(m.bits(12, 4), 0)
		}, both},
		"halves of the last byte": {func(m pairMaker) (x, y *simt.Value) {
			return m.less(m.bits(24, 4), simt.Or, 0, 0), m.less(m.bits(28, 4), simt.Or, 0, 0)
		}, both},
		"bytes of half a word": {func(m pairMaker) (x, y *simt.Value) {
			return m.lessZero(m.byteOf(2, dtype.U8), 0), m.lessZero(m.byteOf(3, dtype.U8), 0)
		}, half},
		"zero points and a constant": {func(m pairMaker) (x, y *simt.Value) {
			return m.lessZero(m.bits(0, 4), 8), m.lessZero(m.bits(16, 4), 8)
		}, both},

		"halves of bytes that are no whole ones": {func(m pairMaker) (x, y *simt.Value) {
			return m.less(m.bits(2, 4), simt.Xor, 8, 8), m.less(m.bits(6, 2), simt.Xor, 8, 8)
		}, nil},
		"scales":        {func(m pairMaker) (x, y *simt.Value) { return m.times(m.scale) }, both},
		"scales of F16": {func(m pairMaker) (x, y *simt.Value) { return m.times(m.short) }, both},
		"two scales": {func(m pairMaker) (x, y *simt.Value) {
			x, _ = m.times(m.scale)
			_, y = m.times(m.short)
			return x, y
		}, nil},
		"a scale for one": {func(m pairMaker) (x, y *simt.Value) {
			x, _ = m.times(m.scale)
			return x, m.less(m.bits(16, 4), simt.Xor, 8, 8)
		}, nil},
		"neighbours across bytes": {func(m pairMaker) (x, y *simt.Value) {
			return m.less(m.bits(4, 4), simt.Xor, 8, 8), m.less(m.bits(8, 4), simt.Xor, 8, 8)
		}, nil},
		"bytes in the middle": {func(m pairMaker) (x, y *simt.Value) {
			return m.lessZero(m.byteOf(1, dtype.U8), 0), m.lessZero(m.byteOf(2, dtype.U8), 0)
		}, nil},
		"the other order": {func(m pairMaker) (x, y *simt.Value) {
			return m.less(m.bits(16, 4), simt.Xor, 8, 8), m.less(m.bits(0, 4), simt.Xor, 8, 8)
		}, nil},
		"other widths": {func(m pairMaker) (x, y *simt.Value) {
			return m.less(m.bits(0, 4), simt.Or, 0, 0), m.less(m.bits(16, 3), simt.Or, 0, 0)
		}, nil},
		"other constants": {func(m pairMaker) (x, y *simt.Value) {
			return m.less(m.bits(0, 4), simt.Xor, 8, 8), m.less(m.bits(16, 4), simt.Xor, 8, 7)
		}, nil},
		"other flips": {func(m pairMaker) (x, y *simt.Value) {
			return m.less(m.bits(0, 4), simt.Xor, 8, 8), m.less(m.bits(16, 4), simt.Xor, 4, 8)
		}, nil},
		"a zero point for one": {func(m pairMaker) (x, y *simt.Value) {
			return m.lessZero(m.bits(0, 4), 0), m.less(m.bits(16, 4), simt.Or, 0, 0)
		}, nil},
		"extended bytes": {func(m pairMaker) (x, y *simt.Value) { // of which higher bits change the exponent
			of := func(i int) *simt.Value { return m.less(m.byteOf(i, dtype.I8), simt.Xor, 128, 128) }
			return of(0), of(2)
		}, nil},
		"masks wider than a signed byte": {func(m pairMaker) (x, y *simt.Value) {
			of := func(i int) *simt.Value {
				return m.less(m.with(simt.And, m.byteOf(i, dtype.I8), 511), simt.Or, 0, 0)
			}
			return of(0), of(2)
		}, nil},
		"signed bytes, shifted": {func(m pairMaker) (x, y *simt.Value) {
			of := func(i int) *simt.Value {
				return m.less(m.with(simt.And, m.with(simt.Shr, m.byteOf(i, dtype.I8), 4), 15), simt.Or, 0, 0)
			}
			return of(0), of(2)
		}, nil},
		"masks with gaps": {func(m pairMaker) (x, y *simt.Value) {
			of := func(at int) *simt.Value {
				return m.less(m.with(simt.And, m.byteOf(at, dtype.U8), 13), simt.Or, 0, 0)
			}
			return of(0), of(2)
		}, nil},
		"bits that are set": {func(m pairMaker) (x, y *simt.Value) { // by Or, which is no inversion
			return m.less(m.bits(0, 4), simt.Or, 8, 8), m.less(m.bits(16, 4), simt.Or, 8, 8)
		}, both},
		"numbers of a table": {func(m pairMaker) (x, y *simt.Value) {
			return m.chosen(m.bits(0, 4), 0.3), m.chosen(m.bits(16, 4), 0.3)
		}, both},
		"numbers by the second and the last nibbles": {func(m pairMaker) (x, y *simt.Value) {
			return m.chosen(m.bits(12, 4), -7), m.chosen(m.bits(28, 4), -7)
		}, both},
		"numbers by halves of a byte": {func(m pairMaker) (x, y *simt.Value) {
			return m.chosen(m.bits(24, 4), 0.1), m.chosen(m.bits(28, 4), 0.1)
		}, both},
		"numbers by some bits": {func(m pairMaker) (x, y *simt.Value) {
			return m.chosen(m.bits(5, 3), 0.3), m.chosen(m.bits(21, 3), 0.3)
		}, both},
		"signs and multiples":                                {func(m pairMaker) (x, y *simt.Value) { return m.signed(0), m.signed(16) }, both},
		"signs and integers":                                 {func(m pairMaker) (x, y *simt.Value) { return m.signedBy(4, 0x76543210), m.signedBy(20, 0x76543210) }, both},
		"signs and fractions by the last nibbles":            {func(m pairMaker) (x, y *simt.Value) { return m.signedBy(12, 0xc8643210), m.signedBy(28, 0xc8643210) }, both},
		"signs and numbers that are no floats of fewer bits": {func(m pairMaker) (x, y *simt.Value) { return m.signedBy(8, 0x75543210), m.signedBy(24, 0x75543210) }, both},
		"scales of exact numbers": {func(m pairMaker) (x, y *simt.Value) {
			return m.b.Binary(simt.Mul, m.signed(4), m.scale), m.b.Binary(simt.Mul, m.signed(20), m.scale)
		}, both},
		"numbers that are rounded after scales": {func(m pairMaker) (x, y *simt.Value) {
			return m.b.Binary(simt.Mul, m.chosen(m.bits(0, 4), 0.3), m.scale), m.b.Binary(simt.Mul, m.chosen(m.bits(16, 4), 0.3), m.scale)
		}, both},
		"numbers by halves of a byte, scaled": {func(m pairMaker) (x, y *simt.Value) {
			return m.b.Binary(simt.Mul, m.chosen(m.bits(8, 4), 0.3), m.short), m.b.Binary(simt.Mul, m.chosen(m.bits(12, 4), 0.3), m.short)
		}, both},
		"numbers of two tables": {func(m pairMaker) (x, y *simt.Value) {
			return m.chosen(m.bits(0, 4), 0.3), m.chosen(m.bits(16, 4), 0.4)
		}, nil},
		"numbers by bits of two nibbles": {func(m pairMaker) (x, y *simt.Value) {
			return m.chosen(m.bits(2, 4), 0.3), m.chosen(m.bits(18, 4), 0.3)
		}, nil},
		"numbers by something else, too": {func(m pairMaker) (x, y *simt.Value) {
			return m.b.Binary(simt.Add, m.chosen(m.bits(0, 4), 0.3), m.scale), m.b.Binary(simt.Add, m.chosen(m.bits(16, 4), 0.3), m.scale)
		}, nil},
		"floats that are no integers": {func(m pairMaker) (x, y *simt.Value) {
			return m.less(m.bits(0, 4), simt.Xor, 8, 8.5), m.less(m.bits(16, 4), simt.Xor, 8, 8.5)
		}, both}, // 2^23 + 8.5 is 2^23 + 8 in F32
	} {
		for _, e := range both {
			t.Run(name+"/"+e.String(), func(t *testing.T) {
				m := pairMaker{emitter: &emitter{b: simt.NewBuilder("pairs", 1), caps: target.Caps{Language: target.CUDA}}}
				buffers := []*simt.Buffer{{Name: "word", Elem: dtype.U32, Read: true}, {Name: "zero", Elem: dtype.U8, Read: true},
					{Name: "each", Elem: dtype.U32, Write: true}, {Name: "pair", Elem: dtype.U32, Write: true},
					{Name: "scale", Elem: dtype.F32, Read: true}, {Name: "short", Elem: dtype.F16, Read: true}}
				m.b.Func.Buffers = buffers
				at := m.b.Int(0)
				m.word, m.zero = m.b.Load(buffers[0], at, nil, 1, 0), m.b.Convert(m.b.Load(buffers[1], at, nil, 1, 0), dtype.F32)
				m.scale, m.short = m.b.Load(buffers[4], at, nil, 1, 0), m.b.Load(buffers[5], at, nil, 1, 0)
				x, y := c.of(m)
				words := m.integerPairs([]*simt.Value{x, y}, e)
				if got, want := words != nil, len(c.in) == 2 || len(c.in) == 1 && c.in[0] == e; got != want {
					t.Fatalf("floats in pairs: %v, want %v", got, want)
				}
				if words == nil {
					return
				}
				m.b.Store(buffers[2], at, m.b.Pack(m.b.Compose(x, y), e), nil)
				m.b.Store(buffers[3], at, words[0], nil)
				rng := rand.New(rand.NewPCG(7, uint64(len(name))))
				for range 200 {
					memory := [][]byte{make([]byte, 16), make([]byte, 16), make([]byte, 16), make([]byte, 16), make([]byte, 16), make([]byte, 16)}
					dtype.PutFloats(dtype.F32, memory[4], []float64{math.Ldexp(rng.NormFloat64(), 20-rng.IntN(50))})
					dtype.PutFloats(dtype.F16, memory[5], []float64{math.Ldexp(rng.NormFloat64(), -rng.IntN(30))})
					binary.LittleEndian.PutUint32(memory[0], rng.Uint32())
					memory[1][0] = byte(rng.Uint32())
					if err := machine.Run(m.b.Func, [3]int{1, 1, 1}, memory, nil); err != nil {
						t.Fatalf("%v\n%v", err, m.b.Func)
					}
					if !bytes.Equal(memory[2], memory[3]) && !(strings.HasPrefix(name, "scales") && nearlyRounded(e, memory)) {
						t.Fatalf("of %x and zero point %d: one by one %x, in pairs %x\n%v", memory[0][:4], memory[1][0], memory[2][:4], memory[3][:4], m.b.Func)
					}
				}
			})
		}
	}
}

// In SPIR-V pairs are of integers of F16, after these have become floats from their words, too; neither products with scales nor numbers of tables.
func TestIntegerPairsOfShaders(t *testing.T) {
	for name, c := range map[string]struct {
		of  func(m pairMaker) (x, y *simt.Value)
		f16 bool
	}{
		"integers": {func(m pairMaker) (x, y *simt.Value) {
			return m.less(m.bits(4, 4), simt.Xor, 8, 8), m.less(m.bits(20, 4), simt.Xor, 8, 8)
		}, true},
		"integers of words": {func(m pairMaker) (x, y *simt.Value) {
			return m.integerFloats(m.less(m.bits(4, 4), simt.Xor, 8, 8)), m.integerFloats(m.less(m.bits(20, 4), simt.Xor, 8, 8))
		}, true},
		"less zero points": {func(m pairMaker) (x, y *simt.Value) {
			return m.integerFloats(m.lessZero(m.bits(0, 4), 0)), m.integerFloats(m.lessZero(m.bits(16, 4), 0))
		}, true},
		"scaled": {func(m pairMaker) (x, y *simt.Value) { return m.times(m.scale) }, false},
		"tables": {func(m pairMaker) (x, y *simt.Value) { return m.chosen(m.bits(0, 4), 0.3), m.chosen(m.bits(16, 4), 0.3) }, false},
	} {
		for _, e := range []dtype.Type{dtype.F16, dtype.BF16} {
			for _, has := range []bool{true, false} {
				m := pairMaker{emitter: &emitter{b: simt.NewBuilder("pairs", 1), caps: target.Caps{Language: target.SPIRV, F16: has}}}
				m.b.Func.Buffers = []*simt.Buffer{{Name: "word", Elem: dtype.U32, Read: true}, {Name: "zero", Elem: dtype.U8, Read: true}, {Name: "scale", Elem: dtype.F32, Read: true}}
				at := m.b.Int(0)
				m.word, m.zero = m.b.Load(m.b.Func.Buffers[0], at, nil, 1, 0), m.b.Convert(m.b.Load(m.b.Func.Buffers[1], at, nil, 1, 0), dtype.F32)
				m.scale = m.b.Load(m.b.Func.Buffers[2], at, nil, 1, 0)
				x, y := c.of(m)
				if got, want := m.integerPairs([]*simt.Value{x, y}, e) != nil, c.f16 && has && e == dtype.F16; got != want {
					t.Errorf("%s of %v, F16 %v: pairs %v, want %v", name, e, has, got, want)
				}
			}
		}
	}
}

// nearlyRounded reports whether the words of buffer 3 are those of buffer 2 but for errors that products with scales in two parts have in addition to the rounding: a
// part of 2^-9 of it, or 2^-6 of BF16's, and half the step between F16's subnormal numbers.
func nearlyRounded(e dtype.Type, memory [][]byte) bool {
	var each, pair [2]float64
	dtype.Floats(e, each[:], memory[2])
	dtype.Floats(e, pair[:], memory[3])
	for i, x := range each {
		step := 2 * e.Epsilon() * math.Abs(x) // from one number to the next, at most
		if e == dtype.F16 {
			step = max(step, 0x1p-24)
		}
		if d := math.Abs(pair[i] - x); d > step && pair[i] != x {
			return false
		}
	}
	return true
}

// Products of integers and scales of F32 in pairs are those of real numbers, rounded nearly once, from the least scales to those whose products are infinite.
func TestScaledPairs(t *testing.T) {
	for _, e := range []dtype.Type{dtype.F16, dtype.BF16} {
		m := pairMaker{emitter: &emitter{b: simt.NewBuilder("pairs", 1), caps: target.Caps{Language: target.CUDA}}}
		buffers := []*simt.Buffer{{Name: "word", Elem: dtype.U32, Read: true}, {Name: "scale", Elem: dtype.F32, Read: true}, {Name: "pair", Elem: dtype.U32, Write: true}}
		m.b.Func.Buffers = buffers
		at := m.b.Int(0)
		m.word, m.scale = m.b.Load(buffers[0], at, nil, 1, 0), m.b.Load(buffers[1], at, nil, 1, 0)
		x, y := m.times(m.scale)
		m.b.Store(buffers[2], at, m.integerPairs([]*simt.Value{x, y}, e)[0], nil)
		rng := rand.New(rand.NewPCG(3, 4))
		for range 3000 {
			memory := [][]byte{make([]byte, 16), make([]byte, 16), make([]byte, 16)}
			word, scale := rng.Uint32(), math.Ldexp(1+rng.Float64(), 30-rng.IntN(70))
			switch rng.IntN(20) {
			case 0:
				scale = 0
			case 1:
				scale = math.NaN()
			case 2, 3, 4, 5, 6, 7:
				scale = -scale
			}
			binary.LittleEndian.PutUint32(memory[0], word)
			dtype.PutFloats(dtype.F32, memory[1], []float64{scale})
			if err := machine.Run(m.b.Func, [3]int{1, 1, 1}, memory, nil); err != nil {
				t.Fatal(err)
			}
			var scales [1]float64
			dtype.Floats(dtype.F32, scales[:], memory[1])
			var got [2]float64
			dtype.Floats(e, got[:], memory[2])
			for i, v := range got {
				want := float64(int(word>>(16*i)&15^8)-8) * scales[0]
				bound := e.Epsilon() * (1 + 4*e.Epsilon()) * math.Abs(want)
				if e == dtype.F16 {
					bound += 0x1.1p-25
				}
				most := 65520.0 // rounds to infinity
				if e == dtype.BF16 {
					most = math.Inf(1)
				}
				switch {
				case math.IsNaN(want):
					if !math.IsNaN(v) {
						t.Fatalf("%v: %x times NaN is %v", e, word, v)
					}
				case math.Abs(want) >= most:
					if !math.IsInf(v, int(want/math.Abs(want))) && math.Abs(want) > most*(1+0x1p-20) {
						t.Fatalf("%v: %v is %v, want infinity", e, want, v)
					}
				case !(math.Abs(v-want) <= bound):
					t.Fatalf("%v: scale %v, want %v, got %v: %v of the bound", e, scales[0], want, v, math.Abs(v-want)/bound)
				}
			}
		}
	}
}

// Numbers that are floats of 4 bits, or integers with a sign, take no table.
func TestMovedBits(t *testing.T) {
	for integers, moved := range map[uint32]bool{0xc8643210: true, 0x76543210: true, 0x75543210: false, 0xb8643210: false} {
		for _, e := range []dtype.Type{dtype.F16, dtype.BF16} {
			m := pairMaker{emitter: &emitter{b: simt.NewBuilder("pairs", 1), caps: target.Caps{Language: target.CUDA}}}
			m.b.Func.Buffers = []*simt.Buffer{{Name: "word", Elem: dtype.U32, Read: true}}
			m.word = m.b.Load(m.b.Func.Buffers[0], m.b.Int(0), nil, 1, 0)
			if m.integerPairs([]*simt.Value{m.signedBy(8, integers), m.signedBy(24, integers)}, e) == nil {
				t.Fatalf("%#x: no pair", integers)
			}
			picks := 0
			simt.Walk(m.b.Func.Body, func(op *simt.Op) {
				if op.Kind == simt.PickBytes {
					picks++
				}
			})
			if (picks == 0) != moved {
				t.Errorf("%#x of %v: %d ops that pick bytes, moved: want %v", integers, e, picks, moved)
			}
		}
	}
}
