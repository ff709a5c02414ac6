package ops

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/elementwise"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// inParts reports whether the programs of a config may share the reductions of a result of so many elements: the second kernel counts the sums of all parts.
func inParts(cfg Conv2DConfig, elements int) bool {
	return cfg.Partial() && cfg.Algorithm == kernels.ConvImplicit && elements > 0 && elements <= (math.MaxInt32-tile.MaxTileElements)/cfg.Parts
}

// launchParts launches the kernel, whose programs store parts of sums in a workspace, and what adds them. The views are the kernel's without parts.
func (c *convolution) launchParts(cfg Conv2DConfig, views []weft.TensorView) error {
	var temporary scratch
	defer temporary.close()
	out, memory := views[len(views)-1], c.memoryOrder()
	y, err := out.Layout.Permute(memory...)
	if err != nil {
		return err
	}
	elem, shape := out.Tensor.DType().Accumulator(), append([]int{cfg.Parts}, y.Shape()...)
	sums, err := temporary.try(weft.Empty(out.Tensor.Device(), elem, shape...))
	if err != nil {
		return noRoom(c.op, elem, shape, err).For("out")
	}
	second, err := c.sumOfParts(&temporary, sums, weft.TensorView{Tensor: out.Tensor, Layout: y}, memory)
	if err != nil {
		return err
	}
	if _, err := kernels.SumParts.Build(second.cfg); err != nil { // before anything is launched
		return err
	}
	images := slices.Concat([]int{cfg.Parts * y.Size(0)}, y.Shape()[1:])
	into, err := sums.Layout().Reshape(images...)
	if err == nil {
		into, err = into.Permute(inverse(memory)...)
	}
	if err == nil {
		err = kernels.Conv2DImplicit.LaunchViews(cfg, c.kernelScalars(), views[0], views[1], weft.TensorView{Tensor: sums, Layout: into})
	}
	if err != nil {
		return err
	}
	return second.launch()
}

// memoryOrder is the order in memory of the dimensions of the kernel's result, images or volumes first.
func (c *convolution) memoryOrder() []int {
	switch {
	case !c.ChannelsLast:
		return []int{0, 1, 2, 3, 4}
	case c.Volume.Is():
		return []int{0, 2, 3, 4, 1}
	}
	return []int{0, 3, 4, 1, 2}
}

// inverse is the order that undoes another one.
func inverse(order []int) []int {
	back := make([]int, len(order))
	for i, d := range order {
		back[d] = i
	}
	return back
}

// partsSum adds parts of sums.
type partsSum struct {
	cfg   kernels.SumPartsConfig
	views []weft.TensorView
	dense *weft.Tensor // what they are added in, where the result has too many dimensions for one kernel
	out   *weft.Tensor // which that is copied to
}

func (s partsSum) launch() error {
	if err := kernels.SumParts.LaunchViews(s.cfg, nil, s.views...); err != nil || s.dense == nil {
		return err
	}
	return s.out.CopyFrom(s.dense)
}

// sumOfParts adds parts of sums [P,…] and writes their result with the bias and the maps of the epilogue. The dimensions of the result are in an order of those of the kernel.
func (c *convolution) sumOfParts(temporary *scratch, sums *weft.Tensor, out weft.TensorView, memory []int) (s partsSum, err error) {
	part, err := sums.Layout().Select(0, 0)
	if err != nil {
		return s, err
	}
	layouts := []layout.Layout{part, out.Layout}
	if c.hasBias {
		bias, err := c.biasOf(out.Layout, memory)
		if err != nil {
			return s, err
		}
		layouts = []layout.Layout{part, bias, out.Layout}
	}
	layouts = elementwise.Merge(layouts)
	last := len(layouts) - 1
	switch rank := layouts[last].Rank(); {
	case rank > kernels.MaxSumRank:
		dense := temporary.keep(weft.Empty(out.Tensor.Device(), out.Tensor.DType(), out.Layout.Shape()...))
		to := temporary.keep(out.Tensor.AsStrided(out.Layout))
		if temporary.err != nil {
			return s, temporary.err
		}
		s, err = c.sumOfParts(temporary, sums, weft.TensorView{Tensor: dense, Layout: dense.Layout()}, memory)
		s.dense, s.out = dense, to
		return s, err
	case rank == 1:
		for i, l := range layouts {
			if layouts[i], err = l.Reshape(1, l.Len()); err != nil {
				return s, err
			}
		}
	}
	rank := layouts[last].Rank()
	s.cfg = kernels.SumPartsConfigFor(out.Tensor.Device().Caps(), out.Tensor.DType(), layouts[last].Size(rank-2), layouts[last].Size(rank-1), sums.Dim(0))
	s.cfg.Sum, s.cfg.Batch = sums.DType(), rank-2
	first := layouts[0]
	parts, err := layout.Strided(append([]int{sums.Dim(0)}, first.Shape()...), append([]int{part.Len()}, first.Strides()...), first.Offset())
	if err != nil {
		return s, err
	}
	steps := c.steps[:c.fused]
	s.views = []weft.TensorView{{Tensor: sums, Layout: parts}}
	if c.hasBias {
		var bias layout.Layout
		s.cfg.Epilogue.Inputs[0], bias = kernels.BroadcastOf(c.bias.DType(), layouts[1])
		s.views, steps = append(s.views, weft.TensorView{Tensor: c.bias, Layout: bias}), append([]*weft.Map{AddMap}, steps...)
	}
	copy(s.cfg.Epilogue.Steps[:], steps)
	s.views = append(s.views, weft.TensorView{Tensor: out.Tensor, Layout: layouts[last]})
	return s, nil
}

// biasOf is the layout of the bias, broadcast to the result's, whose dimensions are in an order of those of the kernel.
func (c *convolution) biasOf(out layout.Layout, memory []int) (layout.Layout, error) {
	step := c.bias.Layout().Stride(0)
	strides := make([]int, out.Rank())
	for i, d := range memory {
		switch {
		case d == 1 && !c.Volume.Is():
			strides[i] = step * c.GroupFilters()
		case d == 1 || d == 2 && !c.Volume.Is():
			strides[i] = step
		}
	}
	return layout.Strided(out.Shape(), strides, c.bias.Layout().Offset())
}
