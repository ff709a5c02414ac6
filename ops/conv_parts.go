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

// inParts reports whether the programs of a config may share the reductions of a convolution: the second kernel has room for the epilogue, and counts all sums.
func (c *convolution) inParts(cfg Conv2DConfig, elements int) bool {
	if !cfg.Partial() || cfg.Algorithm != kernels.ConvImplicit || c.hasBias && c.fused == kernels.MaxSteps {
		return false
	}
	return elements > 0 && elements <= (math.MaxInt32-tile.MaxTileElements)/cfg.Parts
}

// launchParts launches the kernel, whose programs store parts of sums in a workspace, and what adds them. The views are the kernel's without parts.
func (c *convolution) launchParts(cfg Conv2DConfig, views []weft.TensorView) error {
	last := len(views) - 1
	out := views[last]
	memory := c.planesOrder(out.Layout.Rank())
	y, err := out.Layout.Permute(memory...)
	if err != nil {
		return err
	}
	elem := out.Tensor.DType().Accumulator()
	shape := append([]int{cfg.Parts}, y.Shape()...)
	sums, err := weft.Empty(out.Tensor.Device(), elem, shape...)
	if err != nil {
		return noRoom(c.op, elem, shape, err).For("out")
	}
	defer sums.Close()
	images := slices.Concat([]int{cfg.Parts * y.Size(0)}, y.Shape()[1:])
	into, err := sums.Layout().Reshape(images...)
	if err == nil {
		into, err = into.Permute(inverse(memory)...)
	}
	if err != nil {
		return err
	}
	operands := []weft.TensorView{views[0], views[1], {Tensor: sums, Layout: into}}
	if err := kernels.Conv2DImplicit.LaunchViews(cfg, c.kernelScalars(), operands...); err != nil {
		return err
	}
	return c.addParts(sums, weft.TensorView{Tensor: out.Tensor, Layout: y}, memory)
}

// planesOrder is the order in memory of the dimensions of a result with so many, images or volumes first.
func (c *convolution) planesOrder(rank int) []int {
	switch {
	case !c.ChannelsLast:
		return []int{0, 1, 2, 3, 4}[:rank]
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

// addParts adds parts of sums [P,…] and writes their result with the bias and the maps of the epilogue, whose dimensions are in an order.
func (c *convolution) addParts(sums *weft.Tensor, out weft.TensorView, memory []int) error {
	part, err := sums.Layout().Select(0, 0)
	if err != nil {
		return err
	}
	layouts := []layout.Layout{part, out.Layout}
	if c.hasBias {
		bias, err := c.biasOf(out.Layout, memory)
		if err != nil {
			return err
		}
		layouts = []layout.Layout{part, bias, out.Layout}
	}
	layouts = elementwise.Merge(layouts)
	last := len(layouts) - 1
	rank := layouts[last].Rank()
	if rank > kernels.MaxSumRank {
		return c.addPartsDensely(sums, out, memory)
	}
	for i, l := range layouts {
		if rank == 1 {
			layouts[i], err = l.Reshape(1, l.Len())
		}
		if err != nil {
			return err
		}
	}
	m, n := layouts[last].Size(max(rank, 2)-2), layouts[last].Size(max(rank, 2)-1)
	cfg := kernels.SumPartsConfigFor(out.Tensor.Device().Caps(), out.Tensor.DType(), m, n, sums.Dim(0))
	cfg.Sum, cfg.Batch = sums.DType(), max(rank, 2)-2
	parts := layouts[0]
	parts, err = layout.Strided(append([]int{sums.Dim(0)}, parts.Shape()...), append([]int{part.Len()}, parts.Strides()...), parts.Offset())
	if err != nil {
		return err
	}
	views, steps := []weft.TensorView{{Tensor: sums, Layout: parts}}, c.steps[:c.fused]
	if c.hasBias {
		var bias layout.Layout
		cfg.Epilogue.Inputs[0], bias = kernels.BroadcastOf(c.bias.DType(), layouts[1])
		views, steps = append(views, weft.TensorView{Tensor: c.bias, Layout: bias}), append([]*weft.Map{AddMap}, steps...)
	}
	copy(cfg.Epilogue.Steps[:], steps)
	return kernels.SumParts.LaunchViews(cfg, nil, append(views, weft.TensorView{Tensor: out.Tensor, Layout: layouts[last]})...)
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

// addPartsDensely is addParts of a result whose dimensions are too many for one kernel: it is copied from a dense one.
func (c *convolution) addPartsDensely(sums *weft.Tensor, out weft.TensorView, memory []int) error {
	var temporary scratch
	defer temporary.close()
	dense := temporary.keep(weft.Empty(out.Tensor.Device(), out.Tensor.DType(), out.Layout.Shape()...))
	to := temporary.keep(out.Tensor.AsStrided(out.Layout))
	if temporary.err != nil {
		return temporary.err
	}
	if err := c.addParts(sums, weft.TensorView{Tensor: dense, Layout: dense.Layout()}, memory); err != nil {
		return err
	}
	return to.CopyFrom(dense)
}
