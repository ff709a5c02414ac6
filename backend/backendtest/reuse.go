package backendtest

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// testReuse: memory of closed tensors serves new ones of other lengths while work on the old ones is in
// flight. Nobody sees another's elements, nor may reach beyond the length asked for.
func testReuse(s *suite) {
	dev := s.open(s.T)
	defer dev.Close()
	fill := weft.NewKernel("fill", func(k *tile.Builder, _ struct{}) {
		out := k.Out("out", weft.F32, 1)
		k.Grid(k.CDiv(out.Dim(0), 256))
		out.Block(256).Store(k.Full(weft.F32, -1, 256), k.ProgramID(0))
	})
	filledWith := func(n int, v float32) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = v + float32(i)
		}
		return x
	}
	check := func(what string, t *weft.Tensor, at func(i int) float32) {
		s.Helper()
		got := must[[]float32](s)(weft.ToSlice[float32](t))
		for i, g := range got {
			if g != at(i) {
				s.Fatalf("%s: element %d of %d is %v, want %v", what, i, len(got), g, at(i))
			}
		}
		s.try(t.Close())
	}
	before := dev.MemoryStats()
	for round := range 30 {
		n, v := 1025+37*round%125, float32(1000*round) // all of one class of the pool
		x := s.ok(weft.FromSlice(dev, filledWith(n, v)))
		twice := s.ok(ops.Add(x, x))
		s.try(x.Close())
		next := s.ok(weft.FromSlice(dev, filledWith(n-1, -v))) // into x's memory
		zeros := s.ok(weft.Zeros(dev, weft.F32, n))
		check("a sum whose operand is closed", twice, func(i int) float32 { return 2 * (v + float32(i)) })
		check("what was copied into memory in use", next, func(i int) float32 { return -v + float32(i) })

		beyond := must[layout.Layout](s)(layout.Contiguous(n + 1))
		s.refused("a view of one element more than the tensor has", weft.ErrShape, fill.LaunchViews(struct{}{}, nil, weft.TensorView{Tensor: zeros, Layout: beyond}))
		check("zeros", zeros, func(int) float32 { return 0 })
		dirty := s.ok(weft.Empty(dev, weft.F32, n))
		s.try(fill.Launch(struct{}{}, dirty))
		s.try(dirty.Close())
	}
	// Only buffers that are Resizers wait in the pool.
	if after := dev.MemoryStats(); after.Pooled > 0 && after.Hits-before.Hits < 30 || after.InUse != 0 {
		s.Errorf("memory is not used again, or held: %+v", after)
	}
}
