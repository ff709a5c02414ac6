package ops_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tile"
)

// shapesOf draws the shapes of a product's operands: up to four batch dimensions, any of which one of
// the two may lack or repeat, and now and then a vector.
func shapesOf(rng *rand.Rand) (a, b []int) {
	var batchA, batchB []int
	for range rng.IntN(5) {
		n := 1 + rng.IntN(3)
		x, y := n, n
		switch rng.IntN(3) {
		case 0:
			x = 1
		case 1:
			y = 1
		}
		batchA, batchB = append(batchA, x), append(batchB, y)
	}
	m, k, n := 1+rng.IntN(20), rng.IntN(40), 1+rng.IntN(20)
	a = append(batchA[rng.IntN(len(batchA)+1):], m, k)
	b = append(batchB[rng.IntN(len(batchB)+1):], k, n)
	switch rng.IntN(6) {
	case 0:
		a = []int{k}
	case 1:
		b = []int{k}
	}
	return slices.Clone(a), slices.Clone(b)
}

// permuted makes a tensor whose dimensions are in any order in memory.
func permuted(t *testing.T, dev *weft.Device, rng *rand.Rand, elem weft.DType, shape ...int) (*weft.Tensor, []float64) {
	t.Helper()
	order := rng.Perm(len(shape))
	memory := make([]int, len(shape))
	for i, d := range order {
		memory[d] = shape[i]
	}
	x, _ := random(t, dev, rng, elem, memory...)
	if len(shape) == 0 {
		scalar, err := x.Reshape()
		if err != nil {
			t.Fatal(err)
		}
		x = scalar
	}
	x, err := x.Permute(order...)
	if err != nil {
		t.Fatal(err)
	}
	values, err := weft.ToFloats(x)
	if err != nil {
		t.Fatal(err)
	}
	return x, values
}

// Products of any batches, vectors and views are those of NumPy's rules.
func TestMatMulBatches(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(7, 1))
	for i := range 300 {
		elem := floatTypes[rng.IntN(3)]
		aShape, bShape := shapesOf(rng)
		a, x := permuted(t, dev, rng, elem, aShape...)
		b, y := permuted(t, dev, rng, elem, bShape...)
		shape, want, magnitudes := reference.BatchedMatMul(aShape, x, bShape, y)
		out, _ := permuted(t, dev, rng, elem, shape...)
		options := []ops.MatMulOption{}
		switch i % 4 {
		case 1:
			options = append(options, ops.Tiles(ops.MatMulConfig{BM: 4, BN: 8, BK: 16, SplitK: 3}))
		case 2:
			options = append(options, ops.Tiles(ops.MatMulConfig{BM: 2, BN: 4, BK: 8, RowByRow: true, Persistent: 5}))
		}
		k := aShape[len(aShape)-1]
		err := ops.MatMulInto(out, a, b, options...)
		within(t, out, err, want, func(i int) float64 { return bounds.MatMul(elem, tile.IEEE, k, want[i], magnitudes[i]) })
		if t.Failed() {
			t.Fatalf("%v %v %v: %v @ %v = %v", i, aShape, bShape, a.Layout(), b.Layout(), out.Layout())
		}
	}
}

// Partial sums are added whatever number of them is loaded at once, and each result has those of its own place.
func TestSumParts(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(17, 3))
	for range 100 {
		parts, batch, m, n := 1+rng.IntN(20), 1+rng.IntN(3), 1+rng.IntN(9), 1+rng.IntN(20)
		x, values := random(t, dev, rng, weft.F32, parts, batch, m, n)
		out, err := weft.Empty(dev, weft.F32, batch, m, n)
		if err != nil {
			t.Fatal(err)
		}
		cfg := kernels.SumPartsConfig{Sum: weft.F32, Elem: weft.F32, Batch: 1, BM: 1 << rng.IntN(3), BN: 1 << rng.IntN(5), AtOnce: rng.IntN(2) << rng.IntN(4)}
		want, bound := make([]float64, batch*m*n), make([]float64, batch*m*n)
		for i, v := range values {
			want[i%len(want)] += v
			bound[i%len(want)] += math.Abs(v) * float64(parts) * weft.F32.Epsilon() // a rounding for each part
		}
		err = kernels.SumParts.LaunchViews(cfg, nil, weft.TensorView{Tensor: x, Layout: x.Layout()}, weft.TensorView{Tensor: out, Layout: out.Layout()})
		within(t, out, err, want, func(i int) float64 { return bound[i] })
		if t.Failed() {
			t.Fatalf("%d parts of %d×%d×%d by %+v", parts, batch, m, n, cfg)
		}
	}
}

// gate is a user's own epilogue with two tensors.
var gate = weft.NewMap("gate", []string{"x", "g", "r"}, func(in []*tile.Value) *tile.Value {
	return in[0].Mul(in[1]).Add(in[2].Mul(0.5))
})

// What is fused after a product is what is done with it in float64, whatever the path to it.
func TestMatMulEpilogues(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(8, 1))
	for i := range 120 {
		elem, result := floatTypes[rng.IntN(3)], floatTypes[rng.IntN(3)]
		aShape, bShape := shapesOf(rng)
		a, x := permuted(t, dev, rng, elem, aShape...)
		b, y := permuted(t, dev, rng, elem, bShape...)
		shape, sums, magnitudes := reference.BatchedMatMul(aShape, x, bShape, y)
		out, old := permuted(t, dev, rng, result, shape...)
		broadcasting := func() (*weft.Tensor, []float64) { // a tensor that broadcasts to the result
			s := slices.Clone(shape[rng.IntN(len(shape)+1):])
			for d := range s {
				if rng.IntN(2) == 0 {
					s[d] = 1
				}
			}
			in, values := permuted(t, dev, rng, floatTypes[rng.IntN(3)], s...)
			return in, reference.Broadcast(s, values, shape)
		}
		bias, v := broadcasting()
		g, gv := broadcasting()
		r, rv := broadcasting()
		options := []ops.MatMulOption{ops.Alpha(0.5), ops.Beta(-2), ops.Bias(bias), ops.Fuse(ops.ReLUMap), ops.Fuse(gate, g, r)}
		switch i % 3 {
		case 1:
			options = append(options, ops.Tiles(ops.MatMulConfig{BM: 4, BN: 8, BK: 16, SplitK: 3}))
		case 2:
			options = append(options, ops.Tiles(ops.MatMulConfig{BM: 2, BN: 4, BK: 8, RowByRow: true, Persistent: 5}))
		}
		want, bound, k := make([]float64, len(sums)), make([]float64, len(sums)), aShape[len(aShape)-1]
		for i, s := range sums {
			linear := 0.5*s - 2*old[i] + v[i]
			want[i] = max(linear, 0)*gv[i] + rv[i]*0.5
			size := math.Abs(s) + 2*math.Abs(old[i]) + math.Abs(v[i])
			e := (0.5*bounds.MatMulSum(tile.IEEE, k, magnitudes[i]) + 0x1p-22*size) * math.Abs(gv[i])
			e += 0x1p-22 * (math.Abs(rv[i]) + size*math.Abs(gv[i]))
			bound[i] = e + result.Epsilon()*(math.Abs(want[i])+e) + 0x1p-25
		}
		within(t, out, ops.MatMulInto(out, a, b, options...), want, func(i int) float64 { return bound[i] })
		if t.Failed() {
			t.Fatalf("%v %v %v: %v @ %v = %v", i, aShape, bShape, a.Layout(), b.Layout(), out.Layout())
		}
	}
}

// Products of bytes are exact.
func TestMatMulIntegers(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(9, 1))
	for i := range 60 {
		elem := []weft.DType{weft.I8, weft.U8}[i%2]
		aShape, bShape := shapesOf(rng)
		bytes := func(shape []int) (*weft.Tensor, []float64) {
			x := make([]float64, 1)
			for _, s := range shape {
				x = make([]float64, len(x)*s)
			}
			for i := range x {
				x[i] = float64(rng.IntN(256) - 128*(1-int(elem-weft.I8)))
			}
			tensor, err := weft.FromFloats(dev, elem, x, shape...)
			if err != nil {
				t.Fatal(err)
			}
			return tensor, x
		}
		a, x := bytes(aShape)
		b, y := bytes(bShape)
		_, want, _ := reference.BatchedMatMul(aShape, x, bShape, y)
		bias, v := int32Scalar(t, dev, rng)
		for i, s := range want {
			want[i] = max(3*s+v, 0)
		}
		c, err := ops.MatMul(a, b, ops.Alpha(3), ops.Bias(bias), ops.Fuse(ops.ReLUMap),
			ops.Tiles(ops.MatMulConfig{BM: 4, BN: 8, BK: 16, RowByRow: i%3 == 0, SplitK: 1 + i%4, Stages: i % 5}))
		within(t, c, err, want, func(int) float64 { return 0 })
		f, err := ops.MatMul(a, b, ops.Alpha(3), ops.Bias(bias), ops.Fuse(ops.ReLUMap), ops.ResultType(weft.F32))
		within(t, f, err, want, func(i int) float64 { return 0x1p-22 * (math.Abs(want[i]) + math.Abs(v)) })
		if t.Failed() {
			t.Fatal(i, aShape, bShape)
		}
	}
}

// The result's element type, and nothing else, decides which scalars a product takes: those of an I32 result are whole.
func TestScalarsFollowTheResult(t *testing.T) {
	dev := openCPU(t)
	x, want := []float64{1, 2, 3, 5}, []float64{7, 12, 18, 31} // x and its square
	for _, elem := range []weft.DType{weft.F32, weft.F16, weft.BF16, weft.I8, weft.U8} {
		a, err := weft.FromFloats(dev, elem, x, 2, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, into := range []weft.DType{0, weft.F32, weft.F16, weft.BF16, weft.I32} { // 0 for a new tensor
			for _, asked := range []weft.DType{0, weft.F32, weft.F16, weft.BF16, weft.I32} { // 0 for no ResultType
				for _, alpha := range []float64{0.5, -2, 1e30, 1e10} {
					options := []ops.MatMulOption{ops.Alpha(alpha)}
					result := elem
					if elem.IsInt() {
						result = weft.I32
					}
					if asked != 0 {
						options, result = append(options, ops.ResultType(asked)), asked
					}
					wanted := error(nil)
					switch {
					case !elem.IsInt() && (asked == weft.I32 || into == weft.I32):
						wanted = weft.ErrUnsupported
					case into != 0 && asked != 0 && into != asked:
						wanted = weft.ErrArgument
					case into != 0:
						result = into
					}
					if wanted == nil && result == weft.I32 && alpha != -2 {
						wanted = weft.ErrArgument
					}
					name := fmt.Sprintf("%v, alpha %v, ResultType %v, into %v", elem, alpha, asked, into)
					y, err := (*weft.Tensor)(nil), error(nil)
					if into == 0 {
						y, err = ops.MatMul(a, a, options...)
					} else {
						if y, err = weft.Full(dev, into, 99, 2, 2); err != nil {
							t.Fatal(err)
						}
						err = ops.MatMulInto(y, a, a, options...)
					}
					if wanted != nil {
						if !errors.Is(err, wanted) {
							t.Errorf("%s: %v, want %v", name, err, wanted)
						}
						continue
					}
					if err != nil {
						t.Errorf("%s: %v", name, err)
						continue
					}
					if y.DType() != result {
						t.Errorf("%s: the result holds %v, want %v", name, y.DType(), result)
					}
					if alpha <= 1 { // beyond that F16 overflows
						scaled := make([]float64, len(want))
						for i := range want {
							scaled[i] = alpha * want[i] // which all types hold
						}
						within(t, y, nil, scaled, func(int) float64 { return 0 })
					}
				}
			}
		}
	}
}

func int32Scalar(t *testing.T, dev *weft.Device, rng *rand.Rand) (*weft.Tensor, float64) {
	t.Helper()
	x := float64(rng.IntN(1<<20) - 1<<19)
	s, err := weft.FromFloats(dev, weft.I32, []float64{x}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return s, x
}

// Every config that is listed builds and the launch rule's pick is the first of them.
func TestMatMulConfigs(t *testing.T) {
	for name, caps := range map[string]struct{ shared, threads, registers int }{"small": {16 << 10, 256, 32}, "large": {48 << 10, 1024, 255}} {
		c := cudaCaps
		c.SharedBytes, c.MaxThreads, c.Registers = caps.shared, caps.threads, caps.registers
		for _, shape := range [][3]int{{1, 4096, 4096}, {3, 100, 70}, {17, 31, 9}, {4096, 4096, 4096}, {64, 64, 1 << 16}, {0, 5, 0}} {
			m, n, k := shape[0], shape[1], shape[2]
			list := kernels.MatMulConfigs(c, weft.F16, m, n, k)
			if len(list) < 2 || list[0] != kernels.MatMulConfigFor(c, weft.F16, m, n, k) {
				t.Errorf("%s %v: %d configs, the first is %+v", name, shape, len(list), list[0])
			}
			seen := map[ops.MatMulConfig]bool{}
			for i, cfg := range list {
				if seen[cfg] {
					t.Errorf("%s %v: %+v is listed twice", name, shape, cfg)
				}
				seen[cfg] = true
				if i%7 == 0 {
					if _, err := kernels.MatMul.Build(cfg); err != nil {
						t.Error(name, fmt.Sprint(shape), err)
					}
				}
			}
		}
	}
}
