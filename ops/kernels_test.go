package ops

import (
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/elementwise"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
)

var testCaps = map[string]target.Caps{
	"cpu":    {Language: target.TileIR, WholeTiles: true},
	"wgsl":   {Language: target.WGSL, MaxThreads: 256, SharedBytes: 16 << 10},
	"cuda":   {Language: target.CUDA, MaxThreads: 1024, SharedBytes: 48 << 10, Machine: target.MachineOf("NVIDIA H200", target.Discrete)},
	"matrix": target.Caps{Language: target.CUDA, MaxThreads: 1024, SharedBytes: 227 << 10, Registers: 255, Machine: target.MachineOf("NVIDIA H200", target.Discrete)}.WithCapability(90),
}

// Whatever the shape, the launch rules give configs that build and cover it, within
// the device's limits.
func TestConfigsBuild(t *testing.T) {
	sizes := []int{1, 2, 3, 17, 64, 100, 1023, 4096, 8193, 100_000}
	for name, caps := range testCaps {
		for _, elem := range []weft.DType{weft.F32, weft.F16, weft.BF16} {
			for _, m := range sizes {
				for _, n := range sizes {
					dense, err := layout.Contiguous(m, n)
					if err != nil {
						t.Fatal(err)
					}
					checkConfigs(t, name, caps, elem, dense)
				}
			}
		}
	}
}

func checkConfigs(t *testing.T, name string, caps target.Caps, elem weft.DType, l layout.Layout) {
	t.Helper()
	m, n := l.Size(0), l.Size(1)
	mm := kernels.MatMulConfigFor(caps, elem, m, n, max(m, n))
	if _, err := kernels.MatMul.Build(mm); err != nil {
		t.Errorf("%s: matmul %v: %+v: %v", name, l, mm, err)
	}
	if !mm.RowByRow && !mm.FitsShared(caps) || caps.MaxThreads > 0 && mm.Threads > caps.MaxThreads {
		t.Errorf("%s: matmul %v: %+v is beyond the limits", name, l, mm)
	}
	sm, online := kernels.SoftmaxConfigFor(caps, elem, l)
	kernel := kernels.Softmax
	if online {
		kernel = kernels.SoftmaxOnline
	} else if sm.Cols+sm.Rest < n {
		t.Errorf("%s: softmax %v: %+v does not hold a row", name, l, sm)
	}
	if _, err := kernel.Build(sm); err != nil {
		t.Errorf("%s: softmax %v: %+v: %v", name, l, sm, err)
	}
	for _, second := range []layout.Layout{l, transposed(t, l)} {
		add := elementwise.ConfigFor(caps, elem, elem, l, second, l)
		if _, err := AddMap.Kernel.Build(add); err != nil {
			t.Errorf("%s: add %v: %+v: %v", name, l, add, err)
		}
	}
}

// transposed is a layout of l's shape with columns in runs.
func transposed(t *testing.T, l layout.Layout) layout.Layout {
	u, err := layout.Contiguous(l.Size(1), l.Size(0))
	if err != nil {
		t.Fatal(err)
	}
	return u.Transpose()
}

// A problem that could fill a GPU does not get so few programs that more than a tenth of it is idle.
func TestMatMulFillsTheMachine(t *testing.T) {
	for _, c := range []struct{ m, n, least int }{{4096, 4096, 1024}, {1024, 1024, 119}, {512, 512, 119}, {1, 4096, 32}} {
		cfg := kernels.MatMulConfigFor(testCaps["cuda"], weft.F32, c.m, c.n, 1024)
		if got := kernels.CeilDiv(c.m, cfg.BM) * kernels.CeilDiv(c.n, cfg.BN) * max(cfg.SplitK, 1); got < c.least {
			t.Errorf("%dx%d: %d programs of %dx%d, want %d at least", c.m, c.n, got, cfg.BM, cfg.BN, c.least)
		}
	}
}

// A long reduction with a result of few tiles is shared; others are not, and no part is too short to pay.
func TestMatMulSplitsLongReductions(t *testing.T) {
	for _, c := range []struct {
		m, n, k int
		want    bool
	}{
		{64, 64, 1 << 16, true}, {1, 128, 1 << 15, true}, {200, 100, 1 << 15, true},
		{4096, 4096, 4096, false}, {64, 64, 1023, true}, {64, 64, 63, false}, {0, 64, 1 << 16, false}, {2048, 2048, 1 << 16, false}, {8, 8, 0, false},
	} {
		for _, name := range []string{"wgsl", "cuda"} {
			cfg := kernels.MatMulConfigFor(testCaps[name], weft.F32, c.m, c.n, c.k)
			if (cfg.SplitK > 1) != c.want {
				t.Errorf("%s: %+v: split into %d", name, c, cfg.SplitK)
			}
			tiles := kernels.CeilDiv(c.m, max(cfg.BM, 1)) * kernels.CeilDiv(c.n, max(cfg.BN, 1))
			if cfg.SplitK > 1 && (cfg.SplitK*tiles > 8*132 || c.k/cfg.SplitK < 2*cfg.BK) {
				t.Errorf("%s: %+v: %d parts of %d tiles", name, c, cfg.SplitK, tiles)
			}
		}
	}
}

// A workgroup's sums of matrix instructions fill its registers before its threads are at their limit of sums.
func TestMatMulRegisters(t *testing.T) {
	h200, _ := target.PresetNamed("h200")
	tiles := kernels.MatMulConfigFor(h200.Caps, weft.F16, 4096, 4096, 4096)
	for _, c := range []struct {
		bm, bn, threads int
		legal           bool
	}{{256, 256, 512, false}, {256, 256, 256, false}, {256, 128, 512, true}, {128, 256, 256, true}} {
		cfg := tiles
		cfg.BM, cfg.BN, cfg.Threads, cfg.Stages = c.bm, c.bn, c.threads, 2
		if err := cfg.Legal(h200.Caps, 4096); (err == nil) != c.legal {
			t.Errorf("%d×%d sums in %d threads: %v", c.bm, c.bn, c.threads, err)
		}
	}
}
