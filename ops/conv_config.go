package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/tune"
)

// config is the config for the convolution into a tensor, with what its options replace.
func (c *convolution) config(out *weft.Tensor) Conv2DConfig {
	caps, elem := c.x.Device().Caps(), c.x.DType()
	order := c.ImagesOrder()
	cfg := pick(convTune, c.x.Device(), kernels.ConvProblem{
		Elem: elem, Shape: c.Conv2DShape,
		X: tune.StridesOf(c.nchw(c.x), order...), Weight: tune.StridesOf(c.weight.Layout()), Out: tune.StridesOf(c.nchw(out), order...),
	})
	algorithm := c.algorithm
	if algorithm == kernels.ConvAuto && cfg.Algorithm == kernels.ConvIm2Col && c.Pointwise() && !caps.WholeTiles && c.rowsApart(out) {
		algorithm = kernels.ConvImplicit
	}
	if algorithm != kernels.ConvAuto && algorithm != cfg.Algorithm {
		cfg.Algorithm = algorithm
		cfg.Size(caps, c.Conv2DShape, c.AsProduct(caps, elem))
	}
	cfg.Bias, cfg.Steps = c.hasBias, c.steps
	if c.tiles.BO != 0 || c.tiles.BP != 0 || c.tiles.BK != 0 { // parts were chosen for other tiles
		cfg.Parts = 0
	}
	if cfg.Algorithm == kernels.ConvIm2Col {
		return cfg
	}
	t := c.tiles
	if rows := t.ThreadRows; rows != 0 && cfg.ThreadRows > 0 {
		if cfg.ThreadRows = rows; rows > 1 {
			cfg.Block.Size[3] = rows
		}
	}
	if columns := t.ThreadColumns; columns != 0 && cfg.ThreadRows > 0 && c.ChannelsLast {
		cfg.ThreadColumns, cfg.Block.Size[4] = columns, max(cfg.Block.Size[4], columns)
	}
	for _, f := range []struct{ to, from *int }{
		{&cfg.BO, &t.BO}, {&cfg.BP, &t.BP}, {&cfg.BK, &t.BK}, {&cfg.Threads, &t.Threads}, {&cfg.Stages, &t.Stages}, {&cfg.InFlight, &t.InFlight}, {&cfg.Parts, &t.Parts},
	} {
		if *f.from != 0 {
			*f.to = *f.from
		}
	}
	for d, n := range t.Block.Size {
		if n != 0 {
			cfg.Block.Size[d] = n
		}
	}
	cfg.Fit(c.Conv2DShape)
	return cfg
}

// rowsApart reports whether the pixels of a result's rows are not all at one distance, so that a product of matrices would be written into a copy of it.
func (c *convolution) rowsApart(out *weft.Tensor) bool {
	l := c.nchw(out)
	last := l.Rank() - 1
	return l.Size(last) > 1 && l.Size(last-1) > 1 && l.Stride(last-1) != l.Size(last)*l.Stride(last)
}
