package main

import (
	"math"
	"math/rand/v2"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// The element-wise parts, each a function of one element of each input.
var (
	relu = weft.NewMap("relu", []string{"x"}, func(in []*tile.Value) *tile.Value { return in[0].Maximum(0) })
	// where lets a gradient through where the ReLU did.
	where = weft.NewMap("where", []string{"gradient", "h"}, func(in []*tile.Value) *tile.Value {
		return in[1].Builder().Where(in[1].Gt(0), in[0], 0)
	})
	difference = weft.NewMap("difference", []string{"p", "wanted"}, func(in []*tile.Value) *tile.Value { return in[0].Sub(in[1]) })
	descend    = weft.NewMap("descend", []string{"w", "gradient", "rate"}, func(in []*tile.Value) *tile.Value {
		return in[0].Sub(in[1].Mul(in[2]))
	})
)

// layer is y = x @ w + bias.
type layer struct{ w, bias *weft.Tensor }

// network is softmax(relu(x @ w₁ + b₁) @ w₂ + b₂).
type network struct{ first, second layer }

func newNetwork(dev *weft.Device, hidden int) (n network, err error) {
	if n.first, err = newLayer(dev, pixels, hidden); err == nil {
		n.second, err = newLayer(dev, hidden, classes)
	}
	return n, err
}

// newLayer draws weights as He et al. do for ReLUs (2015): normal, with variance 2/in.
func newLayer(dev *weft.Device, in, out int) (l layer, err error) {
	rng := rand.New(rand.NewPCG(uint64(in), uint64(out)))
	w := make([]float32, in*out)
	for i := range w {
		w[i] = float32(rng.NormFloat64() * math.Sqrt(2/float64(in)))
	}
	if l.w, err = weft.FromSlice(dev, w, in, out); err != nil {
		return l, err
	}
	l.bias, err = weft.Zeros(dev, weft.F32, 1, out)
	return l, err
}

// scope closes what is made within a step and keeps the first error, so that the
// mathematics can be read.
type scope struct {
	made []*weft.Tensor
	err  error
}

func (s *scope) keep(t *weft.Tensor, err error) *weft.Tensor {
	if s.err == nil {
		s.err = err
	}
	s.made = append(s.made, t)
	return t
}

func (s *scope) close() {
	for _, t := range s.made {
		t.Close()
	}
}

func (s *scope) matmul(a, b *weft.Tensor) *weft.Tensor {
	if s.err != nil {
		return nil
	}
	return s.keep(ops.MatMul(a, b))
}

func (s *scope) apply(m *weft.Map, in ...weft.TensorOrNumber) *weft.Tensor {
	if s.err != nil {
		return nil
	}
	return s.keep(m.Apply(in...))
}

func (s *scope) linear(l layer, x *weft.Tensor) *weft.Tensor {
	y := s.matmul(x, l.w)
	if s.err == nil {
		s.err = ops.AddInto(y, y, l.bias)
	}
	return y
}

// forward returns what the hidden layer says, and the probabilities of the classes.
func (s *scope) forward(n network, x *weft.Tensor) (h, p *weft.Tensor) {
	h = s.apply(relu, s.linear(n.first, x))
	p = s.linear(n.second, h)
	if s.err == nil {
		s.err = ops.SoftmaxInto(p, p)
	}
	return h, p
}

// descend takes one step down a layer's gradient, given its input and the gradient of
// its output: those of the weights are xᵀ @ d, and of the bias the sums of d's columns.
func (s *scope) descend(l layer, x, d, ones, rate *weft.Tensor) {
	gw, gb := s.matmul(s.keep(x.T(), nil), d), s.matmul(ones, d)
	if s.err == nil {
		s.err = descend.Into(l.w, l.w, gw, rate)
	}
	if s.err == nil {
		s.err = descend.Into(l.bias, l.bias, gb, rate)
	}
}

// step is one step of gradient descent on the mean cross-entropy, whose gradient in front
// of the softmax is p - wanted.
func (n network) step(x, wanted *weft.Tensor, rate float64) error {
	var s scope
	defer s.close()
	dev, count := x.Device(), x.Dim(0)
	r := s.keep(weft.FromFloats(dev, weft.F32, []float64{rate / float64(count)}))
	one := s.keep(weft.FromFloats(dev, weft.F32, []float64{1}))
	if s.err != nil {
		return s.err
	}
	ones := s.keep(one.Broadcast(1, count)) // a view: no memory but for one element

	h, p := s.forward(n, x)
	d2 := s.apply(difference, p, wanted)
	d1 := s.apply(where, s.matmul(d2, s.keep(n.second.w.T(), nil)), h)
	s.descend(n.second, h, d2, ones, r)
	s.descend(n.first, x, d1, ones, r)
	return s.err
}

// right counts the pictures whose most probable class is what they show.
func (n network) right(dev *weft.Device, ds digits) (count int, err error) {
	var s scope
	defer s.close()
	x, wanted, err := ds.tensors(dev)
	if err != nil {
		return 0, err
	}
	s.keep(x, nil)
	s.keep(wanted, nil)
	_, p := s.forward(n, x)
	if s.err != nil {
		return 0, s.err
	}
	probabilities, err := weft.ToSlice[float32](p)
	if err != nil {
		return 0, err
	}
	for i, d := range ds {
		best := 0
		for c, v := range probabilities[i*classes : (i+1)*classes] {
			if v > probabilities[i*classes+best] {
				best = c
			}
		}
		if best == d.label {
			count++
		}
	}
	return count, nil
}
