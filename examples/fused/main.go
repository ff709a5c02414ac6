package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"time"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/all"
	"github.com/weftgpu/weft/examples/internal/timing"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// tiles are sizes of a program's part of the product.
type tiles struct{ rows, cols, depth int }

// linear makes the kernel of epilogue(x @ w + bias). The epilogue runs when the kernel is
// described, on values that stand for tiles: what it does becomes a part of the kernel.
func linear(name string, epilogue func(*tile.Value) *tile.Value) *weft.Kernel[tiles] {
	return weft.NewKernel(name, func(k *tile.Builder, t tiles) {
		x, w, bias, out := k.In("x", weft.F32, 2), k.In("w", weft.F32, 2), k.In("bias", weft.F32, 2), k.Out("out", weft.F32, 2)
		k.Require(x.Dim(1).Eq(w.Dim(0)).And(w.Dim(1).Eq(bias.Dim(1))))
		row, col := k.TileID(k.CDiv(out.Dim(0), t.rows), k.CDiv(out.Dim(1), t.cols))
		sum := k.Var(k.Zeros(weft.F32, t.rows, t.cols))
		for i := range k.Range(k.CDiv(x.Dim(1), t.depth)) {
			sum.Set(tile.Dot(x.Block(t.rows, t.depth).Load(row, i), w.Block(t.depth, t.cols).Load(i, col), sum.Get(), tile.IEEE))
		}
		y := epilogue(sum.Get().Add(bias.Block(1, t.cols).Load(0, col))) // one row, broadcast over all
		out.Block(t.rows, t.cols).Store(y, row, col)
	})
}

// mish is an activation that no library needs to know: x tanh(log(1 + exp(x))) (Misra, 2019).
func mish(x *tile.Value) *tile.Value {
	return x.Mul(x.Exp().Log1p().Tanh())
}

var (
	linearMish = linear("linear_mish", mish)
	mishMap    = weft.NewMap("mish", []string{"x"}, func(in []*tile.Value) *tile.Value { return mish(in[0]) })
)

var rng = rand.New(rand.NewPCG(1, 2)) // the same numbers in every run

func main() {
	device := flag.String("device", "", "such as cuda or vulkan:1; the best one if empty")
	n := flag.Int("n", 0, "rows of x, 0 chooses by the kind of device; the layer has 256 inputs and 300 outputs")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("argument %q, want flags alone", flag.Arg(0))
	}
	if err := run(*device, *n); err != nil {
		log.Fatal(err)
	}
}

func run(device string, n int) error {
	const in, outputs, most = 256, 300, 1 << 22
	if n < 0 || n > most {
		return fmt.Errorf("-n %d, want 0 to %d", n, most)
	}
	dev, err := weft.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()
	if n == 0 {
		n = map[string]int{"gpu": 50000, "cpu": 500, "software": 500}[dev.Info().Kind.String()]
	}
	var host [3][]float32
	var tensors [3]*weft.Tensor
	for i, shape := range [][]int{{n, in}, {in, outputs}, {1, outputs}} {
		host[i] = make([]float32, shape[0]*shape[1])
		for j := range host[i] {
			host[i][j] = float32(rng.NormFloat64() / 8)
		}
		if tensors[i], err = weft.FromSlice(dev, host[i], shape...); err != nil {
			return err
		}
	}
	x, w, bias := tensors[0], tensors[1], tensors[2]
	out, err := weft.Empty(dev, weft.F32, n, outputs)
	if err != nil {
		return err
	}

	fused := func() error { return linearMish.Launch(tiles{64, 64, 16}, x, w, bias, out) }
	library := func() error { return ops.MatMulInto(out, x, w, ops.Bias(bias), ops.Fuse(mishMap)) }
	separate := func() error {
		if err := ops.MatMulInto(out, x, w); err != nil {
			return err
		}
		if err := ops.AddInto(out, out, bias); err != nil { // in place
			return err
		}
		return mishMap.Into(out, out)
	}
	var times []time.Duration
	for _, way := range []struct {
		name   string
		launch func() error
	}{{"one kernel", fused}, {"ops.MatMul, fused", library}, {"three ops", separate}} {
		if err := way.launch(); err != nil {
			return err
		}
		if err := check(out, host[0], host[1], host[2]); err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
		took, err := timing.Fastest(dev, way.launch)
		if err != nil {
			return err
		}
		fmt.Printf("%v, %s: mish(x @ w + bias) of %d×%d @ %d×%d in %v; checked\n",
			dev, way.name, n, in, in, outputs, took.Round(100*time.Nanosecond))
		times = append(times, took)
	}
	if slowest := max(times[0], times[1]); slowest > times[2] {
		fmt.Println(whyNot(dev.Info().Kind.String()))
	}
	return nil
}

// whyNot says why one kernel may save no time on a kind of device.
func whyNot(kind string) string {
	if kind == "gpu" {
		return "what is fused saves no time here: caches hold what three ops store of so few rows (-n 50000 are too many for them)"
	}
	return "what is fused saves no time here: a processor's caches hold what three ops store, and mish itself takes most of the time"
}

// check computes some elements in float64.
func check(out *weft.Tensor, x, w, bias []float32) error {
	y, err := weft.ToSlice[float32](out)
	if err != nil {
		return err
	}
	n, outputs, in := out.Dim(0), out.Dim(1), len(w)/out.Dim(1)
	for range 1000 {
		row, col := rng.IntN(n), rng.IntN(outputs)
		sum := float64(bias[col])
		for i := range in {
			sum += float64(x[row*in+i]) * float64(w[i*outputs+col])
		}
		want := sum * math.Tanh(math.Log1p(math.Exp(sum)))
		if diff := math.Abs(float64(y[row*outputs+col]) - want); !(diff < 1e-4) {
			return fmt.Errorf("element %d,%d is %v, want %v", row, col, y[row*outputs+col], want)
		}
	}
	return nil
}
