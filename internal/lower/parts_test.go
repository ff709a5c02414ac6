package lower

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// TestSplitProducts holds products of F32 operands in parts of TF32, on a machine whose instructions drop what TF32 lacks, to
// the exact products: each element is within what tile.TF32x3 promises, for operands of very different magnitudes. Products in
// one part are not, or the test would show nothing.
func TestSplitProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for i, c := range []struct {
		m, n, k, threads, stages, bk int
		groups                       bool // warpgroups compute them
	}{
		{16, 8, 8, 32, 1, 8, false}, {32, 32, 64, 32, 1, 8, false}, {64, 64, 128, 128, 2, 8, false}, {64, 128, 96, 64, 3, 8, false}, {32, 16, 256, 128, 4, 8, false},
		{64, 64, 128, 128, 1, 32, false}, {64, 64, 128, 128, 1, 32, true}, {64, 32, 192, 128, 3, 64, true}, {128, 64, 256, 256, 2, 32, true}, {128, 128, 96, 256, 3, 32, true}, {128, 64, 96, 128, 2, 32, true},
		{128, 128, 320, 256, 4, 32, true}, {64, 64, 32, 128, 4, 32, true}, {64, 64, 64, 128, 4, 32, true}, {128, 64, 512, 128, 5, 64, true},
	} {
		for _, precision := range []tile.Precision{tile.TF32x3, tile.TF32} {
			bk := c.bk
			k := axistest.Build(t, "product", func(k *tile.Builder) {
				k.Schedule(tile.Schedule{Threads: c.threads, Stages: c.stages})
				k.Grid(1)
				a, b, out := k.In("a", dtype.F32, 2), k.In("b", dtype.F32, 2), k.Out("out", dtype.F32, 2)
				acc := k.Var(k.Zeros(dtype.F32, c.m, c.n))
				for i := range k.Range(k.CDiv(a.Dim(1), bk)) {
					acc.Set(tile.Dot(a.Block(c.m, bk).Load(0, i), b.Block(bk, c.n).Load(i, 0), acc.Get(), precision))
				}
				out.Block(c.m, c.n).Store(acc.Get(), 0, 0)
			})
			orders := []func(*testing.T, int, int) layout.Layout{lowertest.Rows, lowertest.Columns}
			order := orders[i/2%2]
			if bk > 8 { // warpgroups take what is K-major
				order = orders[0]
				if c.groups {
					order = orders[1]
				}
			}
			layouts := []layout.Layout{orders[i%2](t, c.m, c.k), order(t, c.k, c.n), lowertest.Rows(t, c.m, c.n)}
			x, y := spread(rng, layouts[0]), spread(rng, layouts[1])
			got, lowered := runOn(t, k, lowertest.MatrixTargets["groups"], layouts, x, y)
			if n := lowertest.Count(lowered, simt.GroupMMA); precision == tile.TF32x3 && (n > 0) != c.groups {
				t.Errorf("%v: %d products of warpgroups\n%v", c, n, lowered)
			}
			worst := 0.0
			for row := range c.m {
				for column := range c.n {
					want, magnitudes := 0.0, 0.0
					for l := range c.k {
						p := x[layouts[0].At(row, l)] * y[layouts[1].At(l, column)]
						want, magnitudes = want+p, magnitudes+math.Abs(p)
					}
					// the parts of products, and a rounding for each step of 8 that is added and one within it
					bound := (0x1p-20 + float64(c.k/8+2)*dtype.F32.Epsilon()) * magnitudes
					worst = max(worst, math.Abs(got[layouts[2].At(row, column)]-want)/bound)
				}
			}
			if isSplit := precision == tile.TF32x3; isSplit != (worst <= 1) {
				t.Errorf("%v in %v: the largest error is %.3g of the bound of parts", c, precision, worst)
			}
		}
	}
}

// spread are the numbers of a tensor: of magnitudes from 2^-40 to 2^40, with all their bits.
func spread(rng *rand.Rand, l layout.Layout) []float64 {
	x := make([]float64, l.Len())
	for i := range x {
		x[i] = float64(float32(math.Ldexp(1+rng.Float64(), rng.IntN(81)-40)))
		if rng.IntN(2) == 0 {
			x[i] = -x[i]
		}
	}
	return x
}

// runOn lowers a kernel of two inputs and an output for a device with matrix instructions and runs it on the machine.
func runOn(t *testing.T, k *tile.Func, caps target.Caps, layouts []layout.Layout, in ...[]float64) ([]float64, *simt.Func) {
	t.Helper()
	r, err := Lower(k, axis.FactsOf(layouts, []int{0, 1, 2}), caps)
	if err != nil {
		t.Fatal(err)
	}
	if lowertest.Count(r.Kernel, simt.MMA)+lowertest.Count(r.Kernel, simt.GroupMMA)+lowertest.Count(r.Kernel, simt.CooperativeMulAdd) == 0 {
		t.Fatalf("no matrix instruction\n%v", r.Kernel)
	}
	all, err := k.Words(layouts, nil)
	if err != nil {
		t.Fatal(err)
	}
	var words []uint32
	for _, w := range r.Words {
		words = append(words, all[w])
	}
	buffers := make([][]byte, 3)
	for i, x := range append(in, make([]float64, layouts[2].Len())) {
		buffers[i] = make([]byte, 4*len(x))
		dtype.PutFloats(dtype.F32, buffers[i], x)
	}
	if err := machine.Run(lowertest.ReadBack(t, r.Kernel), [3]int{1, 1, 1}, buffers, words); err != nil {
		t.Fatal(fmt.Errorf("%w\n%v", err, r.Kernel))
	}
	out := make([]float64, layouts[2].Len())
	dtype.Floats(dtype.F32, out, buffers[2])
	return out, r.Kernel
}
