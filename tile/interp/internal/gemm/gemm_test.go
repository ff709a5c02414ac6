package gemm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
)

// variant is a way to compute c += a @ b.
type variant struct {
	name             string
	rows, cols, step int // sizes must be multiples of these
	add              func(m, n, k int, a, b, c, scratch []float32) []float32
}

func variants() []variant {
	list := []variant{{"add", 1, 1, 1, Add}, {"plain", 1, 1, 1, func(m, n, k int, a, b, c, s []float32) []float32 {
		plain(m, n, k, a, b, c)
		return s
	}}}
	for _, u := range micros {
		list = append(list, variant{u.name, u.rows, u.cols, kStep, u.add})
	}
	return list
}

func random(rng *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	return x
}

func TestAdd(t *testing.T) {
	for _, v := range variants() {
		t.Run(v.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			var scratch []float32
			for range 60 {
				m, n, k := v.rows*(1+rng.IntN(9)), v.cols*(1+rng.IntN(5)), v.step*(1+rng.IntN(130))
				const guard = 3 // memory after the matrices, which must not be touched
				a, b, c := random(rng, m*k), random(rng, k*n), random(rng, m*n+guard)
				before := append([]float32(nil), c...)
				scratch = v.add(m, n, k, a, b, c[:m*n], scratch)
				check(t, m, n, k, a, b, before, c)
				for i := m * n; i < len(c); i++ {
					if c[i] != before[i] {
						t.Fatalf("%d×%d×%d: element %d behind c was written", m, n, k, i)
					}
				}
				if t.Failed() {
					return
				}
			}
		})
	}
}

// check compares with float64: |error| <= (k+1)·u·(|c| + Σ|a||b|) for any order of summation.
func check(t *testing.T, m, n, k int, a, b, before, got []float32) {
	t.Helper()
	for i := range m {
		for j := range n {
			want := float64(before[i*n+j])
			size := math.Abs(want)
			for l := range k {
				x := float64(a[i*k+l]) * float64(b[l*n+j])
				want += x
				size += math.Abs(x)
			}
			bound := float64(k+1) * 0x1p-24 * size
			if diff := math.Abs(float64(got[i*n+j]) - want); !(diff <= bound) {
				t.Errorf("%d×%d×%d: c[%d,%d] = %v, want %v ± %v", m, n, k, i, j, got[i*n+j], want, bound)
				return
			}
		}
	}
}

// A zero of a times an infinity of b is a NaN, in every variant.
func TestNonFinite(t *testing.T) {
	for _, v := range variants() {
		m, n, k := v.rows, v.cols, 4*v.step
		a, b, c := make([]float32, m*k), make([]float32, k*n), make([]float32, m*n)
		b[n-1] = float32(math.Inf(1))
		v.add(m, n, k, a, b, c, nil)
		for i, x := range c {
			if (x != x) != (i%n == n-1) {
				t.Errorf("%s: c[%d,%d] = %v", v.name, i/n, i%n, x)
			}
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	all := append(variants(), variant{"gonum", 1, 1, 1, func(m, n, k int, a, b, c, s []float32) []float32 {
		blas32.Gemm(blas.NoTrans, blas.NoTrans, 1, blas32.General{Rows: m, Cols: k, Stride: k, Data: a},
			blas32.General{Rows: k, Cols: n, Stride: n, Data: b}, 1, blas32.General{Rows: m, Cols: n, Stride: n, Data: c})
		return s
	}})
	for _, size := range []int{64, 128, 256} {
		x, y, z := random(rng, size*size), random(rng, size*size), make([]float32, size*size)
		for _, v := range all {
			b.Run(fmt.Sprintf("%s/%d", v.name, size), func(b *testing.B) {
				var scratch []float32
				for b.Loop() {
					scratch = v.add(size, size, size, x, y, z, scratch)
				}
				b.ReportMetric(2*float64(size*size*size)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
	}
}
