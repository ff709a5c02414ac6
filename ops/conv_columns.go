package ops

import (
	"cmp"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

// maxWorkspace is how many bytes of columns there are at a time. It is changed by tests alone.
var maxWorkspace = kernels.Workspace

// launchColumns computes the convolution as MatMul's product of weights and columns, some images at a time.
func (c *convolution) launchColumns(out *weft.Tensor) error {
	var temporary scratch
	defer temporary.close()
	switch caps, elem := c.x.Device().Caps(), c.x.DType(); {
	case c.Planes(caps, elem):
		c = c.copied(&temporary, false)
	case c.UnalignedPlanes(caps, elem):
		c = c.copied(&temporary, true)
	case c.LengthensChannels(caps, elem):
		c = c.withLongerChannels(&temporary)
	}
	if temporary.err != nil {
		return temporary.err
	}
	return c.multiplyColumns(&temporary, out, c.ByPosition(c.x.Device().Caps()))
}

// multiplyColumns is launchColumns in either order of the columns.
func (c *convolution) multiplyColumns(temporary *scratch, out *weft.Tensor, byPosition bool) error {
	y, dense, images := c.resultMatrices(temporary, out)
	columns, step, fill := c.columnMatrices(temporary, byPosition)
	weights := c.weights(temporary, byPosition, eitherInRuns, 1, c.Groups, c.GroupFilters(), c.Terms())
	if temporary.err != nil {
		return temporary.err
	}
	err := c.eachPart(step, 1, func(from, to int) error {
		if err := fill(from, to); err != nil {
			return err
		}
		x, part := columns, temporary.keep(y.Slice(0, from, to))
		if to-from < columns.Dim(0) {
			x = temporary.keep(columns.Slice(0, 0, to-from))
		}
		if temporary.err != nil {
			return temporary.err
		}
		return c.product(part, weights, x)
	})
	if err != nil || dense == nil {
		return err
	}
	return images.CopyFrom(dense)
}

// copied is the convolution of a copy of x with its channels last, or first.
func (c *convolution) copied(temporary *scratch, last bool) *convolution {
	x := c.ordered(temporary, c.x)
	if last && temporary.err == nil {
		x = temporary.keep(x.Permute(0, 2, 3, 1))
	}
	if temporary.err != nil {
		return nil
	}
	other := *c
	other.x, other.ChannelsLast = temporary.keep(x.Contiguous()), last
	switch {
	case temporary.err != nil || last == c.nhwc:
	case last:
		other.x = temporary.keep(other.x.Permute(0, 3, 1, 2))
	default:
		other.x = temporary.keep(other.x.Permute(0, 2, 3, 1))
	}
	return &other
}

// resultMatrices are the result as matrices [N,G,O/G,P·Q]; where its layout has none, those of a dense workspace, from which
// images, the result, are to be copied.
func (c *convolution) resultMatrices(temporary *scratch, out *weft.Tensor) (y, dense, images *weft.Tensor) {
	p, q := c.Result()
	shape := []int{c.Images, c.Groups, c.GroupFilters(), p * q}
	images = c.ordered(temporary, out)
	if y, err := temporary.try(images.Reshape(shape...)); err == nil {
		return y, nil, images
	}
	dense = temporary.keep(weft.Empty(out.Device(), out.DType(), images.Shape()...))
	return temporary.keep(dense.Reshape(shape...)), dense, images
}

// columnMatrices are the columns of a number of images as matrices [N,G,C/G·KH·KW,P·Q], and what fills them; the sums
// go over the positions of all channels, or over the channels at all positions. Columns are in memory in the order of x, so that
// copying them is copying runs: of pixels, of channels or, where pixels share nothing, of
// the kernel's positions. If all pixels are their own columns, they are x.
func (c *convolution) columnMatrices(temporary *scratch, byPosition bool) (columns *weft.Tensor, step int, fill func(from, to int) error) {
	p, q := c.Result()
	if c.Pointwise() {
		x := c.ordered(temporary, c.x)
		if columns, err := temporary.try(x.Reshape(c.Images, c.Groups, c.GroupChannels(), p*q)); err == nil {
			return columns, c.Images, func(int, int) error { return nil }
		}
	}
	sizes := []int{0, c.Groups, c.GroupChannels(), c.Kernel[0] * c.Kernel[1], p * q}
	perImage := c.Channels * sizes[3] * sizes[4] * c.x.DType().Size()
	workspace := maxWorkspace
	if caps := c.x.Device().Caps(); caps.WholeTiles { // the product reads them from a cache
		workspace = min(workspace, int(caps.Facts().L2)/2)
	}
	step = min(max(workspace/max(perImage, 1), 1), c.Images)
	sizes[0] = step
	order := [5]int{0, 1, 2, 3, 4} // of those dimensions in memory
	switch {
	case byPosition:
		order = [5]int{0, 4, 1, 3, 2}
	case c.Patches() || c.ChannelsLast:
		order = [5]int{0, 4, 1, 2, 3}
	}
	memory, back := make([]int, 5), inverse(order[:])
	for i, d := range order {
		memory[i] = sizes[d]
	}
	space := temporary.keep(weft.Empty(c.x.Device(), c.x.DType(), memory...))
	views := temporary.keep(space.Permute(back...))
	summed := slices.Clone(back)
	if byPosition {
		summed[2], summed[3] = summed[3], summed[2]
	}
	columns = temporary.keep(space.Permute(summed...))
	columns = temporary.keep(columns.Reshape(step, c.Groups, c.Terms(), p*q))
	return columns, step, func(from, to int) error {
		x := temporary.keep(c.x.Slice(0, from, to))
		l, err := views.Layout().Slice(0, 0, to-from, 1)
		if err = cmp.Or(temporary.err, err); err != nil || l.Len() == 0 { // an image without pixels has columns, of zeros
			return err
		}
		return c.columns(x, weft.TensorView{Tensor: space, Layout: l}, order)
	}
}

// product writes weights @ columns with the bias and the maps of the epilogue. A result whose runs in memory are of filters is
// the product of the transposed matrices.
func (c *convolution) product(out, weights, columns *weft.Tensor) error {
	var temporary scratch
	defer temporary.close()
	bias := []int{1, c.Groups, c.GroupFilters(), 1}
	a, b := weights, columns
	tiles := MatMulConfig{BM: c.tiles.BO, BN: c.tiles.BP, BK: c.tiles.BK, Threads: c.tiles.Threads, Stages: c.tiles.Stages, SplitK: c.tiles.Parts}
	if l := out.Layout(); l.Size(3) > 1 && l.Stride(2) < l.Stride(3) {
		bias[2], bias[3] = bias[3], bias[2]
		tiles.BM, tiles.BN = tiles.BN, tiles.BM
		a, b, out = columns.T(), weights.T(), out.T()
		temporary.tensors = append(temporary.tensors, a, b, out)
	}
	options := []MatMulOption{Tiles(tiles)}
	if c.hasBias {
		options = append(options, Bias(temporary.keep(c.bias.Reshape(bias...))))
	}
	if temporary.err != nil {
		return temporary.err
	}
	for _, m := range c.steps[:c.fused] {
		options = append(options, Fuse(m))
	}
	return MatMulInto(out, a, b, options...)
}

// ordered is x or the result with its dimensions in the order [N,C,H,W].
func (c *convolution) ordered(temporary *scratch, t *weft.Tensor) *weft.Tensor {
	if !c.nhwc {
		return t
	}
	return temporary.keep(t.Permute(c.channelsFirst(t.Rank())...))
}

// weights are the weights [G,O/G,C/G·KH·KW], or [G,O/G,KH·KW,C/G] with byPosition, in another shape. They are copied where memory does
// not have them so, or not contiguous as kernels need them.
func (c *convolution) weights(temporary *scratch, byPosition bool, inRuns weightRuns, shape ...int) *weft.Tensor {
	if temporary.err != nil {
		return nil // before anything is copied
	}
	if v, err := c.viewWeights(temporary, c.weight, byPosition); err == nil && (v.Len() == 0 || inRuns.hold(v.Layout())) {
		if v, err = temporary.try(v.Reshape(shape...)); err == nil {
			return v
		}
	}
	if inRuns == channelsInRuns {
		return c.copiedWeights(temporary, byPosition, true, shape...)
	}
	filterByFilter := inRuns >= eitherInRuns && kernels.FilterByFilter(c.x.Device().Caps(), c.x.DType())
	if inRuns == wholePieces && !filterByFilter {
		return c.lengthenedWeights(temporary, byPosition, shape)
	}
	return c.copiedWeights(temporary, byPosition, filterByFilter, shape...)
}

// copiedWeights are copies whose neighbours are filters or, filter by filter, channels.
func (c *convolution) copiedWeights(temporary *scratch, byPosition, filterByFilter bool, shape ...int) *weft.Tensor {
	order, back := []int{1, 2, 3, 0}, []int{3, 0, 1, 2}
	switch {
	case byPosition && filterByFilter:
		order, back = []int{0, 2, 3, 1}, []int{0, 3, 1, 2}
	case byPosition:
		order, back = []int{2, 3, 1, 0}, []int{3, 2, 0, 1}
	}
	t := temporary.keep(c.weight.Permute(order...))
	t = temporary.keep(t.Contiguous())
	t = temporary.keep(t.Permute(back...))
	t = temporary.keep(c.viewWeights(temporary, t, byPosition))
	return temporary.keep(t.Reshape(shape...))
}

// weightRuns is what has to be contiguous in the layout of weights.
type weightRuns uint8

const (
	anything weightRuns = iota
	channelsInRuns
	filtersInRuns // of groups, where those have one filter each
	eitherInRuns  // filters, or what is summed over: a product of matrices reads both by tiles
	wholePieces   // either, and copies may have more filters, of zeros
)

// hold reports whether a layout has such runs.
func (r weightRuns) hold(l layout.Layout) bool {
	filters := l.Stride(1) == 1 || l.Size(1) == 1 && l.Stride(0) == 1
	channels := l.Stride(l.Rank()-1) == 1
	if r == channelsInRuns {
		return channels
	}
	return r == anything || filters || r >= eitherInRuns && channels
}

func (c *convolution) viewWeights(temporary *scratch, t *weft.Tensor, byPosition bool) (*weft.Tensor, error) {
	if !byPosition {
		return temporary.try(t.Reshape(c.Groups, c.GroupFilters(), c.Terms()))
	}
	t, err := temporary.try(t.Reshape(c.Groups, c.GroupFilters(), c.GroupChannels(), c.Positions()))
	if err != nil {
		return nil, err
	}
	return temporary.try(t.Permute(0, 1, 3, 2))
}

// scratch are tensors to be closed together, and the first error of those that could not be made.
type scratch struct {
	tensors []*weft.Tensor
	err     error
}

// keep notes a tensor, or the error: the tensor is nil then.
func (s *scratch) keep(t *weft.Tensor, err error) *weft.Tensor {
	t, err = s.try(t, err)
	if s.err == nil {
		s.err = err
	}
	return t
}

// try is keep for an error that there is another way around.
func (s *scratch) try(t *weft.Tensor, err error) (*weft.Tensor, error) {
	if err != nil {
		return nil, err
	}
	s.tensors = append(s.tensors, t)
	return t, nil
}

func (s *scratch) close() {
	for _, t := range s.tensors {
		t.Close()
	}
}
