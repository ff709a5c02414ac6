package suite

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/ops"
)

// batchNorms are normalisations of batches of images with few large planes and with many small ones, in both orders of dimensions, and their gradients.
func batchNorms(s Size) (list []Work) {
	images := of(s, 64, 8, 2)
	for _, last := range []bool{false, true} {
		large := batch{weft.F16, images, of(s, 64, 64, 5), of(s, 112, 56, 9), last}
		small := batch{weft.F16, images, of(s, 1024, 512, 40), 7, last}
		list = append(list, large.norm(), small.norm(), large.inference(), large.gradient(), small.gradient())
	}
	return append(list, batch{weft.F32, images, of(s, 256, 128, 7), of(s, 28, 28, 6), false}.norm())
}

// batch is a batch of images of square planes.
type batch struct {
	elem                   weft.DType
	images, channels, side int
	last                   bool // channels are the last dimension
}

// work is an op on tensors of the batch, two of a gradient, an element of each channel in the type of x as many times as given, and a mean and a variance if
// these are given. call gets the dimension of the channels.
func (b batch) work(op string, tensors, each int, given bool, call func(out *weft.Tensor, in []*weft.Tensor, channels int) error) Work {
	shape, channels, suffix := []int{b.images, b.channels, b.side, b.side}, 1, ""
	if b.last {
		shape, channels, suffix = []int{b.images, b.side, b.side, b.channels}, 3, " nhwc"
	}
	x := normal(b.elem, shape...)
	w := Work{Name: name(op, b.elem, size(shape...), suffix), Op: op, Output: x, Terms: b.elements(), Params: map[string]any{"last": b.last},
		Run: func(out *weft.Tensor, in []*weft.Tensor) error { return call(out, in, channels) }}
	for range tensors {
		w.Inputs = append(w.Inputs, x)
	}
	for range each {
		w.Inputs = append(w.Inputs, normal(b.elem, b.channels))
	}
	if given {
		w.Inputs = append(w.Inputs, uniform(-0.5, 0.5, weft.F32, b.channels), uniform(0.5, 1.5, weft.F32, b.channels))
	}
	w.Bytes = x.Bytes()
	for _, in := range w.Inputs {
		w.Bytes += in.Bytes()
	}
	return w
}

// elements is the number of elements of a channel.
func (b batch) elements() int { return b.images * b.side * b.side }

// at is the channel of an element, and its place among the elements of that.
func (b batch) at(i int) (channel, place int) {
	if b.last {
		return i % b.channels, i / b.channels
	}
	plane := b.side * b.side
	return i / plane % b.channels, i/plane/b.channels*plane + i%plane
}

// channel is the elements of a channel.
func (b batch) channel(v Values, channel int) []float64 {
	x, plane := make([]float64, b.elements()), b.side*b.side
	for j := range x {
		if b.last {
			x[j] = v(j*b.channels + channel)
		} else {
			x[j] = v((j/plane*b.channels+channel)*plane + j%plane)
		}
	}
	return x
}

// want is what elements should be, whose channels are computed at once.
func (b batch) want(of func(in []Values, channel int) catalog.Bounded) Want {
	var last cached[catalog.Bounded]
	return func(in []Values, i int) (want, bound float64) {
		channel, place := b.at(i)
		r := last.of(channel, func() catalog.Bounded { return of(in, channel) })
		return r.Want[place], r.Bound[place]
	}
}

// single is the normalisation of one channel, of weights and biases as far as they are given.
func single(channel int, weight, bias Values) catalog.BatchNorm {
	b := catalog.BatchNorm{Channels: 1, Channel: func(int) int { return 0 }, Epsilon: 1e-5, Weight: weight.slice(channel, 1)}
	if bias != nil {
		b.Bias = bias.slice(channel, 1)
	}
	return b
}

func (b batch) norm() Work {
	w := b.work("batch_norm", 1, 2, false, func(out *weft.Tensor, in []*weft.Tensor, channels int) error {
		return ops.BatchNormInto(out, nil, nil, in[0], in[1], in[2], channels)
	})
	w.Want = b.want(func(in []Values, channel int) catalog.Bounded {
		y, _, _ := single(channel, in[1], in[2]).Forward(b.elem, b.channel(in[0], channel))
		return y
	})
	return w
}

func (b batch) inference() Work {
	w := b.work("batch_norm_inference", 1, 2, true, func(out *weft.Tensor, in []*weft.Tensor, channels int) error {
		return ops.BatchNormInferenceInto(out, in[0], in[1], in[2], in[3], in[4], channels)
	})
	w.Terms = 0
	w.Want = func(in []Values, i int) (want, bound float64) {
		channel, _ := b.at(i)
		y := single(channel, in[1], in[2]).Inference(b.elem, in[0].slice(i, 1), in[3].slice(channel, 1), in[4].slice(channel, 1))
		return y.Want[0], y.Bound[0]
	}
	return w
}

func (b batch) gradient() Work {
	w := b.work("batch_norm_grad", 2, 3, true, func(out *weft.Tensor, in []*weft.Tensor, channels int) error {
		return ops.BatchNormGradInto(out, in[3], in[4], in[0], in[1], in[2], in[5], in[6], channels)
	})
	w.Want = b.want(func(in []Values, channel int) catalog.Bounded {
		dx, _, _ := single(channel, in[2], nil).Grad(b.elem, b.channel(in[0], channel), b.channel(in[1], channel), in[5].slice(channel, 1), in[6].slice(channel, 1))
		return dx
	})
	return w
}
