package interp

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// blockOf places elements so that none has the memory of another, in a random order of the dimensions, with gaps, and some backwards; or, to be read, some
// repeated.
func blockOf(rng *rand.Rand, n []int, size int, repeats bool) block {
	b := block{at: rng.IntN(3)}
	next := 1
	for i, d := range rng.Perm(len(n)) {
		if i > 0 || rng.IntN(3) == 0 {
			next += rng.IntN(3) * rng.IntN(2)
		}
		b.stride[d] = next
		next *= n[d]
		switch {
		case repeats && rng.IntN(8) == 0:
			b.stride[d] = 0
		case rng.IntN(6) == 0:
			b.at += (n[d] - 1) * b.stride[d]
			b.stride[d] = -b.stride[d]
		}
	}
	b.data = make([]byte, (next+b.at+3)*size)
	for i := range b.data {
		b.data[i] = byte(rng.Uint32())
	}
	return b
}

// TestCopyBlock: every element arrives, whatever the strides, and no other byte changes.
func TestCopyBlock(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		size, n := 1<<rng.IntN(4), make([]int, 1+rng.IntN(5))
		for d := range n {
			n[d] = 1 + rng.IntN([]int{3, 9, 70, 9}[rng.IntN(4)])
			if len(n) > 3 {
				n[d] = min(n[d], 20)
			}
		}
		from, to := blockOf(rng, n, size, true), blockOf(rng, n, size, false)
		want := bytes.Clone(to.data)
		var visit func(d, at, f int)
		visit = func(d, at, f int) {
			if d == len(n) {
				copy(want[at*size:][:size], from.data[f*size:])
				return
			}
			for i := range n[d] {
				visit(d+1, at+i*to.stride[d], f+i*from.stride[d])
			}
		}
		visit(0, to.at, from.at)
		copyBlock(to, from, n, size)
		if !bytes.Equal(to.data, want) {
			t.Fatalf("%v elements of %d bytes, strides %v to %v: not a copy", n, size, from.stride, to.stride)
		}
	}
}

// TestCopyBlockAllocates: nothing is allocated to copy a block.
func TestCopyBlockAllocates(t *testing.T) {
	n := []int{20, 30, 40}
	from := block{data: make([]byte, 4*20*30*40), stride: [5]int{1, 800, 20}}
	to := block{data: make([]byte, 4*20*30*40), stride: [5]int{1200, 40, 1}}
	if got := testing.AllocsPerRun(10, func() { copyBlock(to, from, n, 4) }); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

// TestPermutes: tiles of all classes of registers are permuted as in Go, and blocks that partly are outside of their views, transposed, arrive.
func TestPermutes(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, elem := range []dtype.Type{dtype.F32, dtype.F16, dtype.I8, dtype.U32, dtype.I64, dtype.U64, dtype.Bool} {
		for _, perm := range [][]int{{0, 2, 1}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}} {
			shape := []int{1 << rng.IntN(5), 1 << rng.IntN(6), 1 << rng.IntN(6)}
			k := build(t, "permute", func(k *tile.Builder) {
				x, y, z := k.In("x", elem, 3), k.Out("y", elem, 3), k.Out("z", elem, 3)
				k.Grid(1)
				v := x.Block(shape...).Load(0, 0, 0)
				y.Block(shape[perm[0]], shape[perm[1]], shape[perm[2]]).Store(v.Permute(perm...), 0, 0, 0)
				z.Block(shape...).Store(v, 0, 0, 0)
			})
			size := []int{1 + rng.IntN(40), 1 + rng.IntN(40), 1 + rng.IntN(40)}
			dense := contiguous(t, size...)
			turned, err := layout.Strided(size, []int{1, size[0] * size[2], size[0]}, 0)
			if err != nil {
				t.Fatal(err)
			}
			out := contiguous(t, size[perm[0]], size[perm[1]], size[perm[2]])
			in := make([]byte, dense.Len()*elem.Size())
			for i := range dense.Len() {
				dtype.PutFloats(elem, in[i*elem.Size():], []float64{float64(rng.IntN(100))})
			}
			var got [2][][]byte
			for i, native := range []bool{false, true} {
				p := &Program{Kernel: k, Buffers: []int{0, 1, 2}, Options: Options{Native: native}}
				grid, words := launchOf(t, p, []layout.Layout{turned, out, dense})
				got[i] = [][]byte{in, bytes.Repeat([]byte{1}, len(in)), bytes.Repeat([]byte{1}, len(in))}
				if err := p.Run(grid, got[i], words); err != nil {
					t.Fatal(err)
				}
			}
			for b := range got[0] {
				if !bytes.Equal(got[0][b], got[1][b]) {
					t.Errorf("%v, permuted by %v, %v: buffer %d differs", elem, perm, shape, b)
				}
			}
		}
	}
}

func elementsOf[T any](data []byte) []T {
	var x T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), len(data)/int(unsafe.Sizeof(x)))
}
