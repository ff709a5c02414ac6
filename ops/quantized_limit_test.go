package ops_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/target"
)

// Products with weights of few bits compile within 16 KiB of shared memory, whatever their shape: a loop is not split where its copies would need more than it alone.
func TestQuantizedFitsSharedMemory(t *testing.T) {
	preset, ok := target.PresetNamed("webgpu")
	if !ok {
		t.Fatal("no preset")
	}
	dev, record := offline.Open("webgpu", preset.Caps)
	defer dev.Close()
	rng, whole := rand.New(rand.NewPCG(16, 1024)), 0
	shapes := [][3]int{{40, 99, 640}} // whose loop of whole steps and its rest need 17 KiB together
	for range 24 {
		shapes = append(shapes, [3]int{1 + rng.IntN(200), 1 + rng.IntN(300), 2 + 2*rng.IntN(400)})
	}
	for _, c := range shapes {
		m, n, k := c[0], c[1], c[2]
		var tensors []*weft.Tensor
		for _, o := range []struct {
			elem       weft.DType
			rows, cols int
		}{{weft.F16, m, k}, {weft.U8, n, k / 2}, {weft.F32, n, 1}, {weft.U8, n, 1}} {
			x, err := weft.Empty(dev, o.elem, o.rows, o.cols)
			if err != nil {
				t.Fatal(err)
			}
			tensors = append(tensors, x)
		}
		w, err := ops.NewQuantized(ops.QuantScheme{Bits: 4, Asymmetric: true, Block: [2]int{1, 0}}, n, k, tensors[1], tensors[2], tensors[3])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ops.QuantizedMatMul(tensors[0], w.T()); err != nil {
			t.Errorf("%d×%d×%d: %v", m, n, k, err)
		}
		for _, l := range record.Take() {
			if l.Artifact.Source.Shared > preset.Caps.SharedBytes {
				t.Errorf("%d×%d×%d: %s has %d bytes of shared memory", m, n, k, l.Kernel.Name, l.Artifact.Source.Shared)
			}
			if slices.ContainsFunc(l.Artifact.Notes, func(note string) bool { return strings.HasPrefix(note, "no loop is split at edges") }) {
				whole++
			}
		}
	}
	if whole == 0 {
		t.Error("no loop was left whole")
	}
}

// Products whose programs compute strips of columns fit the shared memory of every GPU that the rule takes them for, with and without zero points and groups.
func TestStripsFitSharedMemory(t *testing.T) {
	rng := rand.New(rand.NewPCG(48, 3))
	for _, preset := range target.Presets() {
		if preset.Caps.Language != target.CUDA || !preset.Caps.AsyncCopy {
			continue
		}
		dev, record := offline.Open("cuda", preset.Caps)
		units, strips := preset.Caps.Facts().Units, 0
		for _, scheme := range []ops.QuantScheme{
			{Bits: 4, Block: [2]int{1, 128}}, {Bits: 4, Asymmetric: true, Block: [2]int{1, 128}}, {Bits: 4, Block: [2]int{1, 0}},
			{Bits: 8, Block: [2]int{1, 0}}, {Bits: 8, Asymmetric: true, Block: [2]int{1, 0}}, {Bits: 8, Block: [2]int{1, 64}},
		} {
			m, n, k := 17+rng.IntN(16), 32*units+1+rng.IntN(16*units), 128*(32+rng.IntN(64))
			w := interleavedZeros(t, dev, scheme, n, k)
			x, err := weft.Empty(dev, weft.F16, m, k)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := ops.QuantizedMatMul(x, w.T()); err != nil {
				t.Errorf("%s: %d×%d×%d of %v: %v", preset.Name, m, n, k, scheme, err)
			}
			for _, l := range record.Take() {
				if l.Artifact.Source.Shared > preset.Caps.SharedBytes {
					t.Errorf("%s: %d×%d×%d of %v has %d bytes of shared memory", preset.Name, m, n, k, scheme, l.Artifact.Source.Shared)
				}
				if cfg, ok := l.Kernel.Config.(ops.MatMulConfig); ok && cfg.Strips > 1 {
					strips++
				}
			}
		}
		t.Logf("%s: %d of 6 products in strips", preset.Name, strips)
		if preset.Name == "h200" && strips == 0 {
			t.Error("no product in strips")
		}
		dev.Close()
	}
}

// interleavedZeros is a matrix [n,k] whose integers are interleaved.
func interleavedZeros(t *testing.T, dev *weft.Device, scheme ops.QuantScheme, n, k int) *ops.Quantized {
	t.Helper()
	w := &ops.Quantized{QuantScheme: scheme, Shape: [2]int{n, k}, Packed: 1, Interleaved: 512 / scheme.Bits}
	empty := func(elem weft.DType, shape ...int) *weft.Tensor {
		x, err := weft.Empty(dev, elem, shape...)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	elem := weft.I8
	if scheme.Asymmetric || scheme.Bits == 4 {
		elem = weft.U8
	}
	scales := scheme.ScalesShape(w.Shape)
	w.Data, w.Scales = empty(elem, n, k*scheme.Bits/8), empty(weft.F32, scales[:]...)
	if scheme.Asymmetric {
		w.Zeros = empty(weft.U8, scales[:]...)
	}
	return w
}
