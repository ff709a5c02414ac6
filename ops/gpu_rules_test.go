package ops_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/target"
)

// ruled is the CPU's device with a GPU's configs: the interpreter computes what the rules choose for that GPU.
type ruled struct {
	backend.Device
	gpu target.Caps
}

// Caps is the CPU's but for what rules ask of a GPU.
func (r ruled) Caps() target.Caps {
	caps, gpu := r.Device.Caps(), r.gpu
	caps.WholeTiles, caps.Machine, caps.MaxThreads, caps.Registers, caps.SubgroupSize = false, gpu.Machine, gpu.MaxThreads, gpu.Registers, gpu.SubgroupSize
	return caps
}

// openRuled opens such a device.
func openRuled(t *testing.T) *weft.Device {
	t.Helper()
	h200, _ := target.PresetNamed("h200")
	inner, err := backend.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	dev := weft.NewDevice(ruled{inner, h200.Caps})
	t.Cleanup(func() { dev.Close() })
	return dev
}

// Reductions that programs of a GPU share, of few results and of many, along each dimension and over views.
func TestSharedReductions(t *testing.T) {
	dev, rng := openRuled(t), rand.New(rand.NewPCG(3, 9))
	for _, c := range []struct {
		shape []int
		axis  int
		order []int // of the dimensions in memory
	}{
		{[]int{300_007}, 0, nil}, {[]int{41_003, 20}, 0, nil}, {[]int{4099, 75}, 0, nil}, {[]int{3, 90_001}, 1, nil}, {[]int{2, 20_011, 9}, 1, nil},
		{[]int{19, 8209}, 1, []int{1, 0}}, {[]int{1009, 7, 33}, 0, []int{0, 2, 1}}, {[]int{4099, 130}, 0, nil}, {[]int{5, 3001, 2, 3}, 1, []int{2, 1, 0, 3}},
	} {
		memory := c.shape
		if c.order != nil {
			memory = make([]int, len(c.shape))
			for d, at := range c.order {
				memory[at] = c.shape[d]
			}
		}
		x, _ := random(t, dev, rng, weft.F32, memory...)
		if c.order != nil {
			var err error
			if x, err = x.Permute(c.order...); err != nil {
				t.Fatal(err)
			}
		}
		values, err := weft.ToFloats(x)
		if err != nil {
			t.Fatal(err)
		}
		of := func(f func(g []float64) float64) []float64 {
			return reference.Reduce(values, c.shape, []int{c.axis}, f)
		}
		bounded := func(f func(g []float64) float64) func(int) float64 {
			bounds := of(f)
			return func(i int) float64 { return bounds[i] }
		}
		none := func(int) float64 { return 0 }
		t.Run(fmt.Sprint(c.shape, " along ", c.axis), func(t *testing.T) {
			sum, err := ops.Sum(x, ops.Axis(c.axis))
			within(t, sum, err, of(floats.Sum), bounded(func(g []float64) float64 {
				return bounds.Sum(weft.F32, len(g), floats.Sum(g), reference.Magnitude(g))
			}))
			variance, err := ops.Var(x, ops.Axis(c.axis))
			within(t, variance, err, of(func(g []float64) float64 { return stat.PopVariance(g, nil) }), bounded(func(g []float64) float64 {
				return bounds.Var(weft.F32, len(g), stat.PopVariance(g, nil), stat.Mean(g, nil))
			}))
			most, err := ops.Max(x, ops.Axis(c.axis), ops.KeepDims())
			within(t, most, err, of(floats.Max), none)
			index, err := ops.ArgMin(x, ops.Axis(c.axis))
			within(t, index, err, of(reference.ArgMin), none)
		})
	}
}

// Rows that are walked twice, by one program and by several: each element is written once, from wherever the second walk begins.
func TestRowsWalkedTwice(t *testing.T) {
	dev, rng := openRuled(t), rand.New(rand.NewPCG(4, 9))
	for _, shape := range [][]int{{300, 33_001}, {2, 40_009}, {1, 70_001}} {
		x, values := random(t, dev, rng, weft.F32, shape...)
		cols := shape[1]
		want := make([]float64, len(values))
		for r := range shape[0] {
			row := values[r*cols : (r+1)*cols]
			total := floats.LogSumExp(row)
			for i, v := range row {
				want[r*cols+i] = v - total
			}
		}
		out, err := weft.Empty(dev, weft.F32, shape...)
		if err != nil {
			t.Fatal(err)
		}
		if err := out.Fill(math.NaN()); err != nil {
			t.Fatal(err)
		}
		err = ops.LogSoftmaxInto(out, x)
		within(t, out, err, want, func(i int) float64 { return 1e-5 * (1 + math.Abs(want[i])) })
	}
}
