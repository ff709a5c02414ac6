package lower

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Each choice of a vector width says what stood against a wider one.
func TestNotesGiveTheReason(t *testing.T) {
	k := axistest.Build(t, "copy", func(k *tile.Builder) {
		x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.F32, 2)
		y.Block(16, 64).Store(x.Block(16, 64).Load(0, 0), 0, 0)
	})
	for _, c := range []struct {
		name string
		x    layout.Layout
		want string
	}{
		{"aligned", axistest.Strided(t, []int{64, 64}, []int{64, 1}, 0), "x by vectors of 4 f32"},
		{"offset", axistest.Strided(t, []int{64, 64}, []int{64, 1}, 2), "x by vectors of 2 f32: offset known to be a multiple of 2"},
		{"size", axistest.Strided(t, []int{64, 63}, []int{64, 1}, 0), "x by vectors of 1 f32: size of dimension 1 known to be a multiple of 1"},
		{"stride", axistest.Strided(t, []int{64, 64}, []int{66, 1}, 0), "x by vectors of 2 f32: stride of dimension 0 known to be a multiple of 2"},
		{"no unit stride", axistest.Strided(t, []int{64, 64}, []int{128, 2}, 0), "x by vectors of 1 f32: no dimension of the block has stride 1"},
	} {
		y := axistest.Strided(t, []int{64, 64}, []int{64, 1}, 0)
		r, err := Lower(k, axis.FactsOf([]layout.Layout{c.x, y}, []int{0, 1}), lowertest.Targets["shuffles"])
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
	threads := axistest.Build(t, "threads", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 512})
		y := k.Out("y", dtype.F32, 1)
		y.Block(8).Store(k.Zeros(dtype.F32, 8), 0)
	})
	if _, err := Lower(threads, axis.Generic(threads), target.Caps{Language: target.WGSL, MaxThreads: 256}); !errors.Is(err, fault.ErrLimit) {
		t.Errorf("512 threads of 256: %v", err)
	}
	_, err := Lower(threads, axis.Generic(threads), target.Caps{Language: target.WGSL, MaxThreads: 512, MaxBindings: 0, SharedBytes: 1})
	if err != nil {
		t.Errorf("no shared memory of 1 byte: %v", err)
	}
	pair := axistest.Build(t, "pair", func(k *tile.Builder) {
		x, y := k.In("x", dtype.F32, 1), k.Out("y", dtype.F32, 1)
		y.Block(8).Store(x.Block(8).Load(0), 0)
	})
	checkLimit(t, pair, target.Caps{Language: target.CUDA, MaxBindings: 1}, "lower/notes_test.go:", "needs 2 storage buffers, the device has 1")
	shared := axistest.Build(t, "shared", func(k *tile.Builder) {
		x, y := k.InOut("x", dtype.F32, 2).Block(64, 32), k.InOut("y", dtype.F32, 2).Block(64, 64)
		a := x.Load(0, 0)
		d := tile.Dot(a, a.Transpose(), k.Zeros(dtype.F32, 64, 64), tile.IEEE)
		y.Store(d.Add(d.Max(0)), 0, 0)
	})
	checkLimit(t, shared, target.Caps{Language: target.WGSL, MaxThreads: 256, SharedBytes: 8 << 10}, "lower/notes_test.go:",
		"bytes of shared memory, the device has 8192: 8192 for operand a of the product", "8192 for operand b of the product", "partial results of reduce.max (lower/notes_test.go:")
}

// checkLimit checks that a kernel is beyond a device's limits, and what the error says.
func checkLimit(t *testing.T, k *tile.Func, caps target.Caps, want ...string) {
	t.Helper()
	_, err := Lower(k, axis.Generic(k), caps)
	if !errors.Is(err, fault.ErrLimit) {
		t.Fatalf("%s: %v", k.Name, err)
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: %v, want %q", k.Name, err, w)
		}
	}
}

// A kernel whose threads hold more than they have registers for says so, once: where the largest value is made, and what to do.
func TestNotesOfRegisters(t *testing.T) {
	pos := ""
	describe := func(columns, threads int) func(k *tile.Builder) {
		return func(k *tile.Builder) {
			x, y := k.In("x", dtype.F32, 1), k.Out("y", dtype.F32, 1)
			k.Schedule(tile.Schedule{Threads: threads})
			v := x.Block(columns).Load(0)
			pos = v.Op().Pos.String()
			y.Block(1).Store(v.Max(0), 0)
		}
	}
	carried := func(k *tile.Builder) {
		x, y := k.In("x", dtype.F32, 1), k.Out("y", dtype.F32, 1)
		k.Schedule(tile.Schedule{Threads: 64})
		small, large := x.Block(1024).Load(0), x.Block(4096).Load(0)
		a, b := k.Var(small), k.Var(large)
		pos = large.Op().Pos.String()
		for i := range k.Range(y.Dim(0)) {
			a.Set(a.Get().Add(x.Block(1024).Load(i)))
			b.Set(b.Get().Mul(x.Block(4096).Load(i)))
		}
		y.Block(1).Store(a.Get().Max(0).Add(b.Get().Max(0)), 0)
	}
	for _, c := range []struct {
		name      string
		describe  func(k *tile.Builder)
		registers int
		want      string
	}{
		{"fits", describe(1024, 64), 16, ""},
		{"too wide", describe(2048, 64), 16, "load: a thread needs 32 registers for f32[2048], but it has 16, so that the rest is spilled to memory: take smaller tiles or more threads than 64"},
		{"no more threads", describe(8192, 256), 16, "load: a thread needs 32 registers for f32[8192], but it has 16, so that the rest is spilled to memory: take smaller tiles"},
		{"not known", describe(8192, 64), 0, ""},
		{"two that fit alone", carried, 72, "load: a thread needs 64 registers for f32[4096] and 16 for what else a loop carries, but it has 72, so that the rest is spilled to memory: take smaller tiles or more threads than 64"},
		{"two that fit", carried, 80, ""},
	} {
		k := axistest.Build(t, "registers", c.describe)
		r, err := Lower(k, axis.Generic(k), target.Caps{Language: target.WGSL, MaxThreads: 256, Registers: c.registers})
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, n := range r.Notes {
			if strings.Contains(n, "spilled") {
				found = append(found, n)
			}
		}
		want := []string(nil)
		if c.want != "" {
			want = []string{pos + ": " + c.want}
		}
		if !slices.Equal(found, want) {
			t.Errorf("%s: %q\nwant %q", c.name, found, want)
		}
	}
}
