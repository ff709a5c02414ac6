package backendtest

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// farCoordinates are coordinates of blocks far outside of every view; times the size of a block, many are 0 or another element of
// the view modulo 2^32.
var farCoordinates = []float64{math.MinInt32, math.MinInt32 + 1, -1 << 30, -1 << 28, -1, 1 << 26, 1 << 27, 1 << 28, 1<<28 + 1, 1 << 29, 1 << 30, 3 << 29, math.MaxInt32}

// testFarBlocks reads, writes and adds to blocks at coordinates whose product with the block's size leaves 32 bits: they are outside
// of the view, whatever the coordinate comes from, in a loop or not, and whether the size of the view is a multiple of the block's or not.
func testFarBlocks(s *suite) {
	coords := host{weft.I32, []int{len(farCoordinates)}, farCoordinates}
	for _, size := range []int{64, 61} {
		s.agree(func(k *tile.Builder) {
			x, c, o := k.InOut("x", weft.F32, 2), k.In("c", weft.I32, 1), k.Out("o", weft.F32, 2)
			k.Grid(c.Dim(0))
			p := k.ProgramID(0)
			at := c.At(p).Gather()
			b := x.Block(16, 8).Fill(-7)
			sum := k.Var(b.Load(at, 0).Add(b.Load(0, at)))
			for i := range k.Range(c.At(0).Gather().And(3).Add(2)) { // two iterations, which no one knows
				sum.Set(sum.Get().Add(b.Load(at.Add(i), i)))
			}
			o.Block(16, 8).Store(sum.Get(), p, 0)
			b.Store(sum.Get(), at, 1)
			b.Store(sum.Get(), 2, at)
		}, nil, inOut(s.random(weft.F32, size, 32)), in(coords), out(weft.F32, 16*len(farCoordinates), 8))
		s.agree(func(k *tile.Builder) {
			x, c := k.InOut("x", weft.I32, 1), k.In("c", weft.I32, 1)
			k.Grid(c.Dim(0))
			at := c.At(k.ProgramID(0)).Gather()
			x.Block(8).AtomicAdd(1, at)
			x.Block(8).Points(at.Add(1 << 29)).AtomicAdd(k.Arange(8))
		}, nil, inOut(s.random(weft.I32, size)), in(coords))
	}
}

// testFarOperands multiplies blocks at such coordinates, which copies to shared memory and tensor maps bring where a device has them.
func testFarOperands(s *suite) {
	coords := host{weft.I32, []int{len(farCoordinates)}, farCoordinates}
	a, b := s.small(weft.F16, 64, 128), s.small(weft.F16, 128, 64)
	n := 64 // as long as tensor maps copy
	if shared := s.dev.Caps().SharedBytes; shared > 0 && shared < 32<<10 {
		n = 32
	}
	for _, schedule := range []tile.Schedule{{Threads: 128}, {Threads: 128, Stages: 3, Producers: 1}} {
		s.agree(func(k *tile.Builder) {
			k.Schedule(schedule)
			a, b, c, o := k.In("a", weft.F16, 2), k.In("b", weft.F16, 2), k.In("c", weft.I32, 1), k.Out("o", weft.F32, 2)
			k.Grid(c.Dim(0))
			at := c.At(k.ProgramID(0)).Gather()
			sum := k.Var(k.Full(weft.F32, 1, n, n))
			for i := range k.Range(k.CDiv(a.Dim(1), n)) {
				y := b.Block(n, n).Load(at, i)
				sum.Set(tile.Dot(a.Block(n, n).Load(at.Add(i), 0), b.Block(n, n).Load(i, 0), sum.Get(), tile.Float32Accumulate))
				sum.Set(tile.Dot(a.Block(n, n).Load(0, i), y, sum.Get(), tile.Float32Accumulate))
			}
			o.Block(n, n).Store(sum.Get(), k.ProgramID(0), 0)
		}, nil, in(a), in(b), in(coords), out(weft.F32, n*len(farCoordinates), n))
	}
}
