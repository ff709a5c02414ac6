package gomlx

import (
	"github.com/gomlx/gomlx/backends"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// windowReductions are weft's by those of GoMLX.
var windowReductions = map[backends.ReduceOpType]ops.WindowReduction{
	backends.ReduceOpSum: ops.WindowSum, backends.ReduceOpProduct: ops.WindowProd, backends.ReduceOpMax: ops.WindowMax, backends.ReduceOpMin: ops.WindowMin,
}

// window is the attributes as weft has them.
func (w windowAttrs) window() ops.Window {
	return ops.Window{Size: w.size, Stride: w.strides, Dilation: w.windowDilation, BaseDilation: w.baseDilation, Padding: w.padding}
}

// compact is an operand of few enough dimensions for weft's ops, copied if it is not.
func (p *planner) compact(n *node, x operand) (operand, error) {
	if x.layout.Coalesce().Rank() <= maxMerged {
		return x, nil
	}
	return p.contiguous(n, x)
}

// asNumbers is an operand of Bool as 0 and 1, and any other one itself.
func (p *planner) asNumbers(n *node, x operand) (operand, error) {
	if x.elem != weft.Bool {
		return x, nil
	}
	numbers, err := p.temp(weft.U8, x.dims()...)
	p.copy(n, numbers, x)
	return numbers, err
}

// placeReduceWindow reduces windows. Bools are numbers, of which there is a greatest and a least one.
func (p *planner) placeReduceWindow(n *node) (operand, error) {
	w := n.attrs.(windowAttrs)
	out, err := p.result(n)
	if err != nil || out.len == 0 {
		return out, err
	}
	x, to := p.in(n, 0), out
	if x.elem == weft.Bool {
		if to, err = p.temp(weft.U8, out.dims()...); err != nil {
			return out, err
		}
		if x, err = p.asNumbers(n, x); err != nil {
			return out, err
		}
	}
	if x, err = p.compact(n, x); err != nil {
		return out, err
	}
	p.emit(n, func(out, in []*weft.Tensor) error {
		return ops.ReduceWindowInto(out[0], in[0], windowReductions[w.kind], w.window())
	}, to, x)
	if to.storage != out.storage {
		p.copy(n, out, to)
	}
	return out, nil
}

// placeSelectAndScatter adds each element of source where its window has its result, which is the gradient of the reduction.
func (p *planner) placeSelectAndScatter(n *node) (operand, error) {
	w := n.attrs.(windowAttrs)
	out, err := p.result(n)
	if err != nil || out.len == 0 {
		return out, err
	}
	x, err := p.compact(n, p.in(n, 0))
	if err != nil {
		return out, err
	}
	source, err := p.compact(n, p.in(n, 1))
	p.emit(n, func(out, in []*weft.Tensor) error {
		return ops.ReduceWindowGradInto(out[0], in[0], in[1], windowReductions[w.kind], w.window())
	}, out, x, source)
	return out, err
}
