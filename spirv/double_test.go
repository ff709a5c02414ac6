package spirv

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/simt"
)

// doubleCases are the helpers of F64 with what they compute, how far from it they may be, in units in the last place and absolute, and operands: numbers
// of magnitudes from 2^least to 2^most, and some more.
var doubleCases = []struct {
	name        string
	h           *helper
	f           func(float64) float64
	units, off  float64
	least, most int
	more        []float64
	quarters    float64
}{
	{"exp", doubles[simt.Exp], exp, 2, 0, -60, 9, []float64{709.78, 709.79, 710.5, -708.4, -720.25, -745.1, -745.2, 1e300, -1e300}, 0},
	{"exp2", doubles[simt.Exp2], math.Exp2, 1.5, 0, -60, 10, []float64{1023.99999, 1024, 1025, -1022, -1022.5, -1074, -1074.6, -1076, 1e300, -1e300, 12, -7}, 0},
	{"expm1", doubles[simt.Expm1], math.Expm1, 2, 0, -1000, 9, []float64{709.78, 709.79, -36, -37, -38, -1e300, 1e300, 0.34657, 0.34658, -0.34657}, 0},
	{"log", doubles[simt.Log], log, 1.5, 0, -1070, 1023, []float64{0, 1, -1, -1e-300, 0.9999999, 1.0000001, 1.41421356, 0.70710678, 0.7071, math.MaxFloat64, math.SmallestNonzeroFloat64}, 0},
	{"log2", doubles[simt.Log2], log2, 2, 0, -1070, 1023, []float64{0, 1, -1, 2, 1024, 0x1p-1022, 0x1p-1074, 0.9999999, 1.0000001, 1.41421356, 0.70710678}, 0},
	{"log1p", doubles[simt.Log1p], math.Log1p, 2, 0, -1000, 1023, []float64{-1, -1.5, -0.99999999, -0.5, -0.2929, -0.2928, 0.4142, 0.4143, 0x1p53, 0x1p54}, 0},
	{"tanh", doubles[simt.Tanh], math.Tanh, 3, 0, -1000, 6, []float64{0.5, -0.5, 0.625, 19, 22, 1e300}, 0},
	{"erf", doubles[simt.Erf], math.Erf, 2, 0, -1000, 3, []float64{0.999999, 1, -1, 1.000001, 5.9, 6, 1e300, 3.5}, 0},
	{"sin", near, math.Sin, 0, 0x1p-52, -1000, 18, []float64{math.Pi, math.Pi / 2, 524287.9, 1e5, 3e5}, 0},
	{"cos", near, math.Cos, 0, 0x1p-52, -1000, 18, []float64{math.Pi, math.Pi / 2, 524287.9, 1e5, 3e5}, 1},
	{"sin below 1/2", near, math.Sin, 1, 0, -1000, -2, nil, 0},
	{"sin of large angles", far, math.Sin, 0, 0x1p-52, 19, 1023, []float64{524288, -524288, 1e22, math.MaxFloat64, 0x1p1000, 0x1.8p1023}, 0},
	{"cos of large angles", far, math.Cos, 0, 0x1p-52, 19, 1023, []float64{524288, -524288, 1e22, math.MaxFloat64, 0x1p1000, 0x1.8p1023}, 1},
	{"exp near 0", doubles[simt.Exp], exp, 2, 0, -8, 4, nil, 0},
	{"expm1 near 0", doubles[simt.Expm1], math.Expm1, 2, 0, -8, 4, nil, 0},
	{"log near 1", doubles[simt.Log], log, 1.5, 0, -1, 1, nil, 0},
	{"log2 near 1", doubles[simt.Log2], log2, 2, 0, -1, 1, nil, 0},
	{"log1p near 0", doubles[simt.Log1p], math.Log1p, 2, 0, -8, 4, nil, 0},
	{"tanh near 0", doubles[simt.Tanh], math.Tanh, 3, 0, -8, 4, nil, 0},
	{"erf near 0", doubles[simt.Erf], math.Erf, 2, 0, -8, 2, nil, 0},
}

// Both halves of sineDouble, without the branch between them, which differs between threads.
var (
	near = &helper{"near", sineDouble.takes, func(m *maker, args []*simt.Value) *simt.Value {
		r, q := m.nearDouble(args[0])
		return m.turned(args[0], r, m.Binary(simt.Add, q, args[1]))
	}}
	far = &helper{"far", sineDouble.takes, func(m *maker, args []*simt.Value) *simt.Value {
		one := &maker{m.Builder, 1}
		var left, quarters []*simt.Value
		for lane := range m.width {
			both := one.farDouble(m.Extract(args[0], lane))
			left, quarters = append(left, both[0]), append(quarters, both[1])
		}
		return m.turned(args[0], m.Compose(left...), m.Binary(simt.Add, m.Compose(quarters...), args[1]))
	}}
)

// exp is math.Exp, which on some processors overflows too soon.
func exp(x float64) float64 {
	if x > 709 && x < 709.782712893384 {
		return math.Exp(x/2) * math.Exp(x/2)
	}
	return math.Exp(x)
}

// log is math.Log, which on some processors takes subnormal numbers for others.
func log(x float64) float64 {
	if x > 0 && x < 0x1p-1022 {
		return math.Log(x*0x1p60) - 60*math.Ln2
	}
	return math.Log(x)
}

// log2 is exact of powers of two, which math.Log2 is as well, and elsewhere as exact as math.Log, which it is not near 1.
func log2(x float64) float64 {
	if fraction, exponent := math.Frexp(x); fraction == 0.5 {
		return float64(exponent - 1)
	}
	if x > 0.5 && x < 2 {
		hi := math.Log(x) * math.Log2E
		return math.FMA(math.Log(x), 2.0355273740931033e-17, math.FMA(math.Log(x), math.Log2E, -hi)) + hi
	}
	return math.Log2(x)
}

// doubleKernel applies a helper to each element of x, so many at a time.
func doubleKernel(h *helper, width int, quarters float64) *simt.Func {
	b := simt.NewBuilder("k", 64)
	x := &simt.Buffer{Name: "x", Elem: dtype.F64, Read: true}
	out := &simt.Buffer{Name: "out", Elem: dtype.F64, Write: true}
	b.Func.Buffers = []*simt.Buffer{x, out}
	m := &maker{b, width}
	group := b.Emit(&simt.Op{Kind: simt.WorkgroupID}, simt.Scalar(dtype.I32))
	thread := b.Emit(&simt.Op{Kind: simt.ThreadID}, simt.Scalar(dtype.I32))
	at := b.Binary(simt.Mul, b.Binary(simt.Add, b.Binary(simt.Mul, group, b.Int(64)), thread), b.Int(width))
	args := []*simt.Value{b.Load(x, at, nil, width, 0)}
	if len(h.takes) > 1 {
		args = append(args, m.Const(m.of(dtype.I32), quarters))
	}
	b.Store(out, at, h.build(m, args), nil)
	return b.Func
}

func TestDoubles(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 64))
	for _, c := range doubleCases {
		x := append([]float64{math.Inf(1), math.Inf(-1), math.NaN()}, c.more...)
		if c.h != far {
			x = append(x, 0, math.Copysign(0, -1))
		}
		for len(x)%256 != 0 || len(x) < 1<<14 {
			x = append(x, math.Ldexp(1+rng.Float64(), c.least+rng.IntN(c.most-c.least+1)))
			if rng.IntN(2) == 0 {
				x[len(x)-1] *= -1
			}
		}
		var in []byte
		for _, v := range x {
			in = binary.LittleEndian.AppendUint64(in, math.Float64bits(v))
		}
		for _, width := range []int{1, 2} {
			out := make([]byte, len(in))
			k := doubleKernel(c.h, width, c.quarters)
			if err := simt.Verify(k); err != nil {
				t.Fatal(err)
			}
			if err := machine.Run(k, [3]int{len(x) / 64 / width, 1, 1}, [][]byte{in, out}, nil); err != nil {
				t.Fatal(err)
			}
			worst := 0.0
			for i, v := range x {
				got, want := math.Float64frombits(binary.LittleEndian.Uint64(out[8*i:])), c.f(v)
				unit := math.Max(math.Nextafter(math.Abs(want), math.Inf(1))-math.Abs(want), math.SmallestNonzeroFloat64)
				off := math.Abs(got-want) / unit
				if c.units == 0 {
					off = math.Abs(got - want)
				}
				switch {
				case got == want || got != got && want != want:
				case !(math.Abs(got-want) <= c.units*unit+c.off):
					t.Errorf("%s(%v) is %v, want %v: %g", c.name, v, got, want, off)
				default:
					worst = max(worst, off)
				}
			}
			t.Logf("%s: %.3g", c.name, worst)
		}
	}
}
