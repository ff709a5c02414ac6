package kernels

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// ResizeGrad is the kernel of the gradient of Resize. Its views are x, the gradient of the result, and out. Its scalars are, for each dimension that is
// resized, those of the quotient that is the first result with a part of an element, the line, with more taps than one the reciprocal of its divisor, and
// without a reach in the config how many results are added up.
//
// The results that have a part of an element are neighbours: each element adds up theirs, in one order, by the weights that they have for it.
var ResizeGrad = weft.NewKernel("resize_grad", describeResizeGrad)

func describeResizeGrad(k *tile.Builder, cfg ResizeConfig) {
	r := newResizing(k, cfg)
	out := k.Out("out", cfg.Elem, cfg.Rank)
	for d := range cfg.Rank {
		if cfg.Taps[d] == 0 {
			continue
		}
		l, name := &r.lines[d], func(s string) string { return fmt.Sprintf("%s%d", s, d) }
		l.lineQuotient = newQuotient(k, name("first"), cfg.Wide[d])
		l.mul, l.add, l.div = k.Scalar(name("mul"), dtype.I32), k.Scalar(name("add"), dtype.I32), k.Scalar(name("div"), dtype.I32)
		if cfg.Taps[d] > 1 {
			l.reciprocal = realParameter(k, name("reciprocal"), cfg.Elem)
		}
		if cfg.Reach[d] == 0 {
			l.count = k.Scalar(name("reach"), dtype.I32)
		}
	}
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	at := k.ProgramTile(out, r.block...)
	for d := range cfg.Rank {
		l, place := &r.lines[d], r.places(d, at)
		if cfg.Taps[d] == 0 {
			l.index = []*tile.Value{r.stays(d, place)}
			continue
		}
		l.last = out.Dim(d).Sub(1)
		l.element = place.Minimum(l.last)
		l.start, _ = l.of(l.element)
		for j := range int(cfg.Reach[d]) {
			r.part(d, j)
		}
	}
	out.Block(r.block...).Store(r.total(0, make([]tile.Operand, cfg.Rank)).Cast(cfg.Elem), at...)
}

// part appends the results that are so far from the first ones along a dimension, and the weights that they have for their elements.
func (r *resizing) part(d int, from tile.Operand) {
	k, l := r.k, &r.lines[d]
	o := l.start.Add(from)
	// How far the results are after their elements, in units of 1/div: a few elements at most, which 31 bits hold although the products may wrap.
	after := o.Mul(l.mul).Add(l.add).Sub(l.element.Mul(l.div))
	outside := r.x.Dim(d)
	var none, weight *tile.Value
	switch r.cfg.Taps[d] {
	case 1:
		none = after.Ge(l.div).And(l.element.Lt(l.last))
	case 2:
		// All that is before the first element or after the last one is at them.
		low, high := k.Where(l.element.Eq(0), 0, k.Int(0).Sub(l.div)), k.Where(l.element.Eq(l.last), 0, l.div)
		near := l.div.Sub(after.Clamp(low, high).Abs())
		none = near.Eq(0)
		weight = k.Where(near.Eq(l.div), 1, near.Cast(r.accumulator()).Mul(l.reciprocal))
	default:
		weight = l.cubic(r, after)
		for side, sign := range []int{1, -1} { // taps before the first element are at it, and so on
			edge := l.element.Eq(0)
			if side == 1 {
				edge = l.element.Eq(l.last)
			}
			step := l.div.Mul(sign)
			beyond := l.cubic(r, after.Add(step)).Add(l.cubic(r, after.Add(step).Add(step)))
			weight = weight.Add(k.Where(edge, beyond, 0))
		}
		none = weight.Eq(0)
	}
	l.index, l.weight = append(l.index, k.Where(none, outside, o)), append(l.weight, weight)
}

// cubic are the weights of elements that are so far away.
func (l *line) cubic(r *resizing, after *tile.Value) *tile.Value {
	k, distance := r.k, after.Abs()
	near := distance.Lt(l.div)
	rest := k.Where(near, distance, distance.Sub(l.div))
	a := rest.Cast(r.accumulator()).Mul(l.reciprocal)
	b := k.Where(rest.Eq(0), 1, l.div.Sub(rest).Cast(r.accumulator()).Mul(l.reciprocal))
	far := k.Where(rest.Lt(l.div), cubicFar(a, b), 0)
	return k.Where(near, cubicNear(a, b), far)
}

// total is the sum over the results of the dimensions from d on.
func (r *resizing) total(d int, index []tile.Operand) *tile.Value {
	if d == r.cfg.Rank {
		return r.x.At(index...).Gather().Cast(r.accumulator())
	}
	k, l := r.k, &r.lines[d]
	if l.count == nil {
		var sum *tile.Value
		for t := range l.index {
			sum = r.add(d, t, index, sum)
		}
		return sum
	}
	sum := k.Var(k.Zeros(r.accumulator(), r.block...))
	for j := range k.Range(l.count) {
		l.index, l.weight = nil, nil
		r.part(d, j)
		sum.Set(r.add(d, 0, index, sum.Get()))
	}
	return sum.Get()
}

// add adds the results number t of a dimension to a sum, which may be nil.
func (r *resizing) add(d, t int, index []tile.Operand, sum *tile.Value) *tile.Value {
	l := &r.lines[d]
	index[d] = l.index[t]
	v := r.total(d+1, index)
	switch weighted := t < len(l.weight) && l.weight[t] != nil; {
	case weighted && sum != nil:
		return v.FMA(l.weight[t], sum)
	case weighted:
		return v.Mul(l.weight[t])
	case sum != nil:
		return sum.Add(v)
	}
	return v
}

// GradScalars are the kernel's for lines of a result whose gradient is that of elements of a shape; reach are how many results are added up.
func (p ResizeProblem) GradScalars(lines []ResizeLine, reach []int) (list weft.Scalars) {
	for d, l := range lines {
		taps := int(p.Taps[d])
		if taps == 0 {
			continue
		}
		back := l.backward(taps)
		if p.Wide[d] {
			back = back.divisible()
		}
		list = append(append(list, back.scalars(p.Wide[d])...), l.Mul, l.Add, l.Div)
		if taps > 1 {
			list = append(list, RealScalars(p.Elem, 1/float64(l.Div))...)
		}
		if p.Reach[d] == 0 {
			list = append(list, reach[d])
		}
	}
	return list
}
