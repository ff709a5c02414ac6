package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// ConvWeightGrad is the gradient of a convolution's weights: the product of the gradient of its result, transposed, and the columns of x, which are
// gathered tile by tile and never stored. It sums over the pixels of all images, which programs share in parts. Its views are x [N,G,C/G,H,W], or [N,C,D,H,W] of
// volumes, dy [pixels,G,O/G] and parts [P,G,O/G,KH·KW·C/G] of F32, whose channels are neighbours; its scalars the padding above and on the left, the Divisors of the rows and columns of
// the result and, of volumes, the padding in front and the Divisor of the planes of the result. SumParts adds the parts.
var ConvWeightGrad = weft.NewKernel("conv_weight_grad", func(k *tile.Builder, cfg ConvGradConfig) {
	forward := Conv2DConfig{Elem: cfg.Elem, Kernel: cfg.Kernel, Stride: cfg.Stride, Dilation: cfg.Dilation, Depth: cfg.Depth}
	c := &conv{Conv2DConfig: forward, k: k, x: k.In("x", cfg.Elem, 5)}
	dy, parts := k.In("dy", cfg.Elem, 3), cfg.parts(k)
	c.top, c.left = k.Scalar("top", dtype.I32), k.Scalar("left", dtype.I32)
	rows, columns := newDivisor(k, "rows"), newDivisor(k, "columns")
	var planes divisor
	if cfg.Depth.Is() {
		c.front, planes = k.Scalar("front", dtype.I32), newDivisor(k, "planes")
	}
	k.Schedule(tile.Schedule{Threads: cfg.Threads, Stages: cfg.Stages})
	k.SplitInto(parts.Dim(0))
	tiles := k.CDiv(parts.Dim(2), cfg.BM)
	outer, across := k.TileID(tiles.Mul(parts.Dim(1)), k.CDiv(parts.Dim(3), cfg.BN))
	group, down := outer.Div(tiles), outer.Rem(tiles)

	along, over := 1, 0 // where the dimension of the other goes next to pixels and next to terms
	if cfg.AlongPixels {
		along, over = 0, 1
	}
	term := k.Arange(cfg.BN).Add(across.Mul(cfg.BN)).Expand(over)
	channel, position := term.Rem(cfg.Channels), term.Div(cfg.Channels)
	out := parts.Block(1, 1, cfg.BM, cfg.BN).Squeeze(0, 1)
	sum := k.Var(k.Zeros(cfg.Elem.Accumulator(), cfg.BM, cfg.BN))
	if cfg.Adds {
		sum.Set(out.Load(k.SplitID(), group, down, across))
	}
	for i := range k.SplitRange(k.CDiv(dy.Dim(0), cfg.BK)) {
		pixel := k.Arange(cfg.BK).Add(i.Mul(cfg.BK)).Expand(along)
		line, q := columns.divide(pixel)
		var at corners
		image, p := rows.divide(line)
		at.image = image
		at.row, at.column = c.corner(p, q)
		if cfg.Depth.Is() {
			volume, plane := planes.divide(image)
			at.image, at.depth = volume, plane.Mul(cfg.Depth.Stride).Sub(c.front)
		}
		x := c.elements(at, group, channel, position).Gather()
		if cfg.AlongPixels {
			x = x.Transpose()
		}
		g := dy.Block(cfg.BK, 1, cfg.BM).Squeeze(1).Load(i, group, down)
		sum.Set(tile.Dot(g.Transpose(), x, sum.Get(), cfg.precision()))
	}
	out.Store(sum.Get(), k.SplitID(), group, down, across)
})

// parts declares the partial sums.
func (cfg ConvGradConfig) parts(k *tile.Builder) *tile.View {
	if cfg.Adds {
		return k.InOut("parts", cfg.Elem.Accumulator(), 4)
	}
	return k.Out("parts", cfg.Elem.Accumulator(), 4)
}
