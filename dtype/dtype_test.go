package dtype

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestTable(t *testing.T) {
	for _, e := range All() {
		if !e.Valid() || e.Size() == 0 || Parse(e.String()) != e {
			t.Errorf("%v: valid %v, size %d, parsed back as %v", e, e.Valid(), e.Size(), Parse(e.String()))
		}
		if e.IsFloat() != (e.Epsilon() > 0) || e.IsFloat() && e.IsInt() {
			t.Errorf("%v: float %v, int %v, epsilon %v", e, e.IsFloat(), e.IsInt(), e.Epsilon())
		}
	}
	if len(All()) != int(numTypes)-1 {
		t.Errorf("All lists %d types of %d", len(All()), numTypes-1)
	}
	for _, bad := range []Type{Invalid, numTypes, 255} {
		if bad.Valid() || bad.Size() != 0 || bad.IsFloat() || bad.IsSigned() || bad.String() != "invalid" {
			t.Errorf("type %d passes for a valid one", bad)
		}
	}
	if Parse("f128") != Invalid {
		t.Error("f128 is no type")
	}
}

func TestOf(t *testing.T) {
	for want, got := range map[Type]Type{
		Bool: Of[bool](), I8: Of[int8](), U8: Of[uint8](), I16: Of[int16](), U16: Of[uint16](), I32: Of[int32](), U32: Of[uint32](), I64: Of[int64](), U64: Of[uint64](),
		F16: Of[Float16](), BF16: Of[BFloat16](), F32: Of[float32](), F64: Of[float64](),
	} {
		if got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

// Every value of a small type survives the way to float64 and back.
func TestRoundTripAllValues(t *testing.T) {
	for _, e := range []Type{Bool, I8, U8, I16, U16, F16, BF16} {
		n := 1 << (8 * e.Size())
		if e == Bool {
			n = 2
		}
		for bits := range n {
			in, out, x := []byte{byte(bits), byte(bits >> 8)}, make([]byte, 2), make([]float64, 1)
			Floats(e, x, in)
			PutFloats(e, out, x)
			same := in[0] == out[0] && (e.Size() == 1 || in[1] == out[1])
			if !same && x[0] == x[0] {
				t.Fatalf("%v: bits %#x are %v and come back as %#x", e, bits, x[0], out)
			}
			if x[0] != x[0] {
				Floats(e, x, out)
				if x[0] == x[0] {
					t.Fatalf("%v: NaN %#x comes back as %v", e, bits, x[0])
				}
			}
		}
	}
}

// Rounding is to the nearest value, ties to the one with an even mantissa:
// checked against the two neighbours in exact arithmetic.
func TestNearestEven(t *testing.T) {
	for _, e := range []Type{F16, BF16} {
		decode := func(bits uint16) float64 {
			x := make([]float64, 1)
			Floats(e, x, []byte{byte(bits), byte(bits >> 8)})
			return x[0]
		}
		rapid.Check(t, func(t *rapid.T) {
			x := math.Float32frombits(rapid.Uint32().Draw(t, "bits"))
			if e == F16 && rapid.Bool().Draw(t, "in range") {
				x = float32(math.Mod(float64(x), 60000))
			}
			if x != x {
				if r := Round(e, float64(x)); r == r {
					t.Fatalf("NaN becomes %v", r)
				}
				return
			}
			b := make([]byte, 2)
			PutFloats(e, b, []float64{float64(x)})
			bits := uint16(b[0]) | uint16(b[1])<<8
			got := decode(bits)
			if float32(got) != Round(e, float64(x)) {
				t.Fatalf("PutFloats gives %v, Round %v", got, Round(e, float64(x)))
			}
			if math.IsInf(got, 0) {
				// half a step beyond the largest value, the first number that rounds to infinity
				limit := map[Type]float64{F16: 65520, BF16: 0x1.FFp127}[e]
				if math.Abs(float64(x)) < limit {
					t.Fatalf("%v overflows", x)
				}
				return
			}
			distance := func(y float64) *big.Float {
				d := new(big.Float).SetPrec(200).Sub(big.NewFloat(float64(x)), big.NewFloat(y))
				return d.Abs(d)
			}
			for _, near := range []uint16{bits - 1, bits + 1} {
				y := decode(near)
				if y != y || math.IsInf(y, 0) || near&0x8000 != bits&0x8000 {
					continue
				}
				if c := distance(y).Cmp(distance(got)); c < 0 || c == 0 && bits&1 != 0 {
					t.Fatalf("%v rounds to %v (%#x), but %v (%#x) is nearer or even", x, got, bits, y, near)
				}
			}
		})
	}
}

func TestIntegersSaturate(t *testing.T) {
	for _, c := range []struct {
		e    Type
		x    float64
		want float64
	}{
		{I8, 127.9, 127}, {I8, 128, 127}, {I8, -128.9, -128}, {I8, -1e9, -128}, {I8, -0.9, 0},
		{U8, -1, 0}, {U8, 255.9, 255}, {U8, math.Inf(1), 255},
		{I16, 32768, 32767}, {I16, -32769, -32768}, {I16, math.NaN(), 0}, {U16, -1, 0}, {U16, 65536, 65535}, {U16, 65535.5, 65535},
		{I32, 1e10, math.MaxInt32}, {I32, math.Inf(-1), math.MinInt32}, {I32, math.NaN(), 0}, {I32, 16777217, 16777217},
		{U32, 1e10, math.MaxUint32}, {U32, -5, 0}, {U32, 4294967295, 4294967295},
		{I64, 1e30, 0x1p63}, {I64, -1e30, -0x1p63}, {I64, -0x1p63, -0x1p63}, {I64, 1 << 53, 1 << 53}, {I64, math.NaN(), 0}, {I64, -2.5, -2},
		{U64, 1e30, 0x1p64}, {U64, 0x1p63, 0x1p63}, {U64, -3, 0}, {U64, math.Inf(1), 0x1p64},
		{Bool, 0.5, 1}, {Bool, 0, 0}, {Bool, math.NaN(), 1},
	} {
		b, x := make([]byte, 8), make([]float64, 1)
		PutFloats(c.e, b, []float64{c.x})
		Floats(c.e, x, b)
		if x[0] != c.want {
			t.Errorf("%v of %v is %v, want %v", c.e, c.x, x[0], c.want)
		}
	}
}

// Bits of 64-bit integers that no float64 holds saturate to, and the values that a type holds.
func TestIntegerAndHolds(t *testing.T) {
	for _, c := range []struct {
		e    Type
		x    float64
		bits uint64
		held bool
	}{
		{I64, 0x1p63, math.MaxInt64, false}, {I64, -0x1p63, 1 << 63, true}, {I64, math.Inf(-1), 1 << 63, false}, {I64, -1, math.MaxUint64, true},
		{U64, 0x1p64, math.MaxUint64, false}, {U64, 0x1p63, 1 << 63, true}, {U64, -1, 0, false}, {U64, 0.5, 0, false},
		{I32, 0x1p31, math.MaxInt32, false}, {I32, -0x1p31, 0xffffffff80000000, true}, {I8, 127, 127, true}, {I8, -129, 0xffffffffffffff80, false},
		{U8, 255, 255, true}, {U8, 256, 255, false}, {U32, math.NaN(), 0, false}, {I64, math.NaN(), 0, false},
	} {
		if got := Integer(c.e, c.x); got != c.bits {
			t.Errorf("%v of %v has bits %#x, want %#x", c.e, c.x, got, c.bits)
		}
		if Holds(c.e, c.x) != c.held {
			t.Errorf("%v is a value of %v: %v", c.x, c.e, !c.held)
		}
	}
	if !Holds(Bool, 1) || Holds(Bool, 2) || Holds(Bool, -1) {
		t.Error("Bool holds 0 and 1")
	}
}
