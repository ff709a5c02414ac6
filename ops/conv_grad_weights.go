package ops

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// launchWeights computes the gradient of weights: on the CPU, where products of matrices in memory are fast, of images by columns, else by
// a kernel that gathers them.
func (c *convGrad) launchWeights(out *weft.Tensor, in []*weft.Tensor) error {
	x, dy := in[0], in[1]
	if c.Pixels() == 0 || c.Channels == 0 {
		return out.Fill(0)
	}
	if c.dims == 1 {
		var made scratch
		defer made.close()
		lines := *c
		lines.dims = 2
		x, dy = made.keep(x.Unsqueeze(c.spatialAxis())), made.keep(dy.Unsqueeze(c.spatialAxis()))
		out = made.keep(out.Unsqueeze(2))
		if made.err != nil {
			return made.err
		}
		return lines.launchWeights(out, []*weft.Tensor{x, dy})
	}
	if x.Device().Caps().WholeTiles && !c.Volume.Is() {
		return c.multiplyWeights(out, x, dy)
	}
	g := gradWeights{convolution: c.convolution, dy: dy}
	g.x = x
	p := kernels.ConvGradProblem{Elem: x.DType(), Shape: c.Conv2DShape, X: tune.StridesOf(c.nchw(x), c.ImagesOrder()...)}
	return g.run(pick(convGradTune, x.Device(), p), out)
}

// gradWeights is a gradient of weights by a kernel: x and dy are copied, some images at a time, so that channels and filters are neighbours, where that is
// worth it, and programs that share the pixels leave parts of the sums, to which those of the next images are added.
type gradWeights struct {
	convolution
	dy    *weft.Tensor
	cfg   kernels.ConvGradConfig
	parts *weft.Tensor // [P,G,O/G,KH·KW·C/G]
}

// run computes the gradient by a config.
func (g *gradWeights) run(cfg kernels.ConvGradConfig, out *weft.Tensor) error {
	var made scratch
	defer made.close()
	g.cfg = cfg
	if _, err := kernels.ConvWeightGrad.Build(cfg.ForKernel(g.Conv2DShape)); err != nil { // before anything is copied
		return err
	}
	g.x, g.dy = g.planesInRows(&made, g.x), g.planesInRows(&made, g.dy)
	g.parts = made.keep(weft.Empty(out.Device(), out.DType().Accumulator(), cfg.Parts, g.Groups, g.GroupFilters(), cfg.Channels*g.Positions()))
	if made.err != nil {
		return made.err
	}
	perImage := max(g.PlanePixels()*max(g.Filters, 1), g.Groups*cfg.Channels*product(g.spatialSizes())) * g.x.DType().Size()
	step := min(max(maxWorkspace/max(perImage, 1), 1), max(kernels.MaxPixels/max(g.PlanePixels(), 1), 1))
	if err := g.eachPart(step, 1, g.addImages); err != nil {
		return err
	}
	return g.sumParts(&made, out)
}

// planesInRows is a tensor whose planes are rows below one another, since copies have no more dimensions than that: a copy of volumes that are not.
func (g *gradWeights) planesInRows(made *scratch, t *weft.Tensor) *weft.Tensor {
	if l := g.nchw(t); !g.Volume.Is() || made.err != nil || l.Stride(2) == l.Size(3)*l.Stride(3) {
		return t
	}
	return made.keep(t.Contiguous())
}

// addImages adds what some images give to the parts, which the first ones begin.
func (g *gradWeights) addImages(from, to int) error {
	var made scratch
	defer made.close()
	x, err := g.imagesOf(&made, from, to)
	if err != nil {
		return err
	}
	dy, err := g.gradientsOf(&made, from, to)
	if err != nil {
		return err
	}
	cfg := g.cfg.ForKernel(g.Conv2DShape)
	cfg.Adds = from > 0
	p, q := g.Result()
	scalars := slices.Concat(weft.Scalars{g.Padding[0], g.Padding[2]}, kernels.Divisor(p), kernels.Divisor(q))
	if v := g.Volume; v.Is() {
		scalars = append(append(scalars, v.Padding[0]), kernels.Divisor(v.Result())...)
	}
	return kernels.ConvWeightGrad.LaunchViews(cfg, scalars, x, dy, view(g.parts))
}

// imagesOf are images as the kernel has them: x, or a copy of them.
func (g *gradWeights) imagesOf(made *scratch, from, to int) (weft.TensorView, error) {
	if !g.cfg.Packed {
		l, err := g.grouped(g.nchw(g.x))
		if err == nil {
			l, err = l.Slice(0, from, to, 1)
		}
		return weft.TensorView{Tensor: g.x, Layout: l}, err
	}
	copies := made.keep(weft.Empty(g.x.Device(), g.x.DType(), g.packedShape(to-from, g.Groups, g.cfg.Channels)...))
	if made.err != nil {
		return weft.TensorView{}, made.err
	}
	rows, err := lastInGroups(g.nchw(g.x), g.Groups)
	if err == nil {
		rows, err = rows.Slice(0, from, to, 1)
	}
	if err == nil {
		err = lengthened(copies, weft.TensorView{Tensor: g.x, Layout: rows})
	}
	if err != nil {
		return weft.TensorView{}, err
	}
	l, err := copies.Layout().Reshape(g.packedShape(to-from, g.Groups*g.cfg.Channels)...)
	if err == nil {
		l, err = l.Permute(channelsToFront(l.Rank())...)
	}
	if err == nil {
		l, err = g.grouped(l)
	}
	return weft.TensorView{Tensor: copies, Layout: l}, err
}

// grouped divides the channels of images into groups.
func (g *gradWeights) grouped(l layout.Layout) (layout.Layout, error) {
	if g.Volume.Is() {
		return l, nil
	}
	return split(l, 1, g.Groups)
}

// lastInGroups is a layout [N,C,…] as [N,…,G,C/G].
func lastInGroups(l layout.Layout, groups int) (layout.Layout, error) {
	l, err := split(l, 1, groups)
	if err != nil {
		return l, err
	}
	order := []int{0}
	for d := 3; d < l.Rank(); d++ {
		order = append(order, d)
	}
	return l.Permute(append(order, 1, 2)...)
}

// gradientsOf are the gradients of results as a matrix [pixels,G,O/G] whose filters are neighbours, in rows that begin at multiples of 16 bytes: dy, or a copy.
func (g *gradWeights) gradientsOf(made *scratch, from, to int) (weft.TensorView, error) {
	rows, err := lastInGroups(g.nchw(g.dy), g.Groups)
	if err == nil {
		rows, err = rows.Slice(0, from, to, 1)
	}
	if err != nil {
		return weft.TensorView{}, err
	}
	pixels, filters := (to-from)*g.PlanePixels(), g.GroupFilters()
	if l, err := rows.Reshape(pixels, g.Groups, filters); err == nil && (l.Stride(2) == 1 || filters == 1) {
		return weft.TensorView{Tensor: g.dy, Layout: l}, nil
	}
	last := up(filters, copyBytes/g.dy.DType().Size())
	copies := made.keep(weft.Empty(g.dy.Device(), g.dy.DType(), append(rows.Shape()[:rows.Rank()-1], last)...))
	if made.err != nil {
		return weft.TensorView{}, made.err
	}
	if err := lengthened(copies, weft.TensorView{Tensor: g.dy, Layout: rows}); err != nil {
		return weft.TensorView{}, err
	}
	l, err := copies.Layout().Reshape(pixels, g.Groups, last)
	if err == nil {
		l, err = l.Slice(2, 0, filters, 1)
	}
	return weft.TensorView{Tensor: copies, Layout: l}, err
}

// sumParts adds the parts, in their order, and puts the channels before the positions of the kernel.
func (g *gradWeights) sumParts(made *scratch, out *weft.Tensor) error {
	shape := []int{g.Filters, g.GroupChannels(), g.Positions()}
	to, err := made.try(out.Reshape(shape...))
	dense := (*weft.Tensor)(nil)
	if err != nil {
		dense = made.keep(weft.Empty(out.Device(), out.DType(), out.Shape()...))
		if made.err == nil {
			to = made.keep(dense.Reshape(shape...))
		}
	}
	if made.err != nil {
		return made.err
	}
	l, err := to.Layout().Permute(0, 2, 1)
	if err != nil {
		return err
	}
	from, err := g.parts.Layout().Reshape(g.cfg.Parts, g.Filters, g.Positions(), g.cfg.Channels)
	if err == nil {
		from, err = from.Slice(3, 0, g.GroupChannels(), 1)
	}
	if err != nil {
		return err
	}
	cfg := kernels.SumPartsConfigFor(out.Device().Caps(), out.DType(), g.Filters*g.Positions(), g.GroupChannels(), g.cfg.Parts)
	cfg.Sum = out.DType().Accumulator()
	cfg.Batch, cfg.BM = 1, min(cfg.BM, pow2.Ceil(g.Positions()))
	if err := kernels.SumParts.LaunchViews(cfg, nil, weft.TensorView{Tensor: g.parts, Layout: from}, weft.TensorView{Tensor: to, Layout: l}); err != nil || dense == nil {
		return err
	}
	return out.CopyFrom(dense)
}

// product is that of sizes.
func product(sizes []int) int {
	n := 1
	for _, size := range sizes {
		n *= size
	}
	return n
}

var convGradTune = space[convGradTrials]("conv_weight_grad")

type convGradTrials struct{}

func (convGradTrials) Trial(p kernels.ConvGradProblem, r *trialTensors, rule kernels.ConvGradConfig) (*tune.Trial[kernels.ConvGradConfig], error) {
	s := p.Shape
	rows, columns := s.Result()
	x := r.filled(p.Elem, s.ImagesView(s.Images, s.Channels, s.Volume.Depth, s.Height, s.Width).With(p.X))
	dy := r.filled(p.Elem, s.ImagesView(s.Images, s.Filters, s.Volume.Result(), rows, columns))
	out := r.dense(p.Elem, s.Filters, s.GroupChannels(), s.Positions()/s.Kernel[1], s.Kernel[1])
	run := func(cfg kernels.ConvGradConfig) error {
		g := gradWeights{convolution: convolution{Conv2DShape: s, x: x}, dy: dy}
		return g.run(cfg, out)
	}
	bound := bounds.MatMulSum(tile.IEEE, s.Pixels(), float64(s.Pixels()))
	return newTrial(r, rule, run, within(p.Elem, bound), out)
}
