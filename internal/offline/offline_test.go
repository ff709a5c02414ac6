package offline_test

import (
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/offline"
	_ "github.com/weftgpu/weft/internal/testenv" // has passes verified
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/target"
)

func open(t *testing.T, name string) (*weft.Device, *offline.Device) {
	t.Helper()
	p, ok := target.PresetNamed(name)
	if !ok {
		t.Fatalf("no preset %s", name)
	}
	dev, record := offline.Open(p.Name, p.Caps)
	t.Cleanup(func() { dev.Close() })
	return dev, record
}

func empty(t *testing.T, dev *weft.Device, shape ...int) *weft.Tensor {
	t.Helper()
	x, err := weft.Empty(dev, weft.F32, shape...)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// The same launch is written down each time, not only when it is compiled.
func TestLaunchesAreWrittenDown(t *testing.T) {
	dev, record := open(t, "h200")
	x, w, y := empty(t, dev, 300, 20), empty(t, dev, 100, 20), empty(t, dev, 300, 100)
	for range 2 {
		if err := ops.MatMulInto(y, x, w.T()); err != nil {
			t.Fatal(err)
		}
	}
	list := record.Take()
	if len(list) != 2 || len(record.Take()) != 0 {
		t.Fatalf("%d launches, want 2 and then none", len(list))
	}
	for _, l := range list {
		cfg, ok := l.Kernel.Config.(ops.MatMulConfig)
		if !ok || cfg.BM == 0 {
			t.Errorf("config %#v", l.Kernel.Config)
		}
		if !strings.Contains(l.Artifact.Source.Text, "__global__") || len(l.Artifact.Notes) == 0 || l.Artifact.SimtIR() == "" {
			t.Error("no source, notes or simt IR")
		}
		if l.Grid[0]*l.Grid[1]*l.Grid[2] < l.Programs[0]*l.Programs[1]*l.Programs[2] || l.Programs[0] == 0 {
			t.Errorf("grid %v for %v programs", l.Grid, l.Programs)
		}
		if len(l.Buffers) != 3 || len(l.Args) != 3 || len(l.Words) != len(l.Artifact.Words()) || len(l.Words) != l.Artifact.Source.Words {
			t.Errorf("%d buffers, %d arguments, %d words of %d", len(l.Buffers), len(l.Args), len(l.Words), l.Artifact.Source.Words)
		}
		if s := l.Args[1].Layout.Strides(); s[0] != 1 || s[1] != 20 || len(l.Facts.Views) != 3 {
			t.Errorf("w.T() has strides %v", s)
		}
	}
}

// An op of several kernels leaves several launches, with its workspace between them.
func TestSeveralKernels(t *testing.T) {
	dev, record := open(t, "h200")
	if _, err := ops.Sum(empty(t, dev, 1<<26)); err != nil {
		t.Fatal(err)
	}
	list := record.Take()
	if len(list) != 2 || list[0].Buffers[1] != list[1].Buffers[0] {
		t.Errorf("%d launches, want 2 that share a buffer", len(list))
	}
}

func TestRefusals(t *testing.T) {
	dev, record := open(t, "webgpu")
	if _, err := weft.Empty(dev, weft.F32, 1<<30); !errors.Is(err, weft.ErrLimit) {
		t.Errorf("4 GiB: %v", err)
	}
	half := empty(t, dev, 1<<26-1)
	if _, err := ops.Exp(half); !errors.Is(err, weft.ErrLimit) || len(record.Take()) != 0 {
		t.Errorf("a binding beyond the limit: %v", err)
	}
	x := empty(t, dev, 10)
	if _, err := weft.ToSlice[float32](x); !errors.Is(err, weft.ErrUnsupported) {
		t.Errorf("download: %v", err)
	}
	long, err := weft.Empty(dev, weft.I64, 10)
	if err == nil {
		_, err = ops.Max(long)
	}
	if !errors.Is(err, weft.ErrUnsupported) {
		t.Errorf("integers of 64 bits: %v", err)
	}
	dev.Close()
	if err := ops.ExpInto(x, x); !errors.Is(err, weft.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

// Presets have names of their own and limits that kernels can live within.
func TestPresets(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range target.Presets() {
		if seen[p.Name] || p.Name == "" || p.About == "" || seen[p.Caps.Fingerprint] {
			t.Errorf("preset %+v", p)
		}
		seen[p.Name], seen[p.Caps.Fingerprint] = true, true
		if c := p.Caps; !c.WholeTiles && (c.MaxThreads < 128 || c.SharedBytes < 16<<10 || c.MaxGrid[2] < 65535 || c.MaxGrid[0] > math.MaxInt32) {
			t.Errorf("%s: %+v", p.Name, c)
		}
		if (p.Caps.Language == target.CUDA) != (p.Caps.Arch != "") {
			t.Errorf("%s: architecture %q", p.Name, p.Caps.Arch)
		}
	}
	if _, ok := target.PresetNamed("h2oo"); ok {
		t.Error("found a preset that is not there")
	}
}

// Nothing of an offline device is kept on disk, and nothing that a real one left is taken for its own: what
// is read there lacks the stages, and what would be written is no binary.
func TestNoDisk(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("WEFT_CACHE", dir)
	for range 2 {
		dev, record := open(t, "vulkan-nvidia")
		if _, err := ops.Exp(empty(t, dev, 100)); err != nil {
			t.Fatal(err)
		}
		if l := record.Take()[0]; l.Artifact.Source.Text == "" || l.Artifact.TileIR == "" {
			t.Error("the stages are missing")
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("the cache holds %v, %v", files, err)
	}
}

// Buffers are counted, and none serves twice.
func TestNumbers(t *testing.T) {
	dev, record := open(t, "h200")
	x := empty(t, dev, 1<<26)
	for range 2 {
		if _, err := ops.Sum(x); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[int]bool{}
	for i, l := range record.Take() {
		for _, b := range l.Buffers {
			n := offline.Number(b)
			if n < 0 || i >= 2 && n != 0 && n < 3 {
				t.Errorf("launch %d has buffer %d", i, n)
			}
			seen[n] = true
		}
	}
	if len(seen) != 5 { // x, and a result and a workspace each time
		t.Errorf("buffers %v", seen)
	}
}
