package ops

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
)

// phase is what of a transposed convolution there is along a dimension at every stride-th position of the result, from one on.
type phase struct {
	from, count    int // positions of the result
	tap, step, n   int // elements of the kernel: the first one, from one to the next, and how many
	dilation       int
	before, after  int // padding of x
	cutLow, cutTop int // elements that are left out at its ends
}

// movement is how a kernel moves along a dimension of what is convolved.
type movement struct{ size, kernel, stride, dilation, before int }

// movements are those along the spatial dimensions.
func (c *convGrad) movements() []movement {
	v := c.Volume
	return []movement{
		{v.Depth, v.Kernel, v.Stride, v.Dilation, v.Padding[0]},
		{c.Height, c.Kernel[0], c.Stride[0], c.Dilation[0], c.Padding[0]},
		{c.Width, c.Kernel[1], c.Stride[1], c.Dilation[1], c.Padding[2]},
	}[maxSpatial-int(c.dims):]
}

// phases are those along a dimension, of n elements of x.
func (m movement) phases(n int) (list []phase) {
	common := gcd(m.stride, m.dilation)
	for from := range min(m.stride, m.size) {
		p := phase{from: from, count: (m.size - from + m.stride - 1) / m.stride, step: m.stride / common, dilation: m.dilation / common}
		for p.tap < min(m.kernel, p.step) && (from+m.before-p.tap*m.dilation)%m.stride != 0 {
			p.tap++
		}
		if p.tap < min(m.kernel, p.step) {
			p.n = (m.kernel - p.tap + p.step - 1) / p.step
			reach := (p.n - 1) * p.dilation
			low := reach - (from+m.before-p.tap*m.dilation)/m.stride
			high := p.count + reach - n - low
			p.before, p.cutLow, p.after, p.cutTop = max(low, 0), max(-low, 0), max(high, 0), max(-high, 0)
			if p.cutLow+p.cutTop >= n {
				p.n = 0
			}
		}
		list = append(list, p)
	}
	return list
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// launchTransposed convolves x by a part of the kernel for each choice of a phase along each dimension.
func (c *convGrad) launchTransposed(out *weft.Tensor, in []*weft.Tensor) error {
	first, chosen := c.spatialAxis(), [][]phase{nil}
	for d, m := range c.movements() {
		var longer [][]phase
		for _, list := range chosen {
			for _, p := range m.phases(in[0].Dim(first + d)) {
				longer = append(longer, append(slices.Clone(list), p))
			}
		}
		chosen = longer
	}
	made := scratch{}
	defer made.close()
	x := c.shared(&made, in[0], len(chosen))
	if made.err != nil {
		return made.err
	}
	to := out
	if x != in[0] && c.gathers(out, x, chosen) {
		to = made.keep(weft.Empty(x.Device(), x.DType(), append(append([]int{out.Dim(0)}, out.Shape()[2:]...), out.Dim(1))...))
		if made.err == nil {
			to = made.keep(to.Permute(channelsToFront(out.Rank())...))
		}
	}
	parts := make([]*weft.Tensor, len(chosen))
	if x.Len() > 0 && in[1].Len() > 0 {
		c.turnParts(&made, parts, in[1], chosen)
	}
	if made.err != nil {
		return made.err
	}
	for i, list := range chosen {
		if err := c.launchPhases(to, x, parts[i], list); err != nil {
			return err
		}
	}
	if to != out {
		return out.CopyFrom(to)
	}
	return nil
}

// gathers reports whether phases are written with channels next to each other, and then moved. Written in place, neighbours of a phase are a stride apart, and threads store
// them one by one. That is worth it where there is no room in a cache for what is moved, and the tiles of the convolution are so small that a unit works on others in the
// meantime; not where neighbouring threads have neighbouring channels, which are far apart. (F16 8×512×32×32 by 256 filters of 4 × 4, stride 2, on an H200: 232 µs in place, 95 with a
// copy; 16×512×2048 by 512 of 3: 253 and 161; 64×64×64×64 by 64 of 4 × 4: 206 and 229.)
func (c *convGrad) gathers(out, x *weft.Tensor, chosen [][]phase) bool {
	const smallTile = 1 << 13
	if c.nhwc || len(chosen) < 2 || out.Len() == 0 {
		return false
	}
	caps := x.Device().Caps()
	longest := chosen[0]
	for _, list := range chosen {
		if taps(list) > taps(longest) {
			longest = list
		}
	}
	cfg := kernels.Conv2DConfigFor(caps, x.DType(), c.phaseShape(longest))
	if cfg.Algorithm == kernels.ConvDirect {
		return false
	}
	return cfg.PixelsFirst || cfg.BO*cfg.BP > smallTile || 2*out.Len()*out.DType().Size() <= int(caps.Facts().L2)
}

// taps is how many positions of the kernel meet a phase.
func taps(list []phase) int {
	n := 1
	for _, p := range list {
		n *= p.n
	}
	return n
}

// phaseShape is the convolution of x, with its channels last, that a phase is.
func (c *convGrad) phaseShape(list []phase) kernels.Conv2DShape {
	s := c.Conv2DShape
	s.Channels, s.Filters, s.ChannelsLast = c.Filters, c.Channels, true
	s.Stride, s.Padding = [2]int{1, 1}, [4]int{}
	s.Height, s.Width = c.Result()
	last := len(list) - 1
	s.Kernel[1], s.Dilation[1], s.Padding[2], s.Padding[3] = list[last].n, list[last].dilation, list[last].before, list[last].after
	if last > 0 {
		p := list[last-1]
		s.Kernel[0], s.Dilation[0], s.Padding[0], s.Padding[1] = p.n, p.dilation, p.before, p.after
	}
	if v := &s.Volume; v.Is() {
		p := list[0]
		v.Depth, v.Stride, v.Kernel, v.Dilation, v.Padding = c.Volume.Result(), 1, p.n, p.dilation, [2]int{p.before, p.after}
	}
	return s
}

// shared is x for so many convolutions: a copy whose channels are neighbours where each of them would make one.
func (c *convGrad) shared(made *scratch, x *weft.Tensor, times int) *weft.Tensor {
	l := c.nchw(x)
	s := kernels.Conv2DShape{Channels: c.Filters, Groups: c.Groups, ChannelsLast: l.Stride(1) == 1}
	if times < 2 || x.Len() == 0 || !s.Rearranges(x.Device().Caps(), x.DType()) {
		return x
	}
	copied := made.keep(weft.Empty(x.Device(), x.DType(), append(append([]int{l.Size(0)}, l.Shape()[2:]...), l.Size(1))...))
	if made.err == nil && !c.nhwc {
		copied = made.keep(copied.Permute(channelsToFront(x.Rank())...))
	}
	if made.err == nil {
		made.err = copied.CopyFrom(x)
	}
	return copied
}

// launchPhases writes the elements of one phase along each dimension.
func (c *convGrad) launchPhases(out, x, part *weft.Tensor, list []phase) error {
	made := scratch{}
	defer made.close()
	to, from, first := out, x, c.spatialAxis()
	none := part == nil
	var sides, dilation []int
	for d, m := range c.movements() {
		p := list[d]
		if to = made.keep(to.SliceStep(first+d, p.from, m.size, m.stride)); made.err != nil {
			return made.err
		}
		sides, dilation = append(sides, p.before, p.after), append(dilation, p.dilation)
	}
	if none {
		return to.Fill(0)
	}
	for d, p := range list {
		if from = made.keep(from.Slice(first+d, p.cutLow, x.Dim(first+d)-p.cutTop)); made.err != nil {
			return made.err
		}
	}
	options := []Conv2DOption{Groups(c.Groups), PaddingSides(sides...), Dilation(dilation...)}
	if c.nhwc {
		options = append(options, ChannelsLast())
	}
	return ConvInto(to, from, part, options...)
}

// turnParts sets the parts of the kernel that meet phases, [C,O/G,…]; those that no element meets stay nil.
func (c *convGrad) turnParts(made *scratch, parts []*weft.Tensor, weight *weft.Tensor, chosen [][]phase) {
	together := !weight.Device().Caps().WholeTiles && c.Channels/c.Groups*weight.DType().Size()%copyBytes == 0
	var some [][]phase
	for i, list := range chosen {
		if taps(list) == 0 {
			continue
		}
		if some = append(some, list); !together {
			parts[i] = c.turnedPart(made, weight, list)
		}
	}
	if !together {
		return
	}
	copies := c.filtersTogether(made, weight, some)
	for i, list := range chosen {
		if taps(list) > 0 && len(copies) > 0 {
			parts[i], copies = copies[0], copies[1:]
		}
	}
}

// turned is the part of the kernel of phases, turned around: [G,C/G,O/G,…].
func (c *convGrad) turned(made *scratch, weight *weft.Tensor, list []phase) *weft.Tensor {
	then := func(t *weft.Tensor, f func(t *weft.Tensor) (*weft.Tensor, error)) *weft.Tensor {
		if made.err != nil {
			return nil
		}
		return made.keep(f(t))
	}
	t, spatial, order := weight, []int{}, []int{0, 2, 1}
	for d, p := range list {
		t = then(t, func(t *weft.Tensor) (*weft.Tensor, error) { return t.SliceStep(2+d, p.tap, weight.Dim(2+d), p.step) })
		spatial, order = append(spatial, 2+d), append(order, 3+d)
	}
	t = then(t, func(t *weft.Tensor) (*weft.Tensor, error) { return t.Flip(spatial...) })
	t = then(t, func(t *weft.Tensor) (*weft.Tensor, error) {
		l, err := split(t.Layout(), 0, c.Groups)
		if err != nil {
			return nil, err
		}
		return t.AsStrided(l)
	})
	return then(t, func(t *weft.Tensor) (*weft.Tensor, error) { return t.Permute(order...) })
}

// turnedPart is a part with filters in place of channels: [C,O/G,…].
func (c *convGrad) turnedPart(made *scratch, weight *weft.Tensor, list []phase) *weft.Tensor {
	t := c.turned(made, weight, list)
	if made.err != nil {
		return nil
	}
	shape := append([]int{c.Channels}, t.Shape()[2:]...)
	if !weight.Device().Caps().WholeTiles { // the convolution copies it into the order that it wants
		if part, err := made.try(t.Reshape(shape...)); err == nil {
			return part
		}
	}
	if t = made.keep(t.Contiguous()); made.err != nil {
		return nil
	}
	return made.keep(t.Reshape(shape...))
}

// filtersTogether are copies of parts [C,O/G,…] with neighbouring filters next to each other in memory, at one position of the kernel after the other, which no
// convolution copies again. Rows of positions of all parts are joined, in few launches.
func (c *convGrad) filtersTogether(made *scratch, weight *weft.Tensor, lists [][]phase) (parts []*weft.Tensor) {
	var rows []*weft.Tensor
	positions := 0
	for _, list := range lists {
		t := c.turned(made, weight, list)
		if made.err != nil {
			return nil
		}
		order := []int{}
		for d := 3; d < t.Rank(); d++ {
			order = append(order, d)
		}
		list := []*weft.Tensor{made.keep(t.Permute(append(order, 2, 0, 1)...))} // [...,O/G,G,C/G]
		for range len(order) - 1 {
			list = c.apart(made, list)
		}
		rows, positions = append(rows, list...), positions+taps(lists[len(parts)])
		parts = append(parts, nil)
	}
	if made.err != nil || len(rows) == 0 {
		return nil
	}
	all := made.keep(weft.Empty(weight.Device(), weight.DType(), positions, c.Filters/c.Groups, c.Groups, c.Channels/c.Groups))
	if made.err != nil {
		return nil
	}
	if made.err = ConcatInto(all, 0, rows...); made.err != nil {
		return nil
	}
	at := 0
	for i, list := range lists {
		t := made.keep(all.Slice(0, at, at+taps(list)))
		at += taps(list)
		shape, back := []int{}, []int{}
		for d, p := range list {
			shape, back = append(shape, p.n), append(back, d)
		}
		n := len(shape)
		if made.err == nil {
			t = made.keep(t.Reshape(append(shape, c.Filters/c.Groups, c.Channels)...))
		}
		if made.err != nil {
			return nil
		}
		parts[i] = made.keep(t.Permute(append([]int{n + 1, n}, back...)...))
	}
	return parts
}

// apart are the elements of tensors along their first dimension.
func (c *convGrad) apart(made *scratch, tensors []*weft.Tensor) (list []*weft.Tensor) {
	for _, t := range tensors {
		for i := 0; made.err == nil && i < t.Dim(0); i++ {
			list = append(list, made.keep(t.Select(0, i)))
		}
	}
	return list
}
