package native

import (
	"math"
	"testing"
	"unsafe"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile/interp/internal/processor"
)

// sets are the instruction sets that the processor has.
func sets(t testing.TB) []processor.Vectors {
	if processor.Has == processor.None {
		t.Skip("no machine code for this processor")
	}
	return processor.Sets[1:]
}

// apply runs a function of one F32 on elements.
func apply(t testing.TB, set processor.Vectors, f func(*Loop, Value) Value, d, x []float32) {
	l := &Loop{}
	v, in := l.Input(dtype.F32, false)
	out := l.Output(dtype.F32, f(l, v))
	c, err := l.compile(set)
	if err != nil {
		t.Fatal(err)
	}
	frame := c.NewFrame()
	frame.Bind(in, unsafe.Pointer(&x[0]), 0)
	frame.Bind(out, unsafe.Pointer(&d[0]), 0)
	frame.Run(1, len(x))
}

// TestFunctions measures elementary functions on every 997th number of F32, and on edges.
func TestFunctions(t *testing.T) {
	var x []float32
	for b := uint64(0); b < 1<<32; b += 997 {
		x = append(x, math.Float32frombits(uint32(b)))
	}
	x = append(x, 0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 1, -1, 88.72, 89, -87.4, -103.9, -104, 0.625, 0.5, 2, 4, 1<<16, 1<<16-0.004, -1<<16)
	d := make([]float32, len(x))
	for _, c := range []struct {
		name      string
		f         func(*Loop, Value) Value
		exact     func(float64) float64
		ulps, abs float64
	}{
		{"exp", (*Loop).Exp, math.Exp, 2, 0x1p-126},
		{"exp2", (*Loop).Exp2, math.Exp2, 2, 0x1p-126},
		{"log", (*Loop).Log, math.Log, 2, 0},
		{"log2", (*Loop).Log2, math.Log2, 3, 0},
		{"tanh", (*Loop).Tanh, math.Tanh, 3, 0},
		{"sigmoid", (*Loop).Sigmoid, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }, 3, 0x1p-126},
		{"erf", (*Loop).Erf, math.Erf, 4, 0},
		{"log1p", (*Loop).Log1p, math.Log1p, 4, 0},
		{"expm1", (*Loop).Expm1, math.Expm1, 4, 0},
		{"sqrt", (*Loop).Sqrt, math.Sqrt, 0.5, 0},
		{"sin", (*Loop).Sin, math.Sin, 0, 0x1p-22},
		{"cos", (*Loop).Cos, math.Cos, 0, 0x1p-22},
		{"rsqrt", (*Loop).Rsqrt, func(x float64) float64 { return 1 / math.Sqrt(x) }, 2, 0},
	} {
		for _, set := range sets(t) {
			t.Run(c.name+"/"+set.String(), func(t *testing.T) {
				apply(t, set, c.f, d, x)
				worst, at := 0.0, float32(0)
				for i, v := range x {
					want := c.exact(float64(v))
					got := float64(d[i])
					if w := float32(want); math.IsNaN(want) || math.IsInf(float64(w), 0) && math.IsInf(got, 0) {
						if math.IsNaN(want) != math.IsNaN(got) || !math.IsNaN(want) && float64(w) != got {
							t.Fatalf("%s(%v) = %v, want %v", c.name, v, got, want)
						}
						continue
					}
					e := (math.Abs(got-want) - c.abs) / ulp(want)
					if e > worst || math.IsNaN(e) {
						worst, at = e, v
					}
					if math.IsNaN(e) {
						break
					}
				}
				t.Logf("%.2f units in the last place at %v", worst, at)
				if !(worst <= c.ulps) {
					t.Errorf("%s(%v): %v units in the last place, want %v at most", c.name, at, worst, c.ulps)
				}
			})
		}
	}
}

// ulp is the distance of the numbers of F32 around x.
func ulp(x float64) float64 {
	_, e := math.Frexp(x)
	return math.Ldexp(1, max(e-24, -149))
}
