package interp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
)

// matmul is c = a @ b in blocks of bm × bk and bk × bn.
func matmul(t testing.TB, bm, bn, bk int) *Program {
	t.Helper()
	k, err := tile.Build("matmul", func(k *tile.Builder) {
		a, b, c := k.In("a", dtype.F32, 2), k.In("b", dtype.F32, 2), k.Out("c", dtype.F32, 2)
		k.Grid(k.CDiv(c.Dim(0), bm), k.CDiv(c.Dim(1), bn))
		row, col := k.ProgramID(0), k.ProgramID(1)
		acc := k.Var(k.Zeros(dtype.F32, bm, bn))
		for i := range k.Range(k.CDiv(a.Dim(1), bk)) {
			acc.Set(tile.Dot(a.Block(bm, bk).Load(row, i), b.Block(bk, bn).Load(i, col), acc.Get(), tile.IEEE))
		}
		c.Block(bm, bn).Store(acc.Get(), row, col)
	})
	if err != nil {
		t.Fatal(err)
	}
	return &Program{Kernel: k, Buffers: []int{0, 1, 2}}
}

// launchOf computes the grid and the words of a launch.
func launchOf(t testing.TB, p *Program, layouts []layout.Layout, scalars ...uint32) ([3]int, []uint32) {
	t.Helper()
	sizes := make([][]int, len(layouts))
	for i, l := range layouts {
		sizes[i] = l.Shape()
	}
	grid, err := p.Kernel.GridAt(sizes, scalars)
	if err != nil {
		t.Fatal(err)
	}
	words, err := p.Kernel.Words(layouts, scalars)
	if err != nil {
		t.Fatal(err)
	}
	return grid, words
}

func contiguous(t testing.TB, shape ...int) layout.Layout {
	t.Helper()
	l, err := layout.Contiguous(shape...)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func randomFloats(rng *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	return x
}

func f32Bytes(x []float32) []byte {
	b := make([]byte, 4*len(x))
	copy(b, bytesOf(x))
	return b
}

func f32Of(b []byte) []float32 {
	x := make([]float64, len(b)/4)
	dtype.Floats(dtype.F32, x, b)
	out := make([]float32, len(x))
	for i := range x {
		out[i] = float32(x[i])
	}
	return out
}

func TestMatMul(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, s := range [][3]int{{1, 1, 1}, {33, 65, 17}, {128, 64, 300}, {200, 1, 31}, {5, 7, 0}} {
		m, n, k := s[0], s[1], s[2]
		p := matmul(t, 32, 64, 16)
		a, b := randomFloats(rng, m*k), randomFloats(rng, k*n)
		out := f32Bytes(make([]float32, m*n))
		for i := range out {
			out[i] = 0xff // NaN
		}
		grid, words := launchOf(t, p, []layout.Layout{contiguous(t, m, k), contiguous(t, k, n), contiguous(t, m, n)})
		if err := p.Run(grid, [][]byte{f32Bytes(a), f32Bytes(b), out}, words); err != nil {
			t.Fatal(err)
		}
		got := f32Of(out)
		for i := range m {
			for j := range n {
				want, size := 0.0, 0.0
				for l := range k {
					x := float64(a[i*k+l]) * float64(b[l*n+j])
					want += x
					size += math.Abs(x)
				}
				// |error| <= k·u·Σ|a||b| for any order of summation
				if bound := float64(k+1) * 0x1p-24 * size; !(math.Abs(float64(got[i*n+j])-want) <= bound) {
					t.Fatalf("%v: c[%d,%d] = %v, want %v ± %v", s, i, j, got[i*n+j], want, bound)
				}
			}
		}
	}
}

func BenchmarkMatMul1024(b *testing.B) {
	const n = 1024
	x, y := randomFloats(rand.New(rand.NewPCG(1, 2)), n*n), randomFloats(rand.New(rand.NewPCG(3, 4)), n*n)
	flops := func(b *testing.B) { b.ReportMetric(2*n*n*n*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s") }
	for _, block := range [][3]int{{64, 64, 64}, {128, 128, 64}, {128, 128, 128}, {256, 256, 256}} {
		p := matmul(b, block[0], block[1], block[2])
		l := contiguous(b, n, n)
		grid, words := launchOf(b, p, []layout.Layout{l, l, l})
		buffers := [][]byte{f32Bytes(x), f32Bytes(y), make([]byte, 4*n*n)}
		b.Run(tile.TileOf(dtype.F32, block[:]...).String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := p.Run(grid, buffers, words); err != nil {
					b.Fatal(err)
				}
			}
			flops(b)
		})
	}
	b.Run("gonum", func(b *testing.B) {
		z := make([]float32, n*n)
		for b.Loop() {
			blas32.Gemm(blas.NoTrans, blas.NoTrans, 1, blas32.General{Rows: n, Cols: n, Stride: n, Data: x},
				blas32.General{Rows: n, Cols: n, Stride: n, Data: y}, 0, blas32.General{Rows: n, Cols: n, Stride: n, Data: z})
		}
		flops(b)
	})
}
