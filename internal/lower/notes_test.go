package lower

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Each choice of a vector width says what stood against a wider one.
func TestNotesGiveTheReason(t *testing.T) {
	k := mustBuild(t, "copy", func(k *tile.Builder) {
		x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.F32, 2)
		y.Block(16, 64).Store(x.Block(16, 64).Load(0, 0), 0, 0)
	})
	for _, c := range []struct {
		name string
		x    layout.Layout
		want string
	}{
		{"aligned", strided(t, []int{64, 64}, []int{64, 1}, 0), "x by vectors of 4 f32"},
		{"offset", strided(t, []int{64, 64}, []int{64, 1}, 2), "x by vectors of 2 f32: offset known to be a multiple of 2"},
		{"size", strided(t, []int{64, 63}, []int{64, 1}, 0), "x by vectors of 1 f32: size of dimension 1 known to be a multiple of 1"},
		{"stride", strided(t, []int{64, 64}, []int{66, 1}, 0), "x by vectors of 2 f32: stride of dimension 0 known to be a multiple of 2"},
		{"no unit stride", strided(t, []int{64, 64}, []int{128, 2}, 0), "x by vectors of 1 f32: no dimension of the block has stride 1"},
	} {
		y := strided(t, []int{64, 64}, []int{64, 1}, 0)
		r, err := Lower(k, FactsOf([]layout.Layout{c.x, y}, []int{0, 1}), targets["shuffles"])
		if err != nil {
			t.Fatal(err)
		}
		found := slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "notes_test.go:") && strings.HasSuffix(n, c.want) })
		if !found {
			t.Errorf("%s: %q, want the line and %q", c.name, r.Notes, c.want)
		}
	}
}

func TestLimits(t *testing.T) {
	threads := mustBuild(t, "threads", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 512})
		y := k.Out("y", dtype.F32, 1)
		y.Block(8).Store(k.Zeros(dtype.F32, 8), 0)
	})
	if _, err := Lower(threads, Generic(threads), target.Caps{Language: target.WGSL, MaxThreads: 256}); !errors.Is(err, fault.ErrLimit) {
		t.Errorf("512 threads of 256: %v", err)
	}
	shared := mustBuild(t, "shared", func(k *tile.Builder) {
		y := k.InOut("y", dtype.F32, 2).Block(64, 64)
		y.Store(tile.Dot(y.Load(0, 0), y.Load(0, 0), k.Zeros(dtype.F32, 64, 64), tile.IEEE), 0, 0)
	})
	_, err := Lower(shared, Generic(shared), target.Caps{Language: target.WGSL, MaxThreads: 256, SharedBytes: 16 << 10})
	if !errors.Is(err, fault.ErrLimit) || !strings.Contains(err.Error(), "32768") {
		t.Errorf("32 KiB of 16: %v", err)
	}
}
