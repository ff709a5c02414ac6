package ops_test

import (
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tile"
)

// A product that is computed as its transpose is the same product: of any views, batches, with what is fused after it and its type of result.
func TestSwappedProducts(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(12, 2))
	for i := range 60 {
		elem := []weft.DType{weft.F32, weft.F16, weft.BF16}[i%3]
		m, n, k := 1+rng.IntN(33), 1+rng.IntN(90), 1+rng.IntN(70)
		aShape, bShape := []int{m, k}, []int{k, n}
		if i%4 == 0 {
			aShape = []int{2, m, k}
		}
		a, x := ragged(t, dev, rng, elem, aShape...)
		b, y := ragged(t, dev, rng, elem, bShape...)
		shape, want, magnitudes := reference.BatchedMatMul(aShape, x, bShape, y)
		options := []ops.MatMulOption{ops.Swap}
		if i%2 == 1 { // a row next to it, which becomes a column
			row, z := random(t, dev, rng, elem, n)
			options = append(options, ops.Bias(row))
			for j := range want {
				want[j] += z[j%n]
				magnitudes[j] += max(z[j%n], -z[j%n])
			}
		}
		out, _ := permuted(t, dev, rng, elem, shape...)
		if err := out.Fill(57344); err != nil {
			t.Fatal(err)
		}
		within(t, out, ops.MatMulInto(out, a, b, options...), want, func(i int) float64 {
			return bounds.MatMul(elem, tile.IEEE, k+1, want[i], magnitudes[i]) // the bias is one term more
		})
		if t.Failed() {
			t.Fatalf("%d: %v %v", i, aShape, bShape)
		}
	}
}
