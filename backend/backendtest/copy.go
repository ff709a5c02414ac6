package backendtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/elementwise"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops"
)

var copyCases = []testCase{
	{"Copy", testCopy},
	{"CopyBits", testCopyBits},
	{"CopyConfigs", testCopyConfigs},
	{"Transpose", testTranspose},
	{"Permute", testPermute},
}

// copyForms are pairs of forms: all for types of each width, one of each for the others.
func copyForms(s *suite, elem weft.DType) (pairs [][2]form) {
	wide := s.full || elem == weft.F32 || elem == weft.F16
	for i, from := range forms {
		for j, to := range forms {
			if wide || j == (i+1)%len(forms) {
				pairs = append(pairs, [2]form{from, to})
			}
		}
	}
	return pairs
}

// testCopy copies between views, and repeats elements.
func testCopy(s *suite) {
	for _, elem := range dtype.All() {
		h := s.random(elem, 3, 10, 36)
		for _, f := range copyForms(s, elem) {
			out := s.output(f[1], elem, h.shape...)
			s.try(ops.CopyInto(out.Tensor, s.input(f[0], h)))
			out.check(h.x, nil)
		}
		s.compare(s.ok(ops.Copy(s.input(transposed, h))), h.x, nil)
		row := s.random(elem, 10, 1)
		out := s.output(sliced, elem, h.shape...)
		s.try(ops.CopyInto(out.Tensor, s.input(dense, row)))
		s.part(elem, repeated)
		out.check(broadcastTo(s, row, h.shape), nil)
	}
}

// testCopyBits: all bits of floats survive copies, but for NaNs of 16 bits where there are no whole
// words, which are NaNs still.
func testCopyBits(s *suite) {
	const rows, cols = 34, 70
	bits := make([]float32, rows*cols)
	for i := range bits {
		bits[i] = math.Float32frombits(s.rng.Uint32())
		if i%3 == 0 { // infinities, NaNs of both kinds, and numbers below the normal ones
			bits[i] = math.Float32frombits([]uint32{0x7f800000, 0xff800001, 0x7fc00000, 0x80000000}[i%4] | s.rng.Uint32()&0x3fffff)
		}
	}
	for _, f := range forms {
		x := s.ok(weft.FromSlice(s.dev, bits, rows, cols))
		y := s.output(f, weft.F32, cols, rows)
		s.try(ops.TransposeInto(y.Tensor, x))
		for i, got := range must[[]float32](s)(weft.ToSlice[float32](y.Tensor)) {
			if want := bits[i%rows*cols+i/rows]; math.Float32bits(got) != math.Float32bits(want) {
				s.Fatalf("%v: element %d is %#x, want %#x", f, i, math.Float32bits(got), math.Float32bits(want))
			}
		}
	}
	for _, shape := range [][2]int{{rows, cols}, {rows - 1, cols - 1}} { // squares of halves, and none
		halves := make([]weft.Float16, shape[0]*shape[1])
		for i := range halves {
			halves[i] = weft.Float16(s.rng.Uint32())
		}
		x := s.ok(weft.FromSlice(s.dev, halves, shape[0], shape[1]))
		part := s.ok(x.Slice(1, 2, shape[1]-2-shape[1]%2)) // whole words
		n := part.Dim(1)
		got := must[[]weft.Float16](s)(weft.ToSlice[weft.Float16](s.ok(ops.Copy(part))))
		turned := must[[]weft.Float16](s)(weft.ToSlice[weft.Float16](s.ok(ops.Transpose(x))))
		for i, h := range halves {
			row, col := i/shape[1], i%shape[1]
			nan := shape[0]%2 == 1 && h&0x7fff > 0x7c00 // which may become another one
			if y := turned[col*shape[0]+row]; nan && y&0x7fff <= 0x7c00 || !nan && y != h {
				s.Fatalf("transposed %v: element %d is %#x, want %#x", shape, i, y, h)
			}
			if col >= 2 && col-2 < n && shape[0]%2 == 0 && got[row*n+col-2] != h {
				s.Fatalf("%v: element %d is %#x, want %#x", shape, i, got[row*n+col-2], h)
			}
		}
	}
}

var copyKernel = weft.NewKernel("copy", elementwise.DescribeCopy)

// testCopyConfigs: every config of the search space copies, whether tiles are within the tensor or not.
func testCopyConfigs(s *suite) {
	shapes, step := more(s, [][]int{{2, 128, 256}, {1, 67, 130}}, []int{3, 1030, 64}), either(s, 37, 1)
	for _, elem := range []weft.DType{weft.U32, weft.F16, weft.I8} {
		for _, shape := range shapes {
			h := s.random(elem, shape...)
			x := s.tensor(h)
			view := s.ok(x.Permute(0, 2, 1))
			want := permuted(s, h, 0, 2, 1)
			to := must[layout.Layout](s)(layout.Contiguous(view.Shape()...))
			i := 0
			for cfg := range elementwise.Configs(s.dev.Caps(), elem, elem, view.Layout(), to) {
				if i++; (i-1)%step != 0 {
					continue
				}
				out := s.output(dense, elem, view.Shape()...)
				s.try(copyKernel.Launch(cfg, view, out.Tensor))
				if err := out.verify(want, nil); err != nil {
					s.Errorf("%+v: %v", cfg, err)
				}
			}
		}
	}
}

// permuted is an array's elements with its dimensions reordered.
func permuted(s *suite, h host, dims ...int) []float64 {
	s.Helper()
	l := must[layout.Layout](s)(layout.Contiguous(h.shape...))
	l = must[layout.Layout](s)(l.Permute(dims...))
	x := make([]float64, 0, len(h.x))
	for at := range l.Offsets() {
		x = append(x, h.x[at])
	}
	return x
}

func testTranspose(s *suite) {
	for _, elem := range dtype.All() {
		h := s.random(elem, 2, 35, 68)
		want := permuted(s, h, 0, 2, 1)
		for _, f := range copyForms(s, elem) {
			out := s.output(f[1], elem, 2, 68, 35)
			s.try(ops.TransposeInto(out.Tensor, s.input(f[0], h)))
			out.check(want, nil)
		}
	}
	for _, elem := range []weft.DType{weft.F16, weft.BF16, weft.I8, weft.U8, weft.Bool} { // in squares of a few
		for _, shape := range [][]int{{3, 36, 132}, {2, 32, 32}, {1, 8, 260}} {
			h := s.random(elem, shape...)
			for _, f := range []form{dense, transposed} {
				out := s.output(f, elem, shape[0], shape[2], shape[1])
				s.try(ops.TransposeInto(out.Tensor, s.input(f, h)))
				out.check(permuted(s, h, 0, 2, 1), nil)
			}
		}
	}
	for _, shape := range [][]int{{}, {5}, {1, 7}, {7, 1}, {0, 3}, {2, 0, 3}} {
		h := s.random(weft.F32, shape...)
		dims := [][]int{{}, {0}, {1, 0}, {0, 2, 1}}[len(shape)]
		s.compare(s.ok(ops.Transpose(s.tensor(h))), permuted(s, h, dims...), nil)
	}
}

// testPermute reorders dimensions of every rank to 6, one more than kernels have.
func testPermute(s *suite) {
	shape := []int{2, 5, 3, 4, 6, 7}
	for _, elem := range either(s, []weft.DType{weft.F32, weft.F16, weft.U8}, dtype.All()) {
		for rank := 1; rank <= len(shape); rank++ {
			h := s.random(elem, shape[:rank]...)
			for range 2 {
				dims := s.rng.Perm(rank)
				sizes := make([]int, rank)
				for i, d := range dims {
					sizes[i] = shape[d]
				}
				from := forms[s.rng.IntN(len(forms))]
				out := s.output(forms[s.rng.IntN(len(forms))], elem, sizes...)
				s.try(ops.PermuteInto(out.Tensor, s.input(from, h), dims...))
				if err := out.verify(permuted(s, h, dims...), nil); err != nil {
					s.Error(fmt.Errorf("%v of %v: %w", dims, from, err))
				}
			}
		}
	}
	// Batches of images, with few channels and with many.
	for _, channels := range []int{3, 64} {
		h := s.random(weft.F16, 2, channels, 9, 8)
		got := s.ok(ops.Permute(s.tensor(h), 0, 2, 3, 1))
		if want := []int{2, 9, 8, channels}; !slices.Equal(got.Shape(), want) {
			s.Errorf("shape %v, want %v", got.Shape(), want)
		}
		s.compare(got, permuted(s, h, 0, 2, 3, 1), nil)
	}
}
