//go:build cgo && !js

package webgpu

import (
	"testing"
	"time"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/target"
)

// turnSource takes n steps, each of which needs the one before.
var turnSource = backend.Source{
	Language: target.WGSL,
	Entry:    "turn",
	Bindings: []backend.Binding{{Name: "y", Access: backend.ReadWrite}},
	Words:    1,
	Threads:  1,
	Text: `
struct Scalars { n: u32 }
@group(0) @binding(0) var<storage, read_write> y: array<u32>;
@group(0) @binding(1) var<uniform> s: Scalars;
@compute @workgroup_size(1)
fn turn() {
	var v = y[0];
	for (var i = 0u; i < s.n; i++) { v = v * 1664525u + 1013904223u; }
	y[0] = v;
}
`,
}

// A wait ends when the work does, also of kernels that take longer than the library's own waits.
func TestLongKernel(t *testing.T) {
	forEach(t, func(t *testing.T, d backend.Device) {
		if d.Info().Kind != backend.Software {
			t.Skip("the drivers of GPUs end kernels that take so long")
		}
		y, p := newBuffer(t, d, 4), load(t, d, turnSource)
		run := func(n uint32) time.Duration {
			start := time.Now()
			must(t, d.Stream().Launch(p, backend.Launch{Grid: [3]int{1, 1, 1}, Buffers: []backend.Buffer{y}, Words: []uint32{n}}))
			must(t, d.Stream().Synchronize())
			return time.Since(start)
		}
		n := uint32(1 << 20)
		run(n) // compiles
		took := run(n)
		for took < 200*time.Millisecond {
			n *= 2
			took = run(n)
		}
		run(uint32(float64(n) * float64(7*time.Second) / float64(took)))
		if rest := run(1); rest > time.Second {
			t.Errorf("the next kernel waited %v for one that had been waited for", rest)
		}
	})
}
