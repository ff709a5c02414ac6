package ops

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tile"
)

// TestCutParts: both parts of a divided product are what the product would be, with a bias for each column, a residual and what the result held before, whatever the
// order of the operands.
func TestCutParts(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	rng := rand.New(rand.NewPCG(5, 6))
	drawn := func(shape ...int) *weft.Tensor {
		x, err := Normal(dev, weft.F32, Stream{Seed: rng.Uint64()}, shape...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { x.Close() })
		return x
	}
	matrix := func(rows, columns int, transposed bool) *weft.Tensor {
		if !transposed {
			return drawn(rows, columns)
		}
		x := drawn(columns, rows).T()
		t.Cleanup(func() { x.Close() })
		return x
	}
	const m, n, k = 37, 53, 29
	for order := range 8 {
		for _, cut := range []kernels.Cut{{At: 16}, {At: 36}, {Columns: true, At: 1}, {Columns: true, At: 48}} {
			t.Run(fmt.Sprintf("%d/%+v", order, cut), func(t *testing.T) {
				a, b, before := matrix(m, k, order&1 > 0), matrix(k, n, order&2 > 0), drawn(m, n)
				bias, residual := drawn(n), matrix(m, n, order&4 > 0)
				product := func(divide bool) []float32 {
					out, err := weft.Empty(dev, weft.F32, m, n)
					if err != nil {
						t.Fatal(err)
					}
					defer out.Close()
					if err := out.CopyFrom(before); err != nil {
						t.Fatal(err)
					}
					call := newProduct("matmul", nil, nil, []MatMulOption{Beta(0.5), Bias(bias), Fuse(AddMap, residual)})
					call.result = weft.F32
					views := []weft.TensorView{view(a), view(b)}
					for _, x := range []*weft.Tensor{bias, residual, out} {
						l, err := x.Layout().Broadcast(m, n)
						if err != nil {
							t.Fatal(err)
						}
						views = append(views, weft.TensorView{Tensor: x, Layout: l})
					}
					if divide {
						err = call.launchCut(dev, views, cut)
					} else {
						err = call.start(views[:2], views[2:], pick(matMulTune, dev, call.problem(views)))
					}
					if err != nil {
						t.Fatal(err)
					}
					values, err := weft.ToSlice[float32](out)
					if err != nil {
						t.Fatal(err)
					}
					return values
				}
				got, want := product(true), product(false)
				for i := range want {
					if d := float64(got[i] - want[i]); d > 2*bounds.MatMulSum(tile.IEEE, k+3, 8*k) || d < -2*bounds.MatMulSum(tile.IEEE, k+3, 8*k) || d != d {
						t.Fatalf("element %d,%d: %v, want %v", i/n, i%n, got[i], want[i])
					}
				}
			})
		}
	}
}
