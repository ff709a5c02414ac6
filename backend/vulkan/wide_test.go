package vulkan_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// widest is a tile that 256 threads cannot hold: with them llvmpipe compiles the kernel below for minutes.
const widest, largest = 1 << 16, 4

// topK stores the largest elements of each row: it takes the maximum, hides it, and begins again.
var topK = weft.NewKernel("top_k", func(k *tile.Builder, n int) {
	x, y := k.In("x", weft.F32, 2), k.Out("y", weft.F32, 2)
	k.Require(x.Dim(0).Eq(y.Dim(0)))
	k.Grid(y.Dim(0))
	row := k.ProgramID(0)
	v, index := x.Block(1, widest).Fill(math.Inf(-1)).Load(row, 0), k.Iota(1, 1, widest)
	for i := range n {
		y.Block(1, 1).Store(v.Max(1), row, i)
		v = k.Where(index.Eq(v.ArgMax(1)), math.Inf(-1), v)
	}
})

// A kernel with a wide tile that names no threads gets as many as the tile needs to be compiled in seconds.
func TestWideTiles(t *testing.T) {
	dev, err := weft.Open("vulkan")
	if err != nil {
		t.Skip(err)
	}
	defer dev.Close()
	const rows, columns = 3, widest
	rng := rand.New(rand.NewPCG(1, 2))
	numbers := make([]float32, rows*columns)
	for i := range numbers {
		numbers[i] = float32(rng.NormFloat64())
	}
	x, err := weft.FromSlice(dev, numbers, rows, columns)
	if err != nil {
		t.Fatal(err)
	}
	y, err := weft.Full(dev, weft.F32, math.NaN(), rows, largest)
	if err != nil {
		t.Fatal(err)
	}
	explained, err := topK.Explain(largest, x, y)
	if err != nil {
		t.Fatal(err)
	}
	threads := dev.Caps().FitThreads(1024)
	if dev.Caps().Registers > 128 {
		threads = dev.Caps().FitThreads(512)
	}
	if want := fmt.Sprintf("threads=%d", threads); !strings.Contains(explained.SimtIR, want) {
		t.Fatalf("the kernel has no %s", want) // and would take minutes to compile
	}
	start := time.Now()
	if err := topK.Launch(largest, x, y); err != nil {
		t.Fatal(err)
	}
	got, err := weft.ToSlice[float32](y)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%v to compile and run with %d threads", time.Since(start), threads)
	for row := range rows {
		want := slices.Clone(numbers[row*columns:][:columns])
		slices.Sort(want)
		slices.Reverse(want)
		if !slices.Equal(got[row*largest:][:largest], want[:largest]) {
			t.Errorf("row %d: %v, want %v", row, got[row*largest:][:largest], want[:largest])
		}
	}
}
