package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/all"
	"github.com/weftgpu/weft/examples/internal/timing"
	"github.com/weftgpu/weft/ops"
)

func main() {
	device := flag.String("device", "", "such as cuda or vulkan:1; the best one if empty")
	rows, side := flag.Int("rows", 4, "rows of the activations"), flag.Int("side", 512, "inputs and outputs of the layer, a multiple of 64")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("argument %q, want flags alone", flag.Arg(0))
	}
	if err := run(*device, *rows, *side); err != nil {
		log.Fatal(err)
	}
}

func run(device string, rows, side int) error {
	const most = 1 << 15
	if rows < 1 || rows > most || side < 1 || side > most || side%64 != 0 {
		return fmt.Errorf("-rows %d -side %d, want 1 to %d, and a multiple of 64 up to that", rows, side, most)
	}
	dev, err := weft.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()
	l, err := newLayer(dev, rows, side)
	if err != nil {
		return err
	}
	fmt.Printf("%v: x [%d,%d] @ w.T, w [%d,%d]\n", dev, rows, side, side, side)
	exact := func(out *weft.Tensor) error { return ops.MatMulInto(out, l.x, l.w.T()) }
	full, err := l.report("f32", 4*side*side, exact, nil)
	if err != nil {
		return err
	}
	best := full // of the ways in low bits
	for _, way := range []struct {
		name   string
		scheme ops.QuantScheme
	}{
		{"8 bits per row", ops.QuantScheme{Bits: 8, Block: [2]int{1, 0}}},
		{"FP8 per row", ops.QuantScheme{Bits: 8, Codes: ops.FP8, Block: [2]int{1, 0}}},
		{"4 bits per row", ops.QuantScheme{Bits: 4, Block: [2]int{1, 0}}},
		{"4 bits per 64", ops.QuantScheme{Bits: 4, Block: [2]int{1, 64}}}, // a scale for 64 weights of a row
		{"4 bits per 64, zero points", ops.QuantScheme{Bits: 4, Block: [2]int{1, 64}, Asymmetric: true}},
		{"NF4 per 64", ops.QuantScheme{Bits: 4, Codes: ops.NF4, Block: [2]int{1, 64}}},
		{"MXFP4", ops.MXFP4},
	} {
		q, err := ops.Quantize(l.w, way.scheme)
		if err != nil {
			return err
		}
		bytes := q.Data.Len() + q.Scales.DType().Size()*q.Scales.Len()
		if q.Zeros != nil {
			bytes += q.Zeros.Len()
		}
		product := func(out *weft.Tensor) error { return ops.QuantizedMatMulInto(out, l.x, q.T()) }
		took, err := l.report(way.name, bytes, product, q)
		if err != nil {
			return err
		}
		best = min(best, took)
	}
	if best == full {
		fmt.Println("low bits save memory but no time here: they do where reading the weights takes longest, in large layers on a GPU (-rows 1 -side 8192)")
	}
	return nil
}

// layer is a layer's activations and weights, on the device and as float64.
type layer struct {
	dev  *weft.Device
	x, w *weft.Tensor
	a, b *mat.Dense
}

func newLayer(dev *weft.Device, rows, side int) (*layer, error) {
	rng := rand.New(rand.NewPCG(4, 8)) // so that every run prints the same
	random := func(rows, cols int, scale float64) (*weft.Tensor, *mat.Dense, error) {
		x := make([]float64, rows*cols)
		for i := range x {
			x[i] = float64(float32(scale * rng.NormFloat64()))
		}
		t, err := weft.FromFloats(dev, weft.F32, x, rows, cols)
		return t, mat.NewDense(rows, cols, x), err
	}
	l := &layer{dev: dev}
	var err error
	if l.x, l.a, err = random(rows, side, 1); err == nil {
		l.w, l.b, err = random(side, side, 1/math.Sqrt(float64(side)))
	}
	return l, err
}

// report checks a product against float64, prints what it costs and how far it is from the product of the weights in F32, and returns its time.
func (l *layer) report(name string, bytes int, product func(out *weft.Tensor) error, q *ops.Quantized) (time.Duration, error) {
	rows, side := l.a.Dims()
	out, err := weft.Empty(l.dev, weft.F32, rows, side)
	if err != nil {
		return 0, err
	}
	defer out.Close()
	if err := product(out); err != nil {
		return 0, err
	}
	took, err := timing.Fastest(l.dev, func() error { return product(out) })
	if err != nil {
		return 0, err
	}
	y, err := weft.ToFloats(out)
	if err != nil {
		return 0, err
	}
	held := l.b // what the layer's weights are after rounding
	if q != nil {
		real, err := ops.Dequantize(q, weft.F32)
		if err != nil {
			return 0, err
		}
		defer real.Close()
		if held, err = weft.ToDense(real); err != nil {
			return 0, err
		}
	}
	var want, ideal mat.Dense
	want.Mul(l.a, held.T())
	ideal.Mul(l.a, l.b.T())
	if worst := distance(y, want.RawMatrix().Data); !(worst < 1e-4) { // sums of F32
		return 0, fmt.Errorf("%s: an element is wrong by %v", name, worst)
	}
	fmt.Printf("  %-27s %8.2f MB  %12v  error %.4f of the output's size\n", name, float64(bytes)/1e6, took.Round(100*time.Nanosecond), relative(y, ideal.RawMatrix().Data))
	return took, nil
}

// distance is the largest difference.
func distance(x, y []float64) (worst float64) {
	for i, v := range x {
		worst = max(worst, math.Abs(v-y[i]))
	}
	return worst
}

// relative is the norm of the difference, as a part of the norm of y.
func relative(x, y []float64) float64 {
	d := mat.NewVecDense(len(x), slices.Clone(x))
	d.SubVec(d, mat.NewVecDense(len(y), y))
	return d.Norm(2) / mat.NewVecDense(len(y), y).Norm(2)
}
