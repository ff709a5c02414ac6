package gomlx

import (
	"github.com/gomlx/gomlx/backends"

	"github.com/weftgpu/weft"
)

// lowerings has what appends the steps of an op that is neither element-wise nor a view. It is filled by init, since ops
// refer to one another.
var lowerings map[backends.OpType]func(p *planner, n *node) ([]operand, error)

func init() {
	lowerings = map[backends.OpType]func(p *planner, n *node) ([]operand, error){
		backends.OpTypeConstant:            one((*planner).placeConstant),
		backends.OpTypeIota:                one((*planner).placeIota),
		backends.OpTypeConcatenate:         one((*planner).placeConcatenate),
		backends.OpTypePad:                 one((*planner).placePad),
		backends.OpTypeDynamicSlice:        one((*planner).placeDynamicSlice),
		backends.OpTypeDynamicUpdateSlice:  one((*planner).placeDynamicUpdate),
		backends.OpTypeGather:              one((*planner).placeGather),
		backends.OpTypeScatterSum:          one((*planner).placeScatter),
		backends.OpTypeScatterMax:          one((*planner).placeScatter),
		backends.OpTypeScatterMin:          one((*planner).placeScatter),
		backends.OpTypeArgMinMax:           one((*planner).placeArgMinMax),
		backends.OpTypeDotGeneral:          one((*planner).placeDot),
		backends.OpTypeConvGeneral:         one((*planner).placeConv),
		backends.OpTypeReduceWindow:        one((*planner).placeReduceWindow),
		backends.OpTypeSelectAndScatterMax: one((*planner).placeSelectAndScatter),
		backends.OpTypeSelectAndScatterMin: one((*planner).placeSelectAndScatter),
		backends.OpTypeBitcast:             one((*planner).placeBitcast),
		backends.OpTypeRNGBitGenerator:     (*planner).placeRandomBits,

		backends.OpTypeBatchNormForTraining: (*planner).placeBatchNorm,
		backends.OpTypeBatchNormGradient:    (*planner).placeBatchNormGrad,
	}
	for op := range reductions {
		lowerings[op] = one((*planner).placeReduce)
	}
}

// one is a lowering of an op of one result.
func one(f func(p *planner, n *node) (operand, error)) func(p *planner, n *node) ([]operand, error) {
	return func(p *planner, n *node) ([]operand, error) {
		o, err := f(p, n)
		return []operand{o}, err
	}
}

// addConstant takes over a tensor.
func (p *planner) addConstant(t *weft.Tensor) operand {
	s := p.storage(constant, t.DType(), t.Len())
	s.index = len(p.constants)
	p.constants = append(p.constants, t)
	return operand{s, t.Layout()}
}

func (p *planner) placeConstant(n *node) (operand, error) {
	kind, _ := typeFor(n.shape.DType)
	t, err := kind.upload(p.dev, n.attrs, n.shape.Dimensions)
	if err != nil {
		return operand{}, err
	}
	return p.addConstant(t), nil
}

// placeIota is a vector of numbers, repeated along the other axes.
func (p *planner) placeIota(n *node) (operand, error) {
	axis := n.attrs.(int)
	o, err := p.count(n.elem(), n.shape.Dimensions[axis])
	if err != nil {
		return operand{}, err
	}
	o.layout, err = broadcastInDim(o.layout, n.shape.Dimensions, []int{axis})
	return o, err
}

// count is the numbers below length.
func (p *planner) count(elem weft.DType, length int) (operand, error) {
	if p.b.backend.pairs && isWide(elem) {
		numbers := make([]uint64, length)
		for i := range numbers {
			numbers[i] = uint64(i)
		}
		return p.wideConstant(elem, numbers...)
	}
	t, err := weft.Arange(p.dev, elem, 0, float64(length), 1)
	if err != nil {
		return operand{}, err
	}
	return p.addConstant(t), nil
}

// placeConcatenate copies each operand to its part of the result.
func (p *planner) placeConcatenate(n *node) (operand, error) {
	out, err := p.result(n)
	if err != nil {
		return out, err
	}
	axis, at := n.attrs.(int), 0
	for i, in := range n.in {
		size := in.shape.Dimensions[axis]
		part, err := out.layout.Slice(axis, at, at+size, 1)
		if err != nil {
			return out, err
		}
		p.copy(n, operand{out.storage, part}, p.in(n, i))
		at += size
	}
	return out, nil
}

func (p *planner) placePad(n *node) (operand, error) {
	return p.pad(n, p.in(n, 0), p.in(n, 1), *n.attrs.(*[]backends.PadAxis))
}

// pad puts a value, of one element, around and between the elements of x.
func (p *planner) pad(n *node, x, value operand, axes []backends.PadAxis) (operand, error) {
	dims := x.dims()
	inside, from := make([]sliceRange, len(dims)), make([]sliceRange, len(dims))
	for d, a := range axes {
		size, step := dims[d], a.Interior+1
		dims[d] = a.Start + size + max(size-1, 0)*a.Interior + a.End
		lo, hi := 0, size // of x, what is within the result
		if a.Start < 0 {
			lo = min((-a.Start+step-1)/step, size)
		}
		if last := dims[d] - 1 - a.Start; last < 0 {
			hi = lo
		} else {
			hi = max(min(hi, last/step+1), lo)
		}
		from[d] = sliceRange{lo, hi, 1}
		inside[d] = sliceRange{0, 0, step}
		if hi > lo {
			inside[d] = sliceRange{a.Start + lo*step, a.Start + (hi-1)*step + 1, step}
		}
	}
	out, err := p.temp(x.elem, dims...)
	if err != nil {
		return out, err
	}
	if value, err = p.reshape(n, value); err != nil {
		return out, err
	}
	p.copy(n, out, value)
	part, err := sliceAll(out, inside)
	if err != nil {
		return out, err
	}
	if x, err = sliceAll(x, from); err != nil {
		return out, err
	}
	p.copy(n, part, x)
	return out, nil
}

// sliceRange is the elements from, from+step, … before to.
type sliceRange struct{ from, to, step int }

// sliceAll keeps a range of each dimension.
func sliceAll(x operand, ranges []sliceRange) (operand, error) {
	for d, r := range ranges {
		l, err := x.layout.Slice(d, r.from, r.to, r.step)
		if err != nil {
			return x, err
		}
		x.layout = l
	}
	return x, nil
}

// number is a constant of one element.
func (p *planner) number(elem weft.DType, x any) (operand, error) {
	t, err := weft.Full(p.dev, elem, x)
	if err != nil {
		return operand{}, err
	}
	return p.addConstant(t), nil
}
