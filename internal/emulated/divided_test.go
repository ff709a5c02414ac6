package emulated_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tile"
)

// TestDividedColumns launches products that the rule has in parts of one width, of which the last has fewer columns: of their columns, and of those of the transpose, with a bias for each column and what
// the result held before.
func TestDividedColumns(t *testing.T) {
	dev, err := weft.Open("emulated:0")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	const k, beta = 64, 0.5
	for _, size := range [][2]int{{515, 3776}, {5696, 280}} {
		m, n := size[0], size[1]
		t.Run(fmt.Sprintf("%dx%d", m, n), func(t *testing.T) {
			p := kernels.MatMulProblem{Elem: weft.F16, A: kernels.MatrixView(m, k, 1), B: kernels.MatrixView(k, n, 0)}
			if cut := p.Cut(dev.Caps()); cut.Even == 0 || cut.Transposed != (m < n) {
				t.Fatalf("the rule has %+v", cut)
			}
			rng := rand.New(rand.NewPCG(uint64(m), uint64(n)))
			drawn := func(shape ...int) (*weft.Tensor, []float64) {
				count := 1
				for _, size := range shape {
					count *= size
				}
				x := make([]float64, count)
				for i := range x {
					x[i] = float64(rng.IntN(65)-32) / 32 // which F16 holds
				}
				tensor, err := weft.FromFloats(dev, weft.F16, x, shape...)
				if err != nil {
					t.Fatal(err)
				}
				return tensor, x
			}
			a, left := drawn(m, k)
			b, right := drawn(n, k)
			bias, columns := drawn(n)
			out, before := drawn(m, n)
			if err := ops.MatMulInto(out, a, b.T(), ops.Bias(bias), ops.Beta(beta)); err != nil {
				t.Fatal(err)
			}
			got, err := weft.ToFloats(out)
			if err != nil {
				t.Fatal(err)
			}
			transposed := make([]float64, len(right))
			for i, x := range right {
				transposed[i%k*n+i/k] = x
			}
			want, magnitudes := reference.MatMul(m, k, n, left, transposed)
			for i, x := range want {
				x += columns[i%n] + beta*before[i]
				magnitude := magnitudes[i] + math.Abs(columns[i%n]) + math.Abs(beta*before[i])
				if bound := bounds.MatMul(weft.F16, tile.IEEE, k+2, x, magnitude); !(math.Abs(got[i]-x) <= bound) {
					t.Fatalf("element %d,%d: %v, want %v within %v", i/n, i%n, got[i], x, bound)
				}
			}
		})
	}
}
