package gemm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile/interp/internal/processor"
)

// operand is a matrix within random memory, and its elements.
type operand struct {
	Matrix
	values []float64
	memory []byte
}

// newOperand makes a matrix of normal random numbers: with contiguous rows, columns, or neither, in rows that may be longer. What is around its elements is NaN.
func newOperand(rng *rand.Rand, elem dtype.Type, rows, cols int) operand {
	size := elem.Size()
	row, col := size*(cols+rng.IntN(4)), size
	switch rng.IntN(5) {
	case 0, 1:
		row, col = size, size*(rows+rng.IntN(4))
	case 2:
		col = 2 * size
		row = size * (2*cols + rng.IntN(3))
	}
	length := (rows-1)*row + (cols-1)*col + size
	o := operand{memory: make([]byte, length+2*size), values: make([]float64, rows*cols)}
	for i := 0; i < len(o.memory); i += size {
		dtype.PutFloats(elem, o.memory[i:i+size], []float64{math.NaN()})
	}
	o.Matrix = Matrix{unsafe.Pointer(&o.memory[size]), elem, row, col}
	for i := range rows {
		for j := range cols {
			x := []float64{rng.NormFloat64()}
			if !elem.IsFloat() {
				x[0] = float64(rng.IntN(256))
				if elem == dtype.I8 {
					x[0] -= 128
				}
			}
			at := o.memory[size+i*row+j*col:]
			dtype.PutFloats(elem, at[:size], x)
			dtype.Floats(elem, x, at[:size])
			o.values[i*cols+j] = x[0]
		}
	}
	return o
}

var elems = []dtype.Type{dtype.F32, dtype.F16, dtype.BF16}

// Products of all sizes, strides and types are right, and write nothing but c.
func TestAdd(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var w Multiplier
	for range 1500 {
		m, n, k := 1+rng.IntN(40), 1+rng.IntN(100), 1+rng.IntN(100)
		switch rng.IntN(4) {
		case 0:
			m = 1 + rng.IntN(3)
		case 1:
			n = 1 + rng.IntN(400)
		case 2:
			k = 200 + rng.IntN(400)
		}
		a, b := newOperand(rng, elems[rng.IntN(3)], m, k), newOperand(rng, elems[rng.IntN(3)], k, n)
		ldc := n + rng.IntN(3)
		c := make([]float32, m*ldc+4)
		for i := range c {
			c[i] = float32(rng.NormFloat64())
		}
		before := append([]float32(nil), c...)
		w.Add(m, n, k, a.Matrix, b.Matrix, c, ldc)
		name := fmt.Sprintf("%d×%d×%d of %v by %d and %d, %v by %d and %d", m, n, k, a.Elem, a.Row, a.Col, b.Elem, b.Row, b.Col)
		for i := range m * ldc {
			if i%ldc >= n && c[i] != before[i] {
				t.Fatalf("%s: element %d between the rows of c was written", name, i)
			}
		}
		for i := m*ldc - ldc + n; i < len(c); i++ {
			if c[i] != before[i] {
				t.Fatalf("%s: element %d after c was written", name, i)
			}
		}
		if check(t, name, m, n, k, a.values, b.values, before, c, ldc); t.Failed() {
			return
		}
	}
}

// Products of integers of 8 bits are exact, for all sizes and strides.
func TestAddIntegers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	var w Multiplier
	for range 600 {
		m, n, k := 1+rng.IntN(40), 1+rng.IntN(100), 1+rng.IntN(100)
		elem := []dtype.Type{dtype.I8, dtype.U8}[rng.IntN(2)]
		a, b := newOperand(rng, elem, m, k), newOperand(rng, elem, k, n)
		c := make([]int32, m*n+3)
		for i := range c {
			c[i] = int32(rng.Uint32())
		}
		want := slices.Clone(c)
		for i := range m {
			for j := range n {
				for l := range k {
					want[i*n+j] += int32(a.values[i*k+l] * b.values[l*n+j])
				}
			}
		}
		if w.AddIntegers(m, n, k, a.Matrix, b.Matrix, c, n); !slices.Equal(c, want) {
			t.Fatalf("%d×%d×%d of %v by %d and %d, by %d and %d: a sum is wrong", m, n, k, elem, a.Row, a.Col, b.Row, b.Col)
		}
	}
}

// check compares with float64: |error| <= (k+1)·u·(|c| + Σ|a||b|) for any order of summation.
func check(t *testing.T, name string, m, n, k int, a, b []float64, before, got []float32, ldc int) {
	t.Helper()
	for i := range m {
		for j := range n {
			want := float64(before[i*ldc+j])
			size := math.Abs(want)
			for l := range k {
				x := a[i*k+l] * b[l*n+j]
				want += x
				size += math.Abs(x)
			}
			bound := float64(k+1) * 0x1p-24 * size
			if diff := math.Abs(float64(got[i*ldc+j]) - want); !(diff <= bound) {
				t.Errorf("%s: c[%d,%d] = %v, want %v ± %v", name, i, j, got[i*ldc+j], want, bound)
				return
			}
		}
	}
}

// A zero of a times an infinity of b is a NaN, for contiguous rows and columns of b.
func TestNonFinite(t *testing.T) {
	var w Multiplier
	for _, transposed := range []bool{false, true} {
		const m, n, k = 9, 37, 21
		a, b, c := make([]float32, m*k), make([]float32, k*n), make([]float32, m*n)
		y := Dense(b, n)
		if transposed {
			y = Dense(b, k).Transpose()
		}
		*(*float32)(y.Offset(5, n-1).At) = float32(math.Inf(1))
		w.Add(m, n, k, Dense(a, k), y, c, n)
		for i, x := range c {
			if (x != x) != (i%n == n-1) {
				t.Errorf("transposed %v: c[%d,%d] = %v", transposed, i/n, i%n, x)
			}
		}
	}
}

// The tests pass with the other instructions that the processor has, too.
func TestInstructionSets(t *testing.T) {
	const child = "WEFT_GEMM_CHILD"
	if os.Getenv(child) != "" {
		t.Skip("run for one set of instructions")
	}
	for _, set := range []string{"go", "avx2", "avx512"} {
		t.Run(set, func(t *testing.T) {
			if set == "avx2" && processor.Has <= processor.AVX2 || set == "avx512" && !processor.Tiles {
				t.Skip("the processor has nothing beyond it")
			}
			cmd := exec.Command(os.Args[0], "-test.run", "TestAdd|TestNonFinite|TestAddIntegers", "-test.v")
			cmd.Env = append(os.Environ(), "WEFT_CPU="+set, child+"=1")
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "--- PASS: TestAdd") {
				t.Fatalf("%v\n%s", err, out)
			}
		})
	}
}

func BenchmarkAdd(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	sizes := [][3]int{{64, 64, 64}, {128, 128, 128}, {256, 256, 256}, {197, 256, 512}, {1, 1024, 1024}, {16, 256, 512}, {7, 333, 259}}
	for _, s := range sizes {
		m, n, k := s[0], s[1], s[2]
		x, y, z := make([]float32, m*k), make([]float32, n*k), make([]float32, m*n)
		for _, v := range [][]float32{x, y} {
			for i := range v {
				v[i] = float32(rng.NormFloat64())
			}
		}
		var w Multiplier
		run := func(name string, f func()) {
			b.Run(fmt.Sprintf("%dx%dx%d/%s", m, n, k, name), func(b *testing.B) {
				for b.Loop() {
					f()
				}
				b.ReportMetric(2*float64(m*n*k)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
		run("nn", func() { w.Add(m, n, k, Dense(x, k), Dense(y, n), z, n) })
		run("nt", func() { w.Add(m, n, k, Dense(x, k), Dense(y, k).Transpose(), z, n) })
		run("tn", func() { w.Add(m, n, k, Dense(x, m).Transpose(), Dense(y, n), z, n) })
		run("gonum", func() {
			blas32.Gemm(blas.NoTrans, blas.NoTrans, 1, blas32.General{Rows: m, Cols: k, Stride: k, Data: x},
				blas32.General{Rows: k, Cols: n, Stride: n, Data: y}, 1, blas32.General{Rows: m, Cols: n, Stride: n, Data: z})
		})
	}
}
