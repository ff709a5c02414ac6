package interp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// GELU is within the bound that its docstring gives, 2^-23 and a rounding of results above 1, for every number of F16 and BF16, with
// a rounding to those, and for numbers of F32 from all over the range and dense ones around 0; of infinities and NaN it is what they make of the limit.
func TestGELUBound(t *testing.T) {
	all, wide := make([]float64, 1<<16), []float64{}
	for bits := uint64(0); bits < 1<<32; bits += 4093 {
		wide = append(wide, float64(math.Float32frombits(uint32(bits))))
	}
	for x := float32(-18); x < 18; x += 0x1p-15 {
		wide = append(wide, float64(x))
	}
	wide = append(wide, math.MaxFloat32, -math.MaxFloat32, math.Inf(1), math.Inf(-1), math.NaN(), 0x1p-149, -0x1p-149)
	of := func(elem dtype.Type, numbers []float64) {
		k := build(t, "gelu", func(k *tile.Builder) {
			x, y := k.In("x", elem, 1), k.Out("y", elem, 1)
			k.Grid(k.CDiv(x.Dim(0), 1024))
			y.Block(1024).Store(tile.GELU(x.Block(1024).Load(k.ProgramID(0))), k.ProgramID(0))
		})
		rng := rand.New(rand.NewPCG(1, 2))
		x, y := newTensor(t, rng, elem, dense, len(numbers)), newTensor(t, rng, elem, dense, len(numbers))
		i := -1
		x.fill(func() float64 { i++; return numbers[i] })
		run(t, k, []*tensor{x, y})
		for i, v := range numbers {
			want, bound := v/2*math.Erfc(-v/math.Sqrt2), 0x1p-23
			switch {
			case math.IsInf(v, -1):
				want = 0
			case math.Abs(want) > 1:
				bound += math.Abs(want) * 0x1p-24
			}
			if elem != dtype.F32 {
				bound += math.Max((math.Abs(want)+bound)*elem.Epsilon(), 0x1p-25)
			}
			got := y.get(0, i)
			if same := got == want || got != got && want != want; !same && !(math.Abs(got-want) <= bound) {
				t.Fatalf("%v: GELU(%v) is %v, want %v ± %v", elem, v, got, want, bound)
			}
		}
	}
	of(dtype.F32, wide)
	for _, elem := range []dtype.Type{dtype.F16, dtype.BF16} {
		for i := range all {
			all[i] = float64(dtype.Float16(i).Float32())
			if elem == dtype.BF16 {
				all[i] = float64(dtype.BFloat16(i).Float32())
			}
		}
		of(elem, all)
	}
}
