package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

// launchShifts launches the direct kernel by shifts, on copies in the other order if the config says so.
func (c *convolution) launchShifts(cfg Conv2DConfig, out *weft.Tensor) error {
	if !cfg.Transposed {
		return c.launchShifted(cfg, out)
	}
	var temporary scratch
	defer temporary.close()
	last := !c.ChannelsLast // of the copies
	ordered := func(t *weft.Tensor) *weft.Tensor {
		if last && !c.nhwc {
			return temporary.keep(t.Permute(0, 2, 3, 1))
		}
		if last {
			return t
		}
		return c.ordered(&temporary, t)
	}
	x, y := ordered(c.x), ordered(out)
	if temporary.err != nil {
		return temporary.err
	}
	x = temporary.keep(x.Contiguous())
	dense := temporary.keep(weft.Empty(out.Device(), out.DType(), y.Shape()...))
	if temporary.err != nil {
		return temporary.err
	}
	copied := *c
	copied.x, copied.nhwc, copied.ChannelsLast = x, last, last
	if err := copied.launchShifted(cfg, dense); err != nil {
		return err
	}
	return y.CopyFrom(dense)
}

func (c *convolution) launchShifted(cfg Conv2DConfig, out *weft.Tensor) error {
	var temporary scratch
	defer temporary.close()
	memory := cfg.Block.Memory
	x, err := split(c.nchw(c.x), 1, c.Groups)
	if err != nil {
		return err
	}
	phases, scalars, err := c.phases(c.x, x, memory)
	if err != nil {
		return err
	}
	weights, err := c.shiftedWeights(&temporary, memory)
	if err != nil {
		return err
	}
	views := append(phases, weights)
	if cfg.Bias {
		l, err := split(c.bias.Layout(), 0, c.Groups)
		if err != nil {
			return err
		}
		views = append(views, weft.TensorView{Tensor: c.bias, Layout: l})
	}
	y, err := split(c.nchw(out), 1, c.Groups)
	if err != nil {
		return err
	}
	if y, err = y.Permute(memory[:]...); err != nil {
		return err
	}
	return kernels.Conv2DDirect.LaunchViews(cfg, scalars, append(views, weft.TensorView{Tensor: out, Layout: y})...)
}

// phases are the parts that a kernel by shifts sees of a layout of images whose last dimensions are rows and columns, with its dimensions in an order, and its scalars.
func (c *convolution) phases(t *weft.Tensor, x layout.Layout, memory [5]int) (views []weft.TensorView, scalars weft.Scalars, err error) {
	along := kernels.Conv2DConfig{Kernel: c.Kernel, Stride: c.Stride, Dilation: c.Dilation}.Along(c.Padding[0], c.Padding[2])
	part := func(l layout.Layout, d, phase int) (layout.Layout, int, error) {
		n := l.Size(3 + d)
		first, before := along[d].View(phase, n)
		l, err := l.Slice(3+d, first, n, c.Stride[d])
		return l, before, err
	}
	var left weft.Scalars
	for _, p := range along[0].Phases() {
		rows, top, err := part(x, 0, p)
		if err != nil {
			return nil, nil, err
		}
		scalars, left = append(scalars, top), nil
		for _, q := range along[1].Phases() {
			l, before, err := part(rows, 1, q)
			if err != nil {
				return nil, nil, err
			}
			if l, err = l.Permute(memory[:]...); err != nil {
				return nil, nil, err
			}
			views, left = append(views, weft.TensorView{Tensor: t, Layout: l}), append(left, before)
		}
	}
	return views, append(scalars, left...), nil
}

// shiftedWeights are the weights [C/G,G,O/G,KH·KW,1] with their dimensions in an order; if groups are neighbours in that, they are
// in memory, too.
func (c *convolution) shiftedWeights(temporary *scratch, memory [5]int) (weft.TensorView, error) {
	t := c.weight
	positions := c.Kernel[0] * c.Kernel[1]
	if memory[4] == 1 && c.Groups > 1 && t.Layout().Stride(0) != 1 {
		t = temporary.keep(t.Permute(1, 2, 3, 0))
		if temporary.err == nil {
			t = temporary.keep(t.Contiguous())
		}
		if temporary.err == nil {
			t = temporary.keep(t.Permute(3, 0, 1, 2))
		}
		if temporary.err != nil {
			return weft.TensorView{}, temporary.err
		}
	}
	l, err := t.Layout().Reshape(c.Groups, c.GroupFilters(), c.GroupChannels(), positions, 1)
	if err != nil { // positions at several distances
		t = temporary.keep(c.weight.Contiguous())
		if temporary.err != nil {
			return weft.TensorView{}, temporary.err
		}
		if l, err = t.Layout().Reshape(c.Groups, c.GroupFilters(), c.GroupChannels(), positions, 1); err != nil {
			return weft.TensorView{}, err
		}
	}
	order := [5]int{2, 0, 1, 3, 4} // of the view in the tensor
	var permuted []int
	for _, d := range memory {
		permuted = append(permuted, order[d])
	}
	l, err = l.Permute(permuted...)
	return weft.TensorView{Tensor: t, Layout: l}, err
}

// launchColumnShifts writes columns [N,G,C/G,KH·KW,P·Q] by shifts: at once, or for one image after the other.
func (c *convolution) launchColumnShifts(p kernels.Im2ColProblem, cfg kernels.Im2ColConfig, x *weft.Tensor, out weft.TensorView) error {
	var temporary scratch
	defer temporary.close()
	images, y := c.nchw(x), out.Layout
	from, to := strides(images), strides(y)
	rows, columns := c.Result()
	positions := c.Kernel[0] * c.Kernel[1]
	launch := func(n, channels int, x4, y4 []int, fromOffset, toOffset int) error {
		xs, err := layout.Strided([]int{n, channels, 1, c.Height, c.Width}, []int{x4[0], x4[1], 0, x4[2], x4[3]}, fromOffset)
		if err != nil {
			return err
		}
		views, scalars, err := c.phases(x, xs, cfg.Block.Memory)
		if err != nil {
			return err
		}
		for i := range views {
			if v := &views[i]; cfg.Dense && v.Layout.Len() > 0 {
				t := temporary.keep(v.Tensor.AsStrided(v.Layout))
				if temporary.err == nil {
					t = temporary.keep(t.Contiguous())
				}
				if temporary.err != nil {
					return temporary.err
				}
				*v = weft.TensorView{Tensor: t, Layout: t.Layout()}
			}
		}
		ys, err := layout.Strided([]int{n, channels, positions, rows, columns}, []int{y4[0], y4[1], y4[2], columns * y4[3], y4[3]}, toOffset)
		if err != nil {
			return err
		}
		if ys, err = ys.Permute(cfg.Block.Memory[:]...); err != nil {
			return err
		}
		return kernels.Im2Col.LaunchViews(cfg, scalars, append(views, weft.TensorView{Tensor: out.Tensor, Layout: ys})...)
	}
	if p.ByImages() { // groups and their channels are one dimension
		channel := to[2]
		if c.GroupChannels() == 1 {
			channel = to[1]
		}
		return launch(images.Size(0), c.Channels, from, []int{to[0], channel, to[3], to[4]}, images.Offset(), y.Offset())
	}
	for i := range images.Size(0) {
		err := launch(c.Groups, c.GroupChannels(), []int{c.GroupChannels() * from[1], from[1], from[2], from[3]}, to[1:], images.Offset()+i*from[0], y.Offset()+i*to[0])
		if err != nil {
			return err
		}
	}
	return nil
}

// permuteColumns writes columns [N,G,C/G,KH·KW,P·Q] of patches that are side by side: each image is [C,KH,KW,P,Q] on both sides.
func (c *convolution) permuteColumns(x *weft.Tensor, out weft.TensorView) error {
	var temporary scratch
	defer temporary.close()
	images, y := c.nchw(x), out.Layout
	from, to := strides(images), strides(y)
	rows, columns := c.Result()
	shape := []int{c.Channels, c.Kernel[0], c.Kernel[1], rows, columns}
	channel := to[2]
	if c.GroupChannels() == 1 {
		channel = to[1]
	}
	part := func(t *weft.Tensor, strides []int, offset int) *weft.Tensor {
		l, err := layout.Strided(shape, strides, offset)
		if err == nil && temporary.err == nil {
			return temporary.keep(t.AsStrided(l))
		}
		return temporary.keep(nil, err)
	}
	for i := range images.Size(0) {
		a := part(x, []int{from[1], from[2], from[3], c.Kernel[0] * from[2], c.Kernel[1] * from[3]}, images.Offset()+i*from[0])
		b := part(out.Tensor, []int{channel, c.Kernel[1] * to[3], to[3], columns * to[4], to[4]}, y.Offset()+i*to[0])
		if temporary.err != nil {
			return temporary.err
		}
		if err := b.CopyFrom(a); err != nil {
			return err
		}
	}
	return nil
}

func strides(l layout.Layout) (list []int) {
	for d := range l.Rank() {
		list = append(list, l.Stride(d))
	}
	return list
}
