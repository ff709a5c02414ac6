package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Im2Col copies what a kernel covers. Its views are x [N,G,C/G,H,W] and out [N,G,C/G,KH·KW,P·Q]; its
// scalars the rows of padding above, the columns on the left, and Q. out's dimensions are in the order of cfg.Block.Memory; with Shifts it has other views, see describeIm2ColShifts.
var Im2Col = weft.NewKernel("im2col", describeIm2Col)

func describeIm2Col(k *tile.Builder, cfg Im2ColConfig) {
	if cfg.Shifts {
		describeIm2ColShifts(k, cfg)
		return
	}
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

// describeIm2ColShifts copies blocks of x, one for each position in the kernel. The columns are [N,C,KH·KW,P,Q], and x [N,C,1,H,W] by its phases; both have their
// dimensions in the order of Block.Memory.
func describeIm2ColShifts(k *tile.Builder, cfg Im2ColConfig) {
	s := Conv2DConfig{Elem: cfg.Elem, Kernel: cfg.Kernel, Stride: cfg.Stride, Dilation: cfg.Dilation}.shifted(k)
	out := k.Out("out", cfg.Elem, 5)
	s.declareScalars(k)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	b := cfg.Block
	b.Size[2] = 0 // a program has all positions
	at := k.ProgramTile(out, b.shape()...)
	b.Size[2] = 1
	begin := func(d int) *tile.Value { return b.begin(k, at, d) }
	image, channel, row, column := begin(0), begin(1), begin(3), begin(4)
	for i, at := range s.starts(row, column) {
		x := at.view.Block(b.shape()...).LoadAt(b.ordered(image, channel, k.Int(0), at.row, at.column)...)
		out.Block(b.shape()...).StoreAt(x, b.ordered(image, channel, k.Int(i), row, column)...)
	}
}
