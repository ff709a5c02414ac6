package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
)

// launchKernel launches the kernel of a config, for as many images at a time as it can count the pixels of.
func (c *convolution) launchKernel(cfg Conv2DConfig, out *weft.Tensor) error {
	kernel := kernels.Conv2DDirect
	if cfg.Algorithm == kernels.ConvImplicit {
		kernel = kernels.Conv2DImplicit
	}
	repacked := cfg.Repacked
	cfg.Repacked = false // the kernel is the same
	if !inParts(cfg, out.Len()) {
		cfg.Parts = 0
	}
	if c.Volume.Is() {
		channels := c.GroupChannels()
		if repacked {
			channels = c.PackedChannels(cfg.Elem)
		}
		cfg.Depth = c.Volume.InGroups(c.Groups, channels, c.GroupFilters())
	}
	if _, err := kernel.Build(cfg); err != nil { // before anything is copied
		return err
	}
	switch {
	case cfg.Shifts:
		return c.launchShifts(cfg, out)
	case repacked:
		return c.launchRepacked(cfg, out)
	}
	x, y, err := c.kernelLayouts(out)
	if err != nil {
		return err
	}
	var temporary scratch
	defer temporary.close()
	perImage := c.PlanePixels()
	if cfg.Algorithm == kernels.ConvDirect && !cfg.ByChannels && !c.Volume.Is() {
		if y, err = y.Permute(cfg.Block.Memory[:]...); err != nil {
			return err
		}
	}
	weights := c.weightsFor(cfg, &temporary)
	if temporary.err != nil {
		return temporary.err
	}
	views := []weft.TensorView{{Tensor: c.x}, {Tensor: weights, Layout: weights.Layout()}}
	if cfg.Bias {
		l, err := split(c.bias.Layout(), 0, c.Groups)
		if err != nil {
			return err
		}
		views = append(views, weft.TensorView{Tensor: c.bias, Layout: l})
	}
	views = append(views, weft.TensorView{Tensor: out})
	return c.eachPart(pixelsAtOnce, perImage, func(from, to int) error {
		var err error
		if views[0].Layout, err = x.Slice(0, from, to, 1); err != nil {
			return err
		}
		if views[len(views)-1].Layout, err = y.Slice(0, from, to, 1); err != nil {
			return err
		}
		if cfg.Partial() {
			return c.launchParts(cfg, views)
		}
		return kernel.LaunchViews(cfg, c.kernelScalars(), views...)
	})
}

// weightsFor is the weights in the order that a kernel takes them in.
func (c *convolution) weightsFor(cfg Conv2DConfig, temporary *scratch) *weft.Tensor {
	positions, channels := 1, c.Terms()
	if cfg.Algorithm == kernels.ConvDirect || cfg.ChannelBlocks > 0 && !cfg.Whole {
		positions, channels = c.Positions(), c.GroupChannels()
	}
	inRuns := anything
	switch {
	case cfg.Algorithm == kernels.ConvImplicit:
		inRuns = wholePieces
	case cfg.ByChannels:
		inRuns = channelsInRuns
	case c.ChannelsLast: // threads side by side are for filters side by side
		inRuns = filtersInRuns
	}
	return c.weights(temporary, positions > 1 || cfg.Channels > 0 || cfg.Whole, inRuns, c.Groups, c.GroupFilters(), positions, channels)
}

// eachPart calls f for runs of images that have no more than most together, and one at least.
func (c *convolution) eachPart(most, perImage int, f func(from, to int) error) error {
	step := max(1, most/max(perImage, 1))
	for from := 0; from < c.Images; from += step {
		if err := f(from, min(from+step, c.Images)); err != nil {
			return err
		}
	}
	return nil
}
