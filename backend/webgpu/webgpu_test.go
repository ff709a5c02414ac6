//go:build cgo || js

package webgpu

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/target"
)

func TestDevice(t *testing.T) {
	forEach(t, func(t *testing.T, d backend.Device) {
		i, c := d.Info(), d.Caps()
		testenv.Report(t, "device: webgpu: "+i.Name+", "+i.Driver)
		if i.Backend != "webgpu" || i.Name == "" || i.Driver == "" || i.Kind == backend.CPU {
			t.Errorf("info %+v", i)
		}
		// What every WebGPU device has at least.
		if c.Language != target.WGSL || c.MaxThreads < 256 || c.SharedBytes < 16<<10 || c.MaxBindings < 8 ||
			c.MaxGrid != [3]int{65535, 65535, 65535} || c.MaxBindingBytes < 128<<20-granule || c.MaxBufferBytes < 256<<20 ||
			c.MaxBufferBytes > 64<<30 || c.SubgroupSize != 0 || !strings.Contains(c.Fingerprint, i.Name) {
			t.Errorf("caps %+v", c)
		}
	})
}

// TestTransfers mirrors random uploads of a buffer in host memory, at every
// alignment, and compares the whole buffer and random parts of it.
func TestTransfers(t *testing.T) {
	forEach(t, func(t *testing.T, d backend.Device) {
		rng := rand.New(rand.NewPCG(1, 2))
		for _, size := range []int{1, 2, 3, 4, 5, 7, 15, 16, 17, 63, 1021, 65537} {
			b := newBuffer(t, d, size)
			mirror := make([]byte, size)
			must(t, b.Upload(0, mirror))
			for range 40 {
				from := rng.IntN(size + 1)
				part := mirror[from : from+rng.IntN(size-from+1)]
				for i := range part {
					part[i] = byte(rng.Uint32())
				}
				must(t, b.Upload(int64(from), part))
				got := bytes.Repeat([]byte{0xa5}, size)
				must(t, b.Download(0, got))
				if !bytes.Equal(got, mirror) {
					t.Fatalf("size %d: wrong after %d bytes at %d", size, len(part), from)
				}
				from = rng.IntN(size + 1)
				got = got[:rng.IntN(size-from+1)]
				must(t, b.Download(int64(from), got))
				if !bytes.Equal(got, mirror[from:from+len(got)]) {
					t.Fatalf("size %d: %d bytes from %d are wrong", size, len(got), from)
				}
			}
			must(t, b.Close())
		}
	})
}

// TestLongTransfers crosses the chunks of both directions at odd offsets.
func TestLongTransfers(t *testing.T) {
	forEach(t, func(t *testing.T, d backend.Device) {
		rng := rand.NewChaCha8([32]byte{7})
		for _, size := range []int{chunkBytes - 1, chunkBytes, chunkBytes + 3, 3*chunkBytes + 5} {
			b := newBuffer(t, d, size+9)
			src := make([]byte, size)
			rng.Read(src)
			for _, offset := range []int64{0, 4, 3, 9} {
				must(t, b.Upload(offset, src))
				got := make([]byte, size)
				must(t, b.Download(offset, got))
				if !bytes.Equal(got, src) {
					t.Fatalf("%d bytes at %d changed on the way", size, offset)
				}
			}
			must(t, b.Close())
		}
	})
}

func TestTransferRanges(t *testing.T) {
	forEach(t, func(t *testing.T, d backend.Device) {
		b := newBuffer(t, d, 10)
		for _, r := range []struct{ offset, n int64 }{{-1, 1}, {0, 11}, {10, 1}, {11, 0}, {1 << 62, 8}} {
			if err := b.Upload(r.offset, make([]byte, r.n)); !errors.Is(err, fault.ErrShape) {
				t.Errorf("upload %+v: %v", r, err)
			}
			if err := b.Download(r.offset, make([]byte, r.n)); !errors.Is(err, fault.ErrShape) {
				t.Errorf("download %+v: %v", r, err)
			}
		}
	})
}

func TestZeroSize(t *testing.T) {
	forEach(t, func(t *testing.T, d backend.Device) {
		x, y := newBuffer(t, d, 0), newBuffer(t, d, 0)
		if x.Bytes() != 0 {
			t.Errorf("%d bytes", x.Bytes())
		}
		must(t, x.Upload(0, nil))
		must(t, x.Download(0, nil))
		must(t, launch(d.Stream(), load(t, d, addSource), 0, []uint32{0, 0}, x, y))
		must(t, launch(d.Stream(), load(t, d, addSource), 1, []uint32{0, 0}, x, y))
		must(t, d.Stream().Synchronize())
	})
}

func TestAdd(t *testing.T) {
	forEach(t, func(t *testing.T, d backend.Device) {
		p := load(t, d, addSource)
		for _, n := range []int{1, 63, 64, 65, 1000, 4099} {
			x, y := newBuffer(t, d, 4*n), newBuffer(t, d, 4*n)
			xs, ys := make([]uint32, n), make([]uint32, n)
			for i := range n {
				xs[i], ys[i] = rand.Uint32(), rand.Uint32()
			}
			must(t, x.Upload(0, words(xs...)))
			must(t, y.Upload(0, words(ys...)))
			keep := n - n/3 // the rest must stay
			must(t, launch(d.Stream(), p, (n+63)/64, []uint32{uint32(keep), 17}, x, y))
			for i := range keep {
				ys[i] += 17 * xs[i]
			}
			got := make([]byte, 4*n)
			must(t, y.Download(0, got))
			if !bytes.Equal(got, words(ys...)) {
				t.Fatalf("n = %d: wrong sums", n)
			}
		}
	})
}

// TestOrder launches many dependent steps between uploads, with more launches
// than a batch holds: each must see the one before, and its own scalars.
func TestOrder(t *testing.T) {
	forEach(t, func(t *testing.T, d backend.Device) {
		const n, rounds = 300, 1000
		add, step := load(t, d, addSource), load(t, d, stepSource)
		x, y := newBuffer(t, d, 4*n), newBuffer(t, d, 4*n)
		xs, ys := make([]uint32, n), make([]uint32, n)
		for i := range xs {
			xs[i] = rand.Uint32()
		}
		must(t, x.Upload(0, words(xs...)))
		must(t, y.Upload(0, words(ys...)))
		for r := range rounds {
			k := rand.Uint32()
			must(t, launch(d.Stream(), add, (n+63)/64, []uint32{n, k}, x, y))
			must(t, launch(d.Stream(), step, (n+63)/64, nil, y))
			for i := range ys {
				ys[i] = 3*(ys[i]+k*xs[i]) + 1
			}
			if r%97 == 0 {
				xs[5] = rand.Uint32()
				must(t, x.Upload(20, words(xs[5])))
			}
		}
		got := make([]byte, 4*n)
		must(t, y.Download(0, got))
		if !bytes.Equal(got, words(ys...)) {
			t.Fatal("a launch did not see what came before it, or saw what came after")
		}
		must(t, d.Stream().Synchronize())
	})
}

// TestBindingCounts runs kernels of 0 to as many bindings as the device allows;
// each adds its scalar and the first word of all other buffers to the last.
func TestBindingCounts(t *testing.T) {
	forEach(t, func(t *testing.T, d backend.Device) {
		for _, n := range []int{0, 1, 2, 8, min(d.Caps().MaxBindings, 30)} {
			src := backend.Source{Language: target.WGSL, Entry: "main", Words: 1, Threads: 1,
				Text: fmt.Sprintf("struct S { k: u32 }\n@group(0) @binding(%d) var<uniform> s: S;\n", n)}
			sum, want := "s.k", uint32(1000)
			var buffers []backend.Buffer
			for i := range n {
				access, mode := backend.Read, "read"
				if i == n-1 {
					access, mode = backend.ReadWrite, "read_write"
				}
				src.Bindings = append(src.Bindings, backend.Binding{Name: fmt.Sprintf("b%d", i), Access: access})
				src.Text += fmt.Sprintf("@group(0) @binding(%d) var<storage, %s> b%d: array<u32>;\n", i, mode, i)
				sum += fmt.Sprintf(" + b%d[0]", i)
				want += uint32(i * i)
				b := newBuffer(t, d, 4)
				must(t, b.Upload(0, words(uint32(i*i))))
				buffers = append(buffers, b)
			}
			store := "let sum = " + sum + ";"
			if n > 0 {
				store = fmt.Sprintf("b%d[0] = %s;", n-1, sum)
			}
			src.Text += "@compute @workgroup_size(1) fn main() { " + store + " }"
			must(t, launch(d.Stream(), load(t, d, src), 1, []uint32{1000}, buffers...))
			must(t, d.Stream().Synchronize())
			if n > 0 {
				got := make([]byte, 4)
				must(t, buffers[n-1].Download(0, got))
				if !bytes.Equal(got, words(want)) {
					t.Errorf("%d bindings: %v, want %d", n, got, want)
				}
			}
		}
	})
}

func TestManyGoroutines(t *testing.T) {
	forEach(t, func(t *testing.T, d backend.Device) {
		const workers, rounds = 8, 30
		p := load(t, d, stepSource)
		shared := newBuffer(t, d, 3*workers) // each worker owns three bytes, so words are shared
		must(t, shared.Upload(0, make([]byte, 3*workers)))
		var group sync.WaitGroup
		for w := range workers {
			group.Go(func() {
				if err := work(d, p, shared, w, rounds); err != nil {
					t.Errorf("worker %d: %v", w, err)
				}
			})
		}
		group.Wait()
		got := make([]byte, 3*workers)
		must(t, shared.Download(0, got))
		for w := range workers {
			want := []byte{byte(w), byte(rounds - 1), 0xff}
			if !bytes.Equal(got[3*w:3*w+3], want) {
				t.Errorf("worker %d left %v, want %v", w, got[3*w:3*w+3], want)
			}
		}
	})
}

// work makes a buffer of its own each round, steps it, and writes its three bytes of shared.
func work(d backend.Device, p backend.Program, shared backend.Buffer, w, rounds int) error {
	for r := range rounds {
		b, err := d.NewBuffer(4)
		if err != nil {
			return err
		}
		want := uint32(w)
		if err := b.Upload(0, words(want)); err != nil {
			return err
		}
		for range 5 {
			if err := launch(d.Stream(), p, 1, nil, b); err != nil {
				return err
			}
			want = 3*want + 1
		}
		var got [4]byte
		if err := b.Download(0, got[:]); err != nil {
			return err
		}
		if v := binary.LittleEndian.Uint32(got[:]); v != want {
			return errors.New("a step was lost")
		}
		if err := errors.Join(shared.Upload(int64(3*w), []byte{byte(w), byte(r), 0xff}), b.Close()); err != nil {
			return err
		}
	}
	return d.Stream().Synchronize()
}
