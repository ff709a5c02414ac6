package tune

import (
	"testing"

	"github.com/weftgpu/weft/target"
)

func TestWhy(t *testing.T) {
	preset := func(name string) Model {
		p, ok := target.PresetNamed(name)
		if !ok {
			t.Fatalf("no preset %q", name)
		}
		return ModelFor(p.Caps)
	}
	h200, cpu := preset("h200"), preset("cpu")
	good := Work{Programs: 1320, Threads: 1024, Memory: 1e9, Cache: 2e9, Staged: 1e9, Flops: 1e9, Access: 16}
	for _, c := range []struct {
		m    Model
		bad  func(w *Work)
		want string
	}{
		{h200, func(*Work) {}, ""},
		{h200, func(w *Work) { w.Memory *= 1.1 }, ""},
		{h200, func(w *Work) { w.Memory *= 1.8 }, "1.8× the bytes from memory"},
		{h200, func(w *Work) { w.Cache *= 3; w.Flops *= 1.5; w.Staged *= 2 }, "3× the bytes from the second-level cache, 2× the bytes through shared memory"},
		{h200, func(w *Work) { w.Programs = 64 }, "64 workgroups for 132 compute units"},
		{h200, func(w *Work) { w.Programs = 264 + 32 }, "1 wave and 12 % of the next"},
		{cpu, func(w *Work) { w.Programs = 1 }, ""},
		{h200, func(w *Work) { w.Shared = 200 << 10 }, "workgroups a compute unit has room for: 1, not 2"},
		{h200, func(w *Work) { w.Access = 4 }, "accesses of 4 bytes, not 16"},
		{h200, func(w *Work) { w.Passes = 2 }, "2 launches, not 1"},
	} {
		w := good
		if c.bad(&w); c.m.why(w, good) != c.want {
			t.Errorf("%+v: %q, want %q", w, c.m.why(w, good), c.want)
		}
	}
}
