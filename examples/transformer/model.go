package main

import (
	"cmp"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// size is the shape of a model.
type size struct {
	layers, width int
	heads, groups int // heads of queries, and of keys and values, which divide them
	headSize      int
	ffn, vocab    int
	base          float64 // of the rotary embedding's frequencies
	adjacent      bool    // pairs of it are adjacent elements, not of the halves of a head
}

// sizes are those of models that are drawn, the last two of Llama 3.
var sizes = map[string]size{
	"tiny": {layers: 2, width: 128, heads: 4, groups: 2, headSize: 32, ffn: 384, vocab: 1000, base: 500000},
	"1b":   {layers: 16, width: 2048, heads: 32, groups: 8, headSize: 64, ffn: 8192, vocab: 128256, base: 500000},
	"8b":   {layers: 32, width: 4096, heads: 32, groups: 8, headSize: 128, ffn: 14336, vocab: 128256, base: 500000},
}

// epsilon is that of the norms.
const epsilon = 1e-5

// group is how many weights of a row share a scale: 128, or the most below that that divide a row.
func group(row int) int {
	n := 128
	for row%n != 0 {
		n /= 2
	}
	return n
}

// matrix is the weights [out,in] of a layer, whole or quantised.
type matrix struct {
	dense *weft.Tensor
	low   *ops.Quantized // [in,out], as a product takes it; nil for none
}

// into writes x @ m.T.
func (m matrix) into(out, x *weft.Tensor) error {
	if m.low != nil {
		return ops.QuantizedMatMulInto(out, x, m.low)
	}
	return ops.LinearInto(out, x, m.dense, nil)
}

// bytes is the memory of the weights.
func (m matrix) bytes() int {
	if m.low != nil {
		return bytesOf(m.low.Data) + bytesOf(m.low.Scales)
	}
	return bytesOf(m.dense)
}

func bytesOf(t *weft.Tensor) int { return t.Len() * t.DType().Size() }

// layer is the weights of one layer. Products of the same rows are one: queries, keys and values, and the two
// halves of the MLP.
type layer struct {
	norm1, norm2           *weft.Tensor
	qkv, out, gateUp, down matrix
	gate, up               *weft.Tensor // views of both halves of gateUp; nil if it is quantised
}

// halves are the views of gateUp.
func (d *drawing) halves(l layer) layer {
	both := l.gateUp.dense
	if d.err != nil || both == nil {
		return l
	}
	ffn := both.Dim(0) / 2
	var errs [2]error
	l.gate, errs[0] = both.Slice(0, 0, ffn)
	l.up, errs[1] = both.Slice(0, ffn, 2*ffn)
	d.err = cmp.Or(errs[0], errs[1])
	return l
}

// matrices are those of a layer.
func (l *layer) matrices() []*matrix { return []*matrix{&l.qkv, &l.out, &l.gateUp, &l.down} }

// model is all weights.
type model struct {
	size
	dev    *weft.Device
	elem   weft.DType
	embed  *weft.Tensor // [vocab,width]
	layers []layer
	norm   *weft.Tensor
	head   matrix // [vocab,width]
}

// newModel draws a model on the device. What all layers add is about as large as an embedding, as at the start of
// a training, but queries and keys are larger, so that a token attends to few others and not to all alike.
func newModel(dev *weft.Device, s size, elem weft.DType, bits int, seed uint64) (*model, error) {
	d := drawing{dev: dev, elem: elem, bits: bits, stream: ops.Stream{Seed: seed}}
	m := &model{size: s, dev: dev, elem: elem, layers: make([]layer, s.layers)}
	m.embed = d.normal(0.5, s.vocab, s.width)
	residual := 1 / math.Sqrt(2*float64(s.layers))
	for i := range m.layers {
		m.layers[i] = d.halves(layer{
			norm1: d.norm(s.width), norm2: d.norm(s.width),
			qkv:    d.matrix(2, (s.heads+2*s.groups)*s.headSize, s.width),
			out:    d.matrix(residual, s.width, s.heads*s.headSize),
			gateUp: d.matrix(1, 2*s.ffn, s.width),
			down:   d.matrix(residual, s.width, s.ffn),
		})
	}
	m.norm, m.head = d.norm(s.width), d.matrix(1, s.vocab, s.width)
	return m, d.err
}

// weights are the parameters of the model and the bytes that hold them.
func (m *model) weights() (parameters, held int) {
	s := m.size
	of := (2*s.heads+2*s.groups)*s.headSize*s.width + 3*s.ffn*s.width + 2*s.width
	parameters = 2*s.vocab*s.width + s.width + s.layers*of
	held = bytesOf(m.embed) + bytesOf(m.norm) + m.head.bytes()
	for i := range m.layers {
		l := &m.layers[i]
		held += bytesOf(l.norm1) + bytesOf(l.norm2)
		for _, w := range l.matrices() {
			held += w.bytes()
		}
	}
	return parameters, held
}

// drawing draws weights, one after the other from one stream, and keeps the first error.
type drawing struct {
	dev    *weft.Device
	elem   weft.DType
	bits   int
	stream ops.Stream
	err    error
}

// normal is a tensor of normal numbers of a standard deviation.
func (d *drawing) normal(deviation float64, shape ...int) *weft.Tensor {
	if d.err != nil {
		return nil
	}
	t, err := ops.Normal(d.dev, d.elem, d.stream, shape...)
	if err != nil {
		d.err = err
		return nil
	}
	d.stream = d.stream.Skip(t.Len())
	d.err = ops.MulInto(t, t, deviation)
	return t
}

// norm is the weight of a norm, numbers near 1.
func (d *drawing) norm(width int) *weft.Tensor {
	t := d.normal(0.1, width)
	d.err = cmp.Or(d.err, ops.AddInto(t, t, 1))
	return t
}

// matrix is a matrix whose products with rows of variance 1 have a standard deviation.
func (d *drawing) matrix(deviation float64, out, in int) matrix {
	return d.held(d.normal(deviation/math.Sqrt(float64(in)), out, in))
}

// held is a matrix as it is kept: quantised if it is to be.
func (d *drawing) held(t *weft.Tensor) matrix {
	if d.err != nil || d.bits == 0 {
		return matrix{dense: t}
	}
	defer t.Close()
	q, err := ops.Quantize(t, ops.QuantScheme{Bits: d.bits, Block: [2]int{1, group(t.Dim(1))}})
	if d.err = err; err != nil {
		return matrix{}
	}
	defer q.Close()
	m := matrix{}
	m.low, d.err = q.T().Pack()
	return m
}
