package kernels

import (
	"math"
	"strconv"
	"strings"

	"github.com/weftgpu/weft/tune"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

// Conv2DShape is what a config for a convolution is chosen for.
type Conv2DShape struct {
	Images, Channels, Height, Width int    // of x
	Filters                         int    // channels of the result
	Kernel                          [2]int // rows and columns
	Stride, Dilation                [2]int // down and across
	Padding                         [4]int // top, bottom, left, right
	Groups                          int
	ChannelsLast                    bool // channels, and not columns, are neighbours in memory

	Volume ConvVolume `json:",omitzero"` // of convolutions of volumes
}

// ConvVolume is the first of three spatial dimensions, before rows and columns. It is zero for images.
type ConvVolume struct {
	ConvDepth
	Depth   int    // of x
	Padding [2]int // in front and at the back
}

// ConvDepth is how a kernel moves along it.
type ConvDepth struct {
	Kernel, Stride, Dilation int

	// Channels of x and filters in each group, in the configs that kernels are built for, if there are several groups: no dimension of a view tells.
	Channels, Filters int
}

// InGroups is the depth with what a kernel has to know of several groups.
func (d ConvDepth) InGroups(groups, channels, filters int) ConvDepth {
	if d.Is() && groups > 1 {
		d.Channels, d.Filters = channels, filters
	}
	return d
}

// Is reports whether there is such a dimension.
func (d ConvDepth) Is() bool { return d != ConvDepth{} }

// Result is the depth of the result, 1 for images.
func (v ConvVolume) Result() int {
	if !v.Is() {
		return 1
	}
	if padded, span := v.Depth+v.Padding[0]+v.Padding[1], v.Dilation*(v.Kernel-1)+1; padded >= span {
		return (padded-span)/v.Stride + 1
	}
	return 0
}

// Positions is how many elements a kernel has for each channel.
func (s Conv2DShape) Positions() int { return positions(s.Kernel, s.Volume.ConvDepth) }

func positions(kernel [2]int, depth ConvDepth) int {
	return max(depth.Kernel, 1) * kernel[0] * kernel[1]
}

// PlanePixels is how many pixels the result has for each image, or volume, and filter.
func (s Conv2DShape) PlanePixels() int {
	rows, columns := s.Result()
	return s.Volume.Result() * rows * columns
}

// Pixels is how many pixels the result has for each filter.
func (s Conv2DShape) Pixels() int { return s.Images * s.PlanePixels() }

// imageElements is how many elements x has.
func (s Conv2DShape) imageElements() int {
	n := s.Images * s.Channels * s.Height * s.Width
	if s.Volume.Is() {
		n *= s.Volume.Depth
	}
	return n
}

// Result is the number of rows and columns of the result.
func (s Conv2DShape) Result() (rows, columns int) {
	size := func(n, d int) int {
		span := s.Dilation[d]*(s.Kernel[d]-1) + 1
		if padded := n + s.Padding[2*d] + s.Padding[2*d+1]; padded >= span {
			return (padded-span)/s.Stride[d] + 1
		}
		return 0
	}
	return size(s.Height, 0), size(s.Width, 1)
}

// Terms is the number of products that an element of the result is the sum of.
func (s Conv2DShape) Terms() int { return s.Channels / s.Groups * s.Positions() }

// GroupFilters is how many filters one group has.
func (s Conv2DShape) GroupFilters() int { return s.Filters / s.Groups }

// GroupChannels is how many channels one group has.
func (s Conv2DShape) GroupChannels() int { return s.Channels / s.Groups }

// PackedChannels is how many channels a group has in a copy of x whose channels are neighbours: with zeros up to pieces of 16 bytes.
func (s Conv2DShape) PackedChannels(elem weft.DType) int {
	piece := accessBytes / elem.Size()
	return CeilDiv(s.GroupChannels(), piece) * piece
}

// packedBytes is what such a copy reads and writes.
func (s Conv2DShape) packedBytes(elem weft.DType) float64 {
	return float64(elem.Size()*s.imageElements()/max(s.Channels, 1)) * float64(s.Channels+s.Groups*s.PackedChannels(elem))
}

// scattered reports whether the channels of a group are not neighbours in pieces of 16 bytes.
func (s Conv2DShape) scattered(elem weft.DType) bool {
	return s.GroupChannels() > 0 && (!s.ChannelsLast || s.PackedChannels(elem) != s.GroupChannels())
}

// Rearranges reports whether a convolution of images, or of volumes, copies them first so that channels are neighbours, whatever the kernel: several convolutions of the
// same ones do well to share a copy.
func (s Conv2DShape) Rearranges(caps target.Caps, elem weft.DType) bool {
	return s.scattered(elem) && s.PackedChannels(elem) == s.GroupChannels() && newMatMulConfig(elem, 0).IsMatrix(caps) && caps.AsyncCopy
}

// padded reports whether there is any padding.
func (s Conv2DShape) padded() bool { return s.Padding != [4]int{} || s.Volume.Padding != [2]int{} }

// Pointwise reports whether each pixel of the result comes from one pixel of x, the same one.
func (s Conv2DShape) Pointwise() bool {
	return !s.Volume.Is() && s.Kernel == [2]int{1, 1} && s.Stride == [2]int{1, 1} && !s.padded()
}

// Patches reports whether pixels of the result share no pixels of x.
func (s Conv2DShape) Patches() bool {
	return !s.Volume.Is() && s.Dilation == [2]int{1, 1} && s.Stride[0] >= s.Kernel[0] && s.Stride[1] >= s.Kernel[1]
}

// Check checks how the kernel moves over the images. Coordinates within a padded image, and pixels of a
// result's plane, must be numbers that kernels count with.
func (s Conv2DShape) Check(op string) error {
	sizes, kernel, stride, dilation, padding := s.lists()
	for _, x := range []struct {
		name   string
		values []int
		least  int
	}{{"weight", kernel, 1}, {"stride", stride, 1}, {"dilation", dilation, 1}, {"padding", padding, 0}} {
		for _, v := range x.values {
			switch {
			case v < x.least:
				return fault.New(weft.ErrArgument, op, "%v, want at least %d", x.values, x.least).For(x.name)
			case v > math.MaxInt32:
				return fault.New(weft.ErrLimit, op, "%v, want at most 2^31-1", x.values).For(x.name)
			}
		}
	}
	for d, n := range sizes {
		padded := int64(min(n, math.MaxInt32)) + int64(padding[2*d]) + int64(padding[2*d+1])
		span := int64(dilation[d])*int64(kernel[d]-1) + 1
		switch {
		case padded > math.MaxInt32/2:
			return fault.New(weft.ErrLimit, op, "%s with padding %v, want sides below 2^30", named(sizes), padding).For("x")
		case padded < span:
			return fault.New(weft.ErrShape, op, "a kernel of %v with dilation %v does not fit into %s with padding %v", kernel, dilation, named(sizes), padding).For("weight")
		}
	}
	if p, q := s.Result(); int64(p)*int64(q) > MaxPixels || int64(p)*int64(q)*int64(s.Volume.Result()) > MaxPixels {
		of := []int{p, q}
		if s.Volume.Is() {
			of = []int{s.Volume.Result(), p, q}
		}
		return fault.New(weft.ErrLimit, op, "a result of %s pixels, want at most 2^30", By(of)).For("out")
	}
	return nil
}

// lists are the spatial sizes of x and how the kernel moves over them, the padding before and after each.
func (s Conv2DShape) lists() (sizes, kernel, stride, dilation, padding []int) {
	sizes, kernel, stride, dilation, padding = []int{s.Height, s.Width}, s.Kernel[:], s.Stride[:], s.Dilation[:], s.Padding[:]
	if v := s.Volume; v.Is() {
		sizes, kernel = append([]int{v.Depth}, sizes...), append([]int{v.Kernel}, kernel...)
		stride, dilation, padding = append([]int{v.Stride}, stride...), append([]int{v.Dilation}, dilation...), append(v.Padding[:], padding...)
	}
	return sizes, kernel, stride, dilation, padding
}

// named is an image, or a volume, of sizes.
func named(sizes []int) string {
	if len(sizes) == 3 {
		return "a volume of " + By(sizes)
	}
	return "an image of " + By(sizes)
}

// By lists sizes as 2 × 3.
func By(sizes []int) string {
	text := make([]string, len(sizes))
	for i, n := range sizes {
		text[i] = strconv.Itoa(n)
	}
	return strings.Join(text, " × ")
}

// CheckTerms checks that what is summed can be counted.
func (s Conv2DShape) CheckTerms(op string) error {
	if s.GroupChannels() > math.MaxInt32/s.Positions() {
		return fault.New(weft.ErrLimit, op, "sums over %d channels and a kernel of %v, want at most 2^31-1 products", s.GroupChannels(), s.Kernel).For("x")
	}
	return nil
}

// MaxPixels is how many pixels an image of the result has.
const MaxPixels = 1 << 30

// ByPosition reports whether columns have channels next to channels where x has: copying runs of channels is fast, but
// weights have to be copied, too, which is more than the columns where filters are more than pixels.
func (s Conv2DShape) ByPosition(caps target.Caps) bool {
	return s.ChannelsLast && s.Kernel != [2]int{1, 1} && (caps.WholeTiles || 2*s.Pixels() >= s.GroupFilters())
}

// UnalignedPlanes reports whether images are better copied to have their channels last before they are multiplied as
// they are: where tensor maps copy operands of matrix instructions, but not rows of pixels, which do not begin at
// multiples of 16 bytes.
func (s Conv2DShape) UnalignedPlanes(caps target.Caps, elem weft.DType) bool {
	size, plane := elem.Size(), s.Height*s.Width
	return caps.TensorMaps && newMatMulConfig(elem, 0).IsMatrix(caps) && s.Pointwise() && !s.ChannelsLast &&
		plane > 1 && plane*size%16 != 0 && s.GroupChannels() > 0 && s.GroupChannels()*size%16 == 0
}

// LengthensChannels reports whether columns are of a copy of x with zeros for a few channels more: where tensor maps copy operands of matrix instructions, but not
// rows of columns that do not begin at multiples of 16 bytes. (BF16 2×439×19×19 by 919 filters of 7 × 7 on an H100: 368 µs without, 137 with copies.)
func (s Conv2DShape) LengthensChannels(caps target.Caps, elem weft.DType) bool {
	channels, packed := s.GroupChannels(), s.PackedChannels(elem)
	return caps.TensorMaps && newMatMulConfig(elem, 0).IsMatrix(caps) && s.ByPosition(caps) && channels != packed && 8*packed <= 9*channels
}

// FilterByFilter reports whether weights that are copied for a product of matrices keep the order of their filters:
// copies then move elements within a filter alone, and instructions of warpgroups read operands along either
// dimension.
func FilterByFilter(caps target.Caps, elem weft.DType) bool {
	return caps.WarpGroups && newMatMulConfig(elem, 0).IsMatrix(caps)
}

// ImagesOrder is the order of the dimensions of images [N,C,H,W] in memory, the fastest last.
func (s Conv2DShape) ImagesOrder() []int {
	switch {
	case s.Volume.Is() && s.ChannelsLast:
		return []int{0, 2, 3, 4, 1}
	case s.Volume.Is():
		return []int{0, 1, 2, 3, 4}
	case s.ChannelsLast:
		return []int{0, 2, 3, 1}
	}
	return []int{0, 1, 2, 3}
}

// ImagesView is the view of images [N,C,H,W], or volumes [N,C,D,H,W], in the order of a shape.
func (s Conv2DShape) ImagesView(n, channels, depth, rows, columns int) tune.View {
	v := tune.View{Unit: true, Align: 1}
	sizes := []int{n, channels, rows, columns}
	if s.Volume.Is() {
		sizes = []int{n, channels, depth, rows, columns}
	}
	v.Rank = int8(copy(v.Size[:], sizes))
	for i, d := range s.ImagesOrder() {
		v.Order[i] = int8(d)
	}
	run := columns
	if s.ChannelsLast {
		run = channels
	}
	for v.Align < 16 && run%int(2*v.Align) == 0 {
		v.Align *= 2
	}
	return v
}
