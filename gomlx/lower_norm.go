package gomlx

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// normAttrs is what a batch normalisation has besides its inputs.
type normAttrs struct {
	axis    int // of the features
	epsilon float32
}

// options are those of weft's ops.
func (a normAttrs) options() []ops.NormOption {
	return []ops.NormOption{ops.Epsilon(float64(a.epsilon))}
}

// placeBatchNorm normalises by the mean and the variance of the batch.
func (p *planner) placeBatchNorm(n *node) ([]operand, error) {
	a, elem := n.attrs.(normAttrs), p.in(n, 0).elem
	sums := elem.Accumulator()
	out, err := p.normResults(n, elem, sums, sums)
	if err != nil {
		return nil, err
	}
	in := []operand{p.in(n, 0), p.in(n, 1), p.in(n, 2)}
	err = p.emitNorm(n, out, in, 1, func(axis int, out, in []*weft.Tensor) error {
		return ops.BatchNormInto(out[0], out[1], out[2], in[0], in[1], in[2], axis, a.options()...)
	})
	for i := 1; i < len(out) && err == nil; i++ {
		out[i], err = p.converted(n, out[i], elem)
	}
	return out, err
}

// placeBatchNormGrad computes the gradients of what placeBatchNorm normalises.
func (p *planner) placeBatchNormGrad(n *node) ([]operand, error) {
	a, elem := n.attrs.(normAttrs), p.in(n, 0).elem
	out, err := p.normResults(n, elem, elem, elem)
	if err != nil {
		return nil, err
	}
	in := []operand{p.in(n, 0), p.in(n, 4), p.in(n, 1), p.in(n, 2), p.in(n, 3)}
	for i := 3; i < len(in) && err == nil; i++ { // mean and variance
		in[i], err = p.converted(n, in[i], elem.Accumulator())
	}
	if err != nil {
		return nil, err
	}
	return out, p.emitNorm(n, out, in, 2, func(axis int, out, in []*weft.Tensor) error {
		return ops.BatchNormGradInto(out[0], out[1], out[2], in[0], in[1], in[2], in[3], in[4], axis, a.options()...)
	})
}

// normResults are temporaries in the shape of the first input, and of two vectors of features.
func (p *planner) normResults(n *node, like, first, second weft.DType) (out []operand, err error) {
	dims := p.in(n, 0).dims()
	features := dims[n.attrs.(normAttrs).axis : n.attrs.(normAttrs).axis+1]
	for i, elem := range []weft.DType{like, first, second} {
		if i == 1 {
			dims = features
		}
		o, err := p.temp(elem, dims...)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
}

// emitNorm appends a step whose first inputs, so many, and whose first result have the shape of what is normalised. Weft takes two dimensions at least, and few that do
// not merge.
func (p *planner) emitNorm(n *node, out, in []operand, like int, run func(axis int, out, in []*weft.Tensor) error) (err error) {
	axis, s := n.attrs.(normAttrs).axis, step{op: n.op, out: append([]operand{}, out...), in: in}
	vector := len(out[0].dims()) == 1
	all := []*operand{&s.out[0]}
	for i := range like {
		all = append(all, &s.in[i])
	}
	for _, o := range all {
		if len(o.dims()) > maxMerged {
			if *o, err = p.contiguous(n, *o); err != nil {
				return err
			}
		}
		if vector {
			if o.layout, err = o.layout.Unsqueeze(0); err != nil {
				return err
			}
		}
	}
	if vector {
		axis++
	}
	s.run = func(out, in []*weft.Tensor) error { return run(axis, out, in) }
	p.steps = append(p.steps, s)
	return nil
}

// converted is an operand as another element type.
func (p *planner) converted(n *node, x operand, elem weft.DType) (operand, error) {
	if x.elem == elem {
		return x, nil
	}
	out, err := p.temp(elem, x.dims()...)
	if err == nil {
		p.copy(n, out, x)
	}
	return out, err
}
