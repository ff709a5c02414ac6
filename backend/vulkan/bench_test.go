//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

import (
	"fmt"
	"testing"

	"github.com/weftgpu/weft/backend"
)

// BenchmarkLaunch measures the host's cost of a launch, the wait at the end
// included. Run it without the validation layer.
func BenchmarkLaunch(b *testing.B) {
	d := openDevice(b)
	p := build(b, d, addSource())
	var bufs []backend.Buffer
	for range 4 {
		bufs = append(bufs, newBuffer(b, d, 4))
	}
	for _, c := range []struct {
		name    string
		buffers [2][]backend.Buffer
	}{
		{"same", [2][]backend.Buffer{bufs[:3], bufs[:3]}},
		{"alternating", [2][]backend.Buffer{bufs[:3], bufs[1:]}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			l := backend.Launch{Grid: [3]int{1, 1, 1}, Words: []uint32{1, 0}}
			for i := range b.N {
				l.Buffers = c.buffers[i%2]
				must(b, d.Stream().Launch(p, l))
			}
			must(b, d.Stream().Synchronize())
		})
	}
}

func BenchmarkTransfer(b *testing.B) {
	d := openDevice(b)
	for _, n := range []int{4, 64 << 10, 64 << 20} {
		data, buf := make([]byte, n), newBuffer(b, d, int64(n))
		b.Run(fmt.Sprintf("up/%d", n), func(b *testing.B) {
			b.SetBytes(int64(n))
			for range b.N {
				must(b, buf.Upload(0, data))
			}
			must(b, d.Stream().Synchronize())
		})
		b.Run(fmt.Sprintf("down/%d", n), func(b *testing.B) {
			b.SetBytes(int64(n))
			for range b.N {
				must(b, buf.Download(0, data))
			}
		})
	}
}
