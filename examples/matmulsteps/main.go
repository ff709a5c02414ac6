package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/all"
	"github.com/weftgpu/weft/examples/internal/timing"
	"github.com/weftgpu/weft/tile"
)

// config is what a step changes. Sizes are powers of two.
type config struct {
	rows, cols, depth int  // of the tile that a program computes, and its step along the reduction
	dot               bool // multiply tiles as matrices; otherwise column by row, as one would on paper
	schedule          tile.Schedule
}

// matmul computes c [M,N] = a [M,K] @ b [K,N], of any sizes.
var matmul = weft.NewKernel("matmul_steps", func(k *tile.Builder, cfg config) {
	a, b, c := k.In("a", weft.F32, 2), k.In("b", weft.F32, 2), k.Out("c", weft.F32, 2)
	k.Require(a.Dim(1).Eq(b.Dim(0)).And(a.Dim(0).Eq(c.Dim(0))).And(b.Dim(1).Eq(c.Dim(1))))
	k.Schedule(cfg.schedule)
	row, col := k.TileID(k.CDiv(c.Dim(0), cfg.rows), k.CDiv(c.Dim(1), cfg.cols))
	as, bs := a.Block(cfg.rows, cfg.depth), b.Block(cfg.depth, cfg.cols)
	sum := k.Var(k.Zeros(weft.F32, cfg.rows, cfg.cols))
	for i := range k.Range(k.CDiv(a.Dim(1), cfg.depth)) {
		x, y := as.Load(row, i), bs.Load(i, col)
		if cfg.dot {
			sum.Set(tile.Dot(x, y, sum.Get(), tile.IEEE))
		} else { // depth is 1: a column times a row
			sum.Set(sum.Get().Add(x.Mul(y)))
		}
	}
	c.Block(cfg.rows, cfg.cols).Store(sum.Get(), row, col)
})

// steps are five configs of one kernel. Not every device gains by each of them: the program says why where it does not.
var steps = []struct {
	name, why, whyNot string
	cfg               config
}{
	{"naive", "every element is loaded from memory for each 16 products", "",
		config{rows: 16, cols: 16, depth: 1}},
	{"tiles as matrices", "16 steps of the reduction at a time, through shared memory on a GPU",
		"a software driver changes between all threads of a workgroup at each barrier, which costs more than the loads that are saved",
		config{rows: 16, cols: 16, depth: 16, dot: true}},
	{"larger tiles", "each element that is loaded serves 64 products",
		"caches held what the smaller tiles loaded again",
		config{rows: 64, cols: 64, depth: 16, dot: true}},
	{"tiles of many sums a thread", "fewer reads of shared memory for each product",
		"on a processor shared memory is memory in its caches, and threads have no registers for more sums",
		config{rows: 128, cols: 128, depth: 16, dot: true, schedule: tile.Schedule{Threads: 256}}},
	{"in groups, loads ahead", "neighbours share the cache; the next step loads while this one computes",
		"caches held what neighbours share in any order, and other workgroups, or the processor itself, computed while one waited for its loads",
		config{rows: 128, cols: 128, depth: 16, dot: true, schedule: tile.Schedule{
			Threads: 256, Stages: 2, Order: tile.Order{Kind: tile.GroupedRows, Group: 8}}}},
}

var rng = rand.New(rand.NewPCG(1, 2)) // the same numbers in every run

func main() {
	device := flag.String("device", "", "such as cuda or vulkan:1; the best one if empty")
	n := flag.Int("n", 0, "side of the matrices; 0 chooses by the kind of device")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("argument %q, want flags alone", flag.Arg(0))
	}
	if err := run(*device, *n); err != nil {
		log.Fatal(err)
	}
}

func run(device string, n int) error {
	const most = 1 << 15
	if n < 0 || n > most {
		return fmt.Errorf("-n %d, want 0 to %d", n, most)
	}
	dev, err := weft.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()
	if n == 0 {
		n = map[string]int{"gpu": 4096, "cpu": 512, "software": 256}[dev.Info().Kind.String()]
	}
	x, y := numbers(n*n), numbers(n*n)
	a, err := weft.FromSlice(dev, x, n, n)
	if err != nil {
		return err
	}
	b, err := weft.FromSlice(dev, y, n, n)
	if err != nil {
		return err
	}
	fmt.Printf("%v, %s: %d×%d @ %d×%d\n", dev, dev.Info().Name, n, n, n, n)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "step\ttime\tGFLOP/s\tgain\twhat changed")
	var before time.Duration
	var notes strings.Builder
	for i, step := range steps {
		c, err := weft.Empty(dev, weft.F32, n, n)
		if err != nil {
			return err
		}
		launch := func() error { return matmul.Launch(step.cfg, a, b, c) }
		if err := launch(); err != nil {
			return err
		}
		if err := check(c, x, y, n); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		took, err := timing.Fastest(dev, launch)
		if err != nil {
			return err
		}
		gain := ""
		if i > 0 {
			gain = fmt.Sprintf("%.2f×", float64(before)/float64(took))
			if float64(before) < 1.02*float64(took) { // no gain that noise could not make
				fmt.Fprintf(&notes, "Step %d gains nothing on this device: %s.\n", i+1, step.whyNot)
			}
		}
		fmt.Fprintf(w, "%d %s\t%v\t%s\t%s\t%s\n", i+1, step.name, took.Round(time.Microsecond),
			gigaflops(2*float64(n)*float64(n)*float64(n)/took.Seconds()), gain, step.why)
		before = took
		c.Close()
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Print(notes.String())
	return nil
}

// gigaflops is a rate with three digits, without an exponent.
func gigaflops(rate float64) string {
	if rate /= 1e9; rate >= 100 {
		return fmt.Sprintf("%.0f", rate)
	}
	return fmt.Sprintf("%.3g", rate)
}

func numbers(n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	return x
}

// check computes some elements in float64.
func check(c *weft.Tensor, x, y []float32, n int) error {
	z, err := weft.ToSlice[float32](c)
	if err != nil {
		return err
	}
	for range 500 {
		row, col := rng.IntN(n), rng.IntN(n)
		sum, magnitudes := 0.0, 0.0
		for i := range n {
			product := float64(x[row*n+i]) * float64(y[i*n+col])
			sum += product
			magnitudes += math.Abs(product)
		}
		if diff := math.Abs(float64(z[row*n+col]) - sum); !(diff <= float64(n)*0x1p-24*magnitudes) { // n roundings
			return fmt.Errorf("element %d,%d is %v, want %v", row, col, z[row*n+col], sum)
		}
	}
	return nil
}
