package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Im2Col copies what a kernel covers. Its views are x [N,G,C/G,H,W] and out [N,G,C/G,KH·KW,P·Q]; its
// scalars the rows of padding above, the columns on the left, and Q. out's dimensions are in the order of cfg.Block.Memory.
var Im2Col = weft.NewKernel("im2col", describeIm2Col)

func describeIm2Col(k *tile.Builder, cfg Im2ColConfig) {
	c := &conv{k: k, Conv2DConfig: Conv2DConfig{Elem: cfg.Elem, Kernel: cfg.Kernel, Stride: cfg.Stride, Dilation: cfg.Dilation}}
	x, out := k.In("x", cfg.Elem, 5), k.Out("out", cfg.Elem, 5)
	c.top, c.left = k.Scalar("top", dtype.I32), k.Scalar("left", dtype.I32)
	columns := k.Scalar("columns", dtype.I32)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	block := cfg.Block.shape()
	at := k.ProgramTile(out, block...)
	index := func(d int) *tile.Value { return cfg.Block.index(k, at, d) }
	pixel := index(4)
	h, w := c.corner(pixel.Div(columns), pixel.Rem(columns))
	row, column := c.reach(h, w, index(3))
	points := x.At(index(0), index(1), index(2), row, column)
	out.Block(block...).Store(points.Gather(), at...)
}
