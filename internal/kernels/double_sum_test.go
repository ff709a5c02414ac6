package kernels

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"
	"github.com/weftgpu/weft/tile"
)

// Sums of products are rounded once with and without fused multiplications and additions: of random numbers, where the product and the number cancel, and where
// the exact sum is next to the middle of two numbers.
func TestOnceRounded(t *testing.T) {
	const n = 1 << 14
	rng := rand.New(rand.NewPCG(53, 53))
	var x, y, z []float64
	for i := range n {
		a, b := math.Ldexp(rng.NormFloat64(), rng.IntN(60)-30), math.Ldexp(rng.NormFloat64(), rng.IntN(60)-30)
		c := math.Ldexp(rng.NormFloat64(), rng.IntN(120)-60)
		switch i % 4 {
		case 1:
			c = -a * b
		case 2: // half a unit of c, but for what is far below
			e := math.Ldexp(1, -27-rng.IntN(20))
			a, b = (1+e)*0x1p-53, 1-e
			c = math.Float64frombits(0x3ff<<52 | rng.Uint64()>>12)
			if rng.IntN(2) == 0 {
				a, c = -a, -c
			}
			if rng.IntN(2) == 0 {
				a = -a
			}
		case 3:
			c = a * b * (1 + math.Ldexp(float64(rng.IntN(9)-4), -rng.IntN(60)))
		}
		x, y, z = append(x, a), append(y, b), append(z, c)
	}
	kernel := weft.NewKernel("once_rounded", func(k *tile.Builder, apart bool) {
		x, y, z, out := k.In("x", weft.F64, 1), k.In("y", weft.F64, 1), k.In("z", weft.F64, 1), k.Out("out", weft.F64, 1)
		p := k.ProgramID(0)
		k.Grid(k.CDiv(out.Dim(0), 1024))
		load := func(v *tile.View) *tile.Value { return v.Block(1024).Load(p) }
		out.Block(1024).Store(onceRounded(apart)(load(x), load(y), load(z)), p)
	})
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	upload := func(x []float64) *weft.Tensor {
		v, err := weft.FromSlice(dev, x)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, apart := range []bool{false, true} {
		out := upload(make([]float64, n))
		if err := kernel.Launch(apart, upload(x), upload(y), upload(z), out); err != nil {
			t.Fatal(err)
		}
		got, err := weft.ToSlice[float64](out)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if want := math.FMA(x[i], y[i], z[i]); got[i] != want {
				t.Errorf("apart %v: %v * %v + %v is %v, want %v", apart, x[i], y[i], z[i], got[i], want)
			}
		}
	}
}
