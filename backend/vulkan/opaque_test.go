//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/cachedir"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// withoutFragments opens a device that does not know how the elements of its matrices are distributed.
func withoutFragments(t *testing.T) *weft.Device {
	t.Helper()
	t.Setenv(cachedir.Env, t.TempDir())
	t.Cleanup(matrices.Clear)
	matrices.Clear()
	d := withMatrices(t)
	rows := slices.Clone(d.Caps().Cooperative.Rows())
	for i := range rows {
		rows[i].Unknown = "a test"
		rows[i].FragmentA, rows[i].FragmentB, rows[i].FragmentC = target.Fragment{}, target.Fragment{}, target.Fragment{}
	}
	matrices.Range(func(device, _ any) bool {
		matrices.Store(device, target.CooperativeOf(rows...))
		return true
	})
	must(t, d.Close())
	dev, err := weft.Open("vulkan")
	must(t, err)
	return dev
}

// rescaled is a product whose sums are rescaled before each step, as attention does, and rounded in the end.
var rescaled = weft.NewKernel("rescaled", func(k *tile.Builder, _ int) {
	k.Schedule(tile.Schedule{Threads: 32})
	a, b, scale, out := k.In("a", dtype.F16, 2), k.In("b", dtype.F16, 2), k.In("scale", dtype.F32, 2), k.Out("out", dtype.F16, 2)
	row, column := k.TileID(k.CDiv(out.Dim(0), 32), k.CDiv(out.Dim(1), 16))
	acc := k.Var(k.Zeros(dtype.F32, 32, 16))
	for i := range k.Range(k.CDiv(a.Dim(1), 16)) {
		scaled := acc.Get().Mul(scale.Block(32, 1).Load(row, 0))
		acc.Set(tile.Dot(a.Block(32, 16).Load(row, i), b.Block(16, 16).Load(i, column), scaled, tile.Float32Accumulate))
	}
	out.Block(32, 16).Store(acc.Get().Maximum(0).Cast(dtype.F16), row, column)
})

// Matrices whose elements nobody knows multiply as well: sums are stored to shared memory as matrices, and loaded again.
func TestOpaqueMatrices(t *testing.T) {
	dev := withoutFragments(t)
	defer dev.Close()
	const m, n, depth = 40, 24, 48
	at := func(i, j int) float64 { return float64((i*7+j*3)%11-5) / 4 }
	tensor := func(e weft.DType, rows, columns int) *weft.Tensor {
		data := make([]float64, rows*columns)
		for i := range data {
			data[i] = at(i/columns, i%columns)
		}
		x, err := weft.FromFloats(dev, e, data, rows, columns)
		must(t, err)
		return x
	}
	a, b, scale, out := tensor(weft.F16, m, depth), tensor(weft.F16, depth, n), tensor(weft.F32, m, 1), tensor(weft.F16, m, n)
	e, err := rescaled.Explain(0, a, b, scale, out)
	must(t, err)
	if !strings.Contains(e.String(), "elements of opaque matrices") || strings.Count(e.Source, "OpCooperativeMatrixStoreKHR") < 2 {
		t.Errorf("%v\n%s", e, e.Source)
	}
	must(t, rescaled.Launch(0, a, b, scale, out))
	got, err := weft.ToFloats(out)
	must(t, err)
	for i := range m {
		for j := range n {
			sum := 0.0
			for k := range depth {
				if k%16 == 0 {
					sum *= at(i, 0)
				}
				sum += at(i, k) * at(k, j)
			}
			// the result is rounded to f16, and sums in f32 are far closer than that
			if want := max(sum, 0); math.Abs(want-got[i*n+j]) > 2*weft.F16.Epsilon()*max(1, want) {
				t.Fatalf("element %d, %d is %v, want %v", i, j, got[i*n+j], want)
			}
		}
	}
}
