//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

import (
	"bytes"
	"math/rand/v2"
	"testing"

	vk "github.com/goki/vulkan"

	"github.com/weftgpu/weft/fault"
)

// TestBlock takes and gives at random: places never overlap, keep their
// alignment, and nothing is lost.
func TestBlock(t *testing.T) {
	const size = 1 << 14
	rng := rand.New(rand.NewPCG(5, 6))
	for range 8 {
		b := &block{bytes: size, free: []span{{0, size}}}
		var live []span
		for range 400 {
			if len(live) > 0 && rng.IntN(5) < 2 {
				i := rng.IntN(len(live))
				b.give(live[i])
				live[i] = live[len(live)-1]
				live = live[:len(live)-1]
			} else {
				align := vk.DeviceSize(1) << rng.IntN(9)
				s, ok := b.take(vk.DeviceSize(1+rng.IntN(800)), align)
				if !ok {
					continue
				}
				if s.offset%align != 0 {
					t.Fatalf("%v is not aligned to %d", s, align)
				}
				live = append(live, s)
			}
			check(t, b, live)
		}
		for _, s := range live {
			b.give(s)
		}
		if !b.empty() {
			t.Fatalf("all was given back, free are %v", b.free)
		}
	}
}

// check verifies that the free and the live spans tile the block, and that
// free ones are sorted and joined.
func check(t *testing.T, b *block, live []span) {
	t.Helper()
	owner := make([]byte, b.bytes)
	for _, spans := range [][]span{b.free, live} {
		for _, s := range spans {
			for i := s.offset; i < s.offset+s.bytes; i++ {
				owner[i]++
			}
		}
	}
	if i := bytes.IndexFunc(owner, func(r rune) bool { return r != 1 }); i >= 0 {
		t.Fatalf("byte %d belongs to %d spans", i, owner[i])
	}
	for i := 1; i < len(b.free); i++ {
		if b.free[i-1].offset+b.free[i-1].bytes >= b.free[i].offset {
			t.Fatalf("free spans %v and %v are not apart", b.free[i-1], b.free[i])
		}
	}
}

// TestManyBuffers needs more buffers than drivers allow allocations, and gives
// all memory back.
func TestManyBuffers(t *testing.T) {
	d := openDevice(t).(*device)
	rng := rand.New(rand.NewPCG(7, 8))
	var live []*buffer
	var marks []byte
	for i := range 6000 {
		b := newBuffer(t, d, int64(1+rng.IntN(500))).(*buffer)
		live, marks = append(live, b), append(marks, byte(i))
		if i%37 == 0 {
			must(t, b.Upload(b.bytes-1, marks[i:]))
		}
	}
	if n := len(d.arena.blocks); n > 10 {
		t.Errorf("%d allocations for %d small buffers", n, len(live))
	}
	got := make([]byte, 1)
	for i := 0; i < len(live); i += 37 {
		must(t, live[i].Download(live[i].bytes-1, got))
		if got[0] != marks[i] {
			t.Fatalf("buffer %d holds %d, want %d", i, got[0], marks[i])
		}
	}
	for _, b := range live {
		must(t, b.Close())
	}
	must(t, d.Stream().Synchronize())
	if n := len(d.arena.blocks); n > 1 {
		t.Errorf("%d allocations are left", n)
	}
}

// TestLargeBuffer reaches past 4 GiB where the device allows it.
func TestLargeBuffer(t *testing.T) {
	d := openDevice(t)
	size := min(5<<30+3, d.Caps().MaxBufferBytes, d.Info().Memory/4)
	b, err := d.NewBuffer(size)
	if err != nil {
		wantErr(t, "large", err, fault.ErrOutOfMemory)
		t.Skipf("%d bytes: %v", size, err)
	}
	ends := []int64{0, size/2 - 1, size - 9}
	for i, at := range ends {
		must(t, b.Upload(at, bytes.Repeat([]byte{byte(i + 1)}, 9)))
	}
	for i, at := range ends {
		got := make([]byte, 9)
		must(t, b.Download(at, got))
		if !bytes.Equal(got, bytes.Repeat([]byte{byte(i + 1)}, 9)) {
			t.Errorf("at %d of %d: %v", at, size, got)
		}
	}
	must(t, b.Close())
	must(t, d.Stream().Synchronize())
}
