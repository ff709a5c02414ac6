//go:build cgo || js

package webgpu

import (
	"fmt"
	"testing"

	"github.com/weftgpu/weft/backend"
)

// benchDevice opens the first adapter.
func benchDevice(b *testing.B) backend.Device {
	c := (driver{}).Candidates()[0]
	if c.Refused != nil {
		b.Skip(c.Refused)
	}
	d, err := c.Open()
	must(b, err)
	b.Cleanup(func() { must(b, d.Close()) })
	return d
}

// BenchmarkLaunch is the whole cost of a tiny launch with two buffers and
// scalars, in a row of dependent ones.
func BenchmarkLaunch(b *testing.B) {
	d := benchDevice(b)
	p, x, y := load(b, d, addSource), newBuffer(b, d, 256), newBuffer(b, d, 256)
	must(b, launch(d.Stream(), p, 1, []uint32{64, 1}, x, y))
	must(b, d.Stream().Synchronize())
	for b.Loop() {
		must(b, launch(d.Stream(), p, 1, []uint32{64, 1}, x, y))
	}
	must(b, d.Stream().Synchronize())
}

func BenchmarkTransfer(b *testing.B) {
	d := benchDevice(b)
	for _, n := range []int{4, 1 << 20, 256 << 20} {
		buf, data := newBuffer(b, d, n), make([]byte, n)
		b.Run(fmt.Sprintf("upload-%d", n), func(b *testing.B) {
			b.SetBytes(int64(n))
			for b.Loop() {
				must(b, buf.Upload(0, data))
			}
			must(b, d.Stream().Synchronize())
		})
		b.Run(fmt.Sprintf("download-%d", n), func(b *testing.B) {
			b.SetBytes(int64(n))
			for b.Loop() {
				must(b, buf.Download(0, data))
			}
		})
		must(b, buf.Close())
	}
}
