package interp

import (
	"math"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// Memory-bound kernels on 1024 × 4096 elements; bytes are those read and written.
func BenchmarkKernels(b *testing.B) {
	const rows, columns = 1024, 4096
	pointwise := func(e dtype.Type, f func(x, y *tile.Value) *tile.Value) func(k *tile.Builder) {
		return func(k *tile.Builder) {
			x, y, z := k.In("x", e, 2), k.In("y", e, 2), k.Out("z", e, 2)
			k.Grid(x.Dim(0), k.CDiv(x.Dim(1), 4096))
			i, j := k.ProgramID(0), k.ProgramID(1)
			z.Block(1, 4096).Store(f(x.Block(1, 4096).Load(i, j), y.Block(1, 4096).Load(i, j)), i, j)
		}
	}
	add := func(x, y *tile.Value) *tile.Value { return x.Add(y) }
	softmax := func(x, _ *tile.Value) *tile.Value {
		e := x.Sub(x.Max(1)).Exp()
		return e.Div(e.Sum(1))
	}
	copyBlocks := func(k *tile.Builder) {
		x, z := k.In("x", dtype.F32, 2), k.Out("z", dtype.F32, 2)
		k.Grid(k.CDiv(x.Dim(0), 128), k.CDiv(x.Dim(1), 128))
		i, j := k.ProgramID(0), k.ProgramID(1)
		z.Block(128, 128).Store(x.Block(128, 128).Load(i, j), i, j)
	}
	dense := contiguous(b, rows, columns)
	turned, err := layout.Strided([]int{rows, columns}, []int{1, rows}, 0)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		describe func(k *tile.Builder)
		views    []layout.Layout
	}{
		{"add f32", pointwise(dtype.F32, add), []layout.Layout{dense, dense, dense}},
		{"add f16", pointwise(dtype.F16, add), []layout.Layout{dense, dense, dense}},
		{"add bf16", pointwise(dtype.BF16, add), []layout.Layout{dense, dense, dense}},
		{"softmax f32", pointwise(dtype.F32, softmax), []layout.Layout{dense, dense, dense}},
		{"copy", copyBlocks, []layout.Layout{dense, dense}},
		{"transpose load", copyBlocks, []layout.Layout{turned, dense}},
		{"transpose store", copyBlocks, []layout.Layout{dense, turned}},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := &Program{Kernel: build(b, "bench", c.describe)}
			var buffers [][]byte
			total := 0
			for i, v := range p.Kernel.Views {
				p.Buffers = append(p.Buffers, i)
				buffers = append(buffers, make([]byte, rows*columns*v.Elem.Size()))
				total += len(buffers[i])
				one := make([]float64, rows*columns)
				for j := range one {
					one[j] = math.Sin(float64(j))
				}
				dtype.PutFloats(v.Elem, buffers[i], one)
			}
			grid, words := launchOf(b, p, c.views)
			b.SetBytes(int64(total))
			for b.Loop() {
				if err := p.Run(grid, buffers, words); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
