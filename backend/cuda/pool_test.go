//go:build linux && (amd64 || arm64)

package cuda

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/pool"
)

// Buffers that come back from the pool serve after the work in flight on them, at the length asked for, and cost
// the driver nothing. The fake driver puts all work off until it is waited for.
func TestBuffersServeAgain(t *testing.T) {
	f := newFake(t)
	dev := f.open(t)
	p := pool.New(dev, 1<<20)
	prog, err := dev.Load(testSource("vadd"), fakeCubin())
	if err != nil {
		t.Fatal(err)
	}
	get := func(bytes int64) backend.Buffer {
		b, err := p.Get(bytes)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	ones := []byte{0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x3f}
	var live int64
	for round := range 10 {
		a, b, out := get(8), get(16), get(int64(8+round))
		if round == 1 {
			live = f.value(fakeLiveBytes)
		}
		for _, x := range []backend.Buffer{a, b} {
			if err := x.Upload(0, ones); err != nil {
				t.Fatal(err)
			}
		}
		if err := dev.Stream().Launch(prog, backend.Launch{Grid: [3]int{1, 1, 1}, Buffers: []backend.Buffer{a, b, out}, Words: []uint32{2}}); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(p.Put(a), p.Put(b)); err != nil {
			t.Fatal(err)
		}
		again := get(4) // a's or b's memory, which the kernel has yet to read
		if err := again.Upload(0, []byte{9, 9, 9, 9}); err != nil {
			t.Fatal(err)
		}
		if err := again.Upload(4, []byte{1}); !errors.Is(err, fault.ErrShape) {
			t.Errorf("an upload beyond the length asked for: %v", err)
		}
		sum := make([]byte, 8)
		if err := out.Download(0, sum); err != nil {
			t.Fatal(err)
		}
		if got := binary.LittleEndian.Uint64(sum); got != 0x40000000_40000000 {
			t.Fatalf("round %d: 1+1 is %x", round, got)
		}
		if err := errors.Join(p.Put(again), p.Put(out)); err != nil {
			t.Fatal(err)
		}
	}
	if got := f.value(fakeLiveBytes); live == 0 || got != live {
		t.Errorf("the driver holds %d bytes, %d in the first rounds", got, live)
	}
	if p.Trim(); f.value(fakeLiveBytes) != 0 {
		if err := dev.Stream().Synchronize(); err != nil || f.value(fakeLiveBytes) != 0 {
			t.Errorf("%d bytes are leaked, %v", f.value(fakeLiveBytes), err)
		}
	}
}
