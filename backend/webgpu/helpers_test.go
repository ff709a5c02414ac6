//go:build cgo || js

package webgpu

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/target"
)

// forEach runs a test on every adapter of this machine, each with a device of its own.
func forEach(t *testing.T, test func(t *testing.T, d backend.Device)) {
	t.Helper()
	ran := false
	for _, c := range (driver{}).Candidates() {
		if c.Refused != nil {
			continue
		}
		ran = true
		t.Run(fmt.Sprintf("%d", c.Index), func(t *testing.T) {
			d, err := c.Open()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { must(t, d.Close()) }()
			test(t, d)
		})
	}
	if !ran {
		testenv.Skip(t, "webgpu", (driver{}).Candidates()[0].Refused.Error())
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newBuffer(t testing.TB, d backend.Device, bytes int) backend.Buffer {
	t.Helper()
	b, err := d.NewBuffer(int64(bytes))
	must(t, err)
	return b
}

func load(t testing.TB, d backend.Device, src backend.Source) backend.Program {
	t.Helper()
	text, err := d.Compile(src)
	must(t, err)
	p, err := d.Load(src, text)
	must(t, err)
	return p
}

func words(values ...uint32) []byte {
	var b []byte
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

// addSource adds k*x to y for the first n words.
var addSource = backend.Source{
	Language: target.WGSL,
	Entry:    "add",
	Bindings: []backend.Binding{{Name: "x", Access: backend.Read}, {Name: "y", Access: backend.ReadWrite}},
	Words:    2,
	Threads:  64,
	Text: `
struct Scalars { n: u32, k: u32 }
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@group(0) @binding(2) var<uniform> s: Scalars;
@compute @workgroup_size(64)
fn add(@builtin(global_invocation_id) id: vec3u) {
	if (id.x < s.n) { y[id.x] += s.k * x[id.x]; }
}`,
}

// stepSource turns every word v of y into 3v + 1, in one thread per word, and has no scalars.
var stepSource = backend.Source{
	Language: target.WGSL,
	Entry:    "step",
	Bindings: []backend.Binding{{Name: "y", Access: backend.ReadWrite}},
	Threads:  64,
	Text: `
@group(0) @binding(0) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(64)
fn step(@builtin(global_invocation_id) id: vec3u) {
	if (id.x < arrayLength(&y)) { y[id.x] = 3 * y[id.x] + 1; }
}`,
}

func launch(s backend.Stream, p backend.Program, groups int, words []uint32, buffers ...backend.Buffer) error {
	return s.Launch(p, backend.Launch{Grid: [3]int{groups, 1, 1}, Buffers: buffers, Words: words})
}
