package ops_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

// Every temperature that is allowed gives the softmax, of numbers of any size: the quotients, and differences of
// them, neither overflow nor vanish where the result does not.
func TestTemperatures(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(5, 1))
	for _, n := range []int{1, 7, 64, 9001, 100_003} { // of which the last is shared by programs
		for _, temperature := range []float64{math.MaxFloat32, 0x1p127, 0x1p126, 3e37, 1e20, 1e-20, 3e-38, 0x1p-126, 0x1.01p-128} {
			for _, size := range []float64{0, 1, temperature, math.MaxFloat32} {
				if size > math.MaxFloat32 {
					continue
				}
				x := make([]float64, n)
				for i := range x {
					x[i] = float64(float32(size * (2*rng.Float64() - 1)))
				}
				if n > 1 && size > 0 {
					x[0], x[n-1], x[n/2] = size, -size, math.Inf(-1)
				}
				m, err := weft.FromFloats(dev, weft.F32, x, 1, n)
				if err != nil {
					t.Fatal(err)
				}
				divided, largest := make([]float64, n), math.Inf(-1)
				for i, v := range x {
					divided[i], largest = v/temperature, max(largest, v/temperature)
				}
				spread := 4 * math.Abs(largest)
				if temperature < 1 { // differences are divided, which are exact
					spread = min(spread, 1e3)
				}
				want, _ := reference.Softmax(divided, n)
				y, err := ops.Softmax(m, ops.Temperature(temperature))
				within(t, y, err, want, func(i int) float64 {
					if want[i] < 1e-30 { // far below the largest, where the error of an exponential is as large as it is
						return 1e-30
					}
					return bounds.Softmax(weft.F32, n, spread, want[i])
				})
				logs := reference.LogSoftmax(divided, n)
				for i, v := range logs {
					if v < -math.MaxFloat32 {
						logs[i] = math.Inf(-1)
					}
				}
				y, err = ops.LogSoftmax(m, ops.Temperature(temperature))
				within(t, y, err, logs, func(i int) float64 {
					return bounds.LogSoftmax(weft.F32, n, spread, logs[i])
				})
				if t.Failed() {
					t.Fatalf("%d elements up to %v, temperature %v", n, size, temperature)
				}
			}
		}
	}
}
