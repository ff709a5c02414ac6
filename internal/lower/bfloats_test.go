package lower

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// hasBFloats reports whether products of F32 are computed in parts of BF16.
func hasBFloats(caps target.Caps) bool {
	types := caps.MatrixTypes()
	return caps.Language == target.SPIRV && types.Has(dtype.BF16) && !types.Has(dtype.F32)
}

// bfloatTargets are the targets that compute products of F32 in parts of BF16.
func bfloatTargets() (names []string) {
	for _, name := range slices.Sorted(maps.Keys(lowertest.CooperativeTargets)) {
		if hasBFloats(lowertest.CooperativeTargets[name]) {
			names = append(names, name)
		}
	}
	return names
}

// TestBFloatProducts holds products of F32 operands in parts of BF16 to the exact products: each element is within what tile.TF32 promises of them, for
// operands of very different magnitudes. A product takes three of the instructions.
func TestBFloatProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, name := range bfloatTargets() {
		caps := lowertest.CooperativeTargets[name]
		for i, c := range []struct{ m, n, k, bk, threads, stages int }{
			{32, 32, 32, 32, 64, 1}, {64, 64, 96, 32, 64, 2}, {32, 64, 64, 16, 128, 2},
		} {
			k := product(t, dtype.F32, c.m, c.n, c.bk, tile.Schedule{Threads: c.threads, Stages: c.stages})
			orders := []func(*testing.T, int, int) layout.Layout{lowertest.Rows, lowertest.Columns}
			layouts := []layout.Layout{orders[i%2](t, c.m, c.k), orders[i/2%2](t, c.k, c.n), lowertest.Rows(t, c.m, c.n)}
			x, y := spread(rng, layouts[0]), spread(rng, layouts[1])
			got, lowered := runOn(t, k, caps, layouts, x, y)
			pieces := c.m * c.n * c.bk / volume(caps)
			if n := lowertest.Count(lowered, simt.CooperativeMulAdd); n != 3*pieces*caps.SubgroupSize/c.threads {
				t.Errorf("%s, %v: %d products, want three for each of %d pieces of %d subgroups", name, c, n, pieces, c.threads/caps.SubgroupSize)
			}
			worst := 0.0
			for row := range c.m {
				for column := range c.n {
					want, magnitudes := 0.0, 0.0
					for l := range c.k {
						p := x[layouts[0].At(row, l)] * y[layouts[1].At(l, column)]
						want, magnitudes = want+p, magnitudes+math.Abs(p)
					}
					bound := (0x1p-13 + float64(3*c.k)*dtype.F32.Epsilon()) * magnitudes
					worst = max(worst, math.Abs(got[layouts[2].At(row, column)]-want)/bound)
				}
			}
			if worst > 1 {
				t.Errorf("%s, %v: the largest error is %.3g of the bound", name, c, worst)
			}
		}
	}
}

// volume is how many products the BF16 matrices of a device sum.
func volume(caps target.Caps) int {
	row := caps.CooperativeFor(dtype.BF16)
	return row.M * row.N * row.K
}

// TestBFloatExtremes multiplies single numbers: infinities, NaN, and the largest and small numbers are not lost. Numbers of few bits are exact.
func TestBFloatExtremes(t *testing.T) {
	extremes := []float64{math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat32, -math.MaxFloat32, 0x1.fep127, 0x1.fefffep127, 0x1.ffp127, 1, -3, 0x1p-110, 0x1.fffffep-110, 0x1.234566p-111, 0,
		math.Copysign(0, -1), 0x1.010002p0}
	for _, name := range bfloatTargets() {
		k := product(t, dtype.F32, 32, 32, 32, tile.Schedule{Threads: 64})
		l := lowertest.Rows(t, 32, 32)
		for _, right := range []bool{false, true} {
			x, y := make([]float64, 32*32), make([]float64, 32*32)
			for i := range 32 {
				x[l.At(i, 0)], y[l.At(0, i)] = extremes[i%len(extremes)], 0.75
				if right {
					x[l.At(i, 0)], y[l.At(0, i)] = 0.75, extremes[i%len(extremes)]
				}
			}
			got, _ := runOn(t, k, lowertest.CooperativeTargets[name], []layout.Layout{l, l, l}, x, y)
			for i := range 32 * 32 {
				want := x[i/32*32] * y[i%32]
				g := got[i]
				if g != want && !(math.Abs(g-want) <= 0x1p-13*math.Abs(want)) && !(math.IsNaN(g) && math.IsNaN(want)) {
					t.Fatalf("%s: %g * %g is %g", name, x[i/32*32], y[i%32], g)
				}
			}
		}
	}
}

// TestBFloatsNamed: explanations name the parts. Operands that may lose nothing, or little, are multiplied without matrices.
func TestBFloatsNamed(t *testing.T) {
	caps := map[string]target.Caps{"mma": lowertest.CooperativeTargets["mma"]}
	l := lowertest.Rows(t, 32, 32)
	for precision, want := range map[tile.Precision]string{
		tile.TF32:   "operands of f32 in two parts of bf16: the sum of three products",
		tile.TF32x3: "no matrix instructions: the device has no matrix instructions for f32",
		tile.IEEE:   "no matrix instructions: matrix instructions round operands of f32, and the precision is ieee",
	} {
		k := productAs(t, dtype.F32, precision, 32, 32, 32, tile.Schedule{Threads: 64})
		for _, l := range cases(t, caps, k, []int{32 * 32, 32 * 32, 32 * 32}, []tensor{{l, 0}, {l, 1}, {l, 2}}, false, 0x1p-13) {
			if notes := strings.Join(l.notes, "\n"); !strings.Contains(notes, want) {
				t.Errorf("%v: want %q\n%s", precision, want, notes)
			}
			if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
				t.Error(fmt.Errorf("%v: %w", precision, err))
			}
		}
	}
}

// TestBFloatsAreFaster: products are in parts only where matrices are known to be so fast that three products take less than one by multiply-adds.
func TestBFloatsAreFaster(t *testing.T) {
	for _, c := range []struct {
		device string
		parts  bool
	}{
		{"NVIDIA H200", true}, {"Intel Arc A770", true}, {"AMD Radeon RX 7900 XTX", false}, {"NVIDIA GeForce RTX 4090", false}, {"unknown", false},
	} {
		caps := lowertest.CooperativeTargets["mma"]
		caps.Machine = target.MachineOf(c.device, target.Discrete)
		_, reason := plan.Instruction(caps, plan.Dot{Elem: dtype.F32, M: 32, N: 32, K: 32})
		if (reason == "") != c.parts {
			t.Errorf("%s: %q", c.device, reason)
		}
	}
}
