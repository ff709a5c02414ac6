package ops_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tile"
)

// The ops' own tests run on the CPU; package backendtest holds every backend to the
// same references and bounds.

func openCPU(t *testing.T) *weft.Device {
	t.Helper()
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	return dev
}

// random makes a tensor and returns its values, rounded to the element type.
func random(t *testing.T, dev *weft.Device, rng *rand.Rand, elem weft.DType, shape ...int) (*weft.Tensor, []float64) {
	t.Helper()
	n := 1
	for _, s := range shape {
		n *= s
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = 3 * rng.NormFloat64()
	}
	tensor, err := weft.FromFloats(dev, elem, x, shape...)
	if err != nil {
		t.Fatal(err)
	}
	x, err = weft.ToFloats(tensor)
	if err != nil {
		t.Fatal(err)
	}
	return tensor, x
}

func within(t *testing.T, got *weft.Tensor, err error, want []float64, bound func(int) float64) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	x, err := weft.ToFloats(got)
	if err != nil {
		t.Fatal(err)
	}
	worst, err := reference.Compare(x, want, bound)
	if err != nil || !worst.OK() {
		t.Errorf("%v: %v %v", got, worst, err)
	}
}

var floatTypes = []weft.DType{weft.F32, weft.F16, weft.BF16}

func TestAddAgainstGonum(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(1, 1))
	for range 40 {
		m, n, elem := 1+rng.IntN(90), 1+rng.IntN(90), floatTypes[rng.IntN(3)]
		a, x := random(t, dev, rng, elem, m, n)
		b, y := random(t, dev, rng, elem, n, m)
		var want mat.Dense
		want.Add(mat.NewDense(m, n, x), mat.NewDense(n, m, y).T())
		sum, err := ops.Add(a, b.T())
		within(t, sum, err, want.RawMatrix().Data, func(i int) float64 { return bounds.Add(elem, want.RawMatrix().Data[i]) })
	}
}

func TestMatMulAgainstGonum(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(2, 1))
	for range 40 {
		m, k, n, elem := 1+rng.IntN(300), rng.IntN(300), 1+rng.IntN(300), floatTypes[rng.IntN(3)]
		a, x := random(t, dev, rng, elem, m, k)
		b, y := random(t, dev, rng, elem, k, n)
		want, magnitudes := reference.MatMul(m, k, n, x, y)
		c, err := ops.MatMul(a, b)
		within(t, c, err, want, func(i int) float64 { return bounds.MatMul(elem, tile.IEEE, k, want[i], magnitudes[i]) })
	}
}

func TestSoftmaxAgainstFloat64(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(3, 1))
	for i := range 40 {
		rows, cols, elem := 1+rng.IntN(50), 1+rng.IntN(2000), floatTypes[rng.IntN(3)]
		if i%10 == 0 {
			rows, cols = 2, 65_000+rng.IntN(10_000) // some of them beyond the widest block
		}
		x, values := random(t, dev, rng, elem, rows, cols)
		want, spread := reference.Softmax(values, cols)
		y, err := ops.Softmax(x)
		within(t, y, err, want, func(i int) float64 { return bounds.Softmax(elem, cols, spread, want[i]) })
	}
}

// The bounds are not so wide that a wrong result would pass: an element that is
// missing from a sum, or a rounding to the next smaller type, is beyond them.
func TestBoundsAreTight(t *testing.T) {
	if bounds.Add(weft.F32, 1) >= weft.F16.Epsilon() || bounds.Add(weft.F16, 1) >= weft.BF16.Epsilon() {
		t.Error("add: the bound of a type allows the rounding of a smaller one")
	}
	if got := bounds.MatMul(weft.F32, tile.IEEE, 4096, 0, 4096*0.64); got > 0.64 {
		t.Errorf("matmul: the bound %v over 4096 terms hides a term", got)
	}
	if got := bounds.Softmax(weft.F32, 4096, 20, 1./4096); got > 0.5/4096 {
		t.Errorf("softmax: the bound %v of elements of 1/4096 is half of one", got)
	}
}

// Any strided layout goes through element-wise kernels unharmed: merging
// dimensions is checked by adding tensors whose dimensions are permuted at random.
func TestAddPermuted(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(5, 1))
	for range 100 {
		rank := 1 + rng.IntN(7)
		shape := make([]int, rank)
		for d := range shape {
			shape[d] = 1 + rng.IntN(4)
		}
		permuted := func() (*weft.Tensor, []float64) {
			order := rng.Perm(rank)
			memory := make([]int, rank)
			for i, d := range order {
				memory[d] = shape[i]
			}
			x, _ := random(t, dev, rng, weft.F32, memory...)
			view, err := x.Permute(order...)
			if err != nil {
				t.Fatal(err)
			}
			values, err := weft.ToFloats(view)
			if err != nil {
				t.Fatal(err)
			}
			return view, values
		}
		a, x := permuted()
		b, y := permuted()
		out, _ := permuted()
		for i := range x {
			x[i] = float64(float32(x[i] + y[i]))
		}
		within(t, out, ops.AddInto(out, a, b), x, func(int) float64 { return 0 })
	}
}

// A tensor of gonum's is what an op is given and what it returns.
func TestDenseInDenseOut(t *testing.T) {
	dev := openCPU(t)
	a := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	x, err := weft.FromDense(dev, weft.F32, a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := ops.MatMul(x, x.T())
	if err != nil {
		t.Fatal(err)
	}
	got, err := weft.ToDense(y)
	if err != nil {
		t.Fatal(err)
	}
	var want mat.Dense
	want.Mul(a, a.T())
	if !mat.Equal(got, &want) {
		t.Errorf("got %v, want %v", mat.Formatted(got), mat.Formatted(&want))
	}
}
