package ops

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tile"
)

// TestCutParts: all parts of a divided product are what the product would be, with a bias for each column, a residual and what the result held before, whatever the
// order of the operands, and of quantised weights with scales and zero points of groups or of columns.
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
	const m, n, k, long = 40, 54, 29, 48
	for order := range 8 {
		a, b, residual := matrix(m, k, order&1 > 0), matrix(k, n, order&2 > 0), matrix(m, n, order&4 > 0)
		checkCuts(t, fmt.Sprint(order), "matmul", nil, []*weft.Tensor{a, b}, drawn(n), residual, drawn(m, n))
	}
	for _, scheme := range []QuantScheme{{Bits: 4, Block: [2]int{1, 8}, Asymmetric: true}, {Bits: 8, Block: [2]int{1, 0}}, {Bits: 4, Codes: NF4, Block: [2]int{1, 16}}} {
		w, err := Quantize(drawn(n, long), scheme)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		q := w.T()
		defer q.Close()
		checkCuts(t, q.Data.String(), "quantized_matmul", q, []*weft.Tensor{drawn(m, long)}, drawn(n), matrix(m, n, scheme.Bits == 8), drawn(m, n))
	}
}

// checkCuts compares a product of factors, of which the second may be quantised weights, in two parts with the whole.
func checkCuts(t *testing.T, name, op string, q *Quantized, factors []*weft.Tensor, bias, residual, before *weft.Tensor) {
	m, n, k := before.Dim(0), before.Dim(1), factors[0].Dim(1)
	cuts := []kernels.Cut{{At: 16}, {At: 36}, {Columns: true, At: 1}, {Columns: true, At: 48}}
	for i, cut := range slices.Concat(cuts, cuts) {
		options := []MatMulOption{Bias(bias), Fuse(AddMap, residual)}
		if i < len(cuts) {
			options = append(options, Beta(0.5))
		}
		t.Run(fmt.Sprintf("%s/%+v", name, cut), func(t *testing.T) {
			product := func(divide bool) []float32 {
				out, err := weft.Empty(before.Device(), weft.F32, m, n)
				if err != nil {
					t.Fatal(err)
				}
				defer out.Close()
				if err := out.CopyFrom(before); err != nil {
					t.Fatal(err)
				}
				call := newProduct(op, q, nil, options)
				call.result = weft.F32
				var left, views []weft.TensorView
				for _, f := range factors {
					left = append(left, view(f))
				}
				start := call.startPlain
				for _, o := range q.operands() {
					left, start = append(left, view(o.tensor)), call.startQuantized
				}
				for _, x := range []*weft.Tensor{bias, residual, out} {
					l, err := x.Layout().Broadcast(m, n)
					if err != nil {
						t.Fatal(err)
					}
					views = append(views, weft.TensorView{Tensor: x, Layout: l})
				}
				if divide {
					err = launchCut(left, views, cut, start)
				} else {
					err = start(left, views)
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
				if d := float64(got[i] - want[i]); d > 2*bounds.MatMulSum(tile.IEEE, k+3, 8*float64(k)) || d < -2*bounds.MatMulSum(tile.IEEE, k+3, 8*float64(k)) || d != d {
					t.Fatalf("element %d,%d: %v, want %v", i/n, i%n, got[i], want[i])
				}
			}
		})
	}
}
