package ops_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/target"
)

// packedWeights are weights [k,n] that nothing was written to, as Pack brings them into order.
func packedWeights(t *testing.T, dev *weft.Device, scheme ops.QuantScheme, n, k int) (plain, packed *ops.Quantized) {
	t.Helper()
	var tensors [2]*weft.Tensor
	for i, shape := range [][]int{{n, k * scheme.Bits / 8}, {n, k / scheme.Block[1]}} {
		var err error
		if tensors[i], err = weft.Empty(dev, []weft.DType{scheme.Stored(), weft.F32}[i], shape...); err != nil {
			t.Fatal(err)
		}
	}
	q, err := ops.NewQuantized(scheme, n, k, tensors[0], tensors[1], nil)
	if err != nil {
		t.Fatal(err)
	}
	if packed, err = q.T().Pack(); err != nil {
		t.Fatal(err)
	}
	return q.T(), packed
}

// Pack interleaves weights where the device has matrix instructions that take them so and blocks fit. A product of them takes one launch then: no kernel changes the order of its rows before. A few rows are
// copied to shared memory as they are and leave it as matrices, whose elements threads do not exchange.
func TestPackInterleaves(t *testing.T) {
	for _, c := range []struct {
		device string
		scheme ops.QuantScheme
		k      int
		block  int // 0 if Pack leaves integers in order
	}{
		{"h200", ops.QuantScheme{Bits: 4, Block: [2]int{1, 128}}, 4096, 128}, {"h200", ops.QuantScheme{Bits: 8, Block: [2]int{1, 4096}}, 4096, 64},
		{"a100", ops.QuantScheme{Bits: 4, Block: [2]int{1, 128}}, 4096, 128},
		{"h200", ops.QuantScheme{Bits: 4, Block: [2]int{1, 64}}, 4096, 0}, {"h200", ops.QuantScheme{Bits: 8, Block: [2]int{1, 4064}}, 4064, 0},
		{"webgpu", ops.QuantScheme{Bits: 4, Block: [2]int{1, 128}}, 4096, 0}, {"cpu", ops.QuantScheme{Bits: 4, Block: [2]int{1, 128}}, 4096, 0},
	} {
		preset, ok := target.PresetNamed(c.device)
		if !ok {
			t.Fatalf("no preset %s", c.device)
		}
		dev, record := offline.Open(c.device, preset.Caps)
		defer dev.Close()
		plain, packed := packedWeights(t, dev, c.scheme, 8192, c.k)
		if packed.Interleaved != c.block {
			t.Errorf("%s, %v, %d rows: blocks of %d, want %d", c.device, c.scheme, c.k, packed.Interleaved, c.block)
		}
		if told := strings.Contains(packed.String(), fmt.Sprintf("interleaved in blocks of %d", c.block)); told != (c.block > 0) {
			t.Errorf("%v, interleaved in blocks of %d", packed, c.block)
		}
		if c.block == 0 || c.device != "h200" {
			continue
		}
		for _, m := range []int{1, 2, 8, 12, 16, 32, 64, 128} {
			launched := func(w *ops.Quantized) []offline.Launch {
				t.Helper()
				record.Take()
				x, err := weft.Empty(dev, weft.F16, m, c.k)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := ops.QuantizedMatMul(x, w); err != nil {
					t.Fatal(err)
				}
				return record.Take()
			}
			list := launched(packed)
			if parts := []string{"matmul", "sum_parts"}; m == 32 || m == 64 && len(list) == len(parts) { // K in parts, and rows that nothing reorders
				if got := offline.Kernels(list); !slices.Equal(got, parts) {
					t.Errorf("%v of %d rows launches %v, want %v", c.scheme, m, got, parts)
				}
				continue
			}
			if len(list) != 1 || list[0].Kernel.Name != "matmul" {
				t.Errorf("%v of %d rows: %d launches, the first %s", c.scheme, m, len(list), list[0].Kernel.Name)
				continue
			}
			text := list[0].Artifact.Source.Text
			if rows, want := strings.Contains(text, "ldmatrix.sync"), m <= 16; rows != want {
				t.Errorf("%v of %d rows: rows leave shared memory as matrices: %v", c.scheme, m, rows)
			}
			if strings.Contains(text, "to_f32(*(const f16") {
				t.Errorf("%v of %d rows: rows are loaded as floats, which become words again", c.scheme, m)
			}
			if before := launched(plain); m <= 16 && (len(before) != 1 || strings.Contains(before[0].Artifact.Source.Text, "ldmatrix.sync")) {
				t.Errorf("%v of %d rows, whose weights are not interleaved: %d launches, or their rows leave shared memory as matrices", c.scheme, m, len(before))
			}
		}
	}
}

// Blocks that are not those of a scheme, or do not divide a matrix, are refused, and so is Quantize into a matrix that is interleaved. Nothing is written.
func TestInterleavedRefused(t *testing.T) {
	dev := openCPU(t)
	x, err := weft.Zeros(dev, weft.F32, 4, 256)
	if err != nil {
		t.Fatal(err)
	}
	q, err := ops.Quantize(x, ops.QuantScheme{Bits: 4, Block: [2]int{1, 128}})
	if err != nil {
		t.Fatal(err)
	}
	before, err := weft.ToFloats(q.Data)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		scheme func(s *ops.QuantScheme)
		block  int
		fits   bool
	}{
		{func(*ops.QuantScheme) {}, 128, true}, {func(*ops.QuantScheme) {}, 64, false}, {func(*ops.QuantScheme) {}, -128, false}, {func(*ops.QuantScheme) {}, 256, false},
		{func(s *ops.QuantScheme) { s.Block[1] = 64 }, 128, false},
	} {
		w := *q
		c.scheme(&w.QuantScheme)
		w.Interleaved = c.block
		if _, err := ops.Dequantize(&w, weft.F32); c.fits != (err == nil) || err != nil && !errors.Is(err, weft.ErrArgument) {
			t.Errorf("%v in blocks of %d: %v", w.QuantScheme, c.block, err)
		}
	}
	w := *q
	w.Interleaved = 128
	for i, elem := range []weft.DType{weft.F32, weft.F16} {
		ones, err := weft.Full(dev, elem, 1, 4, 256)
		if err != nil {
			t.Fatal(err)
		}
		if err := ops.QuantizeInto(&w, ones); !errors.Is(err, weft.ErrUnsupported) {
			t.Errorf("%d: quantised into a matrix that is interleaved: %v", i, err)
		}
	}
	if after, err := weft.ToFloats(q.Data); err != nil || !slices.Equal(before, after) {
		t.Errorf("%v became %v: %v", before, after, err)
	}
}

// A config is for weights in one order: blocks are those in which they are interleaved, and threads exchange no bytes of them.
func TestInterleavedConfigs(t *testing.T) {
	preset, _ := target.PresetNamed("h200")
	weights := transposedGroups(128)
	weights.Interleaved = 128
	p := kernels.QuantizedProblem{Elem: weft.F16, A: kernels.MatrixView(64, 1024, 1), N: 1024, Weights: weights}
	for i, cfg := range append(p.List(preset.Caps), p.Rule(preset.Caps)) {
		if cfg.Interleave != 0 && cfg.Interleave != 128 || cfg.InOrder || cfg.ReordersBefore() {
			t.Errorf("config %d: %+v", i, cfg)
		}
		if cfg.Interleave == 0 {
			continue
		}
		for name, change := range map[string]func(cfg *kernels.MatMulConfig){
			"bytes exchanged": func(cfg *kernels.MatMulConfig) { cfg.InOrder = true }, "shorter blocks": func(cfg *kernels.MatMulConfig) { cfg.Interleave = 64 },
		} {
			wrong := cfg
			change(&wrong)
			if err := wrong.CheckInterleave(1024); err == nil {
				t.Errorf("%s: %+v is legal", name, wrong)
			}
		}
	}
}
